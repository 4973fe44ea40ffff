import type { DimensionId, Distribution, Flow, Movers, Tree, VisitRow } from '../../../contract/analytics/schemas';
import type { Locale } from '../../http/access';
import { wallAt } from '../../zone';
import { dimensionTable } from './dimensions';
import type { Cell } from '../../csv';
import { keyName, spreadName } from './keyNames';
import { measureTable } from './measures';

/** The rows of a file, column headers first. */
export type ExportTable = readonly (readonly Cell[])[];

const messages = {
  'zh-CN': {
    kind: '类型',
    path: '路径',
    pages: '页面数',
    directory: '目录',
    page: '页面',
    share: '占比',
    total: '合计',
    bucket: '区间',
    key: '名称',
    now: '本期',
    before: '对比期',
    change: '变化',
    fresh: '新增',
    rising: '上升',
    falling: '下降',
    side: '方向',
    came: '上游',
    went: '下游',
    entry: '进入网站',
    exit: '离开网站',
    again: '同一页面',
    source: '来源',
    start: '开始时间',
    last: '最近活动',
    duration: '访问时长（秒）',
    engaged: '有效停留时长（秒）',
    views: '浏览量',
    events: '事件数',
    visitor: '访客',
    visitNo: '第几次访问',
    address: 'IP 地址',
    referrer: '来源网址',
    verdict: '判定',
    reasons: '判定依据',
    human: '真人',
    suspected: '疑似机器人',
    bot: '机器人',
  },
  en: {
    kind: 'Kind',
    path: 'Path',
    pages: 'Pages',
    directory: 'Directory',
    page: 'Page',
    share: 'Share',
    total: 'Total',
    bucket: 'Bucket',
    key: 'Name',
    now: 'This period',
    before: 'Comparison',
    change: 'Change',
    fresh: 'New',
    rising: 'Rising',
    falling: 'Falling',
    side: 'Direction',
    came: 'Before',
    went: 'After',
    entry: 'Entered the site',
    exit: 'Left the site',
    again: 'The same page',
    source: 'Source',
    start: 'Begun',
    last: 'Last activity',
    duration: 'Duration (s)',
    engaged: 'Engaged time (s)',
    views: 'Page views',
    events: 'Events',
    visitor: 'Visitor',
    visitNo: 'Visit number',
    address: 'IP address',
    referrer: 'Referring address',
    verdict: 'Verdict',
    reasons: 'Reasons',
    human: 'Person',
    suspected: 'Suspected program',
    bot: 'Program',
  },
} as const;
const wordsOf = (locale: Locale) => messages[locale === 'en' ? 'en' : 'zh-CN'];
const lang = (locale: Locale): 'zh' | 'en' => (locale === 'en' ? 'en' : 'zh');
const label = (id: keyof typeof measureTable, locale: Locale): string => measureTable[id].label[lang(locale)];
const ratio = (value: number | null): number | null => (value === null ? null : Number(value.toFixed(4)));
const seconds = (value: number | null): number | null => (value === null ? null : Number(value.toFixed(2)));
const named = (by: DimensionId, key: string, locale: Locale): string => (key === '' ? dimensionTable[by].unknown[lang(locale)] : keyName(by, key, locale));

export function treeTable({ nodes, views }: Tree, locale: Locale): ExportTable {
  const w = wordsOf(locale);
  return [
    [w.kind, w.path, w.pages, label('views', locale), w.share, label('visitors', locale), label('visits', locale), label('avgTimeOnPage', locale)],
    ...nodes.map((one) => [
      w[one.kind],
      one.path,
      one.pages,
      one.views,
      ratio(views === 0 ? null : one.views / views),
      one.visitors,
      one.visits,
      seconds(one.avgTimeOnPage),
    ]),
  ];
}

export function flowTable(flow: Flow, locale: Locale): ExportTable {
  const w = wordsOf(locale);
  const share = (n: number): number | null => ratio(flow.views === 0 ? null : n / flow.views);
  const pages = (side: string, list: Flow['upstream']): Cell[][] => list.map((one) => [side, w.page, one.path, one.views, ratio(one.share)]);
  return [
    [w.side, w.kind, w.key, label('views', locale), w.share],
    [w.total, w.page, flow.path, flow.views, null],
    [w.came, w.entry, null, flow.entries, share(flow.entries)],
    ...flow.sources.map((one) => [
      w.came,
      w.source,
      `${keyName('sourceType', one.sourceType, locale)}${one.sourceName === '' ? '' : ` · ${keyName('sourceName', one.sourceName, locale)}`}`,
      one.views,
      ratio(one.share),
    ]),
    ...pages(w.came, flow.upstream),
    [w.came, w.again, flow.path, flow.again, share(flow.again)],
    [w.went, w.exit, null, flow.exits, share(flow.exits)],
    ...pages(w.went, flow.downstream),
    [w.went, w.again, flow.path, flow.againNext, share(flow.againNext)],
  ];
}

export function distributionTable({ of, buckets }: Distribution, locale: Locale): ExportTable {
  const w = wordsOf(locale);
  return [
    [w.bucket, label('visitors', locale), w.share, label('visits', locale), label('views', locale)],
    ...buckets.map((one) => [spreadName(of, one.key, locale), one.visitors, ratio(one.share), one.visits, one.views]),
  ];
}

export function moversTable(movers: Movers, by: DimensionId, locale: Locale): ExportTable {
  const w = wordsOf(locale);
  return [
    [w.kind, dimensionTable[by].label[lang(locale)], w.now, w.before, w.change],
    ...(['fresh', 'rising', 'falling'] as const).flatMap((kind) =>
      movers[kind].map((one) => [w[kind], named(by, one.key, locale), one.now, one.before, one.now - one.before]),
    ),
  ];
}

/** `2026-11-20 08:00:05`, local time in the site's zone. */
const clock = (at: number, zone: string): string => new Date(wallAt(at, zone)).toISOString().slice(0, 19).replace('T', ' ');

const visitDimensions = [
  'country',
  'province',
  'city',
  'isp',
  'sourceType',
  'sourceName',
  'keyword',
  'entryPath',
  'exitPath',
  'deviceType',
  'os',
  'browser',
  'screen',
  'language',
] as const;

export function visitHeads(zone: string, locale: Locale): Cell[] {
  const w = wordsOf(locale);
  return [
    `${w.last} (${zone})`,
    `${w.start} (${zone})`,
    w.duration,
    w.engaged,
    w.views,
    w.events,
    w.visitor,
    w.visitNo,
    w.address,
    ...visitDimensions.map((id) => dimensionTable[id].label[lang(locale)]),
    w.referrer,
    w.verdict,
    w.reasons,
  ];
}

export function visitCells(row: VisitRow, zone: string, locale: Locale): Cell[] {
  const w = wordsOf(locale);
  return [
    clock(row.last, zone),
    clock(row.start, zone),
    seconds(row.durationMs / 1000),
    seconds(row.engagedMs / 1000),
    row.views,
    row.events,
    row.visitor,
    row.visitNo,
    row.address,
    ...visitDimensions.map((id) => (row[id] === '' ? '' : keyName(id, row[id], locale))),
    row.referrer,
    w[row.verdict],
    row.botReasons.join(' '),
  ];
}
