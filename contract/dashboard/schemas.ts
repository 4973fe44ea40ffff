import { z } from 'zod';
import { AuditEntry } from '../audit/schemas';
import { endpoint } from '../endpoint';
import { dnsStates, healthStates, tlsStates } from '../hostnames/terms';
import { filingStates } from '../filings/states';
import { footerStates } from '../filings/terms';
import { annotationKinds } from '../insights/schemas';
import { SiteId } from '../sites/schemas';
import { coreMetrics, ratings } from '../vitals/terms';
import { DashboardCauses } from './causes';
import { dashboardCalls } from './calls';
import { attentionKinds, cardIds, cardStates, changeDimensions, setupSteps, severities, snoozeDays } from './terms';

const Count = z.int().min(0);
const When = z.iso.datetime();
/** A value now, yesterday at the same time of day and on the same weekday of last week; null: unknown. */
const Compared = z.object({ now: z.number().nullable(), yesterday: z.number().nullable(), lastWeek: z.number().nullable() });
export type Compared = z.infer<typeof Compared>;
const ByName = z.object({ key: z.string(), now: Count, before: Count });

/** Names a matter for as long as it lasts: its kind and what it is about. */
const ItemKey = z
  .string()
  .max(200)
  .regex(/^[a-z_]+:\P{Cc}*$/u);

export const AttentionItem = z.object({
  key: z.string().max(200),
  kind: z.enum(attentionKinds),
  severity: z.enum(severities),
  since: When.nullable(),
  /** Values for its sentence. */
  values: z.record(z.string(), z.union([z.string(), z.number()])),
  snooze: z.object({ until: When, forAll: z.boolean() }).nullable(),
});
export type AttentionItem = z.infer<typeof AttentionItem>;
/** `unread`: parts that could not be looked into, so that an empty list does not claim that all is well. */
const Attention = z.object({ items: z.array(AttentionItem), more: Count, unread: z.array(z.string()) });

const Setup = z.object({ steps: z.array(z.object({ id: z.enum(setupSteps.map(({ id }) => id)), done: z.boolean() })), hidden: z.boolean() });

const Live = z.object({
  online: Count,
  perMinute: z.array(z.object({ at: z.number(), views: Count })),
  pages: z.array(z.object({ path: z.string(), visitors: Count })),
});

/** `label`: wall-clock hour. `now` is null for hours to come; `open`: the hour is not over. */
const Hour = z.object({ label: z.string(), now: z.number().nullable(), yesterday: z.number().nullable(), open: z.boolean() });
const Today = z.object({
  day: z.iso.date(),
  /** Epoch ms: figures count until then. */
  at: z.number(),
  /** Too early in the day, or too few visits, for percentages. */
  early: z.boolean(),
  visits: Compared,
  figures: z.object({ visitors: Compared, views: Compared, bounceRate: Compared, avgDuration: Compared, enquiries: Compared.nullable() }),
  hours: z.array(Hour),
  /** What happened, by hour (index into `hours`). */
  notes: z.array(
    z.object({ index: z.int(), time: z.string(), kind: z.enum([...annotationKinds, 'outage']), text: z.string(), values: z.record(z.string(), z.string()) }),
  ),
});

const Top = z.object({ pages: z.array(ByName.extend({ share: z.number() })), sources: z.array(ByName.extend({ share: z.number() })), compared: z.boolean() });

const Vitals = z.object({
  /** `rating`: null with too few values. */
  scores: z.array(
    z.object({ metric: z.enum(coreMetrics), n: Count, p75: z.number().nullable(), rating: z.enum(ratings).nullable(), good: Count, needs: Count, poor: Count }),
  ),
  /** The page with the worst 75th percentile of LCP among those with enough values. */
  worst: z.object({ path: z.string(), p75: z.number() }).nullable(),
});

const Severities = z.object({ error: Count, warning: Count, notice: Count });
const Search = z.object({
  crawl: z
    .object({ runId: z.string(), finishedAt: When.nullable(), score: z.number().nullable(), pages: Count, indexable: Count, issues: Severities, fresh: Count })
    .nullable(),
  /** Requests of the last 24 hours by programs that call themselves crawlers; null: this program does not deliver the pages. */
  crawlers: z.array(z.object({ name: z.string(), requests: Count })).nullable(),
});

export const SupportSummary = z.object({
  unread: Count,
  waiting: Count,
  /** Since when the visitor who has waited longest waits. */
  waitingSince: When.nullable(),
  today: Count,
  agentsOnline: Count,
  /** Mean of the last 30 days, 1 to 5; null: nobody has rated. */
  rating: z.number().nullable(),
  ratings: Count,
});
export type SupportSummary = z.infer<typeof SupportSummary>;

const Hostnames = z.object({
  rows: z.array(
    z.object({
      host: z.string(),
      health: z.enum(healthStates),
      dns: z.enum(dnsStates),
      tls: z.enum(tlsStates),
      expiresAt: When.nullable(),
      primary: z.boolean(),
    }),
  ),
  more: Count,
  /** The state of the website's filings; null: none of that kind. */
  filings: z.object({ icp: z.enum(filingStates).nullable(), mps: z.enum(filingStates).nullable(), footer: z.enum(footerStates).nullable() }),
});

const Content = z.object({
  /** Records whose current state is not published, and settings that are not. `more`: there are more records. */
  drafts: Count,
  more: z.boolean(),
  parts: Count,
  scheduled: z.array(z.object({ number: z.int(), at: When })),
  last: z.object({ number: z.int(), at: When, by: z.string().nullable(), canRollBack: z.boolean() }).nullable(),
  /** Texts without a translation, by language. */
  missing: z.array(z.object({ tag: z.string(), texts: Count })),
});

const Capacity = z.object({
  usedBytes: Count,
  maxBytes: Count,
  pages: Count.nullable(),
  /** Hits of this month so far, of last month until the same time, and of the whole of last month. */
  hits: z.object({ month: Count, before: Count, lastMonth: Count }).nullable(),
});

/** Without addresses and devices. */
const Activity = z.object({ rows: z.array(AuditEntry) });

const card = <T extends z.ZodType>(data: T) => z.object({ state: z.enum(cardStates), at: When.nullable(), data: data.nullable() }).optional();
export const Cards = z.object({
  attention: card(Attention),
  setup: card(Setup),
  live: card(Live),
  today: card(Today),
  top: card(Top),
  vitals: card(Vitals),
  search: card(Search),
  support: card(SupportSummary),
  hostnames: card(Hostnames),
  content: card(Content),
  capacity: card(Capacity),
  activity: card(Activity),
} satisfies Record<(typeof cardIds)[number], unknown>);
export type Cards = z.infer<typeof Cards>;
/** The data of a card. */
export type CardData<K extends keyof Cards> = NonNullable<NonNullable<Cards[K]>['data']>;

const Pair = z.object({ now: Count, before: Count });
export const DashboardChange = z.object({
  /** Epoch ms: today until then, compared with the same time of that day. */
  at: z.number(),
  day: z.iso.date(),
  compareDay: z.iso.date(),
  visitors: Pair,
  /** Each division contains every visitor once, so its rows and the rest add up to `visitors`. */
  by: z.array(z.object({ dimension: z.enum(changeDimensions), rows: z.array(ByName), rest: Pair })),
  /** Not among the visitors: visits of programs, of visitors who may be programs, and requests that the country rule refused. */
  leftOut: z.object({ bots: Pair, suspected: Pair, blocked: Pair }),
});
export type DashboardChange = z.infer<typeof DashboardChange>;

const P = z.object({ siteId: SiteId });
const against = z.enum(['yesterday', 'week']).default('yesterday');
const CardList = z
  .string()
  .max(400)
  .transform((text) => cardIds.filter((id) => text.split(',').includes(id)));

export const dashboardEndpoints = {
  dashboard: endpoint(dashboardCalls.dashboard, {
    access: { site: 'site.read' },
    token: 'site:read',
    summary: 'The cards of the dashboard, each with its own state: those named in `cards`, separated by commas (unknown names are ignored), or all',
    params: P,
    query: z.object({ cards: CardList.optional(), /** Reads everything again. */ fresh: z.literal('1').optional() }),
    response: z.object({ at: When, timeZone: z.string(), cards: Cards }),
    ratePerMinute: 240,
  }),
  dashboardChange: endpoint(dashboardCalls.dashboardChange, {
    access: { site: 'analytics.read' },
    token: 'analytics:read',
    summary: 'Why the number of today’s visitors differs from that of yesterday, or of the same weekday of last week, at the same time',
    params: P,
    query: z.object({ against }),
    response: DashboardChange,
    ratePerMinute: 60,
  }),
  dashboardCauses: endpoint(dashboardCalls.dashboardCauses, {
    access: { site: 'analytics.read' },
    token: 'analytics:read',
    summary:
      'Entry pages that lost visitors, the greatest loss first, each with what is known of it: positions in search results, what crawls found, redirects. These happened at the same time, which does not prove that they are the cause',
    params: P,
    query: z.object({ against }),
    response: DashboardCauses,
    ratePerMinute: 120,
  }),
  snoozeAttention: endpoint(dashboardCalls.snoozeAttention, {
    access: { site: 'site.read' },
    summary: 'Hide something that needs attention for some days, for the caller or for everybody (administrators of the site); `days` 0 shows it again',
    params: P,
    body: z.strictObject({ key: ItemKey, days: z.literal([0, ...snoozeDays]), forAll: z.boolean().default(false) }),
    errors: ['forbidden'],
  }),
  hideSetup: endpoint(dashboardCalls.hideSetup, {
    access: { site: 'site.publish' },
    summary: 'Hide the list of steps that set a site up, or show it again, for the caller',
    params: P,
    body: z.strictObject({ hidden: z.boolean() }),
  }),
} as const;
