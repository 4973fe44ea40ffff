import { z } from 'zod';
import { endpoint } from '../endpoint';
import { mostRows } from '../page';
import { SiteId } from '../sites/schemas';
import { rowId, safeName, safeText } from '../text';
import { supportCalls } from './calls';
import {
  Agent,
  ClientId,
  Conversation,
  ConversationMessage,
  MessageBody,
  SupportFile,
  SupportOverview,
  SupportVisitor,
  Tags,
  VisitorDetails,
} from './conversations';
import { CannedReply, CannedReplyInput, Statistics, SupportBlock, SupportBlockInput, SupportSettings, SupportSettingsInput } from './settings';
import { agentStatuses, bulkActions, conversationLists, conversationPriorities, supportLimits } from './terms';

const moment = z.iso.datetime();
const Seq = z.coerce.number().int().min(0).max(2_147_483_647);
const VisitorChange = VisitorDetails.partial();

const ConversationChange = z.strictObject({
  state: z.enum(['open', 'snoozed', 'resolved', 'spam']).optional(),
  /** With the state `snoozed`. */
  snoozedUntil: moment.optional(),
  /** With the states `resolved` and `snoozed`: the last place that the caller has seen; `conflict` if the visitor has written since. */
  readSeq: z.int().min(0).optional(),
  assignee: rowId.nullable().optional(),
  /** The request fails with `conflict` if the conversation has another assignee. */
  expectedAssignee: rowId.nullable().optional(),
  priority: z.enum(conversationPriorities).optional(),
  tags: Tags.optional(),
  subject: safeText(supportLimits.topic).optional(),
});
export type ConversationChange = z.output<typeof ConversationChange>;

const SendMessage = z.strictObject({
  clientId: ClientId,
  kind: z.enum(['text', 'note', 'file']).default('text'),
  body: safeText(supportLimits.message).default(''),
  fileId: rowId.optional(),
  /** Last place that the sender has seen: what the visitor wrote after it stays unread, and the conversation open. Absent: everything was seen. */
  readSeq: Seq.optional(),
  /** The canned reply that was used, for its usage count. */
  cannedId: rowId.optional(),
  /** Also resolves the conversation, unless something in it is unread. */
  resolve: z.boolean().default(false),
});

const Params = z.object({ siteId: SiteId });
const IdParams = Params.extend({ id: rowId });
const MessageParams = IdParams.extend({ seq: Seq });
const Period = z.object({ from: z.iso.date(), to: z.iso.date() });
const read = { access: { site: 'support.read' }, token: 'support:read' } as const;
const reply = { access: { site: 'support.reply' }, token: 'support:write' } as const;
const configure = { access: { site: 'support.configure' } } as const;

export const supportEndpoints = {
  support: endpoint(supportCalls.support, {
    ...read,
    summary: 'Customer service of a site: whether visitors are answered, counts of its lists, and agents',
    params: Params,
    response: SupportOverview,
  }),
  supportConversations: endpoint(supportCalls.supportConversations, {
    ...read,
    summary: 'Conversations of a list, latest activity first, a page at a time by cursor',
    params: Params,
    query: z.object({
      list: z.enum(conversationLists).default('all'),
      assignee: rowId.optional(),
      tag: z.string().max(supportLimits.tag).optional(),
      priority: z.enum(conversationPriorities).optional(),
      visitor: rowId.optional(),
      /** Search text for names, addresses, `#number` and messages; covers all lists but spam. */
      q: z.string().trim().max(100).optional(),
      before: z.string().max(80).optional(),
      size: z.coerce.number().int().min(1).max(mostRows).default(30),
    }),
    response: z.object({
      rows: z.array(Conversation),
      next: z.string().nullable(),
      /** Number of conversations, those that began last, to which a search for single letters is limited; null: all were searched. */
      searched: z.int().nullable(),
    }),
    errors: ['bad_request', 'too_slow'],
  }),
  supportChanges: endpoint(supportCalls.supportChanges, {
    ...read,
    summary: 'Conversations that changed after a counter of the site, in the order of their changes',
    params: Params,
    query: z.object({ after: z.coerce.number().int().min(0), size: z.coerce.number().int().min(1).max(mostRows).default(100) }),
    response: z.object({ rows: z.array(Conversation), change: z.int(), more: z.boolean() }),
  }),
  supportConversation: endpoint(supportCalls.supportConversation, { ...read, summary: 'A conversation', params: IdParams, response: Conversation }),
  changeSupportConversation: endpoint(supportCalls.changeSupportConversation, {
    ...reply,
    summary: 'Assign, snooze, resolve, reopen, mark as spam, tag or prioritize a conversation',
    params: IdParams,
    body: ConversationChange,
    response: Conversation,
    errors: ['invalid_fields', 'conflict'],
  }),
  transferSupportConversation: endpoint(supportCalls.transferSupportConversation, {
    ...reply,
    summary: 'Pass a conversation to another agent, with a note',
    params: IdParams,
    body: z.strictObject({ to: rowId, note: safeText(supportLimits.message).default(''), clientId: ClientId }),
    response: Conversation,
    errors: ['invalid_fields', 'conflict'],
  }),
  mergeSupportConversations: endpoint(supportCalls.mergeSupportConversations, {
    ...reply,
    summary: 'Move the messages of another conversation of the same visitor into this one',
    params: IdParams,
    body: z.strictObject({ from: rowId }),
    response: Conversation,
    errors: ['invalid_fields', 'conflict'],
  }),
  changeSupportConversations: endpoint(supportCalls.changeSupportConversations, {
    ...reply,
    summary: 'One action on several conversations; removed ones can be restored for an hour',
    params: Params,
    body: z.strictObject({
      ids: z.array(rowId).min(1).max(supportLimits.bulk),
      action: z.enum(bulkActions),
      assignee: rowId.nullable().optional(),
      /** With the action `resolve`, by conversation: the last place that the caller has seen. One without an entry counts as seen. */
      readSeqs: z
        .record(rowId, z.int().min(0))
        .refine((seqs) => Object.keys(seqs).length <= supportLimits.bulk, 'too_long')
        .optional(),
    }),
    response: z.object({
      changed: z.array(rowId),
      /** Conversations that were not resolved, because the visitor has written since. */
      unseen: z.array(z.object({ id: rowId, number: z.int() })),
    }),
    errors: ['invalid_fields'],
  }),
  supportMessages: endpoint(supportCalls.supportMessages, {
    ...read,
    summary: 'Messages of a conversation: changed after a version, in its order; or those before a place, latest first',
    params: IdParams,
    query: z.object({ after: Seq.optional(), before: Seq.optional(), size: z.coerce.number().int().min(1).max(200).default(100) }),
    response: z.object({ rows: z.array(ConversationMessage), version: z.int(), more: z.boolean() }),
  }),
  sendSupportMessage: endpoint(supportCalls.sendSupportMessage, {
    ...reply,
    summary: 'Answer, or add a note or a file; sending the same client id again returns the stored message',
    params: IdParams,
    body: SendMessage,
    response: ConversationMessage,
    errors: ['invalid_fields', 'conflict'],
  }),
  editSupportMessage: endpoint(supportCalls.editSupportMessage, {
    ...reply,
    summary: 'Edit an own message or note within fifteen minutes',
    params: MessageParams,
    body: z.strictObject({ body: MessageBody }),
    response: ConversationMessage,
    errors: ['immutable', 'forbidden'],
  }),
  removeSupportMessage: endpoint(supportCalls.removeSupportMessage, {
    ...reply,
    summary: 'Delete an own message or note within fifteen minutes',
    params: MessageParams,
    response: ConversationMessage,
    errors: ['immutable', 'forbidden'],
  }),
  markSupportRead: endpoint(supportCalls.markSupportRead, {
    ...reply,
    summary: 'Mark messages up to a place as read',
    params: IdParams,
    body: z.strictObject({ seq: z.int().min(0) }),
    response: z.object({ unread: z.int() }),
  }),
  uploadSupportFile: endpoint(supportCalls.uploadSupportFile, {
    ...reply,
    summary: 'Upload an image, PDF or text file for a message; its type is found in its content',
    params: IdParams,
    body: z.strictObject({ name: safeName(supportLimits.fileName), /** base64 */ bytes: z.base64().max(14_000_000) }),
    bodyLimit: 14_100_000,
    response: SupportFile,
    errors: ['unsupported_media_type', 'too_large', 'conflict'],
  }),
  supportFile: endpoint(supportCalls.supportFile, {
    ...read,
    summary: 'A file of a conversation, as a download',
    params: IdParams,
    query: z.object({ inline: z.literal('1').optional() }),
    kind: 'file',
    errors: ['not_found'],
  }),
  supportTranscript: endpoint(supportCalls.supportTranscript, {
    ...read,
    summary: 'The messages of a conversation as a text file, with notes',
    params: IdParams,
    kind: 'file',
    errors: ['not_found'],
  }),
  supportVisitor: endpoint(supportCalls.supportVisitor, {
    ...read,
    summary: 'The visitor of a conversation: pages, source, place, device, earlier conversations, and issues of the page that is open',
    params: IdParams,
    response: SupportVisitor,
  }),
  changeSupportVisitor: endpoint(supportCalls.changeSupportVisitor, {
    ...reply,
    summary: 'Change what is known about a visitor',
    params: IdParams,
    body: VisitorChange,
    response: VisitorDetails,
    errors: ['invalid_fields'],
  }),
  removeSupportVisitor: endpoint(supportCalls.removeSupportVisitor, {
    ...configure,
    proven: true,
    summary: 'Erase a visitor with all conversations and files, for good',
    params: IdParams,
  }),
  supportPresence: endpoint(supportCalls.supportPresence, {
    ...reply,
    summary: 'Tell that the console is open, what it shows and whether an answer is being typed; returns the agents',
    params: Params,
    body: z.strictObject({
      status: z.enum(agentStatuses).optional(),
      viewing: rowId.nullable().default(null),
      typing: z.boolean().default(false),
      leaving: z.boolean().default(false),
    }),
    response: z.array(Agent),
  }),
  pauseSupport: endpoint(supportCalls.pauseSupport, {
    ...reply,
    summary: 'Pause customer service until a time, as if nobody were there; null ends the pause',
    params: Params,
    body: z.strictObject({ until: moment.nullable() }),
    response: z.object({ pausedUntil: moment.nullable() }),
    errors: ['invalid_fields'],
  }),
  supportSettings: endpoint(supportCalls.supportSettings, { ...configure, summary: 'Settings of customer service', params: Params, response: SupportSettings }),
  changeSupportSettings: endpoint(supportCalls.changeSupportSettings, {
    ...configure,
    ifMatch: 'required',
    summary: 'Change the settings of customer service; changing the code of an external service needs a proof',
    params: Params,
    body: SupportSettingsInput,
    bodyLimit: supportLimits.settings,
    response: SupportSettings,
    errors: ['stale_revision', 'invalid_fields', 'reauth_required'],
  }),
  testSupportWebhook: endpoint(supportCalls.testSupportWebhook, {
    ...configure,
    summary: 'Send a test message to the webhook',
    params: Params,
    response: z.object({ delivered: z.boolean(), detail: z.string() }),
    ratePerMinute: 10,
    errors: ['conflict'],
  }),
  cannedReplies: endpoint(supportCalls.cannedReplies, {
    ...read,
    summary: 'Canned replies of the site and the caller’s own, most used first',
    params: Params,
    response: z.array(CannedReply),
  }),
  addCannedReply: endpoint(supportCalls.addCannedReply, {
    ...reply,
    summary: 'Add a canned reply; those of the site need the permission to configure',
    params: Params,
    body: CannedReplyInput,
    response: CannedReply,
    errors: ['invalid_fields', 'forbidden', 'conflict'],
  }),
  changeCannedReply: endpoint(supportCalls.changeCannedReply, {
    ...reply,
    ifMatch: 'required',
    summary: 'Change a canned reply',
    params: IdParams,
    body: CannedReplyInput,
    response: CannedReply,
    errors: ['invalid_fields', 'forbidden', 'stale_revision'],
  }),
  removeCannedReply: endpoint(supportCalls.removeCannedReply, { ...reply, summary: 'Remove a canned reply', params: IdParams, errors: ['forbidden'] }),
  restoreCannedReply: endpoint(supportCalls.restoreCannedReply, {
    ...reply,
    summary: 'Restore a canned reply that the caller removed within the last hour',
    params: IdParams,
    response: CannedReply,
    errors: ['place_taken', 'conflict'],
  }),
  supportBlocks: endpoint(supportCalls.supportBlocks, {
    ...reply,
    token: 'support:read',
    summary: 'Blocked networks, visitors and addresses',
    params: Params,
    response: z.array(SupportBlock),
  }),
  addSupportBlock: endpoint(supportCalls.addSupportBlock, {
    ...reply,
    summary: 'Block a network, a visitor or an e-mail address',
    params: Params,
    body: SupportBlockInput,
    response: SupportBlock,
    errors: ['invalid_fields', 'conflict'],
  }),
  removeSupportBlock: endpoint(supportCalls.removeSupportBlock, { ...reply, summary: 'Remove a block', params: IdParams }),
  restoreSupportBlock: endpoint(supportCalls.restoreSupportBlock, {
    ...reply,
    summary: 'Restore a block that the caller removed within the last hour',
    params: IdParams,
    response: SupportBlock,
    errors: ['place_taken', 'conflict'],
  }),
  supportStatistics: endpoint(supportCalls.supportStatistics, {
    ...read,
    summary: 'First answers, resolution, ratings and load by hour, in the site’s time zone',
    params: Params,
    query: Period,
    response: Statistics,
    errors: ['range_not_allowed'],
  }),
  exportSupport: endpoint(supportCalls.exportSupport, {
    ...reply,
    token: 'support:read',
    summary: 'All conversations that started in a period, as CSV',
    params: Params,
    query: Period,
    kind: 'file',
    errors: ['range_not_allowed', 'unavailable'],
  }),
} as const;
