import type { ImportPlan } from '../../../contract/siteImport/schemas';
import { siteImportLimits as limits } from '../../../contract/siteImport/terms';
import type { Context } from '../../context';
import { mediaOf } from './content/html';
import { commonFolder, slugFor } from './content/paths';
import * as queries from './queries';
import type { ItemHead } from './queries';
import type { ItemData, siteImportItems } from './schema';
import { noData } from './sources/types';
import { SourceStop } from './zip';

export type Field = { readonly key: string; readonly title: string; readonly type: string };
/** Addresses and texts of files of an exported website by id, where its posts name them by id. */
export type Attachments = ReadonlyMap<string, { readonly url: string; readonly alt: string }>;

/** Fields that a record has, by what its values are. */
const typeOf: Readonly<Record<string, string>> = {
  summary: 'longText',
  body: 'richText',
  date: 'datetime',
  cover: 'image',
  photo: 'image',
  author: 'relation',
  topics: 'relations',
};
const attachment = 'attachment:';
const atOnce = 100;

function fieldsIn({ values, links }: ItemData): Field[] {
  return [...Object.entries(values), ...Object.entries(links)].flatMap(([key, value]) => {
    const type = typeOf[key];
    return type === undefined || value === null || value === undefined || value === '' ? [] : [{ key, title: key, type }];
  });
}
const filesIn = ({ values, base }: ItemData): { readonly source: string; readonly alt: string }[] => [
  ...(typeof values['body'] === 'string' ? mediaOf(values['body'], base) : []),
  ...[values['cover'], values['photo']].flatMap((one) => (typeof one === 'string' && /^(?:https?|file):/.test(one) ? [{ source: one, alt: '' }] : [])),
];

/** Whether a file can be fetched: a text without an address of its own resolves its links against `source.invalid`. */
export const isFileSource = (source: string): boolean => !source.startsWith('https://source.invalid/') && source.length <= 2000;

/** Rows of files; `from`: the place of the first in their order. */
export const mediaRows = (importId: string, media: readonly (readonly [source: string, alt: string])[], from = 0): (typeof siteImportItems.$inferInsert)[] =>
  media.map(([source, alt], at) => ({
    importId,
    kind: 'media',
    source,
    n: from + at,
    collection: '',
    title: source.split('/').at(-1)?.slice(0, 200) ?? '',
    hash: '',
    data: { ...noData, alt },
    outcome: 'pending',
  }));

export type Inventory = {
  readonly fields: ReadonlyMap<string, ReadonlyMap<string, Field>>;
  readonly media: ReadonlyMap<string, string>;
  readonly isFull: boolean;
};

/** Fields and files of everything that was read. Covers that are named by id get their address. */
export async function takeInventory(ctx: Context, importId: string, attachments: Attachments): Promise<Inventory> {
  const { db } = ctx.postgres;
  const fields = new Map<string, Map<string, Field>>();
  const media = new Map<string, string>();
  let isFull = false;
  const addFile = (source: string, alt: string): void => {
    if (!isFileSource(source) || media.has(source)) return;
    if (media.size < limits.media) media.set(source, alt);
    else isFull = true;
  };
  for (let after = { n: -1, source: '' }; ;) {
    const rows = await queries.itemsAfter(db, importId, after, atOnce);
    for (const row of rows) {
      let { data } = row;
      const { cover, ...values } = data.values;
      if (typeof cover === 'string' && cover.startsWith(attachment)) {
        const found = attachments.get(cover.slice(attachment.length));
        data = { ...data, values: found ? { ...values, cover: found.url } : values };
        if (found) addFile(found.url, found.alt);
        await queries.changeItem(db, row, { data });
      }
      const own = fields.get(row.collection) ?? new Map<string, Field>();
      fields.set(row.collection, own);
      for (const field of fieldsIn(data)) if (!own.has(field.key)) own.set(field.key, field);
      for (const { source, alt } of filesIn(data)) addFile(source, alt);
    }
    const last = rows.at(-1);
    if (!last || rows.length < atOnce) return { fields, media, isFull };
    after = { n: last.n, source: last.source };
  }
}

/** Records that others link to come first. */
const order = ['authors', 'topics', 'front', 'pages', 'posts'];
const rankOf = (key: string): number => (order.includes(key) ? order.indexOf(key) : order.length);

export function planCollections(heads: readonly ItemHead[], titles: ReadonlyMap<string, string>, fields: Inventory['fields']): ImportPlan['collections'] {
  const groups = new Map<string, ItemHead[]>();
  for (const head of heads) {
    const group = groups.get(head.collection);
    if (group) group.push(head);
    else groups.set(head.collection, [head]);
  }
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
export function addressesOf(heads: readonly ItemHead[], collections: ImportPlan['collections']): { source: string; path: string | null }[] {
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
