import { setImmediate as nextTurn } from 'node:timers/promises';
import { createRowWriter } from '../stores/clickhouse/rowBinary';
import type { RowWriter } from '../stores/clickhouse/rowBinary';
import type { ClickHouse } from '../stores/clickhouse/types';
import { floodDay } from './flood';
import { hitColumns, storedId } from './row';
import type { HitRow } from './row';
import type { Tombstone, Visitor } from './visitor';
import { visitColumns, visitorColumns, writeHit, writeTombstone, writeVisit, writeVisitor } from './rowBinary';
import type { VisitRow } from './visitRow';

export type VisitorName = { readonly siteId: string; readonly id: string };

/** Names per statement: the text of a query may have 256 kB. */
const namesPerQuery = 2000;

const idText = (column: string): string => `lower(leftPad(hex(${column}), 16, '0'))`;
const idList = (column: string): string => `arrayMap(x -> ${idText('x')}, ${column})`;
const ms = (column: string): string => `toUnixTimestamp64Milli(${column})`;
const msList = (column: string): string => `arrayMap(x -> toUnixTimestamp64Milli(x), ${column})`;

/**
 * A condition for visitors by name: who of these sites has one of these ids, so callers look up whom they asked for. Pairs of site and id would be
 * exact but cost ClickHouse several times as much to read, as do ids in a tuple instead of an array. Ids are made by this program or checked at the line; what is neither is refused here.
 */
function isOneOf(table: 'hits' | 'visitors', names: readonly VisitorName[]): string {
  const sites = new Set<string>();
  for (const { siteId } of names) {
    if (!/^[a-z2-7]{12}$/.test(siteId)) throw new Error(`not a site id: ${siteId}`);
    sites.add(`'${siteId}'`);
  }
  return `${table}.site_id IN (${[...sites].join(',')}) AND ${table}.visitor_id IN [${names.map(({ id }) => storedId(id)).join(',')}]`;
}

function* chunks<T>(list: readonly T[], size: number): Generator<readonly T[]> {
  for (let at = 0; at < list.length; at += size) yield list.slice(at, at + size);
}

/** Rows are written down so many at a time: requests are answered by the same thread. */
const rowsAtAStretch = 200;

/** Rows as bytes, with pauses for other work. */
async function written<T>(rows: readonly T[], write: (out: RowWriter, row: T) => void): Promise<Uint8Array<ArrayBuffer>> {
  const out = createRowWriter();
  for (const some of chunks(rows, rowsAtAStretch)) {
    for (const row of some) write(out, row);
    if (some.length === rowsAtAStretch) await nextTurn();
  }
  return out.take();
}

/** Appends hits. The same token again adds nothing. Throws a SyntaxError for a hit that cannot be written down. */
export async function insertHits(ch: ClickHouse, rows: readonly HitRow[], token: string): Promise<void> {
  await ch.insertBytes('hits', hitColumns, await written(rows, writeHit), { token });
}

type VisitorAnswer = {
  site_id: string;
  visitor_id: string;
  version: string;
  same_as: string;
  members: string[];
  heirs: string[];
  alt_id: string;
  alt_at: string;
  last_at: string;
  base_count: number;
  base_start: string;
  visit_id: string[];
  visit_start: string[];
  visit_last: string[];
  visit_gone: number[];
};

/** What is known of visitors; those never seen are left out. */
export async function findVisitors(ch: ClickHouse, names: readonly VisitorName[]): Promise<Visitor[]> {
  const found: Visitor[] = [];
  for (const some of chunks(names, namesPerQuery)) {
    const rows = await ch.query<VisitorAnswer>(
      `SELECT site_id, ${idText('visitor_id')} AS visitor_id, toString(version) AS version, ${idText('same_as')} AS same_as, ${idList('members')} AS members, ${idList('heirs')} AS heirs,
        ${idText('alt_id')} AS alt_id, ${ms('alt_at')} AS alt_at, ${ms('last_at')} AS last_at, base_count, ${ms('base_start')} AS base_start,
        ${idList('visit_id')} AS visit_id, ${msList('visit_start')} AS visit_start, ${msList('visit_last')} AS visit_last, visit_gone
      FROM visitors WHERE ${isOneOf('visitors', some)}
      ORDER BY visitors.version DESC LIMIT 1 BY visitors.site_id, visitors.visitor_id`,
    );
    for (const row of rows) {
      found.push({
        siteId: row.site_id,
        id: row.visitor_id,
        version: Number(row.version),
        sameAs: row.same_as,
        members: row.members,
        heirs: row.heirs,
        altId: row.alt_id,
        altAt: Number(row.alt_at),
        lastAt: Number(row.last_at),
        base: { count: row.base_count, start: Number(row.base_start) },
        visits: row.visit_id.map((id, i) => ({ id, start: Number(row.visit_start[i]), last: Number(row.visit_last[i]), gone: row.visit_gone[i] === 1 })),
      });
    }
  }
  return found;
}

const hitSelect = hitColumns
  .map((column) => {
    if (column === 'at' || column === 'received_at') return `${ms(`hits.${column}`)} AS ${column}_ms`;
    if (column === 'visitor_id' || column === 'visitor_alt' || column === 'view_id' || column === 'ip_key')
      return `${idText(`hits.${column}`)} AS ${column}_hex`;
    return `hits.${column} AS ${column}`;
  })
  .join(', ');

type HitAnswer = Omit<HitRow, 'visitor_id' | 'visitor_alt' | 'view_id' | 'ip_key' | 'at' | 'received_at'> & {
  visitor_id_hex: string;
  visitor_alt_hex: string;
  view_id_hex: string;
  ip_key_hex: string;
  at_ms: string;
  received_at_ms: string;
};

function readHit(row: HitAnswer): HitRow {
  const { visitor_id_hex, visitor_alt_hex, view_id_hex, ip_key_hex, at_ms, received_at_ms, ...rest } = row;
  return {
    ...rest,
    visitor_id: visitor_id_hex,
    visitor_alt: visitor_alt_hex,
    view_id: view_id_hex,
    ip_key: ip_key_hex,
    at: Number(at_ms),
    received_at: Number(received_at_ms),
  };
}

/** Every stored copy of the hits of some visitors from `from` (epoch ms) on. */
export async function findHits(ch: ClickHouse, names: readonly VisitorName[], from: number): Promise<HitRow[]> {
  const found: HitRow[] = [];
  for (const some of chunks(names, namesPerQuery)) {
    const since = Number.isFinite(from) ? Math.max(0, from) : 0;
    const rows = await ch.query<HitAnswer>(
      `SELECT ${hitSelect} FROM hits WHERE ${isOneOf('hits', some)} AND hits.at >= fromUnixTimestamp64Milli({since:Int64}, 'UTC')`,
      { params: { since } },
    );
    for (const row of rows) found.push(readHit(row));
  }
  return found;
}

export type VisitorHits = { readonly name: VisitorName; readonly hits: readonly HitRow[] };

/**
 * Every stored copy of the hits of some visitors from `from` (epoch ms) on (and those of that day that tell of a flood), but for those set aside, one visitor after the other. Who has none is left
 * out.
 */
export async function* streamHits(ch: ClickHouse, names: readonly VisitorName[], from: number): AsyncGenerator<VisitorHits> {
  const since = Number.isFinite(from) ? Math.max(0, from) : 0;
  const params = { since, floodSince: floodDay(since) };
  for (const some of chunks(names, namesPerQuery)) {
    const rows = ch.stream<HitAnswer>(
      `SELECT ${hitSelect} FROM hits
       WHERE ${isOneOf('hits', some)} AND hits.set_aside = 0
         AND (hits.at >= fromUnixTimestamp64Milli({since:Int64}, 'UTC') OR (hits.at >= fromUnixTimestamp64Milli({floodSince:Int64}, 'UTC') AND has(hits.bot_reasons, 'flood')))
       ORDER BY hits.site_id, hits.visitor_id`,
      { params },
    );
    yield* byVisitor(rows);
  }
}

async function* byVisitor(blocks: AsyncIterable<readonly HitAnswer[]>): AsyncGenerator<VisitorHits> {
  let current: { name: VisitorName; hits: HitRow[] } | null = null;
  for await (const block of blocks) {
    for (const row of block) {
      const hit = readHit(row);
      if (current !== null && (current.name.id !== hit.visitor_id || current.name.siteId !== hit.site_id)) {
        yield current;
        current = null;
      }
      current ??= { name: { siteId: hit.site_id, id: hit.visitor_id }, hits: [] };
      current.hits.push(hit);
    }
  }
  if (current !== null) yield current;
}

/** Every stored copy of the hits that a condition on `hits` lets through; the condition is the program's own SQL, its values are parameters. */
export async function readHits(ch: ClickHouse, condition: string, params: Readonly<Record<string, unknown>>): Promise<HitRow[]> {
  return (await ch.query<HitAnswer>(`SELECT ${hitSelect} FROM hits WHERE ${condition}`, { params })).map(readHit);
}

/** Every stored copy of the hits of a site, but for those set aside, one visitor after the other. */
export const streamSiteHits = (ch: ClickHouse, siteId: string): AsyncGenerator<VisitorHits> =>
  byVisitor(
    ch.stream<HitAnswer>(`SELECT ${hitSelect} FROM hits WHERE hits.site_id = {siteId:String} AND hits.set_aside = 0 ORDER BY hits.site_id, hits.visitor_id`, {
      params: { siteId },
    }),
  );

export type AltLink = { readonly id: string; readonly altId: string; readonly altAt: number };

/** Cookieless visitors that name a yesterday's self, with the earliest hit that does. */
export async function findAltLinks(ch: ClickHouse, siteId: string): Promise<AltLink[]> {
  const rows = await ch.query<{ id: string; alt_id: string; alt_at: string }>(
    `SELECT ${idText('visitor_id')} AS id, ${idText('visitor_alt')} AS alt_id, toString(min(${ms('at')})) AS alt_at FROM hits WHERE site_id = {siteId:String} AND visitor_alt != 0 AND set_aside = 0 GROUP BY visitor_id, visitor_alt`,
    { params: { siteId } },
  );
  return rows.map((row) => ({ id: row.id, altId: row.alt_id, altAt: Number(row.alt_at) }));
}

export async function insertVisitors(ch: ClickHouse, visitors: readonly Visitor[]): Promise<void> {
  await ch.insertBytes('visitors', visitorColumns, await written(visitors, writeVisitor));
}

export type Versioned<T> = { readonly row: T; readonly version: number };

/** Writes visits and the tombstones of visits whose key has changed. */
export async function insertVisits(ch: ClickHouse, visits: readonly Versioned<VisitRow>[], gone: readonly Versioned<Tombstone>[]): Promise<void> {
  const rows = [
    ...visits.map(
      ({ row, version }) =>
        (out: RowWriter) =>
          writeVisit(out, row, version),
    ),
    ...gone.map(
      ({ row, version }) =>
        (out: RowWriter) =>
          writeTombstone(out, row, version),
    ),
  ];
  await ch.insertBytes('visits', visitColumns, await written(rows, (out, write) => write(out)));
}

/** After a rebuild with `version`: visits and visitors of the site that it did not write are no longer true. */
export async function dropOlder(ch: ClickHouse, siteId: string, version: number): Promise<void> {
  const params = { siteId, version: String(version) };
  await ch.command(
    `INSERT INTO visits (site_id, visit_id, start, visitor_id, version, deleted)
     SELECT site_id, visit_id, start, visitor_id, {version:UInt64}, 1 FROM visits FINAL WHERE site_id = {siteId:String} AND version < {version:UInt64}`,
    { params },
  );
  await ch.command('DELETE FROM visitors WHERE site_id = {siteId:String} AND version < {version:UInt64}', { params });
}
