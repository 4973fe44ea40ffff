import type { Context } from '../../context';
import { deleteUnused } from './contents';
import * as queries from './queries';

/** Deletes resources in the bin, and the contents that nothing else uses. */
export async function purge(ctx: Context, siteId: string, ids: readonly string[]): Promise<string[]> {
  const purged = await ctx.postgres.db.transaction((tx) => queries.purgeResources(tx, siteId, ids));
  await deleteUnused(ctx, siteId, purged.contents);
  return purged.ids;
}

/** Contents per query. */
const batch = 1000;

/** Deletes contents of yesterday and earlier that nothing uses: a crash after purging left them, or a version that was added while its resource was purged. */
export async function purgeUnused(ctx: Context): Promise<void> {
  const before = new Date(ctx.now() - 86_400_000);
  for (const { siteId, sha256 } of await queries.unusedBlobs(ctx.postgres.db, before, batch)) await deleteUnused(ctx, siteId, [sha256]);
}
