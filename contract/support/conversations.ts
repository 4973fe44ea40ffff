import { z } from 'zod';
import { rowId, safeName, safeText } from '../text';
import {
  agentStatuses,
  awayReasons,
  conversationEvents,
  conversationKinds,
  conversationLists,
  conversationPriorities,
  conversationStates,
  messageAuthors,
  messageKinds,
  supportLimits,
  supportModes,
} from './terms';

const moment = z.iso.datetime();
const Person = z.object({ id: rowId, name: z.string() });
/** Chosen by the sender of a message: sending it again with the same id changes nothing. */
export const ClientId = z.string().regex(/^[\w-]{8,64}$/);
export const MessageBody = safeText(supportLimits.message).pipe(z.string().min(1));
const Email = z.union([z.email().max(254), z.literal('')]);
export const Tags = z.array(safeName(supportLimits.tag)).max(supportLimits.tags);

export const SupportFile = z.object({
  id: rowId,
  name: z.string(),
  contentType: z.string(),
  size: z.int(),
  /** Of images; null for others. */
  width: z.int().nullable(),
  height: z.int().nullable(),
});
export type SupportFile = z.infer<typeof SupportFile>;

export const ConversationMessage = z.object({
  /** Place in the conversation. */
  seq: z.int(),
  /** Counter of the conversation when the message was last changed. */
  version: z.int(),
  author: z.enum(messageAuthors),
  kind: z.enum(messageKinds),
  /** Empty for events and deleted messages. Plain text; never HTML. */
  body: z.string(),
  file: SupportFile.nullable(),
  /** `subject`: the assignee, the end of snoozing, the rating, or the number of the conversation that was merged. */
  event: z.object({ type: z.enum(conversationEvents), subject: z.string() }).nullable(),
  /** Who wrote it or did it; null: the visitor, the program, or a person who was deleted. */
  agent: Person.nullable(),
  clientId: z.string().nullable(),
  at: moment,
  editedAt: moment.nullable(),
  deletedAt: moment.nullable(),
});
export type ConversationMessage = z.infer<typeof ConversationMessage>;

export const Conversation = z.object({
  id: rowId,
  /** Counted per site. */
  number: z.int(),
  kind: z.enum(conversationKinds),
  state: z.enum(conversationStates),
  priority: z.enum(conversationPriorities),
  tags: z.array(z.string()),
  subject: z.string(),
  language: z.string(),
  visitor: z.object({ id: rowId, name: z.string(), email: z.string(), country: z.string(), online: z.boolean() }),
  assignee: Person.nullable(),
  startedAt: moment,
  firstReplyAt: moment.nullable(),
  resolvedAt: moment.nullable(),
  snoozedUntil: moment.nullable(),
  /** Since when the visitor waits for an answer; null: answered. */
  waitingSince: moment.nullable(),
  /** When the visitor who waits should have an answer: once the site has been open for its time to answer. null: nobody waits, or it never opens for that long. */
  answerDueAt: moment.nullable(),
  lastMessageAt: moment,
  lastMessage: z.object({ author: z.enum(messageAuthors), kind: z.enum(messageKinds), text: z.string() }).nullable(),
  /** Messages of the visitor that no agent has read. */
  unread: z.int(),
  /** Last messages that agents and visitor have read. */
  agentReadSeq: z.int(),
  visitorReadSeq: z.int(),
  rating: z.int().nullable(),
  ratingComment: z.string(),
  /** Counter of the conversation: `after` of a later read of messages. */
  version: z.int(),
  /** Counter of the site when the conversation was last changed. */
  change: z.int(),
  removed: z.boolean(),
});
export type Conversation = z.infer<typeof Conversation>;

export const Agent = Person.extend({
  status: z.enum(agentStatuses),
  online: z.boolean(),
  /** Conversation that is open in the agent's console, and whether an answer is being typed. */
  viewing: rowId.nullable(),
  typing: z.boolean(),
  /** Active conversations assigned to the agent. */
  active: z.int(),
});
export type Agent = z.infer<typeof Agent>;

export const SupportOverview = z.object({
  mode: z.enum(supportModes),
  open: z.boolean(),
  awayReason: z.enum(awayReasons).nullable(),
  pausedUntil: moment.nullable(),
  /** When the hours next open or close; null: never. */
  changesAt: moment.nullable(),
  counts: z.record(z.enum(conversationLists), z.int()),
  unread: z.int(),
  /** Minutes after which a visitor who waits is overdue. */
  replyMinutes: z.int(),
  agents: z.array(Agent),
  tags: z.array(z.string()),
  /** Whether the pages are delivered here, so that the widget needs no snippet. */
  delivered: z.boolean(),
  /** Tag for pages hosted elsewhere. */
  snippet: z.string(),
  /** Counter of the site: `after` of a later read of changes. */
  change: z.int(),
});
export type SupportOverview = z.infer<typeof SupportOverview>;

export const VisitorDetails = z.strictObject({
  name: safeText(supportLimits.name),
  email: Email,
  phone: safeText(supportLimits.phone),
  wechat: safeText(supportLimits.wechat),
  company: safeText(supportLimits.company),
  tags: Tags,
  note: safeText(supportLimits.note),
});
export type VisitorDetails = z.output<typeof VisitorDetails>;

/** The visitor beside a conversation. What comes from analytics and the crawler is null for readers who may not see it there. */
export const SupportVisitor = VisitorDetails.extend({
  id: rowId,
  /** Answers to further questions, by label. */
  custom: z.record(z.string(), z.string()),
  country: z.string(),
  region: z.string(),
  city: z.string(),
  /** Truncated after 30 days. */
  address: z.string(),
  browser: z.string(),
  system: z.string(),
  device: z.string(),
  language: z.string(),
  firstSeenAt: moment,
  lastSeenAt: moment,
  online: z.boolean(),
  blocked: z.boolean(),
  page: z.object({ url: z.string(), title: z.string(), at: moment }).nullable(),
  source: z.object({ landing: z.string(), referrer: z.string(), campaign: z.string(), medium: z.string(), channel: z.string() }),
  pages: z.array(z.object({ at: moment, url: z.string(), title: z.string(), seconds: z.int().nullable() })).nullable(),
  visits: z.int().nullable(),
  conversations: z.array(z.object({ id: rowId, number: z.int(), state: z.enum(conversationStates), subject: z.string(), startedAt: moment, text: z.string() })),
  issues: z.array(z.object({ rule: z.string(), severity: z.string(), count: z.int() })).nullable(),
});
export type SupportVisitor = z.infer<typeof SupportVisitor>;
