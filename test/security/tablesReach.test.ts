import { randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { mkdtemp } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { jest } from '@jest/globals';
import { eq } from 'drizzle-orm';
import type { CreatedWebhook } from '../../contract/tables/webhooks';
import { contentDeliveries, contentWebhooks } from '../../server/areas/tables/core/schema';
import { post } from '../../server/areas/tables/webhooks/post';
import { personOn, setRule } from '../integration/tablesLifeSupport';
import { makeTestApp } from '../support/app';
import type { Person, TestApp } from '../support/app';
import { addTestTable, makeTabled } from '../support/tables';
import type { MadeTable, Tabled } from '../support/tables';
import { withoutGenerated } from '../support/generatedText';

/** What people with partial access, or access to another site, can reach, and what a webhook can. */

jest.setTimeout(30_000);
let program: TestApp;
let teas: Tabled;
let shelves: MadeTable;
let editor: Person;
let hiddenId = '';
let openId = '';
const ids = async (at: string, records: object[]): Promise<string[]> =>
  (await teas.owner.send('POST', `${at}/records`, { records })).json<{ data: { records: { id: string }[] } }>().data.records.map(({ id }) => id);
beforeAll(async () => {
  program = await makeTestApp({ config: { privateWebhooks: true, dataDir: await mkdtemp(path.join(os.tmpdir(), 'reach-')) } });
  teas = await makeTabled(
    program,
    [
      { key: 'name', type: 'text', searchable: true },
      { key: 'kind', type: 'text' },
      { key: 'cost', type: 'number' },
    ],
    { title: '茶' },
  );
  shelves = await addTestTable(teas.owner, teas.site.id, [
    { key: 'name', type: 'text' },
    { key: 'tea', type: 'relation', options: { to: teas.table.id } },
  ]);
  editor = await personOn(program, teas.site, 'editor');
  for (const action of ['read', 'update', 'delete'] as const)
    await setRule(program, teas.table, teas.site, {
      role: 'editor',
      action,
      allowed: true,
      filter: { field: teas.f['kind'] ?? '', op: 'ne', value: '密' },
    });
  [hiddenId = '', openId = ''] = await ids(teas.path, [
    { name: '秘方', kind: '密', cost: '777001' },
    { name: '龙井', kind: '绿', cost: '12' },
  ]);
  await ids(shelves.path, [{ name: '暗架', tea: hiddenId }]);
});
afterAll(() => program.close());

const codeOf = async (answer: Promise<{ statusCode: number; body: string }>): Promise<string> => {
  const { statusCode, body } = await answer;
  return statusCode < 300 ? 'ok' : (JSON.parse(body) as { code: string }).code;
};

test('no query reveals a record that the caller may not see', async () => {
  const q = (query: Record<string, string>): string => new URLSearchParams(query).toString();
  const urls = [
    `${teas.path}/records?${q({ q: '秘方' })}`,
    `${teas.path}/records?${q({ filter: JSON.stringify({ field: 'cost', op: 'gt', value: 1000 }) })}`,
    `${teas.path}/aggregate?${q({ group: 'kind', of: 'cost:sum,cost:max,name:count' })}`,
    `${teas.path}/aggregate?${q({ of: 'cost:sum,cost:max' })}`,
    `${teas.path}/export?${q({ format: 'csv', withId: 'true' })}`,
    `${shelves.path}/records?${q({ names: 'id' })}`,
    `${shelves.path}/export?${q({ format: 'csv' })}`,
    `${shelves.path}/aggregate?${q({ group: 'tea', names: 'id' })}`,
    `/api/site/${teas.site.id}/table/batches`,
  ];
  for (const url of urls) {
    const answer = await editor.get(url);
    expect([url, answer.statusCode]).toEqual([url, 200]);
    expect([url, /秘方|密|777001/.test(answer.body)]).toEqual([url, false]);
  }
  const sums = (await editor.get(`${teas.path}/aggregate?of=cost:sum`)).json<{ data: { count: number } }>().data;
  expect(sums.count).toBe(1);
  const one = `${teas.path}/records/${hiddenId}`;
  for (const rest of ['', '/links', '/comments', '/readers', '/history'])
    expect([rest, await codeOf(editor.get(`${one}${rest}`))]).toEqual([rest, 'not_found']);
  // It has no position in a list, like an unknown record.
  expect((await editor.get(`${one}/position`)).json()).toEqual((await editor.get(`${teas.path}/records/${randomUUID()}/position`)).json());
  expect(await codeOf(editor.send('POST', `${one}/comments`, { text: '有人吗' }))).toBe('not_found');
  expect(await codeOf(editor.send('PATCH', one, { values: { name: 'x' } }, { 'if-match': '"1"' }))).toBe('not_found');
  // A comment by somebody with access does not give access to others.
  const said = await teas.owner.send('POST', `${one}/comments`, { text: '内部' });
  const comment = said.json<{ data: { id: string } }>().data.id;
  expect(await codeOf(editor.send('PATCH', `${one}/comments/${comment}`, { resolved: true }))).toBe('not_found');
  expect(await codeOf(editor.send('PATCH', `${teas.path}/records/${openId}/comments/${comment}`, { resolved: true }))).toBe('not_found');
});

test('bulk edits and undo affect only records the caller may see', async () => {
  const act = (what: string, body: object) => editor.send('POST', `${teas.path}/records/${what}`, body);
  for (const [what, more] of [
    ['bulk', { values: { name: 'x' }, dryRun: false }],
    ['trash', {}],
  ] as const)
    expect([what, await codeOf(act(what, { target: { ids: [hiddenId] }, ...more }))]).not.toEqual([what, 'ok']);
  const changed = await teas.owner.send('PATCH', `${teas.path}/records`, {
    changes: [
      { id: hiddenId, values: { cost: '777002' } },
      { id: openId, values: { cost: '13' } },
    ],
  });
  const { batchId } = changed.json<{ data: { batchId: string } }>().data;
  const undone = await editor.send('POST', `/api/site/${teas.site.id}/table/batches/${batchId}/undo`, {});
  expect(withoutGenerated(undone.body)).not.toContain('77700');
  const cost = async (id: string): Promise<unknown> =>
    (await teas.owner.get(`${teas.path}/records/${id}`)).json<{ data: { values: Record<string, unknown> } }>().data.values['cost'];
  expect([await cost(hiddenId), await cost(openId)]).toEqual(['777002', '12']);
});

test('webhook deliveries are closed to people who may not see everything', async () => {
  const hooks = `/api/site/${teas.site.id}/table/hooks`;
  const added = await teas.owner.send('POST', hooks, { name: '同步', url: 'https://example.com/', events: ['record.updated'], tables: [teas.table.id] });
  const { id } = added.json<{ data: CreatedWebhook }>().data.hook;
  await teas.owner.send('PATCH', `${teas.path}/records`, { changes: [{ id: hiddenId, values: { name: '秘方二' } }] });
  const { rows } = (await teas.owner.get(`${hooks}/${id}/deliveries`)).json<{ data: { rows: { id: string }[] } }>().data;
  const [delivery] = rows;
  expect(rows).toHaveLength(1);
  // Designers see the whole message, so there is something to hide.
  expect((await teas.owner.get(`${hooks}/${id}/deliveries/${delivery?.id}`)).body).toContain('秘方二');
  const before = await program.ctx.postgres.pool.query('SELECT state, attempts, next_at FROM content_deliveries WHERE hook_id = $1', [id]);
  const analyst = await personOn(program, teas.site, 'analyst');
  for (const person of [editor, analyst])
    for (const [method, rest] of [
      ['GET', ''],
      ['GET', `/${id}`],
      ['GET', `/${id}/deliveries`],
      ['GET', `/${id}/deliveries/${delivery?.id}`],
      ['POST', `/${id}/deliveries/${delivery?.id}/replay`],
      ['POST', `/${id}/replay`],
      ['POST', `/${id}/test`],
      ['POST', `/${id}/rotate`],
    ] as const) {
      const answer = method === 'GET' ? await person.get(`${hooks}${rest}`) : await person.send(method, `${hooks}${rest}`, {});
      expect([method, rest, [403, 404].includes(answer.statusCode), /秘方|77700/.test(answer.body)]).toEqual([method, rest, true, false]);
    }
  expect((await program.ctx.postgres.pool.query('SELECT state, attempts, next_at FROM content_deliveries WHERE hook_id = $1', [id])).rows).toEqual(before.rows);
  await teas.owner.send('DELETE', `${hooks}/${id}`);
});

test('a token for one site finds nothing of another', async () => {
  const other = await program.makeSite(teas.owner, { name: '别处' });
  const tokenResponse = await teas.owner.send('POST', '/api/acc/tokens', {
    name: '别处',
    scopes: ['tables:read', 'tables:write', 'tables:design'],
    siteIds: [other.id],
  });
  expect(tokenResponse.statusCode).toBe(200);
  const { value } = tokenResponse.json<{ data: { value: string } }>().data;
  const call = (method: 'GET' | 'POST' | 'PUT' | 'DELETE', url: string) =>
    program.app.inject({ method, url, headers: { authorization: `Bearer ${value}` }, ...(method === 'POST' || method === 'PUT' ? { payload: {} } : {}) });
  const hook = await teas.owner.send('POST', `/api/site/${teas.site.id}/table/hooks`, {
    name: '同步',
    url: 'https://example.com/',
    events: ['record.created'],
  });
  const hookId = hook.json<{ data: CreatedWebhook }>().data.hook.id;
  const begun = await teas.owner.send('POST', `/api/site/${teas.site.id}/table/imports`, { table: teas.table.id, name: 'a.csv', size: 3 });
  const importId = begun.json<{ data: { id: string } }>().data.id;
  const requests = [
    ['GET', `tables/${teas.table.id}`],
    ['GET', `tables/${teas.table.id}/records`],
    ['GET', `tables/${teas.table.id}/records/${openId}`],
    ['GET', `tables/${teas.table.id}/aggregate`],
    ['GET', `tables/${teas.table.id}/export`],
    ['GET', `tables/${teas.table.id}/fields/${teas.f['name']}/conversion`],
    ['GET', `hooks/${hookId}`],
    ['GET', `hooks/${hookId}/deliveries`],
    ['GET', `imports/${importId}`],
    ['GET', `imports/${importId}/rows`],
    ['POST', `imports/${importId}/cancel`],
    ['POST', `imports/${importId}/undo`],
    ['DELETE', `imports/${importId}`],
  ] as const;
  for (const siteId of [teas.site.id, other.id])
    for (const [method, rest] of requests) {
      const answer = await call(method, `/api/site/${siteId}/table/${rest}`);
      expect([siteId === other.id, method, rest, answer.statusCode, answer.body.includes('龙井')]).toEqual([siteId === other.id, method, rest, 404, false]);
    }
});

test('a webhook connects to the checked address despite DNS rebinding', async () => {
  const got: string[] = [];
  const receivers: Server[] = [];
  const listenOn = async (host: string, port: number): Promise<number> => {
    const server = createServer((request, response) => {
      got.push(`${host} ${request.headers.host}`);
      response.end('ok');
    });
    receivers.push(server);
    await new Promise<void>((resolve) => void server.listen(port, host, resolve));
    return (server.address() as AddressInfo).port;
  };
  const port = await listenOn('127.0.0.2', 0);
  await listenOn('127.0.0.1', port);
  try {
    const hookResponse = await teas.owner.send('POST', `/api/site/${teas.site.id}/table/hooks`, {
      name: '换绑',
      url: 'https://example.com/',
      events: ['record.created'],
    });
    const { hook } = hookResponse.json<{ data: CreatedWebhook }>().data;
    await ids(teas.path, [{ name: '新', kind: '绿' }]);
    const { db } = program.ctx.postgres;
    const [row] = await db.select().from(contentWebhooks).where(eq(contentWebhooks.id, hook.id));
    const [delivery] = await db.select().from(contentDeliveries).where(eq(contentDeliveries.hookId, hook.id));
    if (!row || !delivery) throw new Error('no rows');
    let lookups = 0;
    const rebinding = async () => [{ address: ++lookups === 1 ? '127.0.0.2' : '127.0.0.1', family: 4 }];
    const url = `http://rebind.example:${port}/`;
    const outcome = await post(program.ctx, { ...row, url }, delivery, '{}', { resolve: rebinding });
    expect([outcome.ok, lookups, got]).toEqual([true, 1, [`127.0.0.2 rebind.example:${port}`]]);
    // Where private addresses are forbidden, one of them among several is enough to refuse.
    const strict = { ...program.ctx, config: { ...program.ctx.config, privateWebhooks: false } };
    for (const found of [['127.0.0.1'], ['8.8.8.8', '127.0.0.1'], ['::ffff:127.0.0.1'], ['169.254.169.254']]) {
      const resolve = async () => found.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }));
      expect(await post(strict, { ...row, url }, delivery, '{}', { resolve })).toMatchObject({ ok: false, error: 'address_refused' });
    }
    expect(got).toHaveLength(1);
  } finally {
    for (const server of receivers) server.close();
  }
});
