import type { FastifyReply } from 'fastify';
import { asDownload } from '../../http/download';
import { fail, failField } from '../../http/failure';
import type { FieldCode } from '../../../contract/errors';
import { insertFile } from './queries';
import type { Db, FileRecord } from './queries';

/** 2 MiB, the same limit as in the database table. */
const mostBytes = 2 * 1024 * 1024;

const begins = (content: Buffer, ...bytes: number[]): boolean => content.subarray(0, bytes.length).equals(Buffer.from(bytes));
/** ISO 32000: a header, and `startxref` with the end marker within the last KiB; the smallest file with a page has some hundred bytes. */
const isPdf = (content: Buffer): boolean =>
  content.length >= 100 &&
  /^%PDF-[12]\.\d/.test(content.toString('latin1', 0, 8)) &&
  /startxref\s+\d+\s+%%EOF/.test(content.toString('latin1', Math.max(0, content.length - 1024)));
/** Starts with a local file header; the end-of-central-directory record has at least one entry, and the central directory ends before it (APPNOTE 4.3). */
function isZip(content: Buffer): boolean {
  const end = content.lastIndexOf(Buffer.from('PK\u0005\u0006', 'latin1'));
  if (!begins(content, 0x50, 0x4b, 0x03, 0x04) || end < 0 || end + 22 > content.length) return false;
  const [entries, size, from] = [content.readUInt16LE(end + 10), content.readUInt32LE(end + 12), content.readUInt32LE(end + 16)];
  return entries > 0 && from + size <= end && content.subarray(from, from + 4).toString('latin1') === 'PK\u0001\u0002';
}
/** UTF-8 XML that begins with its declaration or its root element; `<!DOCTYPE html` and other web pages are rejected. */
function isXml(content: Buffer): boolean {
  const text = content
    .toString('utf8')
    .replace(/^\uFEFF/, '')
    .trim();
  // The root element after the declaration and comments; the text must end with its end tag.
  const root = /^(?:<\?xml\s[^>]*\?>)?(?:\s|<!--(?:(?!-->)[^])*-->)*<([\p{L}_][\p{L}\p{N}_.:-]*)[\s/>]/u.exec(text)?.[1];
  if (root === undefined || text.includes('\uFFFD') || /^(html|svg|script)$/i.test(root)) return false;
  return text.endsWith('/>') || (text.endsWith('>') && text.slice(0, -1).trimEnd().endsWith(`</${root}`));
}

/** Detection of each file type. OFD (GB/T 33190) is a ZIP file. */
const kinds: Readonly<Record<string, { readonly extension: string; readonly is: (content: Buffer) => boolean }>> = {
  'application/pdf': { extension: 'pdf', is: isPdf },
  'image/png': { extension: 'png', is: (content) => begins(content, 0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a) },
  'image/jpeg': { extension: 'jpg', is: (content) => begins(content, 0xff, 0xd8, 0xff) },
  'application/ofd': { extension: 'ofd', is: isZip },
  'application/xml': { extension: 'xml', is: isXml },
};

export type Upload = { readonly name: string; readonly type: string; readonly content: string };

/** Removes path separators and other characters that are not allowed in file names of all systems. */
export const withoutFolders = (name: string): string => name.replaceAll(/[\\/:*?"<>|]/g, '_');

/** A file name without folders, with the extension of its type, so that it opens correctly after saving. */
function nameOf(name: string, type: string): string {
  const extension = kinds[type]?.extension ?? 'bin';
  const base = withoutFolders(name).replace(/^\.+/, '_');
  const fits = extension === 'jpg' ? /\.jpe?g$/i : new RegExp(`\\.${extension}$`, 'i');
  return fits.test(base) ? base : `${base}.${extension}`;
}

/** Stores an uploaded file and returns its id. Fails for `field` if the content does not match the declared type. */
export async function keepFile(db: Db, upload: Upload, field: string, errorCode: FieldCode, now: Date): Promise<string> {
  const content = Buffer.from(upload.content, 'base64');
  if (content.length > mostBytes) fail('too_large');
  if (content.length === 0 || !kinds[upload.type]?.is(content)) failField(field, errorCode);
  return insertFile(db, { name: nameOf(upload.name, upload.type), type: upload.type, bytes: content.length, content, createdAt: now });
}

export const sendStored = (reply: FastifyReply, file: FileRecord): FastifyReply => asDownload(reply, file.name, file.type).send(file.content);
