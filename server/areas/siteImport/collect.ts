import { createHash } from 'node:crypto';
import type { ImportPlan } from '../../../contract/siteImport/schemas';
import { siteImportLimits as limits } from '../../../contract/siteImport/terms';
import type { Context } from '../../context';
import { canonical } from '../../kit/canonical';
import { mediaOf } from './content/html';
import { commonFolder, mayRedirect, slugFor } from './content/paths';
import * as queries from './queries';
import type { ItemHead } from './queries';
import type { ItemData, siteImportItems } from './schema';
import type { Sink, SourceItem } from './sources/types';
import { SourceStop } from './zip';

const atOnce = 50;
const mostListed = 100;
/** Names of templates that every theme has. */
const reserved: ReadonlySet<string> = new Set(['home', 'search', 'not_found']);
const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');
type Field = { readonly key: string; readonly title: string; readonly type: string };

/** Fields that a record has, by what its values are. */
const fieldsOf: Readonly<Record<string, string>> = {
  summary: 'longText',
  body: 'richText',
  date: 'datetime',
  cover: 'image',
  photo: 'image',
  author: 'relation',
  topics: 'relations',
};

/** Receives what a source contains: items go into PostgreSQL as they come, the rest becomes the plan. */
export function openCollector(ctx: Context, importId: string) {
  const { db } = ctx.postgres;
  const facts = { title: '', description: '', language: null as string | null, url: null as string | null };
  const titles = new Map<string, string>();
  const fields = new Map<string, Map<string, Field>>();
  const unsupported = new Map<string, number>();
  const problems: ImportPlan['problems'][number][] = [];
  const media = new Map<string, string>();
  const known = new Set<string>();
  let problemCount = 0;
  let n = 0;
  let rows: (typeof siteImportItems.$inferInsert)[] = [];

  const flush = async (): Promise<void> => {
    // A statement cannot write a row twice.
    const unique = new Map(rows.map((row) => [row.source, row]));
    rows = [];
    await queries.putItems(db, [...unique.values()]);
  };
  const note = (collection: string, key: string, field: Field): void => {
    const own = fields.get(collection) ?? new Map<string, Field>();
    fields.set(collection, own);
    if (!own.has(key)) own.set(key, field);
  };
  const problem = (place: string, code: string): void => {
    problemCount += 1;
    if (problems.length < mostListed) problems.push({ place: place.slice(0, 300), code });
  };
  const addMedia = (source: string, alt: string): void => {
    if (/^https:\/\/source\.invalid\//.test(source) || source.length > 2000) return;
    if (media.has(source)) return;
    if (media.size < limits.media) media.set(source, alt);
    else if (media.size === limits.media) problem(source, 'too_many_files');
  };
  async function item({ collection: named, source, title, path, data }: SourceItem): Promise<void> {
    const collection = reserved.has(named) ? `${named}_items` : named;
    if (!known.has(`${collection} ${source}`)) {
      known.add(`${collection} ${source}`);
      n += 1;
    }
    if (known.size > limits.items) throw new SourceStop('too_many_items');
    for (const [key, value] of [...Object.entries(data.values), ...Object.entries(data.links)]) {
      if (value !== null && value !== '' && value !== undefined) {
        const type = fieldsOf[key];
        if (type !== undefined) note(collection, key, { key, title: key, type });
      }
    }
    const { body, cover, photo } = data.values;
    if (typeof body === 'string') for (const one of mediaOf(body, data.base)) addMedia(one.source, one.alt);
    for (const one of [cover, photo]) if (typeof one === 'string' && /^(?:https?|file):/.test(one)) addMedia(one, '');
    const text = canonical({ title, path, data });
    if (text.length > limits.itemBytes * 2) return problem(title, 'item_too_large');
    const plain = JSON.parse(text.replaceAll('\\u0000', '')) as { readonly data: ItemData };
    rows.push({ importId, kind: 'record', source, n, collection, title, oldPath: path, hash: sha256(text), data: plain.data, outcome: 'pending' });
    if (rows.length >= atOnce) await flush();
    return undefined;
  }
  const sink: Sink = {
    item,
    problem,
    site: (given) => Object.assign(facts, Object.fromEntries(Object.entries(given).filter(([, value]) => value !== '' && value !== undefined))),
    collection: (key, title) => void titles.set(key, title),
    field: (collection, field) => note(collection, field.key, field),
    unsupported: (name) => {
      if (unsupported.size < mostListed || unsupported.has(name)) unsupported.set(name, (unsupported.get(name) ?? 0) + 1);
    },
  };

  /** Pictures of posts that are named by the id of their attachment. */
  async function settleAttachments(files: ReadonlyMap<string, { readonly url: string; readonly alt: string }>): Promise<void> {
    await flush();
    for (const head of await queries.itemHeads(db, importId)) {
      const [row] = await queries.itemsBySource(db, importId, [head.source]);
      const cover = row?.data.values['cover'];
      if (!row || typeof cover !== 'string' || !cover.startsWith('attachment:')) continue;
      const found = files.get(cover.slice('attachment:'.length));
      const { cover: _cover, ...values } = row.data.values;
      if (found) addMedia(found.url, found.alt);
      await queries.changeItem(db, row, { data: { ...row.data, values: found ? { ...values, cover: found.url } : values } });
    }
  }

  /** Stores the addresses that records get and the files that come along; what a run would do. */
  async function finish(): Promise<ImportPlan> {
    await flush();
    const list = [...media];
    for (let at = 0; at < list.length; at += 500)
      await queries.putItems(
        db,
        list.slice(at, at + 500).map(([source, alt], index) => ({
          importId,
          kind: 'media',
          source,
          n: at + index,
          collection: '',
          title: source.split('/').at(-1)?.slice(0, 200) ?? '',
          hash: '',
          data: { slug: null, published: true, values: {}, links: {}, seo: { title: '', description: '' }, base: '', aliases: [], alt },
          outcome: 'pending',
        })),
      );
    const heads = await queries.itemHeads(db, importId);
    if (heads.length === 0) throw new SourceStop('empty');
    const collections = planCollections(heads, titles, fields);
    const addresses = addressesOf(heads, collections);
    await queries.setNewPaths(db, importId, addresses);
    const newPaths = new Map(addresses.map(({ source, path }) => [source, path]));
    const moves = (head: ItemHead): number =>
      [head.oldPath, ...head.aliases].filter((path) => path !== null && mayRedirect(path) && path !== newPaths.get(head.source)).length;
    const planned = collections.map((one) => ({
      ...one,
      moved: heads.filter(({ collection }) => collection === one.key).reduce((sum, head) => sum + moves(head), 0),
    }));
    return {
      site: { ...facts, title: facts.title.slice(0, 120), description: facts.description.slice(0, 300) },
      collections: planned,
      media: media.size,
      redirects: planned.reduce((sum, { moved }) => sum + moved, 0),
      unsupported: [...unsupported].map(([name, count]) => ({ name, count })).sort((a, b) => b.count - a.count),
      problems,
      problemCount,
    };
  }
  return { sink, finish, settleAttachments, flush };
}

/** Records that others link to come first. */
const order = ['authors', 'topics', 'front', 'pages', 'posts'];
const rankOf = (key: string): number => (order.includes(key) ? order.indexOf(key) : order.length);

function planCollections(
  heads: readonly ItemHead[],
  titles: ReadonlyMap<string, string>,
  fields: ReadonlyMap<string, ReadonlyMap<string, Field>>,
): ImportPlan['collections'] {
  const groups = new Map<string, ItemHead[]>();
  for (const head of heads) groups.set(head.collection, [...(groups.get(head.collection) ?? []), head]);
  if (groups.size > limits.collections) throw new SourceStop('too_many_collections');
  const used = new Set<string>(['/{slug}']);
  return [...groups]
    .sort(([a], [b]) => rankOf(a) - rankOf(b))
    .map(([key, own]) => {
      const folder = commonFolder(own.map(({ oldPath }) => oldPath));
      const wished = key === 'front' ? null : key === 'pages' ? '/{slug}' : folder === null ? `/${key}/{slug}` : `${folder}/{slug}`;
      const path = wished !== null && key !== 'pages' && used.has(wished) ? `/${key}/{slug}` : wished;
      if (path !== null) used.add(path);
      return {
        key,
        title: titles.get(key) ?? '',
        count: own.length,
        drafts: own.filter(({ published }) => !published).length,
        table: key,
        path,
        moved: 0,
        fields: [...(fields.get(key)?.values() ?? [])],
        examples: own.slice(0, 3).map(({ title }) => title),
      };
    });
}

/** The address of each record, with a name that no other record of its collection has. */
function addressesOf(heads: readonly ItemHead[], collections: ImportPlan['collections']): { source: string; path: string | null }[] {
  const patterns = new Map(collections.map(({ key, path }) => [key, path]));
  const used = new Set<string>();
  return heads.map((head) => {
    const pattern = patterns.get(head.collection);
    if (head.collection === 'front') return { source: head.source, path: '/' };
    if (!pattern) return { source: head.source, path: null };
    const base = slugFor(head.oldPath, head.slug, head.title);
    let path = pattern.replace('{slug}', base);
    for (let count = 2; used.has(path); count += 1) path = pattern.replace('{slug}', `${base}-${count}`);
    used.add(path);
    return { source: head.source, path };
  });
}
