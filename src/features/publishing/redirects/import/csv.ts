import { columnNames } from './columnNames';
import type { ColumnName } from './columnNames';
import { collectRules, readingOf, redirectOf, statusOf } from './importedRules';
import type { ImportedRules, Reading } from './importedRules';

/** Rows with the line on which each begins. Quoted cells may contain delimiters, quotes (doubled) and line breaks. */
function rowsOf(text: string): { readonly line: number; readonly cells: string[] }[] {
  const [first = ''] = text.split('\n', 1);
  const delimiter = ['\t', ';', ','].find((one) => first.includes(one)) ?? ',';
  const rows: { line: number; cells: string[] }[] = [];
  let row: string[] = [];
  let cell = '';
  let isQuoted = false;
  let line = 1;
  let start = 1;
  const endRow = (): void => {
    row.push(cell.trim());
    if (row.some((one) => one !== '')) rows.push({ line: start, cells: row });
    [row, cell, start] = [[], '', line];
  };
  const characters = [...text.replace(/^\uFEFF/, ''), '\n'];
  for (let at = 0; at < characters.length; at += 1) {
    const character = characters[at] ?? '';
    if (character === '\n') line += 1;
    if (isQuoted) {
      if (character !== '"') cell += character;
      else if (characters[at + 1] === '"') [cell, at] = [`${cell}"`, at + 1];
      else isQuoted = false;
    } else if (character === '"' && cell.trim() === '') [isQuoted, cell] = [true, ''];
    else if (character === delimiter) [row, cell] = [[...row, cell.trim()], ''];
    else if (character === '\n') endRow();
    else if (character !== '\r') cell += character;
  }
  return rows;
}

/** The path of a cell that may be a whole address. `host`: the host that the paths belong to, once one was named. */
function pathOf(cell: string): { readonly path: string; readonly host: string | null } {
  if (!/^https?:\/\//i.test(cell) || !URL.canParse(cell)) return { path: cell, host: null };
  const { pathname, host } = new URL(cell);
  return { path: pathname, host };
}

/** Reads a CSV file with a header, or with old address, new address and status in this order. Of whole old addresses the hosts must be the same. */
export function readCsv(text: string): ImportedRules {
  const rules = collectRules();
  const rows = rowsOf(text);
  const header = rows[0]?.cells.map((name) => columnNames.find(([, pattern]) => pattern.test(name))?.[0]) ?? [];
  const hasHeader = header.includes('from');
  const columns: readonly (ColumnName | undefined)[] = hasHeader ? header : ['from', 'to', 'status'];
  let known: string | null = null;
  for (const { line, cells } of hasHeader ? rows.slice(1) : rows) {
    const value = (column: ColumnName): string => cells[columns.indexOf(column)] ?? '';
    const { path, host } = pathOf(value('from'));
    const isForeign = host !== null && known !== null && host !== known;
    known ??= host;
    rules.add(
      line,
      cells.join(', '),
      isForeign ? { reason: 'not_this_site' } : readingOfRow(path, value('to'), value('status'), value('note'), value('expiresOn')),
    );
  }
  return rules.result();
}

function readingOfRow(path: string, to: string, code: string, note: string, expiresOn: string): Reading {
  const status = code === '' ? (to === '' ? undefined : 301) : statusOf(code);
  if (status === undefined) return { reason: code === '' ? 'syntax' : 'not_supported' };
  const redirect = redirectOf(path, to, status);
  return readingOf(redirect && { ...redirect, note: note.slice(0, 200), expiresOn: /^\d{4}-\d{2}-\d{2}$/.test(expiresOn) ? expiresOn : null });
}
