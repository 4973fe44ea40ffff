import { retentionPeriods } from '../../contract/insights/reports';
import type { EventDetail, EventsReport, FunnelResult, Journey, Retention, ScrollReport, SearchesReport } from '../../contract/insights/reports';
import type { Condition } from '../../contract/insights/schemas';
import { dayOf, laterDay } from './calendar';
import { eventMeets, numberOf, pageMeets, propsOf } from './goals';
import { counted, isCounted, withinRange } from './reportOracle';
import type { OracleQuestion, Counted } from './reportOracle';
import { inPopulation } from './values';
import type { Visit } from './values';
import type { OracleEvent, OracleView } from './visits';

const bytes = (a: string, b: string): number => Buffer.compare(Buffer.from(a), Buffer.from(b));
const different = (list: readonly string[]): number => new Set(list).size;
const idOf = (visit: Visit): string => `${visit.visitor} ${visit.number}`;

type Happened = { visit: Visit; event: OracleEvent };
/** Every event in the range, including the program's own; under page filters, those on matching pages. */
function eventsIn(visits: readonly Visit[], question: OracleQuestion): Happened[] {
  const within = withinRange(question);
  const byPage = question.filters.some((f) => ['path', 'title', 'host', 'siteSearch', 'directory'].includes(f.dimension));
  return counted(visits, question).flatMap(({ visit, views }) =>
    visit.events
      .filter((event) => within(event.at) && (!byPage || views.some((view) => visit.views[event.view - 1] === view)))
      .map((event) => ({ visit, event })),
  );
}
const tally = (list: readonly Happened[]) => ({
  count: list.length,
  visits: different(list.map(({ visit }) => idOf(visit))),
  visitors: different(list.map(({ visit }) => visit.visitor)),
});
const latest = (list: readonly Happened[]): number | null => (list.length === 0 ? null : Math.max(...list.map(({ event }) => event.at)));

export function expectedEvents(visits: readonly Visit[], question: OracleQuestion): EventsReport {
  const all = eventsIn(visits, question);
  const own = all.filter(({ event }) => !event.name.startsWith('$'));
  const rows = [...new Set(own.map(({ event }) => event.name))]
    .map((name) => own.filter(({ event }) => event.name === name))
    .map((some) => ({ name: some[0]?.event.name ?? '', ...tally(some), lastAt: latest(some) ?? 0 }))
    .sort((a, b) => b.count - a.count || bytes(a.name, b.name));
  const named = (name: string): number => all.filter(({ event }) => event.name === name).length;
  return { totals: { ...tally(own), lastAt: latest(own) }, rows, rowCount: rows.length, outbound: named('$outbound'), downloads: named('$download') };
}

export function expectedEventDetail(visits: readonly Visit[], question: OracleQuestion, name: string): EventDetail {
  // The program's own measurements are not listed as events.
  const all = eventsIn(visits, question).filter(({ event }) => event.name === name && isCounted(event));
  const properties = [...new Set(all.flatMap(({ event }) => Object.keys(propsOf(event))))].map((property) => {
    const having = all.filter(({ event }) => Object.hasOwn(propsOf(event), property));
    const written = (one: Happened): string => {
      const value = propsOf(one.event)[property];
      return typeof value === 'string' ? value : JSON.stringify(value);
    };
    const values = [...new Set(having.map(written))]
      .map((value) => ({ value, ...tally(having.filter((one) => written(one) === value)) }))
      .map((row) => ({ ...row, share: row.count / all.length }))
      .sort((a, b) => b.count - a.count || bytes(a.value, b.value));
    const numbers = having.map((one) => numberOf(propsOf(one.event)[property])).filter((number) => number !== null);
    const sum = numbers.reduce((a, b) => a + b, 0);
    return {
      name: property,
      count: having.length,
      distinct: values.length,
      values: values.slice(0, 50),
      numbers: numbers.length === 0 ? null : { count: numbers.length, sum, mean: sum / numbers.length, min: Math.min(...numbers), max: Math.max(...numbers) },
    };
  });
  return { name, ...tally(all), lastAt: latest(all), properties: properties.sort((a, b) => b.count - a.count || bytes(a.name, b.name)).slice(0, 30) };
}

type VisitView = { visit: Visit; view: OracleView; next: OracleView | undefined };
function viewsIn(visits: readonly Visit[], question: OracleQuestion): VisitView[] {
  const within = withinRange(question);
  return counted(visits, question).flatMap(({ visit, views }: Counted) =>
    views.filter((view) => within(view.at)).map((view) => ({ visit, view, next: visit.views[visit.views.indexOf(view) + 1] })),
  );
}

export function expectedSearches(visits: readonly Visit[], question: OracleQuestion, term: string): SearchesReport {
  const all = viewsIn(visits, question).filter(({ view }) => view.search !== '');
  const count = (some: readonly VisitView[]) => ({
    searches: some.length,
    visits: different(some.map(({ visit }) => idOf(visit))),
    visitors: different(some.map(({ visit }) => visit.visitor)),
  });
  const rows = [...new Set(all.map(({ view }) => view.search))]
    .map((one) => all.filter(({ view }) => view.search === one))
    .map((some) => ({
      term: some[0]?.view.search ?? '',
      ...count(some),
      followed: some.filter(({ next }) => next !== undefined && next.search === '').length,
      again: some.filter(({ next }) => next !== undefined && next.search !== '').length,
      left: some.filter(({ next }) => next === undefined).length,
    }))
    .sort((a, b) => b.searches - a.searches || bytes(a.term, b.term));
  const after = all.filter(({ view }) => view.search === term).flatMap(({ next }) => (next === undefined || next.search !== '' ? [] : [next.path]));
  const next = [...new Set(after)]
    .map((path) => ({ path, views: after.filter((one) => one === path).length }))
    .sort((a, b) => b.views - a.views || bytes(a.path, b.path))
    .slice(0, 10);
  return { ...count(all), rows, rowCount: rows.length, next };
}

export function expectedScroll(visits: readonly Visit[], question: OracleQuestion): ScrollReport {
  const all = viewsIn(visits, question).map(({ view }) => view);
  const depth = (views: readonly OracleView[]) => ({
    views: views.length,
    average: views.length === 0 ? null : views.reduce((sum, view) => sum + view.scroll, 0) / views.length / 100,
    reached: [25, 50, 75, 90, 100].map((mark) => views.filter((view) => view.scroll >= mark).length),
  });
  const rows = [...new Set(all.map((view) => view.path))]
    .map((path) => ({ path, ...depth(all.filter((view) => view.path === path)) }))
    .sort((a, b) => b.views - a.views || bytes(a.path, b.path));
  return { totals: depth(all), rows, rowCount: rows.length };
}

type FunnelHit = { at: number; begins: boolean; meets: (condition: Condition) => boolean };
/** A visitor's (or a visit's) hits in order. `begins`: a chain may start here. */
function hitsOf(visits: readonly Visit[], selected: ReadonlySet<Visit>, within: (at: number) => boolean): FunnelHit[] {
  return visits
    .flatMap((visit) => [
      ...visit.views.map((view) => ({
        at: view.at,
        event: 0,
        begins: selected.has(visit) && within(view.at),
        meets: (condition: Condition) => condition.kind === 'page' && pageMeets(condition, view.path),
      })),
      ...visit.events.map((event) => ({
        at: event.at,
        event: 1,
        begins: selected.has(visit) && within(event.at),
        meets: (condition: Condition) => condition.kind === 'event' && eventMeets(condition, event),
      })),
    ])
    .sort((a, b) => a.at - b.at || a.event - b.event);
}

/** For each step reached, ms since the previous step (0 for the first), by trying every chain. */
function walk(hits: readonly FunnelHit[], steps: readonly Condition[], within: number): number[] {
  const times: number[] = [];
  /** For each hit, the start times of the chains that reach the current step with it. */
  let ends: number[][] = hits.map((hit) => (hit.begins && steps[0] && hit.meets(steps[0]) ? [hit.at] : []));
  if (ends.some((begins) => begins.length > 0)) times.push(0);
  for (const step of steps.slice(1)) {
    if (times.length === 0) break;
    const before = ends;
    const earlierBegins = new Set<number>();
    ends = hits.map((hit, j) => {
      const begins = hit.meets(step) ? [...earlierBegins].filter((begin) => hit.at - begin <= within) : [];
      for (const begin of before[j] ?? []) earlierBegins.add(begin);
      return begins;
    });
    const q = ends.findIndex((begins) => begins.length > 0);
    if (q < 0) break;
    const earlier = before.map((begins, i) => ({ i, latest: Math.max(...begins) })).filter(({ i, latest: begin }) => i < q && Number.isFinite(begin));
    const best = Math.max(...earlier.map((one) => one.latest));
    const p = Math.max(...earlier.filter((one) => one.latest === best).map((one) => one.i));
    times.push((hits[q]?.at ?? 0) - (hits[p]?.at ?? 0));
  }
  return times;
}

export function expectedFunnel(
  visits: readonly Visit[],
  question: OracleQuestion,
  funnel: { steps: readonly Condition[]; within: number; scope: 'visitor' | 'visit' },
): FunnelResult {
  const selected = new Set(counted(visits, question).map((one) => one.visit));
  const inRange = withinRange(question);
  const population = visits.filter((visit) => inPopulation(visit, question.who));
  const within = funnel.within * 60_000;
  const byVisitor = [...new Set(population.map((visit) => visit.visitor))].map((visitor) => {
    const own = population.filter((visit) => visit.visitor === visitor).sort((a, b) => a.start - b.start);
    if (!own.some((visit) => selected.has(visit))) return [];
    if (funnel.scope === 'visitor') return walk(hitsOf(own, selected, inRange), funnel.steps, within);
    const walks = own.map((visit) => walk(hitsOf([visit], selected, inRange), funnel.steps, within));
    return funnel.steps.flatMap((_step, k) => walks.find((one) => one.length > k)?.[k] ?? []);
  });
  const counts = funnel.steps.map((_step, k) => byVisitor.filter((times) => times.length > k).length);
  return {
    steps: funnel.steps.map((_step, k) => {
      const visitors = counts[k] ?? 0;
      const before = counts[k - 1] ?? 0;
      const times = byVisitor.flatMap((own) => own[k] ?? []).sort((a, b) => a - b);
      const middle = ((times[Math.floor((times.length - 1) / 2)] ?? 0) + (times[Math.floor(times.length / 2)] ?? 0)) / 2;
      const first = counts[0] ?? 0;
      return {
        visitors,
        rate: first === 0 ? null : visitors / first,
        stepRate: k === 0 || before === 0 ? null : visitors / before,
        dropped: k === 0 ? 0 : before - visitors,
        medianSeconds: k === 0 || times.length === 0 ? null : middle / 1000,
      };
    }),
  };
}

type Unit = 'day' | 'week' | 'month';
/** The first day of the period that contains a day, and of the next period. */
function periodOf(day: string, unit: Unit): string {
  if (unit === 'day') return day;
  if (unit === 'month') return `${day.slice(0, 7)}-01`;
  return laterDay(day, -((new Date(`${day}T00:00:00Z`).getUTCDay() + 6) % 7));
}
const nextPeriod = (first: string, unit: Unit): string => (unit === 'month' ? periodOf(laterDay(first, 31), unit) : laterDay(first, unit === 'day' ? 1 : 7));

export function expectedRetention(visits: readonly Visit[], question: OracleQuestion, unit: Unit, now: number): Retention {
  const { zone, who } = question;
  const today = dayOf(now, zone);
  const periods = retentionPeriods[unit];
  const population = visits.filter((visit) => inPopulation(visit, who));
  const cohorts: Retention['cohorts'] = [];
  for (let first = periodOf(question.from, unit); first <= question.to; first = nextPeriod(first, unit)) {
    const last = laterDay(nextPeriod(first, unit), -1);
    const startsIn = (visit: Visit, from: string): boolean => periodOf(dayOf(visit.start, zone), unit) === from;
    const people = new Set(
      counted(visits, { ...question, from: first, to: last })
        .map((one) => one.visit)
        .filter((visit) => visit.number === 1 && startsIn(visit, first))
        .map((visit) => visit.visitor),
    );
    let closed = 0;
    let period = first;
    const returned = Array.from({ length: periods }, () => {
      period = nextPeriod(period, unit);
      if (period > today) return null;
      if (nextPeriod(period, unit) <= today) closed += 1;
      const at = period;
      return different(population.filter((visit) => people.has(visit.visitor) && startsIn(visit, at)).map((visit) => visit.visitor));
    });
    cohorts.push({ from: first, to: last, visitors: people.size, returned, closed });
  }
  return { known: true, unit, periods, cohorts };
}

export function expectedJourney(visits: readonly Visit[], question: OracleQuestion, end: 'entry' | 'exit', step: readonly string[]): Journey {
  const within = withinRange(question);
  const walks = counted(visits, question)
    .map((one) => one.visit)
    .filter((visit) => within(visit.start) && visit.views.length > 0)
    .map((visit) => {
      const pages = visit.views.map((view) => view.path).filter((path, i, all) => i === 0 || path !== all[i - 1]);
      return end === 'entry' ? pages : pages.reverse();
    });
  return {
    columns: [...step, ''].map((_page, depth) => {
      const there = walks.filter((pages) => step.slice(0, depth).every((path, i) => pages[i] === path));
      const next = there.flatMap((pages) => (pages[depth] === undefined ? [] : [pages[depth]]));
      const pages = [...new Set(next)]
        .map((path) => ({ path, visits: next.filter((one) => one === path).length }))
        .sort((a, b) => b.visits - a.visits || bytes(a.path, b.path));
      const rest = pages.slice(10);
      return {
        visits: there.length,
        ended: there.length - next.length,
        pages: pages.slice(0, 10),
        other: { visits: rest.reduce((sum, one) => sum + one.visits, 0), pages: rest.length },
      };
    }),
  };
}
