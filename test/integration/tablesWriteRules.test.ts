import { siteModel } from '../../server/areas/tables/core/model';
import { inWrite, writeBatch } from '../../server/areas/tables/core/write';
import { makeTestApp } from '../support/app';
import type { TestApp } from '../support/app';
import { addTestTable, makeTabled } from '../support/tables';
import type { MadeTable, Tabled } from '../support/tables';

let program: TestApp;
let plain: Tabled;
let drafts: MadeTable;
beforeAll(async () => {
  program = await makeTestApp();
  plain = await makeTabled(program, [
    { key: 'title', type: 'text', required: true },
    { key: 'slug', type: 'slug', unique: true },
    { key: 'from', type: 'date' },
    { key: 'until', type: 'date' },
    {
      key: 'kind',
      type: 'select',
      options: {
        choices: [
          { id: 'sale', title: '促销' },
          { id: 'usual', title: '平常' },
        ],
      },
      default: { kind: 'value', value: 'usual' },
    },
    { key: 'discount', type: 'percent', options: { max: 90 } },
    { key: 'created_on', type: 'date', default: { kind: 'now' } },
    { key: 'who', type: 'user', default: { kind: 'user' } },
    { key: 'frozen', type: 'text', readonly: true },
    { key: 'number', type: 'autonumber' },
  ]);
  const change = async (key: string, body: object): Promise<void> => {
    const table = (await plain.owner.get(plain.path)).json<{ data: { revision: number } }>().data;
    const answer = await plain.owner.send('PATCH', `${plain.path}/fields/${key}`, body, { 'if-match': `"${table.revision}"` });
    if (answer.statusCode !== 200) throw new Error(answer.body);
  };
  await change('slug', { options: { from: plain.f.title ?? '' } });
  await change('discount', { conditions: [{ filter: { field: 'kind', op: 'eq', value: 'sale' }, then: 'required' }] });
  await change('until', {
    rules: [
      {
        filter: {
          or: [
            { field: 'until', op: 'empty' },
            { field: 'discount', op: 'notEmpty' },
          ],
        },
        message: '结束日期只用于促销',
      },
    ],
  });
  drafts = await addTestTable(
    plain.owner,
    plain.site.id,
    [
      { key: 'title', type: 'text', required: true },
      { key: 'body', type: 'richText' },
    ],
    { title: '文章', drafts: true },
  );
});
afterAll(() => program.close());

const add = (path: string, records: object[], more: object = {}) => plain.owner.send('POST', `${path}/records`, { records, ...more });
type CreateResponse = { data: { records: { id: string; revision: number }[]; batchId: string; created: number; updated: number } };
const read = async (path: string, id: string) =>
  (await plain.owner.get(`${path}/records/${id}`)).json<{ data: { state: string; revision: number; values: Record<string, unknown> } }>().data;

test('missing values get defaults, author, dates and unique slugs', async () => {
  const answer = await add(plain.path, [{ title: '中文标题' }, { title: '中文标题' }, { title: '中文 标题', slug: 'own' }]);
  expect(answer.json()).toMatchObject({ data: { created: 3 } });
  const { records } = answer.json<CreateResponse>().data;
  const rows = await Promise.all(records.map(({ id }) => read(plain.path, id)));
  expect(rows.map((row) => row.values.slug)).toEqual(['zhong-wen-biao-ti', 'zhong-wen-biao-ti-2', 'own']);
  expect(rows[0]?.values).toMatchObject({ kind: 'usual', who: plain.owner.userId, created_on: expect.stringMatching(/^\d{4}-\d\d-\d\d$/) as string });
  const more = await add(plain.path, [{ title: '中文标题' }]);
  expect((await read(plain.path, more.json<CreateResponse>().data.records[0]?.id ?? '')).values.slug).toBe('zhong-wen-biao-ti-3');
});

test('generated values of new records leave updated records unchanged', async () => {
  const { records } = (await add(plain.path, [{ title: 'Kept', slug: 'kept' }])).json<CreateResponse>().data;
  const answer = await add(plain.path, [{ slug: 'kept', title: 'Changed' }, { title: 'Made beside' }], { upsertOn: 'slug' });
  expect(answer.json()).toMatchObject({ data: { created: 1, updated: 1 } });
  expect((await read(plain.path, records[0]?.id ?? '')).values).toMatchObject({ title: 'Changed', slug: 'kept', who: plain.owner.userId, number: 5 });
  // One direct write: the updated record names neither slug nor number.
  const model = await siteModel(program.ctx, plain.site.id);
  const table = model.byName.get(plain.table.id);
  if (!table) throw new Error('no table');
  const tableContext = { model, table, reader: { role: 'admin' as const, userId: plain.owner.userId }, timeZone: 'UTC' };
  await inWrite(program.ctx, null, (w) =>
    writeBatch(
      w,
      tableContext,
      [
        { kind: 'update', id: records[0]?.id ?? '', values: { title: 'Again' } },
        { kind: 'create', values: { title: 'Beside' } },
      ],
      { origin: 'api' },
    ),
  );
  expect((await read(plain.path, records[0]?.id ?? '')).values).toMatchObject({ title: 'Again', slug: 'kept', number: 5 });
});

test('required fields, conditions and rules apply at once without drafts', async () => {
  const answer = await add(plain.path, [
    {},
    { title: 'a', kind: 'sale' },
    { title: 'b', until: '2026-12-01' },
    { title: 'c', frozen: 'x' },
    { title: 'd', discount: '91' },
  ]);
  expect(answer.json()).toMatchObject({
    fields: {
      'records.0.title': { code: 'required' },
      'records.1.discount': { code: 'required' },
      'records.2.until': { code: 'pattern', message: '结束日期只用于促销' },
      'records.3.frozen': { code: 'readonly' },
      'records.4.discount': { code: 'out_of_range', max: 90 },
    },
  });
  const { records } = (await add(plain.path, [{ title: 'e', kind: 'sale', discount: '10' }])).json<CreateResponse>().data;
  const path = `${plain.path}/records/${records[0]?.id}`;
  expect((await plain.owner.send('PATCH', path, { values: { title: '' } }, { 'if-match': '"1"' })).json()).toMatchObject({
    fields: { title: { code: 'required' } },
  });
  expect((await plain.owner.send('PATCH', path, { values: { discount: null } }, { 'if-match': '"1"' })).json()).toMatchObject({
    fields: { discount: { code: 'required' } },
  });
  expect((await plain.owner.send('PATCH', path, { values: { discount: null, kind: 'usual' } }, { 'if-match': '"1"' })).statusCode).toBe(200);
});

test('drafts may be incomplete, and publishing belongs to the same batch', async () => {
  const { records } = (await add(drafts.path, [{ body: '<p onclick="x">茶</p>' }])).json<CreateResponse>().data;
  expect(await read(drafts.path, records[0]?.id ?? '')).toMatchObject({ state: 'draft', values: { body: '<p>茶</p>' } });
  expect((await add(drafts.path, [{ title: 'ok' }, { body: 'x' }], { publish: true })).json()).toMatchObject({
    fields: { 'records.1.title': { code: 'required' } },
  });
  const created = (await add(drafts.path, [{ title: 'one' }, { title: 'two' }], { publish: true })).json<CreateResponse>().data;
  expect(created).toMatchObject({ created: 2, updated: 0 });
  const [first] = created.records;
  expect(await read(drafts.path, first?.id ?? '')).toMatchObject({ state: 'published', revision: first?.revision });
  const edit = (title: string, revision: number) =>
    plain.owner.send('PATCH', `${drafts.path}/records/${first?.id}`, { values: { title } }, { 'if-match': `"${revision}"` });
  expect((await edit('other', 2)).json()).toMatchObject({ data: { state: 'changed' } });
  // A record equal to its published version counts as published.
  expect((await edit('one', 3)).json()).toMatchObject({ data: { state: 'published' } });
  const undone = await plain.owner.send('POST', `/api/site/${plain.site.id}/table/batches/${created.batchId}/undo`);
  expect(undone.json()).toMatchObject({ data: { undone: 2, skippedCount: 0 } });
});
