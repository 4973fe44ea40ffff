import { z } from 'zod';
import { siteCalls } from './calls';
import { endpoint } from '../endpoint';
import type { FieldCode } from '../errors';
import { siteRoles } from '../permissions';
import { LocaleTag, safeName, safeText } from '../text';
import { parseUrl } from '../parseUrl';
import { starters } from './starters';
import { baseLimits, siteMoves, siteStates, tagColors, tagLimits, visibilities } from './terms';

/** Public id of a site: 12 characters of a–z and 2–7, sufficiently hard to guess. It is part of URLs and of the tag. */
export const SiteId = z.string().regex(/^[a-z2-7]{12}$/);
export const sitePurposes = ['built', 'external'] as const;
export const identityModes = ['first_party', 'cookieless'] as const;

/** A tag of a site, for the list of sites: everybody with access to the site sees it. */
export const SiteTag = z.strictObject({ name: safeName(tagLimits.name), color: z.enum(tagColors) });
export type SiteTag = z.infer<typeof SiteTag>;
/** Names of tags differ in more than case. */
export const tagKey = (name: string): string => name.normalize('NFC').toLowerCase();
const isUnique = (tags: readonly SiteTag[]): boolean => new Set(tags.map(({ name }) => tagKey(name))).size === tags.length;

export const Site = z.object({
  id: SiteId,
  name: z.string(),
  slug: z.string(),
  purpose: z.enum(sitePurposes),
  /** Address of the pages, for external sites. */
  url: z.string().nullable(),
  /** `http://<slug>.localhost:3001`, for sites built here. */
  systemHost: z.string().nullable(),
  state: z.enum(siteStates),
  visibility: z.enum(visibilities),
  defaultLang: z.string(),
  timeZone: z.string(),
  identity: z.enum(identityModes),
  demo: z.boolean(),
  /** Whether it uses the customer service of this program. */
  support: z.boolean(),
  role: z.enum(siteRoles),
  pinned: z.boolean(),
  tags: z.array(z.object({ name: z.string(), color: z.enum(tagColors) })),
  createdAt: z.iso.datetime(),
  archivedAt: z.iso.datetime().nullable(),
  deletedAt: z.iso.datetime().nullable(),
  /** Why a manager of the installation suspended it, also while it is in the bin; null if it is not suspended, and for everybody but administrators of the site. */
  suspendedReason: z.string().nullable(),
  revision: z.int(),
});
export type Site = z.infer<typeof Site>;

/** Suspending a site needs a reason, which its administrators see, and visitors do not. */
export const SiteStateChange = z.discriminatedUnion('to', [
  z.strictObject({ to: z.literal('suspended'), reason: safeText(baseLimits.suspensionReason).min(1) }),
  z.strictObject({ to: z.enum(siteMoves).exclude(['suspended']) }),
]);
export type SiteStateChange = z.input<typeof SiteStateChange>;

/** A language of the installation. */
export const Language = z.object({
  code: z.string(),
  name: z.string(),
  nameZh: z.string(),
  nameEn: z.string(),
  dir: z.enum(['ltr', 'rtl']),
  /** Whether the console is translated into it. */
  ui: z.boolean(),
  common: z.boolean(),
});
export type Language = z.infer<typeof Language>;

export const StartUp = z.object({ sites: z.array(Site), intls: z.array(Language) });
export type StartUp = z.infer<typeof StartUp>;

export const slugPattern = /^[a-z0-9](?:[a-z0-9-]{0,38}[a-z0-9])?$/;
export const reservedSlugs: readonly string[] = [
  'www',
  'api',
  'admin',
  'console',
  'mail',
  'cdn',
  'static',
  'sign',
  'home',
  'ftp',
  'ns1',
  'ns2',
  'localhost',
  'smtp',
  'imap',
  'pop',
  'app',
  'assets',
  'status',
  'demo-host',
];
/** http(s), at most 2 000 characters, no credentials. */
export const SiteUrl = z
  .string()
  .trim()
  .max(2000)
  .pipe(z.url({ protocol: /^https?$/, hostname: z.regexes.hostname }))
  .refine((u) => {
    const url = parseUrl(u);
    return url !== null && url.username === '' && url.password === '';
  }, 'not_a_url' satisfies FieldCode);

export const SiteInput = z.strictObject({
  name: safeName(60),
  slug: z.string().trim().toLowerCase().pipe(z.string().regex(slugPattern)).optional(),
  purpose: z.enum(sitePurposes),
  url: SiteUrl.nullable().default(null),
  defaultLang: LocaleTag.default('zh-Hans'),
  timeZone: z.string().max(64).default('Asia/Shanghai'),
  identity: z.enum(identityModes).default('first_party'),
  /** For sites built here; absent: nothing, the site shows a start page. */
  starter: z.enum(starters).optional(),
  /** A site that is copied instead. */
  copyFrom: SiteId.optional(),
});
export type SiteInput = z.input<typeof SiteInput>;

export const SiteChange = z.strictObject({
  name: safeName(60).optional(),
  url: SiteUrl.nullable().optional(),
  timeZone: z.string().max(64).optional(),
  identity: z.enum(identityModes).optional(),
  tags: z
    .array(SiteTag)
    .max(tagLimits.perSite)
    .refine(isUnique, 'duplicate' satisfies FieldCode)
    .optional(),
});
export type SiteChange = z.input<typeof SiteChange>;

const Params = z.object({ siteId: SiteId });

export const siteEndpoints = {
  load: endpoint(siteCalls.load, {
    access: 'session',
    beforeEnrolment: true,
    token: 'site:read',
    summary: 'Start-up load: the sites the person may see, and the languages',
    response: StartUp,
  }),
  createSite: endpoint(siteCalls.createSite, {
    access: { instance: 'site.create' },
    token: 'site:write',
    summary: 'Make a site',
    body: SiteInput,
    response: Site,
    errors: ['slug_taken', 'invalid_fields', 'not_found'],
  }),
  site: endpoint(siteCalls.site, {
    access: { site: 'site.read' },
    token: 'site:read',
    summary: 'One site',
    params: Params,
    response: Site,
    errors: ['not_found'],
  }),
  changeSite: endpoint(siteCalls.changeSite, {
    ifMatch: 'required',
    access: { site: 'site.rename' },
    token: 'site:write',
    summary: 'Change a site (If-Match: revision)',
    params: Params,
    body: SiteChange,
    response: Site,
    errors: ['stale_revision', 'invalid_fields'],
  }),
  setSiteState: endpoint(siteCalls.setSiteState, {
    access: { site: 'site.archive' },
    token: 'site:write',
    summary: 'Change the state of a site: start or end maintenance, archive, suspend (managers, with a reason), or open it again (also from the bin)',
    params: Params,
    body: SiteStateChange,
    response: Site,
    errors: ['bad_transition', 'forbidden'],
  }),
  deleteSite: endpoint(siteCalls.deleteSite, {
    access: { site: 'site.delete' },
    summary: 'Put a site into the 30-day bin; `confirm` must be its name. Asks for the password again, unless the site is the demo',
    params: Params,
    body: z.strictObject({ confirm: z.string().max(200) }),
    response: Site,
    errors: ['confirm_mismatch', 'bad_transition', 'reauth_required'],
  }),
  pinSite: endpoint(siteCalls.pinSite, {
    access: { site: 'site.read' },
    summary: 'Pin a site for oneself, or take the pin away',
    params: Params,
    body: z.strictObject({ pinned: z.boolean() }),
    response: Site,
  }),
} as const;
