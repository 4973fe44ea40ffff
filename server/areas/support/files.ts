import { eq, inArray, sql } from 'drizzle-orm';
import { supportLimits } from '../../../contract/support/terms';
import type { MessageAuthor, SupportFileKind } from '../../../contract/support/terms';
import type { StoredSupportSettings } from '../../../contract/support/settings';
import type { Context } from '../../context';
import { fail } from '../../http/failure';
import { ImagesBusy, UnreadableImage } from '../../kit/images/imageProcess';
import type { FileKey } from '../../stores/files/keys';
import { storedFile } from '../../stores/files/storedFile';
import type { StoredFile } from '../../stores/files/storedFile';
import { HOUR } from '../../zone';
import { detectBytes, detectType } from '../resources';
import * as queries from './queries';
import type { FileRow } from './queries';
import { supportFiles, supportMessages } from './schema';

const keyOf = ({ siteId, id }: Pick<FileRow, 'siteId' | 'id'>): FileKey => `support/${siteId}/${id}`;
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
    const image = await ctx.images.variant(bytes, spec);
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

export type NewFile = {
  readonly siteId: string;
  readonly conversationId: string;
  readonly author: MessageAuthor;
  readonly name: string;
  readonly bytes: Uint8Array;
};

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
  const { contentType, width, height } = content;
  const values = { siteId, conversationId, author, name: nameOf(name, contentType), contentType, size: content.bytes.length, width, height };
  const [row] = await ctx.postgres.db
    .insert(supportFiles)
    .values({ ...values, at: new Date(ctx.now()) })
    .returning();
  if (!row) throw new Error('PostgreSQL returned no row');
  await ctx.files.put(keyOf(row), content.bytes);
  return row;
}

/** The bytes of a file, and the headers with which they are sent: never as a page, whatever they contain. `inline`: images may be shown in a page. */
export function openFile(
  ctx: Pick<Context, 'files'>,
  row: FileRow,
  inline: boolean,
): { readonly file: StoredFile; readonly headers: Readonly<Record<string, string>> } {
  const shown = inline && row.contentType.startsWith('image/');
  return {
    file: storedFile(ctx.files, keyOf(row)),
    headers: {
      'content-type': row.contentType === 'text/plain' ? 'text/plain; charset=utf-8' : row.contentType,
      'content-disposition': `${shown ? 'inline' : 'attachment'}; filename*=UTF-8''${encodeURIComponent(row.name).replaceAll(/['()*]/g, (c) => `%${c.charCodeAt(0).toString(16).toUpperCase()}`)}`,
      'x-content-type-options': 'nosniff',
      'content-security-policy': "default-src 'none'; sandbox",
      'cross-origin-resource-policy': 'same-origin',
      'cache-control': 'private, max-age=3600',
    },
  };
}

/** A file of the conversation; null: none, or of another one. */
export async function findFileOf(
  ctx: Pick<Context, 'postgres'>,
  conversation: { readonly id: string; readonly siteId: string },
  id: string,
): Promise<FileRow | null> {
  const row = await queries.findFile(ctx.postgres.db, conversation.siteId, id);
  return row?.conversationId === conversation.id ? row : null;
}

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

export const filesOf = (ctx: Pick<Context, 'postgres'>, conversationId: string): Promise<FileRow[]> =>
  ctx.postgres.db.select().from(supportFiles).where(eq(supportFiles.conversationId, conversationId));
