import type { ReadOptions } from '../../../../../contract/tables/transfers';
import { encodingOf, textsOf } from '../../../../kit/text/decode';
import type { StoredFile } from '../../../../stores/files/storedFile';
import { ReadStop, batcher, cutCell, shownName, sourceLimits } from './source';
import type { Cell, Source, SourceRow } from './source';

/** The text of a record; `depth`: nesting depth of its values. */
type JsonRecord = { readonly line: number; readonly text: string; readonly depth: number };
/** Deeper than any field allows, and shallow enough for recursive code. */
const deepest = 200;
/** Keys of the record list in a file that is a single object. */
const wrappers = new Set(['rows', 'data', 'records']);
const isSpace = (code: number): boolean => code === 32 || code === 10 || code === 13 || code === 9;

/** Splits streamed JSON text into records, holding at most one of them in memory. */
class JsonScanner {
  #text = '';
  #at = 0;
  #line = 1;
  #depth = 0;
  #inText = false;
  #escaped = false;
  /** Depth of the records; null until known. */
  #level: number | null = null;
  /** Start of the current record (-1: none), and its line. */
  #begin = -1;
  #beginLine = 1;
  #recordDepth = 0;
  /** In a possible wrapper object: start of the last string, the last string, and whether an array has just begun as the value of such a key. */
  #textAt = 0;
  #name = '';
  #isListOpened = false;
  #isEmptyList = false;
  #isOver = false;
  #found: JsonRecord[] = [];

  /** Returns the records that end in this chunk; throws `ReadStop` if the text is not a list of records. */
  read(chunk: string): JsonRecord[] {
    if (this.#isOver) {
      if (this.#level === 1 && chunk.trim() !== '') throw new ReadStop('json', { line: this.#line });
      return [];
    }
    this.#text += chunk;
    for (; this.#at < this.#text.length && !this.#isOver; this.#at++) {
      const code = this.#text.charCodeAt(this.#at);
      this.#step(code);
      if (code === 10) this.#line++;
    }
    return this.#takeFound();
  }
  /** After a chunk's records are used: refuses text after the list and records that are too long, and discards what has been read. */
  forget(): void {
    if (this.#isOver && this.#level === 1 && this.#text.slice(this.#at).trim() !== '') throw new ReadStop('json', { line: this.#line });
    const keepFrom = this.#begin >= 0 ? this.#begin : this.#inText ? this.#textAt : this.#at;
    // An object that may still be a wrapper is not kept completely.
    if (this.#at - keepFrom > sourceLimits.row) throw new ReadStop(this.#level === null ? 'json' : 'row_too_long', { line: this.#beginLine });
    this.#text = this.#text.slice(keepFrom);
    this.#at -= keepFrom;
    this.#textAt -= keepFrom;
    if (this.#begin >= 0) this.#begin = 0;
  }
  /** At the end of the text: the record that only the end closes. Throws `ReadStop` inside an incomplete one. */
  finish(): JsonRecord[] {
    if (this.#level === 0 && this.#depth === 0 && this.#begin >= 0 && !this.#inText) this.#endRecord(this.#at);
    else if (!this.#isOver && (this.#begin >= 0 || this.#inText || this.#depth > 0))
      throw new ReadStop('json_end', { line: this.#begin >= 0 ? this.#beginLine : this.#line });
    return this.#takeFound();
  }

  #takeFound(): JsonRecord[] {
    const found = this.#found;
    this.#found = [];
    return found;
  }
  #startRecord(): void {
    this.#begin = this.#at;
    this.#beginLine = this.#line;
    this.#recordDepth = 0;
  }
  #endRecord(to: number): void {
    this.#found.push({ line: this.#beginLine, text: this.#text.slice(this.#begin, to), depth: this.#recordDepth });
    this.#begin = -1;
  }
  /** A character inside a string. */
  #stepInText(code: number): void {
    if (this.#escaped) this.#escaped = false;
    else if (code === 92) this.#escaped = true;
    else if (code === 34) {
      this.#inText = false;
      if (this.#level === null && this.#depth === 1) this.#name = this.#at - this.#textAt < 20 ? this.#text.slice(this.#textAt + 1, this.#at) : '';
    }
  }
  #close(code: number): void {
    this.#depth--;
    if (this.#level !== null && this.#depth < this.#level && this.#level > 0) {
      if (code !== 93) throw new ReadStop('json', { line: this.#line });
      if (this.#begin >= 0) this.#endRecord(this.#at);
      this.#isOver = true;
    } else if (this.#begin >= 0 && this.#depth === (this.#level ?? 0)) {
      if (this.#level === null && this.#isEmptyList) this.#begin = -1;
      else this.#endRecord(this.#at + 1);
      // The first object was itself a record: more may follow.
      this.#level ??= 0;
    }
    if (code === 93 && this.#isListOpened && this.#level === null) this.#isEmptyList = true;
    this.#isListOpened = false;
  }
  #open(code: number): void {
    this.#isListOpened = this.#level === null && this.#depth === 1 && code === 91 && wrappers.has(this.#name);
    this.#depth++;
    this.#recordDepth = Math.max(this.#recordDepth, this.#depth - (this.#level ?? 0));
  }
  #step(code: number): void {
    if (this.#inText) return this.#stepInText(code);
    if (isSpace(code)) {
      if (this.#level === 0 && this.#depth === 0 && this.#begin >= 0) this.#endRecord(this.#at);
      return;
    }
    if (code === 44 && this.#depth === this.#level) {
      if (this.#begin >= 0) this.#endRecord(this.#at);
      return;
    }
    if (this.#level === null && this.#isListOpened && this.#depth === 2 && code === 123) {
      this.#level = 2;
      this.#begin = -1;
    }
    if (this.#level === null && this.#depth === 0 && code === 91) {
      this.#level = 1;
      this.#depth = 1;
      return;
    }
    if (this.#begin < 0 && this.#depth === (this.#level ?? 0) && code !== 93 && code !== 125) this.#startRecord();
    if (code === 123 || code === 91) return this.#open(code);
    if (code === 93 || code === 125) return this.#close(code);
    if (code === 34) {
      this.#inText = true;
      this.#textAt = this.#at;
    }
    if (code !== 58) this.#isListOpened = false;
  }
}

/**
 * Splits JSON text into records, holding at most one in memory: of an array, of the array in `rows`, `data` or `records` of an object, or of consecutive
 * values (JSON Lines). Throws `ReadStop` if the text ends inside one.
 */
export async function* jsonRecords(texts: AsyncIterable<string>): AsyncGenerator<JsonRecord[]> {
  const scanner = new JsonScanner();
  for await (const chunk of texts) {
    const found = scanner.read(chunk);
    if (found.length > 0) yield found;
    scanner.forget();
  }
  const last = scanner.finish();
  if (last.length > 0) yield last;
}

const hasInfinity = (value: unknown): boolean =>
  typeof value === 'number' ? !Number.isFinite(value) : typeof value === 'object' && value !== null && Object.values(value).some(hasInfinity);

/** Rows of a JSON file; its columns are the keys of all objects, in order of appearance. */
export function jsonSource(file: StoredFile, head: Buffer, options: ReadOptions): Source {
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
  function rowOf({ line, text, depth }: JsonRecord): SourceRow {
    if (depth > deepest) return { line, cells: [], error: 'too_deep' };
    let value: unknown;
    try {
      value = JSON.parse(text);
    } catch {
      return { line, cells: [], error: 'json' };
    }
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return { line, cells: [], error: 'not_an_object' };
    // JSON would turn infinity into null.
    if (hasInfinity(value)) return { line, cells: cellsOf(value as Record<string, unknown>), error: 'number_too_large' };
    return { line, cells: cellsOf(value as Record<string, unknown>), error: null };
  }
  async function* rows(): AsyncGenerator<SourceRow[]> {
    const batch = batcher();
    for await (const records of jsonRecords(texts.texts)) for (const record of records) if (batch.add(rowOf(record))) yield batch.take();
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
