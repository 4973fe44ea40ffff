/**
 * What visitors' calls use:
 *
 * - visitors.ts       who the visitor is, by token; blocks
 * - conversations.ts  start, list, mark read, rate
 * - messages.ts       append (idempotent by client id; committed when it resolves) and read after a version
 * - settings.ts       what applies to a site and language now
 * - wakeups.ts        events that wake streams, which then read rows
 */
import { DAY } from '../../zone';
import type { Area } from '../area';
import { sweepFiles } from './files';

export { createVisitor, findVisitor, isBlocked, seeVisitor, updateVisitor, visitorGoneAfter } from './visitors';
export type { NewVisitor, VisitorAnswers } from './visitors';
export { countOpenOf, findConversationOf, listConversationsOf, markVisitorRead, rateConversation, startConversation } from './conversations';
export type { Start, Started } from './conversations';
export { appendFromVisitor, readAfter } from './messages';
export type { MessagePage, Outgoing, Sent } from './messages';
export { findFileOf, openFile, storeFile } from './files';
export { fileResponse, isForVisitor, messageResponse } from './responses';
export { effectiveSettings } from './settings';
export type { EffectiveSettings, SettingsSite } from './settings';
export { transcriptOf } from './transcript';
export {
  addVisitor,
  conversationVersions,
  findFile,
  findSent,
  findStartOf,
  latestConversationOf,
  markSpam,
  readBefore,
  readSupportSettings,
  seeVisitors,
  visitorTypes,
} from './visitorReads';
export { openWakeups } from './wakeups';
export type { Wakeup, Wakeups } from './wakeups';
export type { ConversationRow, FileRow, MessageRow, VisitorRow } from './queries';

export const area: Area = {
  register: () => undefined,
  schedules: [{ name: 'support.files', every: DAY, run: sweepFiles }],
  siteTopics: [{ kind: 'support', action: 'support.read', events: ['support', 'supportTyping', 'supportVisitor', 'supportAgents', 'supportSettings'] }],
};
