import { randomBytes } from 'node:crypto';
import os from 'node:os';
import { parseArgs } from 'node:util';
import type { ContentTable } from '../../contract/tables';
import { users } from '../../server/areas/account/schema';
import { hashToken } from '../../server/areas/session';
import { apiTokens } from '../../server/areas/tokens/schema';
import { siteId, root, withProgram } from '../harness';
import { writeSection } from './results';
import type { Line } from './results';

/**
 * `npm run bench:tables -- --rows 100000 --fields 20`: the real program over HTTP with an API token, its PostgreSQL on the same machine.
 * Each operation is repeated at 1, 8 and 32 connections after a warm-up; p50, p95 and requests a second are of answers with 200 alone,
 * any other answer ends the run.
 */
const { values: options } = parseArgs({ options: { rows: { type: 'string', default: '100000' }, fields: { type: 'string', default: '20' } } });
const [rows, fieldCount] = [Number(options.rows), Number(options.fields)];

const words = [
  '龙井',
  '碧螺春',
  '铁观音',
  '普洱',
  '大红袍',
  '白毫银针',
  '祁门红茶',
  '茉莉花茶',
  '六安瓜片',
  '君山银针',
  '约值',
  '礼盒',
  '新茶',
  '特级',
  '手工',
  '春茶',
];
const kinds = ['text', 'integer', 'number', 'date', 'switch', 'select', 'datetime', 'text', 'integer', 'longText'] as const;
const word = (n: number): string => words[n % words.length] ?? '';

const fieldsOf = (count: number) =>
  Array.from({ length: count }, (_, i) => {
    const type = kinds[i % kinds.length] ?? 'text';
    return {
      key: `c${i}`,
      title: `字段 ${i}`,
      type,
      indexed: i === 1 || i === 5,
      ...(type === 'select' ? { options: { choices: words.slice(0, 8).map((title, at) => ({ id: `w${at}`, title })) } } : {}),
    };
  });

function valueOf(i: number, n: number): unknown {
  const seed = (n * 7919 + i * 104_729) % 1_000_003;
  switch (kinds[i % kinds.length]) {
    case 'integer':
      return seed;
    case 'number':
      return `${seed}.5`;
    case 'date':
      return `2026-${String(1 + (seed % 12)).padStart(2, '0')}-${String(1 + (seed % 28)).padStart(2, '0')}`;
    case 'switch':
      return seed % 2 === 0;
    case 'select':
      return `w${seed % 8}`;
    case 'datetime':
      return new Date(1_700_000_000_000 + seed * 1000).toISOString();
    default:
      return `${word(seed)}${word(seed >> 4)} ${seed} ${word(seed >> 7)}`;
  }
}
const recordOf = (n: number): Record<string, unknown> => Object.fromEntries(Array.from({ length: fieldCount }, (_, i) => [`c${i}`, valueOf(i, n)]));

await withProgram(async ({ url, stores }) => {
  // A token may do 600 calls a minute: with many, its limit is not what is measured.
  const tokens = Array.from({ length: 300 }, () => `sck_${randomBytes(32).toString('base64url')}`);
  const [owner] = await stores.postgres.db
    .insert(users)
    .values({ loginName: 'bench', displayName: 'Bench', passwordHash: '-', role: 'owner', createdAt: new Date() })
    .returning({ id: users.id });
  await stores.postgres.db.insert(apiTokens).values(
    tokens.map((value) => ({
      tokenHash: hashToken(value),
      ending: value.slice(-4),
      userId: owner?.id ?? '',
      name: 'bench',
      scopes: ['tables:read' as const, 'tables:write' as const, 'tables:design' as const],
      addresses: [],
      createdAt: new Date(),
      expiresAt: new Date(Date.now() + 86_400_000),
    })),
  );

  let calls = 0;
  /** Every call comes from an address of its own: the limit of one address is not what is measured. */
  async function call<T>(method: string, path: string, body?: object, headers: Record<string, string> = {}): Promise<T> {
    calls += 1;
    const answer = await fetch(`${url}/api/site/${siteId}/table${path}`, {
      method,
      headers: {
        authorization: `Bearer ${tokens[calls % tokens.length] ?? ''}`,
        accept: 'application/json',
        'x-forwarded-for': `10.${(calls >> 16) & 255}.${(calls >> 8) & 255}.${calls & 255}`,
        ...(body ? { 'content-type': 'application/json' } : {}),
        ...headers,
      },
      ...(body ? { body: JSON.stringify(body) } : {}),
    });
    const text = await answer.text();
    if (answer.status >= 300) throw new Error(`${method} ${path}: ${answer.status} ${text.slice(0, 300)}`);
    return (text === '' ? null : (JSON.parse(text) as { data: T }).data) as T;
  }

  const table = await call<ContentTable>('POST', '/tables', { title: '性能', fields: fieldsOf(fieldCount) });
  const of = `/tables/${table.id}`;
  const started = Date.now();
  for (let n = 0; n < rows; n += 1000)
    await call('POST', `${of}/records`, { records: Array.from({ length: Math.min(1000, rows - n) }, (_, i) => recordOf(n + i)) });
  const loadSeconds = (Date.now() - started) / 1000;
  console.log(`${rows} × ${fieldCount} written over the API in ${loadSeconds.toFixed(1)} s`);
  await stores.postgres.pool.query('ANALYZE');

  const lines: Line[] = [];
  async function measure(name: string, connections: number, times: number, work: (n: number) => Promise<unknown>): Promise<void> {
    for (let n = 0; n < 3; n += 1) await work(n);
    const took: number[] = [];
    let next = 3;
    const begun = performance.now();
    await Promise.all(
      Array.from({ length: connections }, async () => {
        while (next < times + 3) {
          const n = next++;
          const at = performance.now();
          await work(n);
          took.push(performance.now() - at);
        }
      }),
    );
    const seconds = (performance.now() - begun) / 1000;
    took.sort((a, b) => a - b);
    const at = (share: number): number => took[Math.min(took.length - 1, Math.floor(took.length * share))] ?? 0;
    const line = { name, connections, p50: at(0.5), p95: at(0.95), perSecond: times / seconds };
    lines.push(line);
    console.log(`${name}, ${connections}: p50 ${line.p50.toFixed(1)} p95 ${line.p95.toFixed(1)} ms, ${line.perSecond.toFixed(0)}/s`);
  }

  const page = await call<{ rows: { id: string }[] }>('GET', `${of}/records?limit=1000&fields=-`);
  const id = (n: number): string => page.rows[n % page.rows.length]?.id ?? '';
  const filter = (n: number): string => encodeURIComponent(JSON.stringify({ field: 'c5', op: 'eq', value: `w${n % 8}` }));
  for (const connections of [1, 8, 32]) {
    await measure('list 50', connections, 300, () => call('GET', `${of}/records?limit=50`));
    await measure('list 50 + capped count', connections, 200, () => call('GET', `${of}/records?limit=50&count=capped`));
    await measure('indexed filter + sort, 50', connections, 200, (n) => call('GET', `${of}/records?limit=50&filter=${filter(n)}&sort=-c1`));
    await measure('indexed filter + sort + capped count, 50', connections, 100, (n) =>
      call('GET', `${of}/records?limit=50&filter=${filter(n)}&sort=-c1&count=capped`),
    );
    await measure('search, 2 Chinese characters', connections, 100, () => call('GET', `${of}/records?limit=50&q=${encodeURIComponent('约值')}`));
    await measure('get one', connections, 300, (n) => call('GET', `${of}/records/${id(n)}`));
    await measure('create one', connections, 200, (n) => call('POST', `${of}/records`, { records: [recordOf(rows + n)] }));
  }
  await measure('create 1 000 at once', 1, 8, (n) =>
    call('POST', `${of}/records`, { records: Array.from({ length: 1000 }, (_, i) => recordOf(n * 1000 + i)) }),
  );
  const batches: string[] = [];
  for (let n = 0; n < 11; n += 1) {
    const made = await call<{ batchId: string }>('POST', `${of}/records`, { records: Array.from({ length: 1000 }, (_, i) => recordOf(n * 1000 + i)) });
    batches.push(made.batchId);
  }
  await measure('undo 1 000', 1, 8, (n) => call('POST', `/batches/${batches[n] ?? ''}/undo`));
  const pasted = Array.from({ length: 10_000 }, (_, n) => ({
    id: null,
    cells: Array.from({ length: fieldCount }, (_cell, i) => String(valueOf(i, n)).replace(/^w(\d)$/, (_all, at: string) => word(Number(at)))),
  }));
  await measure('paste 10 000', 1, 2, () => call('POST', `${of}/records/paste`, { fields: table.fields.map((field) => field.id), rows: pasted }));
  await measure('read 10 000 in pages of 1 000', 1, 3, async () => {
    let cursor = '';
    for (let n = 0; n < 10; n += 1) {
      const { next } = await call<{ next: string | null }>('GET', `${of}/records?limit=1000${cursor === '' ? '' : `&cursor=${encodeURIComponent(cursor)}`}`);
      cursor = next ?? '';
    }
  });
  await writeSection(root, {
    at: new Date().toISOString(),
    node: process.version,
    cpus: os.cpus().length,
    load: os.loadavg()[0] ?? 0,
    rows,
    fields: fieldCount,
    loadSeconds,
    lines,
  });
});
