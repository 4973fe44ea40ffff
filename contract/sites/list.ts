import { z } from 'zod';
import { endpoint } from '../endpoint';
import { uptimeStates } from '../uptime/schemas';
import { listCalls } from './listCalls';
import { Site, SiteId, SiteTag } from './schemas';
import { changesMost, tagLimits } from './terms';

/** The parts of the program that figures come from. Each can fail without the others. */
export const figureSources = ['visits', 'uptime', 'certificates', 'crawl', 'support'] as const;
export type FigureSource = (typeof figureSources)[number];

export const VisitFigures = z.object({
  visitorsToday: z.int(),
  /** Visitors yesterday up to this time of day; null when the site was created later. */
  visitorsYesterdaySoFar: z.int().nullable(),
  viewsToday: z.int(),
  /** Visitors by hour of today in the site's zone, up to now. */
  series: z.array(z.int()),
  online: z.int(),
  lastHitAt: z.iso.datetime().nullable(),
});
export type VisitFigures = z.infer<typeof VisitFigures>;

/** Figures of one site of the start-up load. A part is null if the caller may not see it, the site has none, or its source failed. */
export const SiteFigures = z.object({
  siteId: SiteId,
  visits: VisitFigures.nullable(),
  /** null: not monitored, or not checked in its present state. */
  uptime: z.enum(uptimeStates).nullable(),
  /** The certificate of the site that ends first. `failed`: it could not be issued or renewed. */
  certificate: z.object({ until: z.iso.datetime().nullable(), failed: z.boolean() }).nullable(),
  /** Open issues of the site's crawlers. */
  issues: z.object({ errors: z.int(), warnings: z.int() }).nullable(),
  /** Conversations of visitors with messages that nobody has read. */
  unread: z.int().nullable(),
});
export type SiteFigures = z.infer<typeof SiteFigures>;

/** `failed`: sources that could not be read; their parts are null. */
export const FiguresOfSites = z.object({ sites: z.array(SiteFigures), failed: z.array(z.enum(figureSources)) });
export type FiguresOfSites = z.infer<typeof FiguresOfSites>;

/** The syllables of a name with Chinese characters: `['yun', 'qi', 'shu', 'dian']`. */
export const SitePinyin = z.object({ siteId: SiteId, syllables: z.array(z.string()) });
export type SitePinyin = z.infer<typeof SitePinyin>;

const tags = z.array(SiteTag).max(tagLimits.perSite);
export const SitesChange = z.discriminatedUnion('kind', [
  /** Adds tags, or changes the colour of those that a site has, and removes others by name. */
  z.strictObject({
    kind: z.literal('tags'),
    add: tags.default([]),
    remove: z.array(z.string().max(100)).max(tagLimits.perSite).default([]),
  }),
  z.strictObject({ kind: z.literal('move'), to: z.enum(['open', 'archived']) }),
  /** For oneself. */
  z.strictObject({ kind: z.literal('pin'), pinned: z.boolean() }),
]);
export type SitesChange = z.input<typeof SitesChange>;

export const SitesChanged = z.object({
  /** The sites that have the wanted state now, as the caller sees them. */
  sites: z.array(Site),
  /** The others, each with the code and the text (in the reader's language) of its error. */
  failed: z.array(z.object({ siteId: SiteId, code: z.string(), error: z.string() })),
});
export type SitesChanged = z.infer<typeof SitesChanged>;

export const listEndpoints = {
  figures: endpoint(listCalls.figures, {
    access: 'session',
    token: 'analytics:read',
    summary: 'Today’s figures for every site of the start-up load: visits, availability, certificates, open issues, unread conversations',
    response: FiguresOfSites,
    exact: true,
  }),
  sitePinyin: endpoint(listCalls.sitePinyin, {
    access: 'session',
    token: 'site:read',
    summary: 'Pinyin of the names of sites that have Chinese characters, for searching',
    response: z.array(SitePinyin),
    exact: true,
  }),
  changeSites: endpoint(listCalls.changeSites, {
    access: 'session',
    summary: 'Tag, archive, restore or pin several sites. Each changes by itself: one that cannot change does not keep the others from changing',
    body: z.strictObject({ siteIds: z.array(SiteId).min(1).max(changesMost), change: SitesChange }),
    response: SitesChanged,
  }),
  bin: endpoint(listCalls.bin, {
    access: 'session',
    token: 'site:read',
    summary: 'Deleted sites that can still be restored (30 days)',
    response: z.array(Site),
  }),
  slug: endpoint(listCalls.slug, {
    access: { instance: 'site.create' },
    summary: 'Whether a slug is free, and a suggestion from a name',
    query: z.object({ slug: z.string().max(100).optional(), name: z.string().max(100).optional() }),
    response: z.object({
      slug: z.string(),
      free: z.boolean(),
      suggestions: z.array(z.string()),
      /** The address that a site built here would have with this slug. */ systemHost: z.string(),
    }),
  }),
} as const;
