import { jest } from '@jest/globals';
import fc from 'fast-check';
import type { ContentTable } from '../../contract/tables/schemas';
import type { TableImport } from '../../contract/tables/transfers';
import { sendChunk } from '../support/sendChunk';
import { columnsTo } from './tablesTransferSupport';
import { owner, calls, imports, teaTable, values, csv, tried } from './tablesTransferFixture';

jest.setTimeout(60_000);

test('a file is uploaded in chunks, previewed, checked and imported', async () => {
  const table = await teaTable();
  const bytes = Buffer.from(csv('品名,code,Price,上市,种类,备注', '龙井,T1,"1,280.50",2026年4月1日,绿茶,新', '普洱,T2,¥80,2025/10/3,绿茶,旧', ',,,,,'));
  const begun = (await owner.send('POST', imports.path(), { table: table.id, name: '茶单.csv', size: bytes.length })).json<{ data: TableImport }>().data;
  expect(begun).toMatchObject({ state: 'uploading', file: { name: '茶单.csv', stored: 0 }, counts: null, batchId: null });
  const file = imports.path(`${begun.id}/file`);
  const put = async (offset: number, chunk: Buffer) => (await sendChunk(owner, file, offset, chunk)).statusCode;
  expect(await put(0, bytes.subarray(0, 10))).toBe(204);
  expect(await put(0, bytes.subarray(0, 10))).toBe(409);
  const stored = await owner.head(file, { 'tus-resumable': '1.0.0' });
  expect([stored.headers['upload-offset'], stored.headers['upload-length']]).toEqual(['10', String(bytes.length)]);
  expect(await put(10, Buffer.concat([bytes, bytes]))).toBe(413);
  expect(await calls.refused('POST', `imports/${begun.id}/look`, {})).toBe('bad_transition');
  expect(await put(10, bytes.subarray(10))).toBe(204);
  expect((await imports.get(begun.id)).state).toBe('ready');

  const look = await imports.look(begun.id);
  expect(look.read).toEqual({ format: 'csv', encoding: 'utf-8', delimiter: ',', sheet: '', header: 1 });
  const id = (key: string): string | undefined => table.fields.find((one) => one.key === key)?.id;
  expect(look.columns.map(({ name, field, type }) => [name, field, type])).toEqual([
    ['品名', id('name'), 'text'],
    ['code', id('code'), 'text'],
    ['Price', id('price'), 'number'],
    ['上市', id('since'), 'date'],
    ['种类', id('kind'), 'text'],
    ['备注', null, 'text'],
  ]);
  expect(look.rows[0]).toEqual(['龙井', 'T1', '1,280.50', '2026年4月1日', '绿茶', '新']);

  const plan = { columns: columnsTo(['name', 'code', 'price', 'since', 'kind']) };
  await imports.start(begun.id, plan, { dryRun: true });
  expect(await imports.ended(begun.id)).toMatchObject({ state: 'checked', counts: { rows: 3, insert: 2, update: 0, skip: 1, fail: 0 }, error: null });
  expect(await calls.rows(table.id)).toEqual([]);
  await imports.start(begun.id, plan);
  const done = await imports.ended(begun.id);
  expect(done).toMatchObject({ state: 'done', counts: { insert: 2, fail: 0 }, undone: false, batchId: expect.any(String) });
  expect(await values(table, 'name', 'code', 'price', 'since', 'kind')).toEqual([
    ['龙井', 'T1', '1280.50', '2026-04-01', 'green'],
    ['普洱', 'T2', '80', '2025-10-03', 'green'],
  ]);
  expect((await owner.get(`/api/acc/audit?action=table.imported`)).body).toContain('茶单.csv');
});

test('a row lists all its errors by field, including too large numbers', async () => {
  const table = await calls.table({
    title: '茶',
    fields: [
      { type: 'text', title: '品名', key: 'name', required: true },
      { type: 'number', title: '价格', key: 'price', options: { min: 0 } },
      { type: 'date', title: '上市', key: 'since' },
      { type: 'email', title: '邮箱', key: 'mail' },
    ],
  });
  const errorTexts = async (name: string, content: string): Promise<string[][]> => {
    const { id } = await tried(table, name, content, { columns: columnsTo(['name', 'price', 'since', 'mail']) });
    const { rows } = await calls.get<{ rows: { errors: { field: string | null; text: string }[] }[] }>(`imports/${id}/rows`);
    const titleOf = (field: string | null) => table.fields.find((one) => one.id === field || one.key === field)?.title ?? '';
    return rows.map((row) => row.errors.map(({ field, text }) => `${titleOf(field)} ${text}`).sort());
  };
  expect(await errorTexts('a.csv', csv('品名,价格,上市,邮箱', ',贵,某日,x@y', '龙井,-1,2026-05-01,'))).toEqual([
    ['上市 要填日期，如 2026-05-01', '价格 要填数字', '品名 必填', '邮箱 不是有效的邮箱地址'],
    ['价格 不能小于 0'],
  ]);
  expect(await errorTexts('a.json', '[{"品名":"龙井","价格":1e999}]')).toEqual([[' 数字过大，无法保存']]);
});

describe('what becomes of rows', () => {
  test('rows with known keys update records, and duplicate keys fail', async () => {
    const table = await teaTable();
    const [first = ''] = await calls.add(table.id, [
      { name: '旧', code: 'K1', price: '5' },
      { name: '同', code: 'K2', price: '6' },
    ]);
    const content = csv('品名,编号,价格', '新,K1,', '同,K2,6', '三,K3,7', '再,K3,8', '无,,9', '坏,K5,-1', ',K6,');
    const plan = { columns: columnsTo(['name', 'code', 'price']), key: ['code'], leaveOut: true };
    const trial = await tried(table, 'a.csv', content, plan);
    expect(trial.counts).toEqual({ rows: 7, insert: 3, update: 1, skip: 1, fail: 2 });
    const outcomes = (await imports.rows(trial.id)).rows;
    expect(outcomes.map(({ outcome, id, errors }) => [outcome, id, errors.map(({ text }) => text)])).toEqual([
      ['update', first, []],
      ['skip', expect.any(String), []],
      ['insert', null, []],
      ['fail', null, ['与文件中前面的行重复']],
      ['insert', null, []],
      ['fail', null, [expect.any(String)]],
      ['insert', null, []],
    ]);
    await imports.start(trial.id, plan);
    expect((await imports.ended(trial.id)).counts).toEqual(trial.counts);
    expect(await values(table, 'name', 'code', 'price')).toEqual([
      ['新', 'K1', '5'],
      ['同', 'K2', '6'],
      ['三', 'K3', '7'],
      ['无', null, '9'],
      [null, 'K6', null],
    ]);
    const again = await imports.run(table, 'b.csv', csv('编号,价格', 'K1,', 'K9,1'), ['code', 'price'], { key: ['code'], emptyCells: 'clear', onNew: 'skip' });
    expect(again.counts).toEqual({ rows: 2, insert: 0, update: 1, skip: 1, fail: 0 });
    expect((await values(table, 'code', 'price'))[0]).toEqual(['K1', null]);
    // A unique value is taken if another record or an earlier row has it.
    const uniquenessTrial = await tried(table, 'c.csv', csv('品名,编号', 'x,K1', 'y,U', 'z,U'), { columns: columnsTo(['name', 'code']) });
    expect((await imports.rows(uniquenessTrial.id)).rows.map(({ errors }) => errors[0]?.code ?? null)).toEqual(['taken', null, 'twice']);
    // Undo reverts everything, and counts records changed since.
    await calls.send('PATCH', `tables/${table.id}/records`, { changes: [{ id: first, values: { name: '别人' } }] });
    const undone = (await owner.send('POST', `${imports.path(trial.id)}/undo`)).json<{ data: TableImport }>().data;
    expect(undone).toMatchObject({ state: 'done', undone: true, undoSkipped: 1 });
    expect(await values(table, 'name', 'code')).toEqual([
      ['别人', 'K1'],
      ['同', 'K2'],
    ]);
    expect(await calls.refused('POST', `imports/${trial.id}/undo`)).toBe('bad_transition');
  });

  test('addChoices creates missing choices, and undo removes the unused ones', async () => {
    const table = await teaTable();
    const content = csv('品名,种类,标签,负责人', 'a,绿茶,"春, 新",林', 'b,红茶,春,', 'c,红 茶,,没有的人');
    const plan = { columns: columnsTo(['name', 'kind', 'tags', 'person']), leaveOut: true };
    const without = await tried(table, 'a.csv', content, plan);
    const id = (key: string): string => table.fields.find((one) => one.key === key)?.id ?? '';
    expect(without).toMatchObject({ counts: { insert: 0, fail: 3 }, newChoices: { [id('kind')]: ['红茶', '红 茶'], [id('tags')]: ['春', '新'] } });
    await imports.start(without.id, { ...plan, addChoices: true }, { dryRun: true });
    expect((await imports.ended(without.id)).counts).toMatchObject({ insert: 2, fail: 1 });
    expect((await imports.rows(without.id, 'outcome=fail')).rows[0]?.errors).toEqual([
      { field: id('person'), code: 'unknown', text: '找不到对应的内容：没有的人' },
    ]);
    expect((await calls.get<ContentTable>(`tables/${table.id}`)).revision).toBe(table.revision);
    await imports.start(without.id, { ...plan, addChoices: true });
    expect((await imports.ended(without.id)).counts).toMatchObject({ insert: 2, fail: 1 });
    const choices = async (key: string) =>
      (await calls.get<ContentTable>(`tables/${table.id}`)).fields.find((one) => one.key === key)?.options.choices?.map(({ title }) => title);
    expect([await choices('kind'), await choices('tags')]).toEqual([
      ['绿茶', '红茶', '红 茶'],
      ['春', '新'],
    ]);
    expect((await values(table, 'person'))[0]).toEqual([owner.userId]);
    await owner.send('POST', `${imports.path(without.id)}/undo`);
    // Choices used by records in the bin stay.
    expect([await choices('kind'), await choices('tags'), await calls.rows(table.id)]).toEqual([['绿茶', '红茶'], ['春', '新'], []]);
  });

  test('columns of grouped and currency numbers are imported as numbers', async () => {
    const content = csv(
      'Item,Total,Price,Balance',
      'Dragon Well,"1,234.50",￥99,"-$1,000.05"',
      '"Pu\'er, aged",99,"¥1,280.50",(12.30)',
      'White,0.05,￥ 0.5,$3',
    );
    const { id } = await imports.upload(null, 'Prices.csv', content);
    const look = await imports.look(id);
    expect(look.columns.map(({ type }) => type)).toEqual(['text', 'number', 'number', 'number']);
    await imports.start(id, { columns: look.columns.map(({ column, name, type }) => ({ column, to: { new: { title: name, type } } })) }, { title: 'Prices' });
    const done = await imports.ended(id);
    expect(done.counts).toMatchObject({ insert: 3, fail: 0 });
    const table = await calls.get<ContentTable>(`tables/${done.tableId}`);
    expect((await calls.rows(table.id)).map((row) => table.fields.map((field) => row.values[field.key]))).toEqual([
      ['Dragon Well', '1234.50', '99', '-1000.05'],
      ["Pu'er, aged", '99', '1280.50', '-12.30'],
      ['White', '0.05', '0.5', '3'],
    ]);
  });

  test('currency fields refuse more decimals than they have', async () => {
    const table = await calls.table({
      title: 'Prices',
      fields: [
        { type: 'text', title: 'Item', key: 'item' },
        { type: 'currency', title: 'Price', key: 'price', options: { currency: 'CNY', decimals: 2 } },
      ],
    });
    const content = csv('Item,Price', 'a,"￥1,234.5"', 'b,99', 'c,￥9.999');
    const { id } = await tried(table, 'a.csv', content, { columns: columnsTo(['item', 'price']) });
    const { rows } = await imports.rows(id, 'outcome=fail');
    expect(rows.flatMap((row) => row.errors.map(({ code, text }) => [code, text]))).toEqual([['too_many_decimals', '最多 2 位小数']]);
    const done = await imports.run(table, 'a.csv', content, ['item', 'price'], { leaveOut: true });
    expect(done.counts).toMatchObject({ insert: 2, fail: 1 });
    expect(await values(table, 'item', 'price')).toEqual([
      ['a', '1234.50'],
      ['b', '99.00'],
    ]);
  });

  test('an import creates new tables and fields, and undo removes them', async () => {
    const content = csv('城市,人口,首都,成立,网站', '杭州,"12,376,000",否,2222-05-01,https://a.example', '北京,21890000,是,1949-10-01,', '成都,20940000,否,,');
    const { id } = await imports.upload(null, '城市.csv', content);
    const look = await imports.look(id);
    expect(look.columns.map(({ type }) => type)).toEqual(['text', 'integer', 'switch', 'date', 'url']);
    const columns = look.columns.map(({ column, name, type }) => ({ column, to: { new: { title: name, type } } }));
    await imports.start(id, { columns }, { dryRun: true, title: '城市' });
    expect(await imports.ended(id)).toMatchObject({ state: 'checked', tableId: null, counts: { insert: 3, fail: 0 } });
    const tables = async (): Promise<string[]> => (await calls.get<ContentTable[]>('tables')).map(({ title }) => title);
    expect(await tables()).not.toContain('城市');
    await imports.start(id, { columns });
    const done = await imports.ended(id);
    expect(done).toMatchObject({ state: 'done', createdTable: true, counts: { insert: 3 } });
    const table = await calls.get<ContentTable>(`tables/${done.tableId}`);
    expect([table.title, table.fields.map(({ title, type }) => [title, type])]).toEqual([
      '城市',
      [
        ['城市', 'text'],
        ['人口', 'integer'],
        ['首都', 'switch'],
        ['成立', 'date'],
        ['网站', 'url'],
      ],
    ]);
    // Into the existing table, with one new field.
    const more = await imports.upload(table, 'more.csv', csv('城市,别称', '杭州,"武林, 临安"', '广州,羊城'));
    const [, second] = (await imports.look(more.id)).columns;
    expect(second?.field).toBeNull();
    await imports.start(more.id, {
      columns: [
        { column: 0, to: { field: table.fields[0]?.id ?? '' } },
        { column: 1, to: { new: { title: '别称', type: 'multiSelect' } } },
      ],
      key: [table.fields[0]?.key ?? ''],
    });
    expect(await imports.ended(more.id)).toMatchObject({ counts: { insert: 1, update: 1, fail: 0 } });
    const wider = await calls.get<ContentTable>(`tables/${table.id}`);
    expect(wider.fields.at(-1)?.options.choices?.map(({ title }) => title)).toEqual(['武林', '临安', '羊城']);
    // The mapping of the same columns is remembered.
    const known = await imports.look((await imports.upload(wider, 'again.csv', csv('城市,别称', 'x,y'))).id);
    expect(known.columns.map(({ field }) => field)).toEqual([wider.fields[0]?.id, wider.fields.at(-1)?.id]);
    await owner.send('POST', `${imports.path(more.id)}/undo`);
    const names = async () => (await calls.get<ContentTable>(`tables/${table.id}`)).fields.map(({ title }) => title);
    expect(await names()).not.toContain('别称');
    // After a redo the field is back with its values, and the import can be undone again.
    const alias = wider.fields.at(-1)?.key ?? '';
    const also = async () => (await values(wider, wider.fields[0]?.key ?? '', alias)).toSorted((a, b) => (String(a) < String(b) ? -1 : 1));
    const { batchId } = await imports.get(more.id);
    const redone = await calls.post<{ skippedCount: number }>(`batches/${batchId ?? 'x'}/redo`, {});
    const choice = (title: string) => wider.fields.at(-1)?.options.choices?.find((one) => one.title === title)?.id;
    expect(redone.skippedCount).toBe(0);
    const whole = [
      ['北京', null],
      ['广州', [choice('羊城')]],
      ['成都', null],
      ['杭州', [choice('武林'), choice('临安')]],
    ];
    expect([await names(), await also(), await imports.get(more.id)]).toMatchObject([wider.fields.map(({ title }) => title), whole, { undone: false }]);
    await owner.send('POST', `${imports.path(more.id)}/undo`);
    expect([await names(), (await imports.get(more.id)).undone]).toEqual([table.fields.map(({ title }) => title), true]);
    // Redo and undo of the batch have the same effect.
    await calls.post(`batches/${batchId ?? 'x'}/redo`, {});
    expect(await also()).toEqual(whole);
    await calls.post(`batches/${batchId ?? 'x'}/undo`, {});
    expect([await names(), (await imports.get(more.id)).undone]).toEqual([table.fields.map(({ title }) => title), true]);
    await owner.send('POST', `${imports.path(id)}/undo`);
    expect(await tables()).not.toContain('城市');
  });

  test('the dry run counts exactly what the import does', async () => {
    const name = fc.constantFrom('', '甲', '乙', 'x'.repeat(30));
    const code = fc.constantFrom('', 'C1', 'C2', 'C3', 'C4');
    const price = fc.constantFrom('', '1', '2.50', '-1', 'abc', '1,000');
    const kind = fc.constantFrom('', '绿茶', '红茶', '白茶');
    const row = fc.tuple(name, code, price, kind);
    const plan = fc.record({
      key: fc.constantFrom<string[]>([], ['code'], ['name', 'code']),
      onMatch: fc.constantFrom('update' as const, 'skip' as const),
      onNew: fc.constantFrom('insert' as const, 'skip' as const),
      emptyCells: fc.constantFrom('keep' as const, 'clear' as const),
      addChoices: fc.boolean(),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(row, { maxLength: 12 }), fc.array(row, { maxLength: 3 }), plan, async (rows, before, more) => {
        const table = await teaTable();
        for (const [n, c] of before)
          if (c !== '' && !(await values(table, 'code')).flat().includes(c)) await calls.add(table.id, [{ name: n === '' ? null : n, code: c, price: '1' }]);
        const whole = { columns: columnsTo(['name', 'code', 'price', 'kind']), leaveOut: true, ...more };
        const trial = await tried(table, 'a.csv', csv('n,c,p,k', ...rows.map((cells) => cells.map((cell) => `"${cell}"`).join(','))), whole);
        const planned = (await imports.rows(trial.id)).rows.map(({ outcome, id }) => [outcome, id]);
        await imports.start(trial.id, whole);
        const done = await imports.ended(trial.id);
        expect([done.state, done.counts]).toEqual(['done', trial.counts]);
        expect((await imports.rows(trial.id)).rows.map(({ outcome, id }) => [outcome, id])).toEqual(planned);
      }),
      { numRuns: 8 },
    );
  });
});
