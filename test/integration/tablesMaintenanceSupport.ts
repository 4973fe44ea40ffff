import { gunzipSync, gzipSync } from 'node:zlib';
import type { LightMyRequestResponse } from 'fastify';
import type { Job } from '../../contract/jobs/schemas';
import type { ContentRecord, RecordPage } from '../../contract/tables/records';
import type { Site } from '../../contract/sites/schemas';
import type { TableFacts, TableRestore } from '../../contract/tables/maintenance';
import type { ContentTable } from '../../contract/tables/schemas';
import { findRestore } from '../../server/areas/tables/maintenance/queries';
import { findJob } from '../../server/worker/queries';
import type { Person, TestApp } from '../support/app';
import { sendChunk } from '../support/sendChunk';
import { addTestTable } from '../support/tables';
import type { MadeTable } from '../support/tables';
import { until } from '../support/until';

/** The data of a response; throws on a failure. */
export async function data<T>(answer: Promise<LightMyRequestResponse>): Promise<T> {
  const got = await answer;
  if (got.statusCode >= 300) throw new Error(`${got.statusCode} ${got.body}`);
  return got.json<{ data: T }>().data;
}

export const linesOf = (file: Buffer): Record<string, unknown>[] =>
  gunzipSync(file)
    .toString('utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Record<string, unknown>);
/** The line of the record with this code: ids of records created together have no fixed order. */
export const recordIn = (lines: readonly Record<string, unknown>[], code: string): Record<string, unknown> =>
  lines.find((line) => (line['values'] as Record<string, unknown> | undefined)?.['code'] === code) ?? {};
export const fileOf = (lines: readonly unknown[]): Buffer => gzipSync(`${lines.map((line) => JSON.stringify(line)).join('\n')}\n`);

/** Calls on the tables of the current site and their maintenance. `of`: the path of a table. */
export function maintenanceCalls(current: () => { readonly t: TestApp; readonly owner: Person; readonly site: Site }) {
  const base = (rest_ = ''): string => `/api/site/${current().site.id}/table${rest_}`;
  const send = <T>(method: 'POST' | 'PATCH' | 'DELETE', address: string, body: object = {}): Promise<T> => data<T>(current().owner.send(method, address, body));
  const get = <T>(address: string): Promise<T> => data<T>(current().owner.get(address));
  const ended = async (jobId: string): Promise<Pick<Job, 'state' | 'error'>> => {
    await until(async () => ['done', 'failed', 'cancelled'].includes((await findJob(current().t.ctx.postgres.db, jobId))?.state ?? ''), 30_000);
    const job = await findJob(current().t.ctx.postgres.db, jobId);
    return { state: job?.state ?? 'failed', error: job?.error ?? null };
  };
  const facts = async (table: MadeTable): Promise<TableFacts> => {
    const found = (await get<TableFacts[]>(base('/facts'))).find((one) => one.tableId === table.table.id);
    if (!found) throw new Error('no facts');
    return found;
  };
  const rows = async (of: string, query = ''): Promise<ContentRecord[]> => (await get<RecordPage>(`${of}/records?limit=1000${query}`)).rows;
  const addAll = async (of: string, records: object[]): Promise<string[]> =>
    (await send<{ records: { id: string }[] }>('POST', `${of}/records`, { records })).records.map(({ id }) => id);
  const trash = (of: string, ids: string[]) => send('POST', `${of}/records/trash`, { target: { ids } });

  const backup = async (of: string, by: Person = current().owner): Promise<Buffer> => {
    const answer = await by.get(`${of}/backup`);
    if (answer.statusCode !== 200) throw new Error(`${answer.statusCode} ${answer.body}`);
    return answer.rawPayload;
  };
  const restores = (rest_ = ''): string => base(`/restores${rest_}`);
  const upload = async (file: Buffer, name = '茶.sitewright-table.json.gz'): Promise<TableRestore> => {
    const createdRestore = await send<TableRestore>('POST', restores(), { name, size: file.length });
    const sent = await sendChunk(current().owner, restores(`/${createdRestore.id}/file`), 0, file);
    if (sent.statusCode !== 204) throw new Error(sent.body);
    return createdRestore;
  };
  const finishedRestore = async (id: string): Promise<TableRestore> => {
    // Reads the database, because the API limits requests per person.
    await until(async () => {
      const found = await findRestore(current().t.ctx.postgres.db, current().site.id, id);
      return found !== null && (found.row.requested === null || ['failed', 'cancelled'].includes(found.job?.state ?? ''));
    }, 30_000);
    return get(restores(`/${id}`));
  };
  const restored = async (file: Buffer, body: { dryRun?: boolean; title?: string } = {}): Promise<TableRestore> => {
    const { id } = await upload(file);
    await send('POST', restores(`/${id}/start`), { dryRun: false, ...body });
    return finishedRestore(id);
  };
  return { current, base, send, get, ended, facts, rows, addAll, trash, backup, restores, upload, finishedRestore, restored };
}
type MaintenanceCalls = ReturnType<typeof maintenanceCalls>;

/** Everything of a table that a reader can see, by keys, without ids that depend on the table. */
export async function contentOf({ rows, backup }: MaintenanceCalls, of: string, table: ContentTable): Promise<unknown> {
  const keyOf = new Map(table.fields.map((field) => [field.id, field.key]));
  const all = await Promise.all(
    ['', '&trash=true', '&locale=en', '&published=true'].map(async (query) =>
      (await rows(of, query)).map(({ values, ...row }) => ({
        ...row,
        values: Object.fromEntries(Object.entries(values).map(([name, value]) => [keyOf.get(name) ?? name, value])),
      })),
    ),
  );
  const definition = linesOf(await backup(of))[0]?.['table'] as Record<string, unknown>;
  return { all, fields: definition['fields'], locales: definition['locales'], drafts: definition['drafts'] };
}

let teaTableCount = 0;
/** A table of four teas with a field of most types, linked to one of makers: two are published, one of them changed since, and one is in the bin. */
export async function makeTeas({
  current,
  addAll,
  send,
  trash,
}: MaintenanceCalls): Promise<{ teas: MadeTable; makers: MadeTable; ids: string[]; makerIds: string[] }> {
  const { owner, site } = current();
  const makers = await addTestTable(owner, site.id, [{ key: 'name', type: 'text' }], { title: `茶厂 ${++teaTableCount}` });
  const makerIds = await addAll(makers.path, [{ name: `勐海 ${teaTableCount}` }, { name: `下关 ${teaTableCount}` }]);
  const table = await addTestTable(
    owner,
    site.id,
    [
      { key: 'name', type: 'text', localized: true, required: true },
      { key: 'code', type: 'text', unique: true },
      { key: 'price', type: 'currency', options: { currency: 'CNY', decimals: 2 } },
      { key: 'kind', type: 'select', options: { choices: [{ id: 'g', title: '绿茶', color: 'green' }] } },
      { key: 'tags', type: 'tags' },
      { key: 'since', type: 'datetime' },
      { key: 'day', type: 'date' },
      { key: 'story', type: 'richText' },
      { key: 'place', type: 'geo' },
      { key: 'secret', type: 'password' },
      { key: 'no', type: 'autonumber' },
      { key: 'maker', type: 'relation', options: { to: makers.table.id } },
      { key: 'sellers', type: 'relations', options: { to: makers.table.id } },
      { key: 'double', type: 'formula', options: { formula: '{price} * 2' } },
    ],
    { title: `茶 ${teaTableCount}`, drafts: true, locales: ['zh-Hans', 'en'] },
  );
  const [maker = '', seller = ''] = makerIds;
  const ids = await addAll(table.path, [
    { name: '龙井', code: 'A', price: '128.50', kind: 'g', tags: ['春', '新'], secret: 'a long secret', maker, sellers: [seller, maker], story: '<p>明前</p>' },
    {
      name: '普洱',
      code: 'B',
      price: '99999999999999.99',
      since: '2026-04-01T02:03:04.000Z',
      day: '2026-04-01',
      place: { lat: 24.8, lng: 102.8 },
      maker: seller,
    },
    { name: '祁红', code: 'C', price: null },
    { name: '毛峰', code: 'D' },
  ]);
  const [first = '', second = '', , last = ''] = ids;
  await send('PATCH', `${table.path}/records`, { changes: [{ id: first, values: { name: 'Longjing' } }], locale: 'en' });
  await send('POST', `${table.path}/records/publish`, { target: { ids: [first, second] } });
  await send('PATCH', `${table.path}/records`, { changes: [{ id: second, values: { name: '普洱（熟）', sellers: [maker] } }] });
  await send('POST', `${table.path}/records/move`, { ids: [second], before: first });
  await trash(table.path, [last]);
  return { teas: table, makers, ids, makerIds };
}
