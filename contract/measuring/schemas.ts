import { z } from 'zod';
import { BucketSettings } from './bucketSettings';
import { defaultBucketEnds } from './buckets';
import { refusalCodes } from '../collect/schemas';
import { measuringCalls } from './calls';
import { endpoint } from '../endpoint';
import { Job } from '../jobs/schemas';
import { identityModes, SiteId } from '../sites/schemas';
import { defaultReferrerSpam, ReferrerSpam } from './referrerSpam';
import { safeText } from '../text';
import { defaultVisitDefinition, VisitDefinition } from './visitDefinition';

/** Measurement of a site: settings, bot rules, completeness, erasure, and hits sent by servers. */

/** Effect of a browser's privacy signal (DNT, Sec-GPC): none, no lasting id, or no counting at all. */
export const wishPolicies = ['ignore', 'cookieless', 'refuse'] as const;

/**
 * How much of an IP address may be used, decided before anything is stored.
 *
 * whole    the address is stored and shown; place, network and visitor names are derived from all of it
 * last     the default: stored without its last octet (IPv6: its first 48 bits); place and names are derived from all of it, in memory
 * two      without the last two octets (IPv6: 32 bits) for every use: only country and network are derived from the rest
 * none     no use at all: no place, no network, no count of addresses; visitors without an id are distinguished by their browser only
 */
export const addressPolicies = ['whole', 'last', 'two', 'none'] as const;

/** Bot signals (server/collect/classify/bots.ts) with their default points. */
export const botReasonPoints = {
  agent: 100,
  headless: 100,
  webdriver: 90,
  no_agent: 90,
  unknown_agent: 50,
  no_language: 50,
  datacentre: 30,
  spam: 100,
  flood: 100,
} as const;
export const botReasonIds = ['agent', 'headless', 'webdriver', 'no_agent', 'unknown_agent', 'no_language', 'datacentre', 'spam', 'flood'] as const;
export type BotReasonId = (typeof botReasonIds)[number];

/** Fields that a bot rule can test. `views` and `seconds` (duration) are numbers. */
export const ruleFields = [
  'isp',
  'country',
  'province',
  'city',
  'browser',
  'os',
  'device',
  'language',
  'screen',
  'source',
  'referrer',
  'entry',
  'campaign',
  'address',
  'views',
  'seconds',
] as const;
export const ruleOps = ['is', 'not', 'contains', 'excludes', 'atMost', 'atLeast'] as const;
export const verdicts = ['human', 'suspected', 'bot'] as const;
export const numberFields: ReadonlySet<string> = new Set(['views', 'seconds']);

const RuleValue = safeText(200);
/** Maximum size of all values of all rules together, in UTF-8 bytes. */
const mostRuleBytes = 8000;
export const RuleCondition = z
  .strictObject({ field: z.enum(ruleFields), op: z.enum(ruleOps), values: z.array(RuleValue).min(1).max(50) })
  .superRefine(({ field, op, values }, check) => {
    const counts = op === 'atMost' || op === 'atLeast';
    if (counts !== numberFields.has(field)) check.addIssue({ code: 'custom', message: 'pattern', path: ['op'] });
    else if (counts && (values.length !== 1 || !/^\d{1,6}$/.test(values[0] ?? '')))
      check.addIssue({ code: 'custom', message: 'out_of_range', path: ['values'] });
    else if ((op === 'contains' || op === 'excludes') && values.includes('')) check.addIssue({ code: 'custom', message: 'required', path: ['values'] });
  });
export type RuleCondition = z.output<typeof RuleCondition>;

/** A rule applies when all its conditions hold. The first rule that applies decides, regardless of the points. */
export const BotRule = z.strictObject({
  name: safeText(60),
  on: z.boolean(),
  when: z.array(RuleCondition).min(1).max(5),
  verdict: z.enum(verdicts),
});
export type BotRule = z.output<typeof BotRule>;

const Points = z.int().min(0).max(100);
export const BotRules = z.strictObject({
  points: z.strictObject({
    agent: Points,
    headless: Points,
    webdriver: Points,
    no_agent: Points,
    unknown_agent: Points,
    no_language: Points,
    datacentre: Points,
    spam: Points,
    flood: Points,
  }),
  rules: z
    .array(BotRule)
    .max(50)
    .superRefine((rules, check) => {
      // Rules are part of every counting statement, including one over all sites of a reader: those of one site must leave room for the others.
      const bytes = rules.reduce((sum, { when }) => sum + when.reduce((all, { values }) => all + new TextEncoder().encode(values.join('')).length, 0), 0);
      if (bytes > mostRuleBytes) check.addIssue({ code: 'custom', message: 'too_long' });
    }),
});
export type BotRules = z.output<typeof BotRules>;
export const defaultBotRules: BotRules = { points: { ...botReasonPoints }, rules: [] };

export const defaultSearchParams = ['q', 's', 'search', 'query', 'keyword', 'keywords', 'kw', 'wd', 'word'] as const;

/** A host name, with the prefix `*.` for all its subdomains; it has no port. */
const HostPattern = z
  .string()
  .trim()
  .toLowerCase()
  .max(255)
  .regex(/^(?:\*\.)?(?:[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?\.)*[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?$/);
const SearchParam = z
  .string()
  .trim()
  .toLowerCase()
  .min(1)
  .max(40)
  .regex(/^[^\s&=?#]+$/);
const unique = <T extends z.ZodType<string>>(one: T, most: number) =>
  z
    .array(one)
    .max(most)
    .transform((list) => [...new Set(list)]);

const fields = {
  identity: z.enum(identityModes),
  doNotTrack: z.enum(wishPolicies),
  globalPrivacyControl: z.enum(wishPolicies),
  addresses: z.enum(addressPolicies),
  /** Days for which hits and visits are stored; null: forever. */
  retentionDays: z.int().min(1).max(3650).nullable(),
  /** Query parameters of the site's own search, in the order in which they are tried. */
  searchParams: unique(SearchParam, 20),
  /** Hosts besides the site's own from which hits are accepted. Empty: any host. */
  hosts: unique(HostPattern, 50),
  bots: BotRules,
  /** Ends of the buckets of loyalty reports. */
  buckets: BucketSettings,
  /**
   * Minimum number of visitors in the report's range (without one: the last 31 days) for a city to be shown; smaller ones appear as their region. null: every
   * city is shown.
   */
  cityFloor: z.int().min(2).max(1000).nullable(),
  spam: ReferrerSpam,
  visits: VisitDefinition,
  /** Web vitals: whether browsers measure them, and on what share of page loads. */
  vitals: z.strictObject({ on: z.boolean(), percent: z.int().min(1).max(100) }).default({ on: true, percent: 100 }),
};
export const defaultMeasuring = {
  doNotTrack: 'ignore',
  globalPrivacyControl: 'cookieless',
  addresses: 'last',
  retentionDays: null,
  searchParams: [...defaultSearchParams],
  hosts: [],
  bots: defaultBotRules,
  buckets: {
    pages: [...defaultBucketEnds.pages],
    seconds: [...defaultBucketEnds.seconds],
    days: [...defaultBucketEnds.days],
    visits: [...defaultBucketEnds.visits],
  },
  cityFloor: null,
  spam: defaultReferrerSpam,
  visits: defaultVisitDefinition,
  vitals: { on: true, percent: 100 },
} satisfies Omit<MeasuringInput, 'identity'>;
/** Settings as stored by this version or by an earlier one with fewer of them. */
export type StoredMeasuring = Partial<Omit<MeasuringInput, 'identity' | 'bots'>> & {
  readonly bots?: Pick<BotRules, 'rules'> & { readonly points: Partial<BotRules['points']> };
};
/** Fills missing stored settings with defaults (null: never changed). */
export const completeMeasuring = (stored: StoredMeasuring | null | undefined): Omit<MeasuringInput, 'identity'> => ({
  ...defaultMeasuring,
  ...stored,
  bots: { rules: stored?.bots?.rules ?? [], points: { ...botReasonPoints, ...stored?.bots?.points } },
});
export const MeasuringInput = z.strictObject(fields);
export type MeasuringInput = z.output<typeof MeasuringInput>;
export const MeasuringSettings = z.object({ ...fields, revision: z.int(), tag: z.string(), updatedAt: z.iso.datetime().nullable() });
export type MeasuringSettings = z.output<typeof MeasuringSettings>;

const Tally = z.object({ human: z.int(), suspected: z.int(), bot: z.int() });
/** Visits of the last 30 days under the current rules and under the proposed ones. */
export const RulesPreview = z.object({
  now: Tally,
  then: Tally,
  moved: z.array(z.object({ from: z.enum(verdicts), to: z.enum(verdicts), visits: z.int() })),
  /** Number of visits that each rule decides, in the order of the rules. */
  byRule: z.array(z.int()),
});
export type RulesPreview = z.output<typeof RulesPreview>;

/**
 * Completeness of one day's hits.
 *
 * sent      what browsers numbered: for every page view of that day its highest sequence number plus one
 * stored    distinct hits in the store
 * missing   sent − stored: hits that were sent and never arrived, or were refused; losses after the last hit of a view are not detectable
 * received  hits of browsers accepted, repeats included (at least `stored`)
 * repeated  received − stored: the same hit again
 * refused   by code; `request` refusals (too large, unreadable) count once regardless of their content
 * aside     hits that the store refused, kept in rejected.jsonl
 * spam      hits with a spam referrer: among the stored, and counted as those of a bot
 * flood     hits beyond what one visitor may send in a day: among the stored, and in no report
 */
export const CompletenessDay = z.object({
  day: z.iso.date(),
  sent: z.int(),
  stored: z.int(),
  missing: z.int(),
  received: z.int(),
  repeated: z.int(),
  refused: z.partialRecord(z.enum(refusalCodes), z.int()),
  aside: z.int(),
  spam: z.int(),
  flood: z.int(),
});
export type CompletenessDay = z.output<typeof CompletenessDay>;
/** State of one collector process, as last reported. */
export const CollectorState = z.object({
  process: z.string(),
  seenAt: z.iso.datetime(),
  /** Whether it has reported recently; a running collector reports twice a minute. */
  alive: z.boolean(),
  journalBytes: z.number(),
  journalMaxBytes: z.number(),
  /** Time since which the store has not responded; null while it does. */
  stuckSince: z.iso.datetime().nullable(),
  /** Time of receipt of the oldest hit that is not in reports yet. */
  oldestWaiting: z.iso.datetime().nullable(),
});
export type CollectorState = z.output<typeof CollectorState>;
export const Completeness = z.object({ days: z.array(CompletenessDay), collectors: z.array(CollectorState) });
export type Completeness = z.output<typeof Completeness>;

/** Short name of a visitor, as in the list of the latest visits. */
export const VisitorName = z
  .string()
  .trim()
  .toLowerCase()
  .regex(/^[0-9a-f]{8}$/);
export const EraseWhat = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('visitor'), visitor: VisitorName }),
  /** First and last day in the site's time zone, inclusive. */
  z.strictObject({ kind: z.literal('range'), from: z.iso.date(), to: z.iso.date() }),
]);
export type EraseWhat = z.output<typeof EraseWhat>;
export const ErasePreview = z.object({
  visitors: z.int(),
  visits: z.int(),
  hits: z.int(),
  first: z.iso.datetime().nullable(),
  last: z.iso.datetime().nullable(),
});
export type ErasePreview = z.output<typeof ErasePreview>;

export const serverHitLimits = {
  hitsPerRequest: 500,
  bodyBytes: 2 * 1024 * 1024,
  /** Maximum age of a hit: five years. */
  ageMs: 5 * 366 * 24 * 3600 * 1000,
  /** Tolerance for a server's clock that is ahead. */
  aheadMs: 60_000,
} as const;
export const serverHitCodes = ['malformed', 'too_old', 'in_future', 'no_visitor', 'wrong_host'] as const;
/** A hit sent by a server. Hits are validated one by one, so that one invalid hit does not reject the others. */
export const ServerHit = z.strictObject({
  /** Id chosen by the caller; sending the same id again changes nothing. */
  id: z.string().min(1).max(200),
  type: z.enum(['view', 'event']).default('view'),
  /** Time of the hit; default now. */
  at: z.iso.datetime({ offset: true }).optional(),
  url: z.string().max(8000),
  title: z.string().max(2000).optional(),
  referrer: z.string().max(8000).optional(),
  /** The caller's id of the visitor; it is hashed and never stored. Either one of these ids is required, or address and agent. */
  visitorId: z.string().min(1).max(200).optional(),
  userId: z.string().min(1).max(200).optional(),
  address: z.string().max(64).optional(),
  userAgent: z.string().max(2000).optional(),
  language: z.string().max(35).optional(),
  screen: z.strictObject({ width: z.int().min(0).max(65535), height: z.int().min(0).max(65535) }).optional(),
  name: z.string().max(1000).optional(),
  props: z.record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.null()])).optional(),
  /** Visible time in milliseconds, if the caller knows it. */
  engagedMs: z.number().min(0).optional(),
});
export type ServerHit = z.input<typeof ServerHit>;

const Params = z.object({ siteId: SiteId });
export const measuringEndpoints = {
  measuring: endpoint(measuringCalls.measuring, {
    access: { site: 'analytics.read' },
    token: 'analytics:read',
    summary: 'How the site is measured, and its tag',
    params: Params,
    response: MeasuringSettings,
  }),
  changeMeasuring: endpoint(measuringCalls.changeMeasuring, {
    ifMatch: 'required',
    access: { site: 'analytics.configure' },
    summary: 'Change how the site is measured (If-Match: revision); keeping data for less time than before asks for the password',
    params: Params,
    body: MeasuringInput,
    response: MeasuringSettings,
    errors: ['stale_revision', 'invalid_fields', 'reauth_required'],
  }),
  previewBotRules: endpoint(measuringCalls.previewBotRules, {
    access: { site: 'analytics.configure' },
    summary: 'How many visits of the last 30 days other rules about programs would move',
    params: Params,
    body: BotRules,
    response: RulesPreview,
    errors: ['analytics_unavailable', 'invalid_fields'],
    ratePerMinute: 60,
  }),
  completeness: endpoint(measuringCalls.completeness, {
    access: { site: 'analytics.read' },
    token: 'analytics:read',
    summary: 'What became of the hits of each day: sent, received, repeated, refused, missing; and the state of the way in',
    params: Params,
    query: z.object({ days: z.coerce.number().int().min(1).max(92).default(30) }),
    response: Completeness,
    errors: ['analytics_unavailable'],
  }),
  previewErase: endpoint(measuringCalls.previewErase, {
    access: { site: 'analytics.configure' },
    summary: 'What erasing a visitor or a range would take',
    params: Params,
    body: EraseWhat,
    response: ErasePreview,
    errors: ['analytics_unavailable', 'invalid_fields'],
    ratePerMinute: 60,
  }),
  eraseMeasured: endpoint(measuringCalls.eraseMeasured, {
    access: { site: 'analytics.configure' },
    proven: true,
    summary: 'Erase a visitor or a range for good; `confirm` must be the site’s name',
    params: Params,
    body: z.strictObject({ what: EraseWhat, confirm: z.string().max(200) }),
    response: Job,
    errors: ['confirm_mismatch', 'invalid_fields'],
  }),
  serverHits: endpoint(measuringCalls.serverHits, {
    access: { site: 'analytics.write' },
    token: 'analytics:write',
    summary: 'Hits sent by a server, with their own time, address and agent; durable when this answers',
    params: Params,
    body: z.strictObject({ hits: z.array(z.unknown()).min(1).max(serverHitLimits.hitsPerRequest) }),
    bodyLimit: serverHitLimits.bodyBytes,
    response: z.object({
      accepted: z.int(),
      refused: z.array(z.object({ index: z.int(), id: z.string().nullable(), code: z.enum(serverHitCodes) })),
    }),
    errors: ['journal_full', 'invalid_fields', 'unavailable', 'bad_transition'],
    ratePerMinute: 1200,
  }),
} as const;
