import { z } from 'zod';
import { safeName, safeText } from '../text';
import { columnTypes, crawlLimits, renderModes, scopeModes, severities, usualRender } from './terms';

/** The configuration of a crawler; a run has a copy of it. */
const Pattern = safeText(300);
const HttpUrl = z.url({ protocol: /^https?$/ }).max(crawlLimits.urlLength);

export const ExtractionColumn = z.object({
  name: safeName(60),
  type: z.enum(columnTypes),
  from: z.enum(['css', 'json_ld', 'meta', 'regex', 'header']),
  expression: safeText(500),
  /** Attribute of the element; empty: its text. */
  attribute: safeText(60),
  many: z.boolean(),
  required: z.boolean(),
});
export const Extraction = z.object({
  name: safeName(60),
  /** Addresses it applies to, in the syntax of `include`. */
  pattern: Pattern,
  /** Selector of the elements that are a row each; empty: one row per page. */
  rows: safeText(300),
  columns: z.array(ExtractionColumn).min(1).max(40),
  /** Content table of the site that rows are written to; null: they stay with the run. */
  tableId: z.string().nullable(),
});

export const CrawlerConfig = z.strictObject({
  seeds: z.array(HttpUrl).min(1).max(1000),
  scope: z.strictObject({
    mode: z.enum(scopeModes),
    /** Patterns of addresses: `*` matches any text; `/…/` is a regular expression of RE2. */
    include: z.array(Pattern).max(50),
    exclude: z.array(Pattern).max(50),
    maxDepth: z.int().min(0).max(100).nullable(),
    maxPathDepth: z.int().min(1).max(50).nullable(),
    /** Query parameters to drop besides those of campaigns. */
    dropParameters: z.array(safeText(60)).max(50),
  }),
  limits: z.strictObject({
    pages: z.int().min(1).max(crawlLimits.pages),
    megabytes: z.int().min(1).max(1_000_000),
    minutes: z
      .int()
      .min(1)
      .max(7 * 24 * 60),
    /** Share of the pages that one family of addresses may have. */
    familyPercent: z.int().min(1).max(100),
  }),
  fetch: z.strictObject({
    userAgent: safeText(200),
    /** Further headers, sent to the hosts of the seeds only. Values of secrets are stored sealed (`secrets` of the crawler). */
    headers: z.record(z.string().regex(/^[A-Za-z0-9-]{1,60}$/), safeText(500)),
    sitemaps: z.boolean(),
    external: z.boolean(),
    resources: z.boolean(),
  }),
  politeness: z.strictObject({
    connections: z.int().min(1).max(crawlLimits.own.connections),
    requestsPerSecond: z.number().min(0.1).max(crawlLimits.own.requestsPerSecond),
    /** Obeyed unless the hosts are verified as the reader's own. */
    obeyRobots: z.boolean(),
  }),
  /** At most so many pages of a run are rendered. Absent in older configurations: `usualRender`. */
  render: z.strictObject({ mode: z.enum(renderModes), pages: z.int().min(1).max(crawlLimits.pages) }).optional(),
  audit: z.strictObject({
    /** By id of a rule. */
    rules: z.record(
      z.string(),
      z.strictObject({ enabled: z.boolean(), severity: z.enum(severities).optional(), parameters: z.record(z.string(), z.number()).optional() }),
    ),
  }),
  extractions: z.array(Extraction).max(20),
  store: z.strictObject({ bodies: z.boolean() }),
});
export type CrawlerConfig = z.infer<typeof CrawlerConfig>;

export const defaultConfig = (seeds: string[]): CrawlerConfig => ({
  seeds,
  scope: { mode: 'host', include: [], exclude: [], maxDepth: null, maxPathDepth: null, dropParameters: [] },
  limits: { pages: 5000, megabytes: 2000, minutes: 120, familyPercent: 25 },
  fetch: { userAgent: '', headers: {}, sitemaps: true, external: true, resources: true },
  politeness: { connections: 4, requestsPerSecond: 10, obeyRobots: true },
  render: { ...usualRender },
  audit: { rules: {} },
  extractions: [],
  store: { bodies: true },
});
