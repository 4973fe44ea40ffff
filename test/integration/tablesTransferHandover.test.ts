import { mkdtemp } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { jest } from '@jest/globals';
import type { Site } from '../../contract/sites/schemas';
import type { ContentTable } from '../../contract/tables/schemas';
import type { TableImport } from '../../contract/tables/transfers';
import { jobHandlers } from '../../server/areas';
import { startWorker } from '../../server/worker';
import type { Worker } from '../../server/worker';
import { makeTestApp } from '../support/app';
import type { Person, TestApp } from '../support/app';
import { ask, callsOf } from './tablesLifeSupport';
import type { Calls } from './tablesLifeSupport';
import { columnsTo, importsOf } from './tablesTransferSupport';
import type { Imports } from './tablesTransferSupport';
import { verifyPassword } from '../../server/kit/passwords';

jest.setTimeout(120_000);
let program: TestApp;
let owner: Person;
let site: Site;
let calls: Calls;
let imports: Imports;
let worker: Worker;
beforeAll(async () => {
  program = await makeTestApp({ config: { dataDir: await mkdtemp(path.join(os.tmpdir(), 'handover-')) } });
  owner = await program.signUpOwner();
  site = await program.makeSite(owner, { name: '茶馆' });
  calls = callsOf(owner, site);
  imports = importsOf(program, owner, site);
  worker = startWorker(program.ctx, jobHandlers, [], { pollEvery: 30 });
});
afterAll(async () => {
  await worker.close();
  await program.close();
});

const fieldOf = (table: ContentTable, key: string): string => table.fields.find((one) => one.key === key)?.id ?? '';
/** Records 0… by `no`, each with its own code. */
async function numbered(count: number): Promise<ContentTable> {
  const table = await calls.table({
    title: `号 ${count}`,
    fields: [
      { type: 'text', title: '号', key: 'no' },
      { type: 'text', title: '编码', key: 'code', unique: true },
    ],
  });
  for (let from = 0; from < count; from += 1000)
    await calls.add(
      table.id,
      Array.from({ length: Math.min(1000, count - from) }, (_, i) => ({ no: `N${from + i}`, code: `C${from + i}` })),
    );
  return table;
}
const codes = async (table: ContentTable): Promise<Map<string, string>> =>
  new Map(
    (
      await ask<{ no: string; code: string }>(
        program,
        site,
        `select ${fieldOf(table, 'no')} as no, ${fieldOf(table, 'code')} as code from $site.${table.id} where deleted_at is null`,
      )
    ).map(({ no, code }) => [no, code]),
  );
const fileOf = (count: number, codeOf: (at: number) => string): string =>
  ['号,编码', ...Array.from({ length: count }, (_, i) => `N${i},${codeOf(i)}`)].join('\n');
const plan = { columns: columnsTo(['no', 'code']), key: ['no'] };

test('unique values that rotate across the whole file are imported and undone', async () => {
  const count = 3000;
  const table = await numbered(count);
  const before = await codes(table);
  const next = (at: number): string => `C${(at + 1) % count}`;
  const { id } = await imports.upload(table, 'round.csv', fileOf(count, next));
  await imports.start(id, plan, { dryRun: true });
  expect(await imports.ended(id)).toMatchObject({ state: 'checked', counts: { rows: count, update: count, fail: 0 } });
  await imports.start(id, plan);
  expect(await imports.ended(id)).toMatchObject({ state: 'done', counts: { update: count, fail: 0 }, error: null });
  expect(await codes(table)).toEqual(new Map(Array.from({ length: count }, (_, i) => [`N${i}`, next(i)])));
  await owner.send('POST', `${imports.path(id)}/undo`);
  expect(await imports.ended(id)).toMatchObject({ undone: true, undoSkipped: 0 });
  expect(await codes(table)).toEqual(before);
});

test('rows too far apart to swap values are refused with lines', async () => {
  const count = 11_500;
  const table = await numbered(count);
  const swapped = (at: number): string => (at === 0 ? `C${count - 1}` : at === count - 1 ? 'C0' : `C${at}`);
  const { id } = await imports.upload(table, 'far.csv', fileOf(count, swapped));
  await imports.start(id, plan, { dryRun: true });
  expect((await imports.ended(id)).counts).toEqual({ rows: count, insert: 0, update: 0, skip: count - 2, fail: 2 });
  const { rows } = await imports.rows(id, 'outcome=fail');
  expect(rows.map(({ line, errors }) => [line, errors[0]?.code, errors[0]?.text.includes(`第 ${line === 2 ? count + 1 : 2} 行`)])).toEqual([
    [2, 'taken', true],
    [count + 1, 'taken', true],
  ]);
});

test('imported passwords are stored as separate hashes', async () => {
  const table = await calls.table({
    title: '锁',
    fields: [
      { type: 'text', title: '名', key: 'name' },
      { type: 'password', title: '密码', key: 'lock' },
    ],
  });
  const content = '名,密码\na,two lumps of sugar\nb,two lumps of sugar\nc,\n';
  const done: TableImport = await imports.run(table, 'locks.csv', content, ['name', 'lock']);
  expect(done).toMatchObject({ state: 'done', counts: { insert: 3, fail: 0 } });
  const storedRows = await ask<{ lock: string | null }>(program, site, `select ${fieldOf(table, 'lock')} as lock from $site.${table.id} order by n`);
  expect(new Set(storedRows.map(({ lock }) => lock)).size).toBe(3);
  expect(storedRows[2]?.lock).toBeNull();
  for (const { lock } of storedRows.slice(0, 2)) expect(await verifyPassword(lock ?? '', 'two lumps of sugar')).toBe(true);
});
