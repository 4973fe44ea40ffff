import type { FastifyInstance } from 'fastify';
import { resourceEndpoints as endpoints } from '../../../contract/resources/schemas';
import type { ResourceFolder } from '../../../contract/resources/schemas';
import { resourceLimits } from '../../../contract/resources/terms';
import type { Context } from '../../context';
import { fail } from '../../http/failure';
import { route } from '../../http/route';
import { violatedConstraint } from '../../stores/postgres/conflict';
import * as queries from './queries';
import type { Db, FolderRow } from './queries';

const response = ({ id, parentId, name }: FolderRow, count = 0): ResourceFolder => ({ id, parentId, name, count });

/** A change of folders of a site, one at a time, so that two moves cannot form a cycle. A name that exists in the same place throws `name_taken`. */
async function change<T>(ctx: Context, siteId: string, work: (db: Db) => Promise<T>): Promise<T> {
  try {
    const result = await ctx.postgres.withLock(`resource folders of ${siteId}`, () => ctx.postgres.db.transaction(work));
    ctx.live.publish({ type: 'resources', siteId });
    return result;
  } catch (error) {
    return violatedConstraint(error) !== null ? fail('name_taken') : Promise.reject(error);
  }
}

/** Throws `not_found` if the parent does not exist, `conflict` if `id` would be inside itself, `too_large` if folders would be nested too deeply. */
function checkParent(all: readonly FolderRow[], parentId: string | null, id: string | null): void {
  const byId = new Map(all.map((folder) => [folder.id, folder]));
  const heightOf = (folder: string): number => 1 + Math.max(0, ...all.filter((one) => one.parentId === folder).map((one) => heightOf(one.id)));
  let depth = id === null ? 1 : heightOf(id);
  for (let at = parentId; at !== null; depth += 1) {
    if (at === id) fail('conflict');
    at = (byId.get(at) ?? fail('not_found')).parentId;
  }
  if (depth > resourceLimits.depth) fail('too_large');
}

export function registerFolders(app: FastifyInstance, ctx: Context): void {
  const { db } = ctx.postgres;
  route(app, ctx, endpoints.resourceFolders, async ({ site, query }) =>
    (await queries.foldersOf(db, site.id, query.kind)).map((folder) => response(folder, folder.count)),
  );

  route(app, ctx, endpoints.addResourceFolder, ({ site, body }) =>
    change(ctx, site.id, async (tx) => {
      const all = await queries.foldersOf(tx, site.id);
      if (all.length >= resourceLimits.folders) fail('too_large');
      checkParent(all, body.parentId, null);
      return response(await queries.addFolder(tx, { siteId: site.id, ...body, createdAt: new Date(ctx.now()) }));
    }),
  );

  route(app, ctx, endpoints.changeResourceFolder, ({ site, params, body: { name, parentId } }) =>
    change(ctx, site.id, async (tx) => {
      const all = await queries.foldersOf(tx, site.id);
      const before = all.find(({ id }) => id === params.id) ?? fail('not_found');
      if (parentId !== undefined) checkParent(all, parentId, params.id);
      const changed = await queries.changeFolder(tx, site.id, params.id, {
        name: name ?? before.name,
        parentId: parentId === undefined ? before.parentId : parentId,
      });
      return response(changed ?? fail('not_found'), before.count);
    }),
  );

  route(app, ctx, endpoints.removeResourceFolder, ({ site, params }) =>
    change(ctx, site.id, async (tx) => {
      await queries.removeFolder(tx, (await queries.findFolder(tx, site.id, params.id)) ?? fail('not_found'));
      return null;
    }),
  );
}
