import { mkdtemp } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { Readable } from 'node:stream';
import { jest } from '@jest/globals';
import { eq } from 'drizzle-orm';
import { readText } from '../../contract/tables/fieldText';
import { fieldTypes } from '../../contract/tables/terms';
import type { ContentTable } from '../../contract/tables/schemas';
import { jobHandlers } from '../../server/areas';
import { siteGrants } from '../../server/areas/sites/schema';
import { plainOf } from '../../server/areas/tables/core/values/html';
import { openSource } from '../../server/areas/tables/transfer/read/open';
import { safeCell, unsafeCell } from '../../server/csv';
import { storedFile } from '../../server/stores/files/storedFile';
import { startWorker } from '../../server/worker';
import type { Worker } from '../../server/worker';
import { personOn, setRule } from '../integration/tablesLifeSupport';
import { columnsTo, importsOf } from '../integration/tablesTransferSupport';
import type { Imports } from '../integration/tablesTransferSupport';
import { zipOf } from '../integration/zip';
import { makeTestApp } from '../support/app';
import { sendChunk } from '../support/sendChunk';
import type { Person, TestApp } from '../support/app';
import { makeTabled } from '../support/tables';
import type { Tabled } from '../support/tables';

jest.setTimeout(30_000);
let program: TestApp;
let teas: Tabled;
let editor: Person;
let other: Person;
let imports: Imports;
let worker: Worker;
beforeAll(async () => {
  program = await makeTestApp({ config: { dataDir: await mkdtemp(path.join(os.tmpdir(), 'parts-')) } });
  teas = await makeTabled(
    program,
    [
      { key: 'name', type: 'text' },
      { key: 'code', type: 'text' },
      { key: 'cost', type: 'number' },
      { key: 'more', type: 'json' },
    ],
    { title: '茶' },
  );
  editor = await personOn(program, teas.site, 'editor');
  other = await personOn(program, teas.site, 'editor');
  imports = importsOf(program, teas.owner, teas.site);
  const [name, code, more] = ['name', 'code', 'more'].map((key) => teas.f[key] ?? '');
  const visibleFilter = { field: name ?? '', op: 'ne' as const, value: '密' };
  for (const action of ['read', 'update'] as const)
    await setRule(program, teas.table, teas.site, {
      role: 'editor',
      action,
      allowed: true,
      fields: [name ?? '', code ?? '', more ?? ''],
      filter: visibleFilter,
    });
  worker = startWorker(program.ctx, jobHandlers, [], { pollEvery: 30 });
});
afterAll(async () => {
  await worker.close();
  await program.close();
});

/** Duration in ms. */
const timed = async (work: () => unknown): Promise<number> => {
  const begin = performance.now();
  await work();
  return performance.now() - begin;
};
const table = (): ContentTable => teas.table;

const rel = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const book = (sheet: string, more: Readonly<Record<string, string>> = {}): Buffer =>
  zipOf({
    'xl/workbook.xml': `<workbook xmlns:r="${rel}"><sheets><sheet name="a" sheetId="1" r:id="a"/></sheets></workbook>`,
    'xl/_rels/workbook.xml.rels': '<Relationships><Relationship Id="a" Target="worksheets/a.xml"/></Relationships>',
    'xl/worksheets/a.xml': `<worksheet>${sheet}</worksheet>`,
    ...more,
  });
const cell = (text: string, attributes = ''): string => `<row${attributes}><c t="inlineStr"><is><t>${text}</t></is></c></row>`;
const rows = `<sheetData>${cell('name')}${cell('a')}</sheetData>`;

describe('small workbooks with costly contents', () => {
  test.each([
    ['elements within elements', book(`<sheetData>${'<a>'.repeat(3_000_000)}`), '损坏'],
    ['a text without end', book(`<sheetData><row><c t="inlineStr"><is><t>${'a'.repeat(40 * 2 ** 20)}</t></is></c></row></sheetData>`), '损坏'],
    [
      'one long text in every cell of a row',
      book(`<sheetData><row>${'<c t="s"><v>0</v></c>'.repeat(100)}</row></sheetData>`, {
        'xl/sharedStrings.xml': `<sst><si><t>${'a'.repeat(900_000)}</t></si></sst>`,
      }),
      '16 MB',
    ],
    ['entities that stand for entities', book(`<!DOCTYPE a [<!ENTITY b "bb"><!ENTITY c "&b;&b;">]>${rows.replace('>a<', '>&c;<')}`), '损坏'],
    ['parts beside that are too large', book(rows, { 'xl/styles.xml': `<styleSheet>${'<xf/>'.repeat(5_000_000)}</styleSheet>` }), '20 MB'],
  ])('%s: refused', async (_, content, expectedText) => {
    const { id } = await imports.upload(table(), 'x.xlsx', content);
    let said = '';
    expect(await timed(async () => (said = await imports.unread(id)))).toBeLessThan(8000);
    expect(said).toContain(expectedText);
  });

  test.each([
    ['tags that are no ranges', book(`<sheetData>${cell('name').repeat(1500)}</sheetData>${'<mergeCell '.repeat(400_000)}`), {}],
    [
      'formats that are brackets',
      book(rows, {
        'xl/styles.xml': `<styleSheet><numFmts><numFmt numFmtId="170" formatCode="${'['.repeat(1_000_000)}"/></numFmts><cellXfs><xf numFmtId="170"/></cellXfs></styleSheet>`,
      }),
      {},
    ],
  ])('%s: read quickly', async (_, content, read) => {
    const { id } = await imports.upload(table(), 'x.xlsx', content);
    expect(await timed(() => imports.unread(id, read))).toBeLessThan(5000);
  });

  /** Changes the central directory entry of `part`; `at` is the offset within the entry (APPNOTE 4.3.12). */
  const forged = (part: string, at: number, bytes: readonly number[]): Buffer => {
    const changed = Buffer.from(book(rows));
    Buffer.from(bytes).copy(changed, changed.indexOf(part, changed.indexOf('PK\u0001\u0002')) - 46 + at);
    return changed;
  };
  const part = 'xl/worksheets/a.xml';
  const ones = [255, 255, 255, 255];
  test.each([
    ['sizes that are elsewhere, where nothing is (zip64)', forged(part, 20, [...ones, ...ones])],
    ['a place outside of the file', forged(part, 42, [255, 255, 255, 127])],
    ['a way of packing that nobody knows', forged(part, 10, [99, 0])],
    ['an entry under lock and key', forged(part, 8, [1, 0])],
    ['more entries than any workbook has', book(rows, Object.fromEntries(Array.from({ length: 6000 }, (_, n) => [`xl/media/${n}.xml`, ''])))],
    ['names that lead out of the archive', book(rows, { '../../../etc/cron.d/x.xml': '<a/>' })],
    ['a name that is a drive', book(rows, { 'C:/x.xml': '<a/>' })],
    ['an entity that is a file', book(`<!DOCTYPE a [<!ENTITY b SYSTEM "file:///etc/passwd">]>${rows.replace('>a<', '>&b;<')}`)],
  ])('%s: refused with a message', async (_, content) => {
    const { id } = await imports.upload(table(), 'x.xlsx', content);
    expect(await imports.unread(id)).toMatch(/损坏|过大/);
  });

  test('invalid row numbers keep their order and add no rows', async () => {
    const all = [cell('name'), ...[' r="1e999"', ' r="2.5"', ' r="-7"', ' r="1048576"'].map((attribute, at) => cell(`行${at}`, attribute))];
    const { id } = await imports.upload(table(), 'x.xlsx', book(`<sheetData>${all.join('')}</sheetData>`));
    await imports.start(id, { columns: columnsTo(['name']) }, { dryRun: true });
    expect((await imports.ended(id)).counts).toMatchObject({ rows: 4, insert: 4 });
    expect((await imports.rows(id)).rows.map(({ line }) => line)).toEqual([2, 3, 4, 1_048_576]);
  });
});

test('dangerous, deeply nested or infinite JSON fails its row', async () => {
  const deep = `${'['.repeat(100_000)}${']'.repeat(100_000)}`;
  const file = `[{"name":"a","more":${deep}},{"name":"b","more":{"__proto__":{"x":1}}},{"name":"c","more":{"x":1e999}},{"name":"d","__proto__":1}]`;
  const { id } = await imports.upload(table(), 'x.json', file);
  expect((await imports.look(id)).columns.map(({ name }) => name)).toEqual(['name', 'more', '__proto__']);
  await imports.start(id, { columns: columnsTo(['name', 'more', null]) }, { dryRun: true });
  const done = await imports.ended(id);
  expect([done.error, done.counts?.rows, done.counts?.fail]).toEqual([null, 4, 3]);
  expect((await imports.rows(id, 'outcome=fail')).rows.map(({ row }) => row)).toEqual([0, 1, 2]);
});

test('a line of 200 MB is refused after 16 MB', async () => {
  const { files } = program.ctx;
  const key = 'table-imports/long-line/upload';
  const megabyte = Buffer.alloc(2 ** 20, 'a,');
  await files.put(key, Readable.from(['name\n', ...Array.from({ length: 200 }, () => megabyte)]));
  const source = await openSource(storedFile(files, key), 'line.csv', {});
  let rowsRead = 0;
  const read = async (): Promise<void> => {
    for await (const some of source.rows) rowsRead += some.length;
  };
  await expect(read()).rejects.toMatchObject({ error: { code: 'row_too_long', line: 2 } });
  source.close();
  expect([rowsRead, source.bytesRead() < 64 * 2 ** 20]).toEqual([0, true]);
  await files.removeAll('table-imports/long-line');
});

test('a megabyte in any cell is read or refused quickly', async () => {
  const texts = ['1'.padEnd(1_000_000) + 'x', '2026-01-01 '.padEnd(1_000_000) + 'x', '★'.repeat(1_000_000) + 'x', '1,'.repeat(500_000), '('.padEnd(1_000_000)];
  const titles = Array.from({ length: 120_000 }, (_, at) => `t${at}`).join(',');
  const choices = Array.from({ length: 500 }, (_, at) => ({ id: `c${at}`, title: `${at}`, color: 'grey' as const }));
  const took = await timed(() => {
    for (const type of fieldTypes) for (const text of [...texts, titles]) readText({ type, options: { choices } }, text, { timeZone: 'Asia/Shanghai' });
  });
  expect(took).toBeLessThan(12_000);
  expect(readText({ type: 'number', options: {} }, '1'.padEnd(1_000_000) + 'x').ok).toBe(false);
  expect(await timed(() => plainOf('<br '.repeat(200_000)))).toBeLessThan(2000);
  expect(await timed(() => plainOf(`<table><tr>${'<td></td>'.repeat(110_000)}x</tr></table>`))).toBeLessThan(2000);
});

test.each(['=1', ' =1', '\u3000＝1', '\u00a0\u200b@a', "'=1", '\t1', '\r=1', ' - 茶', "''  +1"])('escaping %j is reversible', (text) => {
  expect(safeCell(text)).toBe(`'${text}`);
  expect(unsafeCell(safeCell(text))).toBe(text);
});

test('an import reads and changes only records its starter may see', async () => {
  const secret = await teas.owner.send('POST', `${teas.path}/records`, {
    records: [
      { name: '密', code: 'K1', cost: 777_001 },
      { name: '龙井', code: 'K2', cost: 777_002 },
    ],
  });
  const [hiddenId = '', openId = ''] = secret.json<{ data: { records: { id: string }[] } }>().data.records.map(({ id }) => id);
  const { id } = await imports.upload(table(), 'x.csv', 'code,more\nK1,1\nK2,2\n', editor);
  await imports.start(id, { columns: columnsTo(['code', 'more']), key: ['code'], onNew: 'insert' }, { dryRun: true }, editor);
  await imports.ended(id);
  const plan = await editor.get(imports.path(`${id}/rows`));
  expect(plan.json()).toMatchObject({
    data: {
      rows: [
        { outcome: 'insert', id: null },
        { outcome: 'update', id: openId },
      ],
    },
  });
  await imports.start(id, { columns: columnsTo(['code', 'more']), key: ['code'], onNew: 'skip' }, {}, editor);
  expect((await imports.ended(id)).counts).toMatchObject({ update: 1, skip: 1 });
  const recordResponse = await teas.owner.get(`${teas.path}/records/${hiddenId}`);
  expect(recordResponse.json()).toMatchObject({ data: { revision: 1, values: { more: null } } });
  const closed = await editor.send('POST', imports.path(`${id}/undo`), {});
  expect(closed.statusCode).toBe(200);
  for (const answer of [plan, closed, await editor.get(imports.path(`${id}/errors`))]) expect(answer.body).not.toContain(hiddenId);

  const forbidden = await imports.upload(table(), 'y.csv', 'code,cost\nK2,1\n', editor);
  const started = await editor.send('POST', imports.path(`${forbidden.id}/start`), { dryRun: true, plan: { columns: columnsTo(['code', 'cost']) } });
  expect(started.json()).toMatchObject({ fields: { 'plan.columns.1.to.field': { code: 'unknown_field' } } });

  for (const format of ['csv', 'json']) {
    const file = await editor.get(`${teas.path}/export?format=${format}&withId=true`);
    expect(file.body).toContain('龙井');
    expect(file.body).not.toMatch(/密|77700|K1/);
  }
  const filter = encodeURIComponent(JSON.stringify({ field: 'cost', op: 'eq', value: 777_001 }));
  for (const query of [`filter=${filter}`, 'sort=cost', 'fields=cost']) expect((await editor.get(`${teas.path}/export?${query}`)).statusCode).toBe(422);
  expect((await editor.get(`${teas.path}/export?format=csv&ids=${hiddenId}`)).body).not.toContain('密');
  await teas.owner.send('DELETE', `${teas.path}/records`, { ids: [hiddenId] });
  expect((await editor.get(`${teas.path}/export?format=csv&trash=true`)).body).not.toMatch(/密|K1/);
});

test('an import is visible only to its owner on its site', async () => {
  const { id } = await imports.upload(table(), 'x.csv', 'name\na\n', editor);
  const away = await program.makeSite(teas.owner, { name: '别处' });
  const elsewhere = imports.path(id).replace(teas.site.id, away.id);
  const plan = { columns: columnsTo(['name']) };
  const refused = [
    await other.get(imports.path(id)),
    await other.get(imports.path(`${id}/rows`)),
    await other.get(imports.path(`${id}/errors`)),
    await other.send('POST', imports.path(`${id}/look`), {}),
    await other.send('POST', imports.path(`${id}/start`), { dryRun: true, plan }),
    await other.send('POST', imports.path(`${id}/undo`), {}),
    await other.send('DELETE', imports.path(id)),
    await sendChunk(other, imports.path(`${id}/file`), 0, Buffer.from('x')),
    await teas.owner.get(elsewhere),
    await teas.owner.send('POST', `${elsewhere}/start`, { dryRun: true, plan }),
  ];
  expect(refused.map((answer) => answer.statusCode)).toEqual(refused.map(() => 404));
  const late = await sendChunk(editor, imports.path(`${id}/file`), 0, Buffer.from('x'));
  expect(late.json()).toMatchObject({ code: 'bad_transition' });
});

test('of two simultaneous starts of an import, one succeeds', async () => {
  const { id } = await imports.upload(table(), 'x.csv', 'name,code\na,b\n', editor);
  const plans = [columnsTo(['name', null]), columnsTo([null, 'code'])];
  const answers = await Promise.all(plans.map((columns) => editor.send('POST', imports.path(`${id}/start`), { dryRun: false, plan: { columns } })));
  expect(answers.map((answer) => answer.statusCode).toSorted((a, b) => a - b)).toEqual([200, 409]);
  expect((await imports.ended(id)).counts).toMatchObject({ insert: 1 });
});

test('forbidden characters are refused, and long choice titles are cut', async () => {
  const field = await teas.owner.send('POST', `${teas.path}/fields`, { type: 'multiSelect', title: '种类', key: 'kinds', options: { choices: [] } });
  expect(field.statusCode).toBe(200);
  const records = ['x\u0000', 'y\ud800', 'z'.repeat(300_000), ...Array.from({ length: 150 }, (_, at) => `t${at}`)].map((kinds) => ({ name: '茶', kinds }));
  const { id } = await imports.upload(table(), 'x.json', JSON.stringify(records));
  await imports.start(id, { columns: columnsTo(['name', 'kinds']), key: ['name'] }, { dryRun: true });
  const done = await imports.ended(id);
  expect([done.error, done.counts?.fail]).toEqual([null, records.length]);
  await imports.start(id, { columns: columnsTo(['name', 'kinds']) }, { dryRun: true });
  const again = await imports.ended(id);
  expect([again.error, again.counts?.fail]).toEqual([null, records.length]);
  const titles = Object.values(again.newChoices).flat();
  expect([titles.length, titles.every((title) => title.length <= 200)]).toEqual([100, true]);
  const columns = columnsTo(['name']);
  const plans = [
    { columns, read: { sheet: '\u0000' } },
    { columns, read: { sheet: '\ud800' } },
    { columns: [{ column: 0, to: { new: { title: '新', type: 'text', options: { '\u0000': 'x' } } } }] },
    { columns: [{ column: 0, to: { new: { title: '新', type: 'select', options: { choices: [{ id: 'a', title: 'x\u0000', color: 'grey' }] } } } }] },
  ];
  plans.push({ columns: [{ column: 0, to: { new: { title: '新', type: 'select', options: { choices: [{ id: 'a', title: 'x\ud800', color: 'grey' }] } } } }] });
  const codes = await Promise.all(plans.map(async (plan) => (await teas.owner.send('POST', imports.path(`${id}/start`), { dryRun: true, plan })).statusCode));
  expect(codes).toEqual([422, 422, 422, 422, 400]);
});

test('a waiting import fails when its owner loses site access', async () => {
  const leaving = await personOn(program, teas.site, 'admin');
  const { id } = await imports.upload(table(), 'x.csv', 'name\n走\n', leaving);
  await worker.close();
  await imports.start(id, { columns: columnsTo(['name']) }, {}, leaving);
  await program.ctx.postgres.db.delete(siteGrants).where(eq(siteGrants.userId, leaving.userId));
  worker = startWorker(program.ctx, jobHandlers, [], { pollEvery: 30 });
  expect(await imports.ended(id)).toMatchObject({ state: 'failed', counts: null, batchId: null });
});

test.each(['127.0.0.1', '2130706433', '0177.0.0.1', '0x7f.1', '[::1]', '[::ffff:127.0.0.1]', '169.254.169.254', '0', 'localhost', '[64:ff9b::7f00:1]'])(
  'webhooks to %s are refused before anything is sent',
  async (host) => {
    const answer = await teas.owner.send('POST', teas.path.replace(/tables\/.*/, 'hooks'), { name: 'x', url: `http://${host}/`, events: ['record.created'] });
    expect(answer.json()).toMatchObject({ fields: { url: { code: 'reserved' } } });
  },
);
