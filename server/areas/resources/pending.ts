import type { Readable } from 'node:stream';
import { and, eq, gt, inArray, isNotNull, isNull, lt } from 'drizzle-orm';
import type { ResourceKind } from '../../../contract/resources/terms';
import type { Context } from '../../context';
import { Failure, fail } from '../../http/failure';
import type { ImageSender } from '../../kit/images/imageProcess';
import { checkSpace } from '../../kit/uploads';
import { headOf, storedFile } from '../../stores/files/storedFile';
import { acceptUpload } from './accept';
import { detectBytes, detectType } from './detect';
import { uploadFolder, uploadKey } from './files';
import { purge } from './purge';
import * as queries from './queries';
import type { Db } from './queries';
import { blobs, resources } from './schema';
import { withRoom } from './storage';

/**
 * Files that arrive with a public form, before it is sent: resources with `pendingUntil`, which are neither listed nor delivered and cannot be used. The form's
 * submission makes them ordinary resources; what is not submitted by then is deleted.
 */

type Content = { readonly kind: ResourceKind; readonly contentType: string };
export type PendingFile = {
  readonly siteId: string;
  readonly name: string;
  readonly body: Readable;
  /** As announced. */
  readonly bytes: number;
  readonly until: Date;
  /** Whether a file of this content is wanted. */
  readonly takes: (content: Content) => boolean;
};

/** The body as it arrives. Throws `bad_request` unless it has exactly `bytes`, so that nothing of it is stored. */
async function* exactly(body: Readable, bytes: number): AsyncGenerator<Uint8Array> {
  let received = 0;
  for await (const chunk of body as AsyncIterable<Buffer>) {
    received += chunk.length;
    if (received > bytes) fail('bad_request');
    yield chunk;
  }
  if (received !== bytes) fail('bad_request');
}

const findContent = async (db: Db, siteId: string, id: string) =>
  (
    await db
      .select({ kind: resources.kind, contentType: blobs.contentType, scan: blobs.scan })
      .from(resources)
      .innerJoin(blobs, and(eq(blobs.siteId, resources.siteId), eq(blobs.sha256, resources.sha256)))
      .where(and(eq(resources.siteId, siteId), eq(resources.id, id)))
  )[0];

/** Makes a complete upload a pending resource; its id. Null if its content is not wanted, or the malware scanner refused it: then nothing of it stays. */
export async function acceptWanted(
  ctx: Context,
  { id: uploadId, siteId }: Pick<queries.UploadRow, 'id' | 'siteId'>,
  pending: { readonly bytes: number; readonly pendingUntil: Date; readonly sender: ImageSender },
  takes: (content: Content) => boolean,
): Promise<string | null> {
  if (!takes(await detectType(await headOf(storedFile(ctx.files, uploadKey(uploadId)), detectBytes)))) return null;
  const id = await acceptUpload(ctx, { id: uploadId, siteId }, pending);
  // What looked like an image may be none, and is an attachment then.
  const content = await findContent(ctx.postgres.db, siteId, id);
  if (content && content.scan !== 'infected' && takes(content)) return id;
  await remove(ctx, siteId, [id]);
  return null;
}

/** Stores a file as a pending resource; its id. Null if its content is not wanted, or the malware scanner refused it. */
export async function addPending(ctx: Context, { siteId, name, body, bytes, until, takes }: PendingFile): Promise<string | null> {
  await checkSpace(ctx, bytes);
  // More than will arrive, so that nothing else accepts the upload.
  const row = { siteId, name, bytes: bytes + 1, folderId: null, replaces: null, createdBy: null, createdAt: new Date(ctx.now()) };
  const upload = await withRoom(ctx, siteId, row.bytes, () => queries.addUpload(ctx.postgres.db, row)).catch((error: unknown) => {
    // How much the site stores is not for its visitors.
    throw error instanceof Failure && error.code === 'too_large' ? new Failure('too_large', { cause: error }) : error;
  });
  try {
    await ctx.files.put(uploadKey(upload.id), exactly(body, bytes));
    return await acceptWanted(ctx, upload, { bytes, pendingUntil: until, sender: 'visitor' }, takes);
  } finally {
    await queries.removeUpload(ctx.postgres.db, upload.id);
    await ctx.files.removeAll(uploadFolder(upload.id));
  }
}

/** Makes pending resources ordinary ones, in the transaction of what uses them. False if one of them is not pending any more, or was found to be malware. */
export async function acceptPending(tx: Db, siteId: string, ids: readonly string[], now: Date): Promise<boolean> {
  const acceptable = and(eq(resources.siteId, siteId), inArray(resources.id, [...ids]), gt(resources.pendingUntil, now), isNull(resources.deletedAt));
  const accepted = await tx.update(resources).set({ pendingUntil: null, updatedAt: now }).where(acceptable).returning({ id: resources.id });
  if (accepted.length !== new Set(ids).size) return false;
  const infected = await tx
    .select({ id: resources.id })
    .from(resources)
    .innerJoin(blobs, and(eq(blobs.siteId, resources.siteId), eq(blobs.sha256, resources.sha256)))
    .where(and(eq(resources.siteId, siteId), inArray(resources.id, [...ids]), eq(blobs.scan, 'infected')));
  return infected.length === 0;
}

/** Purging deletes what is in the bin, so they go there first. A submission that accepts them at this moment wins, or finds none. */
async function remove(ctx: Context, siteId: string, ids: readonly string[]): Promise<void> {
  const removed = await ctx.postgres.db
    .update(resources)
    .set({ deletedAt: new Date(ctx.now()) })
    .where(and(eq(resources.siteId, siteId), inArray(resources.id, [...ids]), isNotNull(resources.pendingUntil)))
    .returning({ id: resources.id });
  await purge(
    ctx,
    siteId,
    removed.map(({ id }) => id),
  );
}

/** Deletes files whose form was not sent in time. */
export async function deletePending(ctx: Context): Promise<void> {
  const late = await ctx.postgres.db
    .select({ siteId: resources.siteId, id: resources.id })
    .from(resources)
    .where(lt(resources.pendingUntil, new Date(ctx.now())))
    .limit(1000);
  for (const siteId of new Set(late.map((one) => one.siteId)))
    await remove(
      ctx,
      siteId,
      late.filter((one) => one.siteId === siteId).map(({ id }) => id),
    );
}
