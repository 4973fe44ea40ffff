import { z } from 'zod';
import { endpoint } from '../endpoint';
import { Page, pageQuery } from '../page';
import { publishingLimits } from '../publishing/terms';
import { SiteId } from '../sites/schemas';
import { LocaleTag, rowId, safeText } from '../text';
import { seoCalls } from './calls';
import { PageOverride, SeoPart } from './part';
import {
  aiAgents,
  indexingValues,
  keywordSources,
  pageKinds,
  pushEngines,
  pushStates,
  redirectOrigins,
  robotsProblems,
  seoLimits,
  verificationMethods,
  verificationServices,
  widthTargets,
} from './terms';

const DateTime = z.iso.datetime();
const Path = z.string().max(publishingLimits.path).startsWith('/');

export const SeoOverview = z.object({
  /** Pages that may be indexed, and all. */
  indexable: z.int(),
  pages: z.int(),
  /** Problems by code, the ones that cost the most visits first. */
  problems: z.array(z.object({ code: z.string(), pages: z.int(), visits: z.int().nullable() })),
  /** Requests of 24 hours by crawler. */
  crawlers: z.array(z.object({ name: z.string(), requests: z.int() })),
  robotsVersion: z.int(),
  /** Addresses in sitemaps. */
  sitemapAddresses: z.int(),
  push: z.array(z.object({ engine: z.enum(pushEngines), sentToday: z.int(), remaining: z.int().nullable() })),
  notFoundToday: z.int(),
});

const TextWidth = z.object({ target: z.enum(widthTargets), pixels: z.number(), limit: z.number(), cut: z.boolean() });
export const SeoPage = z.object({
  path: z.string(),
  tag: LocaleTag,
  kind: z.enum(pageKinds),
  /** As pages have them now, from template or override. */
  title: z.string(),
  titleWidth: z.array(TextWidth),
  description: z.string(),
  descriptionWidth: z.array(TextWidth),
  indexing: z.enum(indexingValues),
  /** What decides about indexing: a rule's pattern, `override`, `robots`, `site`, `translation`; null: nothing forbids it. */
  indexingReason: z.string().nullable(),
  canonical: z.string(),
  overridden: z.boolean(),
  visits: z.int().nullable(),
  problems: z.array(z.string()),
});
export type SeoPage = z.infer<typeof SeoPage>;

const Robots = z.object({
  version: z.int(),
  /** Without the lines of the program. */
  text: z.string(),
  /** As crawlers get it. */
  delivered: z.string(),
  problems: z.array(z.object({ code: z.enum(robotsProblems), line: z.int().nullable() })),
  changedAt: DateTime.nullable(),
  changedBy: z.string().nullable(),
});
export const RobotsWhatIf = z.object({
  known: z.int(),
  /** Addresses that would no longer be allowed, and those that would be again. */
  blocked: z.int(),
  blockedWithVisits: z.int(),
  opened: z.int(),
  examples: z.array(z.object({ address: z.string(), visits: z.int(), line: z.int().nullable(), change: z.enum(['blocked', 'opened']) })).max(200),
  problems: z.array(z.object({ code: z.enum(robotsProblems), line: z.int().nullable() })),
});

export const RedirectRow = z.strictObject({
  from: Path,
  to: z.string().max(2000),
  status: z.literal([301, 302, 307, 308, 410]).default(301),
  origin: z.enum(redirectOrigins).default('person'),
  note: safeText(200).default(''),
  /** After this day it no longer applies. */
  expiresOn: z.iso.date().nullable().default(null),
});
export type RedirectRow = z.output<typeof RedirectRow>;
const RedirectProblem = z.object({
  index: z.int(),
  code: z.enum(['duplicate', 'loop', 'endless', 'chain']),
  locations: z.array(z.string()),
  target: z.string().nullable(),
});
const RedirectList = z.array(RedirectRow).max(publishingLimits.redirects);
const Trail = z.object({
  hops: z.array(z.object({ from: z.string().nullable(), location: z.string() })),
  end: z.enum(['page', 'gone', 'elsewhere', 'loop', 'endless']),
  exists: z.boolean().nullable(),
});

export const NotFoundPath = z.object({
  path: z.string(),
  people: z.int(),
  bots: z.int(),
  firstAt: DateTime,
  lastAt: DateTime,
  /** The page with a link to it that most people came from; empty: none known. */
  referrer: z.string(),
  ignored: z.boolean(),
  /** The most similar page. */
  suggestion: z.string().nullable(),
});

export const Verification = z.object({
  id: rowId,
  service: z.enum(verificationServices),
  method: z.enum(verificationMethods),
  /** Name of the file, or of the meta element. */
  name: z.string(),
  content: z.string(),
  /** Whether it was found when the program requested it last. */
  delivered: z.boolean().nullable(),
  checkedAt: DateTime.nullable(),
});
export const PushSettings = z.strictObject({
  indexnow: z.boolean(),
  /** Site as Baidu knows it; empty: off. */
  baiduSite: z.string().trim().max(253).default(''),
  /** null: the stored one stays. */
  baiduToken: z.string().trim().max(100).nullable().default(null),
  automatic: z.boolean().default(true),
});
const PushEntry = z.object({
  address: z.string(),
  engine: z.enum(pushEngines),
  state: z.enum(pushStates),
  status: z.int().nullable(),
  reason: z.string(),
  at: DateTime,
  attempts: z.int(),
});
const Keyword = z.object({
  query: z.string(),
  page: z.string().nullable(),
  clicks: z.int(),
  impressions: z.int(),
  position: z.number().nullable(),
  change: z.number().nullable(),
  visits: z.int().nullable(),
});

const P = z.object({ siteId: SiteId });
const R = P.extend({ id: rowId });
const read = { access: { site: 'site.read' }, token: 'publishing:read' } as const;
const figures = { access: { site: 'analytics.read' }, token: 'analytics:read' } as const;
const edit = { access: { site: 'site.publish' }, token: 'publishing:write' } as const;
/** What acts at once. */
const operate = { access: { site: 'site.compose' }, token: 'publishing:write' } as const;
const Released = z.object({ revision: z.int(), unreleased: z.boolean() });
const File = z.strictObject({ content: z.base64().max(28_000_000) });
const Accepted = z.array(z.enum(robotsProblems)).default([]);
const e = seoCalls;

const pageEndpoints = {
  seoOverview: endpoint(e.seoOverview, { ...figures, summary: 'How search engines see a site', params: P, response: SeoOverview }),
  seoPages: endpoint(e.seoPages, {
    ...figures,
    summary: 'Titles, descriptions and indexing of pages, the most visited first',
    params: P,
    query: z.object({
      ...pageQuery,
      tag: LocaleTag.optional(),
      q: z.string().max(200).optional(),
      problem: z.string().max(40).optional(),
      indexing: z.enum(indexingValues).optional(),
    }),
    response: Page(SeoPage),
  }),
  seoPart: endpoint(e.seoPart, {
    ...read,
    summary: 'Settings for search engines in the working copy',
    params: P,
    response: Released.extend({ part: SeoPart }),
  }),
  changeSeoPart: endpoint(e.changeSeoPart, {
    ...edit,
    ifMatch: 'required',
    summary: 'Change settings for search engines in the working copy (If-Match: revision)',
    params: P,
    body: z.strictObject({ part: SeoPart }),
    bodyLimit: 8 * 1024 ** 2,
    response: Released,
    errors: ['stale_revision', 'invalid_fields'],
  }),
  changeSeoPages: endpoint(e.changeSeoPages, {
    ...edit,
    ifMatch: 'required',
    summary: 'Change titles and descriptions of some pages (If-Match: revision)',
    params: P,
    body: z.strictObject({ overrides: z.array(PageOverride).min(1).max(500) }),
    bodyLimit: 2 * 1024 ** 2,
    response: Released,
    errors: ['stale_revision', 'invalid_fields'],
  }),
  previewTitles: endpoint(e.previewTitles, {
    ...read,
    summary: 'Titles and descriptions of some pages with other settings',
    params: P,
    body: z.strictObject({ part: SeoPart, paths: z.array(Path).max(20).default([]), tag: LocaleTag }),
    bodyLimit: 8 * 1024 ** 2,
    response: z.object({ rows: z.array(SeoPage) }),
    errors: ['invalid_fields'],
  }),
} as const;

const robotsEndpoints = {
  robots: endpoint(e.robots, { ...read, summary: 'robots.txt of a site', params: P, response: Robots }),
  changeRobots: endpoint(e.changeRobots, {
    ...operate,
    ifMatch: 'required',
    summary: 'Change robots.txt; it acts at once (If-Match: version)',
    params: P,
    body: z.strictObject({ text: z.string().max(seoLimits.robots), note: safeText(200).default(''), accepted: Accepted }),
    bodyLimit: 4 * seoLimits.robots,
    response: Robots,
    errors: ['stale_revision', 'invalid_fields', 'confirm_mismatch', 'not_delivered'],
  }),
  robotsVersions: endpoint(e.robotsVersions, {
    ...read,
    summary: 'Versions of robots.txt, the newest first',
    params: P,
    query: z.object(pageQuery),
    response: Page(z.object({ version: z.int(), text: z.string(), note: z.string(), at: DateTime, by: z.string().nullable() })),
  }),
  restoreRobots: endpoint(e.restoreRobots, {
    ...operate,
    summary: 'Save an earlier robots.txt again, as a new version',
    params: P.extend({ version: z.coerce.number().int().min(1) }),
    body: z.strictObject({ accepted: Accepted }),
    response: Robots,
    errors: ['not_found', 'confirm_mismatch'],
  }),
  robotsWhatIf: endpoint(e.robotsWhatIf, {
    ...figures,
    summary: 'Which known addresses another robots.txt would close or open',
    params: P,
    body: z.strictObject({ text: z.string().max(seoLimits.robots), agent: z.string().trim().min(1).max(100).default('*') }),
    bodyLimit: 4 * seoLimits.robots,
    response: RobotsWhatIf,
    errors: ['invalid_fields', 'analytics_unavailable'],
    ratePerMinute: 30,
  }),
  sitemaps: endpoint(e.sitemaps, {
    ...read,
    summary: 'Sitemaps of a site with their sizes and problems',
    params: P,
    response: z.object({
      rows: z.array(
        z.object({
          url: z.string(),
          kind: z.enum(['index', 'part', 'baidu']),
          addresses: z.int(),
          bytes: z.int(),
          changedAt: DateTime.nullable(),
          problems: z.array(z.string()),
        }),
      ),
    }),
  }),
  aiAgents: endpoint(e.aiAgents, {
    ...figures,
    summary: 'Programs of AI services: whether they are refused, and what they requested',
    params: P,
    response: z.object({ rows: z.array(z.object({ agent: z.enum(aiAgents), refused: z.boolean(), requests: z.int(), lastAt: DateTime.nullable() })) }),
  }),
} as const;

const redirectEndpoints = {
  redirects: endpoint(e.redirects, {
    ...read,
    summary: 'Redirects of the working copy, with hits',
    params: P,
    query: z.object({ ...pageQuery, q: z.string().max(200).optional(), origin: z.enum(redirectOrigins).optional() }),
    response: Released.extend({
      rows: z.array(RedirectRow.extend({ index: z.int(), hits: z.int(), lastHitOn: z.iso.date().nullable(), problem: RedirectProblem.nullable() })),
      total: z.int(),
    }),
  }),
  changeRedirects: endpoint(e.changeRedirects, {
    ...edit,
    ifMatch: 'required',
    summary: 'Replace the redirects of the working copy; loops are refused (If-Match: revision)',
    params: P,
    body: z.strictObject({ rows: RedirectList, flatten: z.boolean().default(true) }),
    bodyLimit: 16 * 1024 ** 2,
    response: Released.extend({ problems: z.array(RedirectProblem) }),
    errors: ['stale_revision', 'invalid_fields'],
  }),
  checkRedirects: endpoint(e.checkRedirects, {
    ...read,
    summary: 'Chains, loops and duplicates among redirects',
    params: P,
    body: z.strictObject({ rows: RedirectList }),
    bodyLimit: 16 * 1024 ** 2,
    response: z.object({ problems: z.array(RedirectProblem) }),
    errors: ['invalid_fields'],
    ratePerMinute: 60,
  }),
  readRedirects: endpoint(e.readRedirects, {
    ...edit,
    summary: 'Read redirects from CSV, .htaccess or nginx; nothing is saved',
    params: P,
    body: z.strictObject({ format: z.enum(['csv', 'htaccess', 'nginx']), text: z.string().max(4_000_000) }),
    bodyLimit: 8 * 1024 ** 2,
    response: z.object({
      rows: RedirectList,
      skipped: z.array(z.object({ line: z.int(), text: z.string(), reason: z.enum(['syntax', 'not_supported', 'not_this_site']) })),
    }),
    errors: ['too_large', 'invalid_fields'],
    ratePerMinute: 20,
  }),
  testRedirect: endpoint(e.testRedirect, {
    ...read,
    summary: 'Where an address leads, hop by hop',
    params: P,
    body: z.strictObject({ address: z.string().trim().min(1).max(2000), rows: RedirectList.optional() }),
    bodyLimit: 16 * 1024 ** 2,
    response: Trail,
    errors: ['invalid_fields'],
  }),
  notFoundPaths: endpoint(e.notFoundPaths, {
    ...figures,
    summary: 'Paths without a page, the most requested first',
    params: P,
    query: z.object({
      ...pageQuery,
      q: z.string().max(200).optional(),
      ignored: z.enum(['true', 'false']).default('false'),
      by: z.enum(['people', 'bots']).default('people'),
    }),
    response: Page(NotFoundPath),
  }),
  changeNotFound: endpoint(e.changeNotFound, {
    ...edit,
    summary: 'Ignore paths without a page, or list them again',
    params: P,
    body: z.strictObject({ paths: z.array(Path).min(1).max(500), ignored: z.boolean() }),
    response: z.object({ changed: z.int() }),
  }),
  suggestTargets: endpoint(e.suggestTargets, {
    ...read,
    summary: 'Pages that are similar to a path',
    params: P,
    query: z.object({ path: Path }),
    response: z.object({ rows: z.array(z.object({ path: z.string(), title: z.string(), score: z.number() })).max(10) }),
  }),
} as const;

const serviceEndpoints = {
  pushSettings: endpoint(e.pushSettings, {
    ...read,
    summary: 'Which search engines are told about changes',
    params: P,
    response: PushSettings.omit({ baiduToken: true }).extend({ hasToken: z.boolean(), keyUrl: z.string().nullable() }),
  }),
  changePushSettings: endpoint(e.changePushSettings, {
    access: { site: 'site.compose' },
    summary: 'Choose which search engines are told about changes',
    params: P,
    body: PushSettings,
    errors: ['invalid_fields', 'not_delivered'],
  }),
  pushLedger: endpoint(e.pushLedger, {
    ...read,
    summary: 'Addresses that search engines were told, the newest first',
    params: P,
    query: z.object({ ...pageQuery, engine: z.enum(pushEngines).optional(), state: z.enum(pushStates).optional(), q: z.string().max(200).optional() }),
    response: Page(PushEntry),
  }),
  pushNow: endpoint(e.pushNow, {
    ...operate,
    summary: 'Tell search engines about pages now',
    params: P,
    body: z.strictObject({ engine: z.enum(pushEngines), paths: z.array(Path).min(1).max(seoLimits.pushBatch) }),
    bodyLimit: 8 * 1024 ** 2,
    response: z.object({ jobId: rowId }),
    errors: ['invalid_fields', 'conflict'],
    ratePerMinute: 10,
  }),
  verifications: endpoint(e.verifications, {
    ...read,
    summary: 'Proofs of ownership that services look for',
    params: P,
    response: z.object({ rows: z.array(Verification) }),
  }),
  addVerification: endpoint(e.addVerification, {
    ...operate,
    summary: 'Add a proof of ownership; a pasted meta element is understood',
    params: P,
    body: z.strictObject({
      service: z.enum(verificationServices),
      method: z.enum(verificationMethods),
      name: z.string().trim().max(120).default(''),
      content: z.string().trim().min(1).max(2000),
    }),
    response: Verification,
    errors: ['invalid_fields', 'conflict'],
  }),
  removeVerification: endpoint(e.removeVerification, { ...operate, summary: 'Remove a proof of ownership', params: R, errors: ['not_found'] }),
  seoKeywords: endpoint(e.seoKeywords, {
    ...figures,
    summary: 'Queries with position, clicks and pages',
    params: P,
    query: z.object({
      ...pageQuery,
      source: z.enum(keywordSources).optional(),
      q: z.string().max(200).optional(),
      path: Path.optional(),
      from: z.iso.date().optional(),
      to: z.iso.date().optional(),
    }),
    response: Page(Keyword),
  }),
  importSeoKeywords: endpoint(e.importSeoKeywords, {
    access: { site: 'analytics.configure' },
    token: 'analytics:write',
    summary: 'Import a file of queries of a search engine',
    params: P,
    body: File.extend({ source: z.enum(keywordSources), name: z.string().max(200) }),
    bodyLimit: 28_000_000,
    response: z.object({ jobId: rowId }),
    errors: ['invalid_fields', 'too_large'],
    ratePerMinute: 20,
  }),
} as const;

export const seoEndpoints = { ...pageEndpoints, ...robotsEndpoints, ...redirectEndpoints, ...serviceEndpoints } as const;
