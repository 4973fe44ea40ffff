import type { ReadOptions } from '../../../../../contract/tables/transfers';
import { unsafeCell } from '../../../../csv';
import { countLines, nextLine, recordAt } from '../../../../kit/text/csvRecords';
import type { Delimiter } from '../../../../kit/text/csvRecords';
import { decodeHead, delimiterOf, encodingOf, saidDelimiter, textsOf } from '../../../../kit/text/decode';
import type { StoredFile } from '../../../../stores/files/storedFile';
import { headerOf } from './header';
import { ReadStop, batcher, cutCell, namesFrom, sourceLimits } from './source';
import type { Source, SourceRow } from './source';

/** Maximum characters re-read after unclosed quotes, so that a file full of them is not read a million times. */
const mostAgain = 256 * 2 ** 20;

/** Records with their first line; lines count from 1. Empty lines are skipped. */
export async function* csvRecords(texts: AsyncIterable<string>, delimiter: Delimiter): AsyncGenerator<SourceRow[]> {
  const batch = batcher();
  let text = '';
  let at = 0;
  let line = 1;
  let again = 0;
  function* read(isWhole: boolean): Generator<SourceRow[]> {
    while (at < text.length) {
      const found = recordAt(text, at, delimiter, isWhole || text.length - at > sourceLimits.row);
      if (found.kind === 'more') return;
      // A record truncated at the limit would look complete, and its rest like further rows.
      if (!isWhole && found.kind === 'record' && found.next >= text.length && text.length - at > sourceLimits.row) throw new ReadStop('row_too_long', { line });
      let row: SourceRow;
      if (found.kind === 'broken') {
        // The line is reported as broken, and reading continues after it, so that nothing is swallowed.
        again += text.length - at;
        const open = line + countLines(text, at, found.open);
        if (again > mostAgain) throw new ReadStop('quote_open', { line: open });
        const next = nextLine(text, found.open);
        row = {
          line: open,
          cells: [cutCell(text.slice(at, next).trimEnd())],
          error: found.closedAt !== null && countLines(text, found.open, found.closedAt) === 0 ? 'quote' : 'quote_open',
        };
        line += countLines(text, at, next);
        at = next;
      } else {
        const { cells, next, quoted } = found;
        const isEmpty = cells.length === 1 && cells[0] === '' && !quoted;
        row = { line, cells: cells.map((cell) => cutCell(unsafeCell(cell))), error: null };
        line += quoted ? countLines(text, at, next) : 1;
        at = next;
        if (isEmpty) continue;
      }
      if (batch.add(row)) yield batch.take();
    }
  }
  // An incomplete record is parsed from its start each time; doing so for every chunk would take quadratic time.
  let requiredLength = 0;
  for await (const chunk of texts) {
    text = at === 0 ? text + chunk : text.slice(at) + chunk;
    at = 0;
    if (text.length < requiredLength) continue;
    yield* read(false);
    requiredLength = Math.min((text.length - at) * 1.5, sourceLimits.row + 1);
  }
  yield* read(true);
  const rest = batch.take();
  if (rest.length > 0) yield rest;
}

const textCells = (row: SourceRow): string[] => row.cells.map((cell) => (typeof cell === 'string' ? cell : ''));

/**
 * Rows of a CSV file (RFC 4180, any of four delimiters and four encodings, all line endings, rows of unequal length). A broken quote only affects its
 * own line.
 */
export async function csvSource(file: StoredFile, head: Buffer, options: ReadOptions): Promise<Source> {
  const encoding = options.encoding ?? encodingOf(head);
  const first = decodeHead(head, encoding);
  const delimiter = options.delimiter ?? delimiterOf(first);
  const delimiterLines = saidDelimiter(first) === null ? 0 : 1;
  let header = options.header;
  if (header === undefined) {
    const sampleRows: SourceRow[] = [];
    for await (const some of csvRecords(singleText(first), delimiter)) sampleRows.push(...some);
    header = headerOf(sampleRows.filter((row) => row.line > delimiterLines).map((row) => ({ line: row.line, cells: textCells(row) })));
  }
  const named = header;
  let names: readonly string[] = [];
  const texts = textsOf(file, encoding);

  async function* rows(): AsyncGenerator<SourceRow[]> {
    let waiting = named > 0;
    for await (const all of csvRecords(texts.texts, delimiter)) {
      const dataRows: SourceRow[] = [];
      for (const row of all) {
        if (row.line <= delimiterLines) continue;
        if (waiting) {
          if (row.line < named) continue;
          names = namesFrom(row.cells, 0);
          waiting = false;
          if (row.line === named) continue;
        }
        if (row.cells.length > names.length) names = namesFrom(names, row.cells.length);
        dataRows.push(row);
      }
      if (dataRows.length > 0) yield dataRows;
    }
  }
  return {
    read: { format: 'csv', encoding, delimiter, sheet: '', header: named },
    sheets: [],
    rows: rows(),
    names: () => names,
    bytesRead: texts.bytesRead,
    merged: () => [],
    skipRest: async () => undefined,
    close: texts.close,
  };
}

// oxlint-disable-next-line require-await
async function* singleText(text: string): AsyncGenerator<string> {
  yield text;
}
