import type { Readable } from 'node:stream';
import { SaxesParser } from 'saxes';
import type { Entry, ZipFile } from 'yauzl';
import type { ReadOptions } from '../../../../../contract/tables/transfers';
import type { StoredFile } from '../../../../stores/files/storedFile';
import { openZip } from '../../../../stores/files/zip';
import { headerOf } from './header';
import { ReadStop, batcher, cutCell, namesFrom, sourceLimits } from './source';
import type { Source, SourceRow } from './source';
import { styleOf, textOfNumber } from './xlsxNumbers';
import type { CellStyle } from './xlsxNumbers';

/** Maximum unpacked bytes of a workbook: all parts that are read, and the shared strings, which are held in memory. */
const mostUnpacked = 400 * 2 ** 20;
const mostShared = 100 * 2 ** 20;
const mostEntries = 5000;
const mostMerged = 20;
/** Maximum bytes of auxiliary parts, nesting of elements, and lines of a sheet (Excel: 1,048,576). */
const mostAside = 20 * 2 ** 20;
const mostDepth = 100;
const mostLines = 100_000_000;

type Attributes = Readonly<Record<string, string>>;
type Handlers = {
  readonly open?: (name: string, attributes: Attributes) => void;
  readonly text?: (text: string) => void;
  readonly close?: (name: string) => void;
};
const local = (name: string): string => name.slice(name.indexOf(':') + 1);
const broken = (cause: unknown): ReadStop => (cause instanceof ReadStop ? cause : new ReadStop('xlsx'));

/** Reads XML as a stream, yielding after every chunk. Ignores namespaces: every part uses one. */
async function* xmlSteps(stream: Readable, handlers: Handlers): AsyncGenerator<void> {
  const parser = new SaxesParser({ xmlns: false });
  parser.on('error', (error) => {
    throw error;
  });
  // The parser buffers open elements and the current text or tag: a small archive may unpack into hundreds of megabytes of either.
  let depth = 0;
  let unread = 0;
  parser.on('opentag', (tag) => {
    unread = 0;
    if (++depth > mostDepth) throw new ReadStop('xlsx');
    handlers.open?.(local(tag.name), tag.attributes);
  });
  if (handlers.text) parser.on('text', handlers.text);
  parser.on('closetag', (tag) => {
    unread = 0;
    depth--;
    handlers.close?.(local(tag.name));
  });
  const decoder = new TextDecoder('utf-8');
  try {
    for await (const chunk of stream as AsyncIterable<Buffer>) {
      unread += chunk.length;
      parser.write(decoder.decode(chunk, { stream: true }));
      if (unread > sourceLimits.row) throw new ReadStop('xlsx');
      yield;
    }
    parser.close();
  } catch (error) {
    throw broken(error);
  } finally {
    stream.destroy();
  }
}
async function readXml(stream: Readable, handlers: Handlers): Promise<void> {
  for await (const _ of xmlSteps(stream, handlers));
}

/** `_x000D_` escapes a character that XML cannot contain (ECMA-376, part 1, 22.9.2.19). */
const unescaped = (text: string): string =>
  text.includes('_x') ? text.replaceAll(/_x([\dA-Fa-f]{4})_/g, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16))) : text;

type Parts = { readonly zip: ZipFile; readonly entries: ReadonlyMap<string, Entry> };
async function openParts(file: StoredFile): Promise<Parts> {
  let zip: ZipFile;
  try {
    zip = await openZip(file);
  } catch {
    throw new ReadStop('xlsx');
  }
  const entries = new Map<string, Entry>();
  try {
    let unpacked = 0;
    for await (const entry of zip.eachEntry()) {
      entries.set(entry.fileName.replaceAll('\\', '/').replace(/^\//, ''), entry);
      if (/\.(?:xml|rels)$/i.test(entry.fileName)) unpacked += entry.uncompressedSize;
      if (entries.size > mostEntries || unpacked > mostUnpacked) throw new ReadStop('xlsx_too_large', { max: mostUnpacked / 2 ** 20 });
    }
  } catch (error) {
    zip.close();
    throw broken(error);
  }
  return { zip, entries };
}
async function streamOf({ zip, entries }: Parts, name: string, most = mostAside): Promise<Readable | null> {
  const entry = entries.get(name) ?? [...entries.values()].find((one) => one.fileName.toLowerCase() === name.toLowerCase());
  if (entry && entry.uncompressedSize > most) throw new ReadStop('xlsx_too_large', { max: most / 2 ** 20 });
  return entry ? zip.openReadStreamPromise(entry) : null;
}

type Sheet = { readonly name: string; readonly part: string };
type Book = { readonly sheets: readonly Sheet[]; readonly since1904: boolean };
async function readBook(parts: Parts): Promise<Book> {
  const targets = new Map<string, string>();
  const rels = await streamOf(parts, 'xl/_rels/workbook.xml.rels');
  const book = await streamOf(parts, 'xl/workbook.xml');
  if (!rels || !book) throw new ReadStop(parts.entries.has('Index/Document.iwa') ? 'numbers' : 'xlsx');
  await readXml(rels, { open: (name, { Id, Target }) => void (name === 'Relationship' && Id && Target && targets.set(Id, Target)) });
  const sheets: Sheet[] = [];
  let since1904 = false;
  await readXml(book, {
    open(name, attributes) {
      if (name === 'workbookPr') since1904 = attributes.date1904 === '1' || attributes.date1904 === 'true';
      if (name !== 'sheet') return;
      const target = targets.get(attributes['r:id'] ?? Object.entries(attributes).find(([key]) => local(key) === 'id')?.[1] ?? '');
      if (target !== undefined) sheets.push({ name: attributes.name ?? '', part: target.startsWith('/') ? target.slice(1) : `xl/${target}` });
    },
  });
  return { sheets: sheets.filter(({ part }) => parts.entries.has(part)), since1904 };
}

async function readShared(parts: Parts): Promise<string[]> {
  const entry = parts.entries.get('xl/sharedStrings.xml');
  if (!entry) return [];
  if (entry.uncompressedSize > mostShared) throw new ReadStop('xlsx_too_large', { max: mostShared / 2 ** 20 });
  const shared: string[] = [];
  let text = '';
  let inText = false;
  // Phonetic guides (furigana) are not part of the text.
  let aside = 0;
  await readXml(await parts.zip.openReadStreamPromise(entry), {
    open(name) {
      if (name === 'si') text = '';
      else if (name === 'rPh') aside++;
      inText = name === 't' && aside === 0;
    },
    text: (some) => void (inText && (text += some)),
    close(name) {
      inText = false;
      if (name === 'rPh') aside--;
      else if (name === 'si') shared.push(cutCell(unescaped(text)));
    },
  });
  return shared;
}

async function readStyles(parts: Parts): Promise<CellStyle[]> {
  const stream = await streamOf(parts, 'xl/styles.xml');
  if (!stream) return [];
  const formats = new Map<number, string>();
  const styles: CellStyle[] = [];
  let inCells = false;
  await readXml(stream, {
    open(name, attributes) {
      if (name === 'numFmt') formats.set(Number(attributes.numFmtId), attributes.formatCode ?? '');
      else if (name === 'cellXfs') inCells = true;
      else if (name === 'xf' && inCells) styles.push(styleOf(Number(attributes.numFmtId ?? 0), formats));
    },
    close: (name) => void (name === 'cellXfs' && (inCells = false)),
  });
  return styles;
}

function columnOf(ref: string | undefined): number | null {
  const found = /^([A-Z]{1,3})\d+$/i.exec(ref ?? '')?.[1];
  if (!found) return null;
  let column = 0;
  for (const letter of found.toUpperCase()) column = column * 26 + letter.charCodeAt(0) - 64;
  return column - 1;
}

/** A row's number; null if missing or invalid. */
function lineOf(text: string | undefined): number | null {
  const line = Number(text);
  return Number.isInteger(line) && line > 0 && line <= mostLines ? line : null;
}

type Reading = { readonly shared: readonly string[]; readonly styles: readonly CellStyle[]; readonly since1904: boolean; readonly merged: string[] };
/** Streams the rows of a sheet as texts; empty rows are skipped. */
async function* sheetRows(stream: Readable, { shared, styles, since1904, merged }: Reading): AsyncGenerator<SourceRow[]> {
  const batch = batcher();
  const ready: SourceRow[][] = [];
  let cells: string[] = [];
  let chars = 0;
  let line = 0;
  let column = -1;
  let type = 'n';
  let style = 0;
  let inValue = false;
  let aside = 0;
  let text = '';
  const value = (): string => {
    if (text === '') return '';
    if (type === 's') return shared[Number(text)] ?? '';
    if (type === 'b') return text === '1' || text === 'true' ? 'TRUE' : 'FALSE';
    if (type === 'n') return textOfNumber(text, styles[style] ?? 'number', since1904);
    return cutCell(unescaped(text));
  };
  const handlers: Handlers = {
    open(name, attributes) {
      switch (name) {
        case 'row':
          line = lineOf(attributes.r) ?? line + 1;
          cells = [];
          chars = 0;
          column = -1;
          return;
        case 'c':
          column = columnOf(attributes.r) ?? column + 1;
          type = attributes.t ?? 'n';
          style = Number(attributes.s ?? 0);
          text = '';
          return;
        case 'rPh':
          aside++;
          return;
        case 'v':
        case 't':
          inValue = aside === 0;
          return;
        case 'mergeCell':
          if (attributes.ref && merged.length < mostMerged) merged.push(attributes.ref);
      }
    },
    text: (some) => void (inValue && text.length <= sourceLimits.cell * 6 && (text += some)),
    close(name) {
      if (name === 'v' || name === 't') inValue = false;
      else if (name === 'rPh') aside--;
      else if (name === 'c' && column < sourceLimits.columns) {
        const cell = value();
        if (cell === '') return;
        // Cells may share one long text: a row of them could exceed the maximum string length.
        chars += cell.length;
        if (chars > sourceLimits.row) throw new ReadStop('row_too_long', { line });
        while (cells.length < column) cells.push('');
        cells[column] = cell;
      } else if (name === 'row' && cells.length > 0 && batch.add({ line, cells, error: null })) ready.push(batch.take());
    },
  };
  for await (const _ of xmlSteps(stream, handlers)) yield* ready.splice(0);
  yield* ready;
  const rest = batch.take();
  if (rest.length > 0) yield rest;
}

/** Merged ranges follow the rows: finds them without parsing the cells again. */
async function mergedIn(stream: Readable): Promise<string[]> {
  const merged: string[] = [];
  let tail = '';
  for await (const chunk of stream as AsyncIterable<Buffer>) {
    const text = tail + chunk.toString('latin1');
    for (const [, ref = ''] of text.matchAll(/<(?:\w{1,20}:)?mergeCell\b[^<>]*?\bref="([A-Z\d:]{3,20})"/g)) if (merged.length < mostMerged) merged.push(ref);
    const open = text.lastIndexOf('<');
    tail = open >= 0 && !text.includes('>', open) ? text.slice(open, open + 200) : '';
  }
  return merged;
}

/**
 * Rows of one sheet of a workbook (ECMA-376). Unpacks only what the sheet needs, while reading, and within a limit: the sizes stated in the archive are
 * added up first, and yauzl stops if one of them is wrong. Formulas yield their last results.
 */
export async function xlsxSource(file: StoredFile, options: ReadOptions): Promise<Source> {
  const parts = await openParts(file);
  try {
    const { sheets, since1904 } = await readBook(parts);
    const sheet = options.sheet ? sheets.find((one) => one.name === options.sheet) : sheets[0];
    if (!sheet) throw new ReadStop('sheet');
    const shared = await readShared(parts);
    const styles = await readStyles(parts);
    let merged: string[] = [];
    const open = async (): Promise<Readable> => (await streamOf(parts, sheet.part, mostUnpacked)) ?? Promise.reject(new ReadStop('xlsx'));
    const reading: Reading = { shared, styles, since1904, merged: [] };
    let named = options.header;
    if (named === undefined) {
      for await (const some of sheetRows(await open(), { ...reading, merged: [] })) {
        named = headerOf(some.map((row) => ({ line: row.line, cells: row.cells as readonly string[] })));
        break;
      }
    }
    const header = named ?? 1;
    let names: readonly string[] = [];
    const total = parts.entries.get(sheet.part)?.uncompressedSize ?? 0;
    let consumedBytes = 0;
    async function* rows(): AsyncGenerator<SourceRow[]> {
      let waiting = header > 0;
      const stream = await open();
      stream.on('data', (chunk: Buffer) => void (consumedBytes += chunk.length)).pause();
      for await (const all of sheetRows(stream, reading)) {
        const dataRows: SourceRow[] = [];
        for (const row of all) {
          if (waiting) {
            if (row.line < header) continue;
            names = namesFrom(row.cells, 0);
            waiting = false;
            if (row.line === header) continue;
          }
          if (row.cells.length > names.length) names = namesFrom(names, row.cells.length);
          dataRows.push(row);
        }
        if (dataRows.length > 0) yield dataRows;
      }
      ({ merged } = reading);
    }
    return {
      read: { format: 'xlsx', encoding: 'utf-8', delimiter: ',', sheet: sheet.name, header },
      sheets: sheets.map((one) => one.name),
      rows: rows(),
      names: () => names,
      bytesRead: () => (total === 0 ? 0 : Math.min(1, consumedBytes / total)),
      merged: () => merged,
      skipRest: async () => void (merged = await mergedIn(await open())),
      close: () => parts.zip.close(),
    };
  } catch (error) {
    parts.zip.close();
    throw broken(error);
  }
}
