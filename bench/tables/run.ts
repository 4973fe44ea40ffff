import os from 'node:os';
import { parseArgs } from 'node:util';
import type { ContentTable } from '../../contract/tables/schemas';
import { embeddedUser } from '../../server/stores/postgres/embedded';
import { storeAddresses } from '../../test/support/stores';
import { siteId, withProgram } from '../harness';
import { openCalls } from './callers';
import { fieldsOf, filteredBy, recordOf, recordsOf, sortedBy, valueOf, word } from './data';
import { startDirectus } from './peers/directus';
import { defaultFolder } from './peers/install';
import { startPayload } from './peers/payload';
import { raced } from './peers/types';
import type { Peer, RacedShots } from './peers/types';
import { writeTables } from './results';
import type { OperationResult, RaceLine } from './results';
import { family, parentOf, send, shootMany } from './shots';
import type { Processes, Shot } from './shots';
import { copyTable, fillTable, importCsv, makeTable } from './whole';
import type { Calls } from './whole';

/**
 * `npm run bench:tables -- --rows 100000 --fields 20 [--peers] [--peers-dir folder] [--postgres folder of its initdb] [--only list] [--profile folder]`: the
 * real program over HTTP with an API token, with PostgreSQL on the same machine. With `--peers`, the same client sends the same requests to Directus and
 * Payload on the same PostgreSQL. `--only` runs the operations whose names contain the text, and writes nothing to RESULTS.md.
 */
const { values: options } = parseArgs({
  options: {
    rows: { type: 'string', default: '100000' },
    fields: { type: 'string', default: '20' },
    peers: { type: 'boolean', default: false },
    'peers-dir': { type: 'string', default: defaultFolder },
    postgres: { type: 'string' },
    only: { type: 'string' },
    profile: { type: 'string' },
  },
});
const [rows, fields] = [Number(options.rows), Number(options.fields)];
if (options.postgres !== undefined) process.env.TEST_POSTGRES_BIN = options.postgres;
const connectionCounts = [1, 8, 32] as const;
/** Maximum time for which one operation is repeated, s. */
const seconds = 4;

await withProgram(
  async (bench) => {
    const { stores, pid } = bench;
    const { rows: backend } = await stores.postgres.pool.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
    const { rows: version } = await stores.postgres.pool.query<{ server_version: string; fsync: string }>(
      `SELECT current_setting('server_version') AS server_version, current_setting('fsync') AS fsync`,
    );
    const postmaster = parentOf(backend[0]?.pid ?? 0);
    const database = (): number[] => (postmaster === 0 ? [] : family(postmaster));
    const target = await openCalls(bench);
    const processes: Processes = { server: () => family(pid), database };
    const base = `/api/site/${siteId}/table`;
    const get = (path: string): Shot => ({ method: 'GET', path: base + path });
    const post = (path: string, body: object = {}): Shot => ({ method: 'POST', path: base + path, body: JSON.stringify(body) });
    const call = async <T>(shot: Shot): Promise<T> => (JSON.parse((await send(target, shot)).toString()) as { data: T }).data;

    const table = await call<ContentTable>(post('/tables', { title: '性能', fields: fieldsOf(fields) }));
    const of = `/tables/${table.id}`;
    const started = Date.now();
    for (let n = 0; n < rows; n += 1000) await send(target, post(`${of}/records`, { records: recordsOf(fields, n, Math.min(1000, rows - n)) }));
    const loadSeconds = (Date.now() - started) / 1000;
    console.log(`${rows} × ${fields} written over the API in ${loadSeconds.toFixed(1)} s`);
    await stores.postgres.pool.query('VACUUM ANALYZE');

    const page = await call<{ rows: { id: string }[] }>(get(`${of}/records?limit=1000&fields=-`));
    const id = (n: number): string => page.rows[n % page.rows.length]?.id ?? '';
    const filter = (n: number): string => encodeURIComponent(JSON.stringify({ field: `c${filteredBy}`, op: 'eq', value: `w${n % 8}` }));
    const listed = (n: number, more = ''): Shot => get(`${of}/records?limit=50&filter=${filter(n)}&sort=-c${sortedBy}${more}`);
    let nextIndex = rows;
    const own: RacedShots = {
      list: (n) => listed(n),
      listTotal: (n) => listed(n, '&count=capped'),
      get: (n) => get(`${of}/records/${id(n)}`),
      create: () => post(`${of}/records`, { records: [recordOf(fields, nextIndex++)] }),
      bulk: (n) => post(`${of}/records`, { records: recordsOf(fields, n * 1000, 1000) }),
    };

    const isSelected = (name: string): boolean => options.only === undefined || name.includes(options.only);
    const race: RaceLine[] = [];
    const peers: string[] = [];
    if (options.peers) {
      const setting = { folder: options['peers-dir'], socket: storeAddresses().postgresSocket, user: embeddedUser, rows, fields };
      const rowsOf = (answer: unknown): readonly Readonly<Record<string, unknown>>[] =>
        (answer as { data: { rows: { values: Record<string, unknown> }[] } }).data.rows.map(({ values }) => values);
      const self = { target, version: 'Sitewright', pids: processes.server, shots: own, rowsOf };
      const expected = await sortedValues(self);
      for (const start of [null, startDirectus, startPayload]) {
        const peer: Peer = start ? await start(setting) : { ...self, stop: () => Promise.resolve() };
        try {
          if (String(await sortedValues(peer)) !== String(expected)) throw new Error(`${peer.version} answers with other records than we do`);
          peers.push(peer.version);
          race.push(...(await run(peer)));
        } finally {
          await peer.stop();
        }
      }
    }

    /** Returns the sort values of the first page, which must be the same for all programs. */
    async function sortedValues(peer: Omit<Peer, 'stop'>): Promise<number[]> {
      const answer: unknown = JSON.parse((await send(peer.target, peer.shots.list?.(3) ?? listed(3))).toString());
      const found = peer.rowsOf(answer).map((values) => Number(values[`c${sortedBy}`]));
      if (found.length !== 50) throw new Error(`${peer.version} answers with ${found.length} records instead of 50`);
      return found;
    }
    async function run(peer: Peer): Promise<RaceLine[]> {
      const all: RaceLine[] = [];
      const busy = { server: peer.pids, database };
      // Warm-up, so that the order of the programs does not affect the figures.
      for (const what of raced) {
        const shotOf = peer.shots[what];
        if (shotOf && what !== 'bulk' && isSelected(what)) await shootMany(peer.target, busy, 8, { times: 400, seconds: 2 }, shotOf);
      }
      for (const connections of connectionCounts)
        for (const what of raced) {
          const shotOf = peer.shots[what];
          if (!shotOf || !isSelected(what) || (what === 'bulk' && connections > 1)) continue;
          const bound = { times: what === 'bulk' ? 5 : 1000, seconds: what === 'bulk' ? 15 : 3 };
          const line = {
            peer: peer.version,
            what,
            connections,
            ...(await shootMany(peer.target, busy, connections, bound, shotOf)),
          };
          all.push(line);
          console.log(`${peer.version}: ${said({ ...line, name: what })}`);
        }
      return all;
    }

    const lines: OperationResult[] = [];
    async function measure(name: string, connections: number, times: number, shotOf: (n: number) => Shot): Promise<void> {
      if (!isSelected(name)) return;
      const line = { name, connections, ...(await shootMany(target, processes, connections, { times, seconds }, shotOf)) };
      lines.push(line);
      console.log(said(line));
    }
    for (const connections of connectionCounts) {
      await measure('list 50', connections, 400, () => get(`${of}/records?limit=50`));
      await measure('list 50 + capped count', connections, 400, () => get(`${of}/records?limit=50&count=capped`));
      await measure('indexed filter + sort, 50', connections, 400, (n) => listed(n));
      await measure('indexed filter + sort + capped count, 50', connections, 200, (n) => listed(n, '&count=capped'));
      await measure('search, 2 Chinese characters', connections, 400, () => get(`${of}/records?limit=50&q=${encodeURIComponent('约值')}`));
      await measure('get one', connections, 1000, own.get ?? listed);
      await measure('create one', connections, 400, own.create ?? listed);
    }

    /** Repeats long calls one after another and records the time of each, ms. */
    async function repeat(name: string, times: number, work: (n: number) => Promise<unknown>): Promise<void> {
      if (!isSelected(name)) return;
      const took: number[] = [];
      for (let n = 0; n < times; n += 1) {
        const at = performance.now();
        await work(n);
        took.push(performance.now() - at);
      }
      const perSecond = (1000 * times) / took.reduce((sum, one) => sum + one, 0);
      took.sort((a, b) => a - b);
      const line = { name, connections: 1, p50: took[times >> 1] ?? 0, p95: took[times - 1] ?? 0, perSecond, server: null, database: null };
      lines.push(line);
      console.log(said(line));
    }
    await measure('create 1 000 at once', 1, 8, own.bulk ?? listed);
    const batches: string[] = [];
    if (isSelected('undo 1 000')) for (let n = 0; n < 8; n += 1) batches.push((await call<{ batchId: string }>(own.bulk?.(n) ?? listed(n))).batchId);
    await repeat('undo 1 000', batches.length, (n) => call(post(`/batches/${batches[n] ?? ''}/undo`)));
    const cell = (i: number, n: number): string => String(valueOf(i, n)).replace(/^w(\d)$/, (_all, at: string) => word(Number(at)));
    const pasted = Array.from({ length: 10_000 }, (_, n) => ({ id: null, cells: Array.from({ length: fields }, (_cell, i) => cell(i, n)) }));
    const paste = (): Shot => post(`${of}/records/paste`, { fields: table.fields.map((field) => field.id), rows: pasted });
    await repeat('paste 10 000', 2, () => call(paste()));
    await repeat('read 10 000 in pages of 1 000', 3, async () => {
      let cursor = '';
      for (let n = 0; n < 10; n += 1)
        cursor =
          (await call<{ next: string | null }>(get(`${of}/records?limit=1000${cursor === '' ? '' : `&cursor=${encodeURIComponent(cursor)}`}`))).next ?? '';
    });

    const whole: Calls = { call, base, fields };
    const other = await makeTable(whole, '另一张');
    await repeat('import a CSV of 10 000', 2, (n) => importCsv(whole, other, n));
    if (isSelected('duplicate a table of 10 000')) {
      const original = await makeTable(whole, '原表');
      await fillTable(whole, original);
      await repeat('duplicate a table of 10 000', 2, (n) => copyTable(whole, original, `副本 ${n}`));
    }

    if (options.only === undefined)
      await writeTables({
        at: new Date().toISOString(),
        node: process.version,
        postgres: `${options.postgres === undefined ? 'embedded ' : ''}PostgreSQL ${version[0]?.server_version.split(' ', 1)[0] ?? ''}${version[0]?.fsync === 'off' ? ' (which waits for no disk)' : ''}`,
        cpus: os.cpus().length,
        load: os.loadavg()[0] ?? 0,
        rows,
        fields,
        loadSeconds,
        lines,
        peers,
        race,
      });
  },
  { nodeArgs: options.profile === undefined ? [] : ['--cpu-prof', `--cpu-prof-dir=${options.profile}`] },
);

function said({ name, connections, p50, p95, perSecond, server, database }: OperationResult): string {
  const time = server === null ? '' : `; processor ${server.toFixed(2)} + ${(database ?? 0).toFixed(2)} ms`;
  return `${name}, ${connections}: p50 ${p50.toFixed(1)} p95 ${p95.toFixed(1)} ms, ${perSecond.toFixed(1)}/s${time}`;
}
