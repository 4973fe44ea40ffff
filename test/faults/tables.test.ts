import { jest } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { Agent, request } from 'node:http';
import type { Conversion, ConversionResult } from '../../contract/tables/conversion';
import type { TableImport } from '../../contract/tables/transfers';
import type { Batch, UndoResult } from '../../contract/tables/records';
import type { ContentTable } from '../../contract/tables/schemas';
import type { Site } from '../../contract/sites/schemas';
import { callsOf } from '../integration/tablesLifeSupport';
import type { Calls } from '../integration/tablesLifeSupport';
import { columnsTo, importsOf } from '../integration/tablesTransferSupport';
import { makeTestApp } from '../support/app';
import type { Person, TestApp } from '../support/app';
import { freePort, runProgramOn, temporaryFolder } from '../support/program';
import type { RunningProgram } from '../support/program';
import { until } from '../support/until';

/**
 * The real program is killed (SIGKILL) while it changes content tables, and restarted. The test's app sends the requests, on the same
 * stores and the same data folder; it runs no jobs itself.
 */
jest.setTimeout(120_000);

const count = 4000;
const folder = temporaryFolder();
let app: TestApp;
let owner: Person;
let site: Site;
let calls: Calls;
let token: string;
let port: number;
let program: RunningProgram;

async function start(): Promise<void> {
  program = await runProgramOn(app.stores, { DATA_DIR: folder.dataDir, PORT: String(port) });
}
/** Like a power failure: nothing is cleaned up. The next run need not wait for the leases of the killed one. */
async function killAndStart(): Promise<void> {
  program.process.kill('SIGKILL');
  await program.ended;
  await app.ctx.postgres.pool.query(`UPDATE jobs SET lease_until = now() - interval '1 minute' WHERE state = 'running'`);
  await start();
}
/** Kills the program twice during a job, each time after `written` (the number of changed records) has grown; resolves when the job has ended. */
async function killedInside(jobId: string | null, written: () => Promise<number>): Promise<void> {
  const look = async (): Promise<{ readonly state: string; readonly attempts: number } | undefined> =>
    (await app.ctx.postgres.pool.query<{ state: string; attempts: number }>('SELECT state, attempts FROM jobs WHERE id = $1', [jobId])).rows[0];
  const isOpen = async (): Promise<boolean> => ['queued', 'running'].includes((await look())?.state ?? '');
  let far = 0;
  for (let kill = 0; kill < 2; kill++) {
    await until(async () => (await written()) > far || !(await isOpen()), 60_000);
    program.process.kill('SIGKILL');
    far = await written();
    // Otherwise nothing was interrupted, and the test proves nothing.
    expect(far).toBeLessThan(count);
    expect(await isOpen()).toBe(true);
    await killAndStart();
  }
  await until(async () => !(await isOpen()), 60_000);
  expect(await look()).toEqual({ state: 'done', attempts: 3 });
}
/** The number of records of a table that match an SQL condition. */
const counted = async (table: ContentTable, condition: string): Promise<number> =>
  (await app.ctx.postgres.pool.query<{ n: number }>(`SELECT count(*)::int AS n FROM s_${site.id}.${table.id} WHERE ${condition}`)).rows[0]?.n ?? 0;
const column = (table: ContentTable, key: string): string => table.fields.find((field) => field.key === key)?.id ?? '';

beforeAll(async () => {
  app = await makeTestApp({ config: { dataDir: folder.dataDir } });
  owner = await app.signUpOwner();
  site = await app.makeSite(owner);
  calls = callsOf(owner, site);
  const tokenResponse = await owner.send('POST', '/api/acc/tokens', {
    name: 'faults',
    scopes: ['tables:read', 'tables:write'],
    siteIds: null,
    days: 1,
    addresses: [],
  });
  token = tokenResponse.json<{ data: { value: string } }>().data.value;
  port = await freePort();
  await start();
});
afterAll(async () => {
  program.process.kill('SIGTERM');
  await program.ended;
  await app.close();
  folder.remove();
});

async function tableOf(title: string): Promise<ContentTable> {
  const table = await calls.table({
    title,
    fields: [
      { type: 'text', title: 'Name', key: 'name', unique: true },
      { type: 'text', title: 'Size', key: 'size' },
    ],
  });
  for (let from = 0; from < count; from += 1000)
    await calls.add(
      table.id,
      Array.from({ length: 1000 }, (_, n) => ({ name: `茶 ${from + n}`, size: String(from + n) })),
    );
  return table;
}
/** The sizes of all records by name. */
async function held(table: ContentTable): Promise<Map<unknown, unknown>> {
  const { rows } = await app.ctx.postgres.pool.query<{ n: number }>(`SELECT count(*)::int AS n FROM s_${site.id}.${table.id} WHERE deleted_at IS NULL`);
  const found = new Map<unknown, unknown>();
  for (let offset = 0; offset < (rows[0]?.n ?? 0); offset += 1000)
    for (const { values } of await calls.rows(table.id, `offset=${offset}`)) found.set(values['name'], values['size']);
  expect(found.size).toBe(rows[0]?.n);
  return found;
}
const names = (from: number, to: number, size: (n: number) => unknown): [string, unknown][] =>
  Array.from({ length: to - from }, (_, n) => [`茶 ${from + n}`, size(from + n)]);

test('in a conversion: each value is converted exactly once', async () => {
  const table = await tableOf('Converted');
  const at = `tables/${table.id}/fields/size/conversion`;
  const started = await calls.send('POST', at, { type: 'integer' }, (await calls.get<ContentTable>(`tables/${table.id}`)).revision);
  const { jobId } = started.json<{ data: Conversion }>().data;
  await killedInside(jobId, async () => (await calls.get<ConversionResult>(at)).conversion?.done ?? 0);
  expect((await calls.get<ConversionResult>(at)).conversion).toMatchObject({ state: 'done', emptied: 0, done: count });
  expect(await held(table)).toEqual(new Map(names(0, count, (n) => n)));
});

test('in an import: each row is written once and undone with it', async () => {
  const imports = importsOf(app, owner, site);
  const table = await tableOf('Imported');
  const before = await held(table);
  const lines = Array.from({ length: count }, (_, n) => `茶 ${n + 2000},新 ${n}`);
  const { id } = await imports.upload(table, 'more.csv', ['name,size', ...lines].join('\n'));
  await imports.start(id, { columns: columnsTo(['name', 'size']), key: ['name'] });
  await killedInside((await imports.get(id)).jobId, () => counted(table, `${column(table, 'size')} LIKE '新%'`));
  const done: TableImport = await imports.ended(id);
  expect(done).toMatchObject({ state: 'done', counts: { rows: count, insert: 2000, update: 2000, fail: 0 } });
  expect(await held(table)).toEqual(new Map([...names(0, 2000, String), ...names(2000, 6000, (n) => `新 ${n - 2000}`)]));
  await owner.send('POST', imports.path(`${id}/undo`), {});
  await until(async () => (await imports.get(id)).undone, 60_000);
  expect(await held(table)).toEqual(before);
});

test('in a bulk edit: each record changes once, in one change batch', async () => {
  const table = await tableOf('Changed');
  const before = await held(table);
  const { jobId } = await calls.post<{ jobId: string | null }>(`tables/${table.id}/records/bulk`, { target: { filter: null }, values: { size: '同' } });
  await killedInside(jobId, () => counted(table, `${column(table, 'size')} = '同'`));
  expect(await held(table)).toEqual(new Map(names(0, count, () => '同')));
  const [batch] = await calls.get<Batch[]>(`batches?table=${table.id}`);
  await calls.post<UndoResult>(`batches/${batch?.id}/undo`, {});
  await until(async () => (await counted(table, `${column(table, 'size')} = '同'`)) === 0, 60_000);
  expect(await held(table)).toEqual(before);
});

test('in a call creating 1 000 records: repeating it creates them once', async () => {
  const table = await calls.table({ title: 'Called', fields: [{ type: 'text', title: 'Name', key: 'name' }] });
  const records = Array.from({ length: 1000 }, (_, n) => ({ name: `茶 ${n}` }));
  const agent = new Agent({ keepAlive: false });
  /** The response status; null if there was none. */
  const make = (key: string): Promise<number | null> =>
    new Promise((resolve) => {
      const body = JSON.stringify({ records });
      const sent = request(
        {
          agent,
          port,
          method: 'POST',
          path: `/api/site/${site.id}/table/tables/${table.id}/records`,
          headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json', 'idempotency-key': key },
        },
        (answer) => {
          answer.resume();
          answer.once('end', () => resolve(answer.statusCode ?? 0));
          answer.once('error', () => resolve(null));
        },
      );
      sent.once('error', () => resolve(null));
      sent.end(body);
    });
  let expected = 0;
  // Killed later each time: before the call is read, while it writes, before it is answered.
  for (const wait of [5, 40, 80, 120]) {
    const key = randomUUID();
    const first = make(key);
    await new Promise((resolve) => setTimeout(resolve, wait));
    await killAndStart();
    const status = await first;
    expect([null, 200]).toContain(status);
    expect([expected, expected + 1000]).toContain(await counted(table, 'TRUE'));
    expect(await make(key)).toBe(200);
    expected += 1000;
    expect(await counted(table, 'TRUE')).toBe(expected);
  }
  agent.destroy();
});
