import { createHash, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { get } from 'node:http';
import type { IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { eq } from 'drizzle-orm';
import fastify from 'fastify';
import sharp from 'sharp';
import { challengeBits } from '../../contract/countryBlock/terms';
import { SupportSettingsInput } from '../../contract/support/settings';
import { streamLimits, visitorLimits } from '../../contract/support/visitors';
import type { ConversationResponse, HelloResponse, VisitorMessage } from '../../contract/support/visitors';
import type { Site } from '../../contract/sites/schemas';
import { appendFromAgent } from '../../server/areas/support/messages';
import { supportBlocks, supportConversations, supportMessages, supportSettings, supportVisitors } from '../../server/areas/support/schema';
import { registerSupportElsewhere } from '../../server/delivery';
import { createThrottle } from '../../server/kit/throttle';
import { createEventReader } from '../../widget/sse';
import type { Person } from '../support/app';
import { makeDeliveringProgram } from '../support/deliveredSite';
import type { DeliveringProgram } from '../support/deliveredSite';
import { until } from '../support/until';

/** Customer service as visitors reach it: on a delivered site, and for a site elsewhere on the origin of the collector. */

let t: DeliveringProgram;
let owner: Person;
let site: Site;
let addresses = 1;
const host = 'chat.localhost';

beforeAll(async () => {
  t = await makeDeliveringProgram({ config: { trustedProxies: ['loopback'] } });
  ({ owner } = t);
  site = await t.makeSite(owner, { name: '山间茶铺', slug: 'chat', defaultLang: 'zh-Hans' });
  await configure(site);
  await isServed(host);
  await t.delivery.listen({ host: '127.0.0.1', port: 0 });
}, 60_000);
afterAll(() => t.close());

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

type Options = { readonly method?: 'GET' | 'POST' | 'OPTIONS'; readonly headers?: Readonly<Record<string, string>>; readonly address?: string };
type Answer = {
  readonly status: number;
  readonly data: unknown;
  readonly body: Readonly<Record<string, unknown>>;
  readonly headers: Readonly<Record<string, unknown>>;
};

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
const messagesOf = (id: string) => t.ctx.postgres.db.select().from(supportMessages).where(eq(supportMessages.conversationId, id)).orderBy(supportMessages.seq);
const answer = (conversationId: string, body: string, resolve = false) =>
  appendFromAgent(t.ctx, { siteId: site.id, conversationId, agentId: owner.userId, clientId: randomUUID(), kind: 'text', body, resolve });

test('a first message creates visitor and conversation once, however often it is sent', async () => {
  const visitor = await makeVisitor();
  const start = visitor.startOf('绿茶有货吗？');
  const answers = await Promise.all([visitor.ask('conversations', start), visitor.ask('conversations', start)]);
  const again = await visitor.ask('conversations', start);
  const [one, other, third] = [...answers, again].map(({ data }) => data as ConversationResponse);
  expect([other?.conversation.id, third?.conversation.id]).toEqual([one?.conversation.id, one?.conversation.id]);
  const id = one?.conversation.id ?? '';
  expect((await messagesOf(id)).map(({ body }) => body)).toEqual(['绿茶有货吗？']);
  const [stored] = await t.ctx.postgres.db
    .select()
    .from(supportVisitors)
    .where(eq(supportVisitors.id, (await rowOf(id))?.visitorId ?? ''));
  // Of the token, only the hash is stored.
  expect(stored?.tokenHash).toBe(createHash('sha256').update(visitor.token).digest('base64url'));
  expect(stored?.source).toMatchObject({ landing: `http://${host}/tea`, channel: 'search' });
  expect((await visitor.hello()).conversation).toBeNull();
});

test('messages keep their order, and one that is sent again is stored once', async () => {
  const visitor = await makeVisitor();
  const { conversation } = await visitor.begin('一');
  const clientId = randomUUID();
  const [first, second] = [await visitor.write(conversation.id, '二', clientId), await visitor.write(conversation.id, '二', clientId)];
  expect(second.data).toEqual(first.data);
  await answer(conversation.id, '<b>三</b>');
  const read = (await visitor.get(`conversations/${conversation.id}/messages`)).data as ConversationResponse;
  expect(read.messages.filter(({ event }) => event === null).map(({ from, text }) => [from, text])).toEqual([
    ['visitor', '一'],
    ['visitor', '二'],
    ['agent', '<b>三</b>'],
  ]);
  expect((await visitor.write(conversation.id, '字'.repeat(4001))).body).toMatchObject({ code: 'invalid_fields', fields: { text: { code: 'too_long' } } });
  expect((await visitor.write(conversation.id, '  ')).status).toBe(422);
});

test('conversations of others do not exist', async () => {
  const [mine, other] = [await makeVisitor(), await makeVisitor()];
  const { conversation } = await mine.begin('你好');
  await other.begin('你好');
  const at = `conversations/${conversation.id}`;
  const statuses = await Promise.all([
    other.get(`${at}/messages`),
    other.get(`${at}/events`),
    other.get(`${at}/transcript`),
    other.write(conversation.id, '?'),
    other.ask(`${at}/typing`),
    other.ask(`${at}/read`, { seq: 1 }),
    other.ask(`${at}/rating`, { rating: 1 }),
    other.ask(`${at}/page`, { url: 'x', title: '' }),
    other.ask(`${at}/files?clientId=${randomUUID()}&name=a.txt`, Buffer.from('a'), { headers: { 'content-type': 'application/octet-stream' } }),
    other.get('conversations/1/messages'),
  ]);
  expect(statuses.map(({ status }) => status)).toEqual(statuses.map(() => 404));
  expect((await call(`${at}/messages`, undefined, { method: 'GET' })).status).toBe(401);
  // The token is one of this site only.
  const elsewhere = await t.makeSite(owner, { name: '另一个', slug: 'chat2' });
  await configure(elsewhere);
  await isServed('chat2.localhost');
  const response = await t.delivery.inject({ url: `/_cs/${at}/messages?s=${elsewhere.id}`, headers: { host: 'chat2.localhost', 'x-visitor': mine.token } });
  expect(response.statusCode).toBe(404);
});

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

test('a stream resumes behind the version that a visitor has, and nothing is lost or doubled', async () => {
  const visitor = await makeVisitor();
  const { conversation } = await visitor.begin('一');
  const path = `conversations/${conversation.id}/events`;
  const first = await readStream(path, { 'x-visitor': visitor.token }, 3, async () => {
    await answer(conversation.id, '二');
    await answer(conversation.id, '三');
  });
  expect(first.texts).toEqual(['一', '二', '三']);
  // The connection is lost: answers, a note that is none of the visitor's business, and an own message go on meanwhile.
  await answer(conversation.id, '四');
  await appendFromAgent(t.ctx, {
    siteId: site.id,
    conversationId: conversation.id,
    agentId: owner.userId,
    clientId: randomUUID(),
    kind: 'note',
    body: '内部',
    resolve: false,
  });
  await visitor.write(conversation.id, '五');
  const second = await readStream(path, { 'x-visitor': visitor.token, 'last-event-id': first.last }, 2);
  expect(second.texts).toEqual(['四', '五']);
  const polled = (await visitor.get(`conversations/${conversation.id}/messages?after=${first.last}`)).data as ConversationResponse;
  expect(polled.messages.map(({ text }) => text)).toEqual(['四', '五']);
  expect(polled.version).toBe(Number(second.last));
}, 30_000);

test('a backlog of several events arrives in order', async () => {
  const visitor = await makeVisitor();
  const { conversation } = await visitor.begin('0');
  const sent = Array.from({ length: 2 * streamLimits.messages + 1 }, (_, n) => `${String(n + 1)} ${'字'.repeat(3900)}`);
  for (const text of sent) await answer(conversation.id, text);
  const path = `conversations/${conversation.id}/events`;
  const { texts } = await readStream(path, { 'x-visitor': visitor.token }, sent.length + 1);
  expect(texts).toEqual(['0', ...sent]);
}, 30_000);

function solve(task: string): string {
  for (let number = 0; ; number += 1) {
    const digest = createHash('sha256')
      .update(`${task}.${String(number)}`)
      .digest();
    if (digest.readUInt32BE(0) >>> (32 - challengeBits) === 0) return `${task}.${String(number)}`;
  }
}

test('an address that many share gets a task instead of a refusal, one visitor gets a refusal', async () => {
  const office = '192.0.2.77';
  const visitor = await makeVisitor(office);
  const starts = [];
  for (let n = 0; n <= visitorLimits.conversations.points; n += 1) starts.push((await visitor.ask('conversations', visitor.startOf('你好'))).status);
  expect(starts).toEqual([200, 200, 200, 429]);
  const first = (await visitor.hello()).token;
  await createThrottle(t.ctx).spend(`support conversations ${site.id} ${office}`, 60 - 4, 60, 3600);
  const other = await makeVisitor(office);
  const refused = await other.ask('conversations', other.startOf('我也在这里'));
  expect([first.length, refused.status, refused.body['bits']]).toEqual([43, 429, challengeBits]);
  const solution = solve(String(refused.body['task']));
  const start = other.startOf('我也在这里');
  expect((await other.ask('conversations', start, { headers: { 'x-challenge': `${solution}1` } })).status).toBe(429);
  expect((await other.ask('conversations', start, { headers: { 'x-challenge': solution } })).status).toBe(200);
  expect((await other.ask('conversations', other.startOf('又来'), { headers: { 'x-challenge': solution } })).status).toBe(429);
}, 30_000);

test('what the blocked write looks stored and is spam', async () => {
  const visitor = await makeVisitor('198.18.0.9');
  const before = await visitor.begin('你好');
  await t.ctx.postgres.db.insert(supportBlocks).values({ siteId: site.id, kind: 'network', value: '198.18.0.0/24', reason: '', createdAt: new Date() });
  const free = await makeVisitor();
  const freely = await free.begin('你好');
  const answers = [await visitor.write(before.conversation.id, '买吗'), await free.write(freely.conversation.id, '买吗')];
  const shape = ({ status, data }: Answer) => [status, Object.keys(data as object), (data as VisitorMessage).text];
  expect(shape(answers[0] as Answer)).toEqual(shape(answers[1] as Answer));
  expect((await rowOf(before.conversation.id))?.state).toBe('spam');
  const { conversation } = await visitor.begin('再来');
  expect(Object.keys(conversation)).toEqual(Object.keys(freely.conversation));
  expect(await rowOf(conversation.id)).toMatchObject({ state: 'spam', unread: 0, notifyAt: null });
});

test('the form waits two seconds, drops what programs fill in, and needs its required fields', async () => {
  const visitor = await makeVisitor();
  const form = (fields: object, more: object = {}) => ({ ...visitor.startOf('请回电', fields), stamp: visitor.stamp, ...more });
  const fields = { name: '李雷', email: 'li@example.com' };
  expect((await visitor.ask('form', form(fields))).headers['retry-after']).toMatch(/^[123]$/);
  t.pass(4000);
  expect((await visitor.ask('form', form({ name: '李雷' }))).body).toMatchObject({ fields: { 'fields.email': { code: 'required' } } });
  expect((await visitor.ask('form', form({ ...fields, email: 'no' }))).status).toBe(422);
  expect((await visitor.ask('form', form(fields, { stamp: `${visitor.stamp}x` }))).body).toMatchObject({ fields: { stamp: { code: 'unknown' } } });
  const [robot, person] = [await visitor.ask('form', form(fields, { website: 'https://spam.example' })), await visitor.ask('form', form(fields))];
  expect(robot.body).toEqual(person.body);
  const found = await t.ctx.postgres.db.select().from(supportVisitors).where(eq(supportVisitors.email, 'li@example.com'));
  const rows = await t.ctx.postgres.db
    .select()
    .from(supportConversations)
    .where(eq(supportConversations.visitorId, found[0]?.id ?? ''));
  expect(rows.map(({ kind, state }) => [kind, state])).toEqual([['form', 'open']]);
});

test('files are taken by their content, encoded anew, and sent as downloads at signed addresses', async () => {
  const visitor = await makeVisitor();
  const { conversation } = await visitor.begin('看图');
  const send = (name: string, bytes: Buffer, clientId: string = randomUUID()) =>
    visitor.ask(`conversations/${conversation.id}/files?clientId=${clientId}&name=${encodeURIComponent(name)}`, bytes, {
      headers: { 'content-type': 'application/octet-stream' },
    });
  const photo = await sharp({ create: { width: 40, height: 20, channels: 3, background: '#4d7c0f' } })
    .withExif({ IFD0: { Artist: 'somebody' } })
    .jpeg()
    .toBuffer();
  const clientId = randomUUID();
  const [sent, again] = [await send('../照片.html', photo, clientId), await send('../照片.html', photo, clientId)];
  expect(again.data).toMatchObject({ seq: (sent.data as VisitorMessage).seq });
  const { file } = sent.data as VisitorMessage;
  expect(file).toMatchObject({ name: '照片.jpg', contentType: 'image/jpeg', width: 40, height: 20 });
  const refused = [
    await send('x.png', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script>1</script></svg>')),
    await send('big.txt', Buffer.alloc(5_000_001, 'a')),
    await send('huge.txt', Buffer.alloc(10_200_000, 'a')),
  ];
  expect(refused.map(({ status }) => status)).toEqual([415, 413, 413]);
  const got = await t.delivery.inject({ url: `/_cs/${file?.path ?? ''}?s=${site.id}`, headers: { host } });
  expect(got.headers).toMatchObject({
    'content-type': 'image/jpeg',
    'x-content-type-options': 'nosniff',
    'content-security-policy': "default-src 'none'; sandbox",
  });
  expect(String(got.headers['content-disposition'])).toMatch(/^attachment/);
  expect((await sharp(got.rawPayload).metadata()).exif).toBeUndefined();
  expect((await visitor.get(`${(file?.path ?? '').slice(0, -1)}A`)).status).toBe(404);
  // One more than an hour allows; the body is not read.
  expect((await send('late.txt', Buffer.from('a'))).status).toBe(429);
}, 30_000);

test('reading, rating, typing and the open page reach the agents, and a message reopens', async () => {
  const visitor = await makeVisitor();
  const { conversation } = await visitor.begin('你好');
  const at = `conversations/${conversation.id}`;
  await answer(conversation.id, '已处理', true);
  const typed: string[] = [];
  const stop = t.ctx.live.subscribe((event) => void (event.type === 'supportTyping' && typed.push(event.conversationId)));
  const [seq] = (await messagesOf(conversation.id)).map((row) => row.seq).slice(-1);
  expect((await visitor.ask(`${at}/read`, { seq })).data).toMatchObject({ isResolved: true, visitorReadSeq: seq });
  expect((await visitor.ask(`${at}/rating`, { rating: 4, comment: '很快' })).data).toMatchObject({ rating: 4 });
  expect((await visitor.ask(`${at}/rating`, { rating: 6 })).status).toBe(422);
  expect([(await visitor.ask(`${at}/typing`)).status, (await visitor.ask(`${at}/typing`)).status]).toEqual([200, 429]);
  await until(() => typed.includes(conversation.id));
  stop();
  await visitor.ask(`${at}/page`, { url: `http://${host}/checkout`, title: '结算' });
  const row = await rowOf(conversation.id);
  const [stored] = await t.ctx.postgres.db
    .select()
    .from(supportVisitors)
    .where(eq(supportVisitors.id, row?.visitorId ?? ''));
  expect(stored?.page).toEqual({ url: `http://${host}/checkout`, title: '结算' });
  await visitor.write(conversation.id, '还有一个问题');
  expect((await rowOf(conversation.id))?.state).toBe('open');
  const transcript = await visitor.get(`${at}/transcript`);
  expect(transcript.headers['content-disposition']).toContain('attachment');
});

test('pages elsewhere may call from the origins of the site alone', async () => {
  const shop = await t.makeSite(owner, { name: 'Shop', purpose: 'external', url: 'https://shop.example/' });
  await configure(shop, { origins: ['https://app.example'] });
  const app = fastify();
  await registerSupportElsewhere(app, t.ctx);
  const ask = (origin: string | undefined, method: 'POST' | 'OPTIONS' = 'POST') =>
    app.inject({
      method,
      url: `/_cs/hello?s=${shop.id}`,
      headers: origin === undefined ? {} : { origin },
      ...(method === 'POST' ? { payload: { language: 'en', url: 'https://shop.example/' } } : {}),
    });
  const allowed = await Promise.all(['https://shop.example', 'https://www.shop.example', 'https://app.example'].map((origin) => ask(origin)));
  expect(allowed.map(({ statusCode, headers }) => [statusCode, headers['access-control-allow-origin']])).toEqual([
    [200, 'https://shop.example'],
    [200, 'https://www.shop.example'],
    [200, 'https://app.example'],
  ]);
  const others = await Promise.all(['https://evil.example', 'http://app.example', 'null', undefined].map((origin) => ask(origin)));
  expect(others.map(({ statusCode, headers }) => [statusCode, headers['access-control-allow-origin']])).toEqual(others.map(() => [403, undefined]));
  const preflight = await ask('https://app.example', 'OPTIONS');
  expect([preflight.statusCode, preflight.headers['access-control-allow-headers']]).toEqual([204, 'content-type, x-visitor, x-challenge, last-event-id']);
  await app.close();
  // On a delivered site, only its own pages.
  expect((await call('hello', { language: 'en', url: '' }, { headers: { origin: 'https://app.example' } })).status).toBe(403);
  expect((await call('hello', { language: 'en', url: '' }, { headers: { origin: `http://${host}` } })).status).toBe(200);
});

test('a body has a limit, and pages, languages and modes decide where the widget is', async () => {
  expect((await call('hello', { language: 'x'.repeat(40_000), url: '' })).status).toBe(413);
  const other = await t.makeSite(owner, { name: 'Rules', slug: 'rules', defaultLang: 'en' });
  await isServed('rules.localhost');
  const hello = async (language: string, url: string) => {
    const response = await t.delivery.inject({
      method: 'POST',
      url: `/_cs/hello?s=${other.id}`,
      headers: { host: 'rules.localhost' },
      payload: { language, url: `http://rules.localhost${url}` },
    });
    return (JSON.parse(response.body) as { data: HelloResponse | { config: null } }).data.config;
  };
  expect(await hello('en', '/')).toBeNull();
  await configure(other, { pages: { include: ['/shop/*', '/'], exclude: ['/shop/legal*'] }, languages: ['en', 'ar'], awayPolicy: 'hide', needsAgent: true });
  const found = await Promise.all([hello('en', '/shop/tea?x=1'), hello('en', '/shop/legal/a'), hello('en', '/about'), hello('fr', '/'), hello('ar-EG', '/')]);
  expect(found.map((config) => config && [config.language, config.dir, config.availability, config.awayPolicy])).toEqual([
    ['en', 'ltr', 'away', 'hide'],
    null,
    null,
    null,
    ['ar-EG', 'rtl', 'away', 'hide'],
  ]);
});
