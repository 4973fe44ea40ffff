/** Seeded raw hits of one small site with many edge cases, shared by the product's pipeline and the oracle. */

export type RawHit = {
  visitor: number;
  view: number;
  seq: number;
  kind: 'view' | 'event' | 'engage';
  /** Epoch ms; unique within a visitor. */
  at: number;
  host: string;
  path: string;
  title: string;
  /** The term of the site search. */
  search: string;
  /** Cumulative for the view, like the scroll depth. */
  engagedMs: number;
  scroll: number;
  /** Of events; `props` is JSON, '' for none. */
  name: string;
  props: string;
  ip: number;
  botScore: number;
  /** The same for all hits of a visitor. */
  origin: 'script' | 'server' | 'log' | 'import' | 'audit';
  /** Attributes of the visit; those of its opening view count. */
  about: About;
};

export type About = {
  sourceType: string;
  sourceName: string;
  keyword: string;
  keywordFrom: string;
  refHost: string;
  refPath: string;
  refUrl: string;
  campaign: string;
  utmSource: string;
  utmMedium: string;
  utmTerm: string;
  utmContent: string;
  clickId: string;
  country: string;
  province: string;
  city: string;
  isp: string;
  deviceType: string;
  os: string;
  osVersion: string;
  browser: string;
  browserVersion: string;
  screenW: number;
  screenH: number;
  lang: string;
};

/** mulberry32: a small seeded generator, sufficient for test data. */
export function randomOf(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296;
  };
}
type Pick = <T>(list: readonly T[]) => T;
const pickerOf =
  (random: () => number): Pick =>
  (list) =>
    list[Math.floor(random() * list.length)] as (typeof list)[number];

const minute = 60_000;
const day = 24 * 60 * minute;
/** Pages that are also directories, fragment routes, wildcard characters, other languages, and an empty path. */
export const paths = [
  '/',
  '/',
  '/News/一',
  '/news/2',
  '/news/2/',
  '/docs',
  '/docs/',
  '/docs/安装',
  '/docs/a/b/c',
  '/docs/a/b/',
  '/a|b',
  '/a|b/c',
  '/back\\slash',
  "/quo'te",
  '/ÉTÉ/%25_*.[x]/y',
  '//twice//',
  '/%2E%2E/up',
  '/app#/route/1',
  '/app/#!/route/2',
];
const searches = ['', '', '', '', '', '乌龙茶', 'Oolong Tea', 'a:b|c\\d'];
const happenings: readonly (readonly [string, string])[] = [
  ['buy', '{"plan":"pro","price":12.5,"new":true}'],
  ['buy', '{"plan":"专业版","price":99,"note":null}'],
  ['buy', ''],
  ['buy', '{"plan":"PRO","price":"7.50","new":false}'],
  ['sign up', '{"plan":"pro"}'],
  ["drop table 'x'|y", '{"a.b":"c","__proto__x":"1"}'],
  ['$outbound', '{"url":"https://other.example/a?b=1"}'],
  ['$outbound', '{"url":"https://third.example/"}'],
  ['$download', '{"url":"https://www.example.com/files/a.pdf","file":"a.pdf"}'],
  ['$vitals', '{"LCP":1234.5,"CLS":0.02}'],
  ['$vitals', '{"INP":80}'],
];

/** One visitor's visits; creates hits in chronological order. */
type Walk = {
  readonly visitor: number;
  readonly botScore: number;
  readonly origin: RawHit['origin'];
  /** Starts a visit at `at` with this many page views; returns the time of its last hit. */
  readonly visit: (at: number, views: number) => number;
};

function walker(random: () => number, hits: RawHit[], ids: { view: number }): (visitor: number, botScore: number, origin: RawHit['origin']) => Walk {
  const pick = pickerOf(random);
  return (visitor, botScore, origin) => {
    let lastPage: { view: number; seq: number; host: string; path: string; title: string; search: string; engagedMs: number; scroll: number } | null = null;
    const push = (kind: RawHit['kind'], at: number, about: About, ip: number, event: readonly [string, string] = ['', '']): void => {
      if (!lastPage) return;
      const { seq, ...page } = lastPage;
      hits.push({ visitor, ...page, seq, kind, at, name: event[0], props: event[1], ip, botScore, origin, about });
      lastPage.seq += 1;
    };
    return {
      visitor,
      botScore,
      origin,
      visit(start, views) {
        const about = makeAbout(random);
        const ip = (visitor + (random() < 0.1 ? 1 : 0)) % 37;
        let at = start;
        // The visitor returns to a tab that stayed open and triggers an event there.
        if (lastPage && random() < 0.12) {
          push('event', at, { ...about, ...noReferrer }, ip, pick(happenings));
          if (random() < 0.5) {
            lastPage.engagedMs += 5000;
            push('engage', (at += 20_000), about, ip);
            lastPage.engagedMs += 7000;
            push('engage', (at += 20_000), about, ip);
          }
          if (random() < 0.5) return at;
          at += 3 * minute;
        }
        for (let v = 0; v < views; v += 1) {
          const path = views > 20 && v % 3 > 0 ? `/long/${v}` : random() < 0.15 && lastPage ? lastPage.path : pick(paths);
          const lateTitle = random() < 0.2;
          const title = random() < 0.1 ? '' : `标题 Title ${path}`;
          lastPage = {
            view: (ids.view += 1),
            seq: 0,
            host: pick(['www.example.com', 'www.example.com', 'm.example.com']),
            path,
            title: lateTitle ? '' : title,
            search: pick(searches),
            engagedMs: 0,
            scroll: 0,
          };
          push('view', at, about, ip);
          lastPage.title = title;
          const more = views > 20 ? 0 : pick([0, 0, 1, 2, 4]);
          for (let m = 0; m < more; m += 1) {
            at += 1000 + Math.floor(random() * 12 * minute);
            lastPage.engagedMs += Math.floor(random() * 60_000);
            lastPage.scroll = Math.min(100, lastPage.scroll + Math.floor(random() * 60));
            if (random() < 0.3) push('event', at, about, ip, pick(happenings));
            else push('engage', at, about, ip);
          }
          // Occasionally a view of a few seconds, so that short visits and the edges of their buckets occur.
          if (v < views - 1) at += random() < 0.2 ? pick([1, 9999, 10_000, 29_999, 30_000]) : 1 + Math.floor(random() * (views > 20 ? 2 : 25) * minute);
        }
        return at;
      },
    };
  };
}

/**
 * About `visitors` × 3 visits between `from` and `to` (epoch ms), and some visitors who have visited for years, returned after
 * a long time, read a hundred pages or never closed the page. Many visits are at midnight of some zone, in the hours of clock
 * changes, or across the edges of the requested ranges.
 */
export function makeHits(seed: number, visitors: number, from: number, to: number, edges: readonly number[]): RawHit[] {
  const random = randomOf(seed);
  const pick = pickerOf(random);
  const hits: RawHit[] = [];
  const walk = walker(random, hits, { view: 0 });
  let visitor = 0;
  while (visitor < visitors) {
    const origin = pick(['script', 'script', 'script', 'script', 'script', 'server', 'log', 'import', 'audit'] as const);
    const one = walk((visitor += 1), pick([0, 0, 0, 10, 49, 50, 70, 89, 90, 100]), origin);
    const starts = Array.from({ length: 1 + Math.floor(random() * 5) }, () =>
      random() < 0.4 ? pick(edges) - Math.floor(random() * 20 * minute) : from + Math.floor(random() * (to - from)),
    ).sort((a, b) => a - b);
    let free = from;
    // Slightly more than the 30 minutes that end a visit, occasionally exactly the 30 minutes that do not.
    for (const plannedStart of starts) free = one.visit(Math.max(plannedStart, free), pick([1, 1, 1, 2, 3, 6])) + (random() < 0.1 ? 30 * minute : 31 * minute);
  }
  const middle = from + Math.floor((to - from) / 2);
  // This many visits, a day apart, up to the middle of the range.
  for (const count of [4, 7, 9, 12, 17, 60, 110, 210, 310]) {
    const one = walk((visitor += 1), 0, 'script');
    for (let n = count; n >= -2; n -= 1) one.visit(middle - n * day + Math.floor(random() * 3 * 60) * minute, 1);
  }
  // At least this many days since the last visit.
  for (const days of [1, 2, 3, 7, 8, 15, 16, 30, 31, 90, 91, 365, 366, 400]) {
    const one = walk((visitor += 1), 0, 'script');
    const back = middle + Math.floor(random() * 24 * 60) * minute;
    one.visit(back - days * day, 2);
    one.visit(back, 3);
  }
  for (const views of [4, 5, 8, 11, 20, 21, 30, 50, 51, 70, 100, 101, 160])
    walk((visitor += 1), 0, 'script').visit(middle + Math.floor(random() * 3 * day), views);
  for (const looks of [82, 40]) hits.push(...dayLong((visitor += 1), middle - day, looks, makeAbout(random)));
  return hits;
}

/** A page left open for more than a day and viewed every twenty minutes; an event at its end starts another visit. */
function dayLong(visitor: number, start: number, looks: number, about: About): RawHit[] {
  return Array.from({ length: looks }, (_, i) => ({
    visitor,
    view: 1_000_000 + visitor,
    seq: i,
    kind: i === 0 ? ('view' as const) : i > 73 && i % 4 === 2 ? ('event' as const) : ('engage' as const),
    at: start + i * 20 * minute,
    host: 'www.example.com',
    path: '/docs',
    title: 'Open all day',
    search: '',
    engagedMs: i * minute,
    scroll: Math.min(100, i),
    name: i > 73 && i % 4 === 2 ? 'buy' : '',
    props: '',
    ip: 36,
    botScore: 0,
    origin: 'script' as const,
    about: i === 0 ? about : { ...about, ...noReferrer },
  }));
}

/** An event has no referrer. */
const noReferrer = {
  sourceType: 'direct',
  sourceName: '',
  keyword: '',
  keywordFrom: '',
  refHost: '',
  refPath: '',
  refUrl: '',
  campaign: '',
  utmSource: '',
  utmMedium: '',
  utmTerm: '',
  utmContent: '',
  clickId: '',
};

function makeAbout(random: () => number): About {
  const pick = pickerOf(random);
  const sourceType = pick(['direct', 'search', 'external', 'social', 'ai', 'ad', 'email', 'internal']);
  const country = pick(['CN', 'CN', 'CN', 'US', 'NP', '']);
  const [w, h] = pick([
    [390, 844],
    [1920, 1080],
    [0, 0],
  ] as const);
  const keyword = sourceType === 'search' ? pick(['', '', '站点 分析', 'Site Analytics', 'a:b|c']) : '';
  const refHost = sourceType === 'direct' ? '' : pick(['www.baidu.com', 'www.google.com', 'example.org', '']);
  const refPath = refHost === '' ? '' : pick(['', '/', '/', '/post/1', '/post/二', '/s|t']);
  const tagged = sourceType === 'ad' || random() < 0.15;
  return {
    ...noReferrer,
    sourceType,
    sourceName: sourceType === 'direct' ? '' : pick(['百度', 'Google', 'example.org', '微信']),
    keyword,
    keywordFrom: keyword === '' ? '' : pick(['referrer', 'ad_param']),
    refHost,
    refPath,
    refUrl: refHost === '' ? '' : `https://${refHost}${refPath}${refPath.startsWith('/post') ? '?id=7' : ''}`,
    ...(tagged
      ? {
          campaign: pick(['双十一', 'spring', '']),
          utmSource: pick(['news', 'Baidu']),
          utmMedium: pick(['cpc', 'email', '']),
          utmTerm: pick(['茶', '']),
          utmContent: pick(['banner|1', '']),
          clickId: pick(['gclid', 'bd_vid', '']),
        }
      : {}),
    country,
    province: country === 'CN' ? pick(['CN-GD', 'CN-BJ', '']) : '',
    city: country === 'CN' ? pick(['Guangzhou', 'Beijing', '']) : '',
    isp: pick(['电信', 'CERNET', '']),
    deviceType: pick(['desktop', 'mobile', 'tablet', 'unknown']),
    os: pick(['Windows', 'Android', 'iOS', '']),
    osVersion: pick(['10', '11', '']),
    browser: pick(['Chrome', 'WeChat', 'Safari']),
    browserVersion: pick(['140', '8.0', '']),
    screenW: w,
    screenH: h,
    lang: pick(['zh-CN', 'en-US', '']),
  };
}
