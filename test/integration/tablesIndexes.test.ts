import { jest } from '@jest/globals';
import type { PoolClient } from 'pg';
import type { Job } from '../../contract/jobs/schemas';
import type { Site } from '../../contract/sites/schemas';
import type { Duplicates, TableAdvice } from '../../contract/tables/indexes';
import type { ContentTable, SchemaChange } from '../../contract/tables/schemas';
import { indexJob, tendIndexes } from '../../server/areas/tables/schema';
import { startWorker } from '../../server/worker';
import type { Worker } from '../../server/worker';
import { makeTestApp } from '../support/app';
import type { Person, TestApp } from '../support/app';
import { until } from '../support/until';
import { ask, callsOf, personOn } from './tablesLifeSupport';
import type { Calls, Failed } from './tablesLifeSupport';

jest.setTimeout(60_000);
let program: TestApp;
let owner: Person;
let site: Site;
let calls: Calls;
let worker: Worker;
let teas: ContentTable;

beforeAll(async () => {
  program = await makeTestApp();
  owner = await program.signUpOwner();
  site = await program.makeSite(owner);
  calls = callsOf(owner, site);
  worker = startWorker(program.ctx, [indexJob], [], { pollEvery: 100 });
});
afterAll(async () => {
  await worker.close();
  await program.close();
});
beforeEach(async () => {
  teas = await calls.table({
    title: '茶',
    drafts: true,
    fields: [
      { type: 'text', title: 'Name', key: 'name' },
      { type: 'text', title: 'Code', key: 'code' },
      { type: 'number', title: 'Cost', key: 'cost' },
      { type: 'tags', title: 'Tags', key: 'tags' },
      { type: 'text', title: 'Born', key: 'born', unique: true, indexed: true },
      { type: 'tags', title: 'Kinds', key: 'kinds', indexed: true },
    ],
  });
});

type Answer = { readonly jobId: string | null; readonly table: ContentTable };
const at = (rest: string): string => `tables/${teas.id}/${rest}`;
const field = (key: string, table = teas) => table.fields.find((one) => one.key === key) ?? fail(`no field ${key}`);
const fail = (message: string): never => {
  throw new Error(message);
};
const toggle = async (key: string, want: object, by = owner): Promise<Answer> => {
  const answer = await calls.send('PUT', at(`fields/${key}/indexes`), want, undefined, by);
  return answer.statusCode === 200 ? answer.json<{ data: Answer }>().data : fail(answer.body);
};
const jobOf = async (id: string | null): Promise<Job> => {
  const { data } = (await owner.get('/api/core/jobs')).json<{ data: Job[] }>();
  return data.find((job) => job.id === id) ?? fail('no job');
};
const ended = async (id: string | null): Promise<Job> => {
  await until(async () => !['queued', 'running'].includes((await jobOf(id)).state));
  return jobOf(id);
};
const now = () => calls.get<ContentTable>(`tables/${teas.id}`);
const history = () => calls.get<SchemaChange[]>(at('history'));
/** Indexes of a field by their name prefix, as PostgreSQL describes them, without the id of the field. */
const indexesOf = async (key: string): Promise<Record<string, string>> => {
  const id = field(key).id.slice(2);
  const rows = await ask<{ name: string; text: string }>(
    program,
    site,
    `SELECT c.relname AS name, pg_get_indexdef(i.indexrelid) || CASE WHEN i.indisvalid THEN '' ELSE ' broken' END || ' ' ||
       coalesce((SELECT string_agg(o.collname, ',') FROM pg_collation o WHERE o.oid = ANY(i.indcollation)), '') AS text
     FROM pg_index i JOIN pg_class c ON c.oid = i.indexrelid WHERE c.relname ~ $1`,
    [`^(i|u|pi)_${id}$`],
  );
  return Object.fromEntries(rows.map(({ name, text }) => [name.split('_')[0], text.replaceAll(id, '*')]));
};
/** An uncommitted write of another connection, which a build waits for. */
async function unfinished(values: Record<string, string>): Promise<PoolClient> {
  const client = await program.ctx.postgres.pool.connect();
  await client.query('BEGIN');
  const columns = Object.keys(values);
  await client.query(
    `INSERT INTO s_${site.id}.${teas.id} (id, n, ord, created_at, updated_at, ${columns.join()}) VALUES (gen_random_uuid(), 999, 999, now(), now(), ${columns.map((_, i) => `$${i + 1}`).join()})`,
    Object.values(values),
  );
  return client;
}
const building = async (): Promise<boolean> => (await ask(program, site, 'SELECT 1 FROM pg_stat_progress_create_index')).length > 0;

test('an index added later equals an original one, and can be removed', async () => {
  await calls.add(teas.id, [{ code: 'A', cost: '1' }, { code: '茶' }]);
  const { jobId, table } = await toggle('code', { unique: true, indexed: true });
  expect(field('code', table)).toMatchObject({ unique: false, indexed: false });
  expect(await ended(jobId)).toMatchObject({ kind: 'tables.index', state: 'done', label: '茶 · Code', done: 100, total: 100 });
  expect(field('code', await now())).toMatchObject({ unique: true, indexed: true });
  expect(await indexesOf('code')).toEqual(await indexesOf('born'));
  expect(Object.keys(await indexesOf('code')).sort()).toEqual(['i', 'pi', 'u']);
  await ended((await toggle('tags', { indexed: true })).jobId);
  expect(await indexesOf('tags')).toEqual(await indexesOf('kinds'));
  expect((await indexesOf('tags'))['i']).toContain('gin');

  expect((await toggle('code', { unique: true, indexed: true })).jobId).toBeNull();
  const off = await toggle('code', { unique: false });
  expect(off.jobId).toBeNull();
  expect(field('code', off.table)).toMatchObject({ unique: false, indexed: true });
  expect(Object.keys(await indexesOf('code')).sort()).toEqual(['i', 'pi']);
  expect((await history()).filter((change) => change.op === 'field_changed').map(({ before, after }) => ({ before, after }))).toEqual([
    { before: { unique: true }, after: { unique: false } },
    { before: { indexed: false }, after: { indexed: true } },
    { before: { unique: false, indexed: false }, after: { unique: true, indexed: true } },
  ]);
  const audited = await ask<{ after: object }>(program, site, `SELECT after FROM audit_log WHERE action = 'table.changed' AND target_id = $1`, [teas.id]);
  expect(audited).toHaveLength(3);
});

test('a change of indexes can be reverted from the history', async () => {
  await ended((await toggle('code', { unique: true })).jobId);
  const last = async () => (await history())[0] ?? fail('no change');
  const on = await last();
  expect(on).toMatchObject({ revertible: true, after: { unique: true } });
  await calls.post(at(`history/${on.id}/revert`), {});
  expect(await indexesOf('code')).toEqual({});
  const off = await last();
  expect(off).toMatchObject({ after: { unique: false }, revertible: true });
  expect((await history()).find((change) => change.id === on.id)).toMatchObject({ reverted: true });

  const two = await calls.add(teas.id, [{ code: 'A' }, { code: 'A' }]);
  expect(await calls.refused('POST', at(`history/${off.id}/revert`))).toBe('conflict');
  await calls.send('PATCH', at(`records/${two[0]}`), { values: { code: 'B' } }, 1);
  await calls.post(at(`history/${off.id}/revert`), {});
  await until(async () => field('code', await now()).unique);
  await until(async () => (await history()).find((change) => change.id === off.id)?.reverted === true);
  // Published records have the unique index too.
  expect(new Set(Object.keys(await indexesOf('code')))).toEqual(new Set(['u', 'pi']));
});

test('concurrent equal requests share one job, the opposite one gets a conflict', async () => {
  const colleague = await program.makePerson('member');
  await program.grant(site.id, colleague.userId, 'admin');
  const writer = await unfinished({ [field('name').id]: 'x' });
  try {
    const [a, b] = await Promise.all([toggle('code', { unique: true }), toggle('code', { unique: true }, colleague)]);
    expect(a.jobId).not.toBeNull();
    expect(b.jobId).toBe(a.jobId);
    const opposite = await calls.send('PUT', at('fields/code/indexes'), { unique: false });
    expect(opposite.json<Failed>()).toMatchObject({ code: 'conflict', current: { values: null, jobId: a.jobId } });
    expect((await calls.get<TableAdvice>(at('advice'))).building).toEqual([{ fieldId: field('code').id, jobId: a.jobId }]);
    await writer.query('COMMIT');
    expect((await ended(a.jobId)).state).toBe('done');
  } finally {
    await writer.query('ROLLBACK');
    writer.release();
  }
  expect((await history()).filter((change) => change.op === 'field_changed')).toHaveLength(1);
});

test('duplicate values are listed with their records and prevent uniqueness', async () => {
  const ids = await calls.add(teas.id, [
    { name: '龙井', code: 'A', cost: '1.50' },
    { name: '乌龙', code: 'A', cost: '1.5' },
    { name: '普洱', code: 'A' },
    { name: '白茶', code: '茶' },
    { name: '红茶', code: '茶' },
    { name: '绿茶' },
    { name: '花茶' },
    { name: '旧茶', code: 'B' },
    { name: '新茶', code: 'B' },
  ]);
  await calls.post(at('records/trash'), { target: { ids: [ids[8]] } });
  const found = await calls.get<Duplicates>(at('fields/code/duplicates'));
  expect(found).toEqual({
    total: 2,
    records: 5,
    values: [
      { value: 'A', count: 3, records: ['龙井', '乌龙', '普洱'].map((label, i) => ({ id: ids[i], label })) },
      { value: '茶', count: 2, records: ['白茶', '红茶'].map((label, i) => ({ id: ids[i + 3], label })) },
    ],
    labels: { records: {}, people: {} },
  });
  expect(await calls.get<Duplicates>(at('fields/code/duplicates?limit=1'))).toMatchObject({ total: 2, values: [{ value: 'A' }] });
  expect((await calls.get<Duplicates>(at('fields/cost/duplicates'))).values).toMatchObject([{ count: 2, records: [{ label: '龙井' }, { label: '乌龙' }] }]);
  const refused = await calls.send('PUT', at('fields/code/indexes'), { unique: true });
  expect(refused.json<Failed>()).toMatchObject({ code: 'conflict', fields: { unique: { code: 'duplicate' } }, current: { values: 2, jobId: null } });
  // A plain index does not require unique values.
  expect((await ended((await toggle('code', { indexed: true })).jobId)).state).toBe('done');

  await calls.send('PATCH', at(`records/${ids[1]}`), { values: { code: 'A2' } }, 1);
  await calls.send('PATCH', at(`records/${ids[2]}`), { values: { code: 'A3' } }, 1);
  await calls.send('PATCH', at(`records/${ids[4]}`), { values: { code: '叶' } }, 1);
  expect(await calls.get<Duplicates>(at('fields/code/duplicates'))).toMatchObject({ total: 0, records: 0, values: [] });
  expect((await ended((await toggle('code', { unique: true })).jobId)).state).toBe('done');
  const response = await calls.send('POST', at('records'), { records: [{ code: 'new' }, { code: 'A2' }] });
  expect(response.json<Failed>()).toMatchObject({ code: 'invalid_fields', fields: { 'records.1.code': { code: 'taken' } } });
  expect(await calls.rows(teas.id)).toHaveLength(8);
});

test('a duplicate written during the build fails the job and leaves nothing', async () => {
  await calls.add(teas.id, [{ code: 'A' }]);
  const writer = await unfinished({ [field('code').id]: 'A' });
  try {
    const { jobId } = await toggle('code', { unique: true, indexed: true });
    await until(building);
    await writer.query('COMMIT');
    expect(await ended(jobId)).toMatchObject({ state: 'failed', error: '存在重复的值，请先处理重复项。' });
  } finally {
    await writer.query('ROLLBACK');
    writer.release();
  }
  expect(await indexesOf('code')).toEqual({});
  expect(field('code', await now())).toMatchObject({ unique: false, indexed: false });
  expect((await history()).filter((change) => change.op === 'field_changed')).toEqual([]);
  await calls.add(teas.id, [{ code: 'A' }]);
});

test('cancelling a waiting build leaves nothing behind', async () => {
  const writer = await unfinished({ [field('code').id]: 'A' });
  const { jobId } = await toggle('code', { unique: true });
  await until(building);
  expect((await owner.send('POST', `/api/core/jobs/${jobId}/cancel`)).statusCode).toBe(200);
  await until(async () => !(await building()));
  await writer.query('ROLLBACK');
  writer.release();
  expect((await ended(jobId)).state).toBe('cancelled');
  expect(await indexesOf('code')).toEqual({});
  expect(field('code', await now()).unique).toBe(false);
});

test('maintenance removes only the remains of a killed build', async () => {
  const { id } = field('code');
  await calls.add(teas.id, [{ code: 'A' }, { code: 'A' }]);
  const name = `s_${site.id}.${teas.id}`;
  await expect(ask(program, site, `CREATE UNIQUE INDEX CONCURRENTLY u_${id.slice(2)} ON ${name} (${id}) WHERE deleted_at IS NULL`)).rejects.toThrow();
  expect((await indexesOf('code'))['u']).toContain('broken');
  await calls.send('DELETE', at('fields/kinds'));
  const others = [await indexesOf('born'), await indexesOf('kinds')];
  // While another process holds the build lock, the index is left alone.
  const held = await program.ctx.postgres.pool.connect();
  await held.query('SELECT pg_advisory_lock(hashtextextended($1, 0))', [`content index ${teas.id}`]);
  await tendIndexes(program.ctx);
  expect(Object.keys(await indexesOf('code'))).toEqual(['u']);
  await held.query('SELECT pg_advisory_unlock_all()');
  held.release();
  await tendIndexes(program.ctx);
  expect(await indexesOf('code')).toEqual({});
  expect([await indexesOf('born'), await indexesOf('kinds')]).toEqual(others);
});

test('a restarted build replaces broken indexes and keeps complete ones', async () => {
  const { id } = field('code');
  const name = `s_${site.id}.${teas.id}`;
  const two = await calls.add(teas.id, [{ code: 'A' }, { code: 'A' }]);
  await expect(ask(program, site, `CREATE UNIQUE INDEX CONCURRENTLY u_${id.slice(2)} ON ${name} (${id}) WHERE deleted_at IS NULL`)).rejects.toThrow();
  await calls.send('PATCH', at(`records/${two[0]}`), { values: { code: 'B' } }, 1);
  await ask(program, site, `CREATE INDEX i_${id.slice(2)} ON ${name} (${id}) WHERE deleted_at IS NULL`);
  expect((await ended((await toggle('code', { unique: true, indexed: true })).jobId)).state).toBe('done');
  expect(await indexesOf('code')).toEqual(await indexesOf('born'));
});

test('switching drafts on during a build indexes published records too', async () => {
  teas = await calls.table({
    title: '水',
    drafts: false,
    fields: [
      { type: 'text', title: 'Name', key: 'name' },
      { type: 'text', title: 'Code', key: 'code' },
    ],
  });
  const { jobId } = await toggle('code', { indexed: true });
  // A build that finishes first has changed the definition: the request is refused and repeated, as the console does.
  const switchOn = (revision: number) => calls.send('PATCH', `tables/${teas.id}`, { drafts: true }, revision);
  const first = await switchOn(teas.revision);
  if (first.statusCode === 409) expect((await switchOn(first.json<{ current: { revision: number } }>().current.revision)).statusCode).toBe(200);
  else expect(first.statusCode).toBe(200);
  expect((await ended(jobId)).state).toBe('done');
  expect(Object.keys(await indexesOf('code')).sort()).toEqual(['i', 'pi']);
});

test('indexes are limited by field type and by number per table', async () => {
  const unfit = await calls.send('PUT', at('fields/tags/indexes'), { unique: true });
  expect(unfit.json<Failed>()).toMatchObject({ code: 'invalid_fields', fields: { unique: { code: 'wrong_type' } } });
  expect((await calls.send('PUT', at('fields/code/indexes'), { unique: 'yes', other: 1 })).statusCode).toBe(422);
  expect(await calls.refused('PUT', at('fields/nothing/indexes'), { unique: true })).toBe('not_found');
  expect((await owner.get(calls.path(at('fields/tags/duplicates')))).statusCode).toBe(422);
  teas = await calls.table({
    title: '多',
    fields: [
      { type: 'text', title: 'Last', key: 'last' },
      ...Array.from({ length: 23 }, (_, i) => ({ type: 'integer' as const, title: `F${i}`, key: `f${i}`, indexed: true })),
    ],
  });
  const beyond = await calls.send('PUT', at('fields/last/indexes'), { unique: true, indexed: true });
  expect(beyond.json<Failed>()).toMatchObject({ code: 'invalid_fields', fields: { unique: { code: 'too_long', max: 24 } } });
  expect((await ended((await toggle('last', { unique: true })).jobId)).state).toBe('done');
  expect(await calls.refused('PUT', at('fields/last/indexes'), { indexed: true })).toBe('invalid_fields');
});

test('indexes are closed to other sites and to people without design rights', async () => {
  const other = callsOf(owner, await program.makeSite(owner));
  const viewer = await personOn(program, site, 'viewer');
  const paths = ['fields/code/duplicates', 'advice'].map(at);
  for (const path of paths) {
    expect((await owner.get(other.path(path))).statusCode).toBe(404);
    expect((await viewer.get(calls.path(path))).statusCode).toBe(403);
  }
  expect(await other.refused('PUT', at('fields/code/indexes'), { unique: true })).toBe('not_found');
  expect(await calls.refused('PUT', at('fields/code/indexes'), { unique: true }, undefined, viewer)).toBe('forbidden');
});

test('the advisor suggests fields of slow queries and lists unused indexes', async () => {
  const [cost, code] = [field('cost').id, field('code').id];
  await calls.rows(teas.id, `sort=cost`);
  await ask(
    program,
    site,
    `INSERT INTO content_costs (table_id, shape, site_id, count, total_ms, worst_ms, last_at) VALUES ($1, $2, $4, 10, 5000, 900, now()), ($1, $3, $4, 5, 50, 20, now())`,
    [teas.id, `filter:${field('born').id}|sort:$createdAt,${cost}`, `filter:${code}|sort:`, site.id],
  );
  const advice = () => calls.get<TableAdvice>(at('advice'));
  const before = await advice();
  expect(before).toMatchObject({ used: 3, most: 24, building: [], suggested: [{ fieldId: cost, count: 10, totalMs: 5000 }] });
  expect(before.tableBytes).toBeGreaterThan(0);
  expect(before.indexBytes).toBeGreaterThan(0);
  expect(before.shapes.find((shape) => shape.slow)).toMatchObject({
    filter: [field('born').id],
    sort: ['$createdAt', cost],
    count: 10,
    meanMs: 500,
    worstMs: 900,
    helps: [
      { fieldId: field('born').id, exists: true },
      { fieldId: cost, exists: false },
    ],
  });
  // The query just made is counted too.
  expect(before.shapes.some((shape) => shape.filter.length === 0 && shape.sort.join() === cost)).toBe(true);
  await ended((await toggle('cost', { indexed: true })).jobId);
  const after = await advice();
  expect(after).toMatchObject({ used: 4, suggested: [] });
  expect(after.indexes.find((index) => index.fieldId === cost)).toMatchObject({ kind: 'indexed', unused: false });
  await ask(program, site, `UPDATE content_changes SET at = at - interval '8 days' WHERE table_id = $1`, [teas.id]);
  const later = await advice();
  expect(later.indexes.filter((index) => index.unused).map((index) => index.fieldId)).toContain(cost);
  expect(later.indexes.find((index) => index.kind === 'unique')).toMatchObject({ unused: false });
});
