import { makeTestApp } from '../support/app';
import { makeTabled } from '../support/tables';

test('an ISBN is stored as digits and a wrong check digit is refused', async () => {
  const program = await makeTestApp();
  const table = await makeTabled(program, [
    { key: 'title', type: 'text' },
    { key: 'isbn', type: 'isbn' },
  ]);
  const add = (isbn: string) => table.owner.send('POST', `${table.path}/records`, { records: [{ title: 'Tea', isbn }] });
  expect((await add('978-3-16-148410-0')).statusCode).toBe(200);
  expect((await add('978-3-16-148410-1')).body).toContain('"pattern"');
  expect((await table.owner.get(`${table.path}/records`)).body).toContain('"9783161484100"');
  await program.close();
});
