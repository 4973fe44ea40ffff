import { randomUUID } from 'node:crypto';
import { inArray, sql } from 'drizzle-orm';
import { supportLimits } from '../../../contract/support/terms';
import type { MessageAuthor, SupportFileKind } from '../../../contract/support/terms';
import type { StoredSupportSettings } from '../../../contract/support/settings';
import type { Context } from '../../context';
import { fail } from '../../http/failure';
import { ImagesBusy, UnreadableImage } from '../../kit/images/imageProcess';
import type { FileKey } from '../../stores/files/keys';
import { HOUR } from '../../zone';
import { detectBytes, detectType } from '../resources';
import * as queries from './queries';
import type { ConversationRow, FileRow } from './queries';
import { supportFiles, supportMessages } from './schema';

export const fileKey = ({ siteId, id }: Pick<FileRow, 'siteId' | 'id'>): FileKey => `support/${siteId}/${id}`;
/** Images are stored with at most this many pixels a side. */
const longestSide = 4096;
/** How long an uploaded file may wait for its message, ms. */
const waitsFor = HOUR;
const megabyte = 1_000_000;

type Content = { readonly bytes: Uint8Array; readonly contentType: string; readonly width: number | null; readonly height: number | null };

const imageTypes: ReadonlySet<string> = new Set(['image/jpeg', 'image/png', 'image/gif', 'image/webp']);

/** What the bytes are, whatever the name says; null: nothing that is accepted. */
async function kindOf(bytes: Uint8Array): Promise<{ readonly kind: SupportFileKind; readonly contentType: string } | null> {
  const { contentType } = await detectType(bytes.subarray(0, detectBytes));
  if (imageTypes.has(contentType)) return { kind: 'image', contentType };
  if (contentType === 'application/pdf') return { kind: 'pdf', contentType };
  return contentType === 'text/plain' ? { kind: 'text', contentType } : null;
}

/** Encodes an image anew, which drops the place where it was taken and whatever else was in the file. Animations become WebP. */
async function encoded(ctx: Pick<Context, 'images'>, bytes: Uint8Array, contentType: string): Promise<Content> {
  try {
    const { width, height, pages } = await ctx.images.inspect(bytes, 'visitor');
    if (width * height > supportLimits.filePixels) fail('too_large');
    const format = contentType === 'image/png' ? 'png' : contentType === 'image/jpeg' && pages === 1 ? 'jpeg' : 'webp';
    const spec = { width: longestSide, height: longestSide, fit: 'inside', focalX: 0.5, focalY: 0.5, rotation: 0, crop: null, format } as const;
    const image = await ctx.images.variant(bytes, spec, 'visitor');
    return { bytes: image.data, contentType: `image/${format}`, width: image.width, height: image.height };
  } catch (error) {
    if (error instanceof UnreadableImage) return fail('unsupported_media_type');
    if (error instanceof ImagesBusy) return fail('unavailable', { retryAfter: 5 });
    throw error;
  }
}

/** The last part of a path, with the extension of what the file is. */
function nameOf(name: string, contentType: string): string {
  const extension = { 'image/png': 'png', 'image/jpeg': 'jpg', 'image/webp': 'webp', 'application/pdf': 'pdf', 'text/plain': 'txt' }[contentType] ?? 'bin';
  const base = (name.split(/[\\/]/).at(-1) ?? '')
    .replaceAll(/[^\p{L}\p{N} ._()-]/gu, '')
    .replace(/\.[^.]*$/, '')
    .trim();
  return `${(base === '' ? 'file' : base).slice(0, supportLimits.fileName)}.${extension}`;
}

type NewFile = {
  readonly siteId: string;
  readonly conversationId: string;
  readonly author: MessageAuthor;
  readonly name: string;
  readonly bytes: Uint8Array;
};

type AcceptedFile = Pick<FileRow, 'id' | 'author' | 'name' | 'contentType' | 'width' | 'height'> & { readonly bytes: Uint8Array };

/** Stores a file of a conversation; a message names it afterwards. The bytes come first: a row always has them. */
export async function addFile(
  ctx: Pick<Context, 'postgres' | 'files' | 'now'>,
  { siteId, id: conversationId }: Pick<ConversationRow, 'siteId' | 'id'>,
  { bytes, ...file }: AcceptedFile,
): Promise<string> {
  await ctx.files.put(fileKey({ siteId, id: file.id }), bytes);
  await ctx.postgres.db.insert(supportFiles).values({ ...file, siteId, conversationId, size: bytes.length, at: new Date(ctx.now()) });
  return file.id;
}

/**
 * Stores a file of a conversation, which a message then refers to. Its type is found in its content. Throws `unsupported_media_type`, `too_large`, and
 * `forbidden` if the site accepts no files.
 */
export async function storeFile(
  ctx: Context,
  settings: StoredSupportSettings['files'],
  { siteId, conversationId, author, name, bytes }: NewFile,
): Promise<FileRow> {
  if (!settings.enabled) fail('forbidden');
  if (bytes.length > settings.megabytes * megabyte || !(await ctx.files.hasSpace(bytes.length))) fail('too_large');
  const found = bytes.length === 0 ? null : await kindOf(bytes);
  if (!found || !settings.kinds.includes(found.kind)) return fail('unsupported_media_type');
  const content: Content =
    found.kind === 'image' ? await encoded(ctx, bytes, found.contentType) : { bytes, contentType: found.contentType, width: null, height: null };
  const id = await addFile(ctx, { siteId, id: conversationId }, { ...content, id: randomUUID(), author, name: nameOf(name, content.contentType) });
  return (await queries.findFile(ctx.postgres.db, siteId, id)) ?? fail('not_found');
}

export const findFile = ({ postgres }: Pick<Context, 'postgres'>, siteId: string, id: string): Promise<FileRow | null> =>
  queries.findFile(postgres.db, siteId, id);

/** Deletes files that no message refers to, and bytes whose row is gone: of erased visitors and sites, or left by a crash between the two stores. */
export async function sweepFiles(ctx: Context): Promise<void> {
  const { db } = ctx.postgres;
  const before = new Date(ctx.now() - waitsFor);
  await db
    .delete(supportFiles)
    .where(
      sql`${supportFiles.at} < ${before.toISOString()}::timestamptz and not exists (select from ${supportMessages} m where m.file_id = ${supportFiles.id})`,
    );
  for (const siteId of await ctx.files.folders('support')) {
    const found: string[] = [];
    for await (const { key, modifiedAt } of ctx.files.list(`support/${siteId}`)) if (modifiedAt < before.getTime()) found.push(key);
    for (let i = 0; i < found.length; i += 500) {
      const some = found.slice(i, i + 500);
      const ids = some.map((key) => key.split('/')[2] ?? '').filter((id) => /^[\da-f-]{36}$/.test(id));
      const rows = await db.select({ id: supportFiles.id }).from(supportFiles).where(inArray(supportFiles.id, ids));
      const known = new Set(rows.map(({ id }) => id));
      for (const key of some) if (!known.has(key.split('/')[2] ?? '')) await ctx.files.remove(key as FileKey);
    }
  }
}
