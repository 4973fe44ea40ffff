import { openTestStores } from '../support/stores';
import type { TestStores } from '../support/stores';

describe('stores', () => {
  let stores: TestStores;
  beforeAll(async () => {
    stores = await openTestStores();
  });
  afterAll(() => stores.close());

  it('gives each test file its own databases with the schema', async () => {
    const tables = await stores.clickhouse.query<{ name: string }>('SHOW TABLES');
    expect(tables.map(({ name }) => name)).toEqual(expect.arrayContaining(['hits', 'visits']));
    const { rows } = await stores.postgres.pool.query<{ name: string }>('SELECT current_database() AS name');
    expect(rows[0]?.name).toMatch(/^test_/);
  });
});
