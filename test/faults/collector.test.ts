import { Agent } from 'node:http';
import { openRig, hex16, makeFolder, makeSite, visitsOf, countHits, viewHit } from '../integration/collectSupport';
import { readConfig } from '../../server/config';
import { createLog } from '../../server/log';
import { clickhouseMigrations } from '../../server/migrations';
import { startEmbeddedClickHouse } from '../../server/stores/clickhouse/embedded';
import { makeClickHouse } from '../../server/stores/clickhouse/client';
import { migrateClickHouse } from '../../server/stores/clickhouse/migrate';
import { post } from '../support/post';
import { freePort, runProgram } from '../support/program';
import type { RunningProgram } from '../support/program';
import { openTestStores } from '../support/stores';
import type { TestStores } from '../support/stores';
import { thorough } from '../support/thorough';

let stores: TestStores;
beforeAll(async () => {
  stores = await openTestStores();
});
afterAll(() => stores.close());

const kills = thorough ? 20 : 10;
const hitsPerRequest = 5;
const requestsPerSecond = 100;
/** Hits accepted by each run of the program before it is killed. */
const hitsPerLife = 300;
/** The most concurrent requests: those to a stopped program wait, and must not slow its start. */
const mostUnderWay = 60;

type Sent = { readonly visitor: string; readonly views: readonly string[] };

it('every acknowledged hit is in hits and in visits exactly once', async () => {
  const siteId = await makeSite(stores);
  const { dataDir, remove } = await makeFolder();
  const port = await freePort();
  const agent = new Agent({ keepAlive: true, maxSockets: 50 });
  const start = async (): Promise<RunningProgram> => {
    const program = runProgram({
      DATA_DIR: dataDir,
      PORT: String(port),
      ROLES: 'collect',
      DATABASE_URL: stores.databaseUrl,
      CLICKHOUSE_URL: stores.clickhouseUrl,
      TRUSTED_PROXIES: 'loopback',
      LOG_LEVEL: 'warn',
    });
    await program.ready;
    return program;
  };

  /** Like the tracker, sends the same hits until they are acknowledged. */
  const deliver = async (sent: Sent, address: string): Promise<void> => {
    const body = JSON.stringify({ s: siteId, u: sent.visitor, h: sent.views.map((p) => viewHit({ p })) });
    for (;;) {
      const status = await post(agent, port, body, address);
      if (status === 202) return;
      await new Promise((resolve) => setTimeout(resolve, 250));
    }
  };

  const acknowledged: Sent[] = [];
  let running = true;
  let accepted = 0;
  let reached: { hits: number; resolve: () => void } | null = null;
  const untilAccepted = (hits: number): Promise<void> => new Promise((resolve) => (reached = { hits, resolve }));
  const flying = new Set<Promise<void>>();
  const visitors = Array.from({ length: 200 }, hex16);
  const load = (async () => {
    for (let n = 0; running; n += 1) {
      const sent = { visitor: visitors[n % visitors.length] as string, views: Array.from({ length: hitsPerRequest }, hex16) };
      const delivered = deliver(sent, `10.0.${n % 200}.1`).then(() => {
        acknowledged.push(sent);
        accepted += hitsPerRequest;
        if (reached !== null && accepted >= reached.hits) reached.resolve();
      });
      flying.add(delivered);
      void delivered.finally(() => flying.delete(delivered));
      await new Promise((resolve) => setTimeout(resolve, 1000 / requestsPerSecond));
      if (flying.size >= mostUnderWay) await Promise.race(flying);
    }
  })();

  let interrupted = 0;
  let program = await start();
  try {
    for (let kill = 0; kill < kills; kill += 1) {
      await untilAccepted(accepted + hitsPerLife);
      program.process.kill('SIGKILL');
      await program.ended;
      if ((await countHits(stores.clickhouse, siteId)) < accepted) interrupted += 1;
      program = await start();
    }
    running = false;
    await load;
    await Promise.all(flying);
    program.process.kill('SIGTERM');
    expect((await program.ended).code).toBe(0);
  } finally {
    running = false;
    program.process.kill('SIGKILL');
    agent.destroy();
  }

  // Otherwise nothing was interrupted: each kill is to leave acknowledged hits that only the journal holds.
  expect(interrupted).toBeGreaterThanOrEqual(kills / 2);
  // The next run drains what the last one left in the journal.
  const rig = await openRig(stores, { dataDir });
  await rig.collector.flush();
  await rig.close();
  await remove();

  const views = acknowledged.flatMap((sent) => sent.views);
  expect(views.length).toBeGreaterThanOrEqual(kills * hitsPerLife);
  const stored = await stores.clickhouse.query<{ id: string; n: number }>(
    `SELECT lower(leftPad(hex(view_id), 16, '0')) AS id, toInt32(count()) AS n FROM hits FINAL WHERE site_id = {siteId:String} GROUP BY view_id`,
    { params: { siteId } },
  );
  expect(new Map(stored.map((row) => [row.id, row.n]))).toEqual(new Map(views.map((id) => [id, 1])));
  const built = await stores.clickhouse.query<{ id: string; n: number }>(
    `SELECT lower(leftPad(hex(view), 16, '0')) AS id, toInt32(count()) AS n FROM visits FINAL ARRAY JOIN view_id AS view WHERE site_id = {siteId:String} GROUP BY view`,
    { params: { siteId } },
  );
  expect(new Map(built.map((row) => [row.id, row.n]))).toEqual(new Map(views.map((id) => [id, 1])));
  // All hits are minutes apart: one visit per visitor, despite the kills.
  const visits = await visitsOf(stores.clickhouse, siteId);
  expect(visits).toHaveLength(visitors.length);
  expect(visits.reduce((sum, visit) => sum + visit.pv, 0)).toBe(views.length);
}, 300_000);

it('case 9: ClickHouse dies and stays away for a while: no loss', async () => {
  const { dataDir, remove } = await makeFolder();
  const log = createLog('silent');
  const memory = readConfig({}, []).clickhouseMemory;
  const first = await startEmbeddedClickHouse({ dataDir, memory, log });
  let current = first;
  let away = false;
  const clickhouse = makeClickHouse(
    () => (away ? null : current.client()),
    () => Promise.resolve(),
  );
  await migrateClickHouse(clickhouse, clickhouseMigrations, (_name, work) => work());
  const siteId = await makeSite(stores);
  const rig = await openRig(stores, { dataDir, clickhouse });
  try {
    const u = hex16();
    let sent = 0;
    const send = async (minutesAgo: number): Promise<void> => {
      const answer = await rig.post({ body: { s: siteId, u, h: [viewHit({ a: minutesAgo * 60_000 })] } });
      expect(answer.statusCode).toBe(202);
      sent += 1;
    };
    await send(25);
    await rig.collector.flush();

    const child = first.pid() as number;
    away = true;
    process.kill(child, 'SIGKILL');
    for (let minutesAgo = 24; minutesAgo > 0; minutesAgo -= 1) await send(minutesAgo);
    expect(rig.collector.stats().journalBytes).toBeGreaterThan(0);
    expect(await clickhouse.ping()).toBe(false);
    await first.stop();

    current = await startEmbeddedClickHouse({ dataDir, memory, log });
    away = false;
    await rig.collector.flush();
    expect(await countHits(clickhouse, siteId)).toBe(sent);
    expect(await visitsOf(clickhouse, siteId)).toMatchObject([{ visitor: u, pv: sent }]);
    expect(rig.collector.stats().stuckSince).toBeNull();
  } finally {
    await rig.close();
    await current.stop();
    await remove();
  }
}, 180_000);
