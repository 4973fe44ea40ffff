import type { FastifyReply } from 'fastify';
import { asDownload } from '../../http/download';
import { fail, failField } from '../../http/failure';
import type { FieldCode } from '../../../contract/errors';
import { insertFile } from './queries';
import type { Db, FileRecord } from './queries';

/** 2 MiB, as the table says. */
const mostBytes = 2 * 1024 * 1024;

const begins = (content: Buffer, ...bytes: number[]): boolean => content.subarray(0, bytes.length).equals(Buffer.from(bytes));
/** ISO 32000: a header, and within the last KiB where the cross-references are and the end; the shortest that has a page is some hundred bytes. */
const isPdf = (content: Buffer): boolean =>
  content.length >= 100 &&
  /^%PDF-[12]\.\d/.test(content.toString('latin1', 0, 8)) &&
  /startxref\s+\d+\s+%%EOF/.test(content.toString('latin1', Math.max(0, content.length - 1024)));
/** A local file in front; at the end the record of the central directory, which has at least one entry and ends where the record begins (APPNOTE 4.3). */
function isZip(content: Buffer): boolean {
  const end = content.lastIndexOf(Buffer.from('PK\u0005\u0006', 'latin1'));
  if (!begins(content, 0x50, 0x4b, 0x03, 0x04) || end < 0 || end + 22 > content.length) return false;
  const [entries, size, from] = [content.readUInt16LE(end + 10), content.readUInt32LE(end + 12), content.readUInt32LE(end + 16)];
  return entries > 0 && from + size <= end && content.subarray(from, from + 4).toString('latin1') === 'PK\u0001\u0002';
}
/** XML of UTF-8 that begins with its declaration or its first element; `<!DOCTYPE html` and other pages are none. */
function isXml(content: Buffer): boolean {
  const text = content
    .toString('utf8')
    .replace(/^\uFEFF/, '')
    .trim();
  // The element behind the declaration and comments, and whether the text ends with the end of it.
  const root = /^(?:<\?xml\s[^>]*\?>)?(?:\s|<!--(?:(?!-->)[^])*-->)*<([\p{L}_][\p{L}\p{N}_.:-]*)[\s/>]/u.exec(text)?.[1];
  if (root === undefined || text.includes('\uFFFD') || /^(html|svg|script)$/i.test(root)) return false;
  return text.endsWith('/>') || (text.endsWith('>') && text.slice(0, -1).trimEnd().endsWith(`</${root}`));
}

/** How a file of each kind is told. OFD (GB/T 33190) is a ZIP. */
const kinds: Readonly<Record<string, { readonly extension: string; readonly is: (content: Buffer) => boolean }>> = {
  'application/pdf': { extension: 'pdf', is: isPdf },
  'image/png': { extension: 'png', is: (content) => begins(content, 0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a) },
  'image/jpeg': { extension: 'jpg', is: (content) => begins(content, 0xff, 0xd8, 0xff) },
  'application/ofd': { extension: 'ofd', is: isZip },
  'application/xml': { extension: 'xml', is: isXml },
};

export type Upload = { readonly name: string; readonly type: string; readonly content: string };

/** A name that is one file on every system. */
export const withoutFolders = (name: string): string => name.replaceAll(/[\\/:*?"<>|]/g, '_');

/** A name without folders, with the extension of its kind: what is saved under it opens as what it is. */
function nameOf(name: string, type: string): string {
  const extension = kinds[type]?.extension ?? 'bin';
  const base = withoutFolders(name).replace(/^\.+/, '_');
  const fits = extension === 'jpg' ? /\.jpe?g$/i : new RegExp(`\\.${extension}$`, 'i');
  return fits.test(base) ? base : `${base}.${extension}`;
}

/** Keeps an uploaded file and answers its id. Refuses under the name `field` what is not what it says it is. */
export async function keepFile(db: Db, upload: Upload, field: string, errorCode: FieldCode, now: Date): Promise<string> {
  const content = Buffer.from(upload.content, 'base64');
  if (content.length > mostBytes) fail('too_large');
  if (content.length === 0 || !kinds[upload.type]?.is(content)) failField(field, errorCode);
  return insertFile(db, { name: nameOf(upload.name, upload.type), type: upload.type, bytes: content.length, content, createdAt: now });
}

export const sendStored = (reply: FastifyReply, file: FileRecord): FastifyReply => asDownload(reply, file.name, file.type).send(file.content);
