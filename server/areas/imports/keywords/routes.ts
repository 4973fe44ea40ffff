import type { FastifyInstance } from 'fastify';
import { keywordEndpoints as endpoints, keywordEngineNames, keywordLimits } from '../../../../contract/imports/keywords';
import type { KeywordReport, KeywordValues } from '../../../../contract/imports/keywords';
import type { Context } from '../../../context';
import type { Cell } from '../../../csv';
import type { Locale } from '../../../http/access';
import { route } from '../../../http/route';
import { queryContextFor, csv, fileName, rowName, sendFile } from '../../analytics';
import { keywordReport } from './report';
import { keywordImportsOf } from './stored';

const messages = {
  'zh-CN': {
    query: '搜索词',
    page: '页面',
    engine: '搜索引擎',
    clicks: '点击次数',
    impressions: '展示次数',
    ctr: '点击率',
    position: '平均排名',
    compare: '对比',
    total: '合计',
  },
  en: {
    query: 'Search term',
    page: 'Page',
    engine: 'Search engine',
    clicks: 'Clicks',
    impressions: 'Impressions',
    ctr: 'CTR',
    position: 'Average position',
    compare: 'Comparison',
    total: 'Total',
  },
} as const;

const cellsOf = (values: KeywordValues | null): Cell[] =>
  values === null
    ? [null, null, null, null]
    : [
        values.clicks,
        values.impressions,
        values.ctr === null ? null : Number(values.ctr.toFixed(4)),
        values.position === null ? null : Number(values.position.toFixed(2)),
      ];

function keywordsCsv(report: KeywordReport, by: 'query' | 'page', locale: Locale): string {
  const w = messages[locale === 'en' ? 'en' : 'zh-CN'];
  const isCompared = report.rows.some(({ compare }) => compare !== null);
  const heads = [w.clicks, w.impressions, w.ctr, w.position];
  const rowOf = (values: KeywordValues, compare: KeywordValues | null): Cell[] => [...cellsOf(values), ...(isCompared ? cellsOf(compare) : [])];
  return csv([
    [w[by], w.engine, ...heads, ...(isCompared ? heads.map((head) => `${w.compare} · ${head}`) : [])],
    ...(report.rows.length > 0 ? [[w.total, null, ...rowOf(report.totals, report.compareTotals)]] : []),
    ...report.rows.map((row) => [row.key, rowName('sourceName', keywordEngineNames[row.engine], locale), ...rowOf(row.values, row.compare)]),
  ]);
}

/** The report of imported keywords, and its export. */
export function registerKeywords(app: FastifyInstance, ctx: Context): void {
  route(app, ctx, endpoints.keywords, async ({ site, query, reply }) =>
    keywordReport(queryContextFor(ctx, reply), site.id, site.row.timeZone, await keywordImportsOf(ctx, site.id), query),
  );

  route(app, ctx, endpoints.exportKeywords, async ({ site, query, locale, reply }) => {
    const { format, ...keywordQuery } = query;
    const all = { ...keywordQuery, page: 1, size: keywordLimits.exportedRows };
    const report = await keywordReport(queryContextFor(ctx, reply), site.id, site.row.timeZone, await keywordImportsOf(ctx, site.id), all);
    const text =
      format === 'csv'
        ? keywordsCsv(report, query.by, locale)
        : JSON.stringify({ query: keywordQuery, timeZone: site.row.timeZone, at: ctx.now(), ...report }, null, 2);
    return sendFile(reply, fileName(site.row.slug, 'keywords', query, format), format, text);
  });
}
