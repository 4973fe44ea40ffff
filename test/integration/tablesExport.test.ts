import { mkdtemp } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { jest } from '@jest/globals';
import fc from 'fast-check';
import type { Site } from '../../contract/sites/schemas';
import type { ContentTable, FieldInput } from '../../contract/tables/schemas';
import { jobHandlers } from '../../server/areas';
import { startWorker } from '../../server/worker';
import type { Worker } from '../../server/worker';
import { makeTestApp } from '../support/app';
import type { Person, TestApp } from '../support/app';
import { until } from '../support/until';
import { callsOf, personOn, setRule } from './tablesLifeSupport';
import type { Calls } from './tablesLifeSupport';
import { textsIn } from './zip';
import { importsOf } from './tablesTransferSupport';
import type { Imports } from './tablesTransferSupport';

jest.setTimeout(60_000);
let t: TestApp;
let owner: Person;
let site: Site;
let calls: Calls;
let imports: Imports;
let worker: Worker;
beforeAll(async () => {
  t = await makeTestApp({ config: { dataDir: await mkdtemp(path.join(os.tmpdir(), 'export-')) } });
  owner = await t.signUpOwner();
  site = await t.makeSite(owner, { name: '茶馆', timeZone: 'Europe/Berlin' });
  calls = callsOf(owner, site);
  imports = importsOf(t, owner, site);
  worker = startWorker(t.ctx, jobHandlers, [], { pollEvery: 30 });
});
afterAll(async () => {
  await worker.close();
  await t.close();
});

let times = 0;
/** Each call comes from its own address, because rate limits are not tested here. */
const exported = (table: ContentTable, query = '', by: Person = owner) =>
  t.app.inject({
    method: 'GET',
    url: `${calls.path(`tables/${table.id}/export`)}?${query}`,
    cookies: Object.fromEntries(by.cookies),
    remoteAddress: `10.0.0.${++times}`,
  });
const choices = (...titles: string[]) => titles.map((title, at) => ({ id: `c${at}`, title, color: 'grey' as const }));
const fields: FieldInput[] = [
  { type: 'text', title: '标题, "引号"', key: 'title' },
  { type: 'longText', title: '=说明', key: 'note' },
  { type: 'number', title: 'Price', key: 'price' },
  { type: 'integer', title: 'Count', key: 'count' },
  { type: 'percent', title: 'Share', key: 'share' },
  { type: 'switch', title: 'On', key: 'on' },
  { type: 'date', title: 'Day', key: 'day' },
  { type: 'datetime', title: 'Moment', key: 'moment' },
  { type: 'time', title: 'Time', key: 'time' },
  { type: 'duration', title: 'Lasts', key: 'lasts' },
  { type: 'select', title: 'Kind', key: 'kind', options: { choices: choices('=绿茶', 'a, b', 'c0') } },
  { type: 'multiSelect', title: 'Some', key: 'some', options: { choices: choices('甲', '乙, 丙', '"丁"') } },
  { type: 'tags', title: 'Tags', key: 'tags' },
  { type: 'geo', title: 'Where', key: 'geo' },
  { type: 'phone', title: 'Phone', key: 'phone' },
  { type: 'json', title: 'Data', key: 'data' },
];
const keys = fields.map(({ key }) => key ?? '');

/** Texts that break files: formulas, apostrophes, quotes, line ends, delimiters, XML entities. */
const piece = fc.constantFrom(
  '=',
  '+1',
  '-5',
  '@a',
  "'",
  "''=",
  '"',
  ',',
  ';',
  '\t',
  ' x ',
  '茶',
  '👩‍🌾',
  '_x000D_',
  '&lt;',
  '<b>',
  '1e5',
  '007',
  'TRUE',
  '\u00a0y',
);
const line = fc
  .array(piece, { minLength: 1, maxLength: 5 })
  .map((parts) => parts.join('').trim())
  .filter((text) => text !== '');
const several = fc.array(fc.constantFrom('=a\n', 'b\r\n', '\r', '"q"', 'ü', '\t', '|'), { minLength: 1, maxLength: 4 }).map((parts) => `${parts.join('')}.`);
const orNull = <T>(one: fc.Arbitrary<T>): fc.Arbitrary<T | null> => fc.option(one, { freq: 4 });
const two = (n: number): string => String(n).padStart(2, '0');
const record = fc.record({
  title: orNull(line),
  note: orNull(several),
  price: orNull(fc.constantFrom('-12.5', '0.1', '123456789012345678.25', '0', '1000')),
  count: orNull(fc.integer({ min: -5_000_000_000, max: 5_000_000_000 })),
  share: orNull(fc.constantFrom('12.5', '-3', '100')),
  on: orNull(fc.boolean()),
  day: orNull(fc.constantFrom('2026-11-20', '1899-12-31', '1900-03-01', '0099-01-01')),
  moment: orNull(
    fc.oneof(
      fc.constantFrom('1890-01-01T12:00:00.000Z', '2026-10-25T00:30:00.000Z', '2026-10-25T01:30:00.000Z', '2026-11-20T09:05:01.123Z'),
      fc.date({ min: new Date('1900-01-01'), max: new Date('2100-01-01'), noInvalidDate: true }).map((at) => at.toISOString()),
    ),
  ),
  time: orNull(fc.tuple(fc.nat(23), fc.nat(59), fc.nat(59)).map(([h, m, s]) => `${two(h)}:${two(m)}:${two(s)}`)),
  lasts: orNull(fc.nat(400_000)),
  kind: orNull(fc.constantFrom('c0', 'c1', 'c2')),
  some: orNull(fc.uniqueArray(fc.constantFrom('c0', 'c1', 'c2'), { minLength: 1 })),
  tags: orNull(fc.uniqueArray(fc.constantFrom('x', 'y, z', '=1', '"q"', '茶；水'), { minLength: 1 })),
  geo: orNull(fc.constantFrom({ lat: 30.25, lng: -120.5 })),
  phone: orNull(fc.constantFrom('+86 138-0013-8000', '010-12345678')),
  data: orNull(fc.constantFrom<unknown>({ a: [1, '=x'] }, ['b'], 'text', 12, false)),
});

test('exported CSV, Excel and JSON files import back unchanged', async () => {
  const table = await calls.table({ title: '来源', fields });
  const copy = await calls.table({ title: '去处', fields });
  const clear = async (one: ContentTable): Promise<void> => {
    const ids = (await calls.rows(one.id, 'fields=-')).map(({ id }) => id);
    if (ids.length > 0) await calls.post(`tables/${one.id}/records/trash`, { target: { ids } });
  };
  await fc.assert(
    fc.asyncProperty(fc.array(record, { minLength: 1, maxLength: 6 }), fc.constantFrom('csv', 'csv;', 'xlsx', 'json'), async (records, how) => {
      await clear(table);
      await clear(copy);
      await calls.add(table.id, records);
      const format = how.replace(';', '');
      const file = await exported(table, `format=${format}${how === 'csv;' ? '&delimiter=%3B' : ''}`);
      expect(file.statusCode).toBe(200);
      const { id } = await imports.upload(copy, `a.${format}`, file.rawPayload);
      const look = await imports.look(id);
      expect(look.columns.map(({ field }) => field)).toEqual(copy.fields.map((field) => field.id));
      await imports.start(id, {
        read: { ...look.read },
        columns: look.columns.map(({ column, field }) => ({ column, to: field === null ? null : { field } })),
      });
      const done = await imports.ended(id);
      expect([done.state, done.error, (await imports.rows(id, 'outcome=fail')).rows]).toEqual(['done', null, []]);
      const filled = (rows: readonly { values: Readonly<Record<string, unknown>> }[]) =>
        rows.map((row) => keys.map((key) => row.values[key])).filter((cells) => cells.some((cell) => cell !== null));
      expect(filled(await calls.rows(copy.id))).toEqual(filled(await calls.rows(table.id)));
    }),
    { numRuns: 15 },
  );
});

describe('a workbook', () => {
  /** Cells below the header: values and number formats. */
  async function cellsOf(table: ContentTable, query = ''): Promise<{ value: string; format: string | null }[][]> {
    const unpacked = textsIn((await exported(table, `format=xlsx&${query}`)).rawPayload);
    const [styles = '', sheet = ''] = ['xl/styles.xml', 'xl/worksheets/sheet1.xml'].map((name) => unpacked.get(name));
    const codes = new Map([...styles.matchAll(/numFmtId="(\d+)" formatCode="([^"]*)"/g)].map(([, id, code]) => [id, code]));
    const [, xfs = ''] = /<cellXfs[^>]*>(.*)<\/cellXfs>/.exec(styles) ?? [];
    const formats = [...xfs.matchAll(/<xf(?: numFmtId="(\d+)")?[^>]*>/g)].map(([, id]) => codes.get(id ?? '')?.replaceAll('\\', '') ?? null);
    return [...sheet.matchAll(/<row>(.*?)<\/row>/g)].slice(1).map(([, row = '']) =>
      [...row.matchAll(/<c(?: s="(\d)")?(?: t="\w+")?>(?:<v>|<is><t[^>]*>)([^<]*)/g)].map(([, style, value = '']) => ({
        value,
        format: formats[Number(style ?? 0)] ?? null,
      })),
    );
  }
  const keyed = fields.filter(({ key }) => ['moment', 'time', 'lasts'].includes(key ?? ''));

  test('holds moments, times and durations as formatted numbers', async () => {
    const table = await calls.table({ title: 'Times', fields: keyed });
    await calls.add(table.id, [
      { moment: '2026-11-20T09:05:00.000Z', time: '18:00:00', lasts: 90 },
      { moment: '2026-07-20T22:30:15.250Z', time: '00:00:30', lasts: 90_000 },
    ]);
    const [first, second] = await cellsOf(table);
    expect(first).toEqual([
      // 2026-11-20 is day 46346; the moment is 10:05 in Berlin, an hour ahead of UTC.
      { value: String(46_346 + (10 * 60 + 5) / 1440), format: 'yyyy-mm-dd hh:mm:ss' },
      { value: '0.75', format: 'hh:mm:ss' },
      { value: String(90 / 86_400), format: '[h]:mm:ss' },
    ]);
    expect(second?.map(({ format }) => format)).toEqual(['yyyy-mm-dd hh:mm:ss.000', 'hh:mm:ss', '[h]:mm:ss']);
    expect(Number(second?.[0]?.value)).toBeCloseTo(46_224 + (30 * 60 + 15.25) / 86_400, 9);
    expect(Number(second?.[2]?.value)).toBeCloseTo(90_000 / 86_400, 12);
  });

  test('holds ambiguous and very early moments as text', async () => {
    const table = await calls.table({ title: 'Twice', fields: keyed });
    await calls.add(table.id, [{ moment: '2026-10-25T00:30:00.000Z' }, { moment: '2026-10-25T01:30:00.000Z' }, { moment: '1890-01-01T12:00:00.000Z' }]);
    const cells = (await cellsOf(table)).map(([cell]) => cell);
    expect(cells.filter((cell) => cell?.format === null).map((cell) => cell?.value)).toHaveLength(2);
    expect(cells[2]?.format).toBeNull();
  });

  test('holds creation times as moments', async () => {
    const table = await calls.table({ title: 'Made', fields: keyed });
    await calls.add(table.id, [{ lasts: 5 }]);
    const [[createdCell] = []] = await cellsOf(table, 'fields=$createdAt');
    expect([createdCell?.format?.startsWith('yyyy-mm-dd hh:mm:ss'), Number(createdCell?.value) > 40_000]).toEqual([true, true]);
  });
});

test('the file has a safe name, a BOM and the requested columns', async () => {
  const table = await calls.table({ title: '茶 "单"/2026', fields: fields.slice(0, 4), drafts: true });
  const ids = await calls.add(table.id, [
    { title: '=HYPERLINK("x")', price: '-3.50', count: 2 },
    { title: '-5', price: '10', count: 1 },
    { title: 'c', count: 3 },
  ]);
  await calls.post(`tables/${table.id}/records/publish`, { target: { ids: [ids[2]] } });
  const file = await exported(table, 'fields=count,$state,title,price&sort=count&withId=true');
  expect(file.headers['content-type']).toBe('text/csv; charset=utf-8');
  expect(file.headers['content-disposition']).toBe(`attachment; filename="_ ____2026.csv"; filename*=UTF-8''${encodeURIComponent('茶 _单__2026.csv')}`);
  expect(file.body).toBe(
    [
      '\uFEFF记录 ID,Count,状态,"标题, ""引号""",Price',
      `${ids[1]},1,草稿,'-5,10`,
      `${ids[0]},2,草稿,"'=HYPERLINK(""x"")",-3.50`,
      `${ids[2]},3,已发布,c,`,
      '',
    ].join('\r\n'),
  );
  const rows = async (query: string): Promise<unknown> => (await exported(table, `format=json&fields=title&${query}`)).json();
  expect(await rows('state=published')).toEqual([{ title: 'c' }]);
  expect(await rows(`filter=${encodeURIComponent(JSON.stringify({ field: 'count', op: 'gt', value: '1' }))}&sort=-count`)).toEqual([
    { title: 'c' },
    { title: '=HYPERLINK("x")' },
  ]);
  expect(await rows(`ids=${ids[1]}`)).toEqual([{ title: '-5' }]);
  expect(await rows('trash=true')).toEqual([]);
  expect((await exported(table, 'fields=nothing')).statusCode).toBe(422);
  expect((await exported(table, 'fields=$nothing')).statusCode).toBe(422);
  expect((await exported(table, 'ids=x')).statusCode).toBe(422);
  expect((await owner.get('/api/acc/audit?action=table.exported')).body).toContain('2026');
});

test('CSV labels a removed choice, JSON keeps its id', async () => {
  const createdTable = await calls.table({
    title: '去处',
    fields: [
      { type: 'text', title: 'Name', key: 'name' },
      { type: 'select', title: 'Kind', key: 'kind', options: { choices: choices('红', '绿') } },
    ],
  });
  await calls.add(createdTable.id, [
    { name: 'A', kind: 'c0' },
    { name: 'B', kind: 'c1' },
  ]);
  const kind = createdTable.fields[1];
  // As undoing an old change leaves it: no call removes a choice that records use.
  await t.ctx.postgres.pool.query(`UPDATE content_fields SET options = options #- '{choices,0}' WHERE id = $1`, [kind?.id]);
  await t.ctx.postgres.pool.query(`UPDATE content_sites SET revision = revision + 1`);
  const lines = (text: string): string[] => text.replace('\uFEFF', '').trim().split(/\r?\n/).slice(1);
  expect(lines((await exported(createdTable, 'format=csv&locale=zh-CN')).body)).toEqual(['A,已删除的选项', 'B,绿']);
  expect((await exported(createdTable, 'format=json')).body).toContain('"c0"');
});

test('exports omit fields and records that the reader may not see', async () => {
  const people = await calls.table({ title: '人', fields: [{ type: 'text', title: 'Name', key: 'name' }] });
  const [lin = '', wang = ''] = await calls.add(people.id, [{ name: '林' }, { name: '王' }]);
  const table = await calls.table({
    title: '单',
    fields: [
      { type: 'text', title: 'Name', key: 'name' },
      { type: 'number', title: 'Cost', key: 'cost' },
      { type: 'number', title: 'Secret', key: 'secret', sensitive: true },
      { type: 'password', title: 'Word', key: 'word' },
      { type: 'relations', title: 'People', key: 'people', options: { to: people.id } },
      { type: 'formula', title: 'Twice', key: 'twice', options: { formula: '{cost} * 2' } },
    ],
  });
  await calls.add(table.id, [
    { name: 'a', cost: '1', secret: '42', word: 'hush', people: [lin, wang] },
    { name: 'b', cost: '9', secret: '43' },
  ]);
  const analyst = await personOn(t, site, 'analyst');
  await setRule(t, table, site, { role: 'analyst', action: 'read', allowed: true, fields: null, filter: { field: 'cost', op: 'lt', value: '5' } });
  expect((await exported(table, '', analyst)).body).toBe('\uFEFFName,Cost,Word,People,Twice\r\na,1,,"林, 王",2\r\n');
  expect((await exported(table, 'format=json', analyst)).json()).toEqual([{ name: 'a', cost: '1', word: true, people: [lin, wang], twice: '2' }]);
  for (const query of ['fields=secret', 'sort=secret', `filter=${encodeURIComponent(JSON.stringify({ field: 'secret', op: 'eq', value: '42' }))}`])
    expect([query, (await exported(table, query, analyst)).statusCode]).toEqual([query, 422]);
  expect((await exported(table, 'trash=true', analyst)).statusCode).toBe(403);
  const closed = await calls.table({ title: '闭', fields: [{ type: 'text', title: 'Name', key: 'name' }] });
  await setRule(t, closed, site, { role: 'analyst', action: 'read', allowed: false });
  expect((await exported(closed, '', analyst)).statusCode).toBe(404);
  const other = await t.makeSite(owner, { name: '别处' });
  expect((await owner.get(`/api/site/${other.id}/table/tables/${table.id}/export`)).statusCode).toBe(404);
});

test('a large export is one snapshot, and a disconnect ends its query', async () => {
  const table = await calls.table({ title: '多', fields: [{ type: 'longText', title: 'Text', key: 'text' }] });
  const text = 'x'.repeat(2000);
  for (let at = 0; at < 6; at++)
    await calls.add(
      table.id,
      Array.from({ length: 1000 }, (_, i) => ({ text: `${at * 1000 + i} ${text}` })),
    );
  const url = calls.path(`tables/${table.id}/export`);
  const cookie = [...owner.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
  await t.app.listen({ port: 0, host: '127.0.0.1' });
  const address = t.app.server.address();
  const base = `http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}`;
  const begun = await fetch(base + url, { headers: { cookie, 'accept-encoding': 'identity' } });
  const reader = begun.body?.getReader();
  const first = await reader?.read();
  // Records written after the first chunk are not in the file.
  await calls.add(table.id, [{ text: 'late' }]);
  let size = first?.value?.length ?? 0;
  for (let next = await reader?.read(); next && !next.done; next = await reader?.read()) size += next.value.length;
  const whole = (await exported(table)).rawPayload;
  expect(whole.length - size).toBe('late\r\n'.length);
  // A process sends a limited number of exports at once; slow readers do not block other reads.
  const slow = await Promise.all(
    Array.from({ length: 4 }, async () => {
      const stop = new AbortController();
      // Referenced until the end, because an unreferenced response is cancelled on garbage collection.
      const answer = await fetch(base + url, { headers: { cookie, 'accept-encoding': 'identity' }, signal: stop.signal });
      return { stop, answer };
    }),
  );
  expect((await exported(table)).statusCode).toBe(503);
  expect((await owner.get(`${calls.path(`tables/${table.id}/records`)}?limit=1`)).statusCode).toBe(200);
  for (const { stop } of slow) stop.abort();
  await until(async () => (await exported(table, 'ids=')).statusCode !== 503);
  // An aborted download frees its connection and ends its query.
  const leaving = new AbortController();
  const left = await fetch(base + url, { headers: { cookie, 'accept-encoding': 'identity' }, signal: leaving.signal });
  await left.body?.getReader().read();
  leaving.abort();
  const open = async (): Promise<number> =>
    (
      await t.ctx.postgres.pool.query(
        `SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND state LIKE 'idle in transaction%' AND query LIKE '%pages%'`,
      )
    ).rows.length;
  await until(async () => (await open()) === 0);
});
