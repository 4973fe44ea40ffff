import { createHmac } from 'node:crypto';
import { createServer } from 'node:http';
import type { IncomingHttpHeaders, Server, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { eq, sql } from 'drizzle-orm';
import type { Hook, HookDelivery, HookDeliveryWhole, HookInput, HookMade } from '../../contract/tableHooks';
import { auditLog } from '../../server/areas/audit/schema';
import { contentDeliveries, contentHooks } from '../../server/areas/tables/schema';
import { startHookSender, sweepHooks } from '../../server/areas/tables/webhooks';
import { makeBody } from '../../server/areas/tables/webhooks/message';
import { post } from '../../server/areas/tables/webhooks/post';
import { takeDue } from '../../server/areas/tables/webhooks/queries';
import { nextTry } from '../../server/areas/tables/webhooks/sender';
import type { HookSender, HookSenderOptions } from '../../server/areas/tables/webhooks/sender';
import { outbox } from '../../server/mail/schema';
import { makeTestApp } from '../support/app';
import type { Person, TestApp } from '../support/app';
import { addTestTable, makeTabled } from '../support/tables';
import type { MadeTable, Tabled } from '../support/tables';
import { until } from '../support/until';

type Told = {
  readonly id: string;
  readonly n: number;
  readonly revision: number;
  readonly values: Record<string, unknown>;
  readonly translations: Record<string, Record<string, unknown>>;
  readonly changes: Record<string, { before: unknown; after: unknown }>;
  readonly omitted?: true;
};
type Message = {
  readonly id: string;
  readonly event: string;
  readonly table: { readonly id: string; readonly key: string } | null;
  readonly actor: { readonly name: string } | null;
  readonly batch: { readonly door: string } | null;
  readonly records: Told[];
  readonly labels: { readonly records: Record<string, string>; readonly people: Record<string, string> };
};
type Received = { readonly path: string; readonly headers: IncomingHttpHeaders; readonly text: string; readonly body: Message };

/** A receiver: answers 200 unless told otherwise, by path. */
const got: Received[] = [];
const answers = new Map<string, (response: ServerResponse, received: Received) => void>();
let receiver: Server;
let origin: string;
const at = (path: string): Received[] => got.filter((one) => one.path === path);
const status =
  (code: number, headers: Record<string, string> = {}) =>
  (response: ServerResponse) =>
    void response.writeHead(code, headers).end('said');

let program: TestApp;
let main: Tabled;
let people: MadeTable;
let owner: Person;
let base: string;
let sender: HookSender | null = null;
beforeAll(async () => {
  receiver = createServer((request, response) => {
    let text = '';
    request.setEncoding('utf8').on('data', (part: string) => (text += part));
    request.on('end', () => {
      const received = { path: request.url ?? '', headers: request.headers, text, body: JSON.parse(text) as Message };
      got.push(received);
      (answers.get(received.path) ?? status(200))(response, received);
    });
  });
  await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
  origin = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}`;
  program = await makeTestApp({ config: { privateWebhooks: true } });
  main = await makeTabled(
    program,
    [
      { key: 'title', type: 'text', localized: true },
      { key: 'price', type: 'currency', options: { currency: 'CNY', decimals: 2 } },
      { key: 'phone', type: 'phone', sensitive: true },
      { key: 'pin', type: 'password' },
      { key: 'tail', type: 'formula', options: { formula: 'right({phone}, 4)' } },
      { key: 'double', type: 'formula', options: { formula: '{price} * 2' } },
    ],
    { key: 'articles', drafts: true, locales: ['zh-CN', 'en'] },
  );
  ({ owner } = main);
  base = `/api/site/${main.site.id}/table/hooks`;
  people = await addTestTable(owner, main.site.id, [{ key: 'name', type: 'text' }], { key: 'people' });
  const added = await owner.send('POST', `${main.path}/fields`, { title: '作者', key: 'author', type: 'relation', options: { to: people.table.id } });
  const linked = await owner.send('POST', `${main.path}/fields`, { title: '编辑', key: 'editors', type: 'relations', options: { to: people.table.id } });
  expect([added.statusCode, linked.statusCode]).toEqual([200, 200]);
});
afterAll(async () => {
  await program.close();
  receiver.closeAllConnections();
  receiver.close();
});
afterEach(async () => {
  await sender?.close();
  sender = null;
  answers.clear();
  for (const hook of await hooks()) await owner.send('DELETE', `${base}/${hook.id}`);
});

const send = (options: HookSenderOptions = {}): void => void (sender = startHookSender(program.ctx, { pollEvery: 30, graceFor: 50, ...options }));
async function call<T>(method: 'POST' | 'PATCH' | 'GET', url: string, body?: object, headers: Record<string, string> = {}): Promise<T> {
  const answer = method === 'GET' ? await owner.get(url) : await owner.send(method, url, body ?? {}, headers);
  if (answer.statusCode !== 200) throw new Error(`${method} ${url}: ${answer.body}`);
  return answer.json<{ data: T }>().data;
}
const hooks = (): Promise<Hook[]> => call('GET', base);
let paths = 0;
/** A webhook to a path of its own. */
async function addHook(input: Partial<HookInput> = {}): Promise<HookMade & { path: string; url: string }> {
  const path = `/hook-${paths++}`;
  const made = await call<HookMade>('POST', base, { name: '同步', url: `${origin}${path}`, events: ['record.created', 'record.updated'], ...input });
  return { ...made, path, url: `${base}/${made.hook.id}` };
}
type Rows = { records: { id: string; revision: number }[]; batchId: string };
const create = async (table: MadeTable, ...records: object[]): Promise<string[]> =>
  (await call<Rows>('POST', `${table.path}/records`, { records })).records.map(({ id }) => id);
const change = (table: MadeTable, id: string, values: object): Promise<Rows> => call('PATCH', `${table.path}/records`, { changes: [{ id, values }] });
const deliveries = async (url: string, query = ''): Promise<HookDelivery[]> => (await call<{ rows: HookDelivery[] }>('GET', `${url}/deliveries${query}`)).rows;
/** The oldest delivery has failed so often, and that is written down. */
async function hasFailed(url: string, attempts: number): Promise<boolean> {
  const oldest = (await deliveries(url)).at(-1);
  return oldest?.attempts === attempts && oldest.nextAt !== null && Date.parse(oldest.nextAt) > program.ctx.now();
}
/** As docs say it: `v1,` and Base64 of the HMAC of id, time and body by the secret behind its prefix. */
const signed = (secret: string, { headers, text }: Received): string =>
  `v1,${createHmac('sha256', Buffer.from(secret.replace('whsec_', ''), 'base64'))
    .update(`${String(headers['webhook-id'])}.${String(headers['webhook-timestamp'])}.${text}`)
    .digest('base64')}`;

test('a change arrives once, at once and signed: the whole record with its links and translations, what was before, and nothing that is secret', async () => {
  const [lin = ''] = await create(people, { name: '林' });
  // A poll would come too late: the change itself wakes the sender.
  send({ pollEvery: 60_000 });
  const { secret, path, url, hook } = await addHook();
  const [id = ''] = await create(main, { title: '春茶', price: '12.50', phone: '13800001234', pin: 'Geheim-1', author: lin, editors: [lin] });
  await until(() => at(path).length === 1);
  const first = at(path)[0] as Received;
  expect(first.headers['webhook-signature']).toBe(signed(secret, first));
  expect(Math.abs(Date.now() / 1000 - Number(first.headers['webhook-timestamp']))).toBeLessThan(60);
  expect(first.headers).toMatchObject({
    'content-type': 'application/json; charset=utf-8',
    'webhook-id': first.body.id,
    'x-sitewright-event': 'record.created',
  });
  expect(first.body).toMatchObject({
    event: 'record.created',
    table: { id: main.table.id, key: 'articles' },
    actor: { name: '林' },
    batch: { door: 'console' },
  });
  expect(first.body.records).toEqual([expect.objectContaining({ id, revision: 1, changes: {} })]);
  expect(first.body.records[0]?.values).toEqual({ title: '春茶', price: '12.50', double: '25', tail: null, author: lin, editors: [lin] });
  expect(first.body.labels.records).toEqual({ [lin]: '林' });

  await call('PATCH', `${main.path}/records`, { changes: [{ id, values: { title: 'Spring tea', phone: '13900005678', author: null } }], locale: 'en' });
  await until(() => at(path).length === 2);
  const second = at(path)[1]?.body;
  expect(second?.records[0]).toMatchObject({ revision: 2, translations: { en: { title: 'Spring tea' } }, values: { title: '春茶', author: null } });
  expect(second?.records[0]?.changes).toEqual({ author: { before: lin, after: null }, 'title@en': { before: null, after: 'Spring tea' } });
  // Where a link led before has its name too.
  expect(second?.labels.records).toEqual({ [lin]: '林' });

  await until(async () => (await deliveries(url, '?state=sent')).length === 2);
  const [latest] = await deliveries(url);
  expect(latest).toMatchObject({ event: 'record.updated', state: 'sent', status: 200, attempts: 1, records: 1, fault: null });
  const whole = await owner.get(`${url}/deliveries/${latest?.id}`);
  expect(whole.json<{ data: HookDeliveryWhole }>().data).toMatchObject({
    request: { body: at(path)[1]?.text, rebuilt: false },
    reply: 'said',
    recordIds: [id],
  });
  // Neither the secret nor a signature, a password or a sensitive value stands anywhere.
  const lines = await program.ctx.postgres.db.select().from(auditLog).where(eq(auditLog.action, 'webhook.added'));
  expect(lines.at(-1)).toMatchObject({ targetId: hook.id, after: { receiver: new URL(origin).host, enabled: true } });
  const everything = [JSON.stringify(lines.map((line) => line.after)), whole.body, (await owner.get(base)).body, first.text, at(path)[1]?.text].join();
  for (const word of [secret, secret.slice(6), 'v1,', '1234', '5678', 'phone', 'argon', 'Geheim']) expect(everything).not.toContain(word);
});

test('two changes that wait are told each as it was, and one that fails is not overtaken by what comes after it', async () => {
  const { path, url } = await addHook({ events: ['record.updated'] });
  const [slow = '', quick = ''] = await create(main, { title: '甲', price: '1' }, { title: '乙' });
  await change(main, slow, { price: '2' });
  await change(main, slow, { price: '3' });
  await change(main, quick, { price: '9' });
  let refuse = true;
  answers.set(path, (response, { body }) => status(refuse && body.records[0]?.id === slow ? 500 : 200)(response));
  send();
  await until(() => at(path).length >= 2);
  await until(() => hasFailed(url, 1));
  // The other record did not wait, the later change of this one did.
  expect(at(path).map(({ body }) => [body.records[0]?.id, body.records[0]?.values['price']])).toEqual(
    expect.arrayContaining([
      [slow, '2.00'],
      [quick, '9.00'],
    ]),
  );
  expect(at(path)).toHaveLength(2);
  expect((await deliveries(url)).find((one) => one.status === 500)).toMatchObject({ state: 'waiting', attempts: 1, fault: 'answered' });
  refuse = false;
  program.pass(7000);
  await until(() => at(path).length === 4);
  const told = at(path).filter(({ body }) => body.records[0]?.id === slow);
  expect(told.map(({ body }) => body.records[0]?.changes['price'])).toEqual([
    { before: '1.00', after: '2.00' },
    { before: '1.00', after: '2.00' },
    { before: '2.00', after: '3.00' },
  ]);
  // What is repeated is the same message.
  expect(told[1]?.headers['webhook-id']).toBe(told[0]?.headers['webhook-id']);
  expect(told[1]?.text).toBe(told[0]?.text);
});

test('pauses grow from seconds to half a day, and after nine attempts it is over', () => {
  expect([1, 2, 3, 4, 5, 6, 7, 8, 9].map((attempts) => nextTry(attempts, 0, null, 0))).toEqual([
    5000,
    30_000,
    120_000,
    600_000,
    3_600_000,
    10_800_000,
    21_600_000,
    43_200_000,
    null,
  ]);
  expect(nextTry(1, 1000, null, 1)).toBe(7000);
  // A receiver that is busy says when; a year it does not get.
  expect(nextTry(1, 0, 60_000, 0)).toBe(60_000);
  expect(nextTry(1, 0, 365 * 86_400_000, 0)).toBe(21_600_000);
});

test('after four failures what is newer goes first', async () => {
  const { path, url } = await addHook({ events: ['record.updated'] });
  const [id = ''] = await create(main, { price: '1' });
  await change(main, id, { price: '2' });
  await change(main, id, { price: '3' });
  answers.set(path, (response, { body }) => status(body.records[0]?.values['price'] === '2.00' ? 500 : 200)(response));
  send();
  for (const [failures, pause] of [
    [1, 7000],
    [2, 37_000],
    [3, 145_000],
  ] as const) {
    await until(() => hasFailed(url, failures));
    expect(at(path)).toHaveLength(failures);
    program.pass(pause);
  }
  await until(() => at(path).some(({ body }) => body.records[0]?.values['price'] === '3.00'));
  expect(at(path)).toHaveLength(5);
});

test('410 switches a webhook off with a notice; switched on again, what failed can be sent again with the same ids', async () => {
  const contact = { name: '值班', email: null, webhook: `${origin}/contact`, subscriptions: { notice: ['webhook'] } };
  expect((await owner.send('POST', '/api/acc/contacts', contact)).statusCode).toBe(200);
  const { path, url, hook } = await addHook();
  const [first = ''] = await create(main, { title: '一' });
  await change(main, first, { title: '二' });
  answers.set(path, status(410));
  send();
  await until(async () => !(await call<Hook>('GET', url)).enabled);
  const off = await call<Hook>('GET', url);
  expect(off).toMatchObject({ off: { reason: 'gone' }, figures: { failed: 2, waiting: 0 } });
  expect((await deliveries(url)).map(({ fault }) => fault)).toEqual(['switched_off', 'gone']);
  const lines = await program.ctx.postgres.db.select().from(auditLog).where(eq(auditLog.targetId, hook.id));
  expect(lines.at(-1)).toMatchObject({ actorKind: 'system', action: 'webhook.changed', after: { enabled: false, reason: 'gone' } });
  const notices = await program.ctx.postgres.db.select().from(outbox);
  expect(notices.map(({ kind }) => kind)).toContain('contact.notice');
  // While it is off nothing is kept for it, and nothing can be replayed.
  await create(main, { title: '三' });
  expect((await owner.send('POST', `${url}/replay`, { since: '2020-01-01T00:00:00Z' })).statusCode).toBe(409);

  answers.set(path, status(200));
  const on = await call<Hook>('PATCH', url, { enabled: true }, { 'if-match': `"${off.revision}"` });
  expect(on).toMatchObject({ enabled: true, off: null, failingSince: null });
  const [gone] = at(path);
  expect(await call('POST', `${url}/replay`, { since: new Date(program.ctx.now() + 60_000).toISOString() })).toEqual({ count: 0 });
  expect(await call('POST', `${url}/replay`, { since: '2020-01-01T00:00:00Z' })).toEqual({ count: 2 });
  await until(() => at(path).length === 3);
  expect(at(path)[1]?.headers['webhook-id']).toBe(gone?.headers['webhook-id']);
  expect(at(path).map(({ body }) => body.event)).toEqual(['record.created', 'record.created', 'record.updated']);
  // One that has arrived can be sent again, too.
  await until(async () => (await deliveries(url, '?state=sent')).length === 2);
  const [latest] = await deliveries(url);
  await call('POST', `${url}/deliveries/${latest?.id}/replay`);
  await until(() => at(path).length === 4);
  expect(at(path)[3]?.text).toBe(at(path)[2]?.text);
});

test('a week of nothing but failures switches it off; one failure after a quiet week does not', async () => {
  const { url, hook, path } = await addHook();
  answers.set(path, status(503));
  send();
  const [id = ''] = await create(main, { title: '一' });
  await until(() => hasFailed(url, 1));
  await program.ctx.postgres.db.execute(sql`UPDATE content_hooks SET failing_since = now() - interval '8 days' WHERE id = ${hook.id}`);
  await change(main, id, { title: '二' });
  program.pass(7000);
  await until(() => hasFailed(url, 2));
  expect(await call<Hook>('GET', url)).toMatchObject({ enabled: true });
  for (const [pause, attempts] of [
    [37_000, 3],
    [145_000, 4],
  ] as const) {
    program.pass(pause);
    if (attempts < 4) await until(() => hasFailed(url, attempts));
  }
  await until(async () => (await deliveries(url, '?state=waiting')).length === 0);
  expect(await call<Hook>('GET', url)).toMatchObject({ enabled: false, off: { reason: 'failing' } });
});

test('a large batch comes in messages of a hundred records, none missing and none twice', async () => {
  const { path, url } = await addHook({ events: ['record.created', 'record.deleted'] });
  const ids = await create(main, ...Array.from({ length: 230 }, (_, i) => ({ title: `第 ${i} 篇` })));
  send();
  await until(() => at(path).length === 3);
  expect(
    at(path)
      .map(({ body }) => body.records.length)
      .toSorted((a, b) => b - a),
  ).toEqual([100, 100, 30]);
  expect(
    at(path)
      .flatMap(({ body }) => body.records.map((one) => one.id))
      .toSorted(),
  ).toEqual(ids.toSorted());
  // A long body is not kept but made anew, and one that would be too long says which records it leaves out.
  const texts = await create(main, ...Array.from({ length: 6 }, (_, i) => ({ title: `${i}${'长'.repeat(300_000)}` })));
  await until(() => at(path).length === 4);
  expect(at(path)[3]?.body.records.map(({ id, omitted }) => [id, omitted === true])).toEqual(texts.map((id, i) => [id, i > 3]));
  await until(async () => (await deliveries(url, '?state=sent')).length === 4);
  const whole = await call<HookDeliveryWhole>('GET', `${url}/deliveries/${(await deliveries(url))[0]?.id}`);
  expect([whole.request.rebuilt, whole.request.body === at(path)[3]?.text]).toEqual([true, true]);
  // Thrown away, and gone for good before it was told: which records it was is told all the same.
  await sender?.close();
  const [one = '', two = ''] = ids;
  await call('POST', `${main.path}/records/trash`, { target: { ids: [one, two] } });
  await call('POST', `${main.path}/records/purge`, { ids: [two] });
  send();
  await until(() => at(path).length === 5);
  expect(at(path)[4]?.body).toMatchObject({
    event: 'record.deleted',
    records: [
      { id: one, values: { title: '第 0 篇' } },
      { id: two, omitted: true },
    ],
  });
});

test('only events, tables and records that were asked for; undo and publishing are events like others', async () => {
  const some = await addHook({ events: ['record.published', 'record.deleted', 'record.restored'], tables: ['articles'] });
  const dear = await addHook({
    tables: [main.table.id],
    filter: {
      and: [
        { field: 'price', op: 'gte', value: 100 },
        { field: 'author', op: 'empty' },
      ],
    },
  });
  send();
  const [cheap = '', costly = ''] = await create(main, { title: '平', price: '5' }, { title: '贵', price: '500' });
  await create(people, { name: '陈' });
  await call('POST', `${main.path}/records/publish`, { target: { ids: [costly] } });
  await call('POST', `${main.path}/records/trash`, { target: { ids: [cheap] } });
  const { batchId } = await change(main, costly, { price: '1' });
  await call('POST', `/api/site/${main.site.id}/table/batches/${batchId}/undo`);
  await until(() => at(some.path).length === 2 && at(dear.path).length === 2);
  await until(async () => (await deliveries(dear.url, '?state=waiting')).length === 0);
  // Of different records: whichever comes first.
  expect(new Map(at(some.path).map(({ body }) => [body.event, body.records[0]?.id]))).toEqual(
    new Map([
      ['record.published', costly],
      ['record.deleted', cheap],
    ]),
  );
  // As it is after the change: made, and given back its price. What the filter leaves nothing of is not in the log.
  expect(at(dear.path).map(({ body }) => [body.event, body.records.map((one) => one.id), body.batch?.door])).toEqual([
    ['record.created', [costly], 'console'],
    ['record.updated', [costly], 'undo'],
  ]);
  expect(await deliveries(dear.url)).toHaveLength(2);
});

test('a table in the bin is still told of; one that is gone, and a filter on a field that is gone, say so', async () => {
  const shelf = await addTestTable(
    owner,
    main.site.id,
    [
      { key: 'name', type: 'text' },
      { key: 'kind', type: 'text' },
    ],
    { key: 'shelf' },
  );
  const { path, url } = await addHook({ tables: null });
  const narrow = await addHook({ tables: ['shelf'], filter: { field: 'kind', op: 'eq', value: 'x' } });
  await create(shelf, { name: '架', kind: 'x' });
  // Who takes the field away is told before.
  expect(await call('GET', `${shelf.path}/fields/kind/usage`)).toContainEqual(expect.objectContaining({ kind: 'webhook', id: narrow.hook.id, name: '同步' }));
  expect((await owner.send('DELETE', `${shelf.path}/fields/${shelf.f['kind']}`)).statusCode).toBe(200);
  expect((await owner.send('DELETE', shelf.path)).statusCode).toBe(204);
  send();
  await until(() => at(path).length === 1);
  expect(at(path)[0]?.body).toMatchObject({ table: { key: 'shelf' }, records: [{ values: { name: '架' } }] });
  await until(async () => (await deliveries(narrow.url))[0]?.state === 'failed');
  expect((await deliveries(narrow.url))[0]).toMatchObject({ fault: 'filter_broken', status: null });
  await sender?.close();
  await create(main, { title: '孤' });
  await program.ctx.postgres.db.update(contentDeliveries).set({ tableId: 't_aaaaaaaaaaaa' }).where(eq(contentDeliveries.state, 'waiting'));
  send();
  await until(async () => (await deliveries(url))[0]?.state === 'failed');
  expect((await deliveries(url))[0]).toMatchObject({ fault: 'table_gone' });
});

test('private addresses are refused, redirects not followed, slow receivers given up, and of long answers the beginning is kept', async () => {
  const { path, url, hook } = await addHook();
  const target = '/inner';
  answers.set(path, (response) => void response.writeHead(302, { location: `${origin}${target}` }).end());
  const tested = await call<HookDeliveryWhole>('POST', `${url}/test`);
  expect(tested).toMatchObject({ event: 'test', state: 'failed', fault: 'redirected', status: 302, nextAt: null, attempts: 1 });
  expect(at(target)).toHaveLength(0);
  answers.set(path, (response) => void response.writeHead(201).end(`\u0000${'a'.repeat(100_000)}`));
  const long = await call<HookDeliveryWhole>('POST', `${url}/test`);
  expect(long).toMatchObject({ state: 'sent', status: 201, reply: `\uFFFD${'a'.repeat(2047)}` });
  expect(JSON.parse(long.request.body ?? '')).toMatchObject({ event: 'test', records: [] });
  // Tests say nothing about the receiver's reliability, and are not sent again.
  expect(await call<Hook>('GET', url)).toMatchObject({ figures: { sent: 0, failed: 0 }, failingSince: null });
  expect((await owner.send('POST', `${url}/deliveries/${long.id}/replay`)).statusCode).toBe(409);

  answers.set(path, () => undefined);
  send({ timeout: 150 });
  await create(main, { title: '慢' });
  await until(async () => (await deliveries(url))[0]?.fault === 'timed_out');
  expect((await deliveries(url))[0]).toMatchObject({ state: 'waiting', status: null });
  await sender?.close();

  const { length } = got;
  const strict = { ...program.ctx, config: { ...program.ctx.config, privateWebhooks: false } };
  program.pass(7000);
  sender = startHookSender(strict, { pollEvery: 30 });
  await until(async () => (await deliveries(url))[0]?.fault === 'address_refused');
  expect((await deliveries(url))[0]).toMatchObject({ state: 'failed', attempts: 2 });
  const [row] = await program.ctx.postgres.db.select().from(contentHooks).where(eq(contentHooks.id, hook.id));
  const [delivery] = await program.ctx.postgres.db.select().from(contentDeliveries).where(eq(contentDeliveries.hookId, hook.id));
  if (!row || !delivery) throw new Error('no rows');
  for (const private_ of ['http://10.0.0.1/', 'http://[::ffff:127.0.0.1]/', 'http://169.254.169.254/latest', 'http://localhost:1/', 'file:///etc/passwd'])
    expect(await post(strict, { ...row, url: private_ }, delivery, '{}')).toMatchObject({ ok: false, fault: 'address_refused', reply: null });
  expect(got).toHaveLength(length);
});

test('a process that is killed between sending and writing it down: sent again with the same id, but not before its lease is over', async () => {
  const { path, url, hook } = await addHook();
  await create(main, { title: '断' });
  const { db } = program.ctx.postgres;
  const now = program.ctx.now();
  const taken = await takeDue(db, hook.id, 4, 4, new Date(now), new Date(now + 120_000));
  const [delivery] = taken?.deliveries ?? [];
  if (!taken || !delivery) throw new Error('nothing was taken');
  expect((await post(program.ctx, taken.hook, delivery, (await makeBody(program.ctx, taken.site, taken.hook, delivery)) ?? '')).ok).toBe(true);
  // Here it died. Another finds nothing to take.
  expect((await takeDue(db, hook.id, 4, 4, new Date(now + 1), new Date(now + 120_000)))?.deliveries).toEqual([]);
  program.pass(121_000);
  send();
  await until(async () => (await deliveries(url))[0]?.state === 'sent');
  expect(at(path)).toHaveLength(2);
  expect(at(path)[1]?.headers['webhook-id']).toBe(at(path)[0]?.headers['webhook-id']);
  expect(at(path)[1]?.text).toBe(at(path)[0]?.text);
  expect((await deliveries(url))[0]).toMatchObject({ attempts: 2 });
});

test('a webhook that is switched off keeps what waits, and one that is removed ends with it', async () => {
  const { path, url, hook } = await addHook();
  await create(main, { title: '停' });
  expect(await call<Hook>('PATCH', url, { enabled: false }, { 'if-match': '"1"' })).toMatchObject({ enabled: false, figures: { waiting: 1 } });
  send({ pollEvery: 60_000 });
  await create(main, { title: '无' });
  // Read it too late.
  const stale = await owner.send('PATCH', url, { enabled: true }, { 'if-match': '"1"' });
  expect([stale.statusCode, stale.json<{ current: Hook }>().current.revision]).toEqual([409, 2]);
  expect(at(path)).toHaveLength(0);
  await call('PATCH', url, { enabled: true }, { 'if-match': '"2"' });
  await until(() => at(path).length === 1);
  expect(at(path)[0]?.body.records[0]?.values['title']).toBe('停');
  await sender?.close();
  await create(main, { title: '弃' });
  expect((await owner.send('DELETE', url)).statusCode).toBe(204);
  expect(await program.ctx.postgres.db.select().from(contentDeliveries).where(eq(contentDeliveries.hookId, hook.id))).toEqual([]);
  expect((await owner.get(url)).statusCode).toBe(404);
});

test('a new secret signs beside the old one for a day; of a leaked one nothing is left at once', async () => {
  const { path, url, secret, hook } = await addHook();
  const signatures = async (): Promise<string[]> => {
    await call('POST', `${url}/test`);
    return String(at(path).at(-1)?.headers['webhook-signature']).split(' ');
  };
  const next = await call<HookMade>('POST', `${url}/rotate`, {});
  expect(next.secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
  expect(next.hook.oldSecretUntil).not.toBeNull();
  expect(await signatures()).toEqual([next.secret, secret].map((one) => signed(one, at(path).at(-1) as Received)));
  await program.ctx.postgres.db
    .update(contentHooks)
    .set({ oldSecretUntil: new Date(program.ctx.now()) })
    .where(eq(contentHooks.id, hook.id));
  expect(await signatures()).toEqual([signed(next.secret, at(path).at(-1) as Received)]);
  const last = await call<HookMade>('POST', `${url}/rotate`, { keepOld: false });
  expect(await signatures()).toEqual([signed(last.secret, at(path).at(-1) as Received)]);
  const [line] = (await program.ctx.postgres.db.select().from(auditLog).where(eq(auditLog.targetId, hook.id))).slice(-1);
  expect(JSON.stringify(line?.after)).not.toContain(last.secret.slice(6));
});

test('only who designs the tables of the site, and of another site nothing is there', async () => {
  const { url, hook } = await addHook();
  await create(main, { title: '权' });
  const [delivery] = await deliveries(url);
  const [editor, admin] = [await program.makePerson('member'), await program.makePerson('member')];
  const other = await program.makeSite(owner, { name: '别处' });
  await program.grant(main.site.id, editor.userId, 'editor');
  await program.grant(other.id, admin.userId, 'admin');
  const there = `/api/site/${other.id}/table/hooks/${hook.id}`;
  for (const rest of ['', '/deliveries', `/deliveries/${delivery?.id}`]) {
    expect((await editor.get(`${url}${rest}`)).statusCode).toBe(403);
    expect((await admin.get(`${url}${rest}`)).statusCode).toBe(404);
    expect((await admin.get(`${there}${rest}`)).statusCode).toBe(404);
  }
  for (const rest of ['/test', '/rotate', `/deliveries/${delivery?.id}/replay`, '/replay']) {
    const body = rest === '/replay' ? { since: '2026-01-01T00:00:00Z' } : {};
    expect((await editor.send('POST', `${url}${rest}`, body)).statusCode).toBe(403);
    expect((await admin.send('POST', `${there}${rest}`, body)).statusCode).toBe(404);
  }
  expect((await admin.send('PATCH', there, { enabled: false }, { 'if-match': '"1"' })).statusCode).toBe(404);
  expect((await admin.send('DELETE', there)).statusCode).toBe(404);
  // A delivery belongs to its webhook.
  const second = await addHook();
  expect((await owner.get(`${second.url}/deliveries/${delivery?.id}`)).statusCode).toBe(404);
  expect((await owner.get(`${url}/deliveries/999999999999999`)).statusCode).toBe(404);
});

test.each([
  ['an address that is none', { url: 'ftp://a.example/' }, 'url'],
  ['a password in the address', { url: 'https://me:pw@a.example/' }, 'url'],
  ['an address that is too long', { url: `https://a.example/${'x'.repeat(2000)}` }, 'url'],
  ['no events', { events: [] }, 'events'],
  ['an event that is none', { events: ['record.exploded'] }, 'events.0'],
  ['a table that is none', { tables: ['nowhere'] }, 'tables'],
  ['no table', { tables: [] }, 'tables'],
  ['a filter of every table', { filter: { field: 'price', op: 'empty' } }, 'filter'],
  ['a filter of two tables', { tables: ['articles', 'people'], filter: { field: 'price', op: 'empty' } }, 'filter'],
  ['a filter on what is not sent', { tables: ['articles'], filter: { field: 'phone', op: 'notEmpty' } }, 'filter'],
  ['a filter about other records', { tables: ['articles'], filter: { field: 'author', op: 'some', value: { field: 'name', op: 'notEmpty' } } }, 'filter'],
  ['a name of nothing', { name: ' ' }, 'name'],
])('%s is refused at its field', async (_what, input, field) => {
  const answer = await owner.send('POST', base, { name: '错', url: `${origin}/x`, events: ['record.created'], ...input });
  expect([answer.statusCode, Object.keys(answer.json<{ fields: object }>().fields)]).toEqual([422, [field]]);
});

test('no more than thirty webhooks a site; deliveries are paged, and forgotten after a month', async () => {
  const { url, hook } = await addHook();
  for (let i = 0; i < 5; i++) await create(main, { title: `页 ${i}` });
  const page = await call<{ rows: HookDelivery[]; next: string | null }>('GET', `${url}/deliveries?size=3`);
  const rest = await call<{ rows: HookDelivery[]; next: string | null }>('GET', `${url}/deliveries?size=3&before=${page.next}&event=record.created`);
  expect([page.rows.length, rest.rows.length, rest.next]).toEqual([3, 2, null]);
  const { db } = program.ctx.postgres;
  await db.execute(sql`UPDATE content_deliveries SET at = now() - interval '31 days' WHERE id <= ${page.rows[1]?.id}`);
  await sweepHooks(program.ctx);
  expect((await deliveries(url)).map(({ id }) => id)).toEqual([page.rows[0]?.id]);
  const [row] = await db.select().from(contentHooks).where(eq(contentHooks.id, hook.id));
  if (!row) throw new Error('no webhook');
  await db.insert(contentHooks).values(Array.from({ length: 29 }, () => ({ ...row, id: undefined })));
  expect((await owner.send('POST', base, { name: '多', url: `${origin}/x`, events: ['record.created'] })).statusCode).toBe(409);
});
