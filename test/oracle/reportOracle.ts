import type { DimensionId, MeasureId, Population, Values } from '../../contract/analytics';
import type { About, RawHit } from './reportFixture';

/**
 * What every report must say, recomputed from raw hits in the plainest way: no SQL, no instants of day boundaries, nothing
 * of the product but the names in the contract.
 */

export type View = { at: number; host: string; path: string; title: string };
export type Visit = {
  visitor: number;
  ip: number;
  botScore: number;
  about: About;
  start: number;
  last: number;
  views: View[];
  events: number;
  engagedMs: number;
  isNew: boolean;
};
export type OracleFilter = { dimension: DimensionId; op: 'is' | 'not' | 'contains' | 'excludes'; values: string[] };
export type Asked = { zone: string; from: string; to: string; who: Population; filters: OracleFilter[]; until?: number };

/** Hits of one visitor without a gap of more than 30 minutes. */
export function visitsFrom(hits: readonly RawHit[]): Visit[] {
  const visits: Visit[] = [];
  for (const visitor of new Set(hits.map((h) => h.visitor))) {
    const own = hits.filter((h) => h.visitor === visitor).sort((a, b) => a.at - b.at);
    let group: RawHit[] = [];
    let first = true;
    const close = () => {
      if (group.length > 0) {
        visits.push(visitFrom(group, first));
        first = false;
      }
      group = [];
    };
    for (const hit of own) {
      const previous = group.at(-1);
      if (previous && hit.at - previous.at > 30 * 60_000) close();
      group.push(hit);
    }
    close();
  }
  return visits;
}

function visitFrom(group: RawHit[], isNew: boolean): Visit {
  const head = group[0] as RawHit;
  const engaged = new Map<number, number>();
  for (const hit of group) engaged.set(hit.view, Math.max(engaged.get(hit.view) ?? 0, hit.engagedMs));
  return {
    visitor: head.visitor,
    ip: head.ip,
    botScore: head.botScore,
    about: head.about,
    isNew,
    start: head.at,
    last: (group.at(-1) as RawHit).at,
    views: group.filter((h) => h.kind === 'view'),
    events: group.filter((h) => h.kind === 'event').length,
    engagedMs: [...engaged.values()].reduce((a, b) => a + b, 0),
  };
}

type Clock = { format: Intl.DateTimeFormat; read: Map<number, string> };
const clocks = new Map<string, Clock>();
/** `2026-11-01 01:30 GMT-04:00`; the same instants are asked for thousands of times. */
function clock(at: number, zone: string): string {
  let own = clocks.get(zone);
  if (!own) {
    const format = new Intl.DateTimeFormat('sv-SE', {
      timeZone: zone,
      year: 'numeric',
      month: '2-digit',
      day: '2-digit',
      hour: '2-digit',
      minute: '2-digit',
      timeZoneName: 'longOffset',
    });
    clocks.set(zone, (own = { format, read: new Map() }));
  }
  let text = own.read.get(at);
  if (text === undefined) own.read.set(at, (text = own.format.format(at)));
  return text;
}
export const dayOf = (at: number, zone: string): string => clock(at, zone).slice(0, 10);

/** A name for the step that an instant falls into; two hours of the same name and another offset are two. */
export function stepOf(at: number, zone: string, gran: 'hour' | 'day' | 'week' | 'month'): string {
  const text = clock(at, zone);
  if (gran === 'hour') return `${text.slice(0, 13)} ${text.slice(17)}`;
  if (gran === 'day') return text.slice(0, 10);
  if (gran === 'month') return text.slice(0, 7);
  const day = new Date(`${text.slice(0, 10)}T00:00:00Z`);
  day.setUTCDate(day.getUTCDate() - ((day.getUTCDay() + 6) % 7));
  return `week of ${day.toISOString().slice(0, 10)}`;
}

const viewLevel: readonly DimensionId[] = ['path', 'title', 'host'];
const viewValue = (view: View, dimension: DimensionId): string => (dimension === 'path' ? view.path : dimension === 'title' ? view.title : view.host);

function visitValue(visit: Visit, dimension: DimensionId): string {
  const { about } = visit;
  switch (dimension) {
    case 'sourceType':
      return about.sourceType;
    case 'sourceName':
      return about.sourceName;
    case 'keyword':
      return about.keyword;
    case 'referrerHost':
      return about.refHost;
    case 'entryPath':
      return visit.views[0]?.path ?? '';
    case 'exitPath':
      return visit.views.at(-1)?.path ?? '';
    case 'country':
      return about.country;
    case 'province':
      return about.province;
    case 'city':
      return about.city;
    case 'deviceType':
      return about.deviceType;
    case 'os':
      return about.os;
    case 'browser':
      return about.browser;
    case 'screen':
      return about.screenW === 0 ? '' : `${about.screenW}x${about.screenH}`;
    case 'language':
      return about.lang;
    case 'newReturning':
      return visit.isNew ? 'new' : 'returning';
    case 'campaign':
      return about.campaign;
    default:
      throw new Error(`${dimension} belongs to views`);
  }
}

function holds(filter: OracleFilter, value: string): boolean {
  const has = (part: string) => value.toLowerCase().includes(part.toLowerCase());
  switch (filter.op) {
    case 'is':
      return filter.values.includes(value);
    case 'not':
      return !filter.values.includes(value);
    case 'contains':
      return filter.values.some(has);
    case 'excludes':
      return !filter.values.some(has);
  }
}

const inPopulation = (score: number, who: Population): boolean =>
  who === 'all' || (who === 'humans' ? score < 50 : who === 'bots' ? score >= 90 : score >= 50 && score < 90);

/** A visit with the moments in which it counts as active and the views that count. */
type Counted = { visit: Visit; activity: number[]; views: View[]; enters: boolean };

function counted(visits: readonly Visit[], asked: Asked): Counted[] {
  const ofView = asked.filters.filter((f) => viewLevel.includes(f.dimension));
  const ofVisit = asked.filters.filter((f) => !viewLevel.includes(f.dimension));
  return visits
    .filter((v) => inPopulation(v.botScore, asked.who) && ofVisit.every((f) => holds(f, visitValue(v, f.dimension))))
    .map((visit) => {
      const matches = (view: View) => ofView.every((f) => holds(f, viewValue(view, f.dimension)));
      const views = visit.views.filter(matches);
      const activity = ofView.length > 0 ? views.map((v) => v.at) : [visit.start, ...views.map((v) => v.at)];
      const entry = visit.views[0];
      return { visit, activity, views, enters: ofView.length === 0 || (entry !== undefined && matches(entry)) };
    })
    .filter((c) => ofView.length === 0 || c.views.length > 0);
}

function measure(all: readonly Counted[], zone: string, within: (at: number) => boolean): Values {
  const active = all.flatMap((c) => c.activity.filter(within).map((at) => ({ at, visitor: c.visit.visitor, ip: c.visit.ip })));
  const begun = all.filter((c) => within(c.visit.start));
  const entering = begun.filter((c) => c.enters);
  const visitors = new Set(active.map((a) => a.visitor)).size;
  const newVisitors = begun.filter((c) => c.visit.isNew).length;
  const mean = (of: (v: Visit) => number) => (begun.length === 0 ? null : begun.reduce((sum, c) => sum + of(c.visit), 0) / begun.length);
  const inSeconds = (ms: number | null) => (ms === null ? null : ms / 1000);
  return {
    visitors,
    visits: begun.length,
    views: all.reduce((sum, c) => sum + c.views.filter((v) => within(v.at)).length, 0),
    ips: new Set(active.map((a) => `${dayOf(a.at, zone)} ${a.ip}`)).size,
    newVisitors,
    newRatio: visitors === 0 ? null : Math.min(1, newVisitors / visitors),
    bounceRate: entering.length === 0 ? null : entering.filter((c) => c.visit.views.length === 1 && c.visit.events === 0).length / entering.length,
    avgDuration: inSeconds(mean((v) => v.last - v.start)),
    avgPages: mean((v) => v.views.length),
    avgEngaged: inSeconds(mean((v) => v.engagedMs)),
    visitorDays: new Set(active.map((a) => `${dayOf(a.at, zone)} ${a.visitor}`)).size,
    entries: null,
    exits: null,
    exitRate: null,
    downstream: null,
    avgTimeOnPage: null,
    avgScroll: null,
    events: null,
    conversions: null,
    conversionRate: null,
    conversionValue: null,
  };
}

const withinRange =
  (asked: Asked) =>
  (at: number): boolean => {
    const day = dayOf(at, asked.zone);
    return day >= asked.from && day <= asked.to && (asked.until === undefined || at < asked.until);
  };

export const expectedTotals = (visits: readonly Visit[], asked: Asked): Values => measure(counted(visits, asked), asked.zone, withinRange(asked));

/** Values of the step that `at` (any instant in it) falls into. */
export function expectedStep(visits: readonly Visit[], asked: Asked, gran: 'hour' | 'day' | 'week' | 'month', at: number): Values {
  const name = stepOf(at, asked.zone, gran);
  const inside = withinRange(asked);
  return measure(counted(visits, asked), asked.zone, (t) => inside(t) && stepOf(t, asked.zone, gran) === name);
}

/** Values by key; rows without anything in the range do not exist. */
export function expectedRows(visits: readonly Visit[], asked: Asked, by: DimensionId): Map<string, Values> {
  const rows = new Map<string, Values>();
  const within = withinRange(asked);
  const all = counted(visits, asked);
  const touches = (c: Counted) => within(c.visit.start) || c.activity.some(within);
  const keysOf = (c: Counted) => (viewLevel.includes(by) ? c.views.map((v) => viewValue(v, by)) : [visitValue(c.visit, by)]);
  for (const key of new Set(all.filter(touches).flatMap(keysOf))) {
    const own = all
      .filter((c) => keysOf(c).includes(key))
      .map((c) => {
        if (!viewLevel.includes(by)) return c;
        const views = c.views.filter((v) => viewValue(v, by) === key);
        const entry = c.visit.views[0];
        return { visit: c.visit, views, activity: views.map((v) => v.at), enters: entry !== undefined && views.includes(entry) };
      });
    const values = measure(own, asked.zone, within);
    if (values.visits || values.views || values.visitors) rows.set(key, values);
  }
  return rows;
}

/** Keys in the order of a table: by the measure, those of which it cannot be said last, equal ones by key (bytes). */
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
