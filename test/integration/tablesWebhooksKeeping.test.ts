import { eq, sql } from 'drizzle-orm';
import type { Webhook, WebhookDelivery, CreatedWebhook } from '../../contract/tables/webhooks';
import { auditLog } from '../../server/areas/audit/schema';
import { contentDeliveries, contentWebhooks } from '../../server/areas/tables/core/schema';
import { sweepWebhooks } from '../../server/areas/tables/webhooks';
import { makeBody } from '../../server/areas/tables/webhooks/message';
import { post } from '../../server/areas/tables/webhooks/post';
import { takeDue } from '../../server/areas/tables/webhooks/queries';
import { until } from '../support/until';
import { origin, at, program, main, owner, base, sender, send, call, addWebhook, create, deliveries, signed } from './tablesWebhooksFixture';
import type { Received } from './tablesWebhooksFixture';

test('an interrupted delivery is repeated with its id after the lease expires', async () => {
  const { path, url, hook } = await addWebhook();
  await create(main, { title: '断' });
  const { db } = program.ctx.postgres;
  const now = program.ctx.now();
  const lease = await takeDue(db, hook.id, 4, 4, new Date(now), new Date(now + 120_000));
  const [delivery] = lease?.deliveries ?? [];
  if (!lease || !delivery) throw new Error('nothing was taken');
  expect((await post(program.ctx, lease.hook, delivery, (await makeBody(program.ctx, lease.site, lease.hook, delivery)) ?? '')).ok).toBe(true);
  // The process died here, and another one finds nothing due.
  expect((await takeDue(db, hook.id, 4, 4, new Date(now + 1), new Date(now + 120_000)))?.deliveries).toEqual([]);
  program.pass(121_000);
  send();
  await until(async () => (await deliveries(url))[0]?.state === 'sent');
  expect(at(path)).toHaveLength(2);
  expect(at(path)[1]?.headers['webhook-id']).toBe(at(path)[0]?.headers['webhook-id']);
  expect(at(path)[1]?.text).toBe(at(path)[0]?.text);
  expect((await deliveries(url))[0]).toMatchObject({ attempts: 2 });
});

test('a disabled webhook keeps pending deliveries, a removed one drops them', async () => {
  const { path, url, hook } = await addWebhook();
  await create(main, { title: '停' });
  expect(await call<Webhook>('PATCH', url, { enabled: false }, { 'if-match': '"1"' })).toMatchObject({ enabled: false, figures: { waiting: 1 } });
  send({ pollEvery: 60_000 });
  await create(main, { title: '无' });
  // A stale revision.
  const stale = await owner.send('PATCH', url, { enabled: true }, { 'if-match': '"1"' });
  expect([stale.statusCode, stale.json<{ current: Webhook }>().current.revision]).toEqual([409, 2]);
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

test('a rotated secret remains valid for a day, except when leaked', async () => {
  const { path, url, secret, hook } = await addWebhook();
  const signatures = async (): Promise<string[]> => {
    await call('POST', `${url}/test`);
    return String(at(path).at(-1)?.headers['webhook-signature']).split(' ');
  };
  const next = await call<CreatedWebhook>('POST', `${url}/rotate`, {});
  expect(next.secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
  expect(next.hook.oldSecretUntil).not.toBeNull();
  expect(await signatures()).toEqual([next.secret, secret].map((one) => signed(one, at(path).at(-1) as Received)));
  await program.ctx.postgres.db
    .update(contentWebhooks)
    .set({ oldSecretUntil: new Date(program.ctx.now()) })
    .where(eq(contentWebhooks.id, hook.id));
  expect(await signatures()).toEqual([signed(next.secret, at(path).at(-1) as Received)]);
  const last = await call<CreatedWebhook>('POST', `${url}/rotate`, { keepOld: false });
  expect(await signatures()).toEqual([signed(last.secret, at(path).at(-1) as Received)]);
  const [line] = (await program.ctx.postgres.db.select().from(auditLog).where(eq(auditLog.targetId, hook.id)).orderBy(auditLog.id)).slice(-1);
  expect(JSON.stringify(line?.after)).not.toContain(last.secret.slice(6));
});

test('only designers of the site reach its webhooks and deliveries', async () => {
  const { url, hook } = await addWebhook();
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
  // A delivery is found only under its own webhook.
  const second = await addWebhook();
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
])('%s is refused on its field', async (_what, input, field) => {
  const answer = await owner.send('POST', base, { name: '错', url: `${origin}/x`, events: ['record.created'], ...input });
  expect([answer.statusCode, Object.keys(answer.json<{ fields: object }>().fields)]).toEqual([422, [field]]);
});

test('sites have thirty webhooks at most, and deliveries expire after a month', async () => {
  const { url, hook } = await addWebhook();
  for (let i = 0; i < 5; i++) await create(main, { title: `页 ${i}` });
  const page = await call<{ rows: WebhookDelivery[]; next: string | null }>('GET', `${url}/deliveries?size=3`);
  const rest = await call<{ rows: WebhookDelivery[]; next: string | null }>('GET', `${url}/deliveries?size=3&before=${page.next}&event=record.created`);
  expect([page.rows.length, rest.rows.length, rest.next]).toEqual([3, 2, null]);
  const { db } = program.ctx.postgres;
  await db.execute(sql`UPDATE content_deliveries SET at = now() - interval '31 days' WHERE id <= ${page.rows[1]?.id}`);
  await sweepWebhooks(program.ctx);
  expect((await deliveries(url)).map(({ id }) => id)).toEqual([page.rows[0]?.id]);
  const [row] = await db.select().from(contentWebhooks).where(eq(contentWebhooks.id, hook.id));
  if (!row) throw new Error('no webhook');
  await db.insert(contentWebhooks).values(Array.from({ length: 29 }, () => ({ ...row, id: undefined })));
  expect((await owner.send('POST', base, { name: '多', url: `${origin}/x`, events: ['record.created'] })).statusCode).toBe(409);
});
