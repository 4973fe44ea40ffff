import { jest } from '@jest/globals';
import { createServer } from 'node:http';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Site } from '../../contract/sites/schemas';
import { contacts } from '../../server/areas/contacts/schema';
import { uptimeIncidents, uptimeMonitors } from '../../server/areas/uptime/schema';
import { outbox } from '../../server/mail/schema';
import { makeTestApp } from '../support/app';
import type { Person, TestApp } from '../support/app';
import { freePort, runProgram, temporaryFolder } from '../support/program';
import type { RunningProgram } from '../support/program';
import { until } from '../support/until';

/** The real program is killed (SIGKILL) while it checks a monitored site, and restarted on the same stores. */
jest.setTimeout(180_000);

const folder = temporaryFolder();
let app: TestApp;
let owner: Person;
let site: Site;
let monitored: Server;
let mode: 'up' | 'down' | 'silent' = 'up';
let requests = 0;
let port: number;
let program: RunningProgram;

async function start(): Promise<void> {
  program = runProgram({
    DATA_DIR: folder.dataDir,
    PORT: String(port),
    DATABASE_URL: app.stores.databaseUrl,
    CLICKHOUSE_URL: app.stores.clickhouseUrl,
    LOG_LEVEL: 'warn',
    PRIVATE_SITES: '1',
    SMTP_URL: 'smtp://localhost:1',
    MAIL_FROM: 'console@example.com',
  });
  await program.ready;
}
async function kill(): Promise<void> {
  program.process.kill('SIGKILL');
  await program.ended;
  monitored.closeAllConnections();
}
/** The next run need not wait for the lease of the killed one. */
const release = () => app.ctx.postgres.pool.query(`UPDATE uptime_monitors SET lease_until = now() - interval '1 minute'`);
const monitor = async () => (await app.ctx.postgres.db.select().from(uptimeMonitors))[0];
const incidents = () => app.ctx.postgres.db.select().from(uptimeIncidents);
const messages = async (): Promise<number> =>
  (await app.ctx.postgres.db.select({ kind: outbox.kind }).from(outbox)).filter(({ kind }) => kind === 'contact.uptime').length;
/** Makes the site's next check due now. */
const hurry = () => app.ctx.postgres.pool.query(`UPDATE uptime_monitors SET next_at = now(); NOTIFY uptime`);
/** Runs `work` while the outbox is locked, and resolves when a transaction waits for it; `then` runs before the lock is released. */
async function whileOutboxIsHeld(work: () => Promise<unknown>, then: () => Promise<unknown>): Promise<void> {
  const holder = await app.ctx.postgres.pool.connect();
  try {
    await holder.query('BEGIN; LOCK TABLE outbox IN SHARE MODE');
    await work();
    await until(async () => {
      const { rows } = await app.ctx.postgres.pool.query<{ n: number }>(
        `SELECT count(*)::int AS n FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock' AND query ILIKE 'insert into "outbox"%'`,
      );
      return rows[0]?.n === 1;
    }, 60_000);
    await then();
  } finally {
    await holder.query('ROLLBACK');
    holder.release();
  }
}

beforeAll(async () => {
  monitored = createServer((_request, response) => {
    requests += 1;
    if (mode !== 'silent') response.writeHead(mode === 'up' ? 200 : 503).end();
  });
  await new Promise<void>((resolve) => monitored.listen(0, '127.0.0.1', resolve));
  app = await makeTestApp({ config: { dataDir: folder.dataDir } });
  owner = await app.signUpOwner();
  site = await app.makeSite(owner, { purpose: 'external', url: `http://127.0.0.1:${(monitored.address() as AddressInfo).port}/` });
  const now = new Date();
  await app.ctx.postgres.db.insert(contacts).values({
    name: 'Wang Min',
    company: '',
    title: 'owner',
    email: 'wang@example.com',
    emailVerifiedAt: now,
    locale: 'en',
    subscriptions: { uptime: ['mail'] },
    note: '',
    createdAt: now,
    updatedAt: now,
  });
  port = await freePort();
  await start();
});
afterAll(async () => {
  program.process.kill('SIGTERM');
  await program.ended;
  monitored.closeAllConnections();
  monitored.close();
  await app.close();
  folder.remove();
});

test('a killed checker loses no state change and reports each once', async () => {
  // During a request: nothing is known, and the next run repeats it.
  mode = 'silent';
  const input = { enabled: true, intervalMinutes: 15, path: '', expectedStatus: null, keyword: '' };
  await owner.send('PUT', `/api/core/sites/${site.id}/uptime/settings`, input, { 'if-match': '"0"' });
  await until(() => requests === 1, 60_000);
  await kill();
  expect(await monitor()).toMatchObject({ state: 'unknown', checkedAt: null, leaseId: expect.any(String) });
  mode = 'up';
  await release();
  await start();
  await until(async () => (await monitor())?.state === 'up', 60_000);

  // Between the two attempts: the second one follows in the next run.
  mode = 'down';
  await hurry();
  await until(async () => (await monitor())?.failingSince !== null, 60_000);
  await kill();
  expect([(await incidents()).length, await messages()]).toEqual([0, 0]);

  // Inside the transaction that marks the site as down, before its message is written.
  await whileOutboxIsHeld(async () => {
    await start();
    await app.ctx.postgres.pool.query('UPDATE uptime_monitors SET failing_since = now()');
    await hurry();
  }, kill);
  await until(async () => (await messages()) === 0 && (await incidents()).length === 0);
  expect((await monitor())?.state).toBe('up');
  await release();
  await app.ctx.postgres.pool.query('UPDATE uptime_monitors SET failing_since = now()');
  await start();
  await until(async () => (await monitor())?.state === 'down', 60_000);
  expect([(await incidents()).map(({ endedAt }) => endedAt), await messages()]).toEqual([[null], 1]);

  // Inside the one that marks it as up.
  mode = 'up';
  await whileOutboxIsHeld(hurry, kill);
  await release();
  expect([(await monitor())?.state, (await incidents())[0]?.endedAt, await messages()]).toEqual(['down', null, 1]);
  await start();
  await until(async () => (await monitor())?.state === 'up', 60_000);
  const [incident, ...others] = await incidents();
  expect([incident?.endedAt, others, await messages()]).toEqual([expect.any(Date), [], 2]);

  // A run without changes sends no notice.
  await kill();
  await release();
  await start();
  const checkedAt = (await monitor())?.checkedAt?.getTime() ?? 0;
  await hurry();
  await until(async () => ((await monitor())?.checkedAt?.getTime() ?? 0) > checkedAt, 60_000);
  expect([(await incidents()).length, await messages()]).toEqual([1, 2]);
});
