import { ReportQuery } from '../../../contract/analytics/schemas';
import type { Bucket, Values } from '../../../contract/analytics/schemas';
import type { AlertRule } from '../../../contract/digests/schemas';
import type { Context } from '../../context';
import { HOUR, MINUTE, addDays } from '../../zone';
import type { Day } from '../../zone';
import { reportFor } from '../analytics';
import { todayOf } from './notices';
import type { Fired } from './notices';
import type { DigestSite } from './queries';

/** A window is evaluated this long after its end, because the last hits may still be arriving. */
const settlingMs = 5 * MINUTE;
const weeks = 4;
const leastWeeks = 2;

/** A window and the same window in previous weeks. */
type Window = { readonly label: string; readonly value: Values; readonly before: readonly Values[] };

const hadVisits = (values: Values): boolean => (values.views ?? 0) > 0 || (values.visits ?? 0) > 0;

/** Whether a rule fires on a window; see `AlertRule`. `before` has the same window of earlier weeks, limited to those whose day had visits. */
export function judge(rule: AlertRule, value: number, before: readonly number[]): { readonly usual: number } | null {
  if (before.length < leastWeeks) return null;
  const usual = before.reduce((sum, one) => sum + one, 0) / before.length;
  const difference = rule.direction === 'spike' ? value - usual : usual - value;
  return usual > 0 && difference >= rule.least && difference >= (usual * rule.percent) / 100 ? { usual } : null;
}

/** The rules of a site that fire on the last whole hour and on yesterday. Throws ClickHouseAway. */
export async function firing(ctx: Context, site: DigestSite, rules: readonly AlertRule[]): Promise<Fired[]> {
  const fired: Fired[] = [];
  const days = new Map<Day, Promise<{ totals: Values; series: readonly Bucket[] }>>();
  const dayOf = (day: Day) => {
    const known =
      days.get(day) ??
      reportFor(ctx, site, ReportQuery.parse({ from: day, to: day, series: '1', gran: 'hour' })).then(({ totals, series }) => ({
        totals,
        series: series ?? [],
      }));
    days.set(day, known);
    return known;
  };
  const windows: Partial<Record<AlertRule['window'], Promise<Window | null>>> = {};
  for (const rule of rules) {
    const window = await (windows[rule.window] ??= rule.window === 'hour' ? lastHour(ctx, site, dayOf) : yesterday(ctx, site, dayOf));
    if (window === null) continue;
    const value = window.value[rule.measure] ?? 0;
    const verdict = judge(
      rule,
      value,
      window.before.map((values) => values[rule.measure] ?? 0),
    );
    if (verdict) fired.push({ rule, label: window.label, value, usual: Math.round(verdict.usual) });
  }
  return fired;
}

type DayOf = (day: Day) => Promise<{ totals: Values; series: readonly Bucket[] }>;

async function yesterday(ctx: Context, site: DigestSite, dayOf: DayOf): Promise<Window> {
  const day = addDays(todayOf(ctx, site), -1);
  const earlier = await Promise.all(Array.from({ length: weeks }, (_, n) => dayOf(addDays(day, -7 * (n + 1)))));
  return { label: day, value: (await dayOf(day)).totals, before: earlier.map(({ totals }) => totals).filter(hadVisits) };
}

/** The hour that ended at least five minutes and less than an hour and five minutes ago; null if the clocks changed in it. */
async function lastHour(ctx: Context, site: DigestSite, dayOf: DayOf): Promise<Window | null> {
  const now = ctx.now() - settlingMs;
  const today = todayOf(ctx, site);
  const found = [...(await dayOf(addDays(today, -1))).series, ...(await dayOf(today)).series].findLast(({ end }) => end <= now);
  if (!found || found.end - found.start !== HOUR) return null;
  const [day, time] = [found.label.slice(0, 10), found.label.slice(10)];
  const earlier = await Promise.all(Array.from({ length: weeks }, (_, n) => dayOf(addDays(day, -7 * (n + 1)))));
  const before = earlier.filter(({ totals }) => hadVisits(totals)).flatMap(({ series }) => series.find(({ label }) => label.slice(10) === time)?.values ?? []);
  return { label: found.label, value: found.values, before };
}
