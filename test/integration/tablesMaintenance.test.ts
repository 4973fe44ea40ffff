import { mkdtemp } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import { jest } from '@jest/globals';
import type { RecordPage } from '../../contract/tables/records';
import type { Site } from '../../contract/sites/schemas';
import type { TableFacts } from '../../contract/tables/maintenance';
import type { ContentTable } from '../../contract/tables/schemas';
import { jobHandlers } from '../../server/areas';
import { checkNightly } from '../../server/areas/tables/maintenance';
import { findRestore } from '../../server/areas/tables/maintenance/queries';
import { startWorker } from '../../server/worker';
import type { JobHandler, Worker } from '../../server/worker';
import { makeTestApp } from '../support/app';
import type { Person, TestApp } from '../support/app';
import { addTestTable } from '../support/tables';
import { until } from '../support/until';
import { personOn } from './tablesLifeSupport';
import { contentOf, data, fileOf, linesOf, maintenanceCalls, makeTeas, recordIn } from './tablesMaintenanceSupport';

jest.setTimeout(90_000);
let t: TestApp;
let owner: Person;
let site: Site;
let worker: Worker | null = null;
const work = (): void => void (worker ??= startWorker(t.ctx, jobHandlers, [], { pollEvery: 30 }));
const rest = async (): Promise<void> => {
  await worker?.close();
  worker = null;
};
beforeAll(async () => {
  t = await makeTestApp({ config: { dataDir: await mkdtemp(path.join(os.tmpdir(), 'care-')) } });
  owner = await t.signUpOwner();
  site = await t.makeSite(owner, { name: '茶馆', timeZone: 'Asia/Shanghai' });
});
afterAll(async () => {
  await rest();
  await t.close();
});
beforeEach(work);

const calls = maintenanceCalls(() => ({ t, owner, site }));
const { base, send, get, ended, facts, rows, addAll, trash, backup, restores, upload, finishedRestore, restored } = calls;
const teas = () => makeTeas(calls);

test('restoring a backup recreates the table with all its data', async () => {
  const { teas: table } = await teas();
  const before = await contentOf(calls, table.path, table.table);
  const file = await backup(table.path);
  const hashes = (lines: Record<string, unknown>[]): unknown[] => lines.slice(1, -1).map((line) => (line['values'] as Record<string, unknown>)['secret']);
  const done = await restored(file);
  expect(done).toMatchObject({
    state: 'done',
    error: null,
    report: { own: true, keyTaken: true, records: 4, binned: 1, published: 2, leftOut: [], emptied: 0 },
  });
  expect(done.report?.links).toEqual({ byId: 5, byName: 0, lost: 0, names: [] });
  const copy = await get<ContentTable>(base(`/tables/${done.tableId ?? ''}`));
  expect(copy.key).not.toBe(table.table.key);
  const of = base(`/tables/${copy.id}`);
  expect(await contentOf(calls, of, copy)).toEqual(before);
  expect(hashes(linesOf(await backup(of)))).toEqual(hashes(linesOf(file)));
  expect((recordIn(linesOf(file), 'A')['values'] as Record<string, unknown>)['secret']).toMatch(/^\$argon2id\$/);
  // The restored table works like any other: records are searchable, and record numbers continue.
  expect((await rows(of, `&q=${encodeURIComponent('龙井')}`)).length).toBe(1);
  const [fresh = ''] = await addAll(of, [{ name: '新茶' }]);
  expect((await rows(of)).find(({ id }) => id === fresh)?.n).toBe(5);
});

test('restoring elsewhere reports lost links and fields without a table', async () => {
  const { teas: table, makers, makerIds } = await teas();
  const file = await backup(table.path);
  const [maker = '', seller = ''] = makerIds;
  // One linked record is created again under its name, the other is gone.
  await trash(makers.path, makerIds);
  await send('POST', `${makers.path}/records/purge`, { ids: makerIds });
  await addAll(makers.path, [{ name: (recordIn(linesOf(file), 'A')['names'] as Record<string, string>)[maker] ?? '' }]);
  const tried = await restored(file, { dryRun: true });
  expect(tried).toMatchObject({ state: 'checked', tableId: null, report: { links: { byId: 0, byName: 3, lost: 2 } } });
  expect(tried.report?.links.names).toContain((recordIn(linesOf(file), 'A')['names'] as Record<string, string>)[seller]);
  const other = await t.makeSite(owner, { name: '别处' });
  const elsewhere = site;
  site = other;
  const there = await restored(file);
  expect(there).toMatchObject({
    state: 'done',
    report: { own: false, keyTaken: false, leftOut: ['maker', 'sellers'], links: { byId: 0, byName: 0, lost: 0 } },
  });
  expect((await rows(base(`/tables/${there.tableId ?? ''}`))).length).toBe(3);
  site = elsewhere;
});

test('restoring brings access rules back and closes those that cannot apply', async () => {
  const { teas: table, ids } = await teas();
  const viewer = await personOn(t, site, 'viewer');
  const analyst = await personOn(t, site, 'analyst');
  const { revision } = await get<{ revision: number }>(`${table.path}/rules`);
  const rules = [
    { role: 'viewer', action: 'read', allowed: false, fields: null, filter: null },
    { role: 'analyst', action: 'read', allowed: true, fields: ['name'], filter: { field: 'maker', op: 'notEmpty' } },
    { role: 'support', action: 'read', allowed: true, fields: ['name', 'maker'], filter: null },
    { role: 'editor', action: 'update', allowed: true, fields: null, filter: { field: '$createdBy', op: 'eq', value: owner.userId } },
  ];
  await data(owner.send('PUT', `${table.path}/rules`, { rules }, { 'if-match': `"${revision}"` }));
  const file = await backup(table.path);
  const { tableId, report } = await restored(file);
  // People named in a rule are reported by name, because the rule comes back closed.
  const bound = { role: 'editor', action: 'update', why: 'people', names: ['林'] };
  expect(report?.rights).toEqual([bound]);
  const of = base(`/tables/${tableId ?? ''}`);
  expect((await viewer.get(`${of}/records`)).statusCode).toBe(404);
  const visibleRows = (await data<RecordPage>(analyst.get(`${of}/records?names=key`))).rows;
  expect(visibleRows.map(({ values }) => Object.keys(values))).toEqual([['name'], ['name']]);
  expect(visibleRows.map(({ id }) => id).toSorted()).toEqual(ids.slice(0, 2).toSorted());
  const other = await t.makeSite(owner, { name: '彼处' });
  await t.grant(other.id, analyst.userId, 'analyst');
  const elsewhere = site;
  site = other;
  const there = await restored(file);
  expect(there).toMatchObject({
    state: 'done',
    report: {
      rights: [
        bound,
        { role: 'support', action: 'read', why: 'fewer', names: ['maker'] },
        { role: 'analyst', action: 'read', why: 'fields', names: ['maker'] },
      ],
    },
  });
  expect((await analyst.get(`${base(`/tables/${there.tableId ?? ''}`)}/records`)).statusCode).toBe(404);
  site = elsewhere;
});

test('a restore fails once its starter may no longer design tables', async () => {
  const simple = await addTestTable(owner, site.id, [{ key: 'name', type: 'text' }], { title: '半途' });
  for (let at = 0; at < 2; at++)
    await addAll(
      simple.path,
      Array.from({ length: 1000 }, (_, n) => ({ name: `茶 ${at} ${n}` })),
    );
  const file = await backup(simple.path);
  const leaving = await personOn(t, site, 'admin');
  const count = (await get<ContentTable[]>(base('/tables'))).length;
  const { id } = await upload(file);
  await rest();
  await data(leaving.send('POST', restores(`/${id}/start`), { dryRun: false }));
  let left = false;
  const handlers = jobHandlers.map((handler): JobHandler => ({
    ...handler,
    run: (job, ctx) =>
      handler.run(
        {
          ...job,
          progress: async (done, total) => {
            if (!left && done === 500 && total === 2000) {
              left = true;
              await t.ctx.postgres.pool.query(`UPDATE site_grants SET role = 'editor' WHERE user_id = $1`, [leaving.userId]);
            }
            await job.progress(done, total);
          },
        },
        ctx,
      ),
  }));
  worker = startWorker(t.ctx, handlers, [], { pollEvery: 30 });
  expect(await finishedRestore(id)).toMatchObject({ state: 'failed', tableId: null });
  expect([left, (await get<ContentTable[]>(base('/tables'))).length]).toEqual([true, count]);
});

test('an invalid backup file is refused with a clear message', async () => {
  const { teas: table } = await teas();
  const file = await backup(table.path);
  const lines = linesOf(file);
  const [header = {}] = lines;
  const one = recordIn(lines, 'A');
  const values = one['values'] as Record<string, unknown>;
  const count = (await get<ContentTable[]>(base('/tables'))).length;
  const said = async (bad: Buffer): Promise<string> => {
    const { state, error } = await restored(bad);
    expect(state).toBe('failed');
    return error ?? '';
  };
  expect(await said(Buffer.from('name,price\na,1\n'))).toBe('这不是内容表的备份文件。');
  expect(await said(file.subarray(0, file.length - 40))).toBe('备份文件不完整，请重新下载或上传。');
  expect(await said(fileOf(lines.slice(0, -1)))).toBe('备份文件不完整，请重新下载或上传。');
  expect(await said(fileOf([{ ...header, version: 3 }, ...lines.slice(1)]))).toBe('备份由更新的版本生成，请先升级再还原。');
  expect(await said(fileOf([header, { ...one, values: { ...values, name: 'x'.repeat(10 * 2 ** 20) } }, { end: true, records: 1 }]))).toBe(
    '第 2 行超过 8 MB，无法读取。',
  );
  expect(await said(gzipSync(Buffer.alloc(64 * 2 ** 20)))).toBe('第 1 行超过 8 MB，无法读取。');
  expect(await said(fileOf([header, { ...one, id: 'nothing' }, { end: true, records: 1 }]))).toBe('第 2 行不是一条记录。');
  expect(
    await said(
      fileOf([
        { ...header, table: { key: 'x' } },
        { end: true, records: 0 },
      ]),
    ),
  ).toBe('备份里的表结构无效。');
  // Two records with one unique value: the new table goes into the bin.
  expect(await said(fileOf([header, one, { ...one, id: '00000000-0000-7000-8000-000000000001' }, { end: true, records: 2 }]))).not.toBe('');
  expect((await get<ContentTable[]>(base('/tables'))).length).toBe(count);
  // Hostile values in a valid file are sanitized or dropped.
  const evil = {
    ...one,
    values: { name: 7, story: '<p onclick="x()">好<script>x()</script></p>', secret: 'in the clear', price: 'lots', place: { lat: 999, lng: 0 } },
    tr: {},
  };
  const done = await restored(fileOf([header, evil, { end: true, records: 1 }]));
  expect(done).toMatchObject({ state: 'done', report: { emptied: 4 } });
  const [row] = linesOf(await backup(base(`/tables/${done.tableId ?? ''}`))).slice(1, -1);
  expect(row?.['values']).toEqual({ story: '<p>好</p>' });
});

test('an interrupted restore continues, a cancelled one bins its table', async () => {
  const simple = await addTestTable(owner, site.id, [{ key: 'name', type: 'text' }], { title: '很多' });
  for (let at = 0; at < 3; at++)
    await addAll(
      simple.path,
      Array.from({ length: 1000 }, (_, n) => ({ name: `茶 ${at} ${n}` })),
    );
  const file = await backup(simple.path);
  await rest();
  const { id } = await upload(file);
  await send('POST', restores(`/${id}/start`), { dryRun: false });
  work();
  await until(async () => {
    const found = await t.ctx.postgres.pool.query<{ position: number }>('SELECT position FROM content_restores WHERE id = $1', [id]);
    return (found.rows[0]?.position ?? 0) > 0;
  });
  await rest();
  work();
  const done = await finishedRestore(id);
  expect(done.state).toBe('done');
  expect((await get<{ total: number }>(`${base(`/tables/${done.tableId ?? ''}`)}/records?limit=1&count=exact`)).total).toBe(3000);
  const again = await upload(file);
  await rest();
  await send('POST', restores(`/${again.id}/start`), { dryRun: false });
  await send('POST', restores(`/${again.id}/cancel`));
  work();
  expect((await finishedRestore(again.id)).state).toBe('cancelled');
  expect((await owner.send('POST', restores(`/${again.id}/cancel`), {})).json<{ code: string }>().code).toBe('bad_transition');
});

test('a restore restarted without the bin holds exactly the live records', async () => {
  const simple = await addTestTable(owner, site.id, [{ key: 'name', type: 'text' }], { title: '先后' });
  const binned = await addAll(
    simple.path,
    Array.from({ length: 1000 }, (_, n) => ({ name: `旧 ${n}` })),
  );
  await trash(simple.path, binned);
  await addAll(
    simple.path,
    Array.from({ length: 1000 }, (_, n) => ({ name: `新 ${n}` })),
  );
  const { id } = await upload(await backup(simple.path));
  await send('POST', restores(`/${id}/start`), { dryRun: false });
  await until(async () => ((await findRestore(t.ctx.postgres.db, site.id, id))?.row.position ?? 0) > 0);
  await rest();
  // Written to the database: cancelling through the API would clean up.
  await t.ctx.postgres.pool.query(`UPDATE jobs SET state = 'failed' WHERE id = (SELECT job_id FROM content_restores WHERE id = $1)`, [id]);
  work();
  await send('POST', restores(`/${id}/start`), { dryRun: false, trash: false });
  const { tableId, state } = await finishedRestore(id);
  expect(state).toBe('done');
  const of = base(`/tables/${tableId ?? ''}`);
  expect([(await rows(of)).length, (await rows(of, '&trash=true')).length]).toEqual([1000, 0]);
});

test('maintenance reports size, growth and bin, and logs each cleanup', async () => {
  const { teas: table } = await teas();
  const tableFacts = await facts(table);
  expect(tableFacts).toMatchObject({ rows: 3, binned: 1, exact: true, check: null, compacted: null });
  expect(tableFacts.dataBytes > 0 && tableFacts.indexBytes > 0 && tableFacts.historyBytes > 0).toBe(true);
  expect(tableFacts.growth.map(({ created, removed }) => [created, removed])).toEqual([[4, 1]]);
  expect(tableFacts.lastWriteAt).not.toBeNull();
  // Restored, copied and imported records count as created; records binned again count as removed again.
  const grown = async (id: string) => {
    const { growth } = (await get<TableFacts[]>(base('/facts'))).find((one) => one.tableId === id) ?? { growth: [] };
    return growth.map(({ created, removed }) => [created, removed]);
  };
  const [binned = ''] = (await rows(table.path, '&trash=true')).map(({ id }) => id);
  const { batchId } = await send<{ batchId: string }>('POST', `${table.path}/records/restore`, { ids: [binned] });
  expect(await grown(table.table.id)).toEqual([[5, 1]]);
  await send('POST', base(`/batches/${batchId}/undo`));
  expect(await grown(table.table.id)).toEqual([[5, 2]]);
  const copy = await send<ContentTable>('POST', `${table.path}/duplicate`, { title: '抄本', records: true });
  await until(async () => (await rows(base(`/tables/${copy.id}`))).length === 3);
  expect(await grown(copy.id)).toEqual([[3, 0]]);
  const { tableId } = await restored(await backup(table.path));
  expect(await grown(tableId ?? '')).toEqual([[3, 0]]);
  expect((await get<{ tableId: string }[]>(base('/batches'))).map((one) => one.tableId)).not.toContain(copy.id);
  const { jobId } = await send<{ jobId: string }>('POST', `${table.path}/compact`);
  expect((await ended(jobId)).state).toBe('done');
  expect((await facts(table)).compacted?.bytesAfter).toBeGreaterThan(0);
  await t.ctx.postgres.pool.query(`UPDATE s_${site.id}.${table.table.id} SET q = NULL`);
  expect((await rows(table.path, `&q=${encodeURIComponent('龙井')}`)).length).toBe(0);
  const search = await send<{ jobId: string }>('POST', `${table.path}/search-index`);
  expect((await ended(search.jobId)).state).toBe('done');
  expect((await rows(table.path, `&q=${encodeURIComponent('龙井')}`)).length).toBe(1);
  const { rows: lines } = await t.ctx.postgres.pool.query<{ after: { act: string } }>(
    `SELECT after FROM audit_log WHERE action = 'table.maintained' AND target_id = $1 ORDER BY at`,
    [table.table.id],
  );
  expect(lines.map(({ after }) => after.act)).toEqual(['compact', 'search']);
});

test('each finding of a check is a filter for the affected records', async () => {
  const { teas: table, makers, makerIds, ids } = await teas();
  const [maker = ''] = makerIds;
  const { pool } = t.ctx.postgres;
  const column = (key: string): string => table.f[key] ?? '';
  const name = `s_${site.id}.${table.table.id}`;
  await pool.query(`UPDATE ${name} SET ${column('kind')} = 'gone', ${column('name')} = NULL, updated_at = now() - interval '40 days' WHERE id = $1`, [ids[2]]);
  await trash(makers.path, [maker]);
  // Written to the database, because binning a record clears relations to it.
  await pool.query(`UPDATE ${name} SET ${column('maker')} = $2 WHERE id = $1`, [ids[2], maker]);
  const { jobId } = await send<{ jobId: string }>('POST', base('/checks'), { table: table.table.id });
  expect((await ended(jobId)).state).toBe('done');
  const { check } = await facts(table);
  const found = new Map((check?.findings ?? []).map((one) => [`${one.kind} ${Object.entries(table.f).find(([, id]) => id === one.fieldId)?.[0] ?? ''}`, one]));
  expect(
    [...found]
      .filter(([, one]) => one.filter !== null)
      .map(([key, { count }]) => `${key}: ${count}`)
      .sort(),
  ).toEqual(
    ['brokenLink maker: 1', 'brokenLink sellers: 2', 'requiredEmpty name: 1', 'staleDrafts : 1', 'unknownChoice kind: 1', 'untranslated name: 1'].sort(),
  );
  for (const { filter, count } of found.values())
    if (filter) expect((await rows(table.path, `&filter=${encodeURIComponent(JSON.stringify(filter))}`)).length).toBe(count);
  // Nothing was written since, so the nightly check skips this site.
  await t.ctx.postgres.pool.query('UPDATE content_care SET at = now()');
  await checkNightly(t.ctx);
});

test('emptying the bin is one job, limited to deletable records', async () => {
  const { teas: table, ids } = await teas();
  await trash(table.path, ids.slice(0, 3));
  const { jobId } = await send<{ jobId: string }>('POST', `${table.path}/empty-bin`);
  expect((await ended(jobId)).state).toBe('done');
  expect((await rows(table.path, '&trash=true')).length).toBe(0);
  const viewer = await personOn(t, site, 'viewer');
  expect((await viewer.send('POST', `${table.path}/empty-bin`, {})).statusCode).toBe(403);
  expect((await viewer.get(`${table.path}/backup`)).statusCode).toBe(403);
});
