import { sql } from 'drizzle-orm';
import { bigint, boolean, check, index, integer, jsonb, pgTable, primaryKey, smallint, text, timestamp, uniqueIndex, uuid } from 'drizzle-orm/pg-core';
import type { StoredSupportSettings } from '../../../contract/support/settings';
import type {
  AgentStatus,
  BlockKind,
  ConversationEvent,
  ConversationKind,
  ConversationPriority,
  ConversationState,
  MessageAuthor,
  MessageKind,
} from '../../../contract/support/terms';
import { users } from '../account/schema';
import { sites } from '../sites/schema';

const moment = (name: string) => timestamp(name, { withTimezone: true, precision: 3 });
const siteId = () =>
  text('site_id')
    .notNull()
    .references(() => sites.id, { onDelete: 'cascade' });
const person = (name: string) => uuid(name).references(() => users.id, { onDelete: 'set null' });

/** Settings and counters of customer service, one row per site that has used it. */
export const supportSettings = pgTable('support_settings', {
  siteId: text('site_id')
    .primaryKey()
    .references(() => sites.id, { onDelete: 'cascade' }),
  /** null: the defaults. */
  settings: jsonb().$type<StoredSupportSettings>(),
  /** Sealed for the purpose `support webhook`; null: none. */
  webhookSecret: text('webhook_secret'),
  pausedUntil: moment('paused_until'),
  revision: integer().notNull().default(1),
});

/** Counters of a site, in a table of their own, because each message locks the row: the last number of a conversation, and the last change. */
export const supportCounters = pgTable('support_counters', {
  siteId: text('site_id')
    .primaryKey()
    .references(() => sites.id, { onDelete: 'cascade' }),
  number: integer().notNull().default(0),
  change: bigint({ mode: 'number' }).notNull().default(0),
});

/** Where a visitor came from, as the page said when the visitor was first seen. */
export type VisitorSource = {
  readonly landing: string;
  readonly referrer: string;
  readonly campaign: string;
  readonly medium: string;
  readonly channel: string;
};
export type VisitorPage = { readonly url: string; readonly title: string };

export const supportVisitors = pgTable(
  'support_visitors',
  {
    id: uuid().primaryKey().defaultRandom(),
    siteId: siteId(),
    /** SHA-256 of the token in the visitor's browser. */
    tokenHash: text('token_hash').notNull(),
    /** The visitor's id in analytics; null: no consent, or not measured. */
    analyticsId: text('analytics_id'),
    name: text().notNull().default(''),
    email: text().notNull().default(''),
    phone: text().notNull().default(''),
    wechat: text().notNull().default(''),
    company: text().notNull().default(''),
    /** Answers to further questions, by label. */
    custom: jsonb().$type<Readonly<Record<string, string>>>().notNull().default({}),
    tags: text().array().notNull().default([]),
    note: text().notNull().default(''),
    language: text().notNull().default(''),
    country: text().notNull().default(''),
    region: text().notNull().default(''),
    city: text().notNull().default(''),
    address: text().notNull().default(''),
    /** Whether `address` was truncated. */
    addressTruncated: boolean('address_truncated').notNull().default(false),
    userAgent: text('user_agent').notNull().default(''),
    source: jsonb().$type<VisitorSource>().notNull(),
    /** The page that is, or was last, open. */
    page: jsonb().$type<VisitorPage>(),
    pageAt: moment('page_at'),
    firstSeenAt: moment('first_seen_at').notNull(),
    lastSeenAt: moment('last_seen_at').notNull(),
  },
  (t) => [
    uniqueIndex('support_visitors_token_key').on(t.tokenHash),
    index('support_visitors_site_index').on(t.siteId, t.email),
    index('support_visitors_seen_index').on(t.lastSeenAt),
  ],
);

export const supportConversations = pgTable(
  'support_conversations',
  {
    id: uuid().primaryKey().defaultRandom(),
    siteId: siteId(),
    visitorId: uuid('visitor_id')
      .notNull()
      .references(() => supportVisitors.id, { onDelete: 'cascade' }),
    /** Chosen by the visitor's browser: a start that is repeated with the same id changes nothing. */
    clientId: text('client_id').notNull(),
    number: integer().notNull(),
    kind: text().$type<ConversationKind>().notNull(),
    state: text().$type<ConversationState>().notNull().default('open'),
    priority: text().$type<ConversationPriority>().notNull().default('normal'),
    tags: text().array().notNull().default([]),
    subject: text().notNull().default(''),
    language: text().notNull().default(''),
    assigneeId: person('assignee_id'),
    /** Page on which it started. */
    page: jsonb().$type<VisitorPage>().notNull(),
    startedAt: moment('started_at').notNull(),
    firstReplyAt: moment('first_reply_at'),
    resolvedAt: moment('resolved_at'),
    resolvedBy: person('resolved_by'),
    snoozedUntil: moment('snoozed_until'),
    waitingSince: moment('waiting_since'),
    /** `waitingSince` of the wait about which agents were notified, once the time to answer had passed. */
    notifiedWait: moment('notified_wait'),
    lastMessageAt: moment('last_message_at').notNull(),
    /** When contacts are notified of what nobody has read. */
    notifyAt: moment('notify_at'),
    /** Counter of its messages and their changes. */
    version: integer().notNull().default(0),
    /** The site's counter when it was last changed. */
    change: bigint({ mode: 'number' }).notNull().default(0),
    messages: integer().notNull().default(0),
    unread: integer().notNull().default(0),
    agentReadSeq: integer('agent_read_seq').notNull().default(0),
    visitorReadSeq: integer('visitor_read_seq').notNull().default(0),
    rating: smallint(),
    ratingComment: text('rating_comment').notNull().default(''),
    /** It was merged into this one. */
    mergedInto: uuid('merged_into'),
    removedAt: moment('removed_at'),
  },
  (t) => [
    uniqueIndex('support_conversations_client_key').on(t.visitorId, t.clientId),
    uniqueIndex('support_conversations_number_key').on(t.siteId, t.number),
    index('support_conversations_list_index').on(t.siteId, t.state, t.lastMessageAt, t.id),
    index('support_conversations_change_index').on(t.siteId, t.change),
    index('support_conversations_started_index').on(t.siteId, t.startedAt),
    index('support_conversations_unread_index')
      .on(t.siteId)
      .where(sql`${t.unread} > 0`),
    index('support_conversations_notify_index')
      .on(t.notifyAt)
      .where(sql`${t.notifyAt} is not null`),
    index('support_conversations_waiting_index')
      .on(t.siteId, t.waitingSince)
      .where(sql`${t.waitingSince} is not null and ${t.notifiedWait} is distinct from ${t.waitingSince}`),
    index('support_conversations_snoozed_index')
      .on(t.snoozedUntil)
      .where(sql`${t.snoozedUntil} is not null`),
    index('support_conversations_removed_index')
      .on(t.removedAt)
      .where(sql`${t.removedAt} is not null`),
    index('support_conversations_assignee_index').on(t.assigneeId),
    index('support_conversations_assigned_index')
      .on(t.siteId, t.assigneeId)
      .where(sql`${t.assigneeId} is not null and ${t.state} in ('open', 'waiting', 'snoozed')`),
    index('support_conversations_merged_index')
      .on(t.mergedInto)
      .where(sql`${t.mergedInto} is not null`),
    check('support_conversations_state_known', sql`${t.state} in ('open', 'waiting', 'snoozed', 'resolved', 'spam')`),
    check('support_conversations_rating_range', sql`${t.rating} between 1 and 5`),
  ],
);

export const supportFiles = pgTable(
  'support_files',
  {
    id: uuid().primaryKey().defaultRandom(),
    siteId: siteId(),
    conversationId: uuid('conversation_id')
      .notNull()
      .references(() => supportConversations.id, { onDelete: 'cascade' }),
    author: text().$type<MessageAuthor>().notNull(),
    name: text().notNull(),
    contentType: text('content_type').notNull(),
    size: integer().notNull(),
    width: integer(),
    height: integer(),
    at: moment('at').notNull(),
  },
  (t) => [index('support_files_conversation_index').on(t.conversationId), index('support_files_site_index').on(t.siteId)],
);

export const supportMessages = pgTable(
  'support_messages',
  {
    conversationId: uuid('conversation_id')
      .notNull()
      .references(() => supportConversations.id, { onDelete: 'cascade' }),
    seq: integer().notNull(),
    version: integer().notNull(),
    siteId: siteId(),
    author: text().$type<MessageAuthor>().notNull(),
    kind: text().$type<MessageKind>().notNull(),
    body: text().notNull(),
    fileId: uuid('file_id').references(() => supportFiles.id, { onDelete: 'set null' }),
    event: text().$type<ConversationEvent>(),
    /** Whom or what the event concerns. */
    eventSubject: text('event_subject').notNull().default(''),
    agentId: person('agent_id'),
    clientId: text('client_id'),
    at: moment('at').notNull(),
    editedAt: moment('edited_at'),
    deletedAt: moment('deleted_at'),
  },
  (t) => [
    primaryKey({ columns: [t.conversationId, t.seq] }),
    uniqueIndex('support_messages_version_key').on(t.conversationId, t.version),
    uniqueIndex('support_messages_client_key').on(t.conversationId, t.author, t.clientId),
    index('support_messages_site_index').on(t.siteId, t.at),
    index('support_messages_agent_index').on(t.agentId),
    // Deleting a file looks for messages with it.
    index('support_messages_file_index')
      .on(t.fileId)
      .where(sql`${t.fileId} is not null`),
  ],
);

export const supportCanned = pgTable(
  'support_canned',
  {
    id: uuid().primaryKey().defaultRandom(),
    siteId: siteId(),
    /** null: for every agent of the site. */
    ownerId: uuid('owner_id').references(() => users.id, { onDelete: 'cascade' }),
    shortcut: text().notNull(),
    title: text().notNull(),
    body: text().notNull(),
    uses: integer().notNull().default(0),
    lastUsedAt: moment('last_used_at'),
    createdAt: moment('created_at').notNull(),
    revision: integer().notNull().default(1),
  },
  (t) => [
    uniqueIndex('support_canned_site_key')
      .on(t.siteId, t.shortcut)
      .where(sql`${t.ownerId} is null`),
    uniqueIndex('support_canned_own_key')
      .on(t.siteId, t.ownerId, t.shortcut)
      .where(sql`${t.ownerId} is not null`),
    index('support_canned_owner_index').on(t.ownerId),
  ],
);

export const supportBlocks = pgTable(
  'support_blocks',
  {
    id: uuid().primaryKey().defaultRandom(),
    siteId: siteId(),
    kind: text().$type<BlockKind>().notNull(),
    /** A network in CIDR notation, the id of a visitor, or an e-mail address in lower case. */
    value: text().notNull(),
    reason: text().notNull(),
    until: moment('until'),
    createdAt: moment('created_at').notNull(),
    createdBy: person('created_by'),
  },
  (t) => [uniqueIndex('support_blocks_value_key').on(t.siteId, t.kind, t.value)],
);

/** Who of the agents is there, and what their consoles show. */
export const supportAgents = pgTable(
  'support_agents',
  {
    siteId: siteId(),
    userId: uuid('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    status: text().$type<AgentStatus>().notNull().default('available'),
    seenAt: moment('seen_at').notNull(),
    viewing: uuid(),
    typingAt: moment('typing_at'),
  },
  (t) => [primaryKey({ columns: [t.siteId, t.userId] }), index('support_agents_user_index').on(t.userId)],
);
