import { spawnSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { jest } from '@jest/globals';
import pg from 'pg';
import { createLog } from '../../server/log';
import { embeddedUser, startEmbeddedPostgres } from '../../server/stores/postgres/embedded';
import type { EmbeddedPostgres } from '../../server/stores/postgres/embedded';
import { connect } from '../../server/stores/postgres/open';
import { temporaryFolder } from '../support/program';

jest.setTimeout(60_000);

const log = createLog('silent');

async function ask<T extends pg.QueryResultRow>(server: EmbeddedPostgres, sql: string): Promise<T[]> {
  const client = new pg.Client({ host: server.socketFolder, user: embeddedUser, database: 'postgres' });
  client.on('error', () => undefined);
  try {
    await client.connect();
    return (await client.query<T>(sql)).rows;
  } finally {
    await client.end().catch(() => undefined);
  }
}

describe('the embedded PostgreSQL', () => {
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

  it('syncs to the disk, speaks UTF-8, and listens on no address', async () => {
    const [row] = await ask(
      server,
      `SELECT current_setting('fsync') AS fsync, current_setting('server_encoding') AS encoding, current_setting('listen_addresses') AS addresses, lower('ÄЖ') AS lower`,
    );
    expect(row).toEqual({ fsync: 'on', encoding: 'UTF8', addresses: '', lower: 'äж' });
  });

  it('keeps its socket where nobody else can enter', () => {
    expect(
      spawnSync('stat', process.platform === 'darwin' ? ['-f', '%Lp', server.socketFolder] : ['-c', '%a', server.socketFolder], {
        encoding: 'utf8',
      }).stdout.trim(),
    ).toBe('700');
  });

  it('comes back by itself when it is killed, with every committed row, and notifications are heard again', async () => {
    const postgres = connect({ host: server.socketFolder, user: embeddedUser, database: 'postgres' }, log, () => Promise.resolve());
    const heard: string[] = [];
    await postgres.listen('news', (payload) => heard.push(payload));
    await postgres.pool.query('CREATE TABLE kept AS SELECT generate_series(1, 100) AS n');
    const killed = server.pid();
    process.kill(killed ?? 0, 'SIGKILL');
    while (server.pid() === killed) await delay(20);
    while (heard.length === 0) {
      await postgres.notify('news', 'back').catch(() => undefined);
      await delay(20);
    }
    expect((await postgres.pool.query('SELECT count(*)::int AS n FROM kept')).rows).toEqual([{ n: 100 }]);
    await postgres.close();
  });
});

const asRoot = process.getuid?.() === 0 ? it : it.skip;

asRoot('runs as a system account, in a folder that account can reach, where the kernel has no user namespaces', async () => {
  const folder = temporaryFolder();
  spawnSync('mkdir', ['-m', '700', folder.dataDir]);
  const account = { kind: 'user', name: 'nobody', uid: 65_534, gid: 65_534 } as const;
  const server = await startEmbeddedPostgres({ dataDir: folder.dataDir, log, account });
  const [row] = await ask<{ folder: string }>(server, `SELECT current_setting('data_directory') AS folder`);
  expect(row?.folder).toMatch(/^\/var\/lib\/sitewright\/[0-9a-f]{12}\/postgres$/);
  await server.stop();
  if (row) rmSync(path.dirname(row.folder), { recursive: true, force: true });
  folder.remove();
});
