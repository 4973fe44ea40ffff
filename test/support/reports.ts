import type { Bucket, Install, MeasureId, Online, Report, Row, Values, VisitRow } from '@contract/analytics/schemas';

/** Responses of the analytics endpoints as the server sends them; a test sets only what it is about. */
export const values = (change: Partial<Record<MeasureId, number | null>> = {}): Values => ({
  visitors: 0,
  visits: 0,
  views: 0,
  ips: 0,
  newVisitors: 0,
  newRatio: null,
  bounceRate: null,
  avgDuration: null,
  avgPages: null,
  avgEngaged: null,
  visitorDays: 0,
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
  ...change,
});

export const someValues = (visitors: number): Values =>
  values({
    visitors,
    visits: visitors * 2,
    views: visitors * 4,
    ips: visitors,
    newVisitors: visitors,
    newRatio: 0.5,
    bounceRate: 0.25,
    avgDuration: 90,
    avgPages: 2,
    avgEngaged: 45,
    visitorDays: visitors,
  });

const day = 86_400_000;
const midnight = (text: string): number => Date.parse(`${text}T00:00:00+08:00`);

/** One bucket per day from `from`; the last one is unfinished. */
export const series = (from: string, visitors: readonly number[]): Bucket[] =>
  visitors.map((count, at) => {
    const start = midnight(from) + at * day;
    return {
      label: new Date(start + 8 * 3_600_000).toISOString().slice(0, 16),
      start,
      end: start + day,
      open: at === visitors.length - 1,
      values: someValues(count),
    };
  });

export const row = (key: string, visitors: number, change: Partial<Row> = {}): Row => ({
  key,
  values: someValues(visitors),
  compare: someValues(Math.round(visitors / 2)),
  share: 0.5,
  ...change,
});

export const report = (change: Partial<Report> = {}): Report => ({
  from: '2026-11-14',
  to: '2026-11-20',
  timeZone: 'Asia/Shanghai',
  gran: 'day',
  compareFrom: '2026-11-07',
  compareTo: '2026-11-13',
  compareUntil: null,
  totals: someValues(400),
  compareTotals: someValues(320),
  series: null,
  compareSeries: null,
  rows: null,
  rowCount: null,
  explain: {
    source: 'visits',
    exact: true,
    building: false,
    error: null,
    freshTo: midnight('2026-11-20') + day / 2,
    at: midnight('2026-11-20') + day / 2,
    excluded: { suspected: 3, bots: 41 },
    tookMs: 5,
  },
  ...change,
});

export const noReport = (): Report =>
  report({
    totals: values(),
    compareTotals: values(),
    rows: [],
    rowCount: 0,
    series: [],
    compareSeries: [],
    explain: { ...report().explain, excluded: { suspected: 0, bots: 0 } },
  });

/** Responds to a report call as the server does: series and rows only if requested. */
export const answerReport = (request: Request): { data: Report } => {
  const query = new URL(request.url).searchParams;
  const by = query.get('by');
  const compared = query.get('compare') !== 'none';
  return {
    data: report({
      from: query.get('from') ?? '',
      to: query.get('to') ?? '',
      ...(compared ? {} : { compareFrom: null, compareTo: null, compareTotals: null }),
      ...(query.get('series') === '1'
        ? { series: series('2026-11-18', [100, 120, 60]), compareSeries: compared ? series('2026-11-11', [90, 80, 95]) : null }
        : {}),
      ...(by === null
        ? {}
        : {
            rows:
              by === 'path'
                ? [row('/tea', 200), row('/about', 40)]
                : by === 'sourceName'
                  ? [row('', 150), row('百度', 90)]
                  : by === 'province'
                    ? [row('CN-GD', 80)]
                    : by === 'country'
                      ? [row('CN', 80)]
                      : [],
            rowCount: 2,
          }),
    }),
  };
};

export const visit = (visitId: string, change: Partial<VisitRow> = {}): VisitRow => {
  const last = midnight('2026-11-20') + day / 2;
  return {
    visitId,
    visitor: 'k3f9',
    start: last - 60_000,
    last,
    online: true,
    isNew: true,
    visitNo: 1,
    country: 'CN',
    province: 'CN-GD',
    city: 'Shenzhen',
    isp: '',
    address: '203.0.113.x',
    sourceType: 'search',
    sourceName: '百度',
    keyword: '龙井',
    referrer: '',
    deviceType: 'mobile',
    os: 'iOS',
    browser: 'Safari',
    screen: '390x844',
    language: 'zh-CN',
    entryPath: '/tea',
    exitPath: '/about',
    views: 2,
    events: 0,
    durationMs: 60_000,
    engagedMs: 42_000,
    verdict: 'human',
    botReasons: [],
    pages: [
      { pageId: '00000000000000a1', at: last - 60_000, path: '/tea', title: 'Tea', engagedMs: 30_000, scroll: 80, events: 0 },
      { pageId: '00000000000000a2', at: last - 20_000, path: '/about', title: 'About', engagedMs: 12_000, scroll: 0, events: 1 },
    ],
    ...change,
  };
};

export const online = (change: Partial<Online> = {}): Online => ({
  online: 3,
  perMinute: Array.from({ length: 30 }, (_, at) => ({ at: midnight('2026-11-20') + at * 60_000, views: at % 4, visitors: 1 })),
  ...change,
});

export const install = (change: Partial<Install> = {}): Install => ({
  tag: '<script defer src="https://console.example/t.js" data-site="abcdefghijkl"></script>',
  firstHitAt: midnight('2026-11-01'),
  lastHitAt: null,
  scriptLoads: 0,
  refusals: [],
  hosts: [],
  ...change,
});
