import { z } from 'zod';
import { endpoint } from '../endpoint';
import { Page, pageQuery } from '../page';
import { LocaleTag, rowId } from '../text';
import { seoCalls } from './calls';
import { Path, Released, SiteParams, edit, figures, operate, read } from './common';
import { PageOverride, SeoPart } from './part';
import { redirectEndpoints } from './redirectSchemas';
import { robotsEndpoints } from './robotsSchemas';
import {
  indexingValues,
  keywordSources,
  pageKinds,
  pushEngines,
  pushStates,
  seoLimits,
  verificationMethods,
  verificationServices,
  widthTargets,
} from './terms';

const DateTime = z.iso.datetime();

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

const R = SiteParams.extend({ id: rowId });
const KeywordFile = z.strictObject({ content: z.base64().max(28_000_000) });
const e = seoCalls;

const pageEndpoints = {
  seoOverview: endpoint(e.seoOverview, { ...figures, summary: 'How search engines see a site', params: SiteParams, response: SeoOverview }),
  seoPages: endpoint(e.seoPages, {
    ...figures,
    summary: 'Titles, descriptions and indexing of pages, the most visited first',
    params: SiteParams,
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
    params: SiteParams,
    response: Released.extend({ part: SeoPart }),
  }),
  changeSeoPart: endpoint(e.changeSeoPart, {
    ...edit,
    ifMatch: 'required',
    summary: 'Change settings for search engines in the working copy (If-Match: revision)',
    params: SiteParams,
    body: z.strictObject({ part: SeoPart }),
    bodyLimit: 8 * 1024 ** 2,
    response: Released,
    errors: ['stale_revision', 'invalid_fields'],
  }),
  changeSeoPages: endpoint(e.changeSeoPages, {
    ...edit,
    ifMatch: 'required',
    summary: 'Change titles and descriptions of some pages (If-Match: revision)',
    params: SiteParams,
    body: z.strictObject({ overrides: z.array(PageOverride).min(1).max(500) }),
    bodyLimit: 2 * 1024 ** 2,
    response: Released,
    errors: ['stale_revision', 'invalid_fields'],
  }),
  previewTitles: endpoint(e.previewTitles, {
    ...read,
    summary: 'Titles and descriptions of some pages with other settings',
    params: SiteParams,
    body: z.strictObject({ part: SeoPart, paths: z.array(Path).max(20).default([]), tag: LocaleTag }),
    bodyLimit: 8 * 1024 ** 2,
    response: z.object({ rows: z.array(SeoPage) }),
    errors: ['invalid_fields'],
  }),
} as const;

const serviceEndpoints = {
  pushSettings: endpoint(e.pushSettings, {
    ...read,
    summary: 'Which search engines are told about changes',
    params: SiteParams,
    response: PushSettings.omit({ baiduToken: true }).extend({ hasToken: z.boolean(), keyUrl: z.string().nullable() }),
  }),
  changePushSettings: endpoint(e.changePushSettings, {
    access: { site: 'site.compose' },
    summary: 'Choose which search engines are told about changes',
    params: SiteParams,
    body: PushSettings,
    errors: ['invalid_fields', 'not_delivered'],
  }),
  pushLedger: endpoint(e.pushLedger, {
    ...read,
    summary: 'Addresses that search engines were told, the newest first',
    params: SiteParams,
    query: z.object({ ...pageQuery, engine: z.enum(pushEngines).optional(), state: z.enum(pushStates).optional(), q: z.string().max(200).optional() }),
    response: Page(PushEntry),
  }),
  pushNow: endpoint(e.pushNow, {
    ...operate,
    summary: 'Tell search engines about pages now',
    params: SiteParams,
    body: z.strictObject({ engine: z.enum(pushEngines), paths: z.array(Path).min(1).max(seoLimits.pushBatch) }),
    bodyLimit: 8 * 1024 ** 2,
    response: z.object({ jobId: rowId }),
    errors: ['invalid_fields', 'conflict'],
    ratePerMinute: 10,
  }),
  verifications: endpoint(e.verifications, {
    ...read,
    summary: 'Proofs of ownership that services look for',
    params: SiteParams,
    response: z.object({ rows: z.array(Verification) }),
  }),
  addVerification: endpoint(e.addVerification, {
    ...operate,
    summary: 'Add a proof of ownership; a pasted meta element is understood',
    params: SiteParams,
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
    params: SiteParams,
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
    params: SiteParams,
    body: KeywordFile.extend({ source: z.enum(keywordSources), name: z.string().max(200) }),
    bodyLimit: 28_000_000,
    response: z.object({ jobId: rowId }),
    errors: ['invalid_fields', 'too_large'],
    ratePerMinute: 20,
  }),
} as const;

export const seoEndpoints = { ...pageEndpoints, ...robotsEndpoints, ...redirectEndpoints, ...serviceEndpoints } as const;
