/**
 * Parses CSV text record by record. Not csv-parse: after a misplaced quote it reads everything up to the next matching one (often the rest of the file)
 * as a single cell, and neither reports where the quote opened nor allows continuing after its line. Both are needed for error reports.
 */
export type Parsed =
  | { readonly kind: 'record'; readonly cells: string[]; readonly next: number; readonly quoted: boolean }
  /** The text ends within the record; more is needed. */
  | { readonly kind: 'more' }
  /** The quote at `open` is never closed, or the closing one (at `closedAt`) is followed by something else than the end of the cell. */
  | { readonly kind: 'broken'; readonly open: number; readonly closedAt: number | null };

const more: Parsed = { kind: 'more' };
const enders = { ',': /[,\r\n]/g, ';': /[;\r\n]/g, '\t': /[\t\r\n]/g, '|': /[|\r\n]/g } as const;
export type Delimiter = keyof typeof enders;

/** Start of the line after the line end at `at`; null if it depends on further text (`\r` at the very end). */
function behind(text: string, at: number, isWhole: boolean): number | null {
  if (text[at] === '\n') return at + 1;
  if (at + 1 < text.length) return text[at + 1] === '\n' ? at + 2 : at + 1;
  return isWhole ? at + 1 : null;
}

/** The record that starts at `begin`. `isWhole`: the text is complete. Quotes inside a cell that does not start with one are literal. */
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
/** Start of the line after the one that contains `at`. */
export function nextLine(text: string, at: number): number {
  lineEnd.lastIndex = at;
  const found = lineEnd.exec(text);
  return found ? found.index + found[0].length : text.length;
}
