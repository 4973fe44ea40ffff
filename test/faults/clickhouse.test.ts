import { jest } from '@jest/globals';
import { setTimeout as delay } from 'node:timers/promises';
import { createLog } from '../../server/log';
import { makeClickHouse } from '../../server/stores/clickhouse/client';
import { startEmbeddedClickHouse } from '../../server/stores/clickhouse/embedded';
import type { EmbeddedClickHouse } from '../../server/stores/clickhouse/embedded';
import { ClickHouseAway, QueryAborted } from '../../server/stores/clickhouse/types';
import type { ClickHouse } from '../../server/stores/clickhouse/types';
import { temporaryFolder } from '../support/program';

jest.setTimeout(60_000);

describe('the embedded ClickHouse', () => {
  const folder = temporaryFolder();
  let embedded: EmbeddedClickHouse;
  let clickhouse: ClickHouse;

  beforeAll(async () => {
    embedded = await startEmbeddedClickHouse({ dataDir: folder.dataDir, memory: 2 ** 30, log: createLog('silent') });
    clickhouse = makeClickHouse(embedded.client, embedded.stop);
    await clickhouse.command('CREATE TABLE kept (n UInt32) ENGINE = MergeTree ORDER BY n SETTINGS non_replicated_deduplication_window = 100');
  });
  afterAll(async () => {
    await clickhouse.close();
    folder.remove();
  });

  /** Queries without a password, as any local account could. */
  const asDefault = async (sql: string) => {
    const url = new URL(embedded.urlWithPassword());
    const session = 'session_id=stranger';
    const answer = await fetch(`http://${url.host}/?user=default&${session}`, { method: 'POST', body: sql });
    return { status: answer.status, text: await answer.text() };
  };

  it('answers only those who have the key of this start', async () => {
    for (const sql of [
      'SELECT 1',
      'SHOW DATABASES',
      'SELECT * FROM sitewright.kept',
      `SELECT * FROM file('/etc/passwd', LineAsString)`,
      `CREATE TEMPORARY TABLE stolen (line String) ENGINE = File(LineAsString, '/etc/passwd')`,
      'SYSTEM STOP LISTEN HTTP',
    ]) {
      const { status, text } = await asDefault(sql);
      expect(status).toBe(404);
      expect(text).toContain('There is no handle');
    }
  });

  it('denies its user access to files, addresses and the server itself', async () => {
    for (const sql of [
      `SELECT * FROM file('/etc/passwd', LineAsString)`,
      `CREATE TEMPORARY TABLE stolen (line String) ENGINE = File(LineAsString, '/etc/passwd')`,
      `SELECT * FROM url('http://127.0.0.1:1/', LineAsString)`,
      `SELECT * FROM remote('127.0.0.1', system.one)`,
      'SYSTEM SHUTDOWN',
    ]) {
      await expect(clickhouse.command(sql)).rejects.toThrow(/Not enough privileges/);
    }
  });

  it('syncs every insert to the disk', async () => {
    const settings = await clickhouse.query<{ value: string }>(`SELECT value FROM system.merge_tree_settings WHERE name = 'fsync_after_insert'`);
    expect(settings).toEqual([{ value: '1' }]);
  });

  it('drops a second insert with the same token', async () => {
    await clickhouse.insert('kept', [{ n: 1 }, { n: 2 }], { token: 'once' });
    await clickhouse.insert('kept', [{ n: 1 }, { n: 2 }], { token: 'once' });
    expect(await clickhouse.query('SELECT toUInt32(count()) AS n FROM kept')).toEqual([{ n: 2 }]);
  });

  it('stops a query whose reader has disconnected', async () => {
    const reader = new AbortController();
    const query = clickhouse.query('SELECT count() FROM numbers(1000000000000) WHERE sipHash64(number) = 3', { signal: reader.signal });
    const running = async () =>
      (await clickhouse.query(`SELECT 1 FROM system.processes WHERE query LIKE '%sipHash64%' AND query NOT LIKE '%processes%'`)).length;
    while ((await running()) === 0) await delay(10);
    reader.abort();
    await expect(query).rejects.toBeInstanceOf(QueryAborted);
    while ((await running()) > 0) await delay(10);
  });

  it('throws ClickHouseAway while dead and returns with all acknowledged rows', async () => {
    const dead = embedded.pid();
    process.kill(dead ?? 0, 'SIGKILL');
    const failures: unknown[] = [];
    for (let back = false; !back;) {
      await clickhouse.query('SELECT 1').then(
        () => {
          back = failures.length > 0;
        },
        (error: unknown) => failures.push(error),
      );
      await delay(5);
    }
    expect(failures.filter((error) => !(error instanceof ClickHouseAway))).toEqual([]);
    expect(embedded.pid()).not.toBe(dead);
    expect(await clickhouse.query('SELECT toUInt32(count()) AS n FROM kept')).toEqual([{ n: 2 }]);
  });
});

it('requires CLICKHOUSE_URL where no engine exists for this machine', async () => {
  const platform = Object.getOwnPropertyDescriptor(process, 'platform');
  Object.defineProperty(process, 'platform', { value: 'win32' });
  try {
    await expect(startEmbeddedClickHouse({ dataDir: '/nowhere', memory: 2 ** 30, log: createLog('silent') })).rejects.toThrow(/CLICKHOUSE_URL/);
  } finally {
    if (platform) Object.defineProperty(process, 'platform', platform);
  }
});
