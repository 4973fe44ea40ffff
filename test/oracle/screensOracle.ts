import { bucketKeys } from '../../contract/analytics/schemas';
import type { DimensionId, Distribution, Flow, KnownShares, Movers, Online, Outlook, SourceType, Tree } from '../../contract/analytics/schemas';
import type { VisitFigures } from '../../contract/sites/list';
import { dayOf, daysFrom, laterDay, stepOf, timeOf } from './calendar';
import { counted, expectedRows, expectedTotals, measure, partOf, withinRange } from './reportOracle';
import type { OracleQuestion, Counted } from './reportOracle';
import { countKey, inPopulation, pagesKey, visitValue } from './values';
import type { Visit } from './values';

/** The expected figures of the other screens, computed from the same definitions as simply as possible. */

const bytes = (a: string, b: string): number => Buffer.compare(Buffer.from(a), Buffer.from(b));

/** The parts that contain some page views only. */
const narrowed = (all: readonly Counted[], holds: (view: Counted['views'][number]) => boolean): Counted[] =>
  all.map((one) => partOf(one, one.views.filter(holds))).filter((one) => one.views.length > 0);

export function expectedTree(visits: readonly Visit[], question: OracleQuestion, under: string, host?: string): Tree {
  const within = withinRange(question);
  const inside = (path: string): boolean => under === '/' || path.startsWith(under);
  const folderVisits = narrowed(counted(visits, question), (view) => inside(view.path) && (host === undefined || view.host === host));
  /** A direct subfolder, or the page itself; distinguished by the first letter. */
  const nodeOf = (path: string): string => {
    const rest = path.startsWith(under) ? path.slice(under.length) : '';
    const slash = rest.indexOf('/');
    return slash > 0 ? `d${under}${rest.slice(0, slash + 1)}` : `p${path.startsWith(under) ? path : under}`;
  };
  const nodes = [...new Set(folderVisits.flatMap((one) => one.views.map((view) => nodeOf(view.path))))].flatMap((node) => {
    const own = narrowed(folderVisits, (view) => nodeOf(view.path) === node);
    const values = measure(own, question.zone, within, ['pages']);
    const viewed = own.flatMap((one) => one.views.filter((view) => within(view.at)));
    if (!values.visits && !values.views) return [];
    return [
      {
        path: node.slice(1),
        kind: node.startsWith('d') ? ('directory' as const) : ('page' as const),
        pages: new Set(viewed.map((view) => view.path)).size,
        views: values.views ?? 0,
        visitors: values.visitors ?? 0,
        visits: values.visits ?? 0,
        avgTimeOnPage: values.avgTimeOnPage,
      },
    ];
  });
  return { under, nodes: sortNodes(nodes), views: measure(folderVisits, question.zone, within).views ?? 0, more: false };
}
export const sortNodes = (nodes: Tree['nodes']): Tree['nodes'] =>
  [...nodes].sort((a, b) => b.views - a.views || bytes((a.kind === 'page' ? 'p' : 'd') + a.path, (b.kind === 'page' ? 'p' : 'd') + b.path));

export function expectedFlow(visits: readonly Visit[], question: OracleQuestion, path: string): Flow {
  const within = withinRange(question);
  const steps = counted(visits, question).flatMap(({ visit, views }) =>
    views
      .filter((view) => view.path === path && within(view.at))
      .map((view) => {
        const place = visit.views.indexOf(view);
        return { visit, before: visit.views[place - 1]?.path, after: visit.views[place + 1]?.path };
      }),
  );
  const views = steps.length;
  const tally = (keys: readonly string[]): [string, number][] =>
    [...new Set(keys)]
      .map((key): [string, number] => [key, keys.filter((one) => one === key).length])
      .sort((a, b) => b[1] - a[1] || bytes(a[0], b[0]))
      .slice(0, 50);
  const ends = (keys: readonly (string | undefined)[]): Flow['upstream'] =>
    tally(keys.filter((key) => key !== undefined && key !== path) as string[]).map(([key, n]) => ({ path: key, views: n, share: n / views }));
  const entering = steps.filter((step) => step.before === undefined);
  return {
    path,
    views,
    entries: entering.length,
    sources: tally(entering.map(({ visit }) => `${visit.source}\u0000${visit.about.sourceName}`)).map(([key, n]) => {
      const [sourceType, sourceName] = key.split('\u0000') as [SourceType, string];
      return { sourceType, sourceName, views: n, share: n / views };
    }),
    upstream: ends(steps.map((step) => step.before)),
    again: steps.filter((step) => step.before === path).length,
    exits: steps.filter((step) => step.after === undefined).length,
    downstream: ends(steps.map((step) => step.after)),
    againNext: steps.filter((step) => step.after === path).length,
  };
}

/** Each visitor of the range in one bucket, by the total of their visits in it. */
export function expectedDistribution(visits: readonly Visit[], question: OracleQuestion, of: Distribution['of']): Distribution {
  const within = withinRange(question);
  const all = counted(visits, question);
  const people = [...new Set(all.map((one) => one.visit.visitor))].flatMap((visitor) => {
    const {
      visitors,
      visits: begun,
      views,
    } = measure(
      all.filter((one) => one.visit.visitor === visitor),
      question.zone,
      within,
    );
    const own = { visitors: visitors ?? 0, visits: begun ?? 0, views: views ?? 0 };
    const key = of === 'views' ? pagesKey(own.views) : countKey(bucketKeys.visitNumber, Math.max(1, own.visits));
    return own.visitors || own.visits ? [{ ...own, key }] : [];
  });
  const total = people.reduce((sum, one) => sum + one.visitors, 0);
  const keys: readonly string[] = of === 'views' ? bucketKeys.pages : bucketKeys.visitNumber;
  return {
    of,
    visitors: total,
    buckets: keys.map((key) => {
      const own = people.filter((one) => one.key === key);
      const add = (pick: (one: (typeof own)[number]) => number): number => own.reduce((sum, one) => sum + pick(one), 0);
      const visitors = add((one) => one.visitors);
      return { key, visitors, visits: add((one) => one.visits), views: add((one) => one.views), share: total === 0 ? null : visitors / total };
    }),
  };
}

export function expectedCoverage(visits: readonly Visit[], question: OracleQuestion): KnownShares {
  const within = withinRange(question);
  const begun = counted(visits, question)
    .map((one) => one.visit)
    .filter((visit) => within(visit.start));
  const search = begun.filter((visit) => visit.source === 'search');
  const referred = begun.filter((visit) => ['external', 'social', 'ai', 'email'].includes(visit.source));
  return {
    search: search.length,
    keyword: search.filter((visit) => visit.about.keyword !== '').length,
    referred: referred.length,
    referrerPath: referred.filter((visit) => visitValue(visit, 'referrerPath', question.zone) !== '').length,
  };
}

export function expectedMovers(
  visits: readonly Visit[],
  question: OracleQuestion,
  before: OracleQuestion,
  by: DimensionId,
  of: 'visits' | 'visitors' | 'views',
): Movers {
  const [nowRows, beforeRows] = [expectedRows(visits, question, by), expectedRows(visits, before, by)];
  const movers = [...new Set([...nowRows.keys(), ...beforeRows.keys()])]
    .map((key) => ({ key, now: nowRows.get(key)?.[of] ?? 0, before: beforeRows.get(key)?.[of] ?? 0 }))
    .sort((a, b) => Math.abs(b.now - b.before) - Math.abs(a.now - a.before) || bytes(a.key, b.key));
  if (movers.every((mover) => mover.before === 0)) return { fresh: [], rising: [], falling: [] };
  const most = (holds: (mover: (typeof movers)[number]) => boolean) => movers.filter(holds).slice(0, 10);
  return {
    fresh: most((m) => m.before === 0 && m.now > 0),
    rising: most((m) => m.before > 0 && m.now > m.before),
    falling: most((m) => m.now < m.before),
  };
}

export function expectedOutlook(
  visits: readonly Visit[],
  question: Omit<OracleQuestion, 'from' | 'to'>,
  of: 'visits' | 'visitors' | 'views',
  now: number,
): Outlook {
  const { zone } = question;
  const today = dayOf(now, zone);
  const time = timeOf(now, zone);
  // Each day is computed from its own visits only, because there are hundreds of days.
  const ofDay = new Map<string, Visit[]>();
  for (const visit of visits) for (const day of daysFrom(dayOf(visit.start, zone), dayOf(visit.last, zone))) ofDay.set(day, [...(ofDay.get(day) ?? []), visit]);
  const whole = (day: string, until?: number): number =>
    expectedTotals(ofDay.get(day) ?? [], { ...question, from: day, to: day, ...(until === undefined ? {} : { until }) })[of] ?? 0;
  /** The minute of that day with the same local time as `now`, which is a whole minute. */
  const sameTime = (day: string): number => {
    let at = now - 29 * 86_400_000 - 7_200_000;
    while (dayOf(at, zone) < day) at += 60_000 * 15;
    at -= 60_000 * 15;
    while (dayOf(at, zone) < day || timeOf(at, zone) < time) at += 60_000;
    return at;
  };
  const soFar = whole(today);
  const said = [1, 2, 3, 4]
    .map((week) => laterDay(today, -7 * week))
    .map((day) => ({ whole: whole(day), partly: whole(day, sameTime(day)) }))
    .filter((day) => day.partly > 0);
  const ratios = said.map((day) => day.whole / day.partly);
  const sum = (pick: 'whole' | 'partly'): number => said.reduce((all, day) => all + day[pick], 0);
  const first = dayOf(Math.min(...visits.map((visit) => visit.start)), zone);
  let best: Outlook['best'] = null;
  for (const day of daysFrom(first, laterDay(today, -1))) {
    const value = whole(day);
    if (value > 0 && value >= (best?.value ?? 0)) best = { day, value };
  }
  return {
    soFar,
    forecast:
      said.length < 2 || soFar === 0
        ? null
        : {
            low: Math.round(soFar * Math.min(...ratios)),
            middle: Math.round((soFar * sum('whole')) / sum('partly')),
            high: Math.round(soFar * Math.max(...ratios)),
            days: said.length,
          },
    best,
  };
}

const minute = 60_000;
/** Visitors active in the last five minutes, and page views and their visitors by minute for thirty minutes. */
export function expectedOnline(visits: readonly Visit[], question: Omit<OracleQuestion, 'from' | 'to'>, now: number): Online {
  const all = counted(visits, { ...question, from: '2000-01-01', to: '2100-01-01' });
  const first = Math.floor(now / minute) * minute - 29 * minute;
  return {
    online: new Set(all.filter((one) => one.visit.last >= now - 5 * minute).map((one) => one.visit.visitor)).size,
    perMinute: Array.from({ length: 30 }, (_, i) => {
      const at = first + i * minute;
      const viewVisitors = all.flatMap((one) => one.views.filter((view) => view.at >= at && view.at < at + minute).map(() => one.visit.visitor));
      return { at, views: viewVisitors.length, visitors: new Set(viewVisitors).size };
    }),
  };
}

/** A card of /home: people only. */
export function expectedFigures(visits: readonly Visit[], zone: string, now: number): VisitFigures {
  const today = dayOf(now, zone);
  const question: OracleQuestion = { zone, from: today, to: today, who: 'humans', filters: [] };
  const yesterday = laterDay(today, -1);
  const upToNow = { ...question, until: now + 1 };
  const totals = expectedTotals(visits, upToNow);
  let sameTime = now - 26 * 60 * minute;
  while (dayOf(sameTime, zone) < yesterday || timeOf(sameTime, zone) !== timeOf(now, zone)) sameTime += minute;
  const hours: string[] = [];
  for (let at = now; dayOf(at, zone) === today; at -= minute) if (hours.at(-1) !== stepOf(at, zone, 'hour')) hours.push(stepOf(at, zone, 'hour'));
  const people = counted(visits, upToNow);
  const inside = withinRange(upToNow);
  return {
    visitorsToday: totals.visitors ?? 0,
    visitorsYesterdaySoFar: expectedTotals(visits, { ...question, from: yesterday, to: yesterday, until: sameTime }).visitors,
    viewsToday: totals.views ?? 0,
    series: hours.reverse().map((hour) => measure(people, zone, (at) => inside(at) && stepOf(at, zone, 'hour') === hour).visitors ?? 0),
    online: expectedOnline(visits, { zone, who: 'humans', filters: [] }, now).online,
    lastHitAt: new Date(Math.max(...visits.filter((visit) => inPopulation(visit, 'humans')).map((visit) => visit.last))).toISOString(),
  };
}
