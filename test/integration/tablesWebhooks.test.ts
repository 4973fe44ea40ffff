import { eq, sql } from 'drizzle-orm';
import type { Webhook, WebhookDeliveryDetails } from '../../contract/tables/webhooks';
import { auditLog } from '../../server/areas/audit/schema';
import { contentDeliveries, contentWebhooks } from '../../server/areas/tables/core/schema';
import { post } from '../../server/areas/tables/webhooks/post';
import { nextTry } from '../../server/areas/tables/webhooks/sender';
import { outbox } from '../../server/mail/schema';
import { until } from '../support/until';
import {
  got,
  answers,
  origin,
  at,
  status,
  program,
  main,
  people,
  owner,
  base,
  sender,
  send,
  call,
  addWebhook,
  create,
  change,
  deliveries,
  hasFailed,
  signed,
} from './tablesWebhooksFixture';
import type { Received } from './tablesWebhooksFixture';

test('a change is delivered once, immediately, signed and without secrets', async () => {
  const [lin = ''] = await create(people, { name: '林' });
  // Polling would be too late: the change itself wakes the sender.
  send({ pollEvery: 60_000 });
  const { secret, path, url, hook } = await addWebhook();
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
  // A record linked before the change has a label too.
  expect(second?.labels.records).toEqual({ [lin]: '林' });

  await until(async () => (await deliveries(url, '?state=sent')).length === 2);
  const [latest] = await deliveries(url);
  expect(latest).toMatchObject({ event: 'record.updated', state: 'sent', status: 200, attempts: 1, records: 1, error: null });
  const whole = await owner.get(`${url}/deliveries/${latest?.id}`);
  expect(whole.json<{ data: WebhookDeliveryDetails }>().data).toMatchObject({
    request: { body: at(path)[1]?.text, rebuilt: false },
    reply: 'said',
    recordIds: [id],
  });
  // No secret, signature, password or sensitive value appears anywhere.
  const lines = await program.ctx.postgres.db.select().from(auditLog).where(eq(auditLog.action, 'webhook.added')).orderBy(auditLog.id);
  expect(lines.at(-1)).toMatchObject({ targetId: hook.id, after: { receiver: new URL(origin).host, enabled: true } });
  const everything = [JSON.stringify(lines.map((line) => line.after)), whole.body, (await owner.get(base)).body, first.text, at(path)[1]?.text].join();
  for (const word of [secret, secret.slice(6), 'v1,', '13800001234', '13900005678', 'phone', 'argon', 'Geheim']) expect(everything).not.toContain(word);
});

test('deliveries for one record stay in order after a failure', async () => {
  const { path, url } = await addWebhook({ events: ['record.updated'] });
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
  expect((await deliveries(url)).find((one) => one.status === 500)).toMatchObject({ state: 'waiting', attempts: 1, error: 'answered' });
  refuse = false;
  program.pass(7000);
  await until(() => at(path).length === 4);
  const receivedMessages = at(path).filter(({ body }) => body.records[0]?.id === slow);
  expect(receivedMessages.map(({ body }) => body.records[0]?.changes['price'])).toEqual([
    { before: '1.00', after: '2.00' },
    { before: '1.00', after: '2.00' },
    { before: '2.00', after: '3.00' },
  ]);
  // A retry sends the same message.
  expect(receivedMessages[1]?.headers['webhook-id']).toBe(receivedMessages[0]?.headers['webhook-id']);
  expect(receivedMessages[1]?.text).toBe(receivedMessages[0]?.text);
});

test('retry delays grow up to twelve hours and end after nine attempts', () => {
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
  // Retry-After is respected, but limited to six hours.
  expect(nextTry(1, 0, 60_000, 0)).toBe(60_000);
  expect(nextTry(1, 0, 365 * 86_400_000, 0)).toBe(21_600_000);
});

test('after four failures newer deliveries go first', async () => {
  const { path, url } = await addWebhook({ events: ['record.updated'] });
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

test('410 disables the webhook; failed deliveries can be replayed later', async () => {
  const contact = { name: '值班', email: null, webhook: `${origin}/contact`, subscriptions: { notice: ['webhook'] } };
  expect((await owner.send('POST', '/api/acc/contacts', contact)).statusCode).toBe(200);
  const { path, url, hook } = await addWebhook();
  const [first = ''] = await create(main, { title: '一' });
  await change(main, first, { title: '二' });
  answers.set(path, status(410));
  send();
  await until(async () => !(await call<Webhook>('GET', url)).enabled);
  const off = await call<Webhook>('GET', url);
  expect(off).toMatchObject({ off: { reason: 'gone' }, figures: { failed: 2, waiting: 0 } });
  expect((await deliveries(url)).map(({ error: reason }) => reason)).toEqual(['switched_off', 'gone']);
  const lines = await program.ctx.postgres.db.select().from(auditLog).where(eq(auditLog.targetId, hook.id)).orderBy(auditLog.id);
  expect(lines.at(-1)).toMatchObject({ actorKind: 'system', action: 'webhook.changed', after: { enabled: false, reason: 'gone' } });
  const notices = await program.ctx.postgres.db.select().from(outbox);
  expect(notices.map(({ kind }) => kind)).toContain('contact.notice');
  // While disabled, nothing is queued and nothing can be replayed.
  await create(main, { title: '三' });
  expect((await owner.send('POST', `${url}/replay`, { since: '2020-01-01T00:00:00Z' })).statusCode).toBe(409);

  answers.set(path, status(200));
  const on = await call<Webhook>('PATCH', url, { enabled: true }, { 'if-match': `"${off.revision}"` });
  expect(on).toMatchObject({ enabled: true, off: null, failingSince: null });
  const [gone] = at(path);
  expect(await call('POST', `${url}/replay`, { since: new Date(program.ctx.now() + 60_000).toISOString() })).toEqual({ count: 0 });
  expect(await call('POST', `${url}/replay`, { since: '2020-01-01T00:00:00Z' })).toEqual({ count: 2 });
  await until(() => at(path).length === 3);
  expect(at(path)[1]?.headers['webhook-id']).toBe(gone?.headers['webhook-id']);
  expect(at(path).map(({ body }) => body.event)).toEqual(['record.created', 'record.created', 'record.updated']);
  // A successful delivery can be repeated too.
  await until(async () => (await deliveries(url, '?state=sent')).length === 2);
  const [latest] = await deliveries(url);
  await call('POST', `${url}/deliveries/${latest?.id}/replay`);
  await until(() => at(path).length === 4);
  expect(at(path)[3]?.text).toBe(at(path)[2]?.text);
});

test('a week of failures disables a webhook, a single failure does not', async () => {
  const { url, hook, path } = await addWebhook();
  answers.set(path, status(503));
  send();
  const [id = ''] = await create(main, { title: '一' });
  await until(() => hasFailed(url, 1));
  await program.ctx.postgres.db.execute(sql`UPDATE content_hooks SET failing_since = now() - interval '8 days' WHERE id = ${hook.id}`);
  await change(main, id, { title: '二' });
  program.pass(7000);
  await until(() => hasFailed(url, 2));
  expect(await call<Webhook>('GET', url)).toMatchObject({ enabled: true });
  for (const [pause, attempts] of [
    [37_000, 3],
    [145_000, 4],
  ] as const) {
    program.pass(pause);
    if (attempts < 4) await until(() => hasFailed(url, attempts));
  }
  await until(async () => (await deliveries(url, '?state=waiting')).length === 0);
  expect(await call<Webhook>('GET', url)).toMatchObject({ enabled: false, off: { reason: 'failing' } });
});

test('private addresses, redirects and timeouts fail, and long responses are cut', async () => {
  const { path, url, hook } = await addWebhook();
  const target = '/inner';
  answers.set(path, (response) => void response.writeHead(302, { location: `${origin}${target}` }).end());
  const tested = await call<WebhookDeliveryDetails>('POST', `${url}/test`);
  expect(tested).toMatchObject({ event: 'test', state: 'failed', error: 'redirected', status: 302, nextAt: null, attempts: 1 });
  expect(at(target)).toHaveLength(0);
  answers.set(path, (response) => void response.writeHead(201).end(`\u0000${'a'.repeat(100_000)}`));
  const long = await call<WebhookDeliveryDetails>('POST', `${url}/test`);
  expect(long).toMatchObject({ state: 'sent', status: 201, reply: `\uFFFD${'a'.repeat(2047)}` });
  expect(JSON.parse(long.request.body ?? '')).toMatchObject({ event: 'test', records: [] });
  // Test messages do not count as deliveries, and cannot be replayed.
  expect(await call<Webhook>('GET', url)).toMatchObject({ figures: { sent: 0, failed: 0 }, failingSince: null });
  expect((await owner.send('POST', `${url}/deliveries/${long.id}/replay`)).statusCode).toBe(409);

  answers.set(path, () => undefined);
  send({ timeout: 150 });
  await create(main, { title: '慢' });
  await until(async () => (await deliveries(url))[0]?.error === 'timed_out');
  expect((await deliveries(url))[0]).toMatchObject({ state: 'waiting', status: null });
  await sender?.close();

  const { length } = got;
  const strict = { ...program.ctx, config: { ...program.ctx.config, privateWebhooks: false } };
  program.pass(7000);
  send({}, strict);
  await until(async () => (await deliveries(url))[0]?.error === 'address_refused');
  expect((await deliveries(url))[0]).toMatchObject({ state: 'failed', attempts: 2 });
  const [row] = await program.ctx.postgres.db.select().from(contentWebhooks).where(eq(contentWebhooks.id, hook.id));
  const [delivery] = await program.ctx.postgres.db.select().from(contentDeliveries).where(eq(contentDeliveries.hookId, hook.id));
  if (!row || !delivery) throw new Error('no rows');
  for (const private_ of ['http://10.0.0.1/', 'http://[::ffff:127.0.0.1]/', 'http://169.254.169.254/latest', 'http://localhost:1/', 'file:///etc/passwd'])
    expect(await post(strict, { ...row, url: private_ }, delivery, '{}')).toMatchObject({ ok: false, error: 'address_refused', reply: null });
  expect(got).toHaveLength(length);
});
