import { randomUUID } from 'node:crypto';
import { expect } from '@jest/globals';
import type { Conversation, ConversationMessage } from '../../contract/support/conversations';
import type { SupportSettings } from '../../contract/support/settings';
import type { Site } from '../../contract/sites/schemas';
import { addVisitor, appendFromVisitor, startConversation } from '../../server/areas/support';
import type { ConversationRow, VisitorRow } from '../../server/areas/support';
import { makeToken } from '../../server/kit/tokens';
import { dataOf, makeTestAppWithFolder } from '../support/app';
import type { Person, TestAppOptions } from '../support/app';
import { personOn } from './tablesLifeSupport';

const source = { landing: '/', referrer: 'https://www.baidu.com/', campaign: '', medium: '', channel: 'search' };

export type SupportFixture = Awaited<ReturnType<typeof makeSupportFixture>>;

/** A site with agents, and what visitors do. */
export async function makeSupportFixture(options: TestAppOptions = {}) {
  const program = await makeTestAppWithFolder(options);
  const owner = await program.signUpOwner();
  const site = await program.makeSite(owner);
  const agent = await personOn(program, site, 'support');
  const { ctx } = program;

  const visitor = (details: Partial<VisitorRow> = {}): Promise<VisitorRow> => {
    const { siteId = site.id, analyticsId = null, page: _page, ...others } = details;
    const page = { url: 'https://tea.example/products/spring?utm=1', title: '春茶' };
    const values = { address: '203.0.113.9', userAgent: 'Mozilla/5.0', language: 'zh-Hans', source, page, ...others };
    return addVisitor(ctx, { ...values, siteId, analyticsId }, makeToken());
  };
  const start = async (by: VisitorRow, body: string, extra: { kind?: 'chat' | 'form'; blocked?: boolean; clientId?: string; subject?: string } = {}) =>
    startConversation(ctx, by, {
      clientId: randomUUID(),
      kind: 'chat' as const,
      messageId: randomUUID(),
      subject: '',
      language: 'zh-Hans',
      delaySeconds: 60,
      blocked: false,
      page: { url: 'https://tea.example/products/spring?utm=1', title: '春茶' },
      body,
      ...extra,
    });
  const write = ({ siteId, id }: Pick<ConversationRow, 'siteId' | 'id'>, body: string, clientId: string = randomUUID()) =>
    appendFromVisitor(ctx, { siteId, conversationId: id, clientId, kind: 'text', body, delaySeconds: 60, blocked: false });

  const at = (path: string, of: Pick<Site, 'id'> = site) => `/api/site/${of.id}/cs${path}`;
  const conversation = async (id: string, by: Person = agent) => dataOf<Conversation>(await by.get(at(`/conversations/${id}`)));
  const list = async (query: string, by: Person = agent) =>
    dataOf<{ rows: Conversation[]; next: string | null; searched: number | null }>(await by.get(at(`/conversations?${query}`)));
  const bodies = (rows: readonly ConversationMessage[]) => rows.map(({ kind, body, event }) => (kind === 'event' ? `*${event?.type ?? ''}` : body));
  const messages = async (id: string, after = 0, by: Person = agent) =>
    dataOf<{ rows: ConversationMessage[]; version: number; more: boolean }>(await by.get(at(`/conversations/${id}/messages?after=${after}`)));
  const reply = (id: string, body: string, extra: object = {}, by: Person = agent) =>
    by.send('POST', at(`/conversations/${id}/messages`), { clientId: randomUUID(), body, ...extra });
  const change = (id: string, body: object, by: Person = agent) => by.send('PATCH', at(`/conversations/${id}`), body);
  const settings = async () => dataOf<SupportSettings>(await owner.get(at('/settings')));
  /** Settings with a change; the status of the response. */
  async function configure(next: object, by: Person = owner) {
    const { hasWebhookSecret: _secret, recipients: _recipients, mail: _mail, revision, ...current } = await settings();
    return by.send('PUT', at('/settings'), { ...current, ...next }, { 'if-match': `"${revision}"` });
  }
  /** The refusal of a response: its code and the fields. */
  const refusal = (response: { json: () => unknown }) => {
    const { code, fields = {} } = response.json() as { code: string; fields?: Record<string, { code: string }> };
    return [code, ...Object.entries(fields).map(([name, field]) => `${name}:${field.code}`)].join(' ');
  };
  const expectOk = (response: { statusCode: number; body: string }) =>
    expect([response.statusCode < 300, response.statusCode < 300 ? '' : response.body]).toEqual([true, '']);
  return {
    program,
    ctx,
    owner,
    site,
    agent,
    visitor,
    start,
    write,
    at,
    conversation,
    list,
    bodies,
    messages,
    reply,
    change,
    settings,
    configure,
    refusal,
    expectOk,
  };
}
