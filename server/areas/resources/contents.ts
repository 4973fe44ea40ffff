import type { Context } from '../../context';
import { blobFolder } from './files';
import * as queries from './queries';

/** The lock under which a content is stored or deleted: its file and its row must not be changed by two at once. */
export const blobLock = (siteId: string, sha256: string): string => `blob ${siteId} ${sha256}`;

/** Deletes those of `contents` that nothing uses. The rows go first: a crash in between leaves files that nobody reads. */
export async function deleteUnused(ctx: Context, siteId: string, contents: readonly string[]): Promise<void> {
  for (const sha256 of contents) {
    await ctx.postgres.withLock(blobLock(siteId, sha256), async () => {
      const unused = await queries.deleteUnusedBlobs(ctx.postgres.db, siteId, [sha256]);
      if (unused.length > 0) await ctx.files.removeAll(blobFolder(siteId, sha256));
    });
  }
}
