import type { ImportedDimension, ImportedHistory, ImportedSums } from '../../../contract/imports/schemas';
import type { ClickHouse } from '../../stores/clickhouse/types';
import { dayAt } from '../../zone';
import { storedPathSql } from '../../stores/clickhouse/storedPaths';
import { firstMeasured } from './queries';

type Sums = Record<keyof ImportedSums, string>;
const sumNames = ['visitors', 'visits', 'views', 'bounces', 'seconds', 'events'] as const satisfies readonly (keyof ImportedSums)[];
const sumSql = sumNames.map((name) => `toString(sum(${name})) AS ${name}_sum`).join(', ');
type SumsRow = { [K in keyof Sums as `${K}_sum`]: string };
const read = (row: SumsRow | undefined): ImportedSums => Object.fromEntries(sumNames.map((name) => [name, Number(row?.[`${name}_sum`] ?? 0)])) as ImportedSums;

export type HistoryAsk = {
  readonly siteId: string;
  readonly timeZone: string;
  /** null: all imports of the site. */
  readonly number: number | null;
  readonly from: string | undefined;
  readonly to: string | undefined;
  readonly by: ImportedDimension | undefined;
  readonly size: number;
};

/** Days counted by another analytics tool. Two imports of the same day would count it twice, so each day is taken from the latest import. */
export async function historyOf(clickhouse: ClickHouse, { siteId, timeZone, number, from, to, by, size }: HistoryAsk): Promise<ImportedHistory> {
  const params = { site: siteId, number: number ?? 0, from: from ?? '1970-01-01', to: to ?? '2149-06-06', by: by ?? '', size };
  // Days are stored as imported; an earlier version stored paths with all percent-escapes.
  const key = by === 'page' || by === 'entryPage' || by === 'exitPage' ? storedPathSql('key') : 'key';
  const rows = (dimension: string): string =>
    `FROM imported_days FINAL WHERE site_id = {site:String} AND dimension = ${dimension} AND day BETWEEN toDate({from:String}) AND toDate({to:String})
      ${number === null ? `AND (day, import_id) IN (SELECT day, max(import_id) FROM imported_days WHERE site_id = {site:String} AND dimension = ${dimension} GROUP BY day)` : 'AND import_id = {number:UInt32}'}`;
  const [days, keys, counts, measured] = await Promise.all([
    clickhouse.query<SumsRow & { date: string }>(`SELECT toString(day) AS date, ${sumSql} ${rows("'total'")} GROUP BY day ORDER BY day`, { params }),
    by === undefined
      ? []
      : clickhouse.query<SumsRow & { name: string }>(
          `SELECT ${key} AS name, ${sumSql} ${rows('{by:String}')} GROUP BY name ORDER BY sum(visitors) DESC, name LIMIT {size:UInt32}`,
          { params },
        ),
    by === undefined ? [] : clickhouse.query<{ n: string }>(`SELECT toString(uniqExact(${key})) AS n ${rows('{by:String}')}`, { params }),
    firstMeasured(clickhouse, siteId),
  ]);
  const totals = read(undefined);
  for (const day of days) for (const name of sumNames) totals[name] += Number(day[`${name}_sum`]);
  return {
    from: days[0]?.date ?? null,
    to: days.at(-1)?.date ?? null,
    measuredFrom: measured === null ? null : dayAt(measured, timeZone),
    totals,
    days: days.map((row) => ({ day: row.date, ...read(row) })),
    rows: keys.map((row) => ({ key: row.name, ...read(row) })),
    rowCount: Number(counts[0]?.n ?? 0),
  };
}
