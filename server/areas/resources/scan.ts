import { and, asc, eq, isNull } from 'drizzle-orm';
import type { FastifyInstance } from 'fastify';
import { resourceScanEndpoints as endpoints } from '../../../contract/resources/scan';
import type { ScanResult } from '../../../contract/resources/terms';
import type { Context } from '../../context';
import { fail } from '../../http/failure';
import { route } from '../../http/route';
import { ScannerAway, scanContent } from '../../kit/malwareScanner';
import { bytesOf, storedFile } from '../../stores/files/storedFile';
import type { StoredFile } from '../../stores/files/storedFile';
import { isMissing } from '../../stores/files/types';
import { blobFolder, blobLock, originalOf, threatKey } from './files';
import * as queries from './queries';
import type { Db } from './queries';
import { blobs, resources, resourceVariants } from './schema';

export type Scan = { readonly result: ScanResult | null; readonly threat: string | null };

/** Contents that one run of the schedule scans, and milliseconds after which it leaves the rest to the next. */
const perRun = 100;
const longestRun = 50_000;

/** Opens the file when it is read: a stream that fails before would end the process. */
async function* contentOf(file: Pick<StoredFile, 'read'>): AsyncGenerator<Uint8Array> {
  yield* file.read() as AsyncIterable<Uint8Array>;
}

/** Has a file scanned; `result` is null if no scanner is configured. Throws `ScannerAway`. */
async function scan(ctx: Context, file: Pick<StoredFile, 'read'>): Promise<Scan> {
  const { scanner, scanRequired } = ctx.config;
  if (scanner === null) return { result: null, threat: null };
  const outcome = await scanContent(scanner, contentOf(file));
  if (outcome.result === 'infected') return outcome;
  // Whether a file that the scanner does not take is blocked follows from the setting at this time.
  return { result: outcome.result === 'too_large' && !scanRequired ? 'skipped' : outcome.result, threat: null };
}

/** Scans an upload before it becomes a resource. If the scanner is away: throws `unavailable`, or accepts the file unscanned, as configured. */
export async function scanUpload(ctx: Context, file: Pick<StoredFile, 'read'>): Promise<Scan> {
  try {
    return await scan(ctx, file);
  } catch (error) {
    if (!(error instanceof ScannerAway)) throw error;
    ctx.log.warn('the malware scanner is away', { error });
    return ctx.config.scanRequired ? fail('unavailable', { retryAfter: 30 }) : { result: null, threat: null };
  }
}

export const noFacts = { width: null, height: null, durationMs: null, thumbhash: null, color: null, perceptualHash: null, hasGps: false, media: null };
/** What a content becomes in which the scanner found something: nothing of it is decoded. */
export const blockedContent = { ...noFacts, kind: 'attachment', contentType: 'application/octet-stream', scan: 'infected' } as const;

/** Removes the content and everything that was computed from it. */
async function removeContent(ctx: Context, siteId: string, sha256: string): Promise<void> {
  for await (const { key } of ctx.files.list(blobFolder(siteId, sha256))) if (key !== threatKey(siteId, sha256)) await ctx.files.remove(key);
  await ctx.postgres.db.delete(resourceVariants).where(and(eq(resourceVariants.siteId, siteId), eq(resourceVariants.sha256, sha256)));
}

/**
 * Takes a content out of use, whether it is known or about to be added. The caller holds its lock. `threat`: the name of what was found, which is stored in place
 * of the content; null if it is stored already. The files of the content go first: after a crash, the next run finds the name of the threat and completes the
 * row. They are removed again after the row is written, because a variant that was being computed may have been stored meanwhile.
 */
export async function blockContent(ctx: Context, siteId: string, sha256: string, threat: string | null): Promise<void> {
  if (threat !== null) await ctx.files.put(threatKey(siteId, sha256), Buffer.from(threat), { replace: true });
  await removeContent(ctx, siteId, sha256);
  await ctx.postgres.db.transaction(async (tx) => {
    await tx
      .update(blobs)
      .set(blockedContent)
      .where(and(eq(blobs.siteId, siteId), eq(blobs.sha256, sha256)));
    await tx
      .update(resources)
      .set({ kind: 'attachment', updatedAt: new Date(ctx.now()) })
      .where(and(eq(resources.siteId, siteId), eq(resources.sha256, sha256)));
  });
  await removeContent(ctx, siteId, sha256);
}

/** Blocks a stored content. */
async function block(ctx: Context, siteId: string, sha256: string, threat: string | null): Promise<void> {
  await ctx.postgres.withLock(blobLock(siteId, sha256), () => blockContent(ctx, siteId, sha256, threat));
  ctx.log.warn('the malware scanner found something in a stored file', { siteId, sha256, threat });
  ctx.live.publish({ type: 'resources', siteId });
}

const unscanned = (db: Db): Promise<{ siteId: string; sha256: string }[]> =>
  db.select({ siteId: blobs.siteId, sha256: blobs.sha256 }).from(blobs).where(isNull(blobs.scan)).orderBy(asc(blobs.createdAt)).limit(perRun);

/** Scans contents that were accepted while the scanner was away, or before there was one. */
export async function scanStored(ctx: Context): Promise<void> {
  const { db } = ctx.postgres;
  if (ctx.config.scanner === null) return;
  const end = ctx.now() + longestRun;
  for (const { siteId, sha256 } of await unscanned(db)) {
    if (ctx.now() > end) return;
    try {
      const { result, threat } = await scan(ctx, originalOf(ctx, siteId, sha256));
      if (result === 'infected') await block(ctx, siteId, sha256, threat);
      else
        await db
          .update(blobs)
          .set({ scan: result })
          .where(and(eq(blobs.siteId, siteId), eq(blobs.sha256, sha256), isNull(blobs.scan)));
    } catch (error) {
      if (error instanceof ScannerAway) return ctx.log.warn('the malware scanner is away', { error });
      if (!isMissing(error)) throw error;
      // Purged meanwhile, or the interrupted end of an earlier run.
      if (await ctx.files.stat(threatKey(siteId, sha256))) await block(ctx, siteId, sha256, null);
    }
  }
}

export function registerScan(app: FastifyInstance, ctx: Context): void {
  route(app, ctx, endpoints.resourceScan, async ({ site, params }) => {
    const { blob } = (await queries.findResource(ctx.postgres.db, site.id, params.id)) ?? fail('not_found');
    if (blob.scan !== 'infected') return { result: blob.scan, threat: null };
    const threat = await bytesOf(storedFile(ctx.files, threatKey(site.id, blob.sha256))).catch((error: unknown) => {
      if (isMissing(error)) return Buffer.alloc(0);
      throw error;
    });
    return { result: blob.scan, threat: threat.toString('utf8') || null };
  });
}
