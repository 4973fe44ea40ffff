/** Seeded raw hits of one small site, awkward on purpose; shared by the product's pipeline and by the oracle. */

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
  /** Cumulative for the view. */
  engagedMs: number;
  ip: number;
  botScore: number;
  /** Attributes that belong to the visit: those of its first hit count. */
  about: About;
};

export type About = {
  sourceType: string;
  sourceName: string;
  keyword: string;
  refHost: string;
  campaign: string;
  country: string;
  province: string;
  city: string;
  deviceType: string;
  os: string;
  browser: string;
  screenW: number;
  screenH: number;
  lang: string;
};

/** mulberry32: small, seeded, good enough to scatter. */
export function randomOf(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296;
  };
}

const minute = 60_000;
const paths = ['/', '/News/一', '/news/2', '/docs', '/docs/安装', '/a|b', '/back\\slash', "/quo'te", ''];

/**
 * About `visitors` × 3 visits between `from` and `to` (epoch ms). Many visits lie on midnight of some zone, on the hours that
 * change with the clocks, or across the edges of the ranges asked for.
 */
export function makeHits(seed: number, visitors: number, from: number, to: number, edges: readonly number[]): RawHit[] {
  const random = randomOf(seed);
  const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)] as T;
  const hits: RawHit[] = [];
  let nextView = 1;
  for (let visitor = 1; visitor <= visitors; visitor += 1) {
    const botScore = pick([0, 0, 0, 10, 49, 50, 70, 89, 90, 100]);
    const starts = Array.from({ length: 1 + Math.floor(random() * 5) }, () =>
      random() < 0.4 ? pick(edges) - Math.floor(random() * 20 * minute) : from + Math.floor(random() * (to - from)),
    ).sort((a, b) => a - b);
    let free = from;
    for (const wanted of starts) {
      let at = Math.max(wanted, free);
      const about = makeAbout(random);
      const views = pick([1, 1, 2, 3, 6]);
      for (let v = 0; v < views; v += 1) {
        const path = pick(paths);
        const page = { host: pick(['www.example.com', 'm.example.com']), path, title: random() < 0.1 ? '' : `标题 Title ${path}` };
        const view = nextView++;
        let seq = 0;
        const push = (kind: RawHit['kind'], engagedMs: number) =>
          hits.push({ visitor, view, seq: seq++, kind, at, ...page, engagedMs, ip: visitor % 37, botScore, about });
        push('view', 0);
        let engaged = 0;
        const more = pick([0, 0, 1, 2, 4]);
        for (let m = 0; m < more; m += 1) {
          at += 1000 + Math.floor(random() * 12 * minute);
          engaged += Math.floor(random() * 60_000);
          push(random() < 0.15 ? 'event' : 'engage', engaged);
        }
        at += 1 + Math.floor(random() * 25 * minute);
      }
      // A little more than the 30 minutes that end a visit, now and then exactly as much as still does not.
      free = at + 31 * minute;
    }
  }
  return hits;
}

function makeAbout(random: () => number): About {
  const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)] as T;
  const sourceType = pick(['direct', 'search', 'external', 'social', 'ai', 'ad', 'email', 'internal']);
  const country = pick(['CN', 'CN', 'CN', 'US', 'NP', '']);
  const [w, h] = pick([
    [390, 844],
    [1920, 1080],
    [0, 0],
  ] as const);
  return {
    sourceType,
    sourceName: sourceType === 'direct' ? '' : pick(['百度', 'Google', 'example.org', '微信']),
    keyword: sourceType === 'search' ? pick(['', '', '站点 分析', 'Site Analytics', 'a:b|c']) : '',
    refHost: sourceType === 'direct' ? '' : pick(['www.baidu.com', 'www.google.com', 'example.org']),
    campaign: sourceType === 'ad' ? pick(['双十一', 'spring']) : '',
    country,
    province: country === 'CN' ? pick(['CN-GD', 'CN-BJ', '']) : '',
    city: country === 'CN' ? pick(['Guangzhou', 'Beijing', '']) : '',
    deviceType: pick(['desktop', 'mobile', 'tablet', 'unknown']),
    os: pick(['Windows', 'Android', 'iOS', '']),
    browser: pick(['Chrome', 'WeChat', 'Safari']),
    screenW: w,
    screenH: h,
    lang: pick(['zh-CN', 'en-US', '']),
  };
}
