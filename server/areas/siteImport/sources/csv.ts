import type { Readable } from 'node:stream';
import { parse } from 'csv-parse';
import { siteImportLimits as limits } from '../../../../contract/siteImport/terms';
import { parseUrl } from '../../../../contract/parseUrl';
import { keyOf, momentOf, textOf } from '../content/values';
import { SourceStop, limitedTo } from '../zip';
import { noData } from './types';
import type { Sink, SourceItem } from './types';

type Known = 'title' | 'slug' | 'summary' | 'body' | 'date' | 'cover' | 'id' | 'path' | 'seoTitle' | 'seoDescription' | 'status';
/** Columns by what their heads usually say. */
const known: readonly (readonly [Known, RegExp])[] = [
  ['title', /^(?:title|name|post[_ ]title|product[_ ]name|标题|名称)$/i],
  ['slug', /^(?:slug|handle|url[_ ]key|网址标识)$/i],
  ['path', /^(?:url|link|path|permalink|address|网址|地址|链接)$/i],
  ['summary', /^(?:summary|excerpt|short[_ ]description|摘要|简介)$/i],
  ['body', /^(?:body|content|description|html|text|body[_ ]\(?html\)?|正文|内容|描述|详情)$/i],
  ['date', /^(?:date|published(?:[_ ]at)?|created(?:[_ ]at)?|日期|发布时间)$/i],
  ['cover', /^(?:image|cover|image[_ ]src|photo|picture|thumbnail|图片|封面)$/i],
  ['id', /^(?:id|sku|编号)$/i],
  ['seoTitle', /^(?:seo|meta)[_ ]title$/i],
  ['seoDescription', /^(?:seo|meta)[_ ]description$/i],
  ['status', /^(?:status|状态)$/i],
];

/** What the values of a column fit. */
class ColumnType {
  #number = true;
  #link = true;
  #longest = 0;
  #filled = 0;
  add(value: string): void {
    if (value === '') return;
    this.#filled += 1;
    this.#longest = Math.max(this.#longest, value.length);
    if (!/^-?\d{1,15}(?:\.\d{1,6})?$/.test(value) || /^-?0\d/.test(value)) this.#number = false;
    if (!/^https?:\/\/\S+$/.test(value) || parseUrl(value) === null) this.#link = false;
  }
  get type(): string {
    if (this.#filled === 0) return 'text';
    return this.#number ? 'number' : this.#link ? 'url' : this.#longest > 200 ? 'longText' : 'text';
  }
}

/** The delimiter that the first line has most of. */
export function delimiterIn(head: string): string {
  const [line = ''] = head.split(/\r?\n/, 1);
  const count = (one: string): number => line.split(one).length;
  return [',', ';', '\t'].reduce((best, one) => (count(one) > count(best) ? one : best));
}

const draftStatus = /^(?:draft|hidden|unpublished|草稿)$/i;
type Column = { readonly title: string; readonly role: Known | null; readonly key: string };
const placedKeys: ReadonlySet<string> = new Set(['title', 'slug', 'summary', 'body', 'date', 'cover', 'photo', 'author', 'topics']);

/** What the columns are, by their heads. Throws `SourceStop` if none can be the title. */
function columnsOf(heads: readonly string[]): Column[] {
  const used = new Set<string>();
  const columns = heads.slice(0, 60).map((title, at): Column => {
    const role = known.find(([one, head]) => !used.has(one) && head.test(title.trim()))?.[0] ?? null;
    if (role !== null) used.add(role);
    const base = keyOf(title, `column_${at + 1}`);
    const key = placedKeys.has(base) || used.has(base) ? `${base}_${at + 1}` : base;
    used.add(key);
    return { title: textOf(title, 60) || String(at + 1), role, key };
  });
  if (columns.some(({ role }) => role === 'title')) return columns;
  // Without a title, the first column that has no other meaning is it.
  const first = columns.findIndex(({ role }) => role === null);
  if (first === -1) throw new SourceStop('no_title');
  return columns.map((one, at) => (at === first ? { ...one, role: 'title' } : one));
}

/** Text as paragraphs, unless it is HTML. */
const htmlOf = (text: string): string =>
  text === '' || /<\w+/.test(text)
    ? text
    : `<p>${text
        .replaceAll('&', '&amp;')
        .replaceAll('<', '&lt;')
        .replaceAll(/\r?\n+/g, '</p><p>')}</p>`;

function itemOf(collection: string, n: number, columns: readonly Column[], row: readonly string[], types: Map<string, ColumnType>): SourceItem {
  const of = (role: Known): string => (row[columns.findIndex((one) => one.role === role)] ?? '').trim();
  const custom: Record<string, unknown> = {};
  for (const [at, { role, key }] of columns.entries()) {
    if (role !== null && role !== 'id') continue;
    const value = textOf(row[at], 20_000);
    const type = types.get(key) ?? new ColumnType();
    types.set(key, type);
    type.add(value);
    if (value !== '') custom[key] = value;
  }
  const path = of('path');
  return {
    collection,
    source: `${collection}:${of('id') || of('slug') || path || n}`,
    title: textOf(of('title'), 300) || String(n),
    path: path.startsWith('/') ? path : (parseUrl(path)?.pathname ?? null),
    data: {
      ...noData,
      slug: of('slug') || null,
      published: !draftStatus.test(of('status')),
      values: {
        summary: textOf(of('summary'), 2000),
        body: htmlOf(of('body')),
        date: momentOf(of('date')),
        ...(/^https?:/.test(of('cover')) && { cover: of('cover') }),
        ...custom,
      },
      seo: { title: textOf(of('seoTitle'), 200), description: textOf(of('seoDescription'), 500) },
      base: parseUrl(path) !== null ? path : 'https://source.invalid/',
    },
  };
}

/** Reads a table of pages or products. Throws `SourceStop`. */
export async function readCsv(
  stream: Readable,
  { name, delimiter }: { readonly name: string; readonly delimiter: string },
  sink: Sink,
  progress: (done: number) => Promise<void>,
): Promise<void> {
  const input = stream.pipe(limitedTo(limits.documentBytes));
  stream.on('error', (error) => input.destroy(error));
  const rows = input.pipe(parse({ bom: true, relax_column_count: true, skip_empty_lines: true, max_record_size: limits.itemBytes, delimiter }));
  input.on('error', (error) => rows.destroy(error));
  const collection = keyOf(name.replace(/\.[^.]*$/, ''), 'items');
  const types = new Map<string, ColumnType>();
  let columns: readonly Column[] = [];
  let n = 0;
  try {
    for await (const row of rows as AsyncIterable<string[]>) {
      if (columns.length === 0) {
        columns = columnsOf(row);
        continue;
      }
      n += 1;
      await sink.item(itemOf(collection, n, columns, row, types));
      if (n % 200 === 0) await progress(n);
    }
  } catch (error) {
    if (error instanceof Error && 'code' in error && String(error.code).startsWith('CSV_'))
      throw new SourceStop(error.code === 'CSV_MAX_RECORD_SIZE' ? 'item_too_large' : 'damaged');
    throw error;
  } finally {
    stream.destroy();
  }
  for (const { key, title, role } of columns) if (role === null || role === 'id') sink.field(collection, { key, title, type: types.get(key)?.type ?? 'text' });
  sink.collection(collection, textOf(name.replace(/\.[^.]*$/, ''), 60) || collection);
  if (n === 0) throw new SourceStop('empty');
}
