/**
 * Records of CSV text, one at a time. Not by a package: after a quote that stands where none may, csv-parse takes everything up to the next fitting one
 * (often the rest of the file) for a single cell, and says neither where the quote opened nor lets one go on behind its line. People need both.
 */
export type Parsed =
  | { readonly kind: 'record'; readonly cells: string[]; readonly next: number; readonly quoted: boolean }
  /** The text ends within the record; more of it is needed. */
  | { readonly kind: 'more' }
  /** The quote at `open` is never closed, or something stands between the next one (at `closedAt`) and the end of the cell. */
  | { readonly kind: 'broken'; readonly open: number; readonly closedAt: number | null };

const more: Parsed = { kind: 'more' };
const enders = { ',': /[,\r\n]/g, ';': /[;\r\n]/g, '\t': /[\t\r\n]/g, '|': /[|\r\n]/g } as const;
export type Delimiter = keyof typeof enders;

/** Where the line goes on behind the line end at `at`; null where only more text can tell (`\r` at the very end). */
function behind(text: string, at: number, isWhole: boolean): number | null {
  if (text[at] === '\n') return at + 1;
  if (at + 1 < text.length) return text[at + 1] === '\n' ? at + 2 : at + 1;
  return isWhole ? at + 1 : null;
}

/** The record that begins at `begin`. `isWhole`: no more text will come. Quotes within a cell that does not begin with one are just quotes. */
export function recordAt(text: string, begin: number, delimiter: Delimiter, isWhole: boolean): Parsed {
  const cells: string[] = [];
  const ender = enders[delimiter];
  let quoted = false;
  for (let at = begin; ;) {
    let end = at;
    let cell = '';
    if (text[at] === '"') {
      quoted = true;
      for (let from = at + 1; ;) {
        const close = text.indexOf('"', from);
        if (close < 0) return isWhole ? { kind: 'broken', open: at, closedAt: null } : more;
        if (close + 1 === text.length && !isWhole) return more;
        if (text[close + 1] === '"') {
          cell += text.slice(from, close + 1);
          from = close + 2;
          continue;
        }
        cell += text.slice(from, close);
        end = close + 1;
        break;
      }
      while (text[end] === ' ') end++;
      const next = text[end];
      if (next !== undefined && next !== delimiter && next !== '\n' && next !== '\r') return { kind: 'broken', open: at, closedAt: end };
    } else {
      ender.lastIndex = at;
      end = ender.exec(text)?.index ?? text.length;
      cell = text.slice(at, end);
    }
    if (end >= text.length && !isWhole) return more;
    cells.push(cell);
    if (text[end] === delimiter) {
      at = end + 1;
      continue;
    }
    const next = end >= text.length ? end : behind(text, end, isWhole);
    return next === null ? more : { kind: 'record', cells, next, quoted };
  }
}

const lineEnd = /\r\n|\n|\r/g;
export function countLines(text: string, from: number, to: number): number {
  let lines = 0;
  lineEnd.lastIndex = from;
  for (let found = lineEnd.exec(text); found && found.index < to; found = lineEnd.exec(text)) lines++;
  return lines;
}
/** Behind the line in which `at` stands. */
export function nextLine(text: string, at: number): number {
  lineEnd.lastIndex = at;
  const found = lineEnd.exec(text);
  return found ? found.index + found[0].length : text.length;
}
