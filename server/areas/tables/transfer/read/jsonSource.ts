import type { ReadOptions } from '../../../../../contract/tables/transfers';
import { ReadStop, batcher, cutCell, shownName, sourceLimits } from './source';
import type { Cell, Source, SourceRow } from './source';
import { encodingOf, textsOf } from './text';

/** `depth`: of what lies within it. */
type Piece = { readonly line: number; readonly text: string; readonly depth: number };
/** Beyond what any field holds, and far from where a program that goes through it would end. */
const deepest = 200;
/** Where the records lie in a file that is one object. */
const wrappers = new Set(['rows', 'data', 'records']);
const isSpace = (code: number): boolean => code === 32 || code === 10 || code === 13 || code === 9;

/**
 * Cuts JSON text into the texts of its records without ever holding more than one: of an array, of the array in `rows`, `data` or `records` of an object, or
 * one value after the other (JSON Lines). Throws `ReadStop` where the text ends within one.
 */
export async function* jsonPieces(texts: AsyncIterable<string>): AsyncGenerator<Piece[]> {
  let text = '';
  let at = 0;
  let line = 1;
  let depth = 0;
  let inText = false;
  let escaped = false;
  /** Depth at which records lie; null until that is known. */
  let level: number | null = null;
  /** Where the record begins that is being read, and its line. */
  let begin = -1;
  let beginLine = 1;
  let deep = 0;
  /** In an object that may be a wrapper: where the last text began, the last text, and whether an array has just begun as the value of such a name. */
  let textAt = 0;
  let name = '';
  let opened = false;
  let isEmptyList = false;
  let over = false;
  const found: Piece[] = [];
  const end = (to: number): void => {
    found.push({ line: beginLine, text: text.slice(begin, to), depth: deep });
    begin = -1;
  };
  const start = (): void => {
    begin = at;
    beginLine = line;
    deep = 0;
  };
  function close(code: number): void {
    depth--;
    if (level !== null && depth < level && level > 0) {
      if (code !== 93) throw new ReadStop('json', { line });
      if (begin >= 0) end(at);
      over = true;
    } else if (begin >= 0 && depth === (level ?? 0)) {
      if (level === null && isEmptyList) begin = -1;
      else end(at + 1);
      // The first object was a record itself: more of them may follow.
      level ??= 0;
    }
    if (code === 93 && opened && level === null) isEmptyList = true;
    opened = false;
  }
  function step(code: number): void {
    if (inText) {
      if (escaped) escaped = false;
      else if (code === 92) escaped = true;
      else if (code === 34) {
        inText = false;
        if (level === null && depth === 1) name = at - textAt < 20 ? text.slice(textAt + 1, at) : '';
      }
      return;
    }
    if (isSpace(code)) {
      if (level === 0 && depth === 0 && begin >= 0) end(at);
      return;
    }
    if (code === 44 && depth === level) {
      if (begin >= 0) end(at);
      return;
    }
    const opens = code === 123 || code === 91;
    if (level === null && opened && depth === 2 && code === 123) {
      level = 2;
      begin = -1;
    }
    if (level === null && depth === 0 && code === 91) {
      level = 1;
      depth = 1;
      return;
    }
    if (begin < 0 && depth === (level ?? 0) && code !== 93 && code !== 125) start();
    if (code === 34) {
      inText = true;
      textAt = at;
    } else if (opens) {
      opened = level === null && depth === 1 && code === 91 && wrappers.has(name);
      depth++;
      deep = Math.max(deep, depth - (level ?? 0));
      return;
    } else if (code === 93 || code === 125) {
      close(code);
      return;
    }
    if (code !== 58) opened = false;
  }
  for await (const piece of texts) {
    if (over) {
      if (level === 1 && piece.trim() !== '') throw new ReadStop('json', { line });
      continue;
    }
    text += piece;
    for (; at < text.length && !over; at++) {
      const code = text.charCodeAt(at);
      step(code);
      if (code === 10) line++;
    }
    if (found.length > 0) yield found.splice(0);
    if (over && level === 1 && text.slice(at).trim() !== '') throw new ReadStop('json', { line });
    // What has been read is let go of.
    const keep = begin >= 0 ? begin : inText ? textAt : at;
    if (at - keep > sourceLimits.row && level !== null) throw new ReadStop('row_too_long', { line: beginLine });
    // An object that may still turn out to be a wrapper is not kept whole.
    if (at - keep > sourceLimits.row) throw new ReadStop('json', { line: beginLine });
    text = text.slice(keep);
    at -= keep;
    textAt -= keep;
    if (begin >= 0) begin = 0;
  }
  if (level === 0 && depth === 0 && begin >= 0 && !inText) {
    end(at);
    yield found.splice(0);
  } else if (!over && (begin >= 0 || inText || depth > 0)) throw new ReadStop('json_end', { line: begin >= 0 ? beginLine : line });
}

const hasInfinity = (value: unknown): boolean =>
  typeof value === 'number' ? !Number.isFinite(value) : typeof value === 'object' && value !== null && Object.values(value).some(hasInfinity);

/** Rows of a JSON file; a column is a name that any of its objects has, in order of appearance. */
export function jsonSource(file: string, head: Buffer, options: ReadOptions): Source {
  const encoding = options.encoding ?? encodingOf(head);
  const texts = textsOf(file, encoding);
  const columns = new Map<string, number>();
  const names: string[] = [];

  function cellsOf(record: Record<string, unknown>): Cell[] {
    const cells: Cell[] = [];
    for (const [name, value] of Object.entries(record)) {
      let at = columns.get(name);
      if (at === undefined) {
        if (columns.size >= sourceLimits.columns) continue;
        at = columns.size;
        columns.set(name, at);
        names.push(shownName(name, at));
      }
      cells[at] = value === null ? '' : typeof value === 'string' ? cutCell(value) : { json: value };
    }
    return Array.from(cells, (cell) => cell ?? '');
  }
  function rowOf({ line, text, depth }: Piece): SourceRow {
    if (depth > deepest) return { line, cells: [], fault: 'too_deep' };
    let value: unknown;
    try {
      value = JSON.parse(text);
    } catch {
      return { line, cells: [], fault: 'json' };
    }
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return { line, cells: [], fault: 'not_an_object' };
    // Kept as JSON it would be nothing at all.
    if (hasInfinity(value)) return { line, cells: cellsOf(value as Record<string, unknown>), fault: 'number_too_large' };
    return { line, cells: cellsOf(value as Record<string, unknown>), fault: null };
  }
  async function* rows(): AsyncGenerator<SourceRow[]> {
    const batch = batcher();
    for await (const some of jsonPieces(texts.texts)) for (const piece of some) if (batch.add(rowOf(piece))) yield batch.take();
    const rest = batch.take();
    if (rest.length > 0) yield rest;
  }
  return {
    read: { format: 'json', encoding, delimiter: ',', sheet: '', header: 1 },
    sheets: [],
    rows: rows(),
    names: () => names,
    bytesRead: texts.bytesRead,
    merged: () => [],
    skipRest: async () => undefined,
    close: texts.close,
  };
}
