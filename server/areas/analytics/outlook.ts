import type { Outlook, Report } from '../../../contract/analytics/schemas';
import { addDays, dayAt } from '../../zone';
import { runQuery, countingOf, totalsOf } from './queries';
import type { QueryContext } from './queries';
import { MAX_DAYS, comparableUntil, rangeOf } from './range';
import type { Range } from './range';
import { scanOf } from './scope';
import type { ScopeQuery, Scope, ScopeSite } from './scope';
import type { Scan } from './slices';

export type ParsedOutlookQuery = ScopeQuery & { readonly measure: 'visitors' | 'visits' | 'views' };
/** `series`: a daily report over the given days. */
export type OutlookOptions = { readonly now: number; readonly scope: Scope; readonly series: (from: string, to: string) => Promise<Report> };

const weeks = 4;

/**
 * Forecast of today's total from the same weekday of the last four weeks: each of those days gives the share of its total that had been reached by this time of
 * day. The extremes give the range of the forecast, all together its central value. Days with nothing by this time are ignored; without any traffic today there
 * is no forecast.
 */
export async function outlookOf(to: QueryContext, site: ScopeSite, query: ParsedOutlookQuery, { now, scope, series }: OutlookOptions): Promise<Outlook> {
  const zone = site.timeZone;
  const today = dayAt(now, zone);
  const range = rangeOf(today, today, zone);
  const scan = (of: Range, end = of.end): Scan => scanOf(site, query, scope, { start: of.start, end });
  const count = async (of: Range, end = of.end): Promise<number> => {
    const one = scan(of, end);
    return (await totalsOf(to, one, of, await countingOf(to, one)))[query.measure] ?? 0;
  };
  const same = Array.from({ length: weeks }, (_, week) => addDays(today, -7 * (week + 1))).map((day) => rangeOf(day, day, zone));
  const [soFar, pairs, best] = await Promise.all([
    count(range),
    Promise.all(same.map(async (day) => Promise.all([count(day), count(day, comparableUntil(range, day, now) ?? day.end)]))),
    bestDay(to, site, today, query.measure, series),
  ]);
  const said = pairs.filter(([, partly]) => partly > 0);
  const ratios = said.map(([whole, partly]) => whole / partly);
  const sum = (index: 0 | 1): number => said.reduce((all, pair) => all + pair[index], 0);
  const forecast =
    said.length < 2 || soFar === 0
      ? null
      : {
          low: Math.round(soFar * Math.min(...ratios)),
          middle: Math.round((soFar * sum(0)) / sum(1)),
          high: Math.round(soFar * Math.max(...ratios)),
          days: said.length,
        };
  return { soFar, forecast, best };
}

/** The day before today with the highest value, the latest of equal ones; null if there was no traffic. Looks back three years at most. */
async function bestDay(
  to: QueryContext,
  site: ScopeSite,
  today: string,
  measure: ParsedOutlookQuery['measure'],
  series: OutlookOptions['series'],
): Promise<Outlook['best']> {
  const [first] = await runQuery<{ at: number; n: number }>(
    to,
    'SELECT toFloat64(toUnixTimestamp64Milli(min(start))) AS at, toFloat64(count()) AS n FROM visits WHERE site_id = {site:String}',
    { site: site.id },
  );
  const yesterday = addDays(today, -1);
  const earliest = addDays(today, 1 - MAX_DAYS);
  const from = first && first.n > 0 ? dayAt(first.at, site.timeZone) : today;
  if (from > yesterday) return null;
  const report = await series(from < earliest ? earliest : from, yesterday);
  let best: Outlook['best'] = null;
  for (const { label, values } of report.series ?? []) {
    const value = values[measure] ?? 0;
    if (value > 0 && value >= (best?.value ?? 0)) best = { day: label.slice(0, 10), value };
  }
  return best;
}
