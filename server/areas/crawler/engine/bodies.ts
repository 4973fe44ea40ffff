import { gunzip } from 'node:zlib';
import { promisify } from 'node:util';
import type { Context } from '../../../context';
import { isMissing } from '../../../stores/files/types';
import type { FileKey } from '../../../stores/files/keys';
import { crawlLimits } from '../../../../contract/crawler/terms';
import type { Batch } from './protocol';

const unzip = promisify(gunzip);

/** Ids of sites are letters and digits; the first byte of the hash spreads files over folders. */
export const bodyKey = (siteId: string, sha: string): FileKey => `crawls/${siteId}/${sha.slice(0, 2)}/${sha}`;

/** Stores a compressed body by the SHA-256 of its content, once however many runs have it. */
async function storeBody(ctx: Pick<Context, 'files'>, siteId: string, sha: string, gzip: Uint8Array): Promise<void> {
  await ctx.files.put(bodyKey(siteId, sha), gzip).catch((error: unknown) => {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  });
}

/**
 * Stores the bodies of a batch, `atOnce` at the same time: each needs the threads of its process about ten times, and in the program so do the responses that people
 * wait for.
 */
export async function storeBodies(ctx: Pick<Context, 'files'>, siteId: string, bodies: Batch['bodies'], atOnce = 2): Promise<void> {
  const waiting = bodies.values();
  const work = async (): Promise<void> => {
    for (const { sha, gzip } of waiting) await storeBody(ctx, siteId, sha, gzip);
  };
  await Promise.all(Array.from({ length: atOnce }, work));
}

export async function readGzip(ctx: Context, siteId: string, sha: string): Promise<Buffer | null> {
  const chunks: Buffer[] = [];
  try {
    for await (const chunk of ctx.files.read(bodyKey(siteId, sha)) as AsyncIterable<Buffer>) chunks.push(chunk);
  } catch (error) {
    if (isMissing(error)) return null;
    throw error;
  }
  return Buffer.concat(chunks);
}

/** The body of a page that a run stored; null: none. */
export async function readBody(ctx: Context, siteId: string, sha: Buffer): Promise<Buffer | null> {
  const gzip = await readGzip(ctx, siteId, sha.toString('hex'));
  return gzip === null ? null : unzip(gzip, { maxOutputLength: crawlLimits.decodedBytes });
}

/** Removes bodies of a site that no page of any run has any more. */
export async function sweepBodies(ctx: Context, siteId: string): Promise<number> {
  let removed = 0;
  for await (const { key, modifiedAt } of ctx.files.list(`crawls/${siteId}`)) {
    // A batch that is being written has stored its bodies, and not yet its pages.
    if (modifiedAt > ctx.now() - 3_600_000) continue;
    const sha = key.split('/').at(-1) ?? '';
    const { rowCount } = await ctx.postgres.pool.query(
      `SELECT 1 FROM crawl_pages p JOIN crawl_runs r ON r.id = p.run_id WHERE r.site_id = $1 AND p.sha = decode($2, 'hex') LIMIT 1`,
      [siteId, sha],
    );
    if (rowCount !== 0) continue;
    await ctx.files.remove(key);
    removed += 1;
  }
  return removed;
}
