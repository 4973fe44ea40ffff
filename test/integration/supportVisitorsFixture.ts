import { createHash, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { get } from 'node:http';
import type { IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect } from '@jest/globals';
import { eq } from 'drizzle-orm';
import { challengeBits } from '../../contract/countryBlock/terms';
import { SupportSettingsInput } from '../../contract/support/settings';
import type { ConversationResponse, HelloResponse, VisitorMessage } from '../../contract/support/visitors';
import type { Site } from '../../contract/sites/schemas';
import { appendFromAgent } from '../../server/areas/support/messages';
import { supportConversations, supportMessages, supportSettings } from '../../server/areas/support/schema';
import { createEventReader } from '../../widget/sse';
import { makeDeliveringProgram } from '../support/deliveredSite';
import { until } from '../support/until';

type Options = { readonly method?: 'GET' | 'POST' | 'OPTIONS'; readonly headers?: Readonly<Record<string, string>>; readonly address?: string };
export type Answer = {
  readonly status: number;
  readonly data: unknown;
  readonly body: Readonly<Record<string, unknown>>;
  readonly headers: Readonly<Record<string, unknown>>;
};
export type VisitorsFixture = Awaited<ReturnType<typeof makeVisitorsFixture>>;

/** A solution of a task, as the widget sends it. */
export function solve(task: string): string {
  for (let number = 0; ; number += 1) {
    const digest = createHash('sha256')
      .update(`${task}.${String(number)}`)
      .digest();
    if (digest.readUInt32BE(0) >>> (32 - challengeBits) === 0) return `${task}.${String(number)}`;
  }
}

/** A delivered site with customer service, and visitors who reach it over HTTP. */
export async function makeVisitorsFixture(host: string) {
  const t = await makeDeliveringProgram({ config: { trustedProxies: ['loopback'] } });
  const { owner } = t;
  const site = await t.makeSite(owner, { name: '山间茶铺', slug: host.split('.')[0] ?? '', defaultLang: 'zh-Hans' });
  let addresses = 1;

  /** The delivery listener learns of a site through PostgreSQL. */
  const isServed = (name: string) => until(async () => (await t.visit(name, '/robots.txt')).statusCode === 200);

  async function configure({ id }: Site, settings: object = {}): Promise<void> {
    const { webhookSecret: _none, ...stored } = SupportSettingsInput.parse({ mode: 'builtin', hours: { timeZone: 'Asia/Shanghai' }, ...settings });
    await t.ctx.postgres.db
      .insert(supportSettings)
      .values({ siteId: id, settings: stored })
      .onConflictDoUpdate({ target: supportSettings.siteId, set: { settings: stored } });
    t.ctx.live.publish({ type: 'supportSettings', siteId: id });
  }

  async function call(path: string, body?: unknown, { method = 'POST', headers = {}, address = '198.51.100.1' }: Options = {}): Promise<Answer> {
    const response = await t.delivery.inject({
      method,
      url: `/_cs/${path}${path.includes('?') ? '&' : '?'}s=${site.id}`,
      headers: { host, 'x-forwarded-for': address, ...(body === undefined ? {} : { 'content-type': 'application/json' }), ...headers },
      ...(body === undefined ? {} : { payload: Buffer.isBuffer(body) ? body : JSON.stringify(body) }),
    });
    const parsed = (/json/.test(String(response.headers['content-type'])) ? JSON.parse(response.body) : {}) as Answer['body'];
    return { status: response.statusCode, data: parsed['data'], body: parsed, headers: response.headers };
  }

  /** A visitor with a browser of its own and, unless an address is given, an address of its own. */
  async function makeVisitor(address = `203.0.113.${String((addresses += 1))}`) {
    const hello = async () => (await call('hello', { language: 'zh-CN', url: `http://${host}/tea` }, { address })).data as HelloResponse;
    const { token, stamp } = await hello();
    const ask = (path: string, body?: unknown, options: Options = {}) =>
      call(path, body, { address, ...options, headers: { 'x-visitor': token, ...options.headers } });
    const fetchOne = (path: string, headers: Readonly<Record<string, string>> = {}) => ask(path, undefined, { method: 'GET', headers });
    const page = { url: `http://${host}/tea`, title: '绿茶', referrer: 'https://www.baidu.com/' };
    const startOf = (text: string, fields: object = {}) => ({
      clientId: randomUUID(),
      message: { clientId: randomUUID(), text },
      fields,
      page,
      language: 'zh-CN',
    });
    const begin = async (text: string) => (await ask('conversations', startOf(text))).data as ConversationResponse;
    const write = (id: string, text: string, clientId: string = randomUUID()) => ask(`conversations/${id}/messages`, { clientId, text });
    return { token, stamp, hello, ask, get: fetchOne, startOf, begin, write };
  }

  const rowOf = async (id: string) => (await t.ctx.postgres.db.select().from(supportConversations).where(eq(supportConversations.id, id)))[0];
  const messagesOf = (id: string) =>
    t.ctx.postgres.db.select().from(supportMessages).where(eq(supportMessages.conversationId, id)).orderBy(supportMessages.seq);
  const answer = (conversationId: string, body: string, resolve = false) =>
    appendFromAgent(t.ctx, { siteId: site.id, conversationId, agentId: owner.userId, clientId: randomUUID(), kind: 'text', body, resolve });

  /** Reads a stream over a real connection until it has `count` messages. */
  async function readStream(path: string, headers: Record<string, string>, count: number, meanwhile: () => Promise<unknown> = async () => undefined) {
    const { port } = t.delivery.server.address() as AddressInfo;
    const request = get({ port, path: `/_cs/${path}?s=${site.id}`, headers: { host, ...headers } });
    const [response] = (await once(request, 'response')) as [IncomingMessage];
    expect(response.headers['x-accel-buffering']).toBe('no');
    const messages: VisitorMessage[] = [];
    let last = '';
    const read = createEventReader(({ id, data }) => {
      last = id ?? last;
      const event = JSON.parse(data) as { readonly type: string; readonly messages?: readonly VisitorMessage[] };
      messages.push(...(event.messages ?? []).filter((message) => message.event === null));
    });
    response.setEncoding('utf8').on('data', read);
    await meanwhile();
    await until(() => messages.length >= count);
    request.destroy();
    return { texts: messages.map(({ text }) => text), last };
  }

  await configure(site);
  await isServed(host);
  await t.delivery.listen({ host: '127.0.0.1', port: 0 });
  return { t, owner, site, isServed, configure, call, makeVisitor, rowOf, messagesOf, answer, readStream };
}
