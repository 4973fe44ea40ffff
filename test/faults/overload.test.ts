import { Agent } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { hex16, makeFolder, makeSite } from '../integration/collectSupport';
import { freePort, runProgram } from '../support/program';
import type { RunningProgram } from '../support/program';
import { openTestStores } from '../support/stores';
import type { TestStores } from '../support/stores';
import { post } from '../support/post';
import { thorough } from '../support/thorough';
import { until } from '../support/until';

let stores: TestStores;
beforeAll(async () => {
  stores = await openTestStores();
});
afterAll(() => stores.close());

/** A quarter of it is for visitors, and some 70 MB are the program itself. */
const heapMegabytes = thorough ? 512 : 160;
const hitsPerRequest = 3;
const requests = thorough ? 20_000 : 1200;
const addresses = 12;
const visitors = Array.from({ length: 300 }, hex16);
/** 13 × 500 Chinese characters: 20 kB in transfer, and two bytes a character in memory. */
const properties = Object.fromEntries(Array.from({ length: 13 }, (_, n) => [`p${n}`, '茶'.repeat(500)]));

const event = () => ({ k: 'e', p: hex16(), q: 0, a: 0, l: 'https://example.com/', e: 'flood', o: properties });

const countIn = async (siteId: string): Promise<{ hits: number; events: number }> => {
  const [row] = await stores.clickhouse.query<{ hits: number; events: number }>(
    `SELECT (SELECT toInt32(count()) FROM hits FINAL WHERE site_id = {siteId:String}) AS hits,
       (SELECT toInt32(sum(length(event_name))) FROM visits FINAL WHERE site_id = {siteId:String}) AS events`,
    { params: { siteId } },
  );
  return row ?? { hits: 0, events: 0 };
};

it('large hits neither exhaust memory nor get lost, even after kill -9', async () => {
  const siteId = await makeSite(stores);
  const { dataDir, remove } = await makeFolder();
  const port = await freePort();
  const agent = new Agent({ keepAlive: true, maxSockets: 20 });
  const start = async (): Promise<RunningProgram> => {
    const program = runProgram(
      {
        DATA_DIR: dataDir,
        PORT: String(port),
        ROLES: 'collect',
        DATABASE_URL: stores.databaseUrl,
        CLICKHOUSE_URL: stores.clickhouseUrl,
        TRUSTED_PROXIES: 'loopback',
        LOG_LEVEL: 'warn',
      },
      [],
      [`--max-old-space-size=${heapMegabytes}`],
    );
    await program.ready;
    return program;
  };
  let program = await start();
  let sent = 0;
  const deliver = async (n: number): Promise<void> => {
    const body = JSON.stringify({ s: siteId, u: visitors[n % visitors.length], h: Array.from({ length: hitsPerRequest }, event) });
    for (;;) {
      if ((await post(agent, port, body, `10.0.${n % addresses}.1`)) === 202) return;
      await delay(50);
    }
  };
  const sendUpTo = async (end: number): Promise<void> => {
    await Promise.all(
      Array.from({ length: 20 }, async () => {
        while (sent < end) await deliver((sent += 1));
      }),
    );
  };
  try {
    await sendUpTo(requests / 2);
    program.process.kill('SIGKILL');
    await program.ended;
    program = await start();
    await sendUpTo(requests);
    const all = sent * hitsPerRequest;
    await until(async () => {
      // Counting reads every visit: at the pace of other tests it would take more time than the program.
      await delay(500);
      const counted = await countIn(siteId);
      return counted.hits >= all && counted.events >= all;
    }, 120_000);
    expect(await countIn(siteId)).toEqual({ hits: all, events: all });
    expect(program.process.exitCode).toBeNull();
    program.process.kill('SIGTERM');
    expect((await program.ended).code).toBe(0);
  } finally {
    program.process.kill('SIGKILL');
    agent.destroy();
    await remove();
  }
}, 240_000);
