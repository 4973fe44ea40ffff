import { z } from 'zod';
import { endpoint } from '../endpoint';
import type { FieldCode } from '../errors';
import { Job } from '../jobs/schemas';
import { Page, pageQuery } from '../page';
import { PathText } from '../publishing/parts';
import { SiteId } from '../sites/schemas';
import { LocaleTag, rowId, safeText } from '../text';
import { countryBlockCalls } from './calls';
import { countryBlockLimits, decisionReasons, listedCountries, refusalStatuses, ruleActions, ruleModes, ruleWarnings } from './terms';

/** ISO 3166-1 alpha-2, `XX` for unknown, or `T1` for exits of Tor. */
const Country = z.string().refine((code) => listedCountries.has(code), { message: 'unknown' satisfies FieldCode });
/** `203.0.113.0/24`, `2001:db8::/32`, or an address. */
const NetworkText = z.string().trim().min(2).max(49);

export const OpenNetwork = z.strictObject({
  network: NetworkText,
  note: safeText(100).default(''),
  /** null: until it is removed. */
  expiresAt: z.iso.datetime().nullable().default(null),
});
export type OpenNetwork = z.output<typeof OpenNetwork>;

export const CountryRule = z
  .strictObject({
    enabled: z.boolean(),
    mode: z.enum(ruleModes),
    countries: z.array(Country).max(countryBlockLimits.countries),
    action: z.enum(ruleActions),
    status: z.literal(refusalStatuses).default(403),
    /** Who demands it, and where that is written; required with 451. */
    authority: z.strictObject({ name: safeText(200), url: z.union([z.url({ protocol: /^https?$/ }).max(500), z.literal('')]) }).default({ name: '', url: '' }),
    /** Path, without a language, of the page of the site that refused visitors get. If it is empty or no such page is published, they get the program's page with the message. */
    page: z.union([PathText, z.literal('')]).default(''),
    /** What visitors read, by language. */
    message: z.record(LocaleTag, safeText(countryBlockLimits.message)).default({}),
    /** An address at which refused visitors can complain; empty: none. */
    contact: safeText(200).default(''),
    unknownAction: z.enum(['allow', 'block']).default('allow'),
    openNetworks: z.array(OpenNetwork).max(countryBlockLimits.networks).default([]),
    /** Patterns as in robots.txt: the beginning of a path, with `*` and `$`. */
    openPaths: z.array(z.string().trim().min(1).max(200).regex(/^[/*]/)).max(countryBlockLimits.paths).default([]),
    bots: z.enum(['off', 'verified']).default('off'),
    logDays: z.int().min(7).max(90).default(30),
  })
  .refine(({ enabled, countries }) => !enabled || countries.length > 0, { path: ['countries'], message: 'required' satisfies FieldCode })
  .refine(({ status, authority }) => status !== 451 || authority.name !== '', { path: ['authority', 'name'], message: 'required' satisfies FieldCode });
export type CountryRule = z.output<typeof CountryRule>;
export type CountryRuleInput = z.input<typeof CountryRule>;

/** Of a site that has none yet. */
export const initialCountryRule: CountryRule = CountryRule.parse({ enabled: false, mode: 'deny_listed', countries: [], action: 'log_only' });

/** How the caller's request arrived here: whether addresses can be trusted. */
export const AddressDiagnosis = z.object({
  address: z.string(),
  country: z.string().nullable(),
  /** Trusted proxies that it passed. */
  proxies: z.int(),
  /** A proxy sends addresses, but is not trusted. */
  untrustedHeader: z.boolean(),
  /** Share of the requests of a day that came from one private address; null: too few requests. */
  privateShare: z.number().nullable(),
});

export const CountryRuleState = z.object({
  /** 0: no rule was saved yet. */
  version: z.int(),
  rule: CountryRule,
  warnings: z.array(z.enum(ruleWarnings)),
  diagnosis: AddressDiagnosis,
  /** Day of the address database; null: there is none. */
  databaseDay: z.iso.date().nullable(),
  /** Downloads of newer databases; null: there are none, or the caller may not start them. */
  databaseUpdate: z
    .object({
      /** The download that is queued or running. */
      jobId: rowId.nullable(),
      /** When the last one succeeded, which it also does if there is no newer database. */
      checkedAt: z.iso.datetime().nullable(),
      /** Why the last one failed, in the caller's language. */
      failure: z.string().nullable(),
    })
    .nullable(),
  /** Day of the list of exits of Tor; null: there is none, and rules cannot name `T1`. */
  torDay: z.iso.date().nullable(),
  changedAt: z.iso.datetime().nullable(),
  changedBy: z.string().nullable(),
});
export type CountryRuleState = z.infer<typeof CountryRuleState>;

export type CountryRuleVersion = z.infer<typeof CountryRuleVersion>;
export const CountryRuleVersion = z.object({ version: z.int(), rule: CountryRule, note: z.string(), at: z.iso.datetime(), by: z.string().nullable() });

const PreviewRow = z.object({
  country: z.string().nullable(),
  visits: z.int(),
  visitors: z.int(),
  pageViews: z.int(),
  conversions: z.int(),
  /** Conversations of customer service; null if the caller may not see them. */
  conversations: z.int().nullable(),
  /** Visits of bots, which are in none of the other numbers. */
  botVisits: z.int(),
  refused: z.boolean(),
});
export const CountryPreview = z.object({
  from: z.iso.date(),
  to: z.iso.date(),
  /** All countries with visits, the most visits first. */
  rows: z.array(PreviewRow),
  /** Whether the rule leaves networks open, which visits cannot be compared with: they contain no addresses. */
  networksIgnored: z.boolean(),
  /** Whether the rule names Tor, whose visits cannot be recognized: the site stores no whole addresses. */
  torIgnored: z.boolean(),
  warnings: z.array(z.enum(ruleWarnings)),
});
export type CountryPreview = z.infer<typeof CountryPreview>;

export type CountryTest = z.infer<typeof CountryTest>;
export const CountryTest = z.object({
  action: z.enum(['allow', ...ruleActions]),
  reason: z.enum(decisionReasons),
  /** As it was read: without port and brackets, IPv4 unmapped. */
  address: z.string(),
  country: z.string().nullable(),
  /** The network that leaves it open. */
  network: z.string().nullable(),
});

export const ReadNetworks = z.object({
  /** Merged, host bits cleared. */
  networks: z.array(z.string()).max(countryBlockLimits.networks),
  lines: z.int(),
  refused: z.array(z.object({ line: z.int(), text: z.string(), reason: z.enum(['not_an_address_range', 'out_of_range']) })),
  refusedCount: z.int(),
});

export const BlockedRequest = z.object({
  id: rowId,
  at: z.iso.datetime(),
  host: z.string(),
  country: z.string().nullable(),
  /** Or its network, where the site stores no addresses. */
  address: z.string(),
  version: z.int(),
  action: z.enum(ruleActions),
  path: z.string(),
  userAgent: z.string(),
  /** Requests that the row stands for. */
  weight: z.int(),
});
export type BlockedRequest = z.infer<typeof BlockedRequest>;

const Ranked = z.array(z.object({ value: z.string(), requests: z.int() })).max(10);
export type BlockedSummary = z.infer<typeof BlockedSummary>;
export const BlockedSummary = z.object({
  requests: z.int(),
  countries: Ranked,
  addresses: Ranked,
  paths: Ranked,
  days: z.array(z.object({ day: z.iso.date(), requests: z.int() })),
});

const P = z.object({ siteId: SiteId });
const LogQuery = z.object({ country: Country.optional(), address: z.string().max(49).optional(), from: z.iso.date().optional(), to: z.iso.date().optional() });
const read = { access: { site: 'site.read' }, token: 'publishing:read' } as const;
const write = { access: { site: 'site.compose' }, token: 'publishing:write' } as const;
/** The log contains addresses of visitors. */
const log = { access: { site: 'analytics.export' }, token: 'analytics:read' } as const;
const e = countryBlockCalls;

export const countryBlockEndpoints = {
  countryRule: endpoint(e.countryRule, { ...read, summary: 'The country rule of a site, and how requests arrive here', params: P, response: CountryRuleState }),
  changeCountryRule: endpoint(e.changeCountryRule, {
    ...write,
    ifMatch: 'required',
    summary: 'Change the country rule; it acts at once (If-Match: version)',
    params: P,
    body: z.strictObject({ rule: CountryRule, note: safeText(200).default(''), accepted: z.array(z.enum(ruleWarnings)).default([]) }),
    bodyLimit: 256 * 1024,
    response: CountryRuleState,
    errors: ['stale_revision', 'invalid_fields', 'confirm_mismatch', 'not_delivered'],
  }),
  countryRuleVersions: endpoint(e.countryRuleVersions, {
    ...read,
    summary: 'Versions of the country rule, the newest first',
    params: P,
    query: z.object(pageQuery),
    response: Page(CountryRuleVersion),
  }),
  restoreCountryRule: endpoint(e.restoreCountryRule, {
    ...write,
    summary: 'Save an earlier version of the country rule again, as a new one',
    params: z.object({ siteId: SiteId, version: z.coerce.number().int().min(1) }),
    body: z.strictObject({ accepted: z.array(z.enum(ruleWarnings)).default([]) }),
    response: CountryRuleState,
    errors: ['not_found', 'confirm_mismatch'],
  }),
  previewCountryRule: endpoint(e.previewCountryRule, {
    access: { site: 'analytics.read' },
    token: 'analytics:read',
    summary: 'Which visits of the last 30 days a rule would have refused',
    params: P,
    body: z.strictObject({ rule: CountryRule }),
    bodyLimit: 256 * 1024,
    response: CountryPreview,
    errors: ['analytics_unavailable', 'invalid_fields'],
    ratePerMinute: 30,
  }),
  testCountryRule: endpoint(e.testCountryRule, {
    ...read,
    summary: 'What a rule decides about one request, and why',
    params: P,
    body: z.strictObject({
      rule: CountryRule,
      address: z.string().trim().max(60),
      path: z.string().startsWith('/').max(2000).default('/'),
      isVerifiedBot: z.boolean().default(false),
    }),
    bodyLimit: 256 * 1024,
    response: CountryTest,
    errors: ['invalid_fields'],
  }),
  readNetworks: endpoint(e.readNetworks, {
    ...write,
    summary: 'Read pasted addresses and networks: merged, with the lines that are none',
    params: P,
    body: z.strictObject({ text: z.string().max(countryBlockLimits.addressBytes) }),
    bodyLimit: countryBlockLimits.addressBytes + 1024,
    response: ReadNetworks,
    errors: ['too_large', 'invalid_fields'],
    ratePerMinute: 30,
  }),
  blockedRequests: endpoint(e.blockedRequests, {
    ...log,
    summary: 'Requests that the country rule concerned, the newest first',
    params: P,
    query: LogQuery.extend(pageQuery),
    response: Page(BlockedRequest),
  }),
  blockedSummary: endpoint(e.blockedSummary, {
    ...log,
    summary: 'Countries, addresses and paths with the most refused requests',
    params: P,
    query: LogQuery,
    response: BlockedSummary,
  }),
  updateCountryDatabase: endpoint(e.updateCountryDatabase, {
    access: { instance: 'site.seeAll' },
    summary: 'Download a newer database of countries now, if `COUNTRY_DATABASE_URL` names one',
    response: Job,
    errors: ['not_found'],
    ratePerMinute: 20,
  }),
  downloadBlocked: endpoint(e.downloadBlocked, {
    access: { site: 'analytics.export' },
    summary: 'Download the log of the country rule as CSV',
    params: P,
    query: LogQuery,
    kind: 'file',
  }),
} as const;
