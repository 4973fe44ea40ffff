import type { FieldModel } from '../core/model';
import { recordsWith } from '../core/write/lookups';
import type { TableContext } from '../core/tableContext';
import type { WriteTx } from '../core/write/types';
import type { Context } from '../../../context';
import { readChunk } from './files';
import type { StoredRow } from './files';
import type { ChunkResult } from './chunks';
import * as queries from './queries';
import type { ImportRow } from './queries';
import type { Spool, StoredError } from './schema';
import type { RowResult, Item } from './writing';

/** A row of a chunk whose unique value another record has. */
export type Held = { readonly at: number; readonly field: string; readonly holder: string };
export type Waiting = Held & { readonly part: number };
/** Range of chunks, end exclusive, written in one transaction. */
export type Join = readonly [from: number, to: number];

/** Maximum number of chunks written together, given by the limit of one transaction, and of rows tracked for this. */
const mostJoined = 10;
export const mostWaiting = 50_000;

/** For rows refused because a value is taken: the records that have these values. */
export async function holdersOf(w: WriteTx, { model, table }: TableContext, items: readonly Item[], written: ReadonlyMap<number, RowResult>): Promise<Held[]> {
  const refusedByField = new Map<FieldModel, { readonly at: number; readonly value: string }[]>();
  for (const { row, values } of items) {
    const done = written.get(row);
    if (done?.outcome !== 'f') continue;
    for (const { code, field: id } of done.errors) {
      const field = code === 'taken' && id !== null ? table.byName.get(id) : undefined;
      if (field && values[field.id] !== undefined)
        refusedByField.set(field, [...(refusedByField.get(field) ?? []), { at: row, value: String(values[field.id]) }]);
    }
  }
  const all: Held[] = [];
  for (const [field, rows] of refusedByField) {
    const found = await recordsWith(w.tx, model.siteId, table.id, field, [...new Set(rows.map(({ value }) => value))]);
    for (const { at, value } of rows) for (const holder of found.get(value) ?? []) all.push({ at, field: field.id, holder });
  }
  return all;
}

/** Merges overlapping ranges; ranges that become too long are dropped. */
function joinsOf(pairs: readonly Join[]): Join[] {
  const joins: [number, number][] = [];
  for (const [from, to] of [...pairs].sort(([a], [b]) => a - b)) {
    const last = joins.at(-1);
    if (last && from < last[1]) last[1] = Math.max(last[1], to);
    else joins.push([from, to]);
  }
  return joins.filter(([from, to]) => to - from <= mostJoined);
}

/** Rows of several chunks as one, with dry-run results that depend on rows elsewhere in the file. */
export async function joined(
  ctx: Context,
  id: string,
  spool: Spool,
  [from, to]: Join,
): Promise<{ rows: StoredRow[]; sizes: number[]; twice: Map<number, readonly StoredError[]> }> {
  const rows: StoredRow[] = [];
  const sizes: number[] = [];
  const twice = new Map<number, readonly StoredError[]>();
  for (let part = from; part < to; part++) {
    const tried = await queries.partOf(ctx.postgres.db, id, part);
    for (const [at, errors] of Object.entries(tried?.errors ?? {}))
      if (errors.some(({ code }) => code === 'twice')) twice.set(rows.length + Number(at), errors);
    const some = await readChunk(ctx, id, spool, part);
    rows.push(...some);
    sizes.push(some.length);
  }
  return { rows, sizes, twice };
}

/** Splits the results of several chunks. */
export function parted(done: Pick<ChunkResult, 'outcomes' | 'ids' | 'errors'>, sizes: readonly number[]): Pick<ChunkResult, 'outcomes' | 'ids' | 'errors'>[] {
  let first = 0;
  return sizes.map((size) => {
    const begin = first;
    first += size;
    const within = <T>(all: Readonly<Record<string, T>>): Record<string, T> =>
      Object.fromEntries(Object.entries(all).flatMap(([at, one]) => (Number(at) >= begin && Number(at) < first ? [[String(Number(at) - begin), one]] : [])));
    return { outcomes: done.outcomes.slice(begin, first), ids: within(done.ids), errors: within(done.errors) };
  });
}

/**
 * A record may take over a unique value that another one gives up in the same write: two rows may swap. If they are in different chunks, these chunks
 * are checked again together, and will be written together. Rows too far apart for one transaction stay refused, with the line of the other row. Called
 * when all chunks have been checked; `again` checks rows of several chunks.
 */
export async function joinHandovers(
  ctx: Context,
  { id }: Pick<ImportRow, 'id'>,
  spool: Spool,
  waiting: readonly Waiting[],
  again: (rows: readonly StoredRow[], twice: ReadonlyMap<number, readonly StoredError[]>) => Promise<Pick<ChunkResult, 'outcomes' | 'ids' | 'errors'>>,
): Promise<Join[]> {
  if (waiting.length === 0) return [];
  const { db } = ctx.postgres;
  const holders = new Set(waiting.map(({ holder }) => holder));
  const places = new Map<string, readonly [part: number, at: number]>();
  for (let part = 0; part + 1 < spool.pieces.length; part++)
    for (const [at, record] of Object.entries((await queries.partOf(db, id, part))?.ids ?? {})) if (holders.has(record)) places.set(record, [part, Number(at)]);
  const joins = joinsOf(
    waiting.flatMap(({ part, holder }): Join[] => {
      const [other = part] = places.get(holder) ?? [];
      return other === part ? [] : [[Math.min(part, other), Math.max(part, other) + 1]];
    }),
  );
  for (const join of joins) {
    const { rows, sizes, twice } = await joined(ctx, id, spool, join);
    const parts = parted(await again(rows, twice), sizes);
    for (const [n, part] of parts.entries()) await queries.keepPart(db, { importId: id, part: join[0] + n, ...part });
  }
  await nameHolders(ctx, id, spool, waiting, places);
  return joins;
}

/** Adds to the remaining errors the row that has the value. */
async function nameHolders(
  ctx: Context,
  id: string,
  spool: Spool,
  waiting: readonly Waiting[],
  places: ReadonlyMap<string, readonly [part: number, at: number]>,
): Promise<void> {
  const byPart = new Map<number, Waiting[]>();
  for (const one of waiting) if (places.has(one.holder)) byPart.set(one.part, [...(byPart.get(one.part) ?? []), one]);
  let near = -1;
  let rows: readonly StoredRow[] = [];
  for (const [part, some] of byPart) {
    const stored = await queries.partOf(ctx.postgres.db, id, part);
    if (!stored) continue;
    const errors = { ...stored.errors };
    const locatedErrors = some.flatMap((one) => {
      const place = places.get(one.holder);
      return place && errors[one.at] ? [{ ...one, place }] : [];
    });
    for (const { at, field, place } of locatedErrors.sort((a, b) => a.place[0] - b.place[0])) {
      if (near !== place[0]) [near, rows] = [place[0], await readChunk(ctx, id, spool, place[0])];
      const line = rows[place[1]]?.line;
      if (line !== undefined) errors[at] = (errors[at] ?? []).map((error) => (error.code === 'taken' && error.field === field ? { ...error, line } : error));
    }
    if (locatedErrors.length > 0) await queries.keepPart(ctx.postgres.db, { ...stored, errors });
  }
}
