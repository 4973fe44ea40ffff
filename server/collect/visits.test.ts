import fc from 'fast-check';
import { toOracleVisits, makeHit, midnight, minute, toOracle, traffic } from '../../test/oracle/traffic';
import { oracleVisits } from '../../test/oracle/visits';
import { noId } from './row';
import type { HitRow } from './row';
import { deriveVisits, maxHits, maxSpanMs, mergeHits } from './visits';
import type { VisitRow } from './visits';

const visitor = '00000000000000aa';
const derive = (hits: HitRow[]): VisitRow[] => deriveVisits(visitor, mergeHits([], hits), { count: 0, start: 0 });
const at = (clock: string): number => midnight + clock.split(':').reduce((sum, part, i) => sum + Number(part) * [60 * minute, minute, 1000][i]!, 0);
const view = (n: number, clock: string, more: Partial<HitRow> = {}): HitRow =>
  makeHit({ view_id: n.toString(16).padStart(16, '0'), at: at(clock), path: `/${n}`, ...more });
const ping = (n: number, seq: number, clock: string, engaged: number): HitRow => view(n, clock, { kind: 'engage', seq, engaged_ms: engaged });

describe('case 1: the bounds of a visit', () => {
  it('10:58 to 11:02 is one visit despite the full hour', () => {
    expect(derive([view(1, '10:58'), view(2, '11:02')])).toMatchObject([{ pv: 2, start: at('10:58'), last: at('11:02') }]);
  });
  it('10:01 and 10:55 without activity between them are two visits', () => {
    expect(derive([view(1, '10:01'), view(2, '10:55')])).toMatchObject([
      { pv: 1, visit_no: 1, is_new: 1 },
      { pv: 1, visit_no: 2, is_new: 0, prev_start: at('10:01') },
    ]);
  });
  it('45 minutes of steady use of one page are one visit', () => {
    const pings = Array.from({ length: 45 }, (_, i) => ping(1, i + 1, `10:${i}:30`, (i + 1) * 60_000));
    expect(derive([view(1, '10:00'), ...pings])).toMatchObject([{ pv: 1, start: at('10:00'), last: at('10:44:30') }]);
  });
  it('a visit continues after thirty minutes, not a millisecond later', () => {
    expect(derive([view(1, '10:00'), view(2, '10:30')])).toHaveLength(1);
    expect(derive([view(1, '10:00'), { ...view(2, '10:30'), at: at('10:30') + 1 }])).toHaveLength(2);
  });
  it('midnight does not split a visit', () => {
    expect(derive([view(1, '23:50'), view(2, '24:10')])).toHaveLength(1);
  });
});

it('case 3: one page read for six minutes lasts six minutes', () => {
  const [visit] = derive([view(1, '10:00'), ...[20, 120, 240, 360].map((s, i) => ping(1, i + 1, `10:00:${s}`, s * 1000))]);
  expect(visit).toMatchObject({ start: at('10:00'), last: at('10:06'), engaged_ms: 360_000, pv: 1, bounce: 1 });
});

it('case 10: two first hits in the same millisecond are one visit', () => {
  const both = [view(2, '10:00'), view(1, '10:00')];
  expect(derive(both)).toMatchObject([{ pv: 2, visit_id: '0000000000000001', entry_path: '/1' }]);
  expect(derive(both.reverse())).toEqual(derive(both));
});

describe('case 11: late hits', () => {
  const early = view(1, '10:00');
  const later = view(3, '10:50');
  it('between two visits join them', () => {
    expect(derive([early, later])).toHaveLength(2);
    expect(derive([early, later, view(2, '10:25')])).toMatchObject([{ visit_id: early.view_id, pv: 3, exit_path: '/3', last: later.at }]);
  });
  it('never shorten a visit', () => {
    expect(derive([early, ping(1, 2, '10:10', 600_000), ping(1, 1, '10:05', 300_000)])).toMatchObject([{ last: at('10:10'), engaged_ms: 600_000 }]);
  });
  it('change nothing when repeated, whatever age the copy claims', () => {
    const copy = { ...early, at: early.at - 20 * minute, received_at: early.received_at + 60_000 };
    expect(derive([copy, early, later])).toEqual(derive([early, later]));
  });
});

describe('a bounce', () => {
  it('is one page without interaction', () => {
    expect(derive([view(1, '10:00')])).toMatchObject([{ bounce: 1 }]);
    expect(derive([view(1, '10:00'), view(2, '10:01')])).toMatchObject([{ bounce: 0 }]);
    expect(derive([view(1, '10:00'), view(1, '10:01', { kind: 'event', seq: 1, name: 'buy' })])).toMatchObject([{ bounce: 0, events: 1 }]);
    expect(derive([view(1, '10:00'), view(1, '10:01', { kind: 'event', seq: 1, name: '$vitals' })])).toMatchObject([{ bounce: 1 }]);
  });
});

describe('a view without its view hit', () => {
  it('is no page view but continues the visit', () => {
    const hits = [
      view(1, '10:00'),
      ping(2, 1, '10:20', 5000),
      ping(2, 2, '10:21', 25_000),
      view(2, '10:21', { kind: 'event', seq: 3, name: 'buy' }),
      view(3, '10:45'),
    ];
    expect(derive(hits)).toMatchObject([{ pv: 2, upv: 2, events: 1, engaged_ms: 20_000, bounce: 0, view_path: ['/1', '/3'] }]);
  });
  it('does not begin a visit with a ping alone', () => {
    expect(derive([view(1, '10:00'), ping(1, 1, '11:10', 9000)])).toMatchObject([{ pv: 1, last: at('10:00') }]);
  });
  it('begins a visit with an event under its own id', () => {
    const [first, second] = derive([view(1, '10:00'), view(1, '11:10', { kind: 'event', seq: 1, name: 'buy' })]);
    expect(second).toMatchObject({ pv: 0, bounce: 0, events: 1, entry_path: '/1' });
    expect(second?.visit_id).not.toBe(first?.visit_id);
  });
});

it('a visit that restarts from an internal link is internal', () => {
  const hits = [view(1, '10:00', { source_type: 'search' }), view(2, '11:00', { source_type: 'internal' })];
  expect(derive(hits).map((visit) => visit.source_type)).toEqual(['search', 'internal']);
});

it('a visit takes its source and device from the first page', () => {
  const hits = [
    view(1, '10:00', { source_type: 'search', bot_score: 10, bot_reasons: ['b'] }),
    view(2, '10:01', { source_type: 'internal', bot_score: 70, bot_reasons: ['a', 'b'] }),
  ];
  expect(derive(hits)).toMatchObject([{ source_type: 'search', bot_score: 70, bot_reasons: ['a', 'b'] }]);
});

it('the title is the last title of the page', () => {
  expect(derive([view(1, '10:00', { title: 'Loading' }), view(1, '10:01', { kind: 'event', seq: 1, title: 'Docs' }), ping(1, 2, '10:02', 1)])).toMatchObject([
    { view_title: ['Docs'] },
  ]);
});

it('a flood keeps a visit bounded and loses no page view', () => {
  const flood = Array.from({ length: maxHits + 10 }, (_, i) => makeHit({ view_id: i.toString(16).padStart(16, '0'), at: midnight + i }));
  const visits = derive(flood);
  expect(visits.map((visit) => visit.pv)).toEqual([maxHits, 10]);
});

it('a tab open for a day becomes a new visit', () => {
  const pings = Array.from({ length: 100 }, (_, i) => ping(1, i + 1, `10:${20 * (i + 1)}`, 1000));
  const visits = derive([view(1, '10:00'), ...pings, view(2, '38:10')]);
  expect(visits).toMatchObject([
    { start: at('10:00'), last: at('10:00') + maxSpanMs, pv: 1 },
    { start: at('38:10'), pv: 1 },
  ]);
});

it('agrees with the oracle for any order of hits', () => {
  fc.assert(
    fc.property(traffic, fc.integer(), (hits, turn) => {
      const own = hits.filter((hit) => hit.visitor_id === hits[0]!.visitor_id).map((hit) => ({ ...hit, visitor_alt: noId }));
      const cut = Math.abs(turn) % own.length;
      const visits = deriveVisits(own[0]!.visitor_id, mergeHits(own.slice(cut), own.slice(0, cut)), { count: 0, start: 0 });
      expect(toOracleVisits(visits)).toEqual(oracleVisits(own.map(toOracle)));
      expect(visits.reduce((sum, visit) => sum + visit.pv, 0)).toBe(new Set(own.filter((hit) => hit.kind === 'view').map((hit) => hit.view_id)).size);
      expect(new Set(visits.map((visit) => visit.visit_id)).size).toBe(visits.length);
    }),
    { numRuns: 1500 },
  );
});

it('a visit within one millisecond is bounded in any order', () => {
  const hits = Array.from({ length: 3 * maxHits }, (_, n) => view(n + 1, '10:00'));
  const [visit, ...others] = derive([...hits, view(0xfffff, '10:01')]);
  expect(visit).toMatchObject({ pv: 2 * maxHits, start: at('10:00'), last: at('10:00') });
  expect(others).toMatchObject([{ pv: 1, start: at('10:01') }]);
  expect(derive([...hits].reverse())).toEqual([visit]);
});
