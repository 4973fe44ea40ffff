import type { Readable } from 'node:stream';
import { parse } from 'csv-parse';
import { siteImportLimits as limits } from '../../../../contract/siteImport/terms';
import { keyOf, momentOf, textOf } from '../content/values';
import { SourceStop, limitedTo } from '../zip';
import { noData } from './types';
import type { Sink } from './types';

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
    if (!/^https?:\/\/\S+$/.test(value) || !URL.canParse(value)) this.#link = false;
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
  let columns: readonly { readonly title: string; readonly role: Known | null; readonly key: string }[] | null = null;
  let n = 0;
  try {
    for await (const row of rows as AsyncIterable<string[]>) {
      if (columns === null) {
        const used = new Set<string>();
        columns = row.slice(0, 60).map((title, at) => {
          const role = known.find(([one, head]) => !used.has(one) && head.test(title.trim()))?.[0] ?? null;
          if (role !== null) used.add(role);
          const base = `${keyOf(title, `column_${at + 1}`)}`;
          const key = ['title', 'slug', 'summary', 'body', 'date', 'cover'].includes(base) || used.has(base) ? `${base}_${at + 1}` : base;
          used.add(key);
          return { title: textOf(title, 60) || `${at + 1}`, role, key };
        });
        // Without a title, the first column that has no other meaning is it.
        if (!columns.some(({ role }) => role === 'title')) {
          const first = columns.findIndex(({ role }) => role === null);
          columns = columns.map((one, at) => (at === first ? { ...one, role: 'title' } : one));
        }
        if (!columns.some(({ role }) => role === 'title')) throw new SourceStop('no_title');
        continue;
      }
      n += 1;
      if (n > limits.items) throw new SourceStop('too_many_items');
      const of = (role: Known): string =>
        (columns?.findIndex((one) => one.role === role) ?? -1) === -1 ? '' : (row[columns?.findIndex((one) => one.role === role) ?? 0] ?? '').trim();
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
      const body = of('body');
      await sink.item({
        collection,
        source: `${collection}:${of('id') || of('slug') || path || n}`,
        title: textOf(of('title'), 300) || `${n}`,
        path: path.startsWith('/') ? path : URL.canParse(path) ? new URL(path).pathname : null,
        data: {
          ...noData,
          slug: of('slug') || null,
          published: !/^(?:draft|hidden|unpublished|草稿)$/i.test(of('status')),
          values: {
            summary: textOf(of('summary'), 2000),
            body: /<\w+/.test(body)
              ? body
              : body === ''
                ? ''
                : `<p>${body
                    .replaceAll('&', '&amp;')
                    .replaceAll('<', '&lt;')
                    .replaceAll(/\r?\n+/g, '</p><p>')}</p>`,
            date: momentOf(of('date')),
            ...(/^https?:/.test(of('cover')) && { cover: of('cover') }),
            ...custom,
          },
          seo: { title: textOf(of('seoTitle'), 200), description: textOf(of('seoDescription'), 500) },
          base: URL.canParse(path) ? path : 'https://source.invalid/',
        },
      });
      if (n % 200 === 0) await progress(n);
    }
  } catch (error) {
    if (error instanceof Error && 'code' in error && String(error.code).startsWith('CSV_'))
      throw new SourceStop(String(error.code) === 'CSV_MAX_RECORD_SIZE' ? 'item_too_large' : 'damaged');
    throw error;
  } finally {
    stream.destroy();
  }
  for (const { key, title, role } of columns ?? [])
    if (role === null || role === 'id') sink.field(collection, { key, title, type: types.get(key)?.type ?? 'text' });
  sink.collection(collection, textOf(name.replace(/\.[^.]*$/, ''), 60) || collection);
  if (n === 0) throw new SourceStop('empty');
}
