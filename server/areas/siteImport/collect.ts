import { createHash } from 'node:crypto';
import type { ImportPlan } from '../../../contract/siteImport/schemas';
import { siteImportLimits as limits } from '../../../contract/siteImport/terms';
import type { Context } from '../../context';
import { canonical } from '../../kit/canonical';
import { mayRedirect } from './content/paths';
import { storableJson } from './content/values';
import { addressesOf, mediaRows, planCollections, takeInventory } from './planning';
import type { Attachments, Field } from './planning';
import * as queries from './queries';
import type { ItemHead } from './queries';
import type { siteImportItems } from './schema';
import type { Sink, SourceItem } from './sources/types';
import { SourceStop } from './zip';

const atOnce = 50;
const mostListed = 100;
/** Names of templates that every theme has. */
const reserved: ReadonlySet<string> = new Set(['home', 'search', 'not_found']);
type Row = typeof siteImportItems.$inferInsert;
const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');

/** What a source says beside its pages. */
type Notes = {
  readonly facts: { title: string; description: string; language: string | null; url: string | null };
  readonly titles: Map<string, string>;
  readonly fields: Map<string, Field[]>;
  readonly unsupported: Map<string, number>;
  readonly problems: { readonly place: string; readonly code: string }[];
  problemCount: number;
};
const newNotes = (): Notes => ({
  facts: { title: '', description: '', language: null, url: null },
  titles: new Map(),
  fields: new Map(),
  unsupported: new Map(),
  problems: [],
  problemCount: 0,
});

/** The row of an item and its size; null if it is too large. Items with the same content have equal hashes. */
function rowOf(importId: string, n: number, item: SourceItem): { readonly row: Row; readonly bytes: number } | null {
  const { collection, source, title, path, data } = storableJson(item);
  const text = canonical({ title, path, data });
  const bytes = Buffer.byteLength(text);
  if (bytes > limits.itemBytes) return null;
  const row: Row = {
    importId,
    kind: 'record',
    source: source.slice(0, 1000),
    n,
    collection: reserved.has(collection) ? `${collection}_items` : collection,
    title,
    oldPath: path?.slice(0, 2000) ?? null,
    hash: sha256(text),
    data,
    outcome: 'pending',
  };
  return { row, bytes };
}

function notingSink(notes: Notes, item: Sink['item']): Sink {
  return {
    item,
    problem: (place, code) => {
      notes.problemCount += 1;
      if (notes.problems.length < mostListed) notes.problems.push({ place: place.slice(0, 300), code });
    },
    site: (stated) => void Object.assign(notes.facts, Object.fromEntries(Object.entries(stated).filter(([, value]) => value !== '' && value !== undefined))),
    collection: (key, title) => void notes.titles.set(key, title),
    field: (collection, field) => void notes.fields.set(collection, [...(notes.fields.get(collection) ?? []), field]),
    unsupported: (name) => {
      if (notes.unsupported.size < mostListed || notes.unsupported.has(name)) notes.unsupported.set(name, (notes.unsupported.get(name) ?? 0) + 1);
    },
  };
}

/** Receives what a source contains: items go into PostgreSQL as they come, the rest becomes the plan. */
export function openCollector(ctx: Context, importId: string) {
  const { db } = ctx.postgres;
  const notes = newNotes();
  /** Places of items by source. */
  const known = new Map<string, number>();
  let before = 0;
  let rows: Row[] = [];
  let bytes = 0;
  const flush = async (): Promise<void> => {
    // A statement cannot write a row twice.
    const unique = new Map(rows.map((row) => [row.source, row]));
    [rows, bytes] = [[], 0];
    await queries.putItems(db, [...unique.values()]);
  };
  const sink = notingSink(notes, async (item) => {
    const n = known.get(item.source) ?? before + known.size;
    known.set(item.source, n);
    if (n >= limits.items) throw new SourceStop('too_many_items');
    const result = rowOf(importId, n, item);
    if (result) {
      rows.push(result.row);
      bytes += result.bytes;
    } else sink.problem(item.title, 'item_too_large');
    if (rows.length >= atOnce || bytes >= limits.itemBytes) await flush();
  });

  /** Stores the addresses that records get and the files that come along; what a run would do. */
  async function finish(attachments: Attachments = new Map()): Promise<ImportPlan> {
    await flush();
    const { fields, media, isFull } = await takeInventory(ctx, importId, attachments);
    if (isFull) sink.problem(String(limits.media), 'too_many_files');
    const files = mediaRows(importId, [...media]);
    for (let at = 0; at < files.length; at += 500) await queries.putItems(db, files.slice(at, at + 500));
    const heads = await queries.itemHeads(db, importId);
    if (heads.length === 0) throw new SourceStop('empty');
    const collections = planCollections(heads, notes.titles, fields).map((one) => ({ ...one, fields: [...one.fields, ...(notes.fields.get(one.key) ?? [])] }));
    const addresses = addressesOf(heads, collections);
    await queries.setNewPaths(db, importId, addresses);
    const newPaths = new Map(addresses.map(({ source, path }) => [source, path]));
    const moves = (head: ItemHead): number =>
      [head.oldPath, ...head.aliases].filter((path) => path !== null && mayRedirect(path) && path !== newPaths.get(head.source)).length;
    const planned = collections.map((one) => ({
      ...one,
      moved: heads.filter(({ collection }) => collection === one.key).reduce((sum, head) => sum + moves(head), 0),
    }));
    const { facts, unsupported, problems, problemCount } = notes;
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
  /** `count`: items that an interrupted run has stored. */
  const resume = (count: number): void => void (before = count);
  return { sink, finish, flush, resume };
}
