import { z } from 'zod';
import { endpoint } from '../endpoint';
import { Page, pageQuery } from '../page';
import { LocaleTag } from '../text';
import { seoCalls } from './calls';
import { Released, SiteParams, edit, read } from './common';
import { PageOverride } from './part';
import { indexingValues, pageKinds } from './terms';

const DateTime = z.iso.datetime();

export const SeoOverview = z.object({
  /** Pages that may be indexed, and all. */
  indexable: z.int(),
  pages: z.int(),
  /** Problems by code, the ones that concern the most pages first. */
  problems: z.array(z.object({ code: z.string(), pages: z.int() })),
});

export const SeoPage = z.object({
  path: z.string(),
  tag: LocaleTag,
  kind: z.enum(pageKinds),
  /** As pages have them now, from template or override. */
  title: z.string(),
  description: z.string(),
  indexing: z.enum(indexingValues),
  canonical: z.string(),
  overridden: z.boolean(),
  problems: z.array(z.string()),
});
export type SeoPage = z.infer<typeof SeoPage>;

export const seoEndpoints = {
  seoOverview: endpoint(seoCalls.seoOverview, {
    ...read,
    summary: 'What is wrong with the pages of a site for search engines',
    params: SiteParams,
    response: SeoOverview,
  }),
  seoPages: endpoint(seoCalls.seoPages, {
    ...read,
    summary: 'Titles, descriptions and indexing of pages',
    params: SiteParams,
    query: z.object({
      ...pageQuery,
      tag: LocaleTag.optional(),
      q: z.string().max(200).optional(),
      problem: z.string().max(40).optional(),
    }),
    response: Page(SeoPage),
  }),
  changeSeoPages: endpoint(seoCalls.changeSeoPages, {
    ...edit,
    ifMatch: 'required',
    summary: 'Change titles and descriptions of some pages (If-Match: revision of the part)',
    params: SiteParams,
    body: z.strictObject({ overrides: z.array(PageOverride).min(1).max(500) }),
    bodyLimit: 2 * 1024 ** 2,
    response: Released,
    errors: ['stale_revision', 'invalid_fields'],
  }),
  sitemaps: endpoint(seoCalls.sitemaps, {
    ...read,
    summary: 'Sitemaps of a site with their sizes',
    params: SiteParams,
    response: z.object({
      rows: z.array(
        z.object({ url: z.string(), kind: z.enum(['index', 'part', 'baidu']), addresses: z.int(), bytes: z.int(), changedAt: DateTime.nullable() }),
      ),
    }),
  }),
} as const;
