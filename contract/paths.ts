/**
 * The one form in which paths of pages (and of referring pages) are stored, shown, filtered, suggested and exported.
 *
 * Escapes that are UTF-8 of readable characters are decoded: `/%e8%8c%b6` is `/茶`. What would make an address ambiguous stays
 * encoded, in upper case (RFC 3986 §6.2.2): reserved characters (`%2F`, `%3F`, `%23`, `%25` …), spaces, control and invisible
 * characters, bytes that are no UTF-8, and `%2E`, which could make a path climb. Where such a character is not encoded, it becomes
 * so; a `%` that begins no escape is `%25`. A path in this form is its own, and a browser makes the address of the page of it.
 */

const hex = '[0-9A-Fa-f]';
const more = '%[89ABab][0-9A-Fa-f]';
/** Escapes that are one character beyond ASCII (RFC 3629 §4). */
const utf8 = [
  `%(?:[Cc][2-9A-Fa-f]|[Dd]${hex})${more}`,
  `%[Ee]0%[ABab]${hex}${more}`,
  `%[Ee][1-9A-Ca-cEFef]${more}${more}`,
  `%[Ee][Dd]%[89]${hex}${more}`,
  `%[Ff]0%[9ABab]${hex}${more}${more}`,
  `%[Ff][1-3]${more}${more}${more}`,
  `%[Ff]4%8${hex}${more}${more}`,
].join('|');
/** Letters, digits, `-`, `_`, `~`, and `^`, `{`, `|`, `}`, which browsers send in either way. */
const ascii = '%(?:2[Dd]|3[0-9]|4[1-9A-Fa-f]|5[0-9AaEeFf]|6[1-9A-Fa-f]|7[0-9A-Ea-e])';
/** Spaces, control characters and what cannot be seen. */
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

/** `/%E8%8C%B6/a%2fb` → `/茶/a%2Fb`. Any text has a form; that of a path with a query is the path's and the query's. */
export const normalizePath = (path: string): string => path.replace(escapedParts, normalPiece);
