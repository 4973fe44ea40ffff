import type { FastifyInstance } from 'fastify';
import { storedCrop } from '../../../contract/resources/edits';
import { resourceEndpoints as endpoints } from '../../../contract/resources/schemas';
import type { Resource } from '../../../contract/resources/schemas';
import { resourceLimits } from '../../../contract/resources/terms';
import type { Context } from '../../context';
import { fail, failField } from '../../http/failure';
import { route } from '../../http/route';
import type { CallOf, ResponseOf } from '../../http/route';
import type { Area } from '../area';
import { actorOf, record } from '../audit';
import { registerCaptions } from './captions';
import { isConfidential, refuseUnseen, seesConfidential } from './confidential';
import { registerDelivery } from './deliver';
import { blobFolder, blobLock } from './files';
import { registerFolders } from './folders';
import { registerLibrary, removeResources, restoreResources } from './library';
import { deletePending } from './pending';
import { registerPosters } from './posters';
import { registerPreviews } from './preview';
import { purge, purgeUnused } from './purge';
import * as queries from './queries';
import { cursorOf, positionOf, readResource, resourceResponse } from './responses';
import { registerScan, scanStored } from './scan';
import { registerServing } from './serve';
import { signResource } from './signedAddresses';
import { registerStorage } from './storage';
import { registerSvgs } from './svg/routes';
import { registerUploads, sweepUploads, tendUploads } from './uploads';
import { transcodeJob } from './transcode/job';
import { registerConversions } from './transcode/routes';
import { workFolderService } from './transcode/workFolders';
import { openUsage } from './usage';
import { evictVariants, variantCache } from './variants';
import { registerVersions } from './versions';

export { openResourceDelivery } from './deliver';

export { allResources, bringResource, carriedDetails, contentOfResource, DamagedContent, downloadHash, mediaOfResource, resourcesUsedBy } from './carry';
export type { UsedResource } from './carry';
export { CarriedDetails } from './carriedDetails';
export { abandonedResources, eraseResources, makeConfidential } from './confidential';
export { detectBytes, detectType } from './detect';
export { addFromAddress } from './fromAddress';
export { acceptPending, addPending } from './pending';
export { contentFile } from './svg/files';
export { openTableFile } from './tableFile';
export { folderAt, folderPaths, installFile, installFolder } from './install';
export { countWithTexts, forgetLanguage } from './languages';
export { removeUnused, restoreResources } from './library';
export { storageUse } from './storage';
export {
  addReferences,
  countRecordsUsing,
  countUses,
  deleteReferences,
  recordsUsing,
  recordUses,
  replaceReferences,
  resourceLabels,
  tablesUsing,
  usableResources,
  usedOutsideRecords,
} from './references';

const tell = (ctx: Context, siteId: string): void => ctx.live.publish({ type: 'resources', siteId });

async function listResources(ctx: Context, { site, session, query }: CallOf<typeof endpoints.resources>): Promise<ResponseOf<typeof endpoints.resources>> {
  const after = query.after === undefined ? null : (positionOf(query.after) ?? fail('bad_request'));
  const { rows, next, total } = await queries.listResources(ctx.postgres.db, site.id, { ...query, confidential: seesConfidential({ site, session }) }, after);
  return { rows: rows.map(resourceResponse), after: next && cursorOf(next), total };
}

async function checkFolder(ctx: Context, siteId: string, folderId: string | null | undefined): Promise<void> {
  if (folderId && !(await queries.findFolder(ctx.postgres.db, siteId, folderId))) fail('not_found');
}

/** Texts without the empty ones: a language without text has no entry. */
const withText = (texts: Readonly<Record<string, string>>): Record<string, string> =>
  Object.fromEntries(Object.entries(texts).filter(([, text]) => text !== ''));

async function changeResource(ctx: Context, { site, session, params, body, ifMatch }: CallOf<typeof endpoints.changeResource>): Promise<Resource> {
  const { name, folderId, title, alt, caption, tags, focalX, focalY, rotation, crop, visibility } = body;
  await checkFolder(ctx, site.id, folderId);
  const before = await readResource(ctx, site.id, params.id);
  refuseUnseen(before, { site, session });
  if ((rotation !== undefined || crop) && before.kind !== 'image') failField(rotation === undefined ? 'crop' : 'rotation', 'not_an_image');
  if (visibility !== undefined && isConfidential(before)) failField('visibility', 'in_use');
  const changed = await queries.changeResource(ctx.postgres.db, site.id, params.id, ifMatch(), {
    ...(name !== undefined && { name }),
    ...(folderId !== undefined && { folderId }),
    ...(focalX !== undefined && { focalX }),
    ...(focalY !== undefined && { focalY }),
    ...(rotation !== undefined && { rotation }),
    ...(crop !== undefined && { crop: crop && storedCrop(crop) }),
    ...(visibility !== undefined && { visibility }),
    ...(title && { title: withText(title) }),
    ...(alt && { alt: withText(alt) }),
    ...(caption && { caption: withText(caption) }),
    ...(tags && { tags: [...new Set(tags)].toSorted() }),
    updatedAt: new Date(ctx.now()),
  });
  const current = await readResource(ctx, site.id, params.id);
  if (!changed) fail('stale_revision', { current });
  tell(ctx, site.id);
  return current;
}

async function moveResources(ctx: Context, { site, body }: CallOf<typeof endpoints.moveResources>): Promise<ResponseOf<typeof endpoints.moveResources>> {
  await checkFolder(ctx, site.id, body.folderId);
  const ids = await queries.changeResources(ctx.postgres.db, site.id, body.ids, { folderId: body.folderId, updatedAt: new Date(ctx.now()) });
  tell(ctx, site.id);
  return { ids };
}

async function tagResources(ctx: Context, { site, body }: CallOf<typeof endpoints.tagResources>): Promise<ResponseOf<typeof endpoints.tagResources>> {
  const ids = await queries.changeResources(ctx.postgres.db, site.id, body.ids, {
    tags: queries.tagsAfter(body.add, body.remove),
    updatedAt: new Date(ctx.now()),
  });
  tell(ctx, site.id);
  return { ids };
}

const namedSite = ({ site }: Pick<CallOf<typeof endpoints.removeResources>, 'site'>) => ({ id: site.id, name: site.row.name });

async function purgeResources(ctx: Context, call: CallOf<typeof endpoints.purgeResources>): Promise<{ ids: string[] }> {
  const { site, body } = call;
  const ids = await purge(ctx, site.id, body.ids);
  if (ids.length > 0) {
    await record(ctx, ctx.postgres.db, actorOf(call), {
      action: 'resource.purged',
      siteId: site.id,
      target: { kind: 'site', id: site.id, name: site.row.name },
      before: { resources: ids.length },
    });
  }
  tell(ctx, site.id);
  return { ids };
}

/** Purges what has been in the bin for too long. */
async function emptyBin(ctx: Context): Promise<void> {
  const before = new Date(ctx.now() - resourceLimits.binDays * 86_400_000);
  const removed = await queries.removedBefore(ctx.postgres.db, before, 1000);
  for (const siteId of new Set(removed.map((one) => one.siteId))) {
    const ids = removed.filter((one) => one.siteId === siteId).map(({ id }) => id);
    await purge(ctx, siteId, ids);
  }
}

/** Contents that nothing uses, and files of uploads, of sites that no longer exist, and of contents whose rows were never committed. */
async function sweepFiles(ctx: Context): Promise<void> {
  const { db } = ctx.postgres;
  await sweepUploads(ctx);
  await purgeUnused(ctx);
  for (const siteId of await ctx.files.folders('resources')) {
    const stored = await ctx.files.folders(`resources/${siteId}`);
    const known = await queries.contentsOf(db, siteId);
    for (const sha256 of stored) {
      if (known.has(sha256)) continue;
      // Under the lock, because its row may be added at this moment.
      await ctx.postgres.withLock(blobLock(siteId, sha256), async () => {
        if (!(await queries.findBlob(db, siteId, sha256))) await ctx.files.removeAll(blobFolder(siteId, sha256));
      });
    }
  }
}

function register(app: FastifyInstance, ctx: Context): void {
  const usage = openUsage(ctx);
  const cache = variantCache(ctx, usage);
  app.addHook('onClose', () => usage.close());
  registerUploads(app, ctx);
  registerServing(app, ctx, cache);
  registerDelivery(app, { ctx, cache, usage });
  registerSvgs(app, ctx);
  registerPreviews(app, ctx);
  registerPosters(app, ctx);
  registerCaptions(app, ctx);
  registerConversions(app, ctx);
  registerFolders(app, ctx);
  registerStorage(app, ctx);
  registerLibrary(app, ctx);
  registerVersions(app, ctx);
  registerScan(app, ctx);
  route(app, ctx, endpoints.resources, (call) => listResources(ctx, call));
  route(app, ctx, endpoints.resource, async ({ site, session, params }) => {
    const resource = await readResource(ctx, site.id, params.id);
    refuseUnseen(resource, { site, session });
    return resource;
  });
  route(app, ctx, endpoints.changeResource, (call) => changeResource(ctx, call));
  route(app, ctx, endpoints.signResource, (call) => signResource(ctx, call));
  route(app, ctx, endpoints.moveResources, (call) => moveResources(ctx, call));
  route(app, ctx, endpoints.tagResources, (call) => tagResources(ctx, call));
  route(app, ctx, endpoints.removeResources, async (call) => ({ ids: await removeResources(ctx, namedSite(call), call.body.ids, actorOf(call)) }));
  route(app, ctx, endpoints.restoreResources, async (call) => ({ ids: await restoreResources(ctx, namedSite(call), call.body.ids, actorOf(call)) }));
  route(app, ctx, endpoints.purgeResources, (call) => purgeResources(ctx, call));
  route(app, ctx, endpoints.resourceTags, ({ site }) => queries.tagsOf(ctx.postgres.db, site.id));
}

export const area: Area = {
  register,
  jobs: [transcodeJob],
  services: [workFolderService],
  siteTopics: [{ kind: 'resources', action: 'resources.read', events: ['resources'] }],
  schedules: [
    { name: 'resources.uploads', every: 60_000, run: tendUploads },
    { name: 'resources.scan', every: 60_000, run: scanStored },
    { name: 'resources.pending', every: 3_600_000, run: deletePending },
    { name: 'resources.bin', every: 3_600_000, run: emptyBin },
    { name: 'resources.variants', every: 3_600_000, run: evictVariants },
    { name: 'resources.sweep', every: 86_400_000, run: sweepFiles },
  ],
};
