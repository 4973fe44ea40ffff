import type { FieldModel } from '../core/model';
import { recordsWith } from '../core/write/lookups';
import type { TableContext } from '../core/tableContext';
import type { WriteTx } from '../core/write/types';
import type { Context } from '../../../context';
import { pieceOf } from './files';
import type { KeptRow } from './files';
import type { PieceDone } from './pieces';
import * as queries from './queries';
import type { ImportRow } from './queries';
import type { Spool, StoredFault } from './schema';
import type { Done, Item } from './writing';

/** A row of a piece whose value in a unique field another record has. */
export type Held = { readonly at: number; readonly field: string; readonly holder: string };
export type Waiting = Held & { readonly part: number };
/** Pieces from one on, up to but without another, that are written in one transaction. */
export type Join = readonly [from: number, to: number];

/** Pieces that are written together at most, which is what one transaction may change; and rows that are remembered for it. */
const mostJoined = 10;
export const mostWaiting = 50_000;

/** Of rows that were refused because a value is taken: which records have these values. */
export async function holdersOf(w: WriteTx, { model, table }: TableContext, items: readonly Item[], written: ReadonlyMap<number, Done>): Promise<Held[]> {
  const asked = new Map<FieldModel, { readonly at: number; readonly value: string }[]>();
  for (const { row, values } of items) {
    const done = written.get(row);
    if (done?.outcome !== 'f') continue;
    for (const { code, field: id } of done.faults) {
      const field = code === 'taken' && id !== null ? table.byName.get(id) : undefined;
      if (field && values[field.id] !== undefined) asked.set(field, [...(asked.get(field) ?? []), { at: row, value: String(values[field.id]) }]);
    }
  }
  const all: Held[] = [];
  for (const [field, rows] of asked) {
    const found = await recordsWith(w.tx, model.siteId, table.id, field, [...new Set(rows.map(({ value }) => value))]);
    for (const { at, value } of rows) for (const holder of found.get(value) ?? []) all.push({ at, field: field.id, holder });
  }
  return all;
}

/** Stretches that overlap become one; those that are too long fall apart into nothing. */
function joinsOf(pairs: readonly Join[]): Join[] {
  const joins: [number, number][] = [];
  for (const [from, to] of [...pairs].sort(([a], [b]) => a - b)) {
    const last = joins.at(-1);
    if (last && from < last[1]) last[1] = Math.max(last[1], to);
    else joins.push([from, to]);
  }
  return joins.filter(([from, to]) => to - from <= mostJoined);
}

/** Rows of some pieces as one, and what the trial has said of them that depends on rows elsewhere in the file. */
export async function joined(
  ctx: Context,
  id: string,
  spool: Spool,
  [from, to]: Join,
): Promise<{ rows: KeptRow[]; sizes: number[]; twice: Map<number, readonly StoredFault[]> }> {
  const rows: KeptRow[] = [];
  const sizes: number[] = [];
  const twice = new Map<number, readonly StoredFault[]>();
  for (let part = from; part < to; part++) {
    const tried = await queries.partOf(ctx.postgres.db, id, part);
    for (const [at, faults] of Object.entries(tried?.faults ?? {}))
      if (faults.some(({ code }) => code === 'twice')) twice.set(rows.length + Number(at), faults);
    const some = await pieceOf(ctx, id, spool, part);
    rows.push(...some);
    sizes.push(some.length);
  }
  return { rows, sizes, twice };
}

/** What became of the rows of several pieces, of each alone. */
export function parted(done: Pick<PieceDone, 'outcomes' | 'ids' | 'faults'>, sizes: readonly number[]): Pick<PieceDone, 'outcomes' | 'ids' | 'faults'>[] {
  let first = 0;
  return sizes.map((size) => {
    const begin = first;
    first += size;
    const within = <T>(all: Readonly<Record<string, T>>): Record<string, T> =>
      Object.fromEntries(Object.entries(all).flatMap(([at, one]) => (Number(at) >= begin && Number(at) < first ? [[String(Number(at) - begin), one]] : [])));
    return { outcomes: done.outcomes.slice(begin, first), ids: within(done.ids), faults: within(done.faults) };
  });
}

/**
 * A record may take a unique value that another one has as long as that one gives it up in the same write: two rows may swap. Where they stand in different pieces,
 * these pieces are tried again together, and will be written together. What is too far apart for one transaction stays refused, and is told the line of the
 * other row. Called when all pieces have been tried; `again` tries rows of several pieces.
 */
export async function joinHandovers(
  ctx: Context,
  { id }: Pick<ImportRow, 'id'>,
  spool: Spool,
  waiting: readonly Waiting[],
  again: (rows: readonly KeptRow[], twice: ReadonlyMap<number, readonly StoredFault[]>) => Promise<Pick<PieceDone, 'outcomes' | 'ids' | 'faults'>>,
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

/** Faults that are left name the row that has the value. */
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
  let rows: readonly KeptRow[] = [];
  for (const [part, some] of byPart) {
    const kept = await queries.partOf(ctx.postgres.db, id, part);
    if (!kept) continue;
    const faults = { ...kept.faults };
    const wanted = some.flatMap((one) => {
      const place = places.get(one.holder);
      return place && faults[one.at] ? [{ ...one, place }] : [];
    });
    for (const { at, field, place } of wanted.sort((a, b) => a.place[0] - b.place[0])) {
      if (near !== place[0]) [near, rows] = [place[0], await pieceOf(ctx, id, spool, place[0])];
      const line = rows[place[1]]?.line;
      if (line !== undefined) faults[at] = (faults[at] ?? []).map((fault) => (fault.code === 'taken' && fault.field === field ? { ...fault, line } : fault));
    }
    if (wanted.length > 0) await queries.keepPart(ctx.postgres.db, { ...kept, faults });
  }
}
