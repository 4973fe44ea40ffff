import { jest } from '@jest/globals';
import { eq } from 'drizzle-orm';
import type { ContentTable, TableField } from '../../contract/tables/schemas';
import type { Site } from '../../contract/sites/schemas';
import { auditLog } from '../../server/areas/audit/schema';
import { purgeJob, purgeTables, rebuildJob, tendPending } from '../../server/areas/tables/schema';
import { columnLimits } from '../../server/areas/tables/schema/columnSpace';
import { contentTables } from '../../server/areas/tables/core/schema';
import { startWorker } from '../../server/worker';
import { jobs } from '../../server/worker/schema';
import { jobHandlers } from '../../server/areas';
import { runSchedule } from '../support/schedules';
import { makeTestApp } from '../support/app';
import type { Person, TestApp } from '../support/app';
import { addTestTable } from '../support/tables';
import type { TestField } from '../support/tables';
import { until } from '../support/until';
import { designer, insertRows, storage } from './tablesSchemaSupport';
import type { Designing } from './tablesSchemaSupport';

jest.setTimeout(120_000);
const day = 24 * 3_600_000;
let program: TestApp;
let owner: Person;
let site: Site;
let d: Designing;

beforeAll(async () => {
  program = await makeTestApp();
  owner = await program.signUpOwner();
  site = await program.makeSite(owner);
  d = designer(owner, site.id);
});
afterAll(() => program.close());

const make = async (fields: readonly TestField[], options = {}) => (await addTestTable(owner, site.id, fields, options)).table;
const at = (table: ContentTable, rest = ''): string => `/tables/${table.id}${rest}`;
const fieldOf = (table: ContentTable, key: string): TableField => {
  const field = table.fields.find((one) => one.key === key);
  if (!field) throw new Error(`no field ${key}`);
  return field;
};
const sql = async <T extends object>(text: string, values: unknown[] = []): Promise<T[]> =>
  (await program.ctx.postgres.pool.query(text.replaceAll('$s.', `s_${site.id}.`), values)).rows as T[];
async function run(kinds: Parameters<typeof startWorker>[1]): Promise<void> {
  const worker = startWorker(program.ctx, kinds, [], { pollEvery: 20 });
  await until(async () => (await program.ctx.postgres.db.select().from(jobs)).every((job) => !['queued', 'running'].includes(job.state)));
  await worker.close();
  expect((await program.ctx.postgres.db.select().from(jobs)).filter((job) => job.state === 'failed')).toEqual([]);
}

test('adding and removing fields endlessly never exhausts the columns', async () => {
  const { columns, binned } = columnLimits;
  Object.assign(columnLimits, { columns: 45, binned: 10 });
  try {
    const table = await make(
      [
        { key: 'name', type: 'text', unique: true },
        { key: 'tags', type: 'tags', indexed: true },
      ],
      { drafts: true },
    );
    const name = fieldOf(table, 'name').id;
    await insertRows(program, site.id, table.id, [{ [name]: '甲' }]);
    const indexes = () =>
      sql(`SELECT indexname, replace(indexdef, 'x_', 't_') AS definition FROM pg_indexes WHERE schemaname = $1 AND tablename = $2 ORDER BY 1`, [
        `s_${site.id}`,
        table.id,
      ]);
    const before = await indexes();
    const notifiedTableIds: string[] = [];
    const stop = program.ctx.live.subscribe((event) => void (event.type === 'tables' && notifiedTableIds.push(event.tableId)));
    for (let i = 0; i < 60; i++) {
      const updatedTable = await d.send('POST', at(table, '/fields'), { type: i % 2 ? 'text' : 'integer', title: `临时 ${i}` });
      const last = updatedTable.fields.at(-1);
      await d.send('DELETE', at(table, `/fields/${last?.id}`));
    }
    stop();
    // Subscribers of the table receive each change.
    expect(notifiedTableIds.filter((id) => id === table.id)).toHaveLength(120);
    const [used] = await sql<{ used: number }>(`SELECT max(attnum)::int AS used FROM pg_attribute WHERE attrelid = '$s.${table.id}'::regclass`);
    expect(used?.used).toBeLessThanOrEqual(45);
    expect(await sql(`SELECT ${name} AS name FROM $s.${table.id}`)).toEqual([{ name: '甲' }]);
    expect(await indexes()).toEqual(before);
    expect((await d.get<TableField[]>(at(table, '/deleted-fields'))).length).toBeLessThanOrEqual(30);
    const { real, expected } = await storage(program, site.id);
    expect(real).toEqual(expected);
    // The rebuilt index still refuses duplicates.
    await expect(insertRows(program, site.id, table.id, [{ [name]: '甲' }])).rejects.toThrow(/u_/);
  } finally {
    Object.assign(columnLimits, { columns, binned });
  }
});

test('a table holds at most 500 fields', async () => {
  const place = await program.makeSite(owner);
  const call = designer(owner, place.id);
  const fields = Array.from({ length: 500 }, (_, i) => ({
    key: `f${i}`,
    type: i % 5 ? 'text' : 'relations',
    title: `字段 ${i}`,
    options: i % 5 ? {} : { to: 'wide' },
  }));
  const file = { format: 'sitewright-tables', version: 1, tables: [{ key: 'wide', title: '宽', locales: ['zh-Hans'], drafts: true, fields }] };
  await call.send('POST', '/schema/apply', { file });
  const wide = await call.get<ContentTable>('/tables/wide');
  expect(wide.fields.map((field) => field.key)).toEqual(fields.map((field) => field.key));
  expect((await call.refused('POST', '/tables/wide/fields', { type: 'switch', title: '多余' })).fields).toEqual({ fields: { code: 'too_long', max: 500 } });
  await call.send('DELETE', '/tables/wide/fields/f7');
  await call.send('POST', '/tables/wide/fields', { type: 'switch', title: '补上' });
  expect((await call.refused('POST', '/tables/wide/fields/f7/restore')).fields).toEqual({ fields: { code: 'too_long', max: 500 } });
  const { real, expected } = await storage(program, place.id);
  expect(real).toEqual(expected);
});

test('a job finishes pending search updates after a crash', async () => {
  const table = await make([{ key: 'name', type: 'text' }]);
  await insertRows(program, site.id, table.id, [{ [fieldOf(table, 'name').id]: '碧螺春' }]);
  await program.ctx.postgres.db
    .update(contentTables)
    .set({ pending: { search: 1 } })
    .where(eq(contentTables.id, table.id));
  await tendPending(program.ctx);
  await run([rebuildJob]);
  expect(await sql(`SELECT tsvector_to_array(q) @> '{碧螺}' AS found FROM $s.${table.id}`)).toEqual([{ found: true }]);
  expect((await program.ctx.postgres.db.select().from(contentTables).where(eq(contentTables.id, table.id)))[0]?.pending).toBeNull();
});

test('binned fields and tables are purged after 30 days', async () => {
  const people = await make([{ key: 'name', type: 'text' }]);
  let table = await make(
    [
      { key: 'name', type: 'text', localized: true },
      { key: 'old', type: 'text' },
      { key: 'links', type: 'relations', options: { to: people.id } },
    ],
    { drafts: true, locales: ['zh-Hans', 'en'] },
  );
  const name = fieldOf(table, 'name').id;
  await insertRows(program, site.id, table.id, [{ [name]: '茶', tr: JSON.stringify({ en: { [name]: 'tea' } }) }]);
  const [row] = await sql<{ id: string }>(`SELECT id FROM $s.${table.id}`);
  await d.send('PATCH', at(table, '/records'), { changes: [{ id: row?.id, values: { old: 'Formerly' } }] });
  const past = async (): Promise<string> => JSON.stringify(await sql(`SELECT patch, inverse FROM $s.h WHERE table_id = '${table.id}'`));
  await d.send('DELETE', at(table, '/fields/old'));
  await d.send('DELETE', at(table, '/fields/links'));
  table = await d.get<ContentTable>(at(table));
  table = await d.send('PATCH', at(table, '/fields/name'), { localized: false }, table.revision);
  await d.send('DELETE', at(people));
  program.pass(29 * day);
  d = designer(await program.makePerson('manager'), site.id);
  await purgeTables(program.ctx);
  await run([purgeJob]);
  expect(await d.get<TableField[]>(at(table, '/deleted-fields'))).toHaveLength(2);
  expect(await sql(`SELECT tr FROM $s.${table.id}`)).toEqual([{ tr: { en: { [name]: 'tea' } } }]);
  expect(await past()).toContain('Formerly');

  program.pass(2 * day);
  d = designer(await program.makePerson('manager'), site.id);
  await purgeTables(program.ctx);
  await run([purgeJob]);
  expect(await d.get<TableField[]>(at(table, '/deleted-fields'))).toEqual([]);
  expect((await d.refused('POST', `/tables/${people.id}/restore`)).status).toBe(404);
  expect(await sql(`SELECT tr FROM $s.${table.id}`)).toEqual([{ tr: null }]);
  expect(await past()).not.toContain('Formerly');
  expect(await sql(`SELECT 1 FROM pg_tables WHERE schemaname = $1 AND tablename = $2`, [`s_${site.id}`, people.id])).toEqual([]);
  const { real, expected } = await storage(program, site.id);
  expect(real).toEqual(expected);
  const lines = (await program.ctx.postgres.db.select().from(auditLog).orderBy(auditLog.id))
    .filter((line) => line.siteId === site.id)
    .map((line) => line.action);
  expect(new Set(lines)).toEqual(new Set(['site.created', 'table.added', 'table.changed', 'table.removed', 'table.purged']));
});

test('purging a site removes its records', async () => {
  const manager = await program.makePerson('manager');
  const place = await program.makeSite(manager, { name: '要删的站点' });
  await addTestTable(manager, place.id, [{ key: 'name', type: 'text' }]);
  await manager.send('DELETE', `/api/core/sites/${place.id}`, { confirm: '要删的站点' });
  program.pass(31 * day);
  await runSchedule(program.ctx, 'sites.purge');
  await run(jobHandlers.filter(({ kind }) => kind === 'site.purge'));
  expect(await sql(`SELECT 1 FROM pg_namespace WHERE nspname = $1`, [`s_${place.id}`])).toEqual([]);
});
