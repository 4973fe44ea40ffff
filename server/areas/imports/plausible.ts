import type { ImportedDimension } from '../../../contract/imports/schemas';
import { normalizePath } from '../../../contract/paths';
import { cleanText } from '../../collect/text';
import type { Row } from './tables';

/**
 * Plausible's export: a zip of `imported_<what>_<from>_<to>.csv`, each with counts by day and one dimension. Daily sums cannot be split into visits again, so
 * they are stored as sums.
 */
const files: readonly (readonly [RegExp, ImportedDimension | 'total', string])[] = [
  [/^imported_visitors/i, 'total', ''],
  [/^imported_sources/i, 'source', 'source'],
  [/^imported_pages/i, 'page', 'page'],
  [/^imported_entry_pages/i, 'entryPage', 'entry_page'],
  [/^imported_exit_pages/i, 'exitPage', 'exit_page'],
  [/^imported_locations/i, 'country', 'country'],
  [/^imported_devices/i, 'device', 'device'],
  [/^imported_browsers/i, 'browser', 'browser'],
  [/^imported_operating_systems/i, 'os', 'operating_system'],
  [/^imported_custom_events/i, 'event', 'name'],
];

/** The dimension of a file of the export; null: not one of its files. */
export function plausibleTable(name: string): { readonly dimension: ImportedDimension | 'total'; readonly column: string } | null {
  const found = files.find(([pattern]) => pattern.test(name));
  return found === undefined ? null : { dimension: found[1], column: found[2] };
}

export type ImportedDay = {
  readonly dimension: ImportedDimension | 'total';
  readonly day: string;
  readonly key: string;
  readonly line: number;
  readonly visitors: number;
  readonly visits: number;
  readonly views: number;
  readonly bounces: number;
  readonly seconds: number;
  readonly events: number;
};

const pageDimensions: ReadonlySet<string> = new Set<ImportedDimension>(['page', 'entryPage', 'exitPage']);
const keyOf = (dimension: ImportedDimension | 'total', text: string): string => cleanText(pageDimensions.has(dimension) ? normalizePath(text) : text, 2000);

/** One row of the export. null: invalid day or invalid count. */
export function plausibleDay(row: Row, line: number, { dimension, column }: NonNullable<ReturnType<typeof plausibleTable>>): ImportedDay | null {
  const day = row['date'] ?? '';
  if (
    !/^(19|20)\d{2}-\d{2}-\d{2}$/.test(day) ||
    Number.isNaN(Date.parse(`${day}T00:00:00Z`)) ||
    new Date(`${day}T00:00:00Z`).toISOString().slice(0, 10) !== day
  )
    return null;
  const count = (...names: readonly string[]): number => {
    const text = names.map((name) => row[name]).find((value) => value !== undefined) ?? '0';
    return /^\d{1,15}$/.test(text) ? Number(text) : Number.NaN;
  };
  const sums = {
    visitors: count('visitors'),
    visits: count('visits', 'entrances', 'exits'),
    views: count('pageviews'),
    bounces: count('bounces'),
    // Durations are sums of seconds; older versions exported negative values.
    seconds: count('visit_duration'),
    events: count('events'),
  };
  if (Object.values(sums).some(Number.isNaN)) return null;
  return { dimension, day, key: keyOf(dimension, column === '' ? '' : (row[column] ?? '')), line, ...sums };
}
