import { jest } from '@jest/globals';
import { columnsTo } from './tablesTransferSupport';
import { zipOf } from './zip';
import { owner, calls, imports, serial, teaTable, values, csv, tried } from './tablesTransferFixture';

jest.setTimeout(60_000);

describe('file formats', () => {
  /** Names and codes that an import of two columns created, or its error. */
  const readAs = async (name: string, content: Buffer | string, read: object = {}): Promise<unknown> => {
    const table = await teaTable();
    const done = await imports.run(table, name, content, ['name', 'code'], { read });
    return done.state === 'done' ? values(table, 'name', 'code') : done.error;
  };
  const rows = [
    ['龙井', 'A1'],
    ['普洱, 熟', 'A2'],
  ];

  test('encoding, delimiter, line ends and header row are detected', async () => {
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
    // No header, a quote within a cell, and an escaped formula as in our own exports.
    expect(await readAs('none.csv', '5" 管,x\n\'=1+1,y\n', { header: 0 })).toEqual([
      ['5" 管', 'x'],
      ['=1+1', 'y'],
    ]);
  });

  test('a broken quote fails its own row only, with the line', async () => {
    const table = await teaTable();
    const lines = Array.from({ length: 10_000 }, (_, i) => (i === 8998 ? `"T${i},C${i}` : i === 9500 ? `"T${i}" x,C${i}` : `T${i},C${i}`));
    const done = await tried(table, 'a.csv', csv('品名,编号', ...lines), { columns: columnsTo(['name', 'code']) });
    expect(done.counts).toEqual({ rows: 10_000, insert: 9998, update: 0, skip: 0, fail: 2 });
    const { rows: failed } = await imports.rows(done.id, 'outcome=fail');
    expect(failed.map(({ row, line, errors, cells }) => [row, line, errors[0]?.code, cells])).toEqual([
      [8998, 9000, 'quote_open', ['"T8998,C8998']],
      [9500, 9502, 'quote', ['"T9500" x,C9500']],
    ]);
    const page = await imports.rows(done.id, 'from=8990');
    expect([page.rows.length, page.next, page.rows[9]?.outcome]).toEqual([50, 9040, 'insert']);
    // Without `leaveOut`, nothing is written.
    await imports.start(done.id, { columns: columnsTo(['name', 'code']) });
    expect(await imports.ended(done.id)).toMatchObject({ state: 'failed', batchId: null, error: expect.stringContaining('2 行') });
    expect(await calls.rows(table.id)).toEqual([]);
    const file = await owner.get(`${imports.path(done.id)}/errors`);
    expect(file.body.split('\r\n').slice(0, 2)).toEqual(['\uFEFF品名,编号,行号,原因', '"""T8998,C8998",,9000,这一行的引号一直没有闭合']);
  });

  test('oversized cells, extra columns and forbidden characters fail their row', async () => {
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
    expect(failed.map(({ line, errors }) => [line, errors[0]?.code])).toEqual([
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

  test('empty, broken and foreign files are refused with a message', async () => {
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

  test('JSON is read as an array, a wrapped array or lines', async () => {
    const table = await calls.table({
      title: `JSON ${serial()}`,
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
      expect((await imports.rows(done.id, 'outcome=fail')).rows.map(({ row, errors }) => [row, errors[0]?.code])).toEqual([[2, 'forbidden_characters']]);
      expect(await values(table, 'name', 'data', 'tags', 'geo', 'on')).toEqual(expected);
      await owner.send('POST', `${imports.path(done.id)}/undo`);
    }
    const odd = await tried(table, 'b.json', '[{"name":"a"}, 5, {"name":"b",}, {"name":"c"}]', { columns: columnsTo(['name']) });
    expect(odd.counts).toMatchObject({ rows: 4, insert: 2, fail: 2 });
  });

  /** A workbook of two sheets, the first of them empty; `sheet` is the content of `worksheet`. */
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

  test('a workbook reads texts, dates, booleans, formulas and merged cells', async () => {
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

  test('a zip bomb is refused, also when it declares false sizes', async () => {
    const table = await teaTable();
    const bomb = book(`<sheetData><row r="1"><c t="inlineStr"><is><t>a</t></is></c></row></sheetData><!--${' '.repeat(2 ** 20)}-->`);
    // The sizes in the central directory for the second sheet: four gigabytes, and far too few.
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
