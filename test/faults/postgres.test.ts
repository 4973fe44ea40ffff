import { spawnSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { jest } from '@jest/globals';
import { sql } from 'drizzle-orm';
import pg from 'pg';
import type { Context } from '../../server/context';
import { toFailure } from '../../server/http/errors';
import { createLog } from '../../server/log';
import { embeddedUser, startEmbeddedPostgres } from '../../server/stores/postgres/embedded';
import type { EmbeddedPostgres } from '../../server/stores/postgres/embedded';
import { migratePostgres } from '../../server/stores/postgres/migrate';
import { connect } from '../../server/stores/postgres/open';
import type { Postgres } from '../../server/stores/postgres/types';
import { defineJob, enqueue, resumesWithin, startWorker } from '../../server/worker';
import { temporaryFolder } from '../support/program';
import { until } from '../support/until';

jest.setTimeout(60_000);

const log = createLog('silent');

async function ask<T extends pg.QueryResultRow>(server: EmbeddedPostgres, text: string): Promise<T[]> {
  const client = new pg.Client({ host: server.socketFolder, user: embeddedUser, database: 'postgres' });
  client.on('error', () => undefined);
  try {
    await client.connect();
    return (await client.query<T>(text)).rows;
  } finally {
    await client.end().catch(() => undefined);
  }
}

const folder = temporaryFolder();
let server: EmbeddedPostgres;
beforeAll(async () => {
  spawnSync('mkdir', ['-m', '700', folder.dataDir]);
  server = await startEmbeddedPostgres({ dataDir: folder.dataDir, log });
});
afterAll(async () => {
  await server.stop();
  folder.remove();
});

describe('the embedded PostgreSQL', () => {
  it('syncs to the disk, uses UTF-8 and listens on no address', async () => {
    const [row] = await ask(
      server,
      `SELECT current_setting('fsync') AS fsync, current_setting('server_encoding') AS encoding, current_setting('listen_addresses') AS addresses, lower('ÄЖ') AS lower`,
    );
    expect(row).toEqual({ fsync: 'on', encoding: 'UTF8', addresses: '', lower: 'äж' });
  });

  it('keeps its socket in a folder closed to others', () => {
    expect(
      spawnSync('stat', process.platform === 'darwin' ? ['-f', '%Lp', server.socketFolder] : ['-c', '%a', server.socketFolder], {
        encoding: 'utf8',
      }).stdout.trim(),
    ).toBe('700');
  });

  it('restarts after a kill with all committed rows and notifications', async () => {
    const postgres = connect({ host: server.socketFolder, user: embeddedUser, database: 'postgres' }, log, () => Promise.resolve());
    const notifications: string[] = [];
    await postgres.listen('news', (payload) => notifications.push(payload));
    await postgres.pool.query('CREATE TABLE kept AS SELECT generate_series(1, 100) AS n');
    const killed = server.pid();
    process.kill(killed ?? 0, 'SIGKILL');
    while (server.pid() === killed) await delay(20);
    while (notifications.length === 0) {
      await postgres.notify('news', 'back').catch(() => undefined);
      await delay(20);
    }
    expect((await postgres.pool.query('SELECT count(*)::int AS n FROM kept')).rows).toEqual([{ n: 100 }]);
    await postgres.close();
  });
});

describe('work under way while PostgreSQL is killed', () => {
  let postgres: Postgres;
  let ctx: Context;
  beforeAll(async () => {
    postgres = connect({ host: server.socketFolder, user: embeddedUser, database: 'postgres' }, log, () => Promise.resolve());
    await migratePostgres(postgres);
    // The part of the context that jobs need.
    ctx = { postgres, log, live: { publish: () => undefined, subscribe: () => () => undefined }, now: Date.now } as unknown as Context;
  });
  afterAll(() => postgres.close());
  async function killed(): Promise<void> {
    const pid = server.pid();
    process.kill(pid ?? 0, 'SIGKILL');
    while (server.pid() === pid) await delay(20);
  }

  it('is refused as unavailable until the database is back', async () => {
    await postgres.pool.query('CREATE TABLE written (n int)');
    const codes = new Set<string>();
    let going = true;
    const writers = Array.from({ length: 8 }, async (_, n) => {
      while (going) {
        const write = postgres.db.transaction(async (tx) => {
          await tx.execute(sql`INSERT INTO written VALUES (${n})`);
          await tx.execute(sql`SELECT pg_sleep(0.02)`);
          await tx.execute(sql`INSERT INTO written VALUES (${n})`);
        });
        await write.catch((error: unknown) => codes.add(toFailure(error).code));
        await delay(5);
      }
    });
    await delay(200);
    await killed();
    await until(() =>
      postgres.pool.query('SELECT 1').then(
        () => true,
        () => false,
      ),
    );
    going = false;
    await Promise.all(writers);
    expect([...codes]).toEqual(['unavailable']);
    // No connection has leaked.
    expect(postgres.pool.totalCount - postgres.pool.idleCount).toBe(0);
  });

  it('resumes a job at once without waiting for the lease', async () => {
    const runs: unknown[] = [];
    const handler = defineJob('demo.traffic', async (job) => {
      runs.push(job.saved);
      if (runs.length > 1) return;
      await job.save({ day: 41 });
      void killed();
      for (;;) await postgres.pool.query('SELECT pg_sleep(0.05)');
    });
    // The lease outlasts the test.
    const worker = startWorker(ctx, [handler], [], { pollEvery: 100, leaseFor: 600_000 });
    const { id } = await enqueue(ctx, 'demo.traffic', { label: 'Tea' });
    const row = () => postgres.pool.query<{ state: string; attempts: number }>('SELECT state, attempts FROM jobs WHERE id = $1', [id]).catch(() => null);
    await until(async () => (await row())?.rows[0]?.state === 'done', 30_000);
    expect((await row())?.rows[0]?.attempts).toBe(1);
    expect(runs).toEqual([null, { day: 41 }]);
    await worker.close();
  });

  it('resumes a job within ten seconds with default settings', async () => {
    expect(resumesWithin).toBeLessThanOrEqual(10_000);
    // Seconds in which this process could run: on an overloaded machine, neither the worker nor this clock advances.
    let worked = 0;
    const clock = setInterval(() => (worked += 0.1), 100);
    let back = Number.NaN;
    let resumed = Number.NaN;
    const handler = defineJob('demo.traffic', async (job) => {
      if (job.saved !== null) return void (resumed = worked);
      await job.save({ day: 41 });
      void killed()
        .then(() =>
          until(() =>
            postgres.pool.query('SELECT 1').then(
              () => true,
              () => false,
            ),
          ),
        )
        .then(() => (back = worked));
      for (;;) await postgres.pool.query('SELECT pg_sleep(0.05)');
    });
    const worker = startWorker(ctx, [handler]);
    await enqueue(ctx, 'demo.traffic', { label: 'Tea' });
    await until(() => !Number.isNaN(resumed) && !Number.isNaN(back), 60_000);
    clearInterval(clock);
    await worker.close();
    expect(resumed - back).toBeLessThanOrEqual(10);
  });
});

const asRoot = process.getuid?.() === 0 ? it : it.skip;

asRoot('runs as a system account, in a folder that account can reach, where the kernel has no user namespaces', async () => {
  const other = temporaryFolder();
  spawnSync('mkdir', ['-m', '700', other.dataDir]);
  const account = { kind: 'user', name: 'nobody', uid: 65_534, gid: 65_534 } as const;
  const restricted = await startEmbeddedPostgres({ dataDir: other.dataDir, log, account });
  const [row] = await ask<{ folder: string }>(restricted, `SELECT current_setting('data_directory') AS folder`);
  expect(row?.folder).toMatch(/^\/var\/lib\/sitewright\/[0-9a-f]{12}\/postgres$/);
  await restricted.stop();
  if (row) rmSync(path.dirname(row.folder), { recursive: true, force: true });
  other.remove();
});
