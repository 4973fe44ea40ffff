import type { FastifyInstance } from 'fastify';
import { resourceLibraryEndpoints as endpoints } from '../../../contract/resources/library';
import { resourceKinds } from '../../../contract/resources/kinds';
import type { ResourceKind } from '../../../contract/resources/terms';
import type { Context } from '../../context';
import { fail } from '../../http/failure';
import { route } from '../../http/route';
import type { CallOf, ResponseOf } from '../../http/route';
import { ConnectRefused } from '../../net/publicAddress';
import { record } from '../audit';
import type { Actor } from '../audit';
import { groupsOf } from './duplicates';
import type { Group } from './duplicates';
import { addFromAddress } from './fromAddress';
import * as queries from './queries';
import { resourceResponse } from './responses';

type Tx = Parameters<Parameters<Context['postgres']['db']['transaction']>[0]>[0];
type Found = { readonly state: string; readonly groups: Promise<Group[]> };
/** Sites whose groups are remembered, so that the pages of a list do not compare everything again. */
const mostRemembered = 20;

/** Groups of duplicates of a site and kind, computed again when any of its resources has changed. */
function duplicateGroups(ctx: Context) {
  const remembered = new Map<string, Found>();
  return async (siteId: string, kind: ResourceKind): Promise<Group[]> => {
    const { db } = ctx.postgres;
    const key = `${siteId} ${kind}`;
    const state = await queries.stateOf(db, siteId, kind);
    const known = remembered.get(key);
    if (known?.state === state) return known.groups;
    const groups = queries.comparableResources(db, siteId, kind).then(groupsOf);
    remembered.delete(key);
    remembered.set(key, { state, groups });
    for (const oldest of remembered.keys()) if (remembered.size > mostRemembered) remembered.delete(oldest);
    groups.catch(() => remembered.delete(key));
    return groups;
  };
}

type NamedSite = { readonly id: string; readonly name: string };

/** Changes which resources are in the bin; one entry of the audit log. Returns the ids of those that changed. */
async function changeBin(
  ctx: Context,
  site: NamedSite,
  actor: Actor,
  action: 'resource.removed' | 'resource.restored',
  change: (tx: Tx) => Promise<string[]>,
): Promise<string[]> {
  const ids = await ctx.postgres.db.transaction(async (tx) => {
    const changed = await change(tx);
    if (changed.length > 0)
      await record(ctx, tx, actor, {
        action,
        siteId: site.id,
        target: { kind: 'site', id: site.id, name: site.name },
        after: { resources: changed.length },
      });
    return changed;
  });
  ctx.live.publish({ type: 'resources', siteId: site.id });
  return ids;
}

/** Moves resources to the bin, whatever uses them; returns the ids of those that were not there. */
export const removeResources = (ctx: Context, site: NamedSite, ids: readonly string[], actor: Actor): Promise<string[]> => {
  const now = new Date(ctx.now());
  return changeBin(ctx, site, actor, 'resource.removed', (tx) => queries.changeResources(tx, site.id, ids, { deletedAt: now, updatedAt: now }));
};

/** Moves those of `ids` to the bin that nothing uses; returns their ids. `unusedAmong`: which these are, if not those without any reference. */
export const removeUnused = (
  ctx: Context,
  site: NamedSite,
  ids: readonly string[],
  actor: Actor,
  unusedAmong: (tx: Tx, ids: readonly string[]) => Promise<readonly string[]> = (tx, some) => queries.unusedAmong(tx, site.id, some),
): Promise<string[]> => {
  const now = new Date(ctx.now());
  return changeBin(ctx, site, actor, 'resource.removed', async (tx) => {
    // A statement of its own: the next one sees the uses that it has waited for.
    await queries.lockResources(tx, site.id, ids);
    const unused = await unusedAmong(tx, ids);
    return unused.length === 0 ? [] : queries.changeResources(tx, site.id, unused, { deletedAt: now, updatedAt: now });
  });
};

/** Takes those of `ids` that are in the bin out of it; returns their ids. */
export const restoreResources = (ctx: Context, site: NamedSite, ids: readonly string[], actor: Actor): Promise<string[]> =>
  changeBin(ctx, site, actor, 'resource.restored', (tx) => queries.restoreResources(tx, site.id, ids, new Date(ctx.now())));

const problemOf = ({ code, detail }: ConnectRefused) => (detail === 'too large' ? 'too_large' : code === 'address_refused' ? 'private' : 'unreachable');

/** Stores the file at an address. That it cannot be fetched is a result, not an error of the call. */
async function addFrom(ctx: Context, { site, session, body }: CallOf<typeof endpoints.addResourceFrom>): Promise<ResponseOf<typeof endpoints.addResourceFrom>> {
  const { db } = ctx.postgres;
  if (body.folderId !== null && !(await queries.findFolder(db, site.id, body.folderId))) fail('not_found');
  try {
    const source = { siteId: site.id, url: body.url, name: null, folderId: body.folderId, createdBy: session.userId };
    const id = await addFromAddress(ctx, source, resourceKinds);
    const found = id === null ? null : await queries.findResource(db, site.id, id);
    return { resource: found && resourceResponse(found), problem: found ? null : 'unreachable' };
  } catch (error) {
    if (error instanceof ConnectRefused) return { resource: null, problem: problemOf(error) };
    throw error;
  }
}

export function registerLibrary(app: FastifyInstance, ctx: Context): void {
  const groupsIn = duplicateGroups(ctx);
  route(app, ctx, endpoints.resourceDuplicates, async ({ site, query }) => {
    const groups = await groupsIn(site.id, query.kind);
    const page = groups.slice(query.skip, query.skip + query.size);
    const found = await queries.findResources(
      ctx.postgres.db,
      site.id,
      page.flatMap(({ ids }) => ids),
    );
    const rows = new Map(found.map((one) => [one.row.id, resourceResponse(one)]));
    return {
      groups: page.map(({ exact, ids }) => ({ exact, rows: ids.flatMap((id) => rows.get(id) ?? []) })).filter((group) => group.rows.length > 1),
      total: groups.length,
    };
  });
  route(app, ctx, endpoints.addResourceFrom, (call) => addFrom(ctx, call));
}
