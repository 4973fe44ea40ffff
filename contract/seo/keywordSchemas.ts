import { z } from 'zod';
import { endpoint } from '../endpoint';
import { KeywordReport } from '../imports/keywords';
import { keywordDimensions, keywordEngines, keywordSorts } from '../imports/keywordTerms';
import { SiteParams, figures } from './common';
import { seoKeywordCalls } from './keywordCalls';

const Day = z.iso.date();
const Values = KeywordReport.shape.totals;

const SeoKeywordQuery = z.object({
  /** First and last day, inclusive; compared with as many days before. */
  from: Day,
  to: Day,
  by: z.enum(keywordDimensions).default('query'),
  engine: z.enum(keywordEngines).optional(),
  /** Substring of the keyword, or of the page. */
  q: z.string().trim().max(200).default(''),
  /** Only rows of this page, as the file names it. */
  landing: z.string().trim().max(2000).default(''),
  sort: z.enum(keywordSorts).default('clicks'),
  dir: z.enum(['asc', 'desc']).default('desc'),
  page: z.coerce.number().int().min(1).max(10_000).default(1),
  size: z.coerce.number().int().min(1).max(50).default(20),
});
export type SeoKeywordQuery = z.output<typeof SeoKeywordQuery>;

export const SeoKeywords = z.object({
  totals: Values,
  /** null: the engines have no imported data for the days before. */
  compareTotals: Values.nullable(),
  rows: z.array(
    z.object({
      /** The keyword, or the page as the file names it. */
      key: z.string(),
      engine: z.enum(keywordEngines),
      values: Values,
      compare: Values.nullable(),
      /** The page that got most of the clicks; null if the file names none. */
      landing: z.string().nullable(),
      /** Path of that page if it belongs to the site, as visits have it. */
      path: z.string().nullable(),
      /** Visits from the engine in these days, as measured here: with the keyword, or that began on the page. */
      visits: z.int().nullable(),
    }),
  ),
  total: z.int(),
  coverage: KeywordReport.shape.coverage,
  partial: KeywordReport.shape.partial,
  imported: KeywordReport.shape.imported,
});
export type SeoKeywords = z.infer<typeof SeoKeywords>;

export const seoKeywordEndpoints = {
  seoKeywords: endpoint(seoKeywordCalls.seoKeywords, {
    ...figures,
    summary: 'Keywords of imported reports with their pages and the visits that were measured',
    params: SiteParams,
    query: SeoKeywordQuery,
    response: SeoKeywords,
    errors: ['range_not_allowed', 'analytics_unavailable'],
  }),
} as const;
