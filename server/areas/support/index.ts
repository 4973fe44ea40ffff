import type { FastifyInstance } from 'fastify';
import { supportEndpoints as endpoints } from '../../../contract/support/schemas';
import type { Context } from '../../context';
import { asDownload, downloadPlaces } from '../../http/download';
import { fail } from '../../http/failure';
import { route } from '../../http/route';
import type { CallOf, ResponseOf } from '../../http/route';
import { DAY, HOUR, MINUTE } from '../../zone';
import type { Area, FiguredSite } from '../area';
import { noticeGoneAgents, tellPresence } from './agents';
import { addBlock, listBlocks, removeBlock, restoreBlock } from './blocks';
import { addCanned, changeCanned, listCanned, removeCanned, restoreCanned } from './canned';
import { changeConversation, changeSeveral, mergeConversations, sendMessage, transferConversation } from './changes';
import { markAgentRead } from './conversations';
import { exportConversations } from './exporting';
import { fileKey, findFile, storeFile, sweepFiles } from './files';
import { listChanges, listConversations, readConversation, unreadOfSites } from './lists';
import { changeMessage, readAfter } from './messages';
import { sendDueNotices, wakeSnoozed } from './notices';
import { sendOverdueNotices } from './overdue';
import { erasePerson, exportPerson } from './personalData';
import { unassignLeavers, watchPeople } from './leavers';
import * as queries from './queries';
import { fileResponse, messageResponse } from './responses';
import { completeSettings } from './settings';
import { changeSettings, pause, readOverview, readSettings, testWebhook } from './settingsCalls';
import { startSearchIndexes } from './searchIndexes';
import { readStatistics } from './statistics';
import { transcriptOf } from './transcript';
import { eraseRemoved, eraseVisitor, retain } from './upkeep';
import { changeVisitor, readVisitor } from './visitorPane';
import { findVisitorById } from './visitors';

/*
 * What calls of visitors use: visitors.ts (who the visitor is, by token; blocks), conversations.ts (start, mark read, rate), messages.ts (append, idempotent by
 * client id and committed when it resolves; read after a version), settings.ts (settings and whether somebody answers) and wakeups.ts (events that wake
 * streams, which then read rows).
 */
export { findConversationOf, markVisitorRead, rateConversation, startConversation } from './conversations';
export { fileKey, findFile, storeFile } from './files';
export { appendFromAgent, appendFromVisitor, readAfter } from './messages';
export type { MessagePage } from './messages';
export type { ConversationRow, MessageRow, VisitorRow } from './queries';
export { availabilityNow, forgetSupportLanguage, hasSupportTexts, installSupport, readAgentsSeen, readSettingsForVisitors, textsIn } from './settings';
export { addVisitor, conversationVersions, findSent, findStartOf, latestConversationOf, readBefore, seeVisitors, visitorTypes } from './visitorReads';
export { findVisitor, isBlocked, seeVisitor, updateVisitor } from './visitors';
export type { VisitorAnswers } from './visitors';
export { openWakeups } from './wakeups';
/** For dashboards. */
export { conversationPlaces, conversationsBetween, supportSummary } from './summary';

async function readMessages(
  ctx: Context,
  { site, params, query }: CallOf<typeof endpoints.supportMessages>,
): Promise<ResponseOf<typeof endpoints.supportMessages>> {
  const { db } = ctx.postgres;
  const conversation = (await queries.findConversation(db, site.id, params.id)) ?? fail('not_found');
  if (query.after !== undefined) {
    const { rows, version, more } = await readAfter(db, conversation, query.after, query.size);
    return { rows: rows.map(messageResponse), version, more };
  }
  const found = await queries.messagesBefore(db, conversation.id, query.before ?? null, query.size + 1);
  return { rows: found.slice(0, query.size).map(messageResponse), version: conversation.version, more: found.length > query.size };
}

async function uploadFile(
  ctx: Context,
  { site, params, body }: CallOf<typeof endpoints.uploadSupportFile>,
): Promise<ResponseOf<typeof endpoints.uploadSupportFile>> {
  const { db } = ctx.postgres;
  const conversation = (await queries.findConversation(db, site.id, params.id)) ?? fail('not_found');
  const { files } = completeSettings((await queries.findSettings(db, site.id))?.settings ?? null, site.row.timeZone);
  // What visitors may send is the site's choice; agents may always send files.
  const settings = { ...files, enabled: true };
  return fileResponse(
    await storeFile(ctx, settings, {
      siteId: site.id,
      conversationId: conversation.mergedInto ?? conversation.id,
      author: 'agent',
      name: body.name,
      bytes: Buffer.from(body.bytes, 'base64'),
    }),
  );
}

/** Files come from visitors: they are downloads, and only images, which were encoded here, may be shown in the console. */
async function sendFile(ctx: Context, { site, params, query, reply }: CallOf<typeof endpoints.supportFile>) {
  const file = (await findFile(ctx, site.id, params.id)) ?? fail('not_found');
  void asDownload(reply, file.name, file.contentType).headers({
    'content-security-policy': "default-src 'none'; sandbox",
    'content-length': String(file.size),
  });
  if (query.inline !== undefined && file.contentType.startsWith('image/'))
    void reply.headers({ 'content-disposition': 'inline', 'cache-control': 'private, max-age=3600' });
  return reply.send(ctx.files.read(fileKey(file)));
}

async function sendTranscript(ctx: Context, { site, params, session, locale, reply }: CallOf<typeof endpoints.supportTranscript>) {
  const { db } = ctx.postgres;
  const conversation = (await queries.findConversation(db, site.id, params.id)) ?? fail('not_found');
  const visitor = await findVisitorById(db, site.id, conversation.visitorId);
  const text = await transcriptOf(ctx, conversation, { visitorName: visitor?.name ?? '', siteName: site.row.name, locale, timeZone: session.timeZone });
  return asDownload(reply, `conversation-${conversation.number}.txt`, 'text/plain; charset=utf-8').send(text);
}

async function changeOne(
  ctx: Context,
  { site, session, params }: Pick<CallOf<typeof endpoints.removeSupportMessage>, 'site' | 'session' | 'params'>,
  body: string | null,
): Promise<ResponseOf<typeof endpoints.removeSupportMessage>> {
  return messageResponse(await changeMessage(ctx, { siteId: site.id, conversationId: params.id, seq: params.seq, agentId: session.userId, body }));
}

function registerConversations(app: FastifyInstance, ctx: Context): void {
  route(app, ctx, endpoints.support, (call) => readOverview(ctx, call));
  route(app, ctx, endpoints.supportConversations, ({ site, session, query: { before, size, ...filter } }) =>
    listConversations(ctx, { ...filter, siteId: site.id, userId: session.userId }, { before, size }),
  );
  route(app, ctx, endpoints.supportChanges, ({ site, query }) => listChanges(ctx, site.id, query));
  route(app, ctx, endpoints.supportConversation, ({ site, params }) => readConversation(ctx, site.id, params.id));
  route(app, ctx, endpoints.changeSupportConversation, (call) => changeConversation(ctx, call));
  route(app, ctx, endpoints.transferSupportConversation, (call) => transferConversation(ctx, call));
  route(app, ctx, endpoints.mergeSupportConversations, (call) => mergeConversations(ctx, call));
  route(app, ctx, endpoints.changeSupportConversations, (call) => changeSeveral(ctx, call));
  route(app, ctx, endpoints.supportMessages, (call) => readMessages(ctx, call));
  route(app, ctx, endpoints.sendSupportMessage, (call) => sendMessage(ctx, call));
  route(app, ctx, endpoints.editSupportMessage, (call) => changeOne(ctx, call, call.body.body));
  route(app, ctx, endpoints.removeSupportMessage, (call) => changeOne(ctx, call, null));
  route(app, ctx, endpoints.markSupportRead, async ({ site, params, body }) => ({ unread: await markAgentRead(ctx, site.id, params.id, body.seq) }));
  route(app, ctx, endpoints.uploadSupportFile, (call) => uploadFile(ctx, call));
  route(app, ctx, endpoints.supportFile, (call) => sendFile(ctx, call));
  route(app, ctx, endpoints.supportTranscript, (call) => sendTranscript(ctx, call));
}

function register(app: FastifyInstance, ctx: Context): void {
  // Files that one process writes at once.
  const exportPlace = downloadPlaces({ all: 8, each: 2 });
  registerConversations(app, ctx);
  route(app, ctx, endpoints.supportVisitor, (call) => readVisitor(ctx, call));
  route(app, ctx, endpoints.changeSupportVisitor, (call) => changeVisitor(ctx, call));
  route(app, ctx, endpoints.removeSupportVisitor, (call) => eraseVisitor(ctx, call));
  route(app, ctx, endpoints.supportPresence, (call) => tellPresence(ctx, call));
  route(app, ctx, endpoints.pauseSupport, (call) => pause(ctx, call));
  route(app, ctx, endpoints.supportSettings, ({ site }) => readSettings(ctx, site));
  route(app, ctx, endpoints.changeSupportSettings, (call) => changeSettings(ctx, call));
  route(app, ctx, endpoints.testSupportWebhook, (call) => testWebhook(ctx, call));
  route(app, ctx, endpoints.cannedReplies, (call) => listCanned(ctx, call));
  route(app, ctx, endpoints.addCannedReply, (call) => addCanned(ctx, call));
  route(app, ctx, endpoints.changeCannedReply, (call) => changeCanned(ctx, call));
  route(app, ctx, endpoints.removeCannedReply, (call) => removeCanned(ctx, call));
  route(app, ctx, endpoints.restoreCannedReply, (call) => restoreCanned(ctx, call));
  route(app, ctx, endpoints.supportBlocks, ({ site }) => listBlocks(ctx, site.id));
  route(app, ctx, endpoints.addSupportBlock, (call) => addBlock(ctx, call));
  route(app, ctx, endpoints.removeSupportBlock, (call) => removeBlock(ctx, call));
  route(app, ctx, endpoints.restoreSupportBlock, (call) => restoreBlock(ctx, call));
  route(app, ctx, endpoints.supportStatistics, (call) => readStatistics(ctx, call));
  route(app, ctx, endpoints.exportSupport, (call) => exportConversations(ctx, call, exportPlace));
}

/** A site without unread conversations has 0. */
async function unreadFigures(ctx: Context, sites: readonly FiguredSite[]): Promise<ReadonlyMap<string, { readonly unread: number }>> {
  const unread = await unreadOfSites(
    ctx,
    sites.map(({ id }) => id),
  );
  return new Map(sites.map(({ id }) => [id, { unread: unread.get(id) ?? 0 }]));
}

const second = 1000;

export const area: Area = {
  register,
  schedules: [
    { name: 'support.notices', every: 10 * second, run: sendDueNotices },
    { name: 'support.overdue', every: 30 * second, run: sendOverdueNotices },
    { name: 'support.snoozed', every: 30 * second, run: wakeSnoozed },
    { name: 'support.agents', every: 30 * second, run: noticeGoneAgents },
    { name: 'support.leavers', every: 30 * second, run: unassignLeavers },
    { name: 'support.removed', every: 10 * MINUTE, run: eraseRemoved },
    { name: 'support.retention', every: HOUR, run: retain },
    { name: 'support.files', every: DAY, run: sweepFiles },
  ],
  services: [watchPeople, startSearchIndexes],
  siteTopics: [{ kind: 'support', action: 'support.read', events: ['support', 'supportTyping', 'supportVisitor', 'supportAgents', 'supportSettings'] }],
  siteFigures: { source: 'support', action: 'support.read', token: 'support:read', read: unreadFigures },
  erasePerson,
  exportPerson,
};
