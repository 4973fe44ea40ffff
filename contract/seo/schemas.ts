import { z } from 'zod';
import { endpoint } from '../endpoint';
import { Page, pageQuery } from '../page';
import { LocaleTag } from '../text';
import { seoCalls } from './calls';
import { Path, SiteParams, edit, read } from './common';
import { PageOverride, TemplateText } from './part';
import { indexingValues, pageKinds, pageProblems, seoLimits } from './terms';

const Tag = z.object({ tag: LocaleTag.optional() });

/** What is wrong, and how many pages it concerns. */
const ProblemCount = z.object({ problem: z.enum(pageProblems), pages: z.int() });
export const SeoOverview = z.object({
  pages: z.int(),
  /** Pages that may be indexed. */
  indexable: z.int(),
  /** Whether there are more pages than are checked. */
  more: z.boolean(),
  /**
   * Why no page may be indexed: by the settings of the site, because it is not open to everybody, by its robots.txt, or because rules of the working copy or machine translations
   * keep search engines from every page.
   */
  closed: z.enum(['settings', 'site', 'robots', 'rules']).nullable(),
  problems: z.array(ProblemCount),
  /** Overrides of paths that have no page, in the language. */
  unused: z.array(z.string()).max(100),
  /** What the last crawl found; null: none has ended, or the reader may not see crawls. */
  crawl: z
    .object({
      finishedAt: z.iso.datetime().nullable(),
      score: z.number().nullable(),
      pages: z.int(),
      indexable: z.int(),
      issues: z.object({ error: z.int(), warning: z.int(), notice: z.int() }),
    })
    .nullable(),
});
export type SeoOverview = z.infer<typeof SeoOverview>;

/** A page with the settings of the working copy and the published content. */
export const SeoPage = z.object({
  path: z.string(),
  kind: z.enum(pageKinds),
  title: z.string(),
  description: z.string().nullable(),
  /** What it has without an override. */
  inherited: z.object({ title: z.string(), description: z.string().nullable() }),
  indexing: z.enum(indexingValues),
  /** What decides about indexing: the pattern of a rule, `override`, or `machine` for a machine translation that nobody has reviewed; null: nothing does. */
  reason: z.string().nullable(),
  override: PageOverride.nullable(),
  problems: z.array(z.enum(pageProblems)),
});
export type SeoPage = z.infer<typeof SeoPage>;

const SitemapFile = z.object({
  path: z.string(),
  kind: z.enum(['index', 'pages', 'records', 'flat']),
  /** Of records: their collection in the theme. */
  collection: z.string().nullable(),
  /** Pages in it, each in all its languages. */
  pages: z.int(),
});

export const Sitemaps = z.object({
  /** Why there are none. */
  none: z.enum(['not_released', 'settings', 'site']).nullable(),
  rows: z.array(SitemapFile),
});
export type Sitemaps = z.infer<typeof Sitemaps>;

export const seoEndpoints = {
  seoOverview: endpoint(seoCalls.seoOverview, {
    ...read,
    summary: 'What is wrong with the pages of a site for search engines',
    params: SiteParams,
    query: Tag,
    response: SeoOverview,
  }),
  seoPages: endpoint(seoCalls.seoPages, {
    ...read,
    summary: 'Titles, descriptions and indexing of pages in a language',
    params: SiteParams,
    query: Tag.extend({ ...pageQuery, q: z.string().max(200).optional(), problem: z.enum(pageProblems).optional() }),
    response: Page(SeoPage).extend({ revision: z.int() }),
  }),
  changeSeoPages: endpoint(seoCalls.changeSeoPages, {
    ...edit,
    ifMatch: 'required',
    summary: 'Change titles and descriptions of some pages; visitors see it after the next release (If-Match: revision of the part)',
    params: SiteParams,
    body: z.strictObject({ overrides: z.array(PageOverride).min(1).max(seoLimits.changed) }),
    bodyLimit: 2 * 1024 ** 2,
    response: z.object({ revision: z.int() }),
    errors: ['stale_revision', 'invalid_fields', 'too_large'],
  }),
  fillSeoPages: endpoint(seoCalls.fillSeoPages, {
    ...edit,
    summary: 'What templates make of the texts of some pages; changes nothing',
    params: SiteParams,
    body: z.strictObject({
      tag: LocaleTag,
      paths: z.array(Path).min(1).max(seoLimits.changed),
      title: TemplateText.default(''),
      description: TemplateText.default(''),
    }),
    bodyLimit: 2 * 1024 ** 2,
    /** Pages that exist, in the order of the paths; an empty text: the template is empty, or says nothing about the page. */
    response: z.object({ rows: z.array(z.object({ path: z.string(), title: z.string(), description: z.string() })) }),
    errors: ['invalid_fields'],
    ratePerMinute: 60,
  }),
  livePages: endpoint(seoCalls.livePages, {
    ...read,
    summary: 'Pages of the live release in the first language of the site, single pages first',
    params: SiteParams,
    response: z.object({
      /** `address`: the path with the prefix of the language. */
      rows: z.array(z.object({ path: z.string(), address: z.string(), title: z.string() })).max(seoLimits.livePages),
      /** Whether there are more. */
      more: z.boolean(),
    }),
  }),
  sitemaps: endpoint(seoCalls.sitemaps, {
    ...read,
    summary: 'Sitemaps of the live release',
    params: SiteParams,
    response: Sitemaps,
  }),
} as const;
