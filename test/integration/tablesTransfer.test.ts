import { mkdtemp } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { jest } from '@jest/globals';
import fc from 'fast-check';
import type { Site } from '../../contract/sites';
import type { ContentTable } from '../../contract/tables';
import type { TableImport } from '../../contract/tableTransfers';
import { jobHandlers } from '../../server/areas';
import { importJob, tendTableImports } from '../../server/areas/tables';
import { defineJob, startWorker } from '../../server/worker';
import type { RunningJob, Worker } from '../../server/worker';
import { makeTestApp } from '../support/app';
import type { Person, TestApp } from '../support/app';
import { until } from '../support/until';
import { ask, callsOf, personOn, setRule } from './tablesLifeSupport';
import type { Calls } from './tablesLifeSupport';
import { columnsTo, importsOf, putChunk } from './tablesTransferSupport';
import type { Imports } from './tablesTransferSupport';
import { zipOf } from './zip';

jest.setTimeout(60_000);
let t: TestApp;
let owner: Person;
let editor: Person;
let site: Site;
let calls: Calls;
let imports: Imports;
let worker: Worker | null = null;
const work = (): void => void (worker ??= startWorker(t.ctx, jobHandlers, [], { pollEvery: 30 }));
const rest = async (): Promise<void> => {
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

let made = 0;
const teaTable = (): Promise<ContentTable> =>
  calls.table({
    title: `茶 ${++made}`,
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
const values = async (table: ContentTable, ...keys: string[]): Promise<unknown[][]> =>
  (await calls.rows(table.id)).map((row) => keys.map((key) => row.values[key]));
const csv = (...lines: string[]): string => lines.join('\n');
const tried = async (table: ContentTable, name: string, content: Buffer | string, plan: Parameters<Imports['start']>[1]): Promise<TableImport> => {
  const { id } = await imports.upload(table, name, content);
  await imports.start(id, plan, { dryRun: true });
  return imports.ended(id);
};

test('a file is sent in pieces, looked at, tried and imported: choices by title, dates and numbers as people write them', async () => {
  const table = await teaTable();
  const bytes = Buffer.from(csv('品名,code,Price,上市,种类,备注', '龙井,T1,"1,280.50",2026年4月1日,绿茶,新', '普洱,T2,¥80,2025/10/3,绿茶,旧', ',,,,,'));
  const begun = (await owner.send('POST', imports.path(), { table: table.id, name: '茶单.csv', size: bytes.length })).json<{ data: TableImport }>().data;
  expect(begun).toMatchObject({ state: 'uploading', file: { name: '茶单.csv', stored: 0 }, counts: null, batchId: null });
  const put = (offset: number, chunk: Buffer) => putChunk(t, owner, imports.path(`${begun.id}/data`), offset, chunk);
  expect((await put(0, bytes.subarray(0, 10))).statusCode).toBe(200);
  const late = await put(0, bytes.subarray(0, 10));
  expect([late.statusCode, late.json<{ current: TableImport }>().current.file.stored]).toEqual([409, 10]);
  expect((await put(10, Buffer.concat([bytes, bytes]))).statusCode).toBe(413);
  expect(await calls.refused('POST', `imports/${begun.id}/look`, {})).toBe('bad_transition');
  expect((await put(10, bytes.subarray(10))).json<{ data: TableImport }>().data.state).toBe('ready');

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

test('a row is told with everything that is wrong with it, by field and with what is wanted; a number beyond all bounds is not taken for nothing', async () => {
  const table = await calls.table({
    title: '茶',
    fields: [
      { type: 'text', title: '品名', key: 'name', required: true },
      { type: 'number', title: '价格', key: 'price', options: { min: 0 } },
      { type: 'date', title: '上市', key: 'since' },
      { type: 'email', title: '邮箱', key: 'mail' },
    ],
  });
  const faults = async (name: string, content: string): Promise<string[][]> => {
    const { id } = await tried(table, name, content, { columns: columnsTo(['name', 'price', 'since', 'mail']) });
    const { rows } = await calls.get<{ rows: { faults: { field: string | null; text: string }[] }[] }>(`imports/${id}/rows`);
    const titleOf = (field: string | null) => table.fields.find((one) => one.id === field || one.key === field)?.title ?? '';
    return rows.map((row) => row.faults.map(({ field, text }) => `${titleOf(field)} ${text}`).sort());
  };
  expect(await faults('a.csv', csv('品名,价格,上市,邮箱', ',贵,某日,x@y', '龙井,-1,2026-05-01,'))).toEqual([
    ['上市 要填日期，如 2026-05-01', '价格 要填数字', '品名 必填', '邮箱 不是有效的邮箱地址'],
    ['价格 不能小于 0'],
  ]);
  expect(await faults('a.json', '[{"品名":"龙井","价格":1e999}]')).toEqual([[' 数字过大，无法保存']]);
});

describe('files as they come', () => {
  /** Name and code of what an import of two columns has made, or why it ended. */
  const readAs = async (name: string, content: Buffer | string, read: object = {}): Promise<unknown> => {
    const table = await teaTable();
    const done = await imports.run(table, name, content, ['name', 'code'], { read });
    return done.state === 'done' ? values(table, 'name', 'code') : done.error;
  };
  const rows = [
    ['龙井', 'A1'],
    ['普洱, 熟', 'A2'],
  ];

  test('encodings, delimiters, line ends and titles above the header are told by themselves', async () => {
    const text = '品名,编号\n龙井,A1\n"普洱, 熟",A2\n';
    const divided = (by: string): string => text.replaceAll(/,(?=编|A)/g, by);
    const utf16 = Buffer.from(`\uFEFF${text}`, 'utf16le');
    const gb18030 = Buffer.from('c6b7c3fb2cb1e0bac50ac1fabeae2c41310a22c6d5b6fd2c20caec222c41320a', 'hex');
    for (const [name, content] of Object.entries({
      'bom.csv': Buffer.concat([Buffer.from([0xef, 0xbb, 0xbf]), Buffer.from(text)]),
      'utf16.csv': utf16,
      'utf16be.csv': Buffer.from(utf16).swap16(),
      'gb.csv': gb18030,
      'tab.tsv': divided('\t'),
      'crlf.csv': divided(';').replaceAll('\n', '\r\n'),
      'cr.csv': text.replaceAll('\n', '\r'),
      'said.csv': `sep=;\r\n${divided(';')}`,
      'title.csv': `茶单 2026,\n\n${text}`,
    }))
      expect([name, await readAs(name, content)]).toEqual([name, rows]);
    // No header, a quote within a cell, and a guarded formula as our own files have it.
    expect(await readAs('none.csv', '5" 管,x\n\'=1+1,y\n', { header: 0 })).toEqual([
      ['5" 管', 'x'],
      ['=1+1', 'y'],
    ]);
  });

  test('a broken quote in row 9 000 spoils its own line and says which, and what stands behind it is read', async () => {
    const table = await teaTable();
    const lines = Array.from({ length: 10_000 }, (_, i) => (i === 8998 ? `"T${i},C${i}` : i === 9500 ? `"T${i}" x,C${i}` : `T${i},C${i}`));
    const done = await tried(table, 'a.csv', csv('品名,编号', ...lines), { columns: columnsTo(['name', 'code']) });
    expect(done.counts).toEqual({ rows: 10_000, insert: 9998, update: 0, skip: 0, fail: 2 });
    const { rows: failed } = await imports.rows(done.id, 'outcome=fail');
    expect(failed.map(({ row, line, faults, cells }) => [row, line, faults[0]?.code, cells])).toEqual([
      [8998, 9000, 'quote_open', ['"T8998,C8998']],
      [9500, 9502, 'quote', ['"T9500" x,C9500']],
    ]);
    const page = await imports.rows(done.id, 'from=8990');
    expect([page.rows.length, page.next, page.rows[9]?.outcome]).toEqual([50, 9040, 'insert']);
    // Without being asked to leave rows out, nothing is written.
    await imports.start(done.id, { columns: columnsTo(['name', 'code']) });
    expect(await imports.ended(done.id)).toMatchObject({ state: 'failed', batchId: null, error: expect.stringContaining('2 行') });
    expect(await calls.rows(table.id)).toEqual([]);
    const file = await owner.get(`${imports.path(done.id)}/faults`);
    expect(file.body.split('\r\n').slice(0, 2)).toEqual(['\uFEFF品名,编号,行号,原因', '"""T8998,C8998",,9000,这一行的引号一直没有闭合']);
  });

  test('cells of ten megabytes, columns without end, rows of unequal length and characters that no text has are each told by row', async () => {
    const table = await teaTable();
    const content = csv(
      '品名,编号,品名',
      `${'x'.repeat(10 * 2 ** 20)},H1`,
      'nul\u0000,H2',
      `${'长'.repeat(400_000)},H3`,
      'short',
      `many${',y'.repeat(3000)}`,
      '__proto__,H6',
    );
    const done = await imports.run(table, 'hostile.csv', content, ['name', 'code'], { leaveOut: true });
    expect(done).toMatchObject({ state: 'done', counts: { rows: 6, insert: 3, fail: 3 } });
    const { rows: failed } = await imports.rows(done.id, 'outcome=fail');
    expect(failed.map(({ line, faults }) => [line, faults[0]?.code])).toEqual([
      [2, 'too_long'],
      [3, 'forbidden_characters'],
      [4, 'too_long'],
    ]);
    expect(await values(table, 'name', 'code')).toEqual([
      ['short', null],
      ['many', 'y'],
      ['__proto__', 'H6'],
    ]);
    const wide = await imports.upload(
      table,
      'wide.csv',
      csv(Array.from({ length: 600 }, (_, i) => `列${i}`).join(','), Array.from({ length: 600 }, () => '1').join(',')),
    );
    const look = await imports.look(wide.id);
    expect([look.columns.length, look.columns[599]?.name]).toEqual([600, '列599']);
    expect((await imports.look((await imports.upload(table, 'twice.csv', csv('品名,品名', 'a,b'))).id)).notes).toEqual(['列名重复：品名']);
  });

  test('an empty file, a header alone, and files that are something else are told in words', async () => {
    const table = await teaTable();
    const unread = async (name: string, content: Buffer | string): Promise<string> => imports.unread((await imports.upload(table, name, content)).id);
    expect(await unread('empty.csv', ' \n\n')).toBe('文件是空的。');
    expect(await unread('old.xls', Buffer.from('d0cf11e0a1b11ae1', 'hex'))).toMatch(/旧版 Excel/);
    expect(await unread('x.csv', Buffer.from('%PDF-1.7 etc'))).toMatch(/不是 CSV/);
    expect(await unread('x.xlsx', Buffer.from('PK\u0003\u0004 no zip'))).toMatch(/已损坏/);
    expect(await unread('x.xlsx', zipOf({ 'word/document.xml': '<a/>' }))).toMatch(/已损坏/);
    expect(await unread('x.json', '[{"a":1},')).toMatch(/中途结束/);
    const header = await imports.run(table, 'head.csv', '品名,编号\n', ['name', 'code']);
    expect(header).toMatchObject({ state: 'done', counts: { rows: 0, insert: 0 } });
    const broken = await imports.run(table, 'cut.json', '[{"name":"a"},{"name":"b"', ['name']);
    expect(broken).toMatchObject({ state: 'failed', error: '文件在第 1 行开始的记录中途结束。' });
  });

  test('JSON: an array, a wrapped one, and one object a line; values that are no texts, and keys that are traps', async () => {
    const table = await calls.table({
      title: `JSON ${++made}`,
      fields: [
        { type: 'text', title: 'Name', key: 'name' },
        { type: 'json', title: 'Data', key: 'data' },
        { type: 'tags', title: 'Tags', key: 'tags' },
        { type: 'geo', title: 'Where', key: 'geo' },
        { type: 'switch', title: 'On', key: 'on' },
      ],
    });
    const objects = [
      { name: 'a', data: { deep: [1, 'x'] }, tags: ['x, y', 'z'], geo: { lat: 30.2, lng: 120.1 }, on: true },
      { name: 12, data: '12', tags: null, on: false },
      { data: 12, name: '\ud800', __proto__: null },
    ];
    const text = objects.map((one) => JSON.stringify(one));
    const trap = '{"__proto__":{"admin":true},"constructor":"x","name":"trap","data":null}';
    const expected = [
      ['a', { deep: [1, 'x'] }, ['x, y', 'z'], { lat: 30.2, lng: 120.1 }, true],
      ['12', '12', null, null, false],
      ['trap', null, null, null, null],
    ];
    for (const content of [
      `[${[...text, trap].join(',')}]`,
      `{"meta": {"rows": 1}, "records": [\n${[...text, trap].join(',\n')}\n]}`,
      [...text, trap].join('\n'),
    ]) {
      const done = await imports.run(table, 'a.json', content, ['name', 'data', 'tags', 'geo', 'on'], { leaveOut: true });
      expect(done).toMatchObject({ state: 'done', counts: { rows: 4, insert: 3, fail: 1 } });
      expect((await imports.rows(done.id, 'outcome=fail')).rows.map(({ row, faults }) => [row, faults[0]?.code])).toEqual([[2, 'forbidden_characters']]);
      expect(await values(table, 'name', 'data', 'tags', 'geo', 'on')).toEqual(expected);
      await owner.send('POST', `${imports.path(done.id)}/undo`);
    }
    const odd = await tried(table, 'b.json', '[{"name":"a"}, 5, {"name":"b",}, {"name":"c"}]', { columns: columnsTo(['name']) });
    expect(odd.counts).toMatchObject({ rows: 4, insert: 2, fail: 2 });
  });

  /** A workbook of two sheets, the first of them empty; `sheet` is what stands in `worksheet`. */
  const book = (sheet: string, shared: readonly string[] = []): Buffer => {
    const rel = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
    return zipOf({
      'xl/workbook.xml': `<workbook xmlns:r="${rel}"><sheets><sheet name="空" sheetId="1" r:id="a"/><sheet name="茶" sheetId="2" r:id="b"/></sheets></workbook>`,
      'xl/_rels/workbook.xml.rels': `<Relationships><Relationship Id="a" Target="worksheets/a.xml"/><Relationship Id="b" Target="/xl/worksheets/b.xml"/></Relationships>`,
      'xl/worksheets/a.xml': '<worksheet><sheetData/></worksheet>',
      'xl/worksheets/b.xml': `<worksheet>${sheet}</worksheet>`,
      'xl/sharedStrings.xml': `<sst>${shared.map((text) => `<si>${text}</si>`).join('')}</sst>`,
      'xl/styles.xml':
        '<styleSheet><numFmts><numFmt numFmtId="170" formatCode="yyyy&quot;年&quot;m&quot;月&quot;d&quot;日&quot;"/></numFmts><cellXfs><xf numFmtId="0"/><xf numFmtId="14"/><xf numFmtId="170"/><xf numFmtId="10"/></cellXfs></styleSheet>',
    });
  };

  test('a workbook: shared and own texts, days, yes and no, results of formulas, sheets by name, and merged cells are named', async () => {
    const table = await teaTable();
    const sheet = `<sheetData>
      <row r="1"><c r="A1" t="s"><v>0</v></c><c r="B1" t="inlineStr"><is><t>编号</t></is></c><c r="C1" t="s"><v>1</v></c><c r="D1" t="inlineStr"><is><t>上市</t></is></c></row>
      <row r="3"><c r="A3" t="s"><v>2</v></c><c r="B3"><v>7</v></c><c r="C3"><f>1+1</f><v>0.30000000000000004</v></c><c r="D3" s="1"><v>46113</v></c></row>
      <row r="4"><c r="A4" t="str"><f>"=cmd"</f><v>=cmd|x</v></c><c r="B4" t="b"><v>1</v></c><c r="C4" s="3"><v>0.125</v></c><c r="D4" s="2"><v>46114</v></c></row>
      <row r="5"><c r="B5"><v>1E+3</v></c><c r="C5" t="e"><v>#N/A</v></c></row>
    </sheetData><mergeCells count="1"><mergeCell ref="A4:A5"/></mergeCells>`;
    const content = book(sheet, ['<t>品名</t>', '<t>价格</t>', '<r><t>龙</t></r><r><t xml:space="preserve">井 </t></r><rPh><t>long</t></rPh>']);
    const { id } = await imports.upload(table, '茶.xlsx', content);
    expect(await imports.unread(id)).toBe('文件里没有任何列。');
    const look = await imports.look(id, { sheet: '茶' });
    expect([look.sheets, look.notes, look.rows]).toEqual([
      ['空', '茶'],
      ['有合并单元格（A4:A5），只有每处的第一个单元格有值。'],
      [
        ['龙井 ', '7', '0.3', '2026-04-01'],
        ['=cmd|x', 'TRUE', '12.5%', '2026-04-02'],
        ['', '1000', '#N/A', ''],
      ],
    ]);
    await imports.start(id, { columns: columnsTo(['name', 'code', 'price', 'since']), read: { sheet: '茶' }, leaveOut: true });
    expect((await imports.ended(id)).counts).toEqual({ rows: 3, insert: 2, update: 0, skip: 0, fail: 1 });
    expect(await values(table, 'name', 'code', 'price', 'since')).toEqual([
      ['龙井 ', '7', '0.3', '2026-04-01'],
      ['=cmd|x', 'TRUE', '12.5', '2026-04-02'],
    ]);
  });

  test('a workbook that unpacks to gigabytes is refused before it is unpacked, one that lies about its size while it is', async () => {
    const table = await teaTable();
    const bomb = book(`<sheetData><row r="1"><c t="inlineStr"><is><t>a</t></is></c></row></sheetData><!--${' '.repeat(2 ** 20)}-->`);
    // The sizes that the central directory names for the second sheet: four gigabytes, and far too few.
    const sized = (size: number): Buffer => {
      const changed = Buffer.from(bomb);
      const entry = changed.indexOf('xl/worksheets/b.xml', changed.indexOf('PK\u0001\u0002'));
      changed.writeUInt32LE(size, entry - 46 + 24);
      return changed;
    };
    expect(await imports.unread((await imports.upload(table, 'bomb.xlsx', sized(2 ** 32 - 2))).id, { sheet: '茶' })).toMatch(/解压后过大/);
    expect(await imports.unread((await imports.upload(table, 'liar.xlsx', sized(100))).id, { sheet: '茶' })).toMatch(/已损坏/);
    const many = await owner.send('POST', imports.path(), { table: table.id, name: 'a.xlsx', size: 51 * 2 ** 20 });
    expect(many.json<{ code: string }>().code).toBe('too_large');
  });
});

describe('what becomes of rows', () => {
  test('by their natural key rows change what there is, empty cells keep or clear, and a key that stands twice is a fault of the second', async () => {
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
    expect(outcomes.map(({ outcome, id, faults }) => [outcome, id, faults.map(({ text }) => text)])).toEqual([
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
    // Of a unique field what another record has is taken, and what an earlier row has, too.
    const taken = await tried(table, 'c.csv', csv('品名,编号', 'x,K1', 'y,U', 'z,U'), { columns: columnsTo(['name', 'code']) });
    expect((await imports.rows(taken.id)).rows.map(({ faults }) => faults[0]?.code ?? null)).toEqual(['taken', null, 'twice']);
    // Undoing gives all of it back, and counts what somebody has changed since.
    await calls.send('PATCH', `tables/${table.id}/records`, { changes: [{ id: first, values: { name: '别人' } }] });
    const undone = (await owner.send('POST', `${imports.path(trial.id)}/undo`)).json<{ data: TableImport }>().data;
    expect(undone).toMatchObject({ state: 'done', undone: true, undoSkipped: 1 });
    expect(await values(table, 'name', 'code')).toEqual([
      ['别人', 'K1'],
      ['同', 'K2'],
    ]);
    expect(await calls.refused('POST', `imports/${trial.id}/undo`)).toBe('bad_transition');
  });

  test('titles that name no choice are listed; with addChoices they are made, and go with the import when it is undone', async () => {
    const table = await teaTable();
    const content = csv('品名,种类,标签,负责人', 'a,绿茶,"春, 新",林', 'b,红茶,春,', 'c,红 茶,,没有的人');
    const plan = { columns: columnsTo(['name', 'kind', 'tags', 'person']), leaveOut: true };
    const without = await tried(table, 'a.csv', content, plan);
    const id = (key: string): string => table.fields.find((one) => one.key === key)?.id ?? '';
    expect(without).toMatchObject({ counts: { insert: 0, fail: 3 }, newChoices: { [id('kind')]: ['红茶', '红 茶'], [id('tags')]: ['春', '新'] } });
    await imports.start(without.id, { ...plan, addChoices: true }, { dryRun: true });
    expect((await imports.ended(without.id)).counts).toMatchObject({ insert: 2, fail: 1 });
    expect((await imports.rows(without.id, 'outcome=fail')).rows[0]?.faults).toEqual([
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
    // Those that records in the bin have stay with them.
    expect([await choices('kind'), await choices('tags'), await calls.rows(table.id)]).toEqual([['绿茶', '红茶'], ['春', '新'], []]);
  });

  test('a new table is made of a file when it is really imported, and thrown away when that is undone; new fields of a table likewise', async () => {
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
    expect(done).toMatchObject({ state: 'done', madeTable: true, counts: { insert: 3 } });
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
    // Into the table that there is now, with one field more.
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
    // The same columns again are known from the last time.
    const known = await imports.look((await imports.upload(wider, 'again.csv', csv('城市,别称', 'x,y'))).id);
    expect(known.columns.map(({ field }) => field)).toEqual([wider.fields[0]?.id, wider.fields.at(-1)?.id]);
    await owner.send('POST', `${imports.path(more.id)}/undo`);
    expect((await calls.get<ContentTable>(`tables/${table.id}`)).fields.map(({ title }) => title)).not.toContain('别称');
    await owner.send('POST', `${imports.path(id)}/undo`);
    expect(await tables()).not.toContain('城市');
  });

  test('the trial counts what the import then does, whatever stands in the file', async () => {
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

describe('what comes between', () => {
  const total = 3200;
  const large = csv('品名,编号', ...Array.from({ length: total }, (_, i) => `T${i},L${i}`));
  const counted = async (table: ContentTable, condition = 'deleted_at is null'): Promise<number> =>
    (await ask<{ n: number }>(t, site, `select count(*)::int as n from $site.${table.id} where ${condition}`))[0]?.n ?? -1;
  /** A worker that does the job's work through `run`. */
  const workWith = (run: (job: RunningJob) => Promise<void>) => startWorker(t.ctx, [defineJob('tables.import', run)], [], { pollEvery: 30, concurrency: 1 });
  const really = (job: RunningJob) => importJob.run(job, t.ctx);

  test('killed between pieces and within one, it goes on where it was: each row once, in one batch, undone as a whole by a job', async () => {
    const table = await teaTable();
    const kept = await values(table, 'name', 'code');
    const { id } = await imports.upload(table, 'large.csv', large);
    await rest();
    await imports.start(id, { columns: columnsTo(['name', 'code']) });
    const { jobId } = await imports.get(id);
    // Dies behind the second thousand, without a word; then in the middle of the third, its transaction open.
    for (const when of ['between', 'within']) {
      let revive = (): void => undefined;
      let dead = false;
      const dying = workWith((job) =>
        importJob.run(
          {
            ...job,
            progress: async (done, of) => {
              await job.progress(done, of);
              if (dead || (await counted(table)) < (when === 'between' ? 2000 : 3000)) return;
              dead = true;
              await new Promise<void>((resolve) => (revive = resolve));
              throw new Error('dead');
            },
          },
          when === 'between' ? t.ctx : { ...t.ctx },
        ),
      );
      await until(() => dead, 30_000);
      await ask(t, site, `update jobs set lease_by = 'dead', lease_until = now() - interval '1 minute', attempts = 0 where id = $1`, [jobId]);
      if (when === 'within') {
        // What a killed process had written and not committed is gone; what it believes it may write is refused.
        const next = workWith(really);
        await imports.ended(id);
        await next.close();
      }
      revive();
      await dying.close();
    }
    const done = await imports.get(id);
    expect(done).toMatchObject({ state: 'done', counts: { rows: total, insert: total, fail: 0 } });
    expect([await counted(table), (await ask(t, site, `select 1 from $site.${table.id} group by ${table.fields[1]?.id} having count(*) > 1`)).length]).toEqual([
      total,
      0,
    ]);
    const batches = await ask<{ id: string; created: number }>(t, site, `select id, created from content_batches where table_id = $1 and door = 'import'`, [
      table.id,
    ]);
    expect(batches).toEqual([{ id: done.batchId, created: total }]);
    // Undone by a job, which is killed as well.
    const [one] = await calls.rows(table.id, 'fields=-');
    await calls.send('PATCH', `tables/${table.id}/records`, { changes: [{ id: one?.id, values: { name: '别人' } }] });
    const begun = (await owner.send('POST', `${imports.path(id)}/undo`)).json<{ data: TableImport }>().data;
    expect(begun).toMatchObject({ state: 'done', undone: false });
    expect(await calls.refused('POST', `imports/${id}/undo`)).toBe('bad_transition');
    let dead = false;
    const dying = workWith((job) =>
      really({
        ...job,
        progress: async (seen, of) => {
          await job.progress(seen, of);
          if (seen < 2000) return;
          dead = true;
          throw new Error('dead');
        },
      }),
    );
    await until(() => dead);
    await until(async () => (await ask(t, site, `select 1 from jobs where id = $1 and state = 'queued'`, [begun.jobId])).length === 1);
    await dying.close();
    await ask(t, site, `update jobs set run_after = now() - interval '1 minute' where id = $1`, [begun.jobId]);
    const next = workWith(really);
    await imports.ended(id);
    await next.close();
    expect(await imports.get(id)).toMatchObject({ undone: true, undoSkipped: 1 });
    expect(await values(table, 'name', 'code')).toEqual([...kept, ['别人', 'L0']]);
    const undos = await ask<{ removed: number }>(t, site, `select removed from content_batches where table_id = $1 and door = 'undo'`, [table.id]);
    expect(undos).toEqual([{ removed: total - 1 }]);
  });

  test('cancelled, it goes on when it is started again; of two imports into a table one waits', async () => {
    const table = await teaTable();
    const [a, b] = [await imports.upload(table, 'a.csv', large), await imports.upload(table, 'b.csv', csv('品名,编号', 'last,LAST'))];
    await rest();
    const plan = { columns: columnsTo(['name', 'code']) };
    await imports.start(a.id, plan);
    expect(await imports.start(b.id, plan)).toMatchObject({ state: 'running', jobId: null });
    const stopping = workWith((job) =>
      really({
        ...job,
        progress: async (done, of) => {
          if ((await counted(table)) >= 1000 && !job.cancelled) {
            await owner.send('POST', `${imports.path(a.id)}/cancel`);
            await until(() => job.cancelled);
          }
          await job.progress(done, of);
        },
      }),
    );
    expect(await imports.ended(a.id)).toMatchObject({ state: 'cancelled', counts: { insert: 1000 }, batchId: expect.any(String) });
    await stopping.close();
    work();
    expect(await imports.ended(b.id)).toMatchObject({ state: 'done' });
    expect(await calls.refused('POST', `imports/${a.id}/start`, { plan, dryRun: true })).toBe('bad_transition');
    expect(await calls.refused('POST', `imports/${a.id}/start`, { plan: { ...plan, emptyCells: 'clear' }, dryRun: false })).toBe('conflict');
    await imports.start(a.id, plan);
    expect(await imports.ended(a.id)).toMatchObject({ state: 'done', counts: { rows: total, insert: total } });
    expect(await counted(table)).toBe(total + 1);
  });

  test('what somebody else writes between trial and import stops it with the line, and may be left out then', async () => {
    const table = await teaTable();
    const plan = { columns: columnsTo(['name', 'code']) };
    const trial = await tried(table, 'a.csv', csv('品名,编号', 'a,X1', 'b,X2'), plan);
    await calls.add(table.id, [{ code: 'X2' }]);
    await imports.start(trial.id, plan);
    expect(await imports.ended(trial.id)).toMatchObject({ state: 'failed', error: expect.stringContaining('第 3 行') });
    expect(await counted(table)).toBe(1);
    await imports.start(trial.id, { ...plan, leaveOut: true });
    expect(await imports.ended(trial.id)).toMatchObject({ state: 'done', counts: { insert: 1, fail: 1 } });
  });

  test('other people’s imports and those of other sites are not there; viewers import nothing, editors no tables, fields and choices', async () => {
    const table = await teaTable();
    const viewer = await personOn(t, site, 'viewer');
    const other = await t.makeSite(owner, { name: '别处' });
    const { id } = await imports.upload(table, 'a.csv', 'a,b\n1,2\n', editor);
    const code = async (by: Person, method: 'GET' | 'POST' | 'DELETE', url: string, body?: object): Promise<string> => {
      const answer = method === 'GET' ? await by.get(url) : await by.send(method, url, body);
      return answer.statusCode < 300 ? 'ok' : answer.json<{ code: string }>().code;
    };
    const plan = { columns: columnsTo(['name', 'code']) };
    const second = await personOn(t, site, 'editor');
    for (const [method, part, body] of [
      ['GET', ''],
      ['POST', '/look', {}],
      ['POST', '/start', { plan, dryRun: true }],
      ['POST', '/cancel'],
      ['POST', '/undo'],
      ['DELETE', ''],
      ['GET', '/rows'],
      ['GET', '/faults'],
    ] as const) {
      expect([part, await code(second, method, `${imports.path(id)}${part}`, body)]).toEqual([part, 'not_found']);
      expect([part, await code(owner, method, `/api/site/${other.id}/table/imports/${id}${part}`, body)]).toEqual([part, 'not_found']);
    }
    expect(await code(owner, 'GET', imports.path(id))).toBe('ok');
    expect((await second.get(imports.path())).json<{ data: unknown[] }>().data).toEqual([]);
    const begin = (by: Person, into: string | null) => code(by, 'POST', imports.path(), { table: into, name: 'a.csv', size: 3 });
    expect([await begin(viewer, table.id), await begin(viewer, null), await begin(editor, null), await begin(editor, 'nowhere')]).toEqual([
      'forbidden',
      'forbidden',
      'forbidden',
      'not_found',
    ]);
    const startAs = (more: object) => code(editor, 'POST', `${imports.path(id)}/start`, { plan: { ...plan, ...more }, dryRun: true });
    expect(await startAs({ addChoices: true })).toBe('forbidden');
    expect(await startAs({ columns: [{ column: 0, to: { new: { title: 'x', type: 'text' } } }] })).toBe('forbidden');
    expect(await startAs({ columns: columnsTo(['name', 'name']) })).toBe('invalid_fields');
    expect(await startAs({ columns: columnsTo(['nothing']) })).toBe('invalid_fields');
    expect(await startAs({ key: ['price'] })).toBe('invalid_fields');
    expect(await startAs({ publish: true })).toBe('conflict');
    expect(await startAs({})).toBe('ok');
    await imports.ended(id);
  });

  test('rights that hold for some records, translations and publishing: a row is written wholly or not at all, as the trial says', async () => {
    const table = await calls.table({
      title: `篇 ${++made}`,
      drafts: true,
      locales: ['zh-CN', 'en'],
      fields: [
        { type: 'text', title: '题', key: 'title', localized: true, required: true },
        { type: 'number', title: '级', key: 'level' },
      ],
    });
    const [mine = '', other = ''] = await calls.add(table.id, [
      { title: '甲', level: '1' },
      { title: '乙', level: '9' },
    ]);
    for (const action of ['create', 'update'] as const)
      await setRule(t, table, site, { role: 'editor', action, allowed: true, fields: null, filter: { field: 'level', op: 'lt', value: '5' } });
    const by = importsOf(t, editor, site);
    const plan = {
      columns: [
        { column: 0, to: { field: 'title' } },
        { column: 1, to: { field: 'title', locale: 'en' } },
        { column: 2, to: { field: 'level' } },
      ],
      key: ['title'],
      publish: true,
      leaveOut: true,
    };
    const { id } = await by.upload(table, 'a.csv', csv('题,en,级', '甲,First,2', '乙,Second,', '丙,Third,3', '丁,Fourth,8', ',Fifth,1', '戊,"two\nlines",1'));
    await by.start(id, plan, { dryRun: true });
    const trial = await by.ended(id);
    const codes = async () => (await by.rows(id)).rows.map(({ outcome, faults }) => faults[0]?.code ?? outcome);
    expect([trial.counts, await codes()]).toEqual([
      { rows: 6, insert: 2, update: 1, skip: 0, fail: 3 },
      ['update', 'forbidden', 'insert', 'forbidden', 'required', 'insert'],
    ]);
    await by.start(id, plan);
    expect((await by.ended(id)).counts).toEqual(trial.counts);
    const rows = await calls.rows(table.id, 'locale=en');
    expect(rows.map(({ state, values: v }) => [state, v.title, v.level])).toEqual([
      ['published', 'First', '2'],
      ['draft', '乙', '9'],
      ['published', 'Third', '3'],
      ['published', 'two lines', '1'],
    ]);
    await editor.send('POST', `${by.path(id)}/undo`);
    expect((await calls.rows(table.id, 'locale=en')).map(({ id: at, state, values: v }) => [at, state, v.title, v.level])).toEqual([
      [mine, 'draft', '甲', '1'],
      [other, 'draft', '乙', '9'],
    ]);
  });

  test('uploads that nobody goes on with for a week are forgotten, with what lies on the disk; others stay', async () => {
    const table = await teaTable();
    const { id } = await imports.upload(table, 'a.csv', 'a,b\n1,2\n');
    await tendTableImports(t.ctx);
    expect((await imports.get(id)).state).toBe('ready');
    const later = { ...t.ctx, now: () => Date.now() + 8 * 86_400_000 };
    await tendTableImports(later);
    expect(await calls.refused('POST', `imports/${id}/look`, {})).toBe('not_found');
    // What has written something is kept for a month, whether it ended well or not.
    const done = await imports.run(table, 'b.csv', 'a,b\n1,2\n', ['name', 'code']);
    await tendTableImports(later);
    expect((await imports.get(done.id)).state).toBe('done');
    expect((await imports.rows(done.id)).rows[0]?.cells).toEqual(['1', '2']);
    await tendTableImports({ ...t.ctx, now: () => Date.now() + 31 * 86_400_000 });
    expect(await calls.refused('POST', `imports/${done.id}/look`, {})).toBe('not_found');
  });
});
