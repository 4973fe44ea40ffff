import { z } from 'zod';
import { keywordEngines } from '../imports/keywordTerms';
import { severities } from '../crawler/terms';
import { causeSources } from './terms';

const Count = z.int().min(0);
const When = z.iso.datetime();
const Pair = z.object({ now: Count, before: Count });
const Position = z.number().nullable();

/** A search term, or all of a page (`query` null), of one engine. Positions are means weighted by impressions; null: the engine reports none. */
const CauseKeyword = z.object({
  engine: z.enum(keywordEngines),
  query: z.string().nullable(),
  position: z.object({ now: Position, before: Position }),
  clicks: Pair,
});
/** What a crawl found at the page. `recheck`: the last request outside of a run, with the status after redirects (0: no response). */
const CauseIssue = z.object({
  rule: z.string(),
  severity: z.enum(severities),
  state: z.enum(['open', 'regressed', 'fixed']),
  url: z.string(),
  urlId: z.number(),
  runId: z.string(),
  foundAt: When,
  fixedAt: When.nullable(),
  recheck: z.object({ status: z.int(), at: When }).nullable(),
});
/** The live redirect that leads away from the page. `end`: where the redirects of the site end (`TrailEnd`). `since`: when its release went live. */
const CauseRedirect = z.object({
  from: z.string(),
  to: z.string(),
  status: z.int(),
  locations: z.array(z.string()),
  end: z.enum(['page', 'gone', 'elsewhere', 'loop', 'endless']),
  release: z.int().nullable(),
  since: When.nullable(),
});

export const Cause = z.object({
  /** Path on which visits began. */
  path: z.string(),
  visitors: Pair,
  keywords: z.array(CauseKeyword),
  issues: z.array(CauseIssue),
  redirect: CauseRedirect.nullable(),
});
export type Cause = z.infer<typeof Cause>;

export const DashboardCauses = z.object({
  /** Epoch ms: today until then, compared with the same time of that day. */
  at: z.number(),
  compareDay: z.iso.date(),
  visitors: Pair,
  /** Visitors that all pages with a loss have lost. */
  lost: Count,
  causes: z.array(Cause),
  /** Pages with a loss of which nothing is known, or that are not among the first. */
  others: z.object({ pages: Count, lost: Count }),
  /** Days that positions are of, and those before; null: no keywords are imported. */
  keywordDays: z.object({ from: z.iso.date(), to: z.iso.date(), compareFrom: z.iso.date(), compareTo: z.iso.date() }).nullable(),
  /** What could not be looked into. `forbidden`: the caller may not. */
  unread: z.array(z.object({ source: z.enum(causeSources), reason: z.enum(['forbidden', 'failed']) })),
});
export type DashboardCauses = z.infer<typeof DashboardCauses>;
