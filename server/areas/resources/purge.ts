import type { Context } from '../../context';
import { blobLock } from './accept';
import { blobFolder } from './files';
import * as queries from './queries';

/** Deletes resources in the bin, and the contents that nothing else uses. The rows go first: a crash in between leaves files that nobody reads. */
export async function purge(ctx: Context, siteId: string, ids: readonly string[]): Promise<string[]> {
  const purged = await ctx.postgres.db.transaction((tx) => queries.purgeResources(tx, siteId, ids));
  for (const sha256 of purged.contents) {
    await ctx.postgres.withLock(blobLock(siteId, sha256), async () => {
      const unused = await queries.deleteUnusedBlobs(ctx.postgres.db, siteId, [sha256]);
      if (unused.length > 0) await ctx.files.removeAll(blobFolder(siteId, sha256));
    });
  }
  return purged.ids;
}
