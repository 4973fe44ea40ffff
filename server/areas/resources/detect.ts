import { fileTypeFromBuffer } from 'file-type';
import type { ResourceKind } from '../../../contract/resources/terms';
import { encodingOf } from '../../kit/text/decode';

/** Bytes of a file from which its type is detected. */
export const detectBytes = 64 * 1024;

export type DetectedType = { readonly kind: ResourceKind; readonly contentType: string };

const images: ReadonlySet<string> = new Set(['image/jpeg', 'image/png', 'image/apng', 'image/gif', 'image/webp', 'image/avif', 'image/tiff']);
const videos: ReadonlySet<string> = new Set(['video/mp4', 'video/webm', 'video/quicktime', 'video/x-matroska', 'video/matroska', 'video/ogg', 'video/x-m4v']);

const markup: ReadonlySet<string> = new Set(['application/xml', 'text/html', 'application/xhtml+xml']);

const matchesAt = (pattern: RegExp, text: string, at: number): boolean => {
  pattern.lastIndex = at;
  return pattern.test(text);
};
const svgTag = /<(?:svg:)?svg[\s/>]/iy;
const svgDoctype = /<!DOCTYPE\s+svg[\s[>]/iy;
const notSpace = /\S/g;

/** The position behind a declaration, comment or document type of SVG; the same position if none begins there. One that never ends reaches to the end of the text. */
function behindPrologue(text: string, at: number): number {
  const behind = (end: string, from: number): number => {
    const found = text.indexOf(end, from);
    return found < 0 ? text.length : found + end.length;
  };
  if (text.startsWith('<!--', at)) return behind('-->', at + 4);
  if (text.startsWith('<?xml', at)) return behind('?>', at);
  if (!matchesAt(svgDoctype, text, at)) return at;
  const end = behind('>', at);
  const declarations = text.slice(at, end).indexOf('[');
  return declarations < 0 ? end : behind('>', behind(']', at + declarations));
}

/**
 * Whether an XML document has `svg` as its first element, after a byte order mark, declaration, comments and document type. Each character is read once: a
 * regular expression for all of it could try every division into comments.
 */
function isSvg(text: string): boolean {
  for (let at = 0; ;) {
    notSpace.lastIndex = at;
    const begin = notSpace.exec(text)?.index;
    if (begin === undefined) return false;
    const next = behindPrologue(text, begin);
    if (next === begin) return matchesAt(svgTag, text, begin);
    at = next;
  }
}

/** Control characters, other than white space and escape, that text does not contain. */
// oxlint-disable-next-line no-control-regex
const binary = /[\u0000-\u0008\u000E-\u001A\u001C-\u001F]/;

/**
 * The type of a file by the first bytes of its content, whatever its name claims. HTML and other text is plain text, so that no browser runs it.
 */
export async function detectType(head: Uint8Array): Promise<DetectedType> {
  const text = textOf(head);
  if (text !== null && isSvg(text)) return { kind: 'svg', contentType: 'image/svg+xml' };
  // A byte order mark of UTF-16 looks like the beginning of a sound.
  if (text === null && isUtf16.test(Buffer.from(head.subarray(0, 2)).toString('hex')) && isOtherText(head))
    return { kind: 'attachment', contentType: 'text/plain' };
  const found = (await fileTypeFromBuffer(head))?.mime.split(';')[0];
  const mime = found === undefined || markup.has(found) ? (text !== null || isOtherText(head) ? 'text/plain' : 'application/octet-stream') : found;
  if (images.has(mime)) return { kind: 'image', contentType: mime === 'image/apng' ? 'image/png' : mime };
  if (videos.has(mime)) return { kind: 'video', contentType: mime };
  return { kind: 'attachment', contentType: mime };
}

const isUtf16 = /^(?:fffe|feff)$/;

/** Whether the bytes are text in GB 18030 or UTF-16. */
function isOtherText(head: Uint8Array): boolean {
  const bytes = Buffer.from(head.buffer, head.byteOffset, head.byteLength);
  try {
    const text = new TextDecoder(encodingOf(bytes), { fatal: true }).decode(head, { stream: true });
    return text !== '' && !binary.test(text) && !/[\p{Co}\p{Cn}]/u.test(text);
  } catch {
    return false;
  }
}

/** The bytes as text in UTF-8; null if they are none. A character may be cut at the end. */
function textOf(head: Uint8Array): string | null {
  try {
    const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(head, { stream: true });
    return text === '' || binary.test(text) ? null : text;
  } catch {
    return null;
  }
}
