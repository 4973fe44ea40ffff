import { eq } from 'drizzle-orm';
import type { WebhookDeliveryDetails } from '../../contract/tables/webhooks';
import { contentDeliveries } from '../../server/areas/tables/core/schema';
import { addTestTable } from '../support/tables';
import { until } from '../support/until';
import { at, program, main, people, owner, sender, send, call, addWebhook, create, change, deliveries } from './tablesWebhooksFixture';

test('a large batch is delivered in messages of a hundred records', async () => {
  const { path, url } = await addWebhook({ events: ['record.created', 'record.deleted'] });
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
  // A long body is rebuilt instead of stored, and an oversized one marks the records it omits.
  const texts = await create(main, ...Array.from({ length: 6 }, (_, i) => ({ title: `${i}${'长'.repeat(300_000)}` })));
  await until(() => at(path).length === 4);
  expect(at(path)[3]?.body.records.map(({ id, omitted }) => [id, omitted === true])).toEqual(texts.map((id, i) => [id, i > 3]));
  await until(async () => (await deliveries(url, '?state=sent')).length === 4);
  const whole = await call<WebhookDeliveryDetails>('GET', `${url}/deliveries/${(await deliveries(url))[0]?.id}`);
  expect([whole.request.rebuilt, whole.request.body === at(path)[3]?.text]).toEqual([true, true]);
  // Records binned and purged before delivery are still named.
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

test('webhooks receive only the selected events, tables and records', async () => {
  const some = await addWebhook({ events: ['record.published', 'record.deleted', 'record.restored'], tables: ['articles'] });
  const dear = await addWebhook({
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
  // The order of different records does not matter.
  expect(new Map(at(some.path).map(({ body }) => [body.event, body.records[0]?.id]))).toEqual(
    new Map([
      ['record.published', costly],
      ['record.deleted', cheap],
    ]),
  );
  // The filter applies to the state after the change, and batches without matching records are not logged.
  expect(at(dear.path).map(({ body }) => [body.event, body.records.map((one) => one.id), body.batch?.door])).toEqual([
    ['record.created', [costly], 'console'],
    ['record.updated', [costly], 'undo'],
  ]);
  expect(await deliveries(dear.url)).toHaveLength(2);
});

test('deliveries survive the bin and report removed tables or filter fields', async () => {
  const shelf = await addTestTable(
    owner,
    main.site.id,
    [
      { key: 'name', type: 'text' },
      { key: 'kind', type: 'text' },
    ],
    { key: 'shelf' },
  );
  const { path, url } = await addWebhook({ tables: null });
  const narrow = await addWebhook({ tables: ['shelf'], filter: { field: 'kind', op: 'eq', value: 'x' } });
  await create(shelf, { name: '架', kind: 'x' });
  // The usage of the field lists the webhook before its removal.
  expect(await call('GET', `${shelf.path}/fields/kind/usage`)).toContainEqual(expect.objectContaining({ kind: 'webhook', id: narrow.hook.id, name: '同步' }));
  expect((await owner.send('DELETE', `${shelf.path}/fields/${shelf.f['kind']}`)).statusCode).toBe(200);
  expect((await owner.send('DELETE', shelf.path)).statusCode).toBe(204);
  send();
  await until(() => at(path).length === 1);
  expect(at(path)[0]?.body).toMatchObject({ table: { key: 'shelf' }, records: [{ values: { name: '架' } }] });
  await until(async () => (await deliveries(narrow.url))[0]?.state === 'failed');
  expect((await deliveries(narrow.url))[0]).toMatchObject({ error: 'filter_broken', status: null });
  await sender?.close();
  await create(main, { title: '孤' });
  await program.ctx.postgres.db.update(contentDeliveries).set({ tableId: 't_aaaaaaaaaaaa' }).where(eq(contentDeliveries.state, 'waiting'));
  send();
  await until(async () => (await deliveries(url))[0]?.state === 'failed');
  expect((await deliveries(url))[0]).toMatchObject({ error: 'table_gone' });
});
