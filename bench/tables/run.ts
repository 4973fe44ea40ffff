import os from 'node:os';
import { parseArgs } from 'node:util';
import type { ContentTable } from '../../contract/tables/schemas';
import { embeddedUser } from '../../server/stores/postgres/embedded';
import { storeAddresses } from '../../test/support/stores';
import { siteId, withProgram } from '../harness';
import { openCalls } from './callers';
import { connectionCounts, createMeasurements } from './measure';
import { fieldsOf, filteredBy, recordOf, recordsOf, sortedBy, valueOf, word } from './data';
import { defaultFolder } from './peers/install';
import type { RacedShots } from './peers/types';
import { raceAll } from './race';
import { writeTables } from './results';
import type { RaceLine } from './results';
import { family, parentOf, send } from './shots';
import type { Processes, Shot } from './shots';
import { measureWholeTables } from './whole';

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
    const call = async <T>(shot: Shot): Promise<T> => (JSON.parse((await send(target, shot)).toString() || '{"data":null}') as { data: T }).data;

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
    let next = rows;
    const own: RacedShots = {
      list: (n) => listed(n),
      listTotal: (n) => listed(n, '&count=capped'),
      get: (n) => get(`${of}/records/${id(n)}`),
      create: () => post(`${of}/records`, { records: [recordOf(fields, next++)] }),
      bulk: (n) => post(`${of}/records`, { records: recordsOf(fields, n * 1000, 1000) }),
    };

    const isIncluded = (name: string): boolean => options.only === undefined || name.includes(options.only);
    const race: RaceLine[] = [];
    const peers: string[] = [];
    if (options.peers) {
      const setting = { folder: options['peers-dir'], socket: storeAddresses().postgresSocket, user: embeddedUser, rows, fields };
      const rowsOf = (answer: unknown): readonly Readonly<Record<string, unknown>>[] =>
        (answer as { data: { rows: { values: Record<string, unknown> }[] } }).data.rows.map(({ values }) => values);
      const self = { target, version: 'Sitewright', pids: processes.server, shots: own, rowsOf };
      const result = await raceAll({ setting, self, fallback: () => listed(3), isIncluded, database });
      peers.push(...result.peers);
      race.push(...result.race);
    }

    const { lines, measure, repeat } = createMeasurements(target, processes, isIncluded);
    for (const connections of connectionCounts) {
      await measure('list 50', connections, 400, () => get(`${of}/records?limit=50`));
      await measure('list 50 + capped count', connections, 400, () => get(`${of}/records?limit=50&count=capped`));
      await measure('indexed filter + sort, 50', connections, 400, (n) => listed(n));
      await measure('indexed filter + sort + capped count, 50', connections, 200, (n) => listed(n, '&count=capped'));
      await measure('search, 2 Chinese characters', connections, 400, () => get(`${of}/records?limit=50&q=${encodeURIComponent('约值')}`));
      await measure('get one', connections, 1000, own.get ?? listed);
      await measure('create one', connections, 400, own.create ?? listed);
    }

    await measure('create 1 000 at once', 1, 8, own.bulk ?? listed);
    const batches: string[] = [];
    if (isIncluded('undo 1 000')) for (let n = 0; n < 8; n += 1) batches.push((await call<{ batchId: string }>(own.bulk?.(n) ?? listed(n))).batchId);
    await repeat('undo 1 000', batches.length, (n) => call(post(`/batches/${batches[n] ?? ''}/undo`)));
    const pasted = pastedRows();
    const paste = (): Shot => post(`${of}/records/paste`, { fields: table.fields.map((field) => field.id), rows: pasted });
    await repeat('paste 10 000', 2, () => call(paste()));
    await repeat('read 10 000 in pages of 1 000', 3, () => readPages((cursor) => call(get(`${of}/records?limit=1000${cursor}`))));
    await measureWholeTables({ call, base, fields }, repeat, isIncluded);

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

/** Ten pages, one after the other. */
async function readPages(read: (cursor: string) => Promise<{ readonly next: string | null }>): Promise<void> {
  let cursor = '';
  for (let n = 0; n < 10; n += 1) cursor = (await read(cursor === '' ? '' : `&cursor=${encodeURIComponent(cursor)}`)).next ?? '';
}

function pastedRows(): { readonly id: null; readonly cells: string[] }[] {
  const cell = (i: number, n: number): string => String(valueOf(i, n)).replace(/^w(\d)$/, (_all, at: string) => word(Number(at)));
  return Array.from({ length: 10_000 }, (_, n) => ({ id: null, cells: Array.from({ length: fields }, (_cell, i) => cell(i, n)) }));
}
