import { mkdtemp } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import type { Site } from '../../contract/sites/schemas';
import type { ContentTable } from '../../contract/tables/schemas';
import type { TableImport } from '../../contract/tables/transfers';
import { jobHandlers } from '../../server/areas';
import { startWorker } from '../../server/worker';
import type { Worker } from '../../server/worker';
import { makeTestApp } from '../support/app';
import type { Person, TestApp } from '../support/app';
import { callsOf, personOn } from './tablesLifeSupport';
import type { Calls } from './tablesLifeSupport';
import { importsOf } from './tablesTransferSupport';
import type { Imports } from './tablesTransferSupport';

export let t: TestApp;
export let owner: Person;
export let editor: Person;
export let site: Site;
export let calls: Calls;
export let imports: Imports;
let worker: Worker | null = null;
export const work = (): void => void (worker ??= startWorker(t.ctx, jobHandlers, [], { pollEvery: 30 }));
export const rest = async (): Promise<void> => {
  await worker?.close();
  worker = null;
};
beforeAll(async () => {
  t = await makeTestApp({ config: { dataDir: await mkdtemp(path.join(os.tmpdir(), 'transfer-')) } });
  owner = await t.signUpOwner();
  site = await t.makeSite(owner, { name: '茶馆', timeZone: 'Asia/Shanghai' });
  editor = await personOn(t, site, 'editor');
  calls = callsOf(owner, site);
  imports = importsOf(t, owner, site);
});
afterAll(async () => {
  await rest();
  await t.close();
});
beforeEach(work);

let lastSerial = 0;
/** For unique names. */
export const serial = (): number => ++lastSerial;
export const teaTable = (): Promise<ContentTable> =>
  calls.table({
    title: `茶 ${serial()}`,
    fields: [
      { type: 'text', title: '品名', key: 'name' },
      { type: 'text', title: '编号', key: 'code', unique: true },
      { type: 'number', title: '价格', key: 'price', options: { min: 0 } },
      { type: 'date', title: '上市', key: 'since' },
      { type: 'select', title: '种类', key: 'kind', options: { choices: [{ id: 'green', title: '绿茶', color: 'green' }] } },
      { type: 'multiSelect', title: '标签', key: 'tags', options: { choices: [] } },
      { type: 'user', title: '负责人', key: 'person' },
    ],
  });
export const values = async (table: ContentTable, ...keys: string[]): Promise<unknown[][]> =>
  (await calls.rows(table.id)).map((row) => keys.map((key) => row.values[key]));
export const csv = (...lines: string[]): string => lines.join('\n');
export const tried = async (table: ContentTable, name: string, content: Buffer | string, plan: Parameters<Imports['start']>[1]): Promise<TableImport> => {
  const { id } = await imports.upload(table, name, content);
  await imports.start(id, plan, { dryRun: true });
  return imports.ended(id);
};
