import type { Context } from '../../context';
import { deleteUnused } from './contents';
import * as queries from './queries';

/** Deletes resources in the bin, and the contents that nothing else uses. */
export async function purge(ctx: Context, siteId: string, ids: readonly string[]): Promise<string[]> {
  const purged = await ctx.postgres.db.transaction((tx) => queries.purgeResources(tx, siteId, ids));
  await deleteUnused(ctx, siteId, purged.contents);
  return purged.ids;
}
