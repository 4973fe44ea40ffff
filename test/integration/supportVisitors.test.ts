import { createHash, randomUUID } from 'node:crypto';
import { eq } from 'drizzle-orm';
import fastify from 'fastify';
import sharp from 'sharp';
import { challengeBits } from '../../contract/countryBlock/terms';
import { supportLimits } from '../../contract/support/terms';
import { visitorLimits } from '../../contract/support/visitors';
import type { ConversationResponse, HelloResponse, VisitorMessage } from '../../contract/support/visitors';
import { appendFromAgent } from '../../server/areas/support/messages';
import { supportBlocks, supportConversations, supportVisitors } from '../../server/areas/support/schema';
import { registerSupportElsewhere } from '../../server/delivery';
import { createThrottle } from '../../server/kit/throttle';
import { until } from '../support/until';
import { makeVisitorsFixture, solve } from './supportVisitorsFixture';
import type { VisitorsFixture } from './supportVisitorsFixture';

/** Customer service as visitors reach it: on a delivered site, and for a site elsewhere on the origin of the collector. */

const host = 'chat.localhost';
let v: VisitorsFixture;

beforeAll(async () => {
  v = await makeVisitorsFixture(host);
}, 60_000);
afterAll(() => v.t.close());

test('a first message creates visitor and conversation once, however often it is sent', async () => {
  const visitor = await v.makeVisitor();
  const start = visitor.startOf('绿茶有货吗？');
  const answers = await Promise.all([visitor.ask('conversations', start), visitor.ask('conversations', start)]);
  const again = await visitor.ask('conversations', start);
  const [one, other, third] = [...answers, again].map(({ data }) => data as ConversationResponse);
  expect([other?.conversation.id, third?.conversation.id]).toEqual([one?.conversation.id, one?.conversation.id]);
  const id = one?.conversation.id ?? '';
  expect((await v.messagesOf(id)).map(({ body }) => body)).toEqual(['绿茶有货吗？']);
  const [stored] = await v.t.ctx.postgres.db
    .select()
    .from(supportVisitors)
    .where(eq(supportVisitors.id, (await v.rowOf(id))?.visitorId ?? ''));
  // Of the token, only the hash is stored.
  expect(stored?.tokenHash).toBe(createHash('sha256').update(visitor.token).digest('base64url'));
  expect(stored?.source).toMatchObject({ landing: `http://${host}/tea`, channel: 'search' });
  expect((await visitor.hello()).conversation).toBeNull();
});

test('messages keep their order, and one that is sent again is stored once', async () => {
  const visitor = await v.makeVisitor();
  const { conversation } = await visitor.begin('一');
  const clientId = randomUUID();
  const [first, second] = [await visitor.write(conversation.id, '二', clientId), await visitor.write(conversation.id, '二', clientId)];
  expect(second.data).toEqual(first.data);
  await v.answer(conversation.id, '<b>三</b>');
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
  const [mine, other] = [await v.makeVisitor(), await v.makeVisitor()];
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
  expect((await v.call(`${at}/messages`, undefined, { method: 'GET' })).status).toBe(401);
  // The token is one of this site only.
  const elsewhere = await v.t.makeSite(v.owner, { name: '另一个', slug: 'chat2' });
  await v.configure(elsewhere);
  await v.isServed('chat2.localhost');
  const response = await v.t.delivery.inject({ url: `/_cs/${at}/messages?s=${elsewhere.id}`, headers: { host: 'chat2.localhost', 'x-visitor': mine.token } });
  expect(response.statusCode).toBe(404);
});

test('a stream resumes behind the version that a visitor has, and nothing is lost or doubled', async () => {
  const visitor = await v.makeVisitor();
  const { conversation } = await visitor.begin('一');
  const path = `conversations/${conversation.id}/events`;
  const first = await v.readStream(path, { 'x-visitor': visitor.token }, 3, async () => {
    await v.answer(conversation.id, '二');
    await v.answer(conversation.id, '三');
  });
  expect(first.texts).toEqual(['一', '二', '三']);
  // The connection is lost: answers, a note that is none of the visitor's business, and an own message go on meanwhile.
  await v.answer(conversation.id, '四');
  await appendFromAgent(v.t.ctx, {
    siteId: v.site.id,
    conversationId: conversation.id,
    agentId: v.owner.userId,
    clientId: randomUUID(),
    kind: 'note',
    body: '内部',
    resolve: false,
  });
  await visitor.write(conversation.id, '五');
  const second = await v.readStream(path, { 'x-visitor': visitor.token, 'last-event-id': first.last }, 2);
  expect(second.texts).toEqual(['四', '五']);
  const polled = (await visitor.get(`conversations/${conversation.id}/messages?after=${first.last}`)).data as ConversationResponse;
  expect(polled.messages.map(({ text }) => text)).toEqual(['四', '五']);
  expect(polled.version).toBe(Number(second.last));
}, 30_000);

test('an address that many share gets a task instead of a refusal, one visitor gets a refusal', async () => {
  const office = '192.0.2.77';
  const visitor = await v.makeVisitor(office);
  const starts = [];
  for (let n = 0; n <= visitorLimits.conversations.points; n += 1) starts.push((await visitor.ask('conversations', visitor.startOf('你好'))).status);
  expect(starts).toEqual([200, 200, 200, 429]);
  const first = (await visitor.hello()).token;
  await createThrottle(v.t.ctx).spend(`support conversations ${v.site.id} ${office}`, 60 - 4, 60, 3600);
  const other = await v.makeVisitor(office);
  const refused = await other.ask('conversations', other.startOf('我也在这里'));
  expect([first.length, refused.status, refused.body['bits']]).toEqual([43, 429, challengeBits]);
  const solution = solve(String(refused.body['task']));
  const start = other.startOf('我也在这里');
  expect((await other.ask('conversations', start, { headers: { 'x-challenge': `${solution}1` } })).status).toBe(429);
  expect((await other.ask('conversations', start, { headers: { 'x-challenge': solution } })).status).toBe(200);
  expect((await other.ask('conversations', other.startOf('又来'), { headers: { 'x-challenge': solution } })).status).toBe(429);
}, 30_000);

test('what the blocked write looks stored and is spam, up to the last message', async () => {
  const visitor = await v.makeVisitor('198.18.0.9');
  const before = await visitor.begin('你好');
  const free = await v.makeVisitor();
  const freely = await free.begin('你好');
  for (const { conversation } of [before, freely]) await v.answer(conversation.id, '已处理', true);
  await v.t.ctx.postgres.db.insert(supportBlocks).values({ siteId: v.site.id, kind: 'network', value: '198.18.0.0/24', reason: '', createdAt: new Date() });
  /** What somebody sees of an own conversation: statuses of what is written, and what is read afterwards. */
  const viewOf = async ({ write, get }: typeof visitor, { conversation: { id } }: ConversationResponse) => {
    const full = (messages: number) => v.t.ctx.postgres.db.update(supportConversations).set({ messages }).where(eq(supportConversations.id, id));
    const statuses = [(await write(id, '买吗')).status];
    await full(supportLimits.messages - 1);
    for (const text of ['最后一条', '再来一条']) statuses.push((await write(id, text)).status);
    const { conversation, messages } = (await get(`conversations/${id}/messages`)).data as ConversationResponse;
    return { statuses, ...conversation, id: '', messages: messages.map(({ seq, from, text, event }) => [seq, from, text, event]) };
  };
  const view = await viewOf(visitor, before);
  expect(view).toEqual(await viewOf(free, freely));
  expect([view.statuses, view.messages.at(-1)?.[2]]).toEqual([[200, 200, 409], '最后一条']);
  expect([(await v.rowOf(before.conversation.id))?.state, (await v.rowOf(freely.conversation.id))?.state]).toEqual(['spam', 'open']);
  const { conversation } = await visitor.begin('再来');
  expect(await v.rowOf(conversation.id)).toMatchObject({ state: 'spam', unread: 0, notifyAt: null });
});

test('the form waits two seconds, drops what programs fill in, and needs its required fields', async () => {
  const prechatFields = [{ field: 'name' }, { field: 'email', required: true }, { field: 'topic' }];
  await v.configure(v.site, { prechat: { fields: prechatFields, topics: [{ name: '退货', label: { en: 'Returns' } }] } });
  const visitor = await v.makeVisitor();
  await until(async () => (await visitor.hello()).config.formFields.some(({ options }) => options.includes('退货')));
  const form = (fields: object, more: object = {}) => ({ ...visitor.startOf('请回电', fields), stamp: visitor.stamp, ...more });
  const fields = { name: '李雷', email: 'li@example.com', topic: 'Returns' };
  expect((await visitor.ask('form', form(fields))).headers['retry-after']).toMatch(/^[123]$/);
  v.t.pass(4000);
  expect((await visitor.ask('form', form({ name: '李雷' }))).body).toMatchObject({ fields: { 'fields.email': { code: 'required' } } });
  expect((await visitor.ask('form', form({ ...fields, email: 'no' }))).status).toBe(422);
  expect((await visitor.ask('form', form(fields, { stamp: `${visitor.stamp}x` }))).body).toMatchObject({ fields: { stamp: { code: 'unknown' } } });
  const [robot, person] = [await visitor.ask('form', form(fields, { website: 'https://spam.example' })), await visitor.ask('form', form(fields))];
  expect(robot.body).toEqual(person.body);
  const found = await v.t.ctx.postgres.db.select().from(supportVisitors).where(eq(supportVisitors.email, 'li@example.com'));
  const rows = await v.t.ctx.postgres.db
    .select()
    .from(supportConversations)
    .where(eq(supportConversations.visitorId, found[0]?.id ?? ''));
  // Agents read the topic in the language of the site.
  expect(rows.map(({ kind, state, subject }) => [kind, state, subject])).toEqual([['form', 'open', '退货']]);
});

test('files are taken by their content, encoded anew, and sent as downloads at signed addresses', async () => {
  const visitor = await v.makeVisitor();
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
  const got = await v.t.delivery.inject({ url: `/_cs/${file?.path ?? ''}?s=${v.site.id}`, headers: { host } });
  expect(got.headers).toMatchObject({
    'content-type': 'image/jpeg',
    'x-content-type-options': 'nosniff',
    'content-security-policy': "default-src 'none'; sandbox",
  });
  expect(String(got.headers['content-disposition'])).toMatch(/^attachment/);
  expect((await sharp(got.rawPayload).metadata()).exif).toBeUndefined();
  expect((await visitor.get((file?.path ?? '').replace(/.$/, (last) => (last === 'A' ? 'E' : 'A')))).status).toBe(404);
  // One more than an hour allows; the body is not read.
  expect((await send('late.txt', Buffer.from('a'))).status).toBe(429);
}, 30_000);

test('reading, rating, typing and the open page reach the agents, and a message reopens', async () => {
  const visitor = await v.makeVisitor();
  const { conversation } = await visitor.begin('你好');
  const at = `conversations/${conversation.id}`;
  await v.answer(conversation.id, '已处理', true);
  const typed: string[] = [];
  const stop = v.t.ctx.live.subscribe((event) => void (event.type === 'supportTyping' && typed.push(event.conversationId)));
  const [seq] = (await v.messagesOf(conversation.id)).map((row) => row.seq).slice(-1);
  expect((await visitor.ask(`${at}/read`, { seq })).data).toMatchObject({ isResolved: true, visitorReadSeq: seq });
  expect((await visitor.ask(`${at}/rating`, { rating: 4, comment: '很快' })).data).toMatchObject({ rating: 4 });
  expect((await visitor.ask(`${at}/rating`, { rating: 6 })).status).toBe(422);
  expect([(await visitor.ask(`${at}/typing`)).status, (await visitor.ask(`${at}/typing`)).status]).toEqual([200, 429]);
  await until(() => typed.includes(conversation.id));
  stop();
  await visitor.ask(`${at}/page`, { url: `http://${host}/checkout`, title: '结算' });
  const row = await v.rowOf(conversation.id);
  const [stored] = await v.t.ctx.postgres.db
    .select()
    .from(supportVisitors)
    .where(eq(supportVisitors.id, row?.visitorId ?? ''));
  expect(stored?.page).toEqual({ url: `http://${host}/checkout`, title: '结算' });
  await visitor.write(conversation.id, '还有一个问题');
  expect((await v.rowOf(conversation.id))?.state).toBe('open');
  const transcript = await visitor.get(`${at}/transcript`);
  expect(transcript.headers['content-disposition']).toContain('attachment');
});

test('pages elsewhere may call from the origins of the site alone', async () => {
  const shop = await v.t.makeSite(v.owner, { name: 'Shop', purpose: 'external', url: 'https://shop.example/' });
  await v.configure(shop, { origins: ['https://app.example'] });
  const app = fastify();
  await registerSupportElsewhere(app, v.t.ctx);
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
  expect((await v.call('hello', { language: 'en', url: '' }, { headers: { origin: 'https://app.example' } })).status).toBe(403);
  expect((await v.call('hello', { language: 'en', url: '' }, { headers: { origin: `http://${host}` } })).status).toBe(200);
});

test('a body has a limit, and pages, languages and modes decide where the widget is', async () => {
  expect((await v.call('hello', { language: 'x'.repeat(40_000), url: '' })).status).toBe(413);
  const other = await v.t.makeSite(v.owner, { name: 'Rules', slug: 'rules', defaultLang: 'en' });
  await v.isServed('rules.localhost');
  const hello = async (language: string, url: string) => {
    const response = await v.t.delivery.inject({
      method: 'POST',
      url: `/_cs/hello?s=${other.id}`,
      headers: { host: 'rules.localhost' },
      payload: { language, url: `http://rules.localhost${url}` },
    });
    return (JSON.parse(response.body) as { data: HelloResponse | { config: null } }).data.config;
  };
  expect(await hello('en', '/')).toBeNull();
  await v.configure(other, { pages: { include: ['/shop/*', '/'], exclude: ['/shop/legal*'] }, languages: ['en', 'ar'], awayPolicy: 'hide', needsAgent: true });
  await until(async () => (await hello('en', '/')) !== null);
  const found = await Promise.all([hello('en', '/shop/tea?x=1'), hello('en', '/shop/legal/a'), hello('en', '/about'), hello('fr', '/'), hello('ar-EG', '/')]);
  expect(found.map((config) => config && [config.language, config.dir, config.availability, config.awayPolicy])).toEqual([
    ['en', 'ltr', 'away', 'hide'],
    null,
    null,
    null,
    ['ar-EG', 'rtl', 'away', 'hide'],
  ]);
});
