import { mkdtemp } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { jest } from '@jest/globals';
import { and, eq } from 'drizzle-orm';
import type { SiteRole } from '../../contract/permissions';
import type { ConversionResult } from '../../contract/tables/conversion';
import { transferLimits } from '../../contract/tables/transfers';
import type { ContentTable } from '../../contract/tables/schemas';
import type { WrittenOrJob } from '../../contract/tables/records';
import type { Site } from '../../contract/sites/schemas';
import { jobHandlers } from '../../server/areas';
import { siteGrants } from '../../server/areas/sites/schema';
import { startWorker } from '../../server/worker';
import type { JobHandler, Worker } from '../../server/worker';
import { ask, callsOf, personOn } from '../integration/tablesLifeSupport';
import type { Calls } from '../integration/tablesLifeSupport';
import { columnsTo, importsOf } from '../integration/tablesTransferSupport';
import type { Imports } from '../integration/tablesTransferSupport';
import { makeTestApp } from '../support/app';
import type { Person, TestApp } from '../support/app';
import { until } from '../support/until';

/** Jobs whose starter loses rights meanwhile, and jobs that run on the same table. */

jest.setTimeout(60_000);
let program: TestApp;
let owner: Person;
let site: Site;
let calls: Calls;
let imports: Imports;
let worker: Worker | null = null;
beforeAll(async () => {
  program = await makeTestApp({ config: { dataDir: await mkdtemp(path.join(os.tmpdir(), 'jobs-')) } });
  owner = await program.signUpOwner();
  site = await program.makeSite(owner, { name: '茶馆' });
  calls = callsOf(owner, site);
  imports = importsOf(program, owner, site);
});
afterEach(async () => {
  await worker?.close();
  worker = null;
});
afterAll(() => program.close());

/** A worker; `what` happens once, when the progress of a job exceeds `after` (and its total is `of`, if given). */
function work(meanwhile?: { readonly after: number; readonly of?: number; readonly what: () => Promise<unknown> }): void {
  let happened = false;
  const handlers = jobHandlers.map((handler): JobHandler => ({
    ...handler,
    run: (job, ctx) =>
      handler.run(
        {
          ...job,
          progress: async (done, total) => {
            if (meanwhile && !happened && done > meanwhile.after && (meanwhile.of ?? total) === total) {
              happened = true;
              await meanwhile.what();
            }
            await job.progress(done, total);
          },
        },
        ctx,
      ),
  }));
  worker = startWorker(program.ctx, handlers, [], { pollEvery: 30, concurrency: 1 });
}
const demote = (person: Person, role: SiteRole): Promise<unknown> =>
  program.ctx.postgres.db
    .update(siteGrants)
    .set({ role })
    .where(and(eq(siteGrants.siteId, site.id), eq(siteGrants.userId, person.userId)));
const remove = (person: Person): Promise<unknown> => program.ctx.postgres.db.delete(siteGrants).where(eq(siteGrants.userId, person.userId));
const jobOf = async (id: string | null): Promise<{ state: string; error: string | null }> =>
  (await ask<{ state: string; error: string | null }>(program, site, 'select state, error from jobs where id = $1', [id]))[0] ?? { state: 'none', error: null };
const over = async (id: string | null): Promise<{ state: string; error: string | null }> => {
  await until(async () => ['done', 'failed', 'cancelled'].includes((await jobOf(id)).state), 30_000);
  return jobOf(id);
};
const fieldOf = (table: ContentTable, key: string): string => table.fields.find((one) => one.key === key)?.id ?? '';
let tableCount = 0;
async function teas(count: number): Promise<ContentTable> {
  const table = await calls.table({
    title: `茶 ${++tableCount}`,
    fields: [
      { type: 'text', title: '品名', key: 'name' },
      { type: 'text', title: '编号', key: 'code' },
      { type: 'text', title: '价格', key: 'cost' },
    ],
  });
  for (let from = 0; from < count; from += 1000)
    await calls.add(
      table.id,
      Array.from({ length: Math.min(1000, count - from) }, (_, i) => ({ name: `T${from + i}`, code: `C${from + i}`, cost: String(from + i) })),
    );
  return table;
}
const counted = async (table: ContentTable, condition: string): Promise<number> =>
  (await ask<{ n: number }>(program, site, `select count(*)::int as n from $site.${table.id} where ${condition}`))[0]?.n ?? -1;
const fresh = (table: ContentTable): Promise<ContentTable> => calls.get<ContentTable>(`tables/${table.id}`);

test.each(['lowered', 'removed'])('a conversion fails without changes when its starter’s role is %s', async (how) => {
  const table = await teas(900);
  const leaving = await personOn(program, site, 'admin');
  const url = `tables/${table.id}/fields/cost/conversion`;
  const started = await calls.send('POST', url, { type: 'integer' }, table.revision, leaving);
  const { jobId } = started.json<{ data: { jobId: string } }>().data;
  work({ after: 0, what: () => (how === 'lowered' ? demote(leaving, 'editor') : remove(leaving)) });
  expect(await over(jobId)).toEqual({ state: 'failed', error: 'forbidden' });
  expect((await calls.get<ConversionResult>(url)).conversion).toMatchObject({ state: 'failed' });
  expect((await fresh(table)).fields.find(({ key }) => key === 'cost')).toMatchObject({ type: 'text' });
  expect(await counted(table, `${fieldOf(table, 'cost')} is not null`)).toBe(900);
  // Somebody with the right can still convert the field.
  const again = await calls.send('POST', url, { type: 'integer' }, (await fresh(table)).revision);
  expect((await over(again.json<{ data: { jobId: string } }>().data.jobId)).state).toBe('done');
  expect((await fresh(table)).fields.find(({ key }) => key === 'cost')).toMatchObject({ type: 'integer' });
});

test('a lowered role stops an index build and a bulk edit', async () => {
  const table = await teas(1600);
  const leaving = await personOn(program, site, 'admin');
  const toggled = await calls.send('PUT', `tables/${table.id}/fields/code/indexes`, { unique: true }, undefined, leaving);
  const { jobId: indexing } = toggled.json<{ data: { jobId: string } }>().data;
  await demote(leaving, 'editor');
  const { jobId } = await calls.post<WrittenOrJob>(`tables/${table.id}/records/bulk`, { target: { filter: null }, values: { name: 'bulk' } }, leaving);
  work({ after: 400, what: () => demote(leaving, 'viewer') });
  expect(await over(indexing)).toEqual({ state: 'failed', error: 'forbidden' });
  expect((await fresh(table)).fields.find(({ key }) => key === 'code')).toMatchObject({ unique: false });
  expect(await over(jobId)).toEqual({ state: 'failed', error: 'forbidden' });
  expect(await counted(table, `${fieldOf(table, 'name')} = 'bulk'`)).toBe(500);
  const [batch] = await ask<{ id: string }>(program, site, `select id from content_batches where table_id = $1 and door = 'bulk'`, [table.id]);
  await calls.post(`batches/${batch?.id}/undo`, {});
  expect(await counted(table, `${fieldOf(table, 'name')} = 'bulk'`)).toBe(0);
});

test('lost design rights stop the removal of a choice', async () => {
  const choices = ['green', 'black'].map((id) => ({ id, title: id }));
  const table = await calls.table({
    title: `茶 ${++tableCount}`,
    fields: [
      { type: 'text', title: '品名', key: 'name' },
      { type: 'select', title: '种类', key: 'kind', options: { choices } },
    ],
  });
  for (const from of [0, 1000])
    await calls.add(
      table.id,
      Array.from({ length: 1000 }, (_, i) => ({ name: `T${from + i}`, kind: 'green' })),
    );
  const leaving = await personOn(program, site, 'admin');
  const { jobId } = await calls.post<{ jobId: string }>(`tables/${table.id}/fields/kind/choices/green/remove`, { to: 'black' }, leaving);
  work({ after: 400, what: () => demote(leaving, 'editor') });
  expect(await over(jobId)).toEqual({ state: 'failed', error: 'forbidden' });
  expect(await counted(table, `${fieldOf(table, 'kind')} = 'black'`)).toBe(500);
  expect((await fresh(table)).fields.find(({ key }) => key === 'kind')?.options.choices?.map(({ id }) => id)).toEqual(['green', 'black']);
});

const rowsOf = (count: number): string => ['品名,编号,价格', ...Array.from({ length: count }, (_, i) => `N${i},C${i},${i}`)].join('\n');
const plan = { columns: columnsTo(['name', 'code', 'cost']), key: ['code'] };

test('a lowered role stops an import, which an administrator can undo', async () => {
  const table = await teas(0);
  const leaving = await personOn(program, site, 'editor');
  const { id } = await imports.upload(table, 'a.csv', rowsOf(2500), leaving);
  await imports.start(id, plan, {}, leaving);
  work({ after: 3000, of: 5000, what: () => demote(leaving, 'viewer') });
  const ended = await imports.ended(id);
  expect(ended).toMatchObject({ state: 'failed', error: expect.stringContaining('没有权限') });
  expect(await counted(table, 'deleted_at is null')).toBe(1000);
  await owner.send('POST', `${imports.path(id)}/undo`, {});
  expect(await counted(table, 'deleted_at is null')).toBe(0);
});

test.each(['a binned table', 'a missing field'])('%s pauses an import', async (how) => {
  const table = await teas(0);
  const { id } = await imports.upload(table, 'a.csv', rowsOf(2500));
  await imports.start(id, plan);
  const away = async (): Promise<unknown> =>
    how === 'a binned table'
      ? calls.send('DELETE', `tables/${table.id}`, undefined, (await fresh(table)).revision)
      : calls.send('DELETE', `tables/${table.id}/fields/cost`, undefined, (await fresh(table)).revision);
  work({ after: 3000, of: 5000, what: away });
  const stopped = await imports.ended(id);
  expect([stopped.state, stopped.error === null, stopped.error === '']).toEqual(['failed', false, false]);
  expect(stopped.counts).toMatchObject({ insert: 1000 });
  const back = how === 'a binned table' ? `tables/${table.id}/restore` : `tables/${table.id}/fields/${fieldOf(table, 'cost')}/restore`;
  expect((await calls.send('POST', back, {})).statusCode).toBeLessThan(300);
  await imports.start(id, plan);
  expect(await imports.ended(id)).toMatchObject({ state: 'done', counts: { rows: 2500, insert: 2500 } });
  expect(await counted(table, 'deleted_at is null')).toBe(2500);
});

test('converting a field during an import keeps every value', async () => {
  const table = await teas(0);
  const { id } = await imports.upload(table, 'a.csv', rowsOf(2500));
  await imports.start(id, plan);
  let converting: string | null = null;
  work({
    after: 3000,
    of: 5000,
    what: async () => {
      const answer = await calls.send('POST', `tables/${table.id}/fields/cost/conversion`, { type: 'integer' }, (await fresh(table)).revision);
      converting = answer.json<{ data: { jobId: string } }>().data.jobId;
    },
  });
  const first = await imports.ended(id);
  // A job that read the definition before the swap is refused at the end, and resumes from its position.
  if (first.state === 'failed') await imports.start(id, plan);
  expect(await imports.ended(id)).toMatchObject({ state: 'done' });
  await until(() => converting !== null);
  expect((await over(converting)).state).toBe('done');
  expect(await counted(table, `${fieldOf(await fresh(table), 'cost')}::text = substr(${fieldOf(table, 'code')}, 2)`)).toBe(2500);
});

test('two simultaneous imports with the same key create each record once', async () => {
  const table = await teas(0);
  const second = await personOn(program, site, 'editor');
  const [a, b] = await Promise.all([imports.upload(table, 'a.csv', rowsOf(1200)), imports.upload(table, 'b.csv', rowsOf(1200), second)]);
  await Promise.all([imports.start(a.id, plan), imports.start(b.id, plan, {}, second)]);
  worker = startWorker(program.ctx, jobHandlers, [], { pollEvery: 30, concurrency: 2 });
  const counts = [(await imports.ended(a.id)).counts, (await imports.ended(b.id)).counts];
  expect(counts.map((one) => [one?.insert, one?.skip]).toSorted((x, y) => (x[0] ?? 0) - (y[0] ?? 0))).toEqual([
    [0, 1200],
    [1200, 0],
  ]);
  expect(await counted(table, 'deleted_at is null')).toBe(1200);
});

test('the limit of open imports applies per person', async () => {
  const table = await teas(0);
  const [greedy, second] = [await personOn(program, site, 'editor'), await personOn(program, site, 'editor')];
  const begin = (by: Person) => by.send('POST', imports.path(), { table: table.id, name: 'a.csv', size: 3 });
  for (let n = 0; n < transferLimits.own; n++) expect((await begin(greedy)).statusCode).toBe(200);
  const refused = await begin(greedy);
  expect(refused.statusCode).toBe(422);
  expect(refused.json<{ fields: object }>().fields).toMatchObject({ file: { message: '未完成的导入最多 20 个，请先完成或删除一些。' } });
  expect((await begin(second)).statusCode).toBe(200);
});
