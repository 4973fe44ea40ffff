import type { AddressInfo } from 'node:net';
import type { LiveEvent } from '../../contract/live/schemas';
import { openLiveBus } from '../../server/http/live';
import type { LiveBus } from '../../server/http/live';
import { connect } from '../../server/stores/postgres/open';
import { makeTestApp } from '../support/app';
import type { Browser, Person, TestApp } from '../support/app';
import { until } from '../support/until';

let t: TestApp;
let owner: Person;
let origin: string;
/** The bus of another process, with its own connections to the same database. */
let elsewhere: { bus: LiveBus; close: () => Promise<void> };
beforeAll(async () => {
  t = await makeTestApp();
  owner = await t.signUpOwner();
  await t.app.listen({ host: '127.0.0.1', port: 0 });
  origin = `http://127.0.0.1:${(t.app.server.address() as AddressInfo).port}`;
  const postgres = connect({ connectionString: t.stores.databaseUrl }, t.ctx.log, async () => undefined);
  const bus = await openLiveBus(postgres, t.ctx.log);
  elsewhere = {
    bus,
    close: async () => {
      await bus.close();
      await postgres.close();
    },
  };
});
afterAll(async () => {
  await elsewhere.close();
  await t.close();
});

type Reader = {
  readonly status: number;
  readonly type: string | null;
  readonly events: LiveEvent[];
  readonly ended: Promise<void>;
  readonly isOpen: () => boolean;
  readonly stop: () => void;
};
const open: Reader[] = [];
afterEach(async () => {
  for (const reader of open.splice(0)) {
    reader.stop();
    await reader.ended;
  }
});

async function listen(who: Browser, ...topics: string[]): Promise<Reader> {
  const abort = new AbortController();
  const query = new URLSearchParams(topics.map((topic) => ['topic', topic]));
  const answer = await fetch(`${origin}/api/core/stream?${query}`, {
    signal: abort.signal,
    headers: { cookie: [...who.cookies].map(([k, v]) => `${k}=${v}`).join('; ') },
  });
  const events: LiveEvent[] = [];
  let isOpen = answer.ok;
  const readAll = async (): Promise<void> => {
    let rest = '';
    const decoder = new TextDecoder();
    for await (const chunk of answer.body ?? []) {
      const blocks = (rest + decoder.decode(chunk, { stream: true })).split('\n\n');
      rest = blocks.pop() ?? '';
      for (const block of blocks) if (block.startsWith('data: ')) events.push(JSON.parse(block.slice(6)) as LiveEvent);
    }
  };
  const ended = readAll()
    .catch(() => undefined)
    .then(() => void (isOpen = false));
  const reader: Reader = { status: answer.status, type: answer.headers.get('content-type'), events, ended, isOpen: () => isOpen, stop: () => abort.abort() };
  open.push(reader);
  return reader;
}

const als = (siteId: string): LiveEvent => ({ type: 'als', siteId, visitIds: ['0123456789abcdef'], at: 1 });

test('a new site is published to every tab that may see it', async () => {
  const member = await t.makePerson('member');
  const [mine, theirs, other] = [await listen(owner, 'sites'), await listen(member, 'sites'), await listen(owner, 'jobs')];
  expect([mine.status, mine.type]).toEqual([200, 'text/event-stream; charset=utf-8']);
  const site = await t.makeSite(owner);
  await until(() => mine.events.length === 1);
  expect(mine.events).toEqual([{ type: 'site', siteId: site.id, change: 'added' }]);
  await t.grant(site.id, member.userId, 'viewer');
  await owner.send('PATCH', `/api/core/sites/${site.id}`, { name: 'New' }, { 'if-match': '"1"' });
  await until(() => theirs.events.length === 1);
  expect(theirs.events).toEqual([{ type: 'site', siteId: site.id, change: 'changed' }]);
  expect(other.events).toEqual([]);
});

test('events published by one process reach streams of another', async () => {
  const site = await t.makeSite(owner);
  const reader = await listen(owner, `als:${site.id}`);
  const receivedEvents: LiveEvent[] = [];
  const stop = t.ctx.live.subscribe((event) => void receivedEvents.push(event));
  elsewhere.bus.publish(als(site.id));
  await until(() => reader.events.length === 1);
  expect([reader.events, receivedEvents]).toEqual([[als(site.id)], [als(site.id)]]);
  stop();
});

test('a topic without permission is silent, also after revocation', async () => {
  const site = await t.makeSite(owner);
  const [support, viewer] = [await t.makePerson('member'), await t.makePerson('member')];
  await t.grant(site.id, support.userId, 'support');
  await t.grant(site.id, viewer.userId, 'viewer');
  const [refused, allowed] = [await listen(support, `als:${site.id}`, 'user'), await listen(viewer, `als:${site.id}`, 'user')];
  elsewhere.bus.publish(als(site.id));
  await until(() => allowed.events.length === 1);
  await t.ctx.postgres.pool.query('delete from site_grants where user_id = $1', [viewer.userId]);
  for (const { userId } of [viewer, support]) elsewhere.bus.publish({ type: 'user', userId });
  await until(() => allowed.events.length === 2 && refused.events.length === 1);
  elsewhere.bus.publish(als(site.id));
  // Events keep their order: once the last has arrived, an earlier one would have too.
  for (const { userId } of [viewer, support]) elsewhere.bus.publish({ type: 'user', userId });
  await until(() => allowed.events.length === 3 && refused.events.length === 2);
  expect(allowed.events.map((e) => e.type)).toEqual(['als', 'user', 'user']);
  expect(refused.events.map((e) => e.type)).toEqual(['user', 'user']);
});

test('people are published to readers and themselves, following role changes', async () => {
  const [manager, member] = [await t.makePerson('manager'), await t.makePerson('member')];
  const [all, own] = [await listen(manager, 'people', 'user'), await listen(member, 'people', 'user')];
  const change = async (who: Person, role: string): Promise<void> => {
    await t.ctx.postgres.pool.query('update users set role = $2 where id = $1', [who.userId, role]);
    elsewhere.bus.publish({ type: 'user', userId: who.userId });
  };
  const user = ({ userId }: Person): LiveEvent => ({ type: 'user', userId });
  elsewhere.bus.publish(user(owner));
  await change(member, 'manager');
  await until(() => all.events.length === 2 && own.events.length === 1);
  await change(manager, 'member');
  await until(() => all.events.length === 3 && own.events.length === 2);
  elsewhere.bus.publish(user(owner));
  await change(manager, 'member');
  await until(() => all.events.length === 4 && own.events.length === 4);
  expect(all.events).toEqual([owner, member, manager, manager].map(user));
  expect(own.events).toEqual([member, manager, owner, manager].map(user));
});

test('disabling a person ends their stream at once', async () => {
  const member = await t.makePerson('member');
  const reader = await listen(member, 'user');
  await t.ctx.postgres.pool.query('update users set disabled = true where id = $1', [member.userId]);
  elsewhere.bus.publish({ type: 'user', userId: member.userId });
  await reader.ended;
  expect(reader.events.map((e) => e.type)).toEqual(['sessionEnded']);
});

test('a stream requires a session', async () => {
  expect((await listen(t.browser(), 'sites')).status).toBe(401);
});

test('signing out closes only that session’s streams, with a reason', async () => {
  const member = await t.makePerson('member');
  const [one, two, mine] = [await listen(member, 'user'), await listen(member, 'sites'), await listen(owner, 'user')];
  await member.send('POST', '/api/acc/token/sign-out');
  await Promise.all([one.ended, two.ended]);
  expect([one.events.at(-1)?.type, two.events.at(-1)?.type]).toEqual(['sessionEnded', 'sessionEnded']);
  expect(mine.isOpen()).toBe(true);
});

test('a session deleted directly closes its streams too', async () => {
  const member = await t.makePerson('member');
  const reader = await listen(member, 'user');
  await t.ctx.postgres.pool.query('delete from sessions where user_id = $1', [member.userId]);
  await reader.ended;
  expect(reader.events).toEqual([{ type: 'sessionEnded', sessionId: expect.any(String) }]);
});

test('an open stream does not keep an idle session alive', async () => {
  const member = await t.makePerson('member');
  const before = await t.ctx.postgres.pool.query<{ idle_until: Date }>('select idle_until from sessions where user_id = $1', [member.userId]);
  t.pass(3_600_000);
  await listen(member, 'user');
  const after = await t.ctx.postgres.pool.query<{ idle_until: Date }>('select idle_until from sessions where user_id = $1', [member.userId]);
  expect(after.rows).toEqual(before.rows);
});

test('six streams a session are allowed, and closing frees one', async () => {
  const member = await t.makePerson('member');
  const readers = [];
  for (let i = 0; i < 6; i++) readers.push(await listen(member, 'user'));
  expect((await listen(member, 'user')).status).toBe(429);
  readers[0]?.stop();
  await until(async () => (await listen(member, 'user')).status === 200);
});

test('an event too large or of unknown shape does no harm', async () => {
  const reader = await listen(owner, 'user');
  elsewhere.bus.publish({ type: 'user', userId: 'x'.repeat(9000) });
  await t.ctx.postgres.notify('live', '{"type":"nonsense"}');
  await t.ctx.postgres.notify('live', 'not json');
  elsewhere.bus.publish({ type: 'user', userId: owner.userId });
  await until(() => reader.events.length === 1);
  expect(reader.events).toEqual([{ type: 'user', userId: owner.userId }]);
});

test('many concurrent events arrive in order', async () => {
  const receivedUserIds: string[] = [];
  const stop = t.ctx.live.subscribe((event) => void (event.type === 'user' && receivedUserIds.push(event.userId)));
  const sent = Array.from({ length: 300 }, (_, n) => `person ${n}`);
  for (const userId of sent) elsewhere.bus.publish({ type: 'user', userId });
  await until(() => receivedUserIds.length === sent.length);
  stop();
  expect(receivedUserIds).toEqual(sent);
});
