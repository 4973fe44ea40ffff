/**
 * Parses spreadsheet clipboard text: cells separated by tabs, rows by line breaks. A cell that contains either, or that begins with a quotation mark, is
 * quoted, with quotation marks doubled (RFC 4180 with tabs; Excel, LibreOffice and Google Sheets do the same).
 */
export function parseTsv(text: string): string[][] {
  const rows: string[][] = [];
  let row: string[] = [];
  let at = 0;
  const end = text.length;
  while (at < end || row.length > 0) {
    const [cell, next] = text[at] === '"' ? (quoted(text, at) ?? plain(text, at)) : plain(text, at);
    row.push(cell);
    const stop = text[next];
    if (stop === '\t') {
      at = next + 1;
      // A tab at the very end starts one more, empty cell.
      if (at >= end) row.push('');
      if (at < end) continue;
    } else at = next + (stop === '\r' && text[next + 1] === '\n' ? 2 : 1);
    rows.push(row);
    row = [];
  }
  return rows;
}

function plain(text: string, from: number): [string, number] {
  let to = from;
  while (to < text.length && text[to] !== '\t' && text[to] !== '\n' && text[to] !== '\r') to += 1;
  return [text.slice(from, to), to];
}

/** null: the quotation mark is not closed before the cell ends, so it is part of the text. */
function quoted(text: string, from: number): [string, number] | null {
  let cell = '';
  let at = from + 1;
  for (;;) {
    const mark = text.indexOf('"', at);
    if (mark === -1) return null;
    cell += text.slice(at, mark);
    if (text[mark + 1] === '"') {
      cell += '"';
      at = mark + 2;
      continue;
    }
    const stop = text[mark + 1];
    return stop === undefined || stop === '\t' || stop === '\n' || stop === '\r' ? [cell, mark + 1] : null;
  }
}

export const printTsv = (rows: readonly (readonly string[])[]): string =>
  rows.map((row) => row.map((cell) => (/[\t\n\r]|^"/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell)).join('\t')).join('\n');

const escapes: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
const escaped = (text: string): string => text.replaceAll(/[&<>"]/g, (one) => escapes[one] ?? one);
/** The same rows as an HTML table, for word processors and mail. */
export const printHtml = (rows: readonly (readonly string[])[]): string =>
  `<table><tbody>${rows.map((row) => `<tr>${row.map((cell) => `<td>${escaped(cell).replaceAll('\n', '<br>')}</td>`).join('')}</tr>`).join('')}</tbody></table>`;

/**
 * How a pasted block covers a range: a single cell, or a block whose multiple the range is, repeats over it; any other block keeps its size, from the first
 * cell of the range. `value` maps a place in the result to a place in the block.
 */
export function pasteShape(
  block: { readonly rows: number; readonly cols: number },
  range: { readonly rows: number; readonly cols: number },
): { readonly rows: number; readonly cols: number } {
  const fits = (of: number, size: number): number => (size > of && size % of === 0 ? size : of);
  const rows = fits(block.rows, range.rows);
  const cols = fits(block.cols, range.cols);
  // A block repeats in both directions or in one, but not where the range is not a multiple of it in the other.
  return (rows === range.rows || range.rows <= block.rows) && (cols === range.cols || range.cols <= block.cols) ? { rows, cols } : block;
}
