import { ClickHouseAway } from '../../server/stores/clickhouse/types';
import { openTestStores } from '../support/stores';
import type { TestStores } from '../support/stores';
import { until } from '../support/until';
import { countHits, hex16, makeFolder, makeSite, openRig, viewHit, visitsOf } from './collectSupport';

let stores: TestStores;
beforeAll(async () => void (stores = await openTestStores()));
afterAll(() => stores.close());

test('visits left unwritten at lease loss are written when leases return', async () => {
  const folder = await makeFolder();
  const site = await makeSite(stores);
  let away = false;
  const clickhouse: typeof stores.clickhouse = {
    ...stores.clickhouse,
    insert: async (table, rows, options) => {
      if (away && table !== 'hits') throw new ClickHouseAway('away');
      await stores.clickhouse.insert(table, rows, options);
    },
    insertBytes: async (table, columns, rows, options) => {
      if (away && table !== 'hits') throw new ClickHouseAway('away');
      await stores.clickhouse.insertBytes(table, columns, rows, options);
    },
  };
  const rig = await openRig(stores, { dataDir: folder.dataDir, clickhouse });
  try {
    away = true;
    await rig.post({ body: { s: site, u: hex16(), h: [viewHit()] } });
    await until(async () => (await countHits(stores.clickhouse, site)) === 1);
    const lost = await stores.postgres.pool.query(
      `SELECT pg_terminate_backend(pid) FROM pg_locks WHERE locktype = 'advisory' AND classid = 21335 /* 0x5357 */ AND pid <> pg_backend_pid()
       AND database = (SELECT oid FROM pg_database WHERE datname = current_database()) GROUP BY pid`,
    );
    expect(lost.rowCount).toBe(1);
    await until(() => Promise.resolve(rig.collector.stats().shards === 0));
    await until(() => Promise.resolve(rig.collector.stats().shards > 0));
    await new Promise((resolve) => setTimeout(resolve, 1000));
    away = false;
    await rig.collector.flush();
    expect(await visitsOf(stores.clickhouse, site)).toMatchObject([{ pv: 1 }]);
  } finally {
    await rig.close();
    await folder.remove();
  }
}, 60_000);
