import { jest } from '@jest/globals';
import { eq } from 'drizzle-orm';
import type { StartUp } from '../../contract/sites/schemas';
import { supportConversations, supportSettings, supportVisitors } from '../../server/areas/support/schema';
import { outbox } from '../../server/mail/schema';
import { DAY, HOUR } from '../../server/zone';
import { dataOf } from '../support/app';
import { runSchedule } from '../support/schedules';
import { makeSupportFixture } from './supportFixture';
import type { SupportFixture } from './supportFixture';

jest.setTimeout(60_000);
let f: SupportFixture;
beforeAll(async () => {
  f = await makeSupportFixture({ config: { privateWebhooks: true } });
});
afterAll(() => f.program.close());

const stored = async (id: string) => {
  const { db } = f.ctx.postgres;
  return (await db.select().from(supportConversations).where(eq(supportConversations.id, id)))[0];
};

test('consoles learn which sites have customer service', async () => {
  const marks = async () => dataOf<StartUp>(await f.agent.get('/api/core/load/rpm')).sites.map(({ id, support }) => [id === f.site.id, support]);
  expect(await marks()).toEqual([[true, false]]);
  let stop = (): void => undefined;
  const announced = new Promise<void>((resolve) => {
    stop = f.ctx.live.subscribe(({ type }) => void (type === 'site' && resolve()));
  });
  f.expectOk(await f.configure({ mode: 'builtin' }));
  await announced;
  stop();
  expect(await marks()).toEqual([[true, true]]);
});

test('a notice that fails delays no others', async () => {
  const other = await f.program.makeSite(f.owner, { name: 'Other' });
  f.expectOk(await f.owner.send('POST', '/api/acc/contacts', { name: '值班', webhook: 'http://127.0.0.1:9/hook', subscriptions: { support: ['webhook'] } }));
  f.expectOk(await f.configure({ mode: 'builtin', notify: { contacts: true, delaySeconds: 60, webhook: { kind: 'json', url: 'http://127.0.0.1:9/' } } }));
  await f.ctx.postgres.db.update(supportSettings).set({ webhookSecret: 'unreadable' }).where(eq(supportSettings.siteId, f.site.id));
  const failing = (await f.start(await f.visitor(), 'first')).conversation;
  const due = (await f.start(await f.visitor({ siteId: other.id }), 'second')).conversation;
  await runSchedule(f.ctx, 'support.notices', 61_000);
  const messages = (await f.ctx.postgres.db.select().from(outbox)).map(({ message }) => f.ctx.secrets.open('outbox', message));
  expect(messages).toHaveLength(1);
  expect(messages[0]).toContain(due.id);
  expect((await stored(failing.id))?.notifyAt?.getTime()).toBeGreaterThan(f.ctx.now() + 120_000);
  f.expectOk(await f.configure({ notify: { contacts: false, delaySeconds: 60, webhook: null } }));
});

test('retention erases nothing in which somebody writes', async () => {
  const { db } = f.ctx.postgres;
  const visitor = await f.visitor();
  const { conversation } = await f.start(visitor, 'old');
  const late = new Date(f.ctx.now() + 366 * DAY);
  await db.transaction(async (tx) => {
    await tx.update(supportConversations).set({ lastMessageAt: late }).where(eq(supportConversations.id, conversation.id));
    await runSchedule(f.ctx, 'support.retention', 366 * DAY);
  });
  await runSchedule(f.ctx, 'support.retention', 366 * DAY);
  expect(await stored(conversation.id)).toBeDefined();
  await runSchedule(f.ctx, 'support.retention', 732 * DAY);
  expect(await stored(conversation.id)).toBeUndefined();
  expect(await db.select().from(supportVisitors)).toEqual([]);
});

test('a merged conversation is erased with the other', async () => {
  const visitor = await f.visitor();
  const [to, from] = [(await f.start(visitor, 'to')).conversation, (await f.start(visitor, 'from')).conversation];
  const sent = await f.reply(from.id, 'answer');
  f.expectOk(sent);
  f.expectOk(await f.agent.send('POST', f.at(`/conversations/${to.id}/merge`), { from: from.id }));
  // Its place is another message there.
  expect((await f.agent.send('PATCH', f.at(`/conversations/${from.id}/messages/2`), { body: 'x' })).statusCode).toBe(404);
  const again = await f.start(visitor, 'third');
  f.expectOk(await f.agent.send('POST', f.at('/bulk'), { ids: [to.id], action: 'remove' }));
  expect(f.refusal(await f.agent.send('POST', f.at(`/conversations/${to.id}/merge`), { from: again.conversation.id }))).toBe('conflict');
  await runSchedule(f.ctx, 'support.removed', 2 * HOUR);
  expect([await stored(to.id), await stored(from.id)]).toEqual([undefined, undefined]);
});

test('resolving several conversations leaves open what arrived unseen', async () => {
  const visitor = await f.visitor();
  const [seen, written] = [(await f.start(visitor, 'one')).conversation, (await f.start(visitor, 'two')).conversation];
  const readSeqs = { [seen.id]: seen.version, [written.id]: written.version };
  await f.write(written, 'and more');
  const resolve = async (seqs: object) =>
    dataOf<object>(await f.agent.send('POST', f.at('/bulk'), { ids: [seen.id, written.id], action: 'resolve', readSeqs: seqs }));
  expect(await resolve(readSeqs)).toEqual({ changed: [seen.id], unseen: [{ id: written.id, number: written.number }] });
  expect(await f.conversation(written.id)).toMatchObject({ state: 'open', unread: 2 });
  expect(await resolve({ [written.id]: written.version + 1 })).toEqual({ changed: [seen.id, written.id], unseen: [] });
});
