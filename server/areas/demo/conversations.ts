import type { ConversationKind } from '../../../contract/support/terms';
import type { Context } from '../../context';
import type { HitRow } from '../../collect/row';
import { HOUR, MINUTE } from '../../zone';
import { addVisitor, appendFromAgent, appendFromVisitor, installSupport, rateConversation, startConversation, updateVisitor } from '../support';
import { agents, demoHost } from './audience';
import type { Bilingual } from './records';
import { demoDays, demoHits } from './traffic';
import { networks } from './visits';

type DemoMessage = {
  readonly by: 'visitor' | 'agent' | 'note';
  /** Minutes after the previous message. */
  readonly after: number;
  /** Notes are in the language of the owner. */
  readonly text: string | Bilingual;
};
type DemoConversation = {
  readonly daysAgo: number;
  readonly city: 'Shanghai' | 'Chengdu' | 'Guangzhou' | 'London';
  readonly language: 'zh-Hans' | 'en';
  readonly name: string;
  readonly email?: string;
  readonly kind?: ConversationKind;
  readonly subject?: string;
  readonly spam?: true;
  readonly text: string;
  readonly messages: readonly DemoMessage[];
  /** A rated conversation was resolved with its last answer. */
  readonly rating?: { readonly stars: number; readonly comment: string };
};

const conversations: readonly DemoConversation[] = [
  {
    daysAgo: 3,
    city: 'Shanghai',
    language: 'zh-Hans',
    name: '林晓',
    text: '专业版可以在几台设备上用？',
    messages: [
      { by: 'agent', after: 2, text: '不限设备，登录同一个账号就会同步。' },
      { by: 'visitor', after: 9, text: '手机和电脑都装好了，谢谢！' },
      { by: 'agent', after: 1, text: '不客气，有问题随时找我们。' },
    ],
    rating: { stars: 5, comment: '回复很快' },
  },
  {
    daysAgo: 2,
    city: 'London',
    language: 'en',
    name: 'Emma Clarke',
    email: 'emma.clarke@demo.example',
    text: 'Hi! Can I bring my notes over from Evernote?',
    messages: [
      { by: 'agent', after: 4, text: 'Yes: Settings → Import reads .enex files, pictures included.' },
      { by: 'note', after: 1, text: { zh: '约 3000 条笔记，明天问她导入结果。', en: 'About 3,000 notes. Ask her tomorrow how the import went.' } },
      { by: 'visitor', after: 6, text: 'Great, the first notebook is in. Do tags come along too?' },
      { by: 'agent', after: 2, text: 'They do, and nested tags become folders if you tick the box.' },
    ],
  },
  {
    daysAgo: 1,
    city: 'Guangzhou',
    language: 'zh-Hans',
    name: '代办发票',
    spam: true,
    text: '各类发票代办，需要的加微信。',
    messages: [],
  },
  {
    daysAgo: 1,
    city: 'London',
    language: 'en',
    name: 'Oliver Hughes',
    email: 'oliver.hughes@demo.example',
    kind: 'form',
    subject: 'Licences for a school',
    text: 'We are a school with 40 teachers. Is there a discount, and can we pay by invoice?',
    messages: [],
  },
  {
    daysAgo: 0,
    city: 'Chengdu',
    language: 'zh-Hans',
    name: '陈磊',
    text: '付款成功了，但账号还是免费版。',
    messages: [{ by: 'visitor', after: 1, text: '订单是今天上午付的，尾号 8842。' }],
  },
];

type Owner = {
  readonly site: { readonly id: string; readonly timeZone: string };
  readonly userId: string;
  readonly say: (zh: string, en: string) => string;
};

const addressOf = ({ host, path, query }: HitRow): string => `https://${host === '' ? demoHost : host}${path}${query === '' ? '' : `?${query}`}`;

/** Page views of a generated visitor from the city, of that day or the day before, so that the pane beside the conversation shows pages. */
function visitOf(siteId: string, { daysAgo, city }: DemoConversation, now: number): { readonly first: HitRow; readonly last: HitRow } | null {
  const views = [daysAgo + 1, daysAgo]
    .flatMap((ago) => demoHits(siteId, demoDays - 1 - ago, now))
    .filter(({ kind, bot_score: score }) => kind === 'view' && score === 0);
  const last = views.findLast((view) => view.city === city) ?? views.at(-1);
  const first = views.find((view) => view.visitor_id === last?.visitor_id);
  return first && last ? { first, last } : null;
}

async function addConversation(ctx: Context, { site, userId, say }: Owner, one: DemoConversation, number: number): Promise<void> {
  const now = ctx.now();
  const visit = visitOf(site.id, one, now);
  if (!visit) return;
  const { first, last } = visit;
  // The same ids if the step is repeated, so that nothing is stored twice. They cannot be guessed: one is the visitor's token.
  const idOf = (part: string): string => ctx.secrets.mac('demo conversations', `${site.id} ${number} ${part}`);
  let at = Math.min(last.at + MINUTE, now - 2 * HOUR);
  const past = (): Context => ({ ...ctx, now: () => at });
  const page = { url: addressOf(last), title: last.title };
  const source = {
    landing: addressOf(first),
    referrer: first.ref_url,
    campaign: first.utm_campaign,
    medium: first.utm_medium,
    channel: first.source_type,
  };
  const about = {
    address: `${networks[one.city] ?? ''}.${20 + number}`,
    userAgent: agents[0]?.agent ?? '',
    language: one.language,
    analyticsId: last.visitor_id,
  };
  const added = await addVisitor(past(), { siteId: site.id, ...about, source, page }, idOf('visitor'));
  const visitor = await updateVisitor(past(), added, { name: one.name, email: one.email ?? '' });
  const { language, kind = 'chat', subject = '', text, spam = false, messages, rating } = one;
  const start = { clientId: idOf('start'), kind, messageId: idOf('first'), body: text, subject, language, page, delaySeconds: 60, blocked: spam };
  const { conversation } = await startConversation(past(), visitor, start);
  const { id: conversationId, siteId } = conversation;
  for (const [index, sent] of messages.entries()) {
    at += sent.after * MINUTE;
    const body = typeof sent.text === 'string' ? sent.text : say(sent.text.zh, sent.text.en);
    const message = { siteId, conversationId, clientId: idOf(`message ${index}`), body };
    const isLast = index === messages.length - 1;
    if (sent.by === 'visitor') await appendFromVisitor(past(), { ...message, kind: 'text', delaySeconds: 60, blocked: false });
    else await appendFromAgent(past(), { ...message, kind: sent.by === 'note' ? 'note' : 'text', agentId: userId, resolve: isLast && rating !== undefined });
  }
  at += MINUTE;
  if (rating) await rateConversation(past(), conversation, rating.stars, rating.comment);
}

/** Conversations of the demo site: answered, waiting, unread, a form and spam, in both languages. May be repeated. */
export async function addConversations(ctx: Context, owner: Owner): Promise<void> {
  // Nobody is notified of visitors who do not exist.
  await installSupport(ctx, owner.site, { mode: 'builtin', notify: { contacts: false, overdue: false, delaySeconds: 60, webhook: null } });
  for (const [number, one] of conversations.entries()) await addConversation(ctx, owner, one, number);
}
