import type { FastifyInstance } from 'fastify';
import type { z } from 'zod';
import { ReportQuery } from '../../../contract/analytics/report';
import { keywordEngineNames, keywordEngines } from '../../../contract/imports/keywordTerms';
import { normalizePath } from '../../../contract/paths';
import { seoKeywordEndpoints as endpoints } from '../../../contract/seo/keywordSchemas';
import type { SeoKeywords } from '../../../contract/seo/keywordSchemas';
import { parseUrl } from '../../../contract/parseUrl';
import type { Context } from '../../context';
import { route } from '../../http/route';
import type { CallOf } from '../../http/route';
import { queryContextFor, reportFor } from '../analytics';
import { keywordImportsOf, keywordRowsOf } from '../imports';
import type { KeywordRow } from '../imports';
import { readIndexedSite } from '../sites';

type Call = CallOf<typeof endpoints.seoKeywords>;
type Site = Pick<Call['site']['row'], 'id' | 'timeZone'>;
type Counted = { readonly row: KeywordRow; readonly path: string | null };

/** Path of a page as visits have it; null if it belongs to another site. */
export function pathOfPage(page: string, hosts: ReadonlySet<string>): string | null {
  if (page.startsWith('/')) return normalizePath(page.replace(/[?#].*$/s, ''));
  const url = parseUrl(page);
  return url !== null && hosts.has(url.hostname) ? normalizePath(url.pathname) : null;
}

const escaped = (value: string): string => value.replaceAll(/[\\|]/g, (character) => `\\${character}`);

/** Visits from each engine that had one of its keywords, or began on one of its pages. Returns them by engine and key. */
async function visitsOf(ctx: Context, site: Site, { from, to, by }: Call['query'], rows: readonly Counted[]): Promise<ReadonlyMap<string, number>> {
  const dimension = by === 'page' ? 'entryPath' : 'keyword';
  const counts = await Promise.all(
    keywordEngines.map(async (engine) => {
      const keys = rows.flatMap(({ row, path }) => (row.engine !== engine ? [] : by === 'query' ? [row.key] : path === null ? [] : [path]));
      if (keys.length === 0) return [];
      const filter = [`sourceName:is:${escaped(keywordEngineNames[engine])}`, `${dimension}:is:${keys.map(escaped).join('|')}`];
      const query = ReportQuery.parse({ from, to, by: dimension, filter, with: [], sort: 'visits', size: keys.length });
      const report = await reportFor(ctx, site, query);
      return (report.rows ?? []).map(({ key, values }) => [`${engine} ${key}`, values.visits ?? 0] as const);
    }),
  );
  return new Map(counts.flat());
}

async function seoKeywords(ctx: Context, { site, query, reply }: Call): Promise<z.input<typeof SeoKeywords>> {
  const [imports, indexed] = await Promise.all([keywordImportsOf(ctx, site.id), readIndexedSite(ctx, site.id)]);
  const report = await keywordRowsOf(queryContextFor(ctx, reply), site.id, site.row.timeZone, imports, { ...query, compare: 'previous' });
  const hosts = new Set(indexed?.hosts ?? []);
  const counted = report.rows.map((row): Counted => ({ row, path: row.landing === '' ? null : pathOfPage(row.landing, hosts) }));
  const visits = await visitsOf(ctx, site.row, query, counted);
  return {
    totals: report.totals,
    compareTotals: report.compareTotals,
    rows: counted.map(({ row: { landing, ...row }, path }) => {
      const key = query.by === 'query' ? row.key : path;
      return { ...row, landing: landing === '' ? null : landing, path, visits: key === null ? null : (visits.get(`${row.engine} ${key}`) ?? 0) };
    }),
    total: report.rowCount,
    coverage: report.coverage,
    partial: report.partial,
    imported: report.imported,
  };
}

export function registerSeoKeywords(app: FastifyInstance, ctx: Context): void {
  route(app, ctx, endpoints.seoKeywords, (call) => seoKeywords(ctx, call));
}
