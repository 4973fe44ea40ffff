import type { ReconciliationCounts, ReconciliationDimension } from '../../../contract/imports/schemas';

/**
 * A log line and a tracker hit count as the same page view if they have the same path, shortened address, browser and system, and are at most this far apart
 * (ms): a server logs a request after the response was sent, the tracker sends after the page has run.
 */
export const toleranceMs = 60_000;

/** Times (epoch ms, ascending) of one key on both sides. Each is used once; pairing the earliest that fit gives the maximum number of pairs. */
export function matchTimes(
  log: readonly number[],
  script: readonly number[],
  tolerance = toleranceMs,
): { readonly log: boolean[]; readonly script: boolean[] } {
  const matched = { log: log.map(() => false), script: script.map(() => false) };
  let i = 0;
  let j = 0;
  while (i < log.length && j < script.length) {
    const apart = (log[i] as number) - (script[j] as number);
    if (apart > tolerance) j += 1;
    else if (-apart > tolerance) i += 1;
    else {
      matched.log[i] = true;
      matched.script[j] = true;
      i += 1;
      j += 1;
    }
  }
  return matched;
}

/**
 * Times (ascending) of one log that may have been imported twice, once for counting and once for comparison: an entry in both occurs once. Equal times within
 * one import are different visitors and are kept.
 */
export function mergeTimes(counted: readonly number[], compared: readonly number[]): number[] {
  const merged: number[] = [];
  let i = 0;
  let j = 0;
  while (i < counted.length || j < compared.length) {
    const [one, other] = [counted[i] ?? Number.POSITIVE_INFINITY, compared[j] ?? Number.POSITIVE_INFINITY];
    merged.push(Math.min(one, other));
    if (one <= other) i += 1;
    if (other <= one) j += 1;
  }
  return merged;
}

export type Tally = {
  readonly totals: { both: number; logOnly: number; scriptOnly: number };
  readonly add: (of: Readonly<Record<Exclude<ReconciliationDimension, 'day'>, string>>, day: string, kind: keyof ReconciliationCounts) => void;
  readonly rows: (by: ReconciliationDimension, most: number) => (ReconciliationCounts & { readonly key: string })[];
};

/** Counts by all dimensions in one pass. */
export function createTally(): Tally {
  const totals = { both: 0, logOnly: 0, scriptOnly: 0 };
  const tables = new Map<ReconciliationDimension, Map<string, { both: number; logOnly: number; scriptOnly: number }>>();
  const count = (by: ReconciliationDimension, key: string, kind: keyof ReconciliationCounts): void => {
    const table = tables.get(by) ?? new Map<string, { both: number; logOnly: number; scriptOnly: number }>();
    tables.set(by, table);
    const entry = table.get(key) ?? { both: 0, logOnly: 0, scriptOnly: 0 };
    table.set(key, entry);
    entry[kind] += 1;
  };
  return {
    totals,
    add(of, day, kind) {
      totals[kind] += 1;
      count('day', day, kind);
      count('browser', of.browser, kind);
      count('country', of.country, kind);
      count('path', of.path, kind);
    },
    rows(by, most) {
      const rows = [...(tables.get(by) ?? new Map<string, ReconciliationCounts>())].map(([key, counts]) => ({ key, ...counts }));
      if (by === 'day') return rows.sort((a, b) => (a.key < b.key ? -1 : 1));
      return rows.sort((a, b) => b.both + b.logOnly - a.both - a.logOnly || (a.key < b.key ? -1 : 1)).slice(0, most);
    },
  };
}
