import type { Conversation, ConversationMessage, SupportOverview, SupportVisitor } from '@contract/support/conversations';
import { site, user } from './factories';

/** Ids of rows are UUIDs. */
export const supportId = (n: number): string => `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`;
export const supportPath = `/api/site/${site().id}/cs`;
const at = '2026-11-20T08:00:00.000Z';

export const supportOverview = (change: Partial<SupportOverview> = {}): SupportOverview => ({
  mode: 'builtin',
  open: true,
  awayReason: null,
  pausedUntil: null,
  changesAt: null,
  counts: { mine: 1, unassigned: 2, all: 3, forms: 1, snoozed: 0, resolved: 4, spam: 0 },
  unread: 0,
  replyMinutes: 30,
  agents: [
    { id: user().id, name: 'Lin', status: 'available', online: true, viewing: null, typing: false, active: 1 },
    { id: supportId(77), name: 'Ada', status: 'available', online: true, viewing: null, typing: false, active: 2 },
  ],
  tags: [],
  delivered: false,
  snippet: '<script src="https://console.example/_cs/widget.js" async></script>',
  change: 10,
  ...change,
});

export const conversation = (change: Partial<Conversation> = {}): Conversation => ({
  id: supportId(101),
  number: 12,
  kind: 'chat',
  state: 'open',
  priority: 'normal',
  tags: [],
  subject: '',
  language: 'en',
  visitor: { id: supportId(501), name: 'Mei', email: 'mei@tea.example', country: 'CN', online: true },
  assignee: null,
  startedAt: at,
  firstReplyAt: null,
  resolvedAt: null,
  snoozedUntil: null,
  waitingSince: at,
  answerDueAt: null,
  lastMessageAt: at,
  lastMessage: { author: 'visitor', kind: 'text', text: 'Do you ship to Oslo?' },
  unread: 1,
  agentReadSeq: 0,
  visitorReadSeq: 0,
  rating: null,
  ratingComment: '',
  version: 1,
  change: 10,
  removed: false,
  ...change,
});

export const supportMessage = (change: Partial<ConversationMessage> = {}): ConversationMessage => ({
  seq: 1,
  version: 1,
  author: 'visitor',
  kind: 'text',
  body: 'Do you ship to Oslo?',
  file: null,
  event: null,
  agent: null,
  clientId: 'visitor-1',
  at,
  editedAt: null,
  deletedAt: null,
  ...change,
});

export const supportVisitor = (change: Partial<SupportVisitor> = {}): SupportVisitor => ({
  id: supportId(501),
  name: 'Mei',
  email: 'mei@tea.example',
  phone: '',
  wechat: '',
  company: '',
  tags: [],
  note: '',
  custom: {},
  country: 'CN',
  region: 'Zhejiang',
  city: 'Hangzhou',
  address: '203.0.113.7',
  browser: 'Firefox',
  system: 'Linux',
  device: 'desktop',
  language: 'en',
  firstSeenAt: at,
  lastSeenAt: at,
  online: true,
  blocked: false,
  page: { url: 'https://tea.example/green', title: 'Green tea', at },
  source: { landing: 'https://tea.example/', referrer: 'https://search.example/', campaign: '', medium: '', channel: 'search' },
  pages: [
    { at, url: 'https://tea.example/', title: 'Home', seconds: 31 },
    { at: '2026-11-20T08:01:00.000Z', url: 'https://tea.example/green', title: 'Green tea', seconds: null },
  ],
  visits: 3,
  conversations: [{ id: supportId(90), number: 4, state: 'resolved', subject: '', startedAt: at, text: 'Where is my order?' }],
  issues: [{ rule: 'title_missing', severity: 'error', count: 1 }],
  ...change,
});
