import { matchBuckets } from '../../../contract/analytics/comparison';
import { ReportQuery } from '../../../contract/analytics/schemas';
import type { Report } from '../../../contract/analytics/schemas';
import type { CardData, Compared, DashboardChange } from '../../../contract/dashboard/schemas';
import { cardNeeds, changeDimensions, dashboardLimits as limits } from '../../../contract/dashboard/terms';
import type { Context } from '../../context';
import { DAY, addDays, dayAt, dayNumber, dayStart, instantOf, labelAt, wallAt } from '../../zone';
import { createShare, liveOf, reportFor, visitorChange } from '../analytics';
import { blockedBetween } from '../countryBlock';
import { annotationsBetween } from '../insights';
import { conversationsBetween } from '../support';
import { outagesOf } from '../uptime';
import type { CardContent } from './cardReader';
import { isAllowed } from './reader';
import type { CardCall } from './reader';

type ComparedId = 'visitors' | 'views' | 'visits' | 'bounceRate' | 'avgDuration';
export const week = 7;
const outagesRead = 20;

/** Today, and another day until the same time of day, in epoch ms. A time that the other day lacks or has twice is resolved as in reports. */
export function sameTime(now: number, zone: string, daysAgo: number) {
  const today = dayAt(now, zone);
  const day = addDays(today, -daysAgo);
  return {
    today,
    day,
    now: { start: dayStart(today, zone), end: dayStart(addDays(today, 1), zone) },
    before: { start: dayStart(day, zone), end: Math.min(instantOf(day, wallAt(now, zone) - dayNumber(today) * DAY, zone), dayStart(addDays(day, 1), zone)) },
  };
}

/** A figure of a day before the site existed is unknown, unless there are visits of that time. */
function compare(id: ComparedId, [now, yesterday, lastWeek]: readonly [Report['totals'], Report['compareTotals'], Report['compareTotals']]): Compared {
  return { now: now[id], yesterday: yesterday?.[id] ?? null, lastWeek: lastWeek?.[id] ?? null };
}

/** What happened at a time of a day, by hour: annotations, and when the site could not be reached. */
async function notesOf({ ctx, site }: CardCall, day: string, labels: readonly string[]): Promise<CardData<'today'>['notes']> {
  const { timeZone } = site.row;
  const [annotations, outages] = await Promise.all([annotationsBetween(ctx, site.id, day, day), outagesOf(ctx, site.id, outagesRead)]);
  const named = annotations.flatMap(({ kind, time, text, values }) => (time === null ? [] : [{ kind, time: time.slice(0, 5), text, values: { ...values } }]));
  const unreachable = outages.flatMap(({ startedAt }) => {
    const [outageDay, time = ''] = labelAt(startedAt.getTime(), timeZone).split('T');
    return outageDay === day ? [{ kind: 'outage' as const, time, text: '', values: {} }] : [];
  });
  return [...named, ...unreachable]
    .map((note) => ({ ...note, index: labels.findIndex((label) => label.slice(0, 2) === note.time.slice(0, 2)) }))
    .filter(({ index }) => index >= 0)
    .toSorted((a, b) => (a.time < b.time ? -1 : 1));
}

/** Conversations that visitors started; null: there are none to have, or the reader may not read them. */
async function enquiriesOf(call: CardCall): Promise<Compared | null> {
  const { support, ctx, site } = call;
  if (!isAllowed(cardNeeds.support, call) || (await support()).summary === null) return null;
  const { now, before } = sameTime(ctx.now(), site.row.timeZone, 1);
  const ago = sameTime(ctx.now(), site.row.timeZone, week).before;
  const [today, yesterday, lastWeek] = await Promise.all([now, before, ago].map(({ start, end }) => conversationsBetween(ctx, site.id, start, end)));
  return { now: today ?? null, yesterday: yesterday ?? null, lastWeek: lastWeek ?? null };
}

/** Today so far against yesterday and the same weekday of last week, each until the same time of day, and the day by hours. */
export async function todayCard(call: CardCall): Promise<CardContent<CardData<'today'>>> {
  const { ctx, site } = call;
  const { timeZone } = site.row;
  const day = dayAt(ctx.now(), timeZone);
  const [yesterday, weekAgo] = [addDays(day, -1), addDays(day, -week)];
  const share = createShare();
  const report = (other: string): Promise<Report> =>
    reportFor(
      ctx,
      { id: site.id, timeZone },
      ReportQuery.parse({ from: day, to: day, compare: 'custom', compareFrom: other, compareTo: other, series: '1', gran: 'hour' }),
      share,
    );
  const [ofDay, ofWeek, enquiries] = await Promise.all([report(yesterday), report(weekAgo), enquiriesOf(call)]);
  const { at } = ofDay.explain;
  const totals = [ofDay.totals, ofDay.compareTotals, ofWeek.compareTotals] as const;
  const series = ofDay.series ?? [];
  const matched = matchBuckets(series, ofDay.compareSeries ?? [], 'hour');
  const labels = series.map(({ label }) => label.slice(11));
  const visits = compare('visits', totals);
  const data = {
    day,
    at,
    early: at - dayStart(day, timeZone) < limits.earlyMs || Math.max(visits.now ?? 0, visits.yesterday ?? 0) < limits.earlyVisits,
    visits,
    figures: {
      visitors: compare('visitors', totals),
      views: compare('views', totals),
      bounceRate: compare('bounceRate', totals),
      avgDuration: compare('avgDuration', totals),
      enquiries,
    },
    hours: series.map(({ start, label, open, values }, index) => ({
      label: label.slice(11),
      now: start > at ? null : values.visitors,
      yesterday: matched[index]?.values.visitors ?? null,
      open: open && start <= at,
    })),
    notes: await notesOf(call, day, labels),
  };
  const isEmpty = totals.every((one) => !one?.visits && !one?.views);
  return { data, isEmpty };
}

export async function liveCard({ ctx, site }: CardCall): Promise<CardContent<CardData<'live'>>> {
  const { online, perMinute, pages } = await liveOf(ctx, site, limits.livePages);
  return { data: { online, perMinute: perMinute.map(({ at, views }) => ({ at, views })), pages } };
}

/** The most viewed pages and the sources of most visitors in the last seven days, against the seven before. */
export async function topCard({ ctx, site }: CardCall): Promise<CardContent<CardData<'top'>>> {
  const { timeZone } = site.row;
  const to = dayAt(ctx.now(), timeZone);
  const share = createShare();
  const rowsBy = async (by: 'path' | 'sourceName', measure: 'views' | 'visitors') => {
    const query = ReportQuery.parse({ from: addDays(to, 1 - week), to, compare: 'weekday', by, sort: measure, size: limits.top });
    const report = await reportFor(ctx, { id: site.id, timeZone }, query, share);
    return {
      compared: (report.compareTotals?.visits ?? 0) > 0,
      rows: (report.rows ?? []).map((row) => ({ key: row.key, now: row.values[measure] ?? 0, before: row.compare?.[measure] ?? 0, share: row.share ?? 0 })),
    };
  };
  const [pages, sources] = await Promise.all([rowsBy('path', 'views'), rowsBy('sourceName', 'visitors')]);
  return { data: { pages: pages.rows, sources: sources.rows, compared: pages.compared }, isEmpty: pages.rows.length === 0 && sources.rows.length === 0 };
}

/** Why today's visitors are more or fewer than on another day until the same time. */
export async function whyChanged(ctx: Context, site: CardCall['site'], against: 'yesterday' | 'week'): Promise<DashboardChange> {
  const at = ctx.now();
  const { timeZone } = site.row;
  const { today, day, now, before } = sameTime(at, timeZone, against === 'week' ? week : 1);
  const [change, blockedNow, blockedBefore] = await Promise.all([
    visitorChange(ctx, { id: site.id, timeZone }, now, before, changeDimensions),
    blockedBetween(ctx, site.id, now.start, now.end),
    blockedBetween(ctx, site.id, before.start, before.end),
  ]);
  const { visitors, rows, bots, suspected } = change;
  return {
    at,
    day: today,
    compareDay: day,
    visitors,
    by: changeDimensions.map((dimension) => {
      const own = rows
        .filter((row) => row.dimension === dimension)
        .toSorted((a, b) => Math.abs(b.now - b.before) - Math.abs(a.now - a.before) || b.now - a.now || (a.key < b.key ? -1 : 1));
      const others = own.slice(limits.changeRows);
      const sum = (side: 'now' | 'before'): number => others.reduce((total, row) => total + row[side], 0);
      return {
        dimension,
        rows: own.slice(0, limits.changeRows).map(({ key, now: count, before: earlier }) => ({ key, now: count, before: earlier })),
        rest: { now: sum('now'), before: sum('before') },
      };
    }),
    leftOut: { bots, suspected, blocked: { now: blockedNow, before: blockedBefore } },
  };
}
