import { z } from 'zod';
import { endpoint } from '../endpoint';
import { LocaleTag, safeName, safeText } from '../text';
import { baseCalls } from './baseCalls';
import { SiteId, slugPattern } from './schemas';
import { baseLimits, siteStates, visibilities } from './terms';

const Maintenance = z.strictObject({
  message: z.record(LocaleTag, safeText(baseLimits.message)),
  /** In seconds. */
  retryAfter: z.int().min(baseLimits.retryAfter.least).max(baseLimits.retryAfter.most),
  /** IP addresses and ranges (CIDR) of visitors who get the site nevertheless. */
  addresses: z.array(z.string().trim().toLowerCase().min(1).max(baseLimits.addresses.characters)).max(baseLimits.addresses.most).default([]),
});

/** Settings that act at once: columns of the site, not parts of its releases. */
export const SiteBaseInput = z.strictObject({
  name: safeName(60),
  slug: z.string().trim().toLowerCase().pipe(z.string().regex(slugPattern)),
  defaultLang: LocaleTag,
  timeZone: z.string().max(64),
  visibility: z.enum(visibilities),
  /** A new password; absent: it stays. Visitors who entered the former one have to enter the new one. */
  password: z.string().min(baseLimits.password.least).max(baseLimits.password.most).optional(),
  maintenance: Maintenance,
});
export type SiteBaseInput = z.input<typeof SiteBaseInput>;

export const SiteBase = z.object({
  name: z.string(),
  slug: z.string(),
  /** Address of the site here; null if its pages are hosted elsewhere. */
  systemHost: z.string().nullable(),
  defaultLang: z.string(),
  timeZone: z.string(),
  state: z.enum(siteStates),
  visibility: z.enum(visibilities),
  hasPassword: z.boolean(),
  maintenance: z.object({ message: z.record(z.string(), z.string()), retryAfter: z.int(), addresses: z.array(z.string()) }),
  /** The link that leads past the maintenance message, for one day in each browser; null if the pages are hosted elsewhere. */
  bypassLink: z.string().nullable(),
  /** Earlier slugs whose addresses still lead to the site. */
  formerSlugs: z.array(z.object({ slug: z.string(), until: z.iso.datetime() })),
  revision: z.int(),
});
export type SiteBase = z.infer<typeof SiteBase>;

const Params = z.object({ siteId: SiteId });

export const baseEndpoints = {
  siteBase: endpoint(baseCalls.siteBase, {
    access: { site: 'site.compose' },
    token: 'site:read',
    summary: 'Settings of a site that act without a release',
    params: Params,
    response: SiteBase,
  }),
  changeSiteBase: endpoint(baseCalls.changeSiteBase, {
    ifMatch: 'required',
    access: { site: 'site.compose' },
    token: 'site:write',
    summary: 'Replace the settings of a site that act without a release (If-Match: revision)',
    params: Params,
    body: SiteBaseInput,
    response: SiteBase,
    errors: ['stale_revision', 'slug_taken', 'invalid_fields'],
  }),
  renewBypass: endpoint(baseCalls.renewBypass, {
    access: { site: 'site.compose' },
    token: 'site:write',
    summary: 'Make a new link past the maintenance message; the former one stops working',
    params: Params,
    response: SiteBase,
  }),
  visitSite: endpoint(baseCalls.visitSite, {
    kind: 'file',
    access: { site: 'site.read' },
    summary: 'Open a delivered site as the signed-in person: redirects to the site, which lets them in although it is private',
    params: Params,
    errors: ['not_found'],
  }),
} as const;
