import type { Context } from '../../context';
import { aliasAddress } from '../../../contract/resources/alias';
import type { ImportCollection } from '../../../contract/siteImport/schemas';
import { parseUrl } from '../../../contract/parseUrl';
import { JobInterrupted } from '../../worker';
import type { RunningJob } from '../../worker';
import { idOf, newRecordId, presentRecords, writeWebsite } from '../tables';
import type { Change, ChangeErrors } from '../tables';
import { rewritten } from './content/html';
import { normalPath, pathOf } from './content/paths';
import { converted, htmlOf, mediaIn } from './mapping';
import * as queries from './queries';
import type { ImportRow, ItemRow } from './queries';
import type { ImportTable, ImportTables } from './structure';
import type { Receiver } from './target';

/** Records of one batch and transaction. */
const atOnce = 100;

/** Where a link of the source leads now: pages by host and path. */
export type Links = { readonly host: string | null; readonly paths: ReadonlyMap<string, string> };
export async function linksOf(ctx: Context, row: ImportRow): Promise<Links> {
  const paths = new Map<string, string>();
  const chosen = new Set(row.mapping?.collections.filter(({ include }) => !include).map(({ key }) => key));
  for (const { oldPath, newPath, aliases, collection, source } of await queries.itemHeads(ctx.postgres.db, row.id)) {
    if (newPath === null || chosen.has(collection)) continue;
    for (const one of [oldPath, ...aliases]) if (one !== null) paths.set(normalPath(one), newPath);
    // Files of an archive link to each other by their names.
    if (row.source === 'markdown') paths.set(normalPath(`/${source.replace(/\.(?:md|markdown|mdx)$/i, '')}`), newPath);
  }
  const url = row.plan?.site.url ?? row.address;
  return { host: parseUrl(url ?? '')?.hostname.replace(/^www\./, '') ?? null, paths };
}

function pageAt({ host, paths }: Links, address: string): string | null {
  const url = new URL(address);
  const isOwn = url.protocol === 'file:' || url.hostname === 'source.invalid' || (host !== null && url.hostname.replace(/^www\./, '') === host);
  if (!isOwn) return null;
  const path = pathOf(address) ?? '/';
  const plain = path.replace(/\.(?:html?|md|markdown|mdx)(?=$|\?)/i, '');
  for (const one of [path, plain, plain.replace(/^\/(?:content|src|source)(?=\/)/, '')]) {
    const found = paths.get(one) ?? paths.get(one.replace(/^\/[^/]+(?=\/)/, ''));
    if (found !== undefined) return found;
  }
  return null;
}

type Placed = { readonly media: ReadonlyMap<string, { readonly id: string; readonly name: string }>; readonly records: ReadonlyMap<string, string> };
/** Files and records that the items use, as far as they were imported. */
async function placesFor(ctx: Context, row: ImportRow, items: readonly ItemRow[], { targets }: ImportTable): Promise<Placed> {
  const { db } = ctx.postgres;
  const files = [...new Set(items.flatMap((item) => mediaIn(item, targets).map(({ source }) => source)))];
  const linked = [...new Set(items.flatMap(({ data }) => Object.values(data.links).flatMap((one) => (typeof one === 'string' ? [one] : [...one]))))];
  const media = await queries.placedItems(db, row.id, 'media', files);
  const records = await queries.placedItems(db, row.id, 'record', linked);
  return {
    media: new Map(media.flatMap(({ source, resourceId, title }) => (resourceId === null ? [] : [[source, { id: resourceId, name: title }] as const]))),
    records: new Map(records.flatMap(({ source, recordId }) => (recordId === null ? [] : [[source, recordId] as const]))),
  };
}

const textIn = (value: unknown): string => (typeof value === 'string' ? value : '');

/** Values of a record by key of field: only of fields that the table has. */
function valuesOf(item: ItemRow, { fields, targets }: ImportTable, placed: Placed, links: Links, timeZone: string): Record<string, unknown> {
  const { values, links: linked, base } = item.data;
  const has = (key: string): boolean => fields[key] !== undefined;
  const media = (source: string): string | null => {
    const found = placed.media.get(source);
    return found ? aliasAddress(found) : null;
  };
  const result: Record<string, unknown> = { title: item.title };
  const slug = item.newPath?.split('/').at(-1) ?? '';
  if (has('slug') && slug !== '') result['slug'] = slug;
  for (const [key, value] of Object.entries(values)) {
    const target = targets[key];
    if (target === undefined || !has(target.to) || value === null || value === undefined || value === '') continue;
    if (target.type === 'richText') result[target.to] = rewritten(htmlOf(target, textIn(value)), { base, media, page: (address) => pageAt(links, address) });
    else if (target.type === 'image') {
      const found = placed.media.get(textIn(value));
      if (found) result[target.to] = [{ resource: found.id }];
    } else result[target.to] = converted(target, value, timeZone);
  }
  for (const [key, source] of Object.entries(linked)) {
    if (targets[key] === undefined || !has(key)) continue;
    if (typeof source === 'string') {
      const id = placed.records.get(source);
      if (id !== undefined) result[key] = id;
    } else result[key] = source.flatMap((one) => placed.records.get(one) ?? []);
  }
  return result;
}

const errorText = (errors: ChangeErrors | null): string => {
  const [first] = Object.entries(errors ?? {});
  return first ? `refused: ${first[0]} ${first[1].code}`.slice(0, 200) : 'refused';
};

type Outcome = {
  readonly item: ItemRow;
  readonly at: number | null;
  readonly id: string | null;
  readonly kind: ItemRow['outcome'];
  readonly reason: string | null;
};
type Planned = { readonly changes: readonly Change[]; readonly outcomes: readonly Outcome[] };

/** What to write of some items: new records, and those of earlier imports whose source has changed since. Records that somebody removed stay away. */
async function planChunk(
  ctx: Context,
  row: ImportRow,
  by: Receiver,
  items: readonly ItemRow[],
  found: ImportTable,
  valuesFor: (item: ItemRow) => Record<string, unknown>,
): Promise<Planned> {
  const sources = items.map(({ source }) => source);
  const before = (await queries.earlierItems(ctx.postgres.db, by.site.id, row.id, 'record', sources)).filter(({ tableId }) => tableId === found.table);
  // The latest import of a source counts.
  const earlier = new Map(before.reverse().map((one) => [one.source, one] as const));
  const present = await presentRecords(
    ctx,
    by.site.id,
    found.table,
    before.flatMap(({ recordId }) => recordId ?? []),
  );
  const changes: Change[] = [];
  const outcomes = items.map((item): Outcome => {
    const one = earlier.get(item.source);
    const known = one?.recordId ?? null;
    if (known !== null && !present.has(known)) return { item, at: null, id: null, kind: 'skipped', reason: 'removed' };
    if (known !== null && one?.hash === item.hash) return { item, at: null, id: known, kind: 'unchanged', reason: null };
    const values = valuesFor(item);
    const id = known ?? idOf(row.id, 'record', item.source);
    const { slug: _slug, ...others } = values;
    const at = changes.push(known === null ? { kind: 'create', id, values } : { kind: 'update', id, values: others }) - 1;
    return { item, at, id, kind: known === null ? 'created' : 'updated', reason: null };
  });
  return { changes, outcomes };
}

/** Stores what became of items. A run that has unknowingly lost its lease, so that another one has settled them, writes nothing. */
async function settle(
  tx: Pick<queries.Db, 'update'>,
  outcomes: readonly Outcome[],
  { table, batchId, failures }: { readonly table: string; readonly batchId: string; readonly failures: ReadonlyMap<number, string> },
): Promise<void> {
  for (const { item, at, id, kind, reason } of outcomes) {
    const failure = at === null ? undefined : failures.get(at);
    const written = { outcome: kind, reason, recordId: id, tableId: table, ...(at !== null && { batchId }) };
    if (!(await queries.settleItem(tx, item, failure === undefined ? written : { outcome: 'failed', reason: failure }))) throw new JobInterrupted('lost');
  }
}

type Writing = { readonly tables: ImportTables; readonly links: Links };
async function writeChunk(ctx: Context, row: ImportRow, by: Receiver, items: readonly ItemRow[], { tables, links }: Writing): Promise<void> {
  const found = tables.get(items[0]?.collection ?? '');
  const { db } = ctx.postgres;
  if (!found) {
    for (const item of items) await queries.changeItem(db, item, { outcome: 'skipped', reason: 'not_chosen' });
    return;
  }
  const placed = await placesFor(ctx, row, items, found);
  const { changes, outcomes } = await planChunk(ctx, row, by, items, found, (item) => valuesOf(item, found, placed, links, by.site.timeZone));
  const publishes = row.mapping?.status !== 'draft';
  const publish = new Set(outcomes.flatMap(({ at, item, id }) => (at !== null && id !== null && publishes && item.data.published ? [id] : [])));
  const { table } = found;
  const batchId = newRecordId(ctx.now());
  if (changes.length === 0) return settle(db, outcomes, { table, batchId, failures: new Map() });
  await writeWebsite(ctx, by, table, changes, {
    batchId,
    publish,
    then: (tx, results) => {
      const failures = results.flatMap(({ outcome, errors }, at) => (outcome === 'failed' ? [[at, errorText(errors)] as const] : []));
      return settle(tx, outcomes, { table, batchId, failures: new Map(failures) });
    },
  });
}

/** Writes what the import has of each collection, those that others link to first: a hundred records per transaction, so that an interrupted run continues after them. */
export async function writeRecords(
  ctx: Context,
  job: RunningJob,
  row: ImportRow,
  by: Receiver,
  { collections, tables, total }: { readonly collections: readonly ImportCollection[]; readonly tables: ImportTables; readonly total: number },
): Promise<void> {
  const links = await linksOf(ctx, row);
  let done = 0;
  for (const { key } of collections)
    for (;;) {
      await job.progress(Math.min(done, total), total);
      const items = await queries.pendingItems(ctx.postgres.db, row.id, 'record', key, atOnce);
      if (items.length === 0) break;
      await writeChunk(ctx, row, by, items, { tables, links });
      done += items.length;
    }
}
