import { z } from 'zod';
import { liveCalls } from './calls';
import { endpoint } from '../endpoint';
import { agentStatuses } from '../support/terms';

/**
 * Live changes. One stream per browser (tabs share it); a topic that the caller may not read is omitted silently. Topics: `sites` (site list changed), `user`
 * (own profile, notices or session), `people` (changes of any person, for callers who may read people), `jobs`, `als:<siteId>` (visits changed),
 * `table:<siteId>` (records, definitions, presence), `resources:<siteId>`, `publishing:<siteId>`, `hostnames:<siteId>`, `countryBlock:<siteId>`, `filings:<siteId>`, `intl:<siteId>`, `seo:<siteId>`, `crawl:<siteId>`, `support:<siteId>`. Events carry ids, never data: the subscriber fetches what it may see.
 */
export const LiveEvent = z.discriminatedUnion('type', [
  z.object({ type: z.literal('site'), siteId: z.string(), change: z.enum(['added', 'changed', 'removed']) }),
  z.object({ type: z.literal('user'), userId: z.string() }),
  z.object({ type: z.literal('sessionEnded'), sessionId: z.string() }),
  z.object({ type: z.literal('job'), jobId: z.string() }),
  /** Somebody's notices changed. */
  z.object({ type: z.literal('notice'), userId: z.string() }),
  z.object({ type: z.literal('als'), siteId: z.string(), visitIds: z.array(z.string()).max(100), at: z.number() }),
  /** Records of a table changed: their ids (at most 150; empty: more than that) and who changed them. */
  z.object({ type: z.literal('records'), siteId: z.string(), tableId: z.string(), ids: z.array(z.string()).max(150), by: z.string().nullable() }),
  /** Definitions changed; the subscriber fetches `tables` again. */
  z.object({ type: z.literal('tables'), siteId: z.string(), tableId: z.string() }),
  /** Files or folders of a site changed. */
  z.object({ type: z.literal('resources'), siteId: z.string() }),
  /** The working copy or the releases of a site changed. */
  z.object({ type: z.literal('publishing'), siteId: z.string() }),
  /** Hostnames of a site, or what checks say about them, changed. */
  z.object({ type: z.literal('hostnames'), siteId: z.string() }),
  /** Proofs of ownership of a site, which its pages contain, or what was pushed to search engines changed. */
  z.object({ type: z.literal('seo'), siteId: z.string(), change: z.enum(['proofs', 'pushes']) }),
  /** The database of countries or the list of exits of Tor was replaced. */
  z.object({ type: z.literal('countries') }),
  /** The country rule of a site changed. */
  z.object({ type: z.literal('countryBlock'), siteId: z.string() }),
  /** Filings of a site, or what checks of its pages found, changed. */
  z.object({ type: z.literal('filings'), siteId: z.string() }),
  /** Translations of a site or their states changed. */
  z.object({ type: z.literal('intl'), siteId: z.string() }),
  /** A run of a crawler made progress (at most four times a second) or changed its state. */
  z.object({ type: z.literal('crawl'), siteId: z.string(), runId: z.string() }),
  /** People use the console while crawls run, which then give way; `slow`: requests wait longer than usual. Between processes only. */
  z.object({ type: z.literal('use'), slow: z.boolean() }),
  /** A conversation has messages or a state that a reader lacks; `version` and `change`: its counter and that of the site. */
  z.object({ type: z.literal('support'), siteId: z.string(), conversationId: z.string(), version: z.number(), change: z.number() }),
  /** Somebody types in a conversation, for the next seconds; `userId`: null for the visitor. */
  z.object({ type: z.literal('supportTyping'), siteId: z.string(), conversationId: z.string(), userId: z.string().nullable() }),
  /** A visitor with a conversation came, left, or opened another page. */
  z.object({ type: z.literal('supportVisitor'), siteId: z.string(), visitorId: z.string() }),
  /** An agent came, went, or opened another conversation; `agent`: what is now true of them, so that nobody has to ask; null: several have changed. */
  z.object({
    type: z.literal('supportAgents'),
    siteId: z.string(),
    agent: z.object({ id: z.string(), status: z.enum(agentStatuses), online: z.boolean(), viewing: z.string().nullable(), typing: z.boolean() }).nullable(),
  }),
  /** Settings, canned replies or blocks of customer service changed. */
  z.object({ type: z.literal('supportSettings'), siteId: z.string() }),
  z.object({
    type: z.literal('presence'),
    siteId: z.string(),
    tableId: z.string(),
    userId: z.string(),
    name: z.string(),
    recordId: z.string().nullable(),
    fieldId: z.string().nullable(),
  }),
]);
export type LiveEvent = z.infer<typeof LiveEvent>;

export const liveEndpoints = {
  stream: endpoint(liveCalls.stream, {
    access: 'session',
    summary: 'Server-sent events about changes, by topic',
    query: z.object({ topic: z.union([z.string().max(60), z.array(z.string().max(60)).max(50)]).optional() }),
    kind: 'sse',
  }),
} as const;
