import { z } from 'zod';
import { endpoint } from '../endpoint';
import { SiteId } from '../sites/schemas';
import { previewCalls } from './previewCalls';

/** First segment of the path of previews: `/_p/<token>/…`. */
export const previewRoot = '/_p';
/** After the token: the preview is in the pseudo-language, so that texts that cannot be translated, and places too small for longer ones, stand out. */
export const pseudoSuffix = '.pseudo';

const P = z.object({ siteId: SiteId });

/** A template that failed on a page of visitors. */
export const ThemeFailure = z.object({
  /** `template`: it is wrong; `limit`: it needs more time, memory or output than is allowed. */
  reason: z.enum(['template', 'limit']),
  message: z.string(),
  /** Path within the theme; lines and columns count from 1. */
  file: z.string().nullable(),
  line: z.int().nullable(),
  column: z.int().nullable(),
  /** The latest page on which it failed. */
  page: z.string(),
  count: z.int(),
  firstAt: z.iso.datetime(),
  lastAt: z.iso.datetime(),
});
export type ThemeFailure = z.infer<typeof ThemeFailure>;

/** What a logged request is for. `search`: robots.txt and sitemaps. */
export type RequestKind = 'page' | 'feed' | 'search';

/** Requests of one day. Every page counts here, also where scripts are blocked. */
const DeliveredDay = z.object({
  /** In the time zone of the site. */
  day: z.iso.date(),
  /** Pages that people requested. */
  pages: z.int(),
  /** Page views of people that the tag reported on the same day. */
  measured: z.int(),
  /** Requests of crawlers and other programs. */
  programs: z.int(),
  notFound: z.int(),
  errors: z.int(),
  bytes: z.int(),
  /** Median time of a page in milliseconds; null without pages. */
  medianMs: z.int().nullable(),
});
export type DeliveredDay = z.infer<typeof DeliveredDay>;

export const previewEndpoints = {
  previewSite: endpoint(previewCalls.previewSite, {
    access: { site: 'site.compose' },
    token: 'publishing:write',
    summary: 'An address of the working copy, with drafts of records, for everybody who has it until it expires',
    params: P,
    body: z.strictObject({ /** Seconds for which it works. */ expiresIn: z.int().min(60).max(604_800).default(3600) }).prefault({}),
    response: z.object({
      /** Without a slash at the end: paths of the site follow, such as `/blog`. */
      address: z.url(),
      /** The same pages with accented, longer texts in brackets, so that those that cannot be translated stand out. */
      pseudoAddress: z.url(),
      expiresAt: z.iso.datetime(),
    }),
    errors: ['not_found'],
  }),
  endPreviews: endpoint(previewCalls.endPreviews, {
    access: { site: 'site.compose' },
    token: 'publishing:write',
    summary: 'End all addresses of the working copy that were created until now',
    params: P,
    errors: ['not_found'],
  }),
  deliveredDays: endpoint(previewCalls.deliveredDays, {
    access: { site: 'analytics.read' },
    token: 'analytics:read',
    summary: 'Requests to the delivered pages of a site by day, the latest first, beside the page views that the tag reported',
    params: P,
    query: z.object({ days: z.coerce.number().int().min(1).max(180).default(30) }),
    response: z.array(DeliveredDay),
  }),
  themeFailures: endpoint(previewCalls.themeFailures, {
    access: { site: 'site.read' },
    token: 'publishing:read',
    summary: 'Templates that failed on pages of visitors, the latest first',
    params: P,
    response: z.array(ThemeFailure),
  }),
};
