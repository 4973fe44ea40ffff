import { makeTestApp } from '../support/app';
import type { TestApp } from '../support/app';
import { makeTabled } from '../support/tables';
import type { Tabled } from '../support/tables';

let program: TestApp;
let testTable: Tabled;
const records = async (body: object) => testTable.owner.send('POST', `${testTable.path}/records`, body);
beforeAll(async () => {
  program = await makeTestApp();
  testTable = await makeTabled(program, [
    { key: 'name', type: 'text' },
    { key: 'code', type: 'barcode', unique: true, options: { symbology: 'ean13' } },
  ]);
});
afterAll(() => program.close());

test('a barcode is stored as digits and must be unique', async () => {
  await records({ records: [{ name: 'Tea', code: '5 901234 123457' }] });
  expect((await testTable.owner.get(`${testTable.path}/records`)).body).toContain('"5901234123457"');
  expect((await records({ records: [{ name: 'Tea again', code: '5901234123457' }] })).body).toContain('"taken"');
});

test('a wrong check digit is reported on its field', async () => {
  const answer = await records({ records: [{ name: 'Cup', code: '5901234123458' }] });
  expect(answer.body).toContain('"pattern"');
});

test('filters treat barcodes as text', async () => {
  const filter = encodeURIComponent(JSON.stringify({ field: 'code', op: 'starts', value: '590' }));
  expect((await testTable.owner.get(`${testTable.path}/records?filter=${filter}`)).body).toContain('"5901234123457"');
});

test('an unknown symbology is refused', async () => {
  const answer = await testTable.owner.send('POST', `${testTable.path}/fields`, {
    key: 'other',
    title: 'Other',
    type: 'barcode',
    options: { symbology: 'qr' },
  });
  expect(answer.statusCode).toBe(422);
});
