import type { DimensionId, MeasureId, Population, Values } from '../../contract/analytics/schemas';
import { dayOf, stepOf } from './calendar';
import type { Gran } from './calendar';
import { hasHappened, reaches, worthOf } from './goals';
import type { OracleGoal } from './goals';
import type { RawHit } from './reportFixture';
import { holds, inPopulation, viewLevel, viewValue, visitValue } from './values';
import type { OracleFilter, Visit } from './values';
import { oracleVisits } from './visits';
import type { OracleEvent, OracleView } from './visits';

/**
 * What every report must contain, recomputed from raw hits as simply as possible: without SQL, computed day boundaries or any
 * part of the product except the names in the contract.
 */

export { stepOf } from './calendar';
export type { OracleFilter, Visit } from './values';
/** `goals`: those of the site; `goal`: the one that conversions count, otherwise any. */
export type OracleQuestion = {
  zone: string;
  from: string;
  to: string;
  who: Population;
  filters: OracleFilter[];
  until?: number;
  goals?: readonly OracleGoal[];
  goal?: string;
};

const id = (n: number): string => n.toString(16).padStart(16, '0');
export const visitsFrom = (hits: readonly RawHit[]): Visit[] =>
  oracleVisits(
    hits.map((hit) => ({
      visitor: id(hit.visitor),
      yesterday: null,
      view: id(hit.view),
      seq: hit.seq,
      kind: hit.kind,
      at: hit.at,
      received: hit.at,
      host: hit.host,
      path: hit.path,
      title: hit.title,
      search: hit.search,
      engaged: hit.engagedMs,
      scroll: hit.scroll,
      name: hit.name,
      props: hit.props,
      origin: hit.origin,
      source: hit.about.sourceType,
      about: { ...hit.about, ip: hit.ip },
      botScore: hit.botScore,
      botReasons: [],
    })),
  );

/** The counted parts of a visit: its active moments, page views and events, and whether it entered on one of those views. */
export type Counted = {
  visit: Visit;
  activity: number[];
  views: OracleView[];
  events: OracleEvent[];
  enters: boolean;
  /** Whether the visit reached a requested goal, and its value. */
  converted: boolean;
  worth: number;
};

/** The site's events, outbound links and downloads. */
export const isCounted = (event: OracleEvent): boolean =>
  !event.name.startsWith('$') || event.name === '$outbound' || event.name === '$download' || event.name === '$form';

/** A part of a visit: some of its page views and their events. */
export function partOf({ visit, converted, worth }: Pick<Counted, 'visit' | 'converted' | 'worth'>, views: OracleView[]): Counted {
  return {
    visit,
    converted,
    worth,
    views,
    activity: views.map((view) => view.at),
    events: visit.events.filter((event) => isCounted(event) && views.some((view) => visit.views[event.view - 1] === view)),
    enters: visit.views[0] !== undefined && views.includes(visit.views[0]),
  };
}

export function counted(visits: readonly Visit[], question: OracleQuestion): Counted[] {
  const goals = question.goals ?? [];
  const ofView = question.filters.filter((f) => viewLevel.includes(f.dimension));
  const happened = question.filters.filter((f) => f.dimension === 'event' || f.dimension === 'goal');
  const ofVisit = question.filters.filter((f) => !ofView.includes(f) && !happened.includes(f));
  // Only visits that overlap the range, to save time.
  const touches = (visit: Visit): boolean => dayOf(visit.last, question.zone) >= question.from && dayOf(visit.start, question.zone) <= question.to;
  return visits
    .filter(touches)
    .filter((visit) => inPopulation(visit, question.who) && ofVisit.every((f) => holds(f, visitValue(visit, f.dimension, question.zone))))
    .filter((visit) => happened.every((f) => hasHappened(f, visit, goals)))
    .map((visit): Counted => {
      const reached = goals.filter((goal) => (question.goal === undefined || goal.id === question.goal) && reaches(visit, goal));
      const conversion = { visit, converted: reached.length > 0, worth: reached.reduce((sum, goal) => sum + worthOf(visit, goal), 0) };
      if (ofView.length === 0)
        return {
          ...conversion,
          views: visit.views,
          activity: [visit.start, ...visit.views.map((v) => v.at)],
          events: visit.events.filter(isCounted),
          enters: true,
        };
      return partOf(
        conversion,
        visit.views.filter((view) => ofView.every((f) => holds(f, viewValue(view, f.dimension)))),
      );
    })
    .filter((c) => ofView.length === 0 || c.views.length > 0);
}

export type Groups = readonly ('pages' | 'goals')[];

export function measure(all: readonly Counted[], zone: string, within: (at: number) => boolean, groups: Groups = []): Values {
  const active = all.flatMap((c) => c.activity.filter(within).map((at) => ({ at, visitor: c.visit.visitor, ip: c.visit.about.ip })));
  const begun = all.filter((c) => within(c.visit.start));
  const entering = begun.filter((c) => c.enters);
  const viewsInRange = all.flatMap(({ visit, views }) => views.filter((view) => within(view.at)).map((view) => ({ visit, view })));
  const visitors = new Set(active.map((a) => a.visitor)).size;
  const newVisitors = begun.filter((c) => c.visit.number === 1).length;
  const mean = (of: (v: Visit) => number) => (begun.length === 0 ? null : begun.reduce((sum, c) => sum + of(c.visit), 0) / begun.length);
  const perView = (of: (v: OracleView) => number, unit: number) =>
    viewsInRange.length === 0 ? null : viewsInRange.reduce((sum, { view }) => sum + of(view), 0) / viewsInRange.length / unit;
  const inSeconds = (ms: number | null) => (ms === null ? null : ms / 1000);
  const exits = viewsInRange.filter(({ visit, view }) => visit.views.at(-1) === view).length;
  const pages = groups.includes('pages');
  const counts = groups.includes('goals');
  const converted = begun.filter((c) => c.converted);
  return {
    visitors,
    visits: begun.length,
    views: viewsInRange.length,
    // 0: no address is stored.
    ips: new Set(active.filter((a) => a.ip !== 0).map((a) => `${dayOf(a.at, zone)} ${a.ip}`)).size,
    newVisitors,
    newRatio: visitors === 0 ? null : Math.min(1, newVisitors / visitors),
    bounceRate: entering.length === 0 ? null : entering.filter((c) => c.visit.bounce).length / entering.length,
    avgDuration: inSeconds(mean((v) => v.last - v.start)),
    avgPages: mean((v) => v.views.length),
    avgEngaged: inSeconds(mean((v) => v.engaged)),
    visitorDays: new Set(active.map((a) => `${dayOf(a.at, zone)} ${a.visitor}`)).size,
    entries: pages ? viewsInRange.filter(({ visit, view }) => visit.views[0] === view).length : null,
    exits: pages ? exits : null,
    exitRate: pages && viewsInRange.length > 0 ? exits / viewsInRange.length : null,
    downstream: pages ? viewsInRange.filter(({ visit, view }) => visit.views[visit.views.indexOf(view) + 1] !== undefined).length : null,
    avgTimeOnPage: pages ? perView((view) => view.engaged, 1000) : null,
    avgScroll: pages ? perView((view) => view.scroll, 100) : null,
    events: counts ? all.reduce((sum, c) => sum + c.events.filter((event) => within(event.at)).length, 0) : null,
    conversions: counts ? converted.length : null,
    conversionRate: counts && begun.length > 0 ? converted.length / begun.length : null,
    conversionValue: counts ? converted.reduce((sum, c) => sum + c.worth, 0) : null,
  };
}

export const withinRange =
  (question: OracleQuestion) =>
  (at: number): boolean => {
    const day = dayOf(at, question.zone);
    return day >= question.from && day <= question.to && (question.until === undefined || at < question.until);
  };

export const expectedTotals = (visits: readonly Visit[], question: OracleQuestion, groups: Groups = []): Values =>
  measure(counted(visits, question), question.zone, withinRange(question), groups);

/** Values by step name (`stepOf`); steps without activity are missing. */
export function expectedSteps(visits: readonly Visit[], question: OracleQuestion, gran: Gran, groups: Groups = []): Map<string, Values> {
  const inside = withinRange(question);
  const parts = new Map<string, Counted[]>();
  for (const one of counted(visits, question)) {
    const moments = [one.visit.start, ...one.activity, ...one.events.map((event) => event.at)].filter(inside);
    for (const name of new Set(moments.map((at) => stepOf(at, question.zone, gran)))) listIn(parts, name).push(one);
  }
  return new Map(
    [...parts].map(([name, some]) => [name, measure(some, question.zone, (at) => inside(at) && stepOf(at, question.zone, gran) === name, groups)]),
  );
}
/** Values of a step without activity. */
export const nothing = (groups: Groups = []): Values => measure([], 'UTC', () => false, groups);

function listIn<T>(lists: Map<string, T[]>, key: string): T[] {
  const list = lists.get(key) ?? [];
  lists.set(key, list);
  return list;
}

/** Values by key; rows without activity in the range are missing. */
export function expectedRows(visits: readonly Visit[], question: OracleQuestion, by: DimensionId, groups: Groups = []): Map<string, Values> {
  const within = withinRange(question);
  const ofKey = new Map<string, Counted[]>();
  const add = (key: string, part: Counted) => void listIn(ofKey, key).push(part);
  for (const one of counted(visits, question)) {
    if (by === 'event')
      for (const name of new Set(one.visit.events.filter(isCounted).map((event) => event.name)))
        add(name, { ...one, events: one.events.filter((event) => event.name === name) });
    else if (by === 'goal') {
      // Each row is of one goal, whichever conversions are requested.
      for (const goal of question.goals ?? []) if (reaches(one.visit, goal)) add(goal.id, { ...one, converted: true, worth: worthOf(one.visit, goal) });
    } else if (!viewLevel.includes(by)) add(visitValue(one.visit, by, question.zone), one);
    else
      for (const key of new Set(one.views.map((view) => viewValue(view, by))))
        add(
          key,
          partOf(
            one,
            one.views.filter((view) => viewValue(view, by) === key),
          ),
        );
  }
  const rows = new Map<string, Values>();
  for (const [key, parts] of ofKey) {
    const values = measure(parts, question.zone, within, groups);
    if (values.visits || values.views || values.visitors || values.events) rows.set(key, values);
  }
  return rows;
}

/** Keys in table order: by the measure with null values last, ties by key (bytes). */
export function inOrder(rows: ReadonlyMap<string, Values>, sort: MeasureId, dir: 'asc' | 'desc'): string[] {
  const bytes = (a: string, b: string) => Buffer.compare(Buffer.from(a), Buffer.from(b));
  return [...rows]
    .sort(([a, x], [b, y]) => {
      const [p, q] = [x[sort], y[sort]];
      if (p === null || q === null) return p === q ? bytes(a, b) : p === null ? 1 : -1;
      return (dir === 'asc' ? p - q : q - p) || bytes(a, b);
    })
    .map(([key]) => key);
}
