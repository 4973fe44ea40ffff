import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import pg from 'pg';
import { freePort } from '../../../test/support/program';
import { isIndexed, kindOf, recordOf, recordsOf, sortedBy, filteredBy } from '../data';
import type { Kind } from '../data';
import { send } from '../shots';
import type { Shot } from '../shots';
import { installPeer } from './install';
import { runOnce, startPeer } from './process';
import { loadRows } from './load';
import type { Peer, PeerSetting } from './types';

export const directusVersion = '12.4.0';

/** Types of Directus fields, and the columns that it creates for them. */
const types: Record<Kind, { readonly type: string; readonly column: string }> = {
  text: { type: 'string', column: 'text' },
  integer: { type: 'integer', column: 'int' },
  number: { type: 'decimal', column: 'numeric' },
  date: { type: 'date', column: 'date' },
  switch: { type: 'boolean', column: 'boolean' },
  select: { type: 'string', column: 'text' },
  datetime: { type: 'timestamp', column: 'timestamptz' },
  longText: { type: 'text', column: 'text' },
};

/** Directus decimals have five digits before the point by default. */
const schemaOf = (i: number): object => ({
  ...(isIndexed(i) ? { is_indexed: true } : {}),
  ...(kindOf(i) === 'number' ? { numeric_precision: 20, numeric_scale: 4 } : {}),
});

type Environment = { readonly port: number } & Readonly<Record<'url' | 'socket' | 'database' | 'user' | 'token' | 'files', string>>;

const environmentOf = ({ port, url, socket, database, user, token, files }: Environment) => ({
  NODE_ENV: 'production',
  HOST: '127.0.0.1',
  PORT: String(port),
  PUBLIC_URL: url,
  DB_CLIENT: 'pg',
  DB_HOST: socket,
  DB_PORT: '5432',
  DB_DATABASE: database,
  DB_USER: user,
  DB_PASSWORD: 'none',
  KEY: randomBytes(16).toString('hex'),
  SECRET: randomBytes(32).toString('hex'),
  ADMIN_EMAIL: 'bench@example.com',
  ADMIN_PASSWORD: randomBytes(16).toString('hex'),
  ADMIN_TOKEN: token,
  TELEMETRY: 'false',
  RATE_LIMITER_ENABLED: 'false',
  PRESSURE_LIMITER_ENABLED: 'false',
  WEBSOCKETS_ENABLED: 'false',
  MAX_PAYLOAD_SIZE: '64mb',
  LOG_LEVEL: 'error',
  STORAGE_LOCATIONS: 'local',
  STORAGE_LOCAL_ROOT: path.join(files, 'uploads'),
  EXTENSIONS_PATH: path.join(files, 'extensions'),
});

/**
 * Directus with its default settings: one collection created over its API with the same fields and indexes, activity and revisions stored (as our history is),
 * and an administrator with a static token. No cache, which is the default; rate limits, load limits, telemetry and sockets are off.
 */
export async function startDirectus({ folder, socket, user, rows, fields }: PeerSetting): Promise<Peer> {
  const place = await installPeer(folder, `directus-${directusVersion}`, { directus: directusVersion });
  const files = await mkdtemp(path.join(os.tmpdir(), 'sitewright-directus-'));
  const database = `directus_${randomBytes(4).toString('hex')}`;
  const administrator = new pg.Client({ host: socket, user, database: 'postgres' });
  await administrator.connect();
  await administrator.query(`CREATE DATABASE ${database}`);
  const port = await freePort();
  const token = randomBytes(24).toString('hex');
  const url = `http://127.0.0.1:${port}`;
  const env = environmentOf({ port, url, socket, database, user, token, files });
  // Directus's `cli.js` first queries the registry for a newer version; the benchmark contacts no other machine.
  const cli = path.join('node_modules', '@directus', 'api', 'dist', 'cli', 'run.js');
  await runOnce(place, [cli, 'bootstrap'], env);
  const running = await startPeer(place, [cli, 'start'], env, `${url}/server/ping`);
  const target = { name: 'Directus', url, headers: () => ({ authorization: `Bearer ${token}` }) };
  const post = (at: string, body: object): Promise<Buffer> => send(target, { method: 'POST', path: at, body: JSON.stringify(body) });
  await post('/collections', {
    collection: 'items',
    meta: {},
    schema: {},
    fields: [
      { field: 'id', type: 'integer', meta: { hidden: true }, schema: { is_primary_key: true, has_auto_increment: true } },
      ...Array.from({ length: fields }, (_, i) => ({ field: `c${i}`, type: types[kindOf(i)].type, meta: {}, schema: schemaOf(i) })),
    ],
  });
  const client = new pg.Client({ host: socket, user, database });
  await client.connect();
  const columns = Array.from({ length: fields }, (_, i) => ({ name: `c${i}`, type: types[kindOf(i)].column }));
  await loadRows(client, 'items', columns, rows, (n) => recordOf(fields, n));
  const indexes = await client.query<{ indexdef: string }>(`SELECT indexdef FROM pg_indexes WHERE tablename = 'items'`);
  for (const i of [sortedBy, filteredBy])
    if (!indexes.rows.some(({ indexdef }) => indexdef.includes(`(c${i})`))) await client.query(`CREATE INDEX ON items (c${i})`);
  await client.query('VACUUM ANALYZE items');
  const listed = (n: number, more = ''): Shot => {
    const filter = encodeURIComponent(JSON.stringify({ [`c${filteredBy}`]: { _eq: `w${n % 8}` } }));
    return { method: 'GET', path: `/items/items?limit=50&filter=${filter}&sort=-c${sortedBy}${more}` };
  };
  return {
    target,
    version: `Directus ${directusVersion}`,
    pids: running.pids,
    shots: {
      list: (n) => listed(n),
      listTotal: (n) => listed(n, '&meta=filter_count'),
      get: (n) => ({ method: 'GET', path: `/items/items/${1 + (n % 1000)}` }),
      create: (n) => ({ method: 'POST', path: '/items/items', body: JSON.stringify(recordOf(fields, rows + n)) }),
      bulk: (n) => ({ method: 'POST', path: '/items/items', body: JSON.stringify(recordsOf(fields, n * 1000, 1000)) }),
    },
    rowsOf: (answer) => (answer as { data: Record<string, unknown>[] }).data,
    stop: async () => {
      await running.stop();
      await client.end();
      await administrator.query(`DROP DATABASE ${database} WITH (FORCE)`);
      await administrator.end();
      await rm(files, { recursive: true, force: true });
    },
  };
}
