import type { Context } from '../../context';
import { blobFolder, blobLock } from './files';
import * as queries from './queries';

/** Deletes those of `contents` that nothing uses. The rows go first: a crash in between leaves files that nobody reads. */
export async function deleteUnused(ctx: Context, siteId: string, contents: readonly string[]): Promise<void> {
  for (const sha256 of contents) {
    await ctx.postgres.withLock(blobLock(siteId, sha256), async () => {
      const unused = await queries.deleteUnusedBlobs(ctx.postgres.db, siteId, [sha256]);
      if (unused.length > 0) await ctx.files.removeAll(blobFolder(siteId, sha256));
    });
  }
}
