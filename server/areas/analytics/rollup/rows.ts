import type { Values } from '../../../../contract/analytics';
import { withVisitors } from '../measures';
import type { Counted, MeasureGroup } from '../measures';
import { ask, rowsByKey, rowsOf } from '../queries';
import type { Ask, KeyedRow, RowSource, RowsAsked } from '../queries';
import type { Sql } from '../slices';
import { rowSketch } from './schema';

type Found = { readonly rows: readonly KeyedRow[]; readonly count: number };
export type CellRows = {
  /** Relative standard error of the visitors; null where they are exact. */
  readonly error: number | null;
  readonly page: (asked: RowsAsked) => Promise<Found>;
  readonly some: (keys: readonly string[]) => Promise<ReadonlyMap<string, Values>>;
};

export const sumOfCells = (id: string): string => `sum(s_${id})`;
export const daily: Counted['daily'] = (column) => (column === 'visitor_id' ? 'sum(visitors)' : 'sum(ips)');
const merged = `${rowSketch.name}Merge(${rowSketch.precision})(visitor_state)`;

/** Merging the sketches of so many rows costs about as much as reading the sums of all. */
const MOST_CANDIDATES = 2000;

/**
 * Rows of a dimension out of `cells` (`row_key`, sums, visitors and sketches by day). Sketches are by far the most expensive part, and a page shows few rows:
 * visitors of the days added up bound those of the range from above, so only rows that this bound puts near the page have theirs merged. With the
 * last of the page above every bound that was left out, no other row can belong on it. `exact`: the cells are of one day, and the bound is the figure itself.
 */
export function rowsInCells(to: Ask, cells: Sql, groups: readonly MeasureGroup[], exact: boolean): CellRows {
  const bounded: RowSource = { ...cells, counted: { sum: sumOfCells, daily, once: () => 'sum(visitors)' } };
  const sketched: RowSource = { ...cells, counted: { sum: sumOfCells, daily, once: () => merged } };

  async function withSketches(rows: readonly KeyedRow[]): Promise<KeyedRow[]> {
    if (exact || rows.length === 0) return [...rows];
    const found = await ask<{ row_key: string; n: string }>(
      to,
      `SELECT row_key, ${merged} AS n FROM (${cells.sql}) WHERE row_key IN {keys:Array(String)} GROUP BY row_key`,
      { ...cells.params, keys: rows.map((row) => row.key) },
    );
    const visitors = new Map(found.map((row) => [row.row_key, Number(row.n)]));
    // A sketch may err beyond what the days allow.
    return rows.map(({ key, values }) => ({ key, values: withVisitors(values, Math.min(visitors.get(key) ?? 0, values.visitors ?? 0)) }));
  }

  async function page(asked: RowsAsked): Promise<Found> {
    const read = (source: RowSource, size: number, number: number): Promise<Found> => rowsOf(to, source, { ...asked, size, page: number });
    const bySketch = !asked.byKey && (asked.sort === 'visitors' || asked.sort === 'newRatio');
    if (exact || !bySketch) {
      const found = await read(bounded, asked.size, asked.page);
      return { ...found, rows: await withSketches(found.rows) };
    }
    const last = asked.page * asked.size;
    if (asked.sort !== 'visitors' || asked.dir !== 'desc') return read(sketched, asked.size, asked.page);
    for (let most = last * 2 + 50; most <= MOST_CANDIDATES; most *= 3) {
      const { rows, count } = await read(bounded, most, 1);
      const candidates = (await withSketches(rows)).toSorted(
        (a, b) => (b.values.visitors ?? 0) - (a.values.visitors ?? 0) || Buffer.compare(Buffer.from(a.key), Buffer.from(b.key)),
      );
      const bound = rows.at(-1)?.values.visitors ?? 0;
      const atEnd = candidates[last - 1]?.values.visitors ?? 0;
      if (rows.length === count || atEnd > bound) return { rows: candidates.slice(last - asked.size, last), count };
    }
    return read(sketched, asked.size, asked.page);
  }

  return {
    error: exact ? null : rowSketch.error,
    page,
    async some(keys) {
      const values = await rowsByKey(to, bounded, keys, groups);
      const rows = await withSketches([...values].map(([key, one]) => ({ key, values: one })));
      return new Map(rows.map((row) => [row.key, row.values]));
    },
  };
}
