/**
 * The single form in which paths of pages (and of referring pages) are stored, shown, filtered, suggested and exported.
 *
 * Escapes that are UTF-8 of readable characters are decoded: `/%e8%8c%b6` becomes `/茶`. Anything that would make an address ambiguous stays encoded, in upper
 * case (RFC 3986 §6.2.2): reserved characters (`%2F`, `%3F`, `%23`, `%25` …), spaces, control and invisible characters, bytes that are not UTF-8, and `%2E`,
 * which could let a path climb. Such a character is encoded if it is not yet; a `%` that begins no escape becomes `%25`. The form of a normalized path is the
 * path itself, and a browser derives the page's address from it.
 */

const hex = '[0-9A-Fa-f]';
const more = '%[89ABab][0-9A-Fa-f]';
/** Escapes of one character beyond ASCII (RFC 3629 §4). */
const utf8 = [
  `%(?:[Cc][2-9A-Fa-f]|[Dd]${hex})${more}`,
  `%[Ee]0%[ABab]${hex}${more}`,
  `%[Ee][1-9A-Ca-cEFef]${more}${more}`,
  `%[Ee][Dd]%[89]${hex}${more}`,
  `%[Ff]0%[9ABab]${hex}${more}${more}`,
  `%[Ff][1-3]${more}${more}${more}`,
  `%[Ff]4%8${hex}${more}${more}`,
].join('|');
/** Escapes of letters, digits, `-`, `_`, `~`, and of `^`, `{`, `|`, `}`, which browsers send either way. */
const ascii = '%(?:2[Dd]|3[0-9]|4[1-9A-Fa-f]|5[0-9AaEeFf]|6[1-9A-Fa-f]|7[0-9A-Ea-e])';
/** Spaces, control characters and invisible characters. */
const unseen =
  '[\\u0000-\\u0020\\u007F-\\u00A0\\u00AD\\u061C\\u1680\\u180E\\u2000-\\u200F\\u2028-\\u202F\\u205F-\\u206F\\u3000\\uFEFF\\uFFF9-\\uFFFB\\u{E0000}-\\u{E0FFF}]';

const escapedParts = new RegExp(`${utf8}|%${hex}${hex}|%|["<>\`]|${unseen}`, 'gu');
const decodable = new RegExp(`^(?:${utf8}|${ascii})$`, 'u');
const isUnseen = new RegExp(unseen, 'u');

function normalPiece(piece: string): string {
  if (piece === '%') return '%25';
  if (!piece.startsWith('%')) return encodeURIComponent(piece);
  if (!decodable.test(piece)) return piece.toUpperCase();
  const decoded = decodeURIComponent(piece);
  return isUnseen.test(decoded) ? piece.toUpperCase() : decoded;
}

/** Normalizes a path: `/%E8%8C%B6/a%2fb` → `/茶/a%2Fb`. It accepts any text; a path with a query becomes the normalized path with the normalized query. */
export const normalizePath = (path: string): string => path.replace(escapedParts, normalPiece);
