import type { Migration } from './migrate';

/**
 * Converts paths that were stored with all percent-escapes to the form of contract/paths.ts, in SQL. This SQL is part of a released migration and must never
 * change; a test compares it with `normalizePath`.
 */
const hex = '[0-9A-Fa-f]';
const more = '%[89ABab][0-9A-Fa-f]';
const utf8 = [
  `%(?:[Cc][2-9A-Fa-f]|[Dd]${hex})${more}`,
  `%[Ee]0%[ABab]${hex}${more}`,
  `%[Ee][1-9A-Ca-cEFef]${more}${more}`,
  `%[Ee][Dd]%[89]${hex}${more}`,
  `%[Ff]0%[9ABab]${hex}${more}${more}`,
  `%[Ff][1-3]${more}${more}${more}`,
  `%[Ff]4%8${hex}${more}${more}`,
].join('|');
const ascii = '%(?:2[Dd]|3[0-9]|4[1-9A-Fa-f]|5[0-9AaEeFf]|6[1-9A-Fa-f]|7[0-9A-Ea-e])';
const unseen = String.raw`[\\x{80}-\\x{A0}\\x{AD}\\x{61C}\\x{1680}\\x{180E}\\x{2000}-\\x{200F}\\x{2028}-\\x{202F}\\x{205F}-\\x{206F}\\x{3000}\\x{FEFF}\\x{FFF9}-\\x{FFFB}\\x{E0000}-\\x{E0FFF}]`;

/** SQL that converts a path as written by a browser's URL parser to the form of contract/paths.ts; `column` is SQL of a text. */
export const storedPathSql = (column: string): string =>
  `if(position(${column}, '%') = 0, ${column}, arrayStringConcat(arrayMap(piece -> multiIf(
    NOT startsWith(piece, '%'), piece,
    piece = '%', '%25',
    match(piece, '^(?:${utf8}|${ascii})$') AND NOT match(decodeURLComponent(piece), '${unseen}'), decodeURLComponent(piece),
    upper(piece)), extractAll(${column}, '${utf8}|%${hex}${hex}|%|[^%]+'))))`;

const escaped = (column: string): string => `position(${column}, '%') > 0`;
const update = (columns: readonly string[]): string => columns.map((column) => `${column} = ${storedPathSql(column)}`).join(', ');
const views = `arrayMap(path -> ${storedPathSql('path')}, view_path)`;

export const storedPathsMigration: Migration = {
  id: '0006_readable_paths',
  statements: [
    `ALTER TABLE hits UPDATE ${update(['path', 'ref_path', 'ref_url'])} WHERE ${['path', 'ref_path', 'ref_url'].map(escaped).join(' OR ')}`,
    `ALTER TABLE visits UPDATE ${update(['entry_path', 'exit_path', 'ref_path', 'ref_url'])}, view_path = ${views}, upv = toUInt16(least(65535, length(arrayDistinct(${views}))))
      WHERE ${['entry_path', 'exit_path', 'ref_path', 'ref_url'].map(escaped).join(' OR ')} OR arrayExists(path -> ${escaped('path')}, view_path)`,
  ],
};
