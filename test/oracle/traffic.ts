import fc from 'fast-check';
import { noId, noSource } from '../../server/collect/row';
import type { HitRow } from '../../server/collect/row';
import type { VisitRow } from '../../server/collect/visits';
import type { OracleHit, OracleVisit } from './visits';

/** Attributes of a visit from its opening page, one column of each kind. */
export type Opening = { country: string; campaign: string; keyword: string; version: string; width: number; address: string };

export const minute = 60_000;
/** Midnight UTC of a day. */
export const midnight = Date.UTC(2026, 8, 20);

/** A stored hit with defaults. */
export function makeHit(overrides: Partial<HitRow>): HitRow {
  return {
    site_id: 'abcdefgh2345',
    visitor_id: '00000000000000aa',
    visitor_alt: noId,
    view_id: '0000000000000001',
    seq: 0,
    kind: 'view',
    at: midnight,
    received_at: overrides.at ?? midnight,
    host: 'example.com',
    path: '/',
    query: '',
    title: '',
    engaged_ms: 0,
    scroll: 0,
    name: '',
    props: '',
    ...noSource,
    device_type: 'desktop',
    os: 'Windows',
    os_version: '10',
    browser: 'Chrome',
    browser_version: '140',
    screen_w: 1440,
    screen_h: 900,
    lang: 'zh-CN',
    country: 'CN',
    province: 'CN-GD',
    city: 'shenzhen',
    isp: '',
    ip_key: '0000000000000099',
    ip_masked: '203.0.113.x',
    bot_score: 0,
    bot_reasons: [],
    origin: 'script',
    search_term: '',
    set_aside: 0,
    ...overrides,
  };
}

export const toOracle = (hit: HitRow): OracleHit<Opening> => ({
  visitor: hit.visitor_id,
  yesterday: hit.visitor_alt === noId ? null : hit.visitor_alt,
  view: hit.view_id,
  seq: hit.seq,
  kind: hit.kind,
  at: hit.at,
  received: hit.received_at,
  host: hit.host,
  path: hit.path,
  title: hit.title,
  search: hit.search_term,
  engaged: hit.engaged_ms,
  scroll: hit.scroll,
  name: hit.name,
  props: hit.props,
  origin: hit.origin,
  source: hit.source_type,
  about: openingOf(hit),
  botScore: hit.bot_score,
  botReasons: hit.bot_reasons,
  campaign: hit.utm_campaign + hit.utm_source === '' ? '' : [hit.utm_source, hit.utm_medium, hit.utm_campaign, hit.utm_term, hit.utm_content].join(' / '),
});

const openingOf = (row: HitRow | VisitRow): Opening => ({
  country: row.country,
  campaign: row.utm_campaign,
  keyword: row.keyword,
  version: row.browser_version,
  width: row.screen_w,
  address: row.ip_key,
});

/** The product's rows in the oracle's terms. */
export const toOracleVisits = (rows: readonly VisitRow[]): OracleVisit<Opening>[] =>
  rows
    .map((row) => ({
      visitor: row.visitor_id,
      start: row.start,
      last: row.last,
      views: row.view_id.map((id, i) => ({
        id,
        at: row.start + row.view_at[i]!,
        host: row.view_host[i]!,
        path: row.view_path[i]!,
        title: row.view_title[i]!,
        search: row.view_search[i]!,
        engaged: row.view_engaged[i]!,
        scroll: row.view_scroll[i]!,
        events: row.view_events[i]!,
      })),
      paths: row.upv,
      events: row.event_at.map((at, i) => ({ at: row.start + at, name: row.event_name[i]!, props: row.event_props[i]!, view: row.event_view[i]! })),
      engaged: row.engaged_ms,
      bounce: row.bounce === 1,
      entry: row.entry_path,
      exit: row.exit_path,
      origin: row.origin,
      source: row.source_type,
      about: openingOf(row),
      botScore: row.bot_score,
      botReasons: row.bot_reasons,
      number: row.visit_no,
      previous: row.prev_start,
    }))
    .sort((a, b) => a.start - b.start || (a.visitor < b.visitor ? -1 : 1));

const hex = (n: number): string => n.toString(16).padStart(16, '0');
/** The ids of one cookieless visitor on three consecutive days. */
const days = ['a1', 'a2', 'a3'].map((id) => id.padStart(16, '0'));
const otherPerson = 'b'.padStart(16, '0');

/** A visitor active for longer than a visit may last: a page open all day, with occasional events. */
const dayLong = fc
  .record({
    start: fc.integer({ min: -6 * 60, max: 0 }),
    every: fc.constantFrom(21, 29, 30),
    minutes: fc.integer({ min: 23 * 60, max: 27 * 60 }),
    event: fc.integer({ min: 2, max: 60 }),
  })
  .map(({ start, every, minutes, event }) =>
    Array.from({ length: Math.ceil(minutes / every) }, (_, i) => {
      const kind = i === 0 ? 'view' : i % event === 0 ? 'event' : 'engage';
      return makeHit({
        visitor_id: otherPerson,
        view_id: hex(4096),
        seq: i,
        kind,
        at: midnight + (start + i * every) * minute,
        path: '/long',
        engaged_ms: kind === 'engage' ? i * 1000 : 0,
      });
    }),
  );

/**
 * Traffic of a cookieless visitor over three days and of another one, concentrated around midnight, around the half-hour limit
 * and in the same milliseconds; some hits are repeated with another age.
 */
const crowded = fc
  .array(
    fc.record({
      person: fc.constantFrom(0, 0, 0, 1),
      view: fc.integer({ min: 1, max: 9 }),
      seq: fc.integer({ min: 0, max: 4 }),
      kind: fc.constantFrom<HitRow['kind']>('view', 'view', 'event', 'engage', 'engage'),
      at: fc.oneof(
        fc.integer({ min: -8, max: 12 }).map((n) => n * 10 * minute),
        fc.integer({ min: -3, max: 3 }).map((n) => n * 30 * minute + (n % 2)),
        fc.integer({ min: -26 * 60, max: 26 * 60 }).map((n) => n * minute),
        fc.integer({ min: 22 * 60, max: 26 * 60 }).map((n) => n * minute),
      ),
      delay: fc.constantFrom(0, 1000, 5 * minute, 90 * minute),
      path: fc.constantFrom('/', '/a', '/b'),
      engaged: fc.integer({ min: 0, max: 5 }),
      scroll: fc.integer({ min: 0, max: 3 }),
      name: fc.constantFrom('buy', '$vitals', '$outbound', '$download', '$form', '$future', ''),
      props: fc.constantFrom('', '{"url":"https://other.example/"}', '{"plan":"专业版","price":12.5,"new":true,"note":null}'),
      title: fc.constantFrom('', '', '一', 'Two'),
      search: fc.constantFrom('', '', '乌龙茶'),
      origin: fc.constantFrom<HitRow['origin']>('script', 'script', 'server', 'log', 'audit'),
      source: fc.constantFrom('direct', 'search', 'internal'),
      bot: fc.constantFrom(0, 0, 40),
      copies: fc.constantFrom(1, 1, 1, 2),
    }),
    { minLength: 1, maxLength: 24 },
  )
  .map((sent) => {
    const named = new Set<string>();
    return sent.flatMap((one) => {
      const at = midnight + one.at;
      const day = at < midnight ? 0 : at < midnight + 24 * 60 * minute ? 1 : 2;
      const soonAfterMidnight = day > 0 && at - (midnight + (day - 1) * 24 * 60 * minute) < 30 * minute;
      // A view id belongs to one visitor id on one day, and only its first hit is the view.
      const kind = one.seq === 0 ? 'view' : one.kind === 'view' ? 'event' : one.kind;
      const hit = makeHit({
        visitor_id: one.person === 0 ? days[day]! : otherPerson,
        visitor_alt: one.person === 0 && soonAfterMidnight ? days[day - 1]! : noId,
        view_id: hex(one.view + 16 * day + 256 * one.person),
        seq: one.seq,
        kind,
        at,
        received_at: at + one.delay,
        path: one.path,
        engaged_ms: kind === 'engage' ? one.engaged * 1000 : 0,
        scroll: kind === 'engage' ? one.scroll : 0,
        name: kind === 'event' ? one.name : '',
        props: kind === 'event' ? one.props : '',
        host: one.path === '/b' ? 'm.example.com' : 'example.com',
        title: one.title,
        search_term: kind === 'view' ? one.search : '',
        origin: one.origin,
        source_type: one.source,
        // Differs between hits, so that the visit shows which hit it came from.
        country: ['CN', 'US', ''][one.view % 3]!,
        utm_campaign: `c${one.view}`,
        keyword: one.search,
        browser_version: String(140 + (one.seq % 2)),
        screen_w: 390 + one.view,
        ip_key: hex(100 + one.view),
        bot_score: one.bot,
        bot_reasons: one.bot > 0 ? [`reason${one.view % 2}`] : [],
      });
      // Different hits never share an id; only repetitions do.
      if (named.has(`${hit.view_id}${hit.seq}`)) return [];
      named.add(`${hit.view_id}${hit.seq}`);
      // Repetitions differ by network jitter, and a merge keeps only one of them, so visitors cannot be matched exactly at midnight.
      const nearMidnight = Math.abs(at - midnight) < 90 * minute || Math.abs(at - midnight - 24 * 60 * minute) < 90 * minute;
      return one.copies === 1 || (one.person === 0 && nearMidnight) ? [hit] : [hit, { ...hit, at: at + 7, received_at: at + one.delay + 60_000 }];
    });
  });

/** Crowded traffic, occasionally together with a visit that exceeds the longest duration. */
export const traffic = fc
  .tuple(crowded, fc.oneof({ arbitrary: fc.constant<HitRow[]>([]), weight: 9 }, { arbitrary: dayLong, weight: 1 }))
  .map(([hits, long]) => [...hits, ...long]);
