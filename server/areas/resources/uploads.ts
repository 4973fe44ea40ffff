import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { resourceCalls } from '../../../contract/resources/calls';
import { resourceEndpoints as endpoints } from '../../../contract/resources/schemas';
import { resourceLimits } from '../../../contract/resources/terms';
import { rowId, safeName } from '../../../contract/text';
import type { Context } from '../../context';
import { Failure, fail, fieldsOf } from '../../http/failure';
import { route } from '../../http/route';
import type { CallOf, ResponseOf } from '../../http/route';
import { tusUploads } from '../../kit/tus';
import type { NewUpload, UploadArea } from '../../kit/tus';
import { abandonedAfter, uploadsIn } from '../../kit/uploads';
import { acceptUpload, addKnown } from './accept';
import { uploadFolder, uploadKey } from './files';
import * as queries from './queries';
import { readResource } from './responses';
import { checkLimits, withRoom } from './storage';

/** Metadata of an upload, beside `name`; other keys, which clients add, are ignored. */
const Metadata = z.object({ name: safeName(resourceLimits.name), folder: rowId.nullish(), replaces: rowId.nullish() });

function uploadsOf(ctx: Context, siteId: string, createdBy: string): UploadArea {
  const { db } = ctx.postgres;
  return {
    key: uploadKey,
    find: (id) => (rowId.safeParse(id).success ? queries.findUpload(db, siteId, id) : Promise.resolve(null)),
    async create({ name, bytes, metadata }: NewUpload) {
      const input = { ...metadata, name };
      const read = Metadata.safeParse(input);
      if (!read.success) return fail('invalid_fields', { fields: fieldsOf(read.error, input) });
      const { folder = null, replaces = null } = read.data;
      if (folder !== null && !(await queries.findFolder(db, siteId, folder))) fail('not_found');
      if (replaces !== null && !(await queries.findResource(db, siteId, replaces))) fail('not_found');
      const row = { siteId, name: read.data.name, bytes, folderId: folder, replaces, createdBy, createdAt: new Date(ctx.now()) };
      return withRoom(ctx, siteId, bytes, () => queries.addUpload(db, row));
    },
    check: ({ bytes }) => checkLimits(ctx, siteId, bytes, true),
    async remove(id) {
      await queries.removeUpload(db, id);
      await ctx.files.removeAll(uploadFolder(id));
    },
  };
}

export function registerUploads(app: FastifyInstance, ctx: Context): void {
  // `create` checks the size of a file, against the limits of its site.
  const serve = tusUploads(ctx, Infinity);
  for (const endpoint of [endpoints.createResourceUpload, endpoints.resourceUpload, endpoints.resourceUploadData, endpoints.removeResourceUpload] as const) {
    route(app, ctx, endpoint as typeof endpoints.createResourceUpload, ({ site, session, request, reply }) =>
      serve({ area: uploadsOf(ctx, site.id, session.userId), path: resourceCalls.createResourceUpload.path.replace(':siteId', site.id), request, reply }),
    );
  }
  route(app, ctx, endpoints.finishResourceUpload, async ({ site, params }) =>
    readResource(ctx, site.id, await acceptUpload(ctx, { id: params.upload, siteId: site.id })),
  );
  route(app, ctx, endpoints.addKnownResource, (call) => addKnownResource(ctx, call));
}

async function addKnownResource(
  ctx: Context,
  { site, session, body }: CallOf<typeof endpoints.addKnownResource>,
): Promise<ResponseOf<typeof endpoints.addKnownResource>> {
  if (body.folderId !== null && !(await queries.findFolder(ctx.postgres.db, site.id, body.folderId))) fail('not_found');
  const id = await addKnown(ctx, {
    siteId: site.id,
    name: body.name,
    folderId: body.folderId,
    createdBy: session.userId,
    sha256: body.sha256,
    bytes: body.size,
  });
  return { resource: id === null ? null : await readResource(ctx, site.id, id) };
}

type Outcome = 'accepted' | 'later' | 'refused';

/**
 * Accepts a complete upload. One that cannot be accepted now, such as while the scanner is away, does not keep the others waiting; one that never can, because
 * it replaces a resource that was purged, is refused.
 */
async function acceptLater(ctx: Context, upload: queries.UploadRow): Promise<Outcome> {
  try {
    await acceptUpload(ctx, upload);
    return 'accepted';
  } catch (error) {
    const outcome = error instanceof Failure && error.status < 500 ? 'refused' : 'later';
    ctx.log.warn('an upload could not be accepted', { siteId: upload.siteId, outcome, error });
    return outcome;
  }
}

/** Complete uploads that nobody finished become resources; abandoned and refused ones, and the rows of finished ones, are deleted. */
export async function tendUploads(ctx: Context): Promise<void> {
  for (const upload of await queries.allUploads(ctx.postgres.db)) {
    const age = ctx.now() - upload.createdAt.getTime();
    const stat = upload.resourceId === null ? await ctx.files.stat(uploadKey(upload.id)) : null;
    const since = stat ? ctx.now() - stat.modifiedAt : age;
    const outcome = stat?.size === upload.bytes && since > 60_000 ? await acceptLater(ctx, upload) : 'later';
    if (outcome === 'accepted') continue;
    if (outcome === 'refused' || (upload.resourceId !== null && age > 86_400_000) || since > abandonedAfter) {
      await queries.removeUpload(ctx.postgres.db, upload.id);
      await ctx.files.removeAll(uploadFolder(upload.id));
    }
  }
}

/** Deletes the files of uploads whose row is gone: of erased sites and people, or after a crash between the two stores. */
export const sweepUploads = (ctx: Context): Promise<void> =>
  uploadsIn('resource-uploads').sweep(ctx, async () => new Set((await queries.allUploads(ctx.postgres.db)).map(({ id }) => id)));
