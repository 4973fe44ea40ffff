import { z } from 'zod';
import { compareModes } from '../analytics/terms';
import { keywordCalls } from './calls';
import { endpoint } from '../endpoint';
import { keywordColumns, keywordDimensions, keywordEngines, keywordSorts } from './keywordTerms';
import { SiteId } from '../sites/schemas';

export * from './keywordTerms';

const Day = z.iso.date();

/** Information that a file may lack. The period applies only to files without a date column. */
export const KeywordOptions = z.strictObject({ engine: z.enum(keywordEngines).optional(), from: Day.optional(), to: Day.optional() });
export type KeywordOptions = z.infer<typeof KeywordOptions>;

/** Period of a keyword import. `dated`: figures by day; otherwise sums of the whole period. */
export const KeywordPeriod = z.object({ engine: z.enum(keywordEngines), from: Day, to: Day, dated: z.boolean() });
export type KeywordPeriod = z.infer<typeof KeywordPeriod>;

export const KeywordPreview = z.object({
  /** The chosen engine, else the one detected from the columns; null: not detected. */
  engine: z.enum(keywordEngines).nullable(),
  dated: z.boolean(),
  /** From the date column, the days in the archive, or the file name; null: the user must enter it. */
  from: Day.nullable(),
  to: Day.nullable(),
  columns: z.array(z.object({ column: z.enum(keywordColumns), header: z.string() })),
  /** Headers of ignored columns. */
  unread: z.array(z.string()),
  rows: z.array(
    z.object({
      line: z.int(),
      query: z.string(),
      page: z.string(),
      day: Day.nullable(),
      clicks: z.int().nullable(),
      impressions: z.int().nullable(),
      position: z.number().nullable(),
      refused: z.string().nullable(),
    }),
  ),
  /** Earlier imports of the same engine whose days this import would replace. `wholly`: none of their data would be shown any more. */
  overlaps: z.array(z.object({ id: z.uuid(), name: z.string(), from: Day, to: Day, wholly: z.boolean() })),
});
export type KeywordPreview = z.infer<typeof KeywordPreview>;

const KeywordQuery = z.object({
  /** First and last day, inclusive. */
  from: Day,
  to: Day,
  compare: z.enum(compareModes).default('none'),
  compareFrom: Day.optional(),
  compareTo: Day.optional(),
  by: z.enum(keywordDimensions).default('query'),
  engine: z.enum(keywordEngines).optional(),
  /** Substring of the keyword, or of the page. */
  q: z.string().trim().max(200).default(''),
  sort: z.enum(keywordSorts).default('clicks'),
  dir: z.enum(['asc', 'desc']).default('desc'),
  page: z.coerce.number().int().min(1).max(10_000).default(1),
  size: z.coerce.number().int().min(1).max(500).default(20),
});
export type KeywordQuery = Omit<z.input<typeof KeywordQuery>, 'page' | 'size'> & { readonly page?: number; readonly size?: number };
/** The query as a handler receives it, with defaults. */
export type ParsedKeywordQuery = z.output<typeof KeywordQuery>;

/** `ctr`: clicks ÷ impressions, 0…1. `position`: mean position, weighted by impressions. null: undefined. */
const Values = z.object({ clicks: z.int(), impressions: z.int(), ctr: z.number().nullable(), position: z.number().nullable() });
export type KeywordValues = z.infer<typeof Values>;

const Period = z.object({ engine: z.enum(keywordEngines), from: Day, to: Day });
export const KeywordReport = z.object({
  from: Day,
  to: Day,
  compareFrom: Day.nullable(),
  compareTo: Day.nullable(),
  totals: Values,
  /** null: there is no comparison, or a counted engine has no imported data for it. */
  compareTotals: Values.nullable(),
  rows: z.array(z.object({ key: z.string(), engine: z.enum(keywordEngines), values: Values, compare: Values.nullable() })),
  /** Number of rows before paging. */
  rowCount: z.int(),
  /** Days of the range and of the comparison period covered by imports, by engine. */
  coverage: z.array(Period.extend({ days: z.int(), compareDays: z.int() })),
  /** Periods with sums that lie only partly within the range and cannot be divided; they are excluded from all figures. */
  partial: z.array(Period),
  /** All imported periods, regardless of the range. */
  imported: z.array(Period),
  /** Whether some rows of the range have a page. */
  pages: z.boolean(),
});
export type KeywordReport = z.infer<typeof KeywordReport>;

const Params = z.object({ siteId: SiteId });
export const keywordEndpoints = {
  keywords: endpoint(keywordCalls.keywords, {
    access: { site: 'analytics.read' },
    token: 'analytics:read',
    summary: 'Keywords as search engines report them (imported), apart from everything measured here',
    params: Params,
    query: KeywordQuery,
    response: KeywordReport,
    errors: ['range_not_allowed', 'analytics_unavailable'],
  }),
  exportKeywords: endpoint(keywordCalls.exportKeywords, {
    access: { site: 'analytics.export' },
    token: 'analytics:read',
    summary: 'The same as a file, totals first, 50 000 rows at most',
    params: Params,
    query: KeywordQuery.omit({ page: true, size: true }).extend({ format: z.enum(['csv', 'json']).default('csv') }),
    kind: 'file',
    errors: ['range_not_allowed', 'analytics_unavailable'],
  }),
} as const;
