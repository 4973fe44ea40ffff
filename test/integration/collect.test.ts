import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { sql } from 'drizzle-orm';
import fastify from 'fastify';
import type { LightMyRequestResponse } from 'fastify';
import type { LiveEvent } from '../../contract/live/schemas';
import { limits } from '../../contract/collect/schemas';
import { registerCollect } from '../../server/collect';
import { ClickHouseAway } from '../../server/stores/clickhouse/types';
import type { ClickHouse } from '../../server/stores/clickhouse/types';
import { openTestStores } from '../support/stores';
import type { TestStores } from '../support/stores';
import { until } from '../support/until';
import { countHits, hex16, makeFolder, makeSite, newSiteId, openRig, person, viewHit, visitsOf } from './collectSupport';
import type { Rig } from './collectSupport';

let stores: TestStores;
let folder: Awaited<ReturnType<typeof makeFolder>>;
let rig: Rig;
let siteId: string;
beforeAll(async () => {
  stores = await openTestStores();
});
afterAll(() => stores.close());
beforeEach(async () => {
  folder = await makeFolder();
  siteId = await makeSite(stores);
  rig = await openRig(stores, { dataDir: folder.dataDir });
});
afterEach(async () => {
  await rig.close();
  await folder.remove();
});

const reopen = async (overrides: Partial<Parameters<typeof openRig>[1]> = {}): Promise<void> => {
  await rig.close();
  rig = await openRig(stores, { dataDir: folder.dataDir, ...overrides });
};

describe('a hit', () => {
  it('is acknowledged, stored and built into a visit', async () => {
    const u = hex16();
    const first = viewHit({ a: 60_000, r: 'https://www.baidu.com/s?wd=test' });
    const answer = await rig.post({ body: { s: siteId, u, h: [first, viewHit({ r: 'https://example.com/docs', l: 'https://example.com/next' })] } });
    expect(answer.statusCode).toBe(202);
    expect(answer.json()).toEqual({ accepted: 2, refused: [] });
    expect(answer.headers).toMatchObject({ 'access-control-allow-origin': '*', 'cross-origin-resource-policy': 'cross-origin' });
    expect(answer.headers['access-control-allow-credentials']).toBeUndefined();
    expect(answer.headers['set-cookie']).toBeUndefined();
    await rig.collector.flush();
    expect(await visitsOf(stores.clickhouse, siteId)).toMatchObject([{ visitor: u, pv: 2, bounce: 0, span: 60_000, source: 'search', no: 1 }]);
  });

  it('sent twice counts once, even after a restart or elsewhere', async () => {
    const body = { s: siteId, h: [viewHit()] };
    await rig.post({ body });
    await rig.post({ body, address: '198.51.100.4' });
    await rig.collector.flush();
    await reopen();
    await rig.post({ body });
    await rig.collector.flush();
    expect(await countHits(stores.clickhouse, siteId)).toBe(1);
    expect(await visitsOf(stores.clickhouse, siteId)).toMatchObject([{ pv: 1 }]);
  });

  it('case 13: cannot set its own address, agent, time or country', async () => {
    await rig.post({
      body: {
        s: siteId,
        ip: '8.8.8.8',
        ua: 'forged',
        h: [viewHit({ at: 5, received_at: 5, country: 'US', a: -1e12, ip_masked: '8.8.8.x', browser: 'forged' })],
      },
    });
    await rig.collector.flush();
    const [hit] = await stores.clickhouse.query<Record<string, unknown>>(
      "SELECT country, browser, ip_masked, abs(dateDiff('second', at, now64(3))) < 60 AS recent FROM hits WHERE site_id = {siteId:String}",
      { params: { siteId } },
    );
    expect(hit).toMatchObject({ browser: 'Chrome', recent: 1 });
    expect(hit?.ip_masked).toMatch(/^203\.0\./);
  });

  it('leaves neither address nor user agent on the disk', async () => {
    await rig.post({ body: { s: siteId, h: [viewHit()] }, address: '203.0.113.77' });
    // A new checkpoint may replace the old one during the check.
    const names = (await readdir(path.join(folder.dataDir, 'journal', 'main'))).filter((name) => !name.endsWith('.new'));
    const written = (await Promise.all(names.map((name) => readFile(path.join(folder.dataDir, 'journal', 'main', name), 'utf8')))).join('');
    expect(written).toContain(siteId);
    expect(written).not.toContain('203.0.113.77');
    expect(written).not.toContain(person);
  });

  it('with broken surrogates does not block other hits', async () => {
    await rig.post({
      body: `{"s":"${siteId}","h":[{"k":"v","p":"${hex16()}","q":0,"a":0,"l":"https://example.com/?utm_source=${'%F0%9F%98%80'.repeat(101)}x","n":"\\ud83d","r":"https://a.example/\\udc00"}]}`,
    });
    await rig.collector.flush();
    expect(await visitsOf(stores.clickhouse, siteId)).toHaveLength(1);
  });
});

describe('refused hits', () => {
  const refused = async (body: unknown, more: object = {}): Promise<[number, unknown]> => {
    const answer = await rig.post({ body, ...more });
    expect(answer.headers['access-control-allow-origin']).toBe('*');
    return [answer.statusCode, answer.json<{ code?: string }>().code];
  };
  it('state the reason, which the installation check shows', async () => {
    expect(await refused('{')).toEqual([400, 'malformed']);
    expect(await refused({ s: newSiteId(), h: [viewHit()] })).toEqual([404, 'unknown_site']);
    expect(await refused({ s: await makeSite(stores, { state: 'archived' }), h: [viewHit()] })).toEqual([403, 'site_not_active']);
    expect(await refused({ s: await makeSite(stores, { state: 'deleted' }), h: [viewHit()] })).toEqual([404, 'unknown_site']);
    expect(await refused({ s: siteId, h: [viewHit({ n: 'x'.repeat(limits.bodyBytes) })] })).toEqual([413, 'too_large']);
    expect(await refused({ s: siteId, h: Array.from({ length: 51 }, () => viewHit()) })).toEqual([413, 'too_many']);
    const old = await rig.post({ body: { s: siteId, h: [viewHit({ a: limits.ageMs + 1000 }), viewHit()] } });
    expect([old.statusCode, old.json()]).toEqual([202, { accepted: 1, refused: [{ index: 0, code: 'too_old' }] }]);
    expect(rig.collector.refusals(siteId)).toMatchObject([
      { code: 'too_old', count: 1, host: 'example.com' },
      { code: 'too_many', count: 1 },
    ]);
  });

  it('a flood from one address is limited, other addresses are not', async () => {
    const flood = { s: siteId, h: Array.from({ length: 50 }, () => viewHit()) };
    const answers = await Promise.all(Array.from({ length: 125 }, () => rig.post({ body: flood, address: '192.0.2.1' })));
    expect(answers.filter((answer) => answer.statusCode === 429).length).toBeGreaterThanOrEqual(1);
    expect(answers.find((answer) => answer.statusCode === 429)?.headers['retry-after']).toBe('60');
    expect((await rig.post({ body: flood, address: '192.0.2.2' })).statusCode).toBe(202);
  });

  it('a full journal answers 503 until ClickHouse is back', async () => {
    let away = true;
    const clickhouse = {
      ...stores.clickhouse,
      insert: (...args: Parameters<typeof stores.clickhouse.insert>) => (away ? Promise.reject(new ClickHouseAway('away')) : stores.clickhouse.insert(...args)),
    };
    await reopen({ clickhouse, config: { journalMaxBytes: 200_000 } });
    const send = (): Promise<{ statusCode: number; headers: Record<string, unknown> }> =>
      rig.post({ body: { s: siteId, h: Array.from({ length: 40 }, () => viewHit()) } });
    let accepted = 0;
    let answer = await send();
    while (answer.statusCode === 202) {
      accepted += 40;
      answer = await send();
    }
    expect(accepted).toBeGreaterThan(0);
    expect([answer.statusCode, answer.headers['retry-after']]).toEqual([503, '10']);
    away = false;
    await rig.collector.flush();
    expect((await send()).statusCode).toBe(202);
    await rig.collector.flush();
    expect(await countHits(stores.clickhouse, siteId)).toBe(accepted + 40);
  });
});

describe('when ClickHouse refuses inserts', () => {
  /** Refuses inserts of hits with one of ClickHouse's error types while `holds` is true. */
  const refusing = (type: string, holds: (rows: Uint8Array) => boolean): ClickHouse => ({
    ...stores.clickhouse,
    insertBytes: (table, columns, rows, options) =>
      table === 'hits' && holds(rows)
        ? Promise.reject(Object.assign(new Error(type), { code: '0', type }))
        : stores.clickhouse.insertBytes(table, columns, rows, options),
  });
  const putAside = (): string => path.join(folder.dataDir, 'journal', 'main', 'rejected.jsonl');

  it('for lack of space, every hit waits', async () => {
    // Four for the whole batch, one when its hits are inserted one by one.
    let refusals = 5;
    await reopen({ clickhouse: refusing('NOT_ENOUGH_SPACE', () => refusals-- > 0) });
    await rig.post({ body: { s: siteId, h: [viewHit(), viewHit()] } });
    await rig.collector.flush();
    expect(await countHits(stores.clickhouse, siteId)).toBe(2);
    expect(existsSync(putAside())).toBe(false);
  });

  it('of one bad hit, only that hit is rejected', async () => {
    const bad = hex16();
    await reopen({ clickhouse: refusing('INCORRECT_DATA', (rows) => Buffer.from(rows).includes(Buffer.from(bad, 'hex').reverse())) });
    await Promise.all([viewHit(), viewHit({ p: bad }), viewHit()].map((hit) => rig.post({ body: { s: siteId, h: [hit] } })));
    await rig.collector.flush();
    expect(await countHits(stores.clickhouse, siteId)).toBe(2);
    expect(await readFile(putAside(), 'utf8')).toContain(bad);
  });
});

it('a journal that cannot be opened is named with a remedy', async () => {
  const dataDir = path.join(folder.dataDir, 'broken');
  await mkdir(dataDir);
  await writeFile(path.join(dataDir, 'journal'), 'not a folder');
  await expect(openRig(stores, { dataDir })).rejects.toThrow(/journal part of the data folder does not open: .*broken\/journal\/main .*backup/);
});

describe('visitor identification', () => {
  const visitors = async (): Promise<string[]> => (await visitsOf(stores.clickhouse, siteId)).map((visit) => visit.visitor);
  const cookieless = (): Promise<string> => makeSite(stores, { identity: 'cookieless' });

  it('without an id, address and browser identify a visitor per site', async () => {
    siteId = await cookieless();
    const send = (more: object): Promise<unknown> => rig.post({ body: { s: siteId, u: hex16(), h: [viewHit()] }, ...more });
    await send({});
    await send({});
    await send({ address: '198.51.100.9' });
    await send({ userAgent: `${person} other` });
    await rig.collector.flush();
    expect(new Set(await visitors()).size).toBe(3);
  });

  it('the id of a browser with Sec-GPC is ignored', async () => {
    const u = hex16();
    await rig.post({ body: { s: siteId, u, h: [viewHit()] }, headers: { 'sec-gpc': '1' } });
    await rig.collector.flush();
    expect(await visitors()).not.toContain(u);
  });

  it('case 2: midnight during a visit leaves one visitor and no salt', async () => {
    siteId = await cookieless();
    // Before the real day, so that this test's salts are its own.
    let clock = Date.UTC(2031, 4, 6, 15, 50);
    await reopen({ now: () => clock });
    await rig.post({ body: { s: siteId, h: [viewHit()] } });
    await rig.collector.flush();
    clock = Date.UTC(2031, 4, 6, 16, 10);
    await reopen({ now: () => clock });
    await rig.post({ body: { s: siteId, h: [viewHit()] } });
    await rig.collector.flush();
    expect(await visitsOf(stores.clickhouse, siteId)).toMatchObject([{ pv: 2, span: 20 * 60_000 }]);
    clock = Date.UTC(2031, 4, 9, 12);
    await reopen({ now: () => clock });
    const salts = await stores.postgres.db.execute(sql`select day::text from collect_salts where day between '2031-05-01' and '2031-05-07' order by day`);
    expect(salts.rows).toEqual([]);
  });
});

it('a new site accepts hits at once', async () => {
  const fresh = await makeSite(stores);
  expect((await rig.post({ body: { s: fresh, h: [viewHit()] } })).statusCode).toBe(202);
});

it('changed visits are published at most twice a second', async () => {
  const receivedEvents: LiveEvent[] = [];
  rig.live.subscribe((event) => void (event.type === 'als' && event.siteId === siteId && receivedEvents.push(event)));
  const ids = (): string[] => receivedEvents.flatMap((event) => (event.type === 'als' ? event.visitIds : []));
  await rig.post({ body: { s: siteId, u: hex16(), h: [viewHit()] } });
  await until(() => ids().length === 1);
  for (let i = 0; i < 10; i += 1) {
    await rig.post({ body: { s: siteId, u: hex16(), h: [viewHit()] } });
    await rig.collector.flush();
  }
  await until(() => ids().length === 11);
  expect(new Set(ids()).size).toBe(11);
  // Measured by the time stamps of the notices, independent of the machine's speed.
  const times = receivedEvents.map((event) => (event.type === 'als' ? event.at : 0));
  for (const [i, at] of times.entries()) if (i > 0) expect(at - (times[i - 1] ?? 0)).toBeGreaterThanOrEqual(490);
});

it('with ACK=clickhouse a hit is stored before it is acknowledged', async () => {
  await reopen({ config: { ack: 'clickhouse' } });
  await rig.post({ body: { s: siteId, h: [viewHit()] } });
  expect(await countHits(stores.clickhouse, siteId)).toBe(1);
});

describe('two collectors', () => {
  it('build a visitor’s visits in one place and survive its loss', async () => {
    const other = await openRig(stores, { dataDir: folder.dataDir, options: { process: 'second' } });
    try {
      expect(rig.collector.stats().shards).toBe(16);
      expect(other.collector.stats().shards).toBe(0);
      const u = hex16();
      const ages = [50, 40, 30, 20, 10].map((minutes) => minutes * 60_000);
      for (const [i, a] of ages.entries()) await (i % 2 === 0 ? rig : other).post({ body: { s: siteId, u, h: [viewHit({ a })] } });
      await Promise.all([rig.collector.flush(), other.collector.flush()]);
      expect(await visitsOf(stores.clickhouse, siteId)).toMatchObject([{ visitor: u, pv: 5 }]);

      await rig.close();
      await other.post({ body: { s: siteId, u, h: [viewHit({ a: 0 })] } });
      await other.collector.flush();
      expect(await visitsOf(stores.clickhouse, siteId)).toMatchObject([{ visitor: u, pv: 6 }]);
      expect(other.collector.stats().shards).toBe(16);
    } finally {
      await other.close();
      rig = await openRig(stores, { dataDir: folder.dataDir });
    }
  });
});

it('a site’s visits can be rebuilt from its hits', async () => {
  const u = hex16();
  await rig.post({ body: { s: siteId, u, h: [viewHit({ a: 3_600_000 }), viewHit()] } });
  await rig.collector.flush();
  const before = await visitsOf(stores.clickhouse, siteId);
  await stores.clickhouse.command(`INSERT INTO visits (site_id, visit_id, start, version, pv) VALUES ('${siteId}', 1, now64(3), 1, 99)`);
  expect(await rig.collector.rebuildVisits(siteId)).toEqual({ visits: 2, visitors: 1 });
  expect(await visitsOf(stores.clickhouse, siteId)).toEqual(before);
});

it('a preflight request is allowed', async () => {
  const answer = await rig.app.inject({
    method: 'OPTIONS',
    url: '/collect',
    headers: { origin: 'https://example.com', 'access-control-request-method': 'POST' },
  });
  expect([answer.statusCode, answer.headers['access-control-allow-origin'], answer.headers['access-control-allow-methods']]).toEqual([204, '*', 'POST']);
});

describe('the tracker', () => {
  it('is small and cached by content, and counts fetches per site', async () => {
    const dist = path.join(folder.dataDir, 'tracker');
    await mkdir(dist, { recursive: true });
    await Promise.all([
      writeFile(path.join(dist, 't.js'), 'the script'),
      writeFile(path.join(dist, 't.more.js'), 'the script that does more'),
      writeFile(path.join(dist, 't.js.br'), 'the script in brotli'),
    ]);
    const app = fastify();
    await registerCollect(app, rig.ctx, rig.collector, '/_a', dist);
    const get = (headers: Record<string, string>): Promise<LightMyRequestResponse> => app.inject({ method: 'GET', url: '/_a/t.js', headers });
    const own = await makeSite(stores, { url: 'https://counted.example/' });
    await rig.post({ body: { s: own, h: [viewHit()] } });

    const plain = await get({ referer: 'https://www.counted.example/page' });
    expect([plain.statusCode, plain.body]).toEqual([200, 'the script']);
    expect(plain.headers).toMatchObject({
      'content-type': 'text/javascript; charset=utf-8',
      'cache-control': 'public, max-age=3600',
      'access-control-allow-origin': '*',
    });
    expect((await get({ 'accept-encoding': 'gzip, br' })).headers['content-encoding']).toBe('br');
    expect((await get({ 'if-none-match': String(plain.headers.etag) })).statusCode).toBe(304);
    expect(rig.collector.scriptLoads(own)).toBe(1);

    await writeFile(path.join(dist, 't.js'), 'a newer script');
    expect((await get({})).body).toBe('a newer script');
    await app.close();
  });
});
