import { randomUUID } from 'node:crypto';
import { eq, sql } from 'drizzle-orm';
import type { LiveEvent } from '../../contract/live/schemas';
import type { SupportOverview } from '../../contract/support/conversations';
import type { SupportBlock } from '../../contract/support/settings';
import { area, supportSummary } from '../../server/areas/support';
import { supportConversations, supportMessages, supportVisitors } from '../../server/areas/support/schema';
import { contains } from '../../server/areas/support/search';
import { isIndexed, startSearchIndexes } from '../../server/areas/support/searchIndexes';
import { DAY, MINUTE, dayAt } from '../../server/zone';
import { dataOf } from '../support/app';
import type { Person } from '../support/app';
import { runSchedule } from '../support/schedules';
import { until } from '../support/until';
import { makeSupportFixture } from './supportFixture';
import type { SupportFixture } from './supportFixture';
import { personOn } from './tablesLifeSupport';

let f: SupportFixture;
beforeAll(async () => {
  f = await makeSupportFixture();
});
afterAll(() => f.program.close());

const ids = ({ rows }: { rows: readonly { id: string }[] }) => rows.map(({ id }) => id);
/** What was published while something happened. */
async function eventsOf<T extends LiveEvent['type']>(type: T, work: () => Promise<unknown>, count: number): Promise<Extract<LiveEvent, { type: T }>[]> {
  const received: LiveEvent[] = [];
  const stop = f.ctx.live.subscribe((event) => void (event.type === type && received.push(event)));
  await work();
  await until(() => received.length >= count);
  stop();
  return received as Extract<LiveEvent, { type: T }>[];
}

test('an answer leaves unread what its author has not seen', async () => {
  const { conversation } = await f.start(await f.visitor(), 'first');
  f.program.pass(5000);
  await f.write(conversation, 'while the agent types');
  const written = new Date(f.ctx.now()).toISOString();
  f.expectOk(await f.reply(conversation.id, 'answer', { readSeq: 1, resolve: true }));
  const left = await f.conversation(conversation.id);
  expect(left).toMatchObject({ state: 'open', unread: 1, agentReadSeq: 1, firstReplyAt: expect.any(String), assignee: { id: f.agent.userId } });
  expect(Date.parse(written) - Date.parse(left.waitingSince ?? '')).toBeLessThan(5000);
  const resolve = (readSeq: number) => f.change(conversation.id, { state: 'resolved', readSeq });
  expect(f.refusal(await resolve(1))).toBe('conflict');
  f.expectOk(await f.reply(conversation.id, 'second answer', { readSeq: 2 }));
  expect(await f.conversation(conversation.id)).toMatchObject({ state: 'waiting', unread: 0, waitingSince: null });
  f.expectOk(await resolve(1));
});

test('people who may no longer answer lose their conversations', async () => {
  const watching = area.services?.map((start) => start(f.ctx)) ?? [];
  const setRole = (person: Person, role: string | null) =>
    f.owner.send('PATCH', '/api/acc/grants', { changes: [{ userId: person.userId, siteId: f.site.id, role }] });
  const holder = async (): Promise<[Person, string]> => {
    const person = await personOn(f.program, f.site, 'support');
    const { conversation } = await f.start(await f.visitor(), 'Hello');
    f.expectOk(await f.change(conversation.id, { assignee: person.userId }));
    f.expectOk(await person.send('POST', f.at('/presence'), { viewing: conversation.id }));
    return [person, conversation.id];
  };
  const [[demoted, first], [disabled, second], [leaver, third]] = [await holder(), await holder(), await holder()];
  const assigneeOf = async (id: string) => (await f.conversation(id)).assignee;
  f.expectOk(await setRole(demoted, 'editor'));
  await until(async () => (await assigneeOf(first)) === null);
  const { rows } = await f.messages(first);
  expect([f.bodies(rows).at(-1), rows.at(-1)?.author, rows.at(-1)?.agent]).toEqual(['*unassigned', 'system', null]);
  f.expectOk(await f.owner.send('POST', `/api/acc/users/${disabled.userId}/disable`));
  await until(async () => (await assigneeOf(second)) === null);
  for (const { close } of watching) await close();

  // Nobody heard the event, and the conversation was done: once the visitor writes again, it is nobody's.
  f.expectOk(await f.change(third, { state: 'resolved' }));
  f.expectOk(await setRole(leaver, null));
  await runSchedule(f.ctx, 'support.leavers');
  expect(await assigneeOf(third)).toMatchObject({ id: leaver.userId });
  await f.write({ siteId: f.site.id, id: third }, 'One more thing');
  const [woken] = await eventsOf('support', () => runSchedule(f.ctx, 'support.leavers'), 1);
  expect([woken?.conversationId, await assigneeOf(third)]).toEqual([third, null]);
  expect(ids(await f.list('list=unassigned'))).toEqual(expect.arrayContaining([first, second, third]));
  expect(dataOf<SupportOverview>(await f.agent.get(f.at(''))).agents.map(({ id }) => id)).not.toContain(leaver.userId);
});

test('a search reads an index that serves Chinese and parts of words, and an export has all rows', async () => {
  const [visitor, other] = [await f.visitor({ name: 'Søren 陈', email: 'soren@tea.example' }), await f.program.makeSite(f.owner, { name: 'Other' })];
  const { db } = f.ctx.postgres;
  const at = new Date(f.ctx.now());
  const page = { url: '', title: '' };
  const stored = { visitorId: visitor.id, kind: 'chat', page, startedAt: at, lastMessageAt: at, version: 1, messages: 1 } as const;
  const many = Array.from({ length: 2100 }, (_, n) => ({ ...stored, siteId: f.site.id, id: randomUUID(), clientId: `many-${String(n)}`, number: 10_000 + n }));
  for (let from = 0; from < many.length; from += 700) {
    const some = many.slice(from, from + 700);
    await db.insert(supportConversations).values(some);
    const text = (n: number) => (n === 1500 ? '请问龙井茶怎么卖？ First-flush DARJEELING, 50% off' : `普洱的价格 ${String(n)} 井龙 darling feeling`);
    const message = { siteId: f.site.id, seq: 1, version: 1, author: 'visitor', kind: 'text', at } as const;
    await db.insert(supportMessages).values(some.map(({ id }, n) => ({ ...message, conversationId: id, body: text(from + n) })));
  }
  const theirs = await f.start(await f.visitor({ siteId: other.id }), '龙井');
  await db.execute(sql`analyze support_messages`);
  const indexes = startSearchIndexes(f.ctx);
  const found = async (q: string) => ids(await f.list(`q=${encodeURIComponent(q)}&visitor=${visitor.id}`));
  for (const q of ['龙井', '怎', 'rjeelin', 'first-FLUSH dar', '50%', '#11500'])
    expect([q, (await found(q)).includes(many[1500]?.id ?? '')]).toEqual([q, true]);
  for (const q of ['龙井', 'rjeelin', 'flush darjeeling, 50']) expect([q, await found(q)]).toEqual([q, [many[1500]?.id]]);
  for (const q of ['井茶龙', '5_%', 'tealeaf']) expect([q, await found(q)]).toEqual([q, []]);
  for (const q of ['søren', 'OREN@tea']) expect([q, (await found(q)).length]).toEqual([q, 30]);
  expect(ids(await f.list(`q=${encodeURIComponent('龙井')}`))).not.toContain(theirs.conversation.id);
  // Built meanwhile.
  await until(() => isIndexed(db));
  await indexes.close();
  for (const q of ['龙井', 'rjeelin', 'flush darjeeling, 50']) expect([q, await found(q)]).toEqual([q, [many[1500]?.id]]);
  expect((await found('怎')).includes(many[1500]?.id ?? '')).toBe(true);
  const count = async (q: string) =>
    Number(
      (
        await db
          .select({ n: sql`count(*)` })
          .from(supportConversations)
          .where(contains(f.site.id, q, true))
      )[0]?.n,
    );
  expect(await count('e')).toBe(2000);
  const searched = async (query: string) => (await f.list(query)).searched;
  for (const q of ['e', 'я', 'λ', 'の', 'ع', 'は 1']) expect([q, await searched(`list=spam&q=${encodeURIComponent(q)}`)]).toEqual([q, 2000]);
  for (const q of ['的', '차', '茶 e', '🍵', 'да']) expect([q, await searched(`list=spam&q=${encodeURIComponent(q)}`)]).toEqual([q, null]);
  const plan = await db.execute<{ 'QUERY PLAN': string }>(sql`explain select 1 from ${supportConversations} where ${contains(f.site.id, '龙井', true)}`);
  expect(plan.rows.map((row) => row['QUERY PLAN']).join('\n')).toContain('support_messages_search_index');

  const period = `from=${dayAt(f.ctx.now() - DAY, f.site.timeZone)}&to=${dayAt(f.ctx.now(), f.site.timeZone)}`;
  const lines = (await f.agent.get(f.at(`/export?${period}`))).body.trimEnd().split('\r\n');
  const numbers = lines.slice(1).map((line) => Number(line.split(',')[0]));
  expect(numbers.slice(-many.length)).toEqual(many.map(({ number }) => number));
  await db.delete(supportVisitors).where(eq(supportVisitors.id, visitor.id));
});

test('of two who merge crosswise one does, and two transfers leave one agent', async () => {
  const visitor = await f.visitor();
  const [a, b] = [(await f.start(visitor, 'in a')).conversation, (await f.start(visitor, 'in b')).conversation];
  const merge = (to: string, from: string, by: Person) => by.send('POST', f.at(`/conversations/${to}/merge`), { from });
  const merged = await Promise.all([merge(a.id, b.id, f.agent), merge(b.id, a.id, f.owner)]);
  expect(merged.map(({ statusCode }) => String(statusCode)).toSorted()).toEqual(['200', '409']);
  const { id } = await f.conversation(a.id);
  const { rows } = await f.messages(id);
  expect(f.bodies(rows).toSorted()).toEqual(['*merged', 'in a', 'in b']);
  expect(rows.map(({ seq }) => seq)).toEqual([1, 2, 3]);

  const transfer = (to: Person, by: Person, clientId: string = randomUUID()) =>
    by.send('POST', f.at(`/conversations/${id}/transfer`), { to: to.userId, note: `to ${to.userId}`, clientId });
  const clientId = randomUUID();
  const passed = [transfer(f.owner, f.agent, clientId), transfer(f.owner, f.agent, clientId), transfer(f.agent, f.owner)];
  for (const response of await Promise.all(passed)) f.expectOk(response);
  const after = (await f.messages(id)).rows.slice(3);
  expect(f.bodies(after).filter((body) => body.startsWith('to '))).toHaveLength(2);
  const last = after.findLast(({ event }) => event?.type === 'transferred');
  expect((await f.conversation(id)).assignee?.id).toBe(last?.event?.subject);

  const blocks = { kind: 'email', value: 'twice@example.com' };
  const added = await Promise.all([f.agent.send('POST', f.at('/blocks'), blocks), f.owner.send('POST', f.at('/blocks'), blocks)]);
  const block = dataOf<SupportBlock>(added.find(({ statusCode }) => statusCode === 200) ?? added[0]);
  expect(dataOf<SupportBlock[]>(await f.agent.get(f.at('/blocks'))).filter(({ value }) => value === blocks.value)).toHaveLength(1);
  const remove = (by: Person) => by.send('DELETE', f.at(`/blocks/${block.id}`));
  const removed = await Promise.all([remove(f.agent), remove(f.agent)]);
  expect(removed.map(({ statusCode }) => String(statusCode)).toSorted()).toEqual(['204', '404']);
  const restore = (by: Person) => by.send('POST', f.at(`/blocks/${block.id}/restore`));
  expect((await restore(f.owner)).statusCode).toBe(404);
  f.expectOk(await restore(f.agent));
});

test('merging, passing on and blocking need the site, its role and the scope', async () => {
  const other = await f.program.makeSite(f.owner, { name: 'Elsewhere' });
  const stranger = await personOn(f.program, other, 'admin');
  const visitor = await f.visitor();
  const [to, from] = [(await f.start(visitor, 'to')).conversation, (await f.start(visitor, 'from')).conversation];
  const block = dataOf<SupportBlock>(await f.agent.send('POST', f.at('/blocks'), { kind: 'visitor', value: visitor.id }));
  const calls = [
    ['POST', `/conversations/${to.id}/merge`, { from: from.id }],
    ['POST', `/conversations/${to.id}/transfer`, { to: stranger.userId, clientId: randomUUID() }],
    ['PATCH', `/conversations/${to.id}`, { state: 'spam' }],
    ['POST', `/conversations/${to.id}/messages`, { body: 'x', clientId: randomUUID() }],
    ['POST', `/conversations/${to.id}/read`, { seq: 1 }],
    ['PATCH', `/visitors/${visitor.id}`, { name: 'x' }],
    ['DELETE', `/blocks/${block.id}`, undefined],
  ] as const;
  const { value } = dataOf<{ value: string }>(await f.owner.send('POST', '/api/acc/tokens', { name: 'x', scopes: ['site:read', 'support:read'] }));
  const analyst = await personOn(f.program, f.site, 'analyst');
  for (const [method, path, body] of calls) {
    const byToken = await f.program.app.inject({ method, url: f.at(path), headers: { authorization: `Bearer ${value}` }, ...(body && { payload: body }) });
    const answers = [
      await stranger.send(method, f.at(path, other), body),
      await stranger.send(method, f.at(path), body),
      await analyst.send(method, f.at(path), body),
    ];
    expect([path, ...answers.map(({ statusCode }) => statusCode), byToken.statusCode]).toEqual([path, 404, 404, 403, 403]);
  }
  const own = await f.start(await f.visitor({ siteId: other.id }), 'theirs');
  expect((await stranger.send('POST', f.at(`/conversations/${own.conversation.id}/merge`, other), { from: from.id })).statusCode).toBe(404);
  expect(f.refusal(await stranger.send('POST', f.at('/blocks', other), { kind: 'visitor', value: visitor.id }))).toBe('invalid_fields value:unknown');
  expect([await f.conversation(to.id), await f.conversation(from.id)]).toMatchObject([
    { id: to.id, state: 'open' },
    { id: from.id, unread: 1 },
  ]);
});

test('the site says when a visitor has waited too long, and an event names the agent who changed', async () => {
  f.expectOk(await f.configure({ mode: 'builtin', replyMinutes: 1440 }));
  await f.start(await f.visitor(), 'Anybody there?');
  const overdue = async () => (await supportSummary(f.ctx, f.site, f.ctx.now())).summary?.overdue;
  expect(await overdue()).toBe(0);
  f.program.pass(7 * MINUTE);
  f.expectOk(await f.configure({ replyMinutes: 5 }));
  expect(await overdue()).toBeGreaterThan(0);
  expect(dataOf<SupportOverview>(await f.agent.get(f.at(''))).replyMinutes).toBe(5);
  expect(f.refusal(await f.configure({ replyMinutes: 0 }))).toContain('replyMinutes');

  const viewing = randomUUID();
  const tell = (body: object) => f.agent.send('POST', f.at('/presence'), body);
  const published = await eventsOf(
    'supportAgents',
    async () => {
      for (const body of [{ viewing }, { viewing }, { viewing, status: 'away' }, { leaving: true }]) f.expectOk(await tell(body));
    },
    3,
  );
  const agent = { id: f.agent.userId, online: true, viewing, typing: false };
  expect(published.map((event) => event.agent)).toEqual([
    { ...agent, status: 'available' },
    { ...agent, status: 'away' },
    { ...agent, status: 'away', online: false, viewing: null },
  ]);
});
