import { randomUUID } from 'node:crypto';
import { jest } from '@jest/globals';
import { eq } from 'drizzle-orm';
import sharp from 'sharp';
import type { Agent, Conversation, SupportFile, SupportOverview, SupportVisitor } from '../../contract/support/conversations';
import type { CannedReply, Statistics, SupportBlock } from '../../contract/support/settings';
import { auditLog } from '../../server/areas/audit/schema';
import { fileKey, isBlocked } from '../../server/areas/support';
import { unreadOfSites } from '../../server/areas/support/lists';
import { supportConversations, supportFiles, supportMessages, supportVisitors } from '../../server/areas/support/schema';
import { createBuilder } from '../../server/collect/builder';
import { insertHits } from '../../server/collect/queries';
import { outbox } from '../../server/mail/schema';
import { DAY, dayAt } from '../../server/zone';
import { makeHit } from '../oracle/traffic';
import { dataOf } from '../support/app';
import type { Person } from '../support/app';
import { seedCrawler } from '../support/crawlData';
import { runSchedule } from '../support/schedules';
import { makeSupportFixture } from './supportFixture';
import type { SupportFixture } from './supportFixture';
import { personOn } from './tablesLifeSupport';

jest.setTimeout(60_000);
let f: SupportFixture;

beforeAll(async () => {
  f = await makeSupportFixture({ config: { privateWebhooks: true } });
});
afterAll(() => f.program.close());

const ids = ({ rows }: { rows: readonly { id: string }[] }) => rows.map(({ id }) => id);
const rows = async () => f.ctx.postgres.db.select().from(supportConversations);
const queued = async () =>
  (await f.ctx.postgres.db.select().from(outbox)).map(({ kind, message }) => ({ kind, content: JSON.parse(f.ctx.secrets.open('outbox', message)) as object }));

test('a conversation goes from the first message to its rating', async () => {
  const visitor = await f.visitor({ name: '王芳' });
  const clientId = randomUUID();
  const { conversation } = await f.start(visitor, '龙井多少钱？', { clientId });
  const again = await f.start(visitor, '龙井多少钱？', { clientId });
  expect([again.repeated, again.conversation.id]).toEqual([true, conversation.id]);
  expect(await f.conversation(conversation.id)).toMatchObject({
    number: 1,
    state: 'open',
    unread: 1,
    lastMessage: { author: 'visitor', text: '龙井多少钱？' },
  });
  expect(ids(await f.list('list=unassigned'))).toEqual([conversation.id]);

  const answer = { clientId: randomUUID(), body: '每斤 480 元。' };
  const sent = [
    await f.agent.send('POST', f.at(`/conversations/${conversation.id}/messages`), answer),
    await f.agent.send('POST', f.at(`/conversations/${conversation.id}/messages`), answer),
  ];
  expect(sent.map((response) => dataOf<{ seq: number }>(response).seq)).toEqual([2, 2]);
  f.expectOk(await f.reply(conversation.id, '老客户', { kind: 'note' }));
  expect(await f.conversation(conversation.id)).toMatchObject({ state: 'waiting', unread: 0, waitingSince: null, assignee: { id: f.agent.userId } });
  expect(ids(await f.list('list=mine'))).toEqual([conversation.id]);

  f.expectOk(await f.change(conversation.id, { state: 'resolved' }));
  await f.write(conversation, '还有一个问题');
  expect(await f.conversation(conversation.id)).toMatchObject({ state: 'open', unread: 1, resolvedAt: null });
  const { rows: all, version } = await f.messages(conversation.id);
  expect(f.bodies(all)).toEqual(['龙井多少钱？', '每斤 480 元。', '*assigned', '老客户', '*resolved', '还有一个问题', '*reopened']);
  expect(all.map(({ seq }) => seq)).toEqual([1, 2, 3, 4, 5, 6, 7]);

  const edited = dataOf<{ version: number }>(await f.agent.send('PATCH', f.at(`/conversations/${conversation.id}/messages/2`), { body: '每斤 420 元。' }));
  const later = await f.messages(conversation.id, version);
  expect([later.rows.map(({ seq, body }) => [seq, body]), later.version]).toEqual([[[2, '每斤 420 元。']], edited.version]);
  f.expectOk(await f.agent.send('DELETE', f.at(`/conversations/${conversation.id}/messages/4`)));
  expect((await f.messages(conversation.id, later.version)).rows).toMatchObject([{ seq: 4, body: '', kind: 'note' }]);
  expect(f.refusal(await f.owner.send('PATCH', f.at(`/conversations/${conversation.id}/messages/2`), { body: 'x' }))).toBe('forbidden');
  expect(f.refusal(await f.agent.send('PATCH', f.at(`/conversations/${conversation.id}/messages/4`), { body: 'x' }))).toBe('immutable');
});

test('lists are searched, paged and followed by their changes', async () => {
  const visitor = await f.visitor({ name: 'Ada', email: 'ada@example.com' });
  const before = dataOf<SupportOverview>(await f.agent.get(f.at('')));
  const started = [];
  for (const text of ['100% sure', 'plain', 'third']) started.push((await f.start(visitor, text, { kind: text === 'third' ? 'form' : 'chat' })).conversation);
  const [first, second, third] = started.map(({ id }) => id);
  const page = await f.list(`visitor=${visitor.id}&size=2`);
  const rest = await f.list(`visitor=${visitor.id}&size=2&before=${page.next}`);
  expect(new Set([...ids(page), ...ids(rest)])).toEqual(new Set([first, second, third]));
  expect(rest.next).toBeNull();
  expect(ids(await f.list('list=forms'))).toEqual([third]);
  expect(ids(await f.list(`q=${encodeURIComponent('100%')}`))).toEqual([first]);
  expect(ids(await f.list('q=ADA%40'))).toHaveLength(3);
  expect(ids(await f.list(`q=${encodeURIComponent(`#${started[1]?.number}`)}`))).toEqual([second]);

  f.expectOk(await f.change(second ?? '', { tags: ['vip', 'vip'], priority: 'high' }));
  const changes = dataOf<{ rows: Conversation[]; change: number; more: boolean }>(await f.agent.get(f.at(`/changes?after=${before.change}`)));
  expect([ids(changes), changes.more]).toEqual([[first, third, second], false]);
  expect(changes.rows[2]).toMatchObject({ tags: ['vip'], priority: 'high' });
  expect(ids(await f.list('tag=vip'))).toEqual([second]);
  expect(dataOf<SupportOverview>(await f.agent.get(f.at('')))).toMatchObject({ change: changes.change, counts: { forms: 1 }, tags: ['vip'] });
  expect(await unreadOfSites(f.ctx, [f.site.id])).toEqual(new Map([[f.site.id, 4]]));
});

test('a conversation is assigned, passed on and snoozed', async () => {
  const other = await personOn(f.program, f.site, 'support');
  const viewer = await personOn(f.program, f.site, 'viewer');
  const { conversation } = await f.start(await f.visitor(), 'Hello');
  expect(f.refusal(await f.change(conversation.id, { assignee: viewer.userId }))).toBe('invalid_fields assignee:unknown');
  f.expectOk(await f.change(conversation.id, { assignee: other.userId, expectedAssignee: null }));
  expect(f.refusal(await f.change(conversation.id, { assignee: f.agent.userId, expectedAssignee: null }))).toBe('conflict');
  const transfer = { to: f.agent.userId, note: 'Knows the product', clientId: randomUUID() };
  for (let i = 0; i < 2; i++) f.expectOk(await other.send('POST', f.at(`/conversations/${conversation.id}/transfer`), transfer));
  expect(f.bodies((await f.messages(conversation.id)).rows)).toEqual(['Hello', '*assigned', 'Knows the product', '*transferred']);

  const until = new Date(f.ctx.now() + DAY).toISOString();
  expect(f.refusal(await f.change(conversation.id, { state: 'snoozed' }))).toBe('invalid_fields snoozedUntil:required');
  f.expectOk(await f.change(conversation.id, { state: 'snoozed', snoozedUntil: until }));
  expect(ids(await f.list('list=snoozed'))).toEqual([conversation.id]);
  await runSchedule(f.ctx, 'support.snoozed');
  expect((await f.conversation(conversation.id)).state).toBe('snoozed');
  await runSchedule(f.ctx, 'support.snoozed', DAY);
  expect(await f.conversation(conversation.id)).toMatchObject({ state: 'open', snoozedUntil: null });

  const tell = async (person: typeof other, body: object) => dataOf<Agent[]>(await person.send('POST', f.at('/presence'), body));
  await tell(other, { viewing: conversation.id, typing: true });
  const online = (await tell(f.agent, { viewing: conversation.id, status: 'away' })).filter((one) => one.online);
  expect(new Map(online.map(({ id, typing, status, viewing }) => [id, [typing, status, viewing]]))).toEqual(
    new Map([
      [other.userId, [true, 'available', conversation.id]],
      [f.agent.userId, [false, 'away', conversation.id]],
    ]),
  );
  expect((await tell(other, { leaving: true })).find(({ id }) => id === other.userId)).toMatchObject({ online: false, viewing: null });
});

test('two conversations of a visitor become one and keep every message', async () => {
  const visitor = await f.visitor();
  const [to, from] = [(await f.start(visitor, 'to')).conversation, (await f.start(visitor, 'from')).conversation];
  const stranger = (await f.start(await f.visitor(), 'other')).conversation;
  const merge = (other: string) => f.agent.send('POST', f.at(`/conversations/${to.id}/merge`), { from: other });
  expect(f.refusal(await merge(stranger.id))).toBe('invalid_fields from:unknown');
  const clientId = randomUUID();
  await f.write(from, 'late', clientId);
  await f.ctx.postgres.db.update(supportConversations).set({ notifyAt: null }).where(eq(supportConversations.id, to.id));
  f.expectOk(await merge(from.id));
  expect((await rows()).find(({ id }) => id === to.id)).toMatchObject({ unread: 3, notifyAt: expect.any(Date) });
  expect(f.bodies((await f.messages(to.id)).rows)).toEqual(['to', '*merged', 'from', 'late']);
  // The visitor, whose page does not know yet, repeats the last message and writes another.
  expect((await f.write(from, 'late', clientId)).repeated).toBe(true);
  await f.write(from, 'after');
  expect(f.bodies((await f.messages(to.id)).rows)).toEqual(['to', '*merged', 'from', 'late', 'after']);
  expect((await f.conversation(from.id)).id).toBe(to.id);
  expect(ids(await f.list(`visitor=${visitor.id}`))).toEqual([to.id]);
  expect(f.refusal(await merge(from.id))).toBe('conflict');
});

test('several conversations are removed, restored and erased', async () => {
  const visitor = await f.visitor();
  const started = [(await f.start(visitor, 'one')).conversation.id, (await f.start(visitor, 'two')).conversation.id];
  const bulk = async (action: string) =>
    dataOf<{ changed: string[] }>(await f.agent.send('POST', f.at('/bulk'), { ids: [...started, randomUUID()], action })).changed;
  expect(await bulk('spam')).toEqual(started);
  expect((await f.list(`list=spam&visitor=${visitor.id}`)).rows.map(({ unread }) => unread)).toEqual([0, 0]);
  expect(f.refusal(await f.reply(started[0] ?? '', 'x'))).toBe('conflict');
  await bulk('not_spam');
  await bulk('remove');
  expect(ids(await f.list(`visitor=${visitor.id}`))).toEqual([]);
  await runSchedule(f.ctx, 'support.removed');
  await bulk('restore');
  expect(ids(await f.list(`visitor=${visitor.id}`))).toHaveLength(2);
  await bulk('remove');
  f.expectOk(await f.reply(started[0] ?? '', 'An answer brings it back'));
  expect(ids(await f.list(`visitor=${visitor.id}`))).toEqual([started[0]]);
  await bulk('remove');
  await runSchedule(f.ctx, 'support.removed', 2 * 3_600_000);
  expect((await rows()).filter(({ visitorId }) => visitorId === visitor.id)).toEqual([]);
});

test('messages of blocked visitors are stored as spam', async () => {
  const visitor = await f.visitor({ address: '198.51.100.7' });
  const add = (body: object) => f.agent.send('POST', f.at('/blocks'), body);
  expect(f.refusal(await add({ kind: 'network', value: '0.0.0.0/0' }))).toBe('invalid_fields value:not_an_address_range');
  expect(f.refusal(await add({ kind: 'visitor', value: randomUUID() }))).toBe('invalid_fields value:unknown');
  const network = dataOf<SupportBlock>(await add({ kind: 'network', value: '198.51.100.0/24' }));
  f.expectOk(await add({ kind: 'email', value: 'Bad@Example.com' }));
  const blocked = (who: Partial<{ visitorId: string | null; email: string; address: string }>) =>
    isBlocked(f.ctx, f.site.id, { visitorId: null, email: '', address: '', ...who });
  expect(
    await Promise.all([blocked({ address: '198.51.100.7' }), blocked({ address: '198.51.101.7' }), blocked({ email: 'bad@example.COM' }), blocked({})]),
  ).toEqual([true, false, true, false]);
  const { conversation } = await f.start(visitor, 'Buy now', { blocked: true });
  await f.write(conversation, 'Buy!');
  expect(await f.conversation(conversation.id)).toMatchObject({ state: 'spam', unread: 0, waitingSince: null });
  const pane = dataOf<SupportVisitor>(await f.agent.get(f.at(`/conversations/${conversation.id}/visitor`)));
  expect(pane).toMatchObject({ blocked: true, source: { channel: 'search' }, page: { title: '春茶' }, pages: null, issues: [] });
  f.expectOk(await f.agent.send('DELETE', f.at(`/blocks/${network.id}`)));
  expect(await blocked({ address: '198.51.100.7' })).toBe(false);
  f.expectOk(await f.agent.send('POST', f.at(`/blocks/${network.id}/restore`)));
  expect(
    dataOf<SupportBlock[]>(await f.agent.get(f.at('/blocks')))
      .map(({ value }) => value)
      .toSorted(),
  ).toEqual(['198.51.100.0/24', 'bad@example.com']);
});

test('canned replies belong to the site or to one agent', async () => {
  const add = (body: object, by = f.agent) => by.send('POST', f.at('/canned'), { title: '问候', body: '你好，{{visitor.name}}', ...body });
  const own = dataOf<CannedReply>(await add({ shortcut: '问候' }));
  expect(f.refusal(await add({ shortcut: '问候' }))).toBe('invalid_fields shortcut:taken');
  expect(f.refusal(await add({ shortcut: 'price', scope: 'site' }))).toBe('forbidden');
  f.expectOk(await add({ shortcut: 'price', scope: 'site' }, f.owner));
  const names = async (by = f.agent) => dataOf<CannedReply[]>(await by.get(f.at('/canned'))).map(({ shortcut, uses }) => `${shortcut} ${uses}`);
  const { conversation } = await f.start(await f.visitor(), 'Hello');
  await f.reply(conversation.id, '你好', { cannedId: own.id });
  expect([await names(), await names(f.owner)]).toEqual([['问候 1', 'price 0'], ['price 0']]);
  expect((await f.owner.send('DELETE', f.at(`/canned/${own.id}`))).statusCode).toBe(404);
  f.expectOk(await f.agent.send('DELETE', f.at(`/canned/${own.id}`)));
  f.expectOk(await f.agent.send('POST', f.at(`/canned/${own.id}/restore`)));
  expect(await names()).toEqual(['问候 1', 'price 0']);
});

test('files are what they contain, and images are encoded anew', async () => {
  const { conversation } = await f.start(await f.visitor(), 'Hello');
  const upload = (name: string, bytes: Buffer) =>
    f.agent.send('POST', f.at(`/conversations/${conversation.id}/files`), { name, bytes: bytes.toString('base64') });
  const jpeg = await sharp({ create: { width: 40, height: 20, channels: 3, background: '#345' } })
    .withExif({ IFD0: { ImageDescription: 'at home' } })
    .jpeg()
    .toBuffer();
  const file = dataOf<SupportFile>(await upload('../茶 "1".exe', jpeg));
  expect(file).toMatchObject({ name: '茶 1.jpg', contentType: 'image/jpeg', width: 40, height: 20 });
  expect(f.refusal(await upload('a.png', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>')))).toBe('unsupported_media_type');
  expect(f.refusal(await upload('a.png', Buffer.from([0, 1, 2, 3])))).toBe('unsupported_media_type');
  const page = dataOf<SupportFile>(await upload('page.html', Buffer.from('<script>alert(1)</script>')));
  expect(page).toMatchObject({ name: 'page.txt', contentType: 'text/plain' });
  f.expectOk(await f.reply(conversation.id, '', { kind: 'file', fileId: file.id }));
  const download = await f.agent.get(f.at(`/files/${file.id}?inline=1`));
  expect(download.headers).toMatchObject({ 'content-type': 'image/jpeg', 'content-disposition': 'inline', 'x-content-type-options': 'nosniff' });
  expect((await sharp(download.rawPayload).metadata()).exif).toBeUndefined();
  expect(String((await f.agent.get(f.at(`/files/${page.id}?inline=1`))).headers['content-disposition'])).toMatch(/^attachment/);
  expect((await f.start(await f.visitor(), 'x').then(({ conversation: other }) => f.reply(other.id, '', { kind: 'file', fileId: file.id }))).statusCode).toBe(
    422,
  );
  await runSchedule({ ...f.ctx, now: () => f.ctx.now() + DAY }, 'support.files');
  expect((await f.ctx.postgres.db.select({ id: supportFiles.id }).from(supportFiles)).map(({ id }) => id)).toEqual([file.id]);
});

test('erasing a visitor leaves neither messages nor files', async () => {
  const visitor = await f.visitor({ name: 'Forgotten', email: 'forget@example.com' });
  const { conversation } = await f.start(visitor, 'unmistakable words');
  const merged = (await f.start(visitor, 'more words')).conversation;
  const bytes = Buffer.from('a private letter').toString('base64');
  const file = dataOf<SupportFile>(await f.agent.send('POST', f.at(`/conversations/${conversation.id}/files`), { name: 'letter.txt', bytes }));
  f.expectOk(await f.reply(conversation.id, '', { kind: 'file', fileId: file.id }));
  f.expectOk(await f.agent.send('POST', f.at(`/conversations/${conversation.id}/merge`), { from: merged.id }));
  f.expectOk(await f.agent.send('POST', f.at('/blocks'), { kind: 'visitor', value: visitor.id }));
  const key = fileKey({ siteId: f.site.id, id: file.id });
  expect(await f.ctx.files.stat(key)).not.toBeNull();

  const { change } = dataOf<SupportOverview>(await f.agent.get(f.at('')));
  f.expectOk(await f.owner.send('DELETE', f.at(`/visitors/${visitor.id}`)));
  const { db } = f.ctx.postgres;
  const stored = JSON.stringify([
    await db.select().from(supportVisitors),
    await rows(),
    await db.select().from(supportMessages),
    await db.select().from(supportFiles),
  ]);
  expect(stored).not.toMatch(/Forgotten|forget@example|unmistakable words|more words|letter\.txt/);
  expect([visitor.id, conversation.id, merged.id, file.id].filter((id) => stored.includes(id))).toEqual([]);
  expect(await f.ctx.files.stat(key)).toBeNull();
  expect(dataOf<SupportBlock[]>(await f.agent.get(f.at('/blocks'))).map(({ value }) => value)).not.toContain(visitor.id);
  expect((await f.list('q=unmistakable')).rows).toEqual([]);
  expect((await f.agent.get(f.at(`/conversations/${conversation.id}/messages?after=0`))).statusCode).toBe(404);
  expect(dataOf<SupportOverview>(await f.agent.get(f.at(''))).change).toBeGreaterThan(change);
});

test('the visitor pane shows visited pages and open issues of the page', async () => {
  const analyticsId = '00000000000000ab';
  const at = f.ctx.now() - 600_000;
  const hit = (view: string, path: string, title: string, after: number) =>
    makeHit({ site_id: f.site.id, visitor_id: analyticsId, view_id: view.padStart(16, '0'), at: at + after, path, title, engaged_ms: 20_000 });
  const hits = [hit('1', '/', '茶铺', 0), hit('2', '/products/spring', '春茶', 60_000)];
  await insertHits(f.ctx.clickhouse, hits, 'pane');
  await createBuilder(f.ctx.clickhouse).apply(hits);
  const url = 'https://tea.example/products/spring?utm=1';
  const crawl = await seedCrawler(f.ctx, f.site.id, { now: at });
  await crawl.run({
    pages: [{ url }],
    issues: [
      { rule: 'content_thin', url },
      { rule: 'title_missing', url, severity: 'error' },
      { rule: 'url_long', url, state: 'fixed', fixedRun: 1 },
      { rule: 'h1_missing', url: 'https://tea.example/other' },
    ],
  });
  const { conversation } = await f.start(await f.visitor({ analyticsId }), 'Hello');
  const pane = async (by: Person) => dataOf<SupportVisitor>(await by.get(f.at(`/conversations/${conversation.id}/visitor`)));
  const { pages, visits, issues, page } = await pane(f.owner);
  expect(pages?.map(({ url: path, title, seconds }) => [path, title, seconds])).toEqual([
    ['/products/spring', '春茶', 20],
    ['/', '茶铺', 20],
  ]);
  expect([visits, page?.url]).toEqual([1, url]);
  expect(issues).toEqual([
    { rule: 'title_missing', severity: 'error', count: 1 },
    { rule: 'content_thin', severity: 'warning', count: 1 },
  ]);
  expect(await pane(f.agent)).toMatchObject({ pages, visits, issues });
});

test('a message that nobody reads in time is notified once', async () => {
  f.expectOk(await f.owner.send('POST', '/api/acc/contacts', { name: '值班', webhook: 'http://127.0.0.1:9/hook', subscriptions: { support: ['webhook'] } }));
  f.expectOk(await f.configure({ mode: 'builtin', notify: { contacts: true, delaySeconds: 60, webhook: { kind: 'wecom', url: 'http://127.0.0.1:9/robot' } } }));
  await runSchedule(f.ctx, 'support.notices', DAY);
  await f.ctx.postgres.db.delete(outbox);
  const [unread, read] = [(await f.start(await f.visitor(), '[click](http://evil)')).conversation, (await f.start(await f.visitor(), 'read')).conversation];
  await f.agent.send('POST', f.at(`/conversations/${read.id}/read`), { seq: 1 });
  await runSchedule(f.ctx, 'support.notices');
  expect(await queued()).toEqual([]);
  await runSchedule(f.ctx, 'support.notices', 61_000);
  await runSchedule(f.ctx, 'support.notices', 62_000);
  const sent = await queued();
  expect(sent.map(({ kind }) => kind).toSorted()).toEqual(['contact.support', 'support.webhook']);
  expect(sent.find(({ kind }) => kind === 'support.webhook')?.content).toMatchObject({ robot: 'wecom', url: 'http://127.0.0.1:9/robot' });
  expect(JSON.stringify(sent)).toContain(`conversation=${unread.id}`);
});

test('settings are checked, and code of others needs a proof', async () => {
  const week = [
    { day: 1, open: '09:00', close: '12:00' },
    { day: 1, open: '11:00', close: '18:00' },
  ];
  const hours = (await f.settings()).hours;
  expect(f.refusal(await f.configure({ hours: { ...hours, week } }))).toContain('hours.week.0.open:duplicate');
  expect(f.refusal(await f.configure({ hours: { ...hours, timeZone: 'Mars/Base' } }))).toBe('invalid_fields hours.timeZone:not_a_time_zone');
  expect(f.refusal(await f.configure({ externalCode: '茶'.repeat(4000) }))).toBe('invalid_fields externalCode:too_long');
  f.expectOk(await f.configure({ mode: 'external', externalCode: '<script src="https://chat.example/w.js"></script>' }));
  expect((await f.agent.get(f.at('/settings'))).statusCode).toBe(403);
  f.expectOk(await f.agent.send('PUT', f.at('/pause'), { until: new Date(f.ctx.now() + 3_600_000).toISOString() }));
  expect(dataOf<SupportOverview>(await f.agent.get(f.at('')))).toMatchObject({ open: false, awayReason: 'paused' });
  f.program.pass(11 * 60_000);
  expect(f.refusal(await f.configure({ externalCode: '<script>other</script>' }))).toBe('reauth_required');
  f.expectOk(await f.configure({ rating: false }));
  f.expectOk(await f.agent.send('PUT', f.at('/pause'), { until: null }));
  const logged = (await f.ctx.postgres.db.select().from(auditLog)).filter(({ action }) => action === 'support.settings_changed');
  expect([logged.length > 1, JSON.stringify(logged.map(({ before, after }) => [before, after])).includes('chat.example')]).toEqual([true, false]);
});

test('statistics count what happened, and the export holds no formulas', async () => {
  const visitor = await f.visitor({ name: '=1+1' });
  const { conversation } = await f.start(visitor, 'Hello', { subject: '@sum' });
  f.program.pass(30_000);
  f.expectOk(await f.reply(conversation.id, 'Hi', { resolve: true }));
  const day = dayAt(f.ctx.now(), f.site.timeZone);
  const period = `from=${dayAt(f.ctx.now() - DAY, f.site.timeZone)}&to=${day}`;
  const statistics = dataOf<Statistics>(await f.agent.get(f.at(`/statistics?${period}`)));
  const all = (await rows()).filter(({ state, mergedInto }) => state !== 'spam' && mergedInto === null);
  expect(statistics.started).toBe(all.length);
  expect(statistics.resolved).toBe(all.filter(({ state }) => state === 'resolved').length);
  expect(statistics.unanswered).toBe(all.filter(({ firstReplyAt }) => firstReplyAt === null).length);
  expect(statistics.byHour.reduce((sum, row) => sum + row.started, 0)).toBe(all.length);
  expect(statistics.byPage).toEqual([{ path: '/products/spring', started: all.length }]);
  expect(statistics.byAgent.find(({ id }) => id === f.agent.userId)?.resolved).toBe(1);
  expect(f.refusal(await f.agent.get(f.at('/statistics?from=2020-01-01&to=2026-01-01')))).toBe('range_not_allowed');
  const { body } = await f.agent.get(f.at(`/export?${period}`));
  expect(body).toContain("'=1+1");
  expect(body).toContain("'@sum");
  expect((await f.agent.get(f.at(`/conversations/${conversation.id}/transcript`))).body).toMatch(/=1\+1: Hello\n.*: Hi\n/);
});

test('visitors are forgotten after their time, and erasing one needs a proof', async () => {
  const visitor = await f.visitor({ address: '203.0.113.77' });
  const { conversation } = await f.start(visitor, 'private');
  const stored = async () => (await f.ctx.postgres.db.select().from(supportVisitors)).find(({ id }) => id === visitor.id);
  await runSchedule(f.ctx, 'support.retention', 31 * DAY);
  expect(await stored()).toMatchObject({ address: '203.0.113.x', addressTruncated: true });
  expect((await f.agent.send('DELETE', f.at(`/visitors/${visitor.id}`))).statusCode).toBe(403);
  expect(f.refusal(await f.owner.send('DELETE', f.at(`/visitors/${visitor.id}`)))).toBe('reauth_required');
  await runSchedule(f.ctx, 'support.retention', 364 * DAY);
  expect((await rows()).some(({ id }) => id === conversation.id)).toBe(true);
  await runSchedule(f.ctx, 'support.retention', 366 * DAY);
  expect([(await rows()).length, await stored()]).toEqual([0, undefined]);
});

test('other sites and roles learn nothing', async () => {
  const other = await f.program.makeSite(f.owner, { name: 'Other' });
  const [reader, stranger] = [await personOn(f.program, f.site, 'analyst'), await personOn(f.program, other, 'admin')];
  const { conversation } = await f.start(await f.visitor(), 'Hello');
  const paths = ['', '/messages', '/visitor', '/transcript'].map((path) => `/conversations/${conversation.id}${path}`);
  for (const path of paths) {
    expect([path, (await stranger.get(f.at(path, other))).statusCode, (await stranger.get(f.at(path))).statusCode]).toEqual([path, 404, 404]);
    expect([path, (await reader.get(f.at(path))).statusCode]).toEqual([path, 200]);
  }
  expect((await f.change(conversation.id, { state: 'resolved' }, reader)).statusCode).toBe(403);
  expect((await stranger.send('POST', f.at('/bulk', other), { ids: [conversation.id], action: 'remove' })).json()).toEqual({ data: { changed: [] } });
  expect((await f.conversation(conversation.id)).removed).toBe(false);
});
