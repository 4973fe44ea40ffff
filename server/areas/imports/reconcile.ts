import { reconciliationDimensions } from '../../../contract/imports/schemas';
import type { Reconciliation } from '../../../contract/imports/schemas';
import { fail } from '../../http/failure';
import type { ClickHouse } from '../../stores/clickhouse/types';
import { dayAt } from '../../zone';
import { createTally, matchTimes, mergeTimes, toleranceMs } from './matching';
import type { Tally } from './matching';

/** Longest range in days; maximum page views held in memory at once. */
const mostDays = 100;
const perStep = 200_000;
const mostRows = 100;

export type Ask = {
  readonly clickhouse: ClickHouse;
  readonly signal: AbortSignal;
  readonly siteId: string;
  readonly timeZone: string;
  /** Epoch ms, [start, end). */
  readonly start: number;
  readonly end: number;
};

const instant = (param: string): string => `fromUnixTimestamp64Milli({${param}:Int64}, 'UTC')`;
/** Human page views. Pages that are prefetched but never shown run no script, and a log does not distinguish them. */
const people = `site_id = {site:String} AND kind = 'view' AND bot_score < 50 AND origin IN ('script', 'log', 'audit')
  AND at >= ${instant('start')} AND at < ${instant('end')}`;
const side = "if(origin = 'script', 'script', 'log')";

/**
 * Compares the human page views of imported logs with those sent by the script, for the period that both cover. One-to-one, by the rule in matching.ts. An
 * estimate: two visitors behind one address with the same browser are distinguished by time only.
 */
export async function reconcile({ clickhouse, signal, siteId, timeZone, start, end }: Ask): Promise<Reconciliation> {
  if (end - start > (mostDays + 1) * 86_400_000) fail('range_not_allowed');
  const tally = createTally();
  const options = { signal };
  const spans = await clickhouse.query<{ side: 'script' | 'log'; first: string; last: string; n: string }>(
    `SELECT ${side} AS side, toString(min(toUnixTimestamp64Milli(at))) AS first, toString(max(toUnixTimestamp64Milli(at))) AS last, toString(count()) AS n
     FROM hits WHERE ${people} GROUP BY side`,
    { ...options, params: { site: siteId, start, end } },
  );
  const [log, script] = (['log', 'script'] as const).map((one) => spans.find((span) => span.side === one));
  const base = { timeZone, tolerance: toleranceMs / 1000 };
  if (!log || !script) return { ...base, from: null, to: null, totals: tally.totals, hidden: null, by: byDimension(tally) };
  const from = Math.max(Number(log.first), Number(script.first) - toleranceMs);
  const to = Math.min(Number(log.last), Number(script.last) + toleranceMs);
  if (from > to) return { ...base, from: null, to: null, totals: tally.totals, hidden: null, by: byDimension(tally) };

  const parts = Math.ceil((Number(log.n) + Number(script.n)) / perStep);
  for (let part = 0; part < parts; part += 1) {
    const rows = await clickhouse.query<Group>(
      `SELECT v_path AS path, v_browser AS browser,
         arrayMap(t -> toString(t), arraySort(groupArrayIf(v_at, v_origin = 'log'))) AS counted,
         arrayMap(t -> toString(t), arraySort(groupArrayIf(v_at, v_origin = 'audit'))) AS compared, arrayMap(t -> toString(t), arraySort(groupArrayIf(v_at, v_origin = 'script'))) AS script,
         anyIf(v_country, v_origin != 'script') AS logCountry, anyIf(v_country, v_origin = 'script') AS scriptCountry
       FROM (SELECT any(hits.path) AS v_path, any(toString(browser)) AS v_browser, any(toString(os)) AS v_os, any(toString(ip_masked)) AS v_address,
           any(toString(origin)) AS v_origin, any(toString(country)) AS v_country, min(toUnixTimestamp64Milli(hits.at)) AS v_at
         FROM hits WHERE ${people} GROUP BY visitor_id, view_id)
       WHERE cityHash64(v_path, v_address, v_browser, v_os) % {parts:UInt32} = {part:UInt32}
       GROUP BY v_path, v_address, v_browser, v_os`,
      // A margin at both ends, for partners of views at the edges.
      { ...options, params: { site: siteId, start: from - toleranceMs, end: to + toleranceMs + 1, parts, part } },
    );
    for (const row of rows) count(tally, row, { from, to, timeZone });
  }
  const { both, logOnly } = tally.totals;
  return {
    ...base,
    from: dayAt(from, timeZone),
    to: dayAt(to, timeZone),
    totals: tally.totals,
    hidden: both + logOnly === 0 ? null : logOnly / (both + logOnly),
    by: byDimension(tally),
  };
}

type Group = {
  readonly path: string;
  readonly browser: string;
  /** Times (epoch ms, ascending) of lines imported for counting and of lines imported only for comparison. */
  readonly counted: readonly string[];
  readonly compared: readonly string[];
  readonly script: readonly string[];
  readonly logCountry: string;
  readonly scriptCountry: string;
};

/** A pair counts once, at the log's time; views outside the common period count only as partners. */
function count(tally: Tally, group: Group, { from, to, timeZone }: { readonly from: number; readonly to: number; readonly timeZone: string }): void {
  const log = mergeTimes(group.counted.map(Number), group.compared.map(Number));
  const script = group.script.map(Number);
  const matched = matchTimes(log, script);
  const within = (at: number): boolean => at >= from && at <= to;
  const of = { path: group.path, browser: group.browser, country: group.logCountry === '' ? group.scriptCountry : group.logCountry };
  log.forEach((at, i) => within(at) && tally.add(of, dayAt(at, timeZone), matched.log[i] === true ? 'both' : 'logOnly'));
  script.forEach((at, i) => within(at) && matched.script[i] !== true && tally.add(of, dayAt(at, timeZone), 'scriptOnly'));
}

const byDimension = (tally: Tally): Reconciliation['by'] =>
  Object.fromEntries(reconciliationDimensions.map((by) => [by, tally.rows(by, mostRows)])) as Reconciliation['by'];
