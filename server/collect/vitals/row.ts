import { createHash } from 'node:crypto';
import type { VitalMetric } from '../../../contract/vitals/terms';
import { isAboutData } from '../../stores/clickhouse/errors';
import type { ClickHouse } from '../../stores/clickhouse/types';
import { storedId } from '../row';

/** One value as stored: the columns of `web_vitals` (server/areas/vitals/schema.ts). Ids are 16 hex digits here, times epoch ms. */
export type VitalRow = {
  readonly site_id: string;
  readonly metric: VitalMetric;
  readonly metric_id: string;
  /** Grows with every value that this process receives: of several with one id the last counts. */
  readonly version: number;
  readonly view_id: string;
  readonly at: number;
  readonly value: number;
  readonly host: string;
  readonly path: string;
  readonly family: string;
  readonly device: string;
  readonly os: string;
  readonly browser: string;
  readonly country: string;
  readonly province: string;
  readonly connection: string;
  readonly navigation: string;
  readonly attribution: string;
};
export const vitalColumns = [
  'site_id',
  'metric',
  'metric_id',
  'version',
  'view_id',
  'at',
  'value',
  'host',
  'path',
  'family',
  'device',
  'os',
  'browser',
  'country',
  'province',
  'connection',
  'navigation',
  'attribution',
] as const satisfies readonly (keyof VitalRow)[];

export const metricId = (metric: VitalMetric, name: string): string => createHash('sha256').update(`${metric} ${name}`).digest('hex').slice(0, 16);

export const encodeVitals = (rows: readonly VitalRow[]): string => JSON.stringify(rows.map((row) => vitalColumns.map((column) => row[column])));

export function decodeVitals(text: string, columns: readonly string[]): VitalRow[] {
  return (JSON.parse(text) as unknown[][]).map((values) => Object.fromEntries(columns.map((column, index) => [column, values[index]])) as VitalRow);
}

const dateTime = (at: number): string => new Date(at).toISOString().replace('T', ' ').replace('Z', '');

/** Repeating a token adds nothing. */
export const insertVitals = (ch: Pick<ClickHouse, 'insert'>, rows: readonly VitalRow[], token: string): Promise<void> =>
  ch.insert(
    'web_vitals',
    rows.map((row) => ({ ...row, metric_id: storedId(row.metric_id), view_id: storedId(row.view_id), at: dateTime(row.at) })),
    { token, columns: vitalColumns },
  );

/** For values that the store takes exception to: all others are stored. Returns the ones that are not. */
export async function insertOneByOne(ch: Pick<ClickHouse, 'insert'>, rows: readonly VitalRow[], token: string): Promise<VitalRow[]> {
  const rejected: VitalRow[] = [];
  for (const [index, row] of rows.entries())
    try {
      await insertVitals(ch, [row], `${token} ${String(index)}`);
    } catch (error) {
      if (!isAboutData(error)) throw error;
      rejected.push(row);
    }
  return rejected;
}
