import { randomBytes } from 'node:crypto';
import { copyFile } from 'node:fs/promises';
import path from 'node:path';
import pg from 'pg';
import { root } from '../../harness';
import { freePort } from '../../../test/support/program';
import { choices, filteredBy, isIndexed, kindOf, recordOf, sortedBy } from '../data';
import type { Kind } from '../data';
import type { Shot } from '../shots';
import { installPeer } from './install';
import { loadRows } from './load';
import { runOnce, startPeer } from './process';
import type { Peer, PeerSetting } from './types';

export const payloadVersion = '3.90.2';

/** Types of Payload fields, and the columns that it creates for them. */
const types: Record<Kind, { readonly type: string; readonly column: string }> = {
  text: { type: 'text', column: 'text' },
  integer: { type: 'number', column: 'numeric' },
  number: { type: 'number', column: 'numeric' },
  date: { type: 'date', column: 'timestamptz' },
  switch: { type: 'checkbox', column: 'boolean' },
  select: { type: 'select', column: '' },
  datetime: { type: 'date', column: 'timestamptz' },
  longText: { type: 'textarea', column: 'text' },
};

/** Payload's numbers are JSON numbers, while ours are lossless decimals. */
const payloadRecord = (fields: number, n: number): Record<string, unknown> =>
  Object.fromEntries(Object.entries(recordOf(fields, n)).map(([name, value], i) => [name, kindOf(i) === 'number' ? Number(value) : value]));

/**
 * Payload with its default settings, without versions (so it stores no history) and without Next.js; requests use an API key. It has no call that creates many
 * records at once.
 */
export async function startPayload({ folder, socket, user, rows, fields }: PeerSetting): Promise<Peer> {
  const place = await installPeer(folder, `payload-${payloadVersion}`, {
    payload: payloadVersion,
    '@payloadcms/db-postgres': payloadVersion,
    graphql: '^16.8.1',
  });
  const host = path.join(place, 'host.mjs');
  await copyFile(path.join(root, 'bench', 'tables', 'peers', 'payloadHost.mjs'), host);
  const database = `payload_${randomBytes(4).toString('hex')}`;
  const administrator = new pg.Client({ host: socket, user, database: 'postgres' });
  await administrator.connect();
  await administrator.query(`CREATE DATABASE ${database}`);
  const port = await freePort();
  const apiKey = randomBytes(24).toString('hex');
  const setting = {
    host: socket,
    user,
    database,
    port,
    apiKey,
    secret: randomBytes(24).toString('hex'),
    fields: Array.from({ length: fields }, (_, i) => ({
      name: `c${i}`,
      type: types[kindOf(i)].type,
      index: isIndexed(i),
      ...(kindOf(i) === 'select' ? { options: choices.map(({ id, title }) => ({ value: id, label: title })) } : {}),
    })),
  };
  // Payload creates its tables by itself only outside production.
  await runOnce(place, [host], { NODE_ENV: 'development', PEER_SETTING: JSON.stringify({ ...setting, setUp: true }) });
  const url = `http://127.0.0.1:${port}`;
  const running = await startPeer(place, [host], { NODE_ENV: 'production', PEER_SETTING: JSON.stringify({ ...setting, setUp: false }) }, `${url}/api/access`);
  const client = new pg.Client({ host: socket, user, database });
  await client.connect();
  const columns = Array.from({ length: fields }, (_, i) => ({ name: `c${i}`, type: types[kindOf(i)].column || `"enum_items_c${i}"` }));
  await loadRows(client, 'items', columns, rows, (n) => recordOf(fields, n));
  await client.query('VACUUM ANALYZE items');
  const listed = (n: number, more: string): Shot => ({
    method: 'GET',
    path: `/api/items?limit=50&depth=0&where[c${filteredBy}][equals]=w${n % 8}&sort=-c${sortedBy}${more}`,
  });
  return {
    target: { name: 'Payload', url, headers: () => ({ authorization: `users API-Key ${apiKey}` }) },
    version: `Payload ${payloadVersion}`,
    pids: running.pids,
    shots: {
      list: (n) => listed(n, '&pagination=false'),
      listTotal: (n) => listed(n, ''),
      get: (n) => ({ method: 'GET', path: `/api/items/${1 + (n % 1000)}?depth=0` }),
      create: (n) => ({ method: 'POST', path: '/api/items?depth=0', body: JSON.stringify(payloadRecord(fields, rows + n)) }),
      bulk: null,
    },
    rowsOf: (answer) => (answer as { docs: Record<string, unknown>[] }).docs,
    stop: async () => {
      await running.stop();
      await client.end();
      await administrator.query(`DROP DATABASE ${database} WITH (FORCE)`);
      await administrator.end();
    },
  };
}
