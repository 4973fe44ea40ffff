import type { MeasureId, Values } from '../../../../contract/analytics/schemas';
import { measuresWith, sumsOf, withVisitors } from '../measures';
import type { Counted, MeasureGroup, SumId } from '../measures';
import { rowsByKey, rowsOf } from '../queries';
import type { QueryContext, KeyedRow, RowSource, RowsQuery } from '../queries';
import type { Sql } from '../slices';
import { rowSketch, storedSums } from './schema';
import type { StoredSum } from './schema';

type Found = { readonly rows: readonly KeyedRow[]; readonly count: number };
export type CellRows = {
  /** Relative standard error of the visitors; null if they are exact. */
  readonly error: number | null;
  readonly page: (query: RowsQuery) => Promise<Found>;
  readonly some: (keys: readonly string[]) => Promise<ReadonlyMap<string, Values>>;
};

const isStored = (id: SumId): id is StoredSum => (storedSums as readonly SumId[]).includes(id);
/** Sums that are not stored are requested only if they are 0: conversions of a site without goals. */
export const sumOfCells: Counted['sum'] = (id) => (isStored(id) ? `sum(s_${id})` : 'toInt64(0)');
export const daily: Counted['daily'] = (column) => (column === 'visitor_id' ? 'sum(visitors)' : 'sum(ips)');
const merged = `${rowSketch.name}Merge(${rowSketch.precision})(visitor_state)`;

/** The part of a dimension's cells to read: these sums, the sketches of visitors or not, and the rows of these keys. */
export type CellsQuery = { readonly sums: readonly StoredSum[]; readonly withState: boolean; readonly keys?: readonly string[] };
/** `row_key`, sums and daily distinct counts by day. */
export type Cells = (query: CellsQuery) => Sql;

/** The stored sums that the measures depend on. */
export function storedSumsOf(ids: readonly MeasureId[]): StoredSum[] {
  const used = sumsOf(ids);
  return storedSums.filter((id) => used.has(id));
}

/** Measures that need sketches. */
const ofVisitors = ['visitors', 'newRatio'] as const satisfies readonly MeasureId[];

/** Merging the sketches of this many rows costs about as much as reading the sums of all rows. */
const MOST_CANDIDATES = 2000;

/**
 * Rows of a dimension read from `cells`. Sketches are by far the most expensive column, then the other sums, and a page shows few rows. So rows are first
 * ordered by their sort column alone, and only the rows of the page are read completely. The sum of daily visitors is an upper bound of a row's visitors in the
 * range, so only rows that this bound places near the page have their sketches merged. Once the last row of the page exceeds the bounds of all rows not merged,
 * no other row can belong on the page. `few`: there are so few rows that all are read at once. `exact`: the cells are of one day, and the bound is the exact
 * figure. `only`: the measures shown; without visitors among them there is nothing to merge.
 */
export function rowsInCells(
  to: QueryContext,
  cells: Cells,
  groups: readonly MeasureGroup[],
  { few, exact, only }: { readonly few: boolean; readonly exact: boolean; readonly only?: readonly MeasureId[] | undefined },
): CellRows {
  const sketched = !exact && (only === undefined || ofVisitors.some((id) => only.includes(id)));
  // Visitors also need the measures that they are derived from or bounded by.
  const ids = only && sketched ? [...new Set([...only, ...ofVisitors, 'newVisitors', 'visitorDays'] as const)] : only;
  const all = storedSumsOf(ids ?? measuresWith(groups));
  const bound: Counted = { sum: sumOfCells, daily, once: () => 'sum(visitors)' };
  const counted: Counted = exact ? bound : { ...bound, once: () => merged };
  const whole = (keys?: readonly string[]): RowSource => ({ ...cells({ sums: all, withState: sketched, ...(keys ? { keys } : {}) }), counted, only: ids });
  // A sketch may exceed the sum of daily visitors.
  const held = (values: Values): Values => (sketched ? withVisitors(values, Math.min(values.visitors ?? 0, values.visitorDays ?? 0)) : values);

  async function some(keys: readonly string[]): Promise<ReadonlyMap<string, Values>> {
    if (keys.length === 0) return new Map();
    const found = await rowsByKey(to, whole(keys), keys, groups);
    return new Map([...found].map(([key, values]) => [key, held(values)]));
  }

  async function page(query: RowsQuery): Promise<Found> {
    const atOnce = async (): Promise<Found> => {
      const { rows, count } = await rowsOf(to, whole(), query);
      return { rows: rows.map(({ key, values }) => ({ key, values: held(values) })), count };
    };
    const { sort, size, dir, byKey } = query;
    const ordered = async (first: number, number: number): Promise<Found> =>
      rowsOf(to, { ...cells({ sums: storedSumsOf([sort]), withState: false }), counted: bound, only: [sort] }, { ...query, size: first, page: number });
    const read = async (rows: readonly KeyedRow[]): Promise<KeyedRow[]> => {
      const values = await some(rows.map((row) => row.key));
      return rows.flatMap(({ key }) => {
        const found = values.get(key);
        return found ? [{ key, values: found }] : [];
      });
    };
    // Two columns are read as fast as the rows of a page are found by one.
    const light = !sketched && all.length <= 2;
    if (few || light || (!byKey && !exact && (sort === 'newRatio' || (sort === 'visitors' && dir === 'asc')))) return atOnce();
    if (exact || byKey || sort !== 'visitors') {
      const { rows, count } = await ordered(size, query.page);
      return { rows: await read(rows), count };
    }
    const last = query.page * size;
    for (let most = Math.ceil(last * 1.5) + 10; most <= MOST_CANDIDATES; most *= 3) {
      const { rows, count } = await ordered(most, 1);
      const candidates = (await read(rows)).toSorted(
        (a, b) => (b.values.visitors ?? 0) - (a.values.visitors ?? 0) || Buffer.compare(Buffer.from(a.key), Buffer.from(b.key)),
      );
      const lowest = rows.at(-1)?.values.visitors ?? 0;
      const atEnd = candidates[last - 1]?.values.visitors ?? 0;
      if (rows.length === count || atEnd > lowest) return { rows: candidates.slice(last - size, last), count };
    }
    return atOnce();
  }

  return { error: sketched ? rowSketch.error : null, page, some };
}
