import fc from 'fast-check';
import { normalizePath } from '../../contract/paths';
import { clickhouseMigrations } from '../../server/migrations';
import { insertHits, insertVisits } from '../../server/collect/queries';
import { deriveVisits } from '../../server/collect/visits';
import { storedPathSql } from '../../server/stores/clickhouse/storedPaths';
import { migrateClickHouse } from '../../server/stores/clickhouse/migrate';
import { makeHit } from '../oracle/traffic';
import { openTestStores } from '../support/stores';
import type { TestStores } from '../support/stores';

let stores: TestStores;
beforeAll(async () => {
  stores = await openTestStores();
});
afterAll(() => stores.close());

test('SQL and program normalize a browser’s path alike', async () => {
  const piece = fc.oneof(
    fc.constantFrom('/', 'a', '%', '%2', '#', '茶', ' ', '%25', '%2F', '%e8', '%8C', '%b6', '%C3', '%A9', '%F0', '%9F', '%8d', '%b5', '41', 'é', '\u200b', '"'),
    fc.nat({ max: 255 }).map((byte) => `%${byte.toString(16).padStart(2, '0')}`),
    fc.string({ unit: 'grapheme', maxLength: 3 }),
  );
  const sent = fc
    .array(piece, { maxLength: 14 })
    .map((fragments) => new URL(`https://example.com/x${fragments.join('')}`))
    .map(({ pathname, hash }) => pathname + hash);
  const paths = fc.sample(sent, { numRuns: 3000, seed: 19 });
  const rows = await stores.clickhouse.query<{ form: string }>(
    `SELECT ${storedPathSql('path')} AS form FROM (SELECT arrayJoin({paths:Array(String)}) AS path, rowNumberInAllBlocks() AS place) ORDER BY place`,
    { params: { paths: paths.slice(0, 1000) } },
  );
  expect(rows.map(({ form }) => form)).toEqual(paths.slice(0, 1000).map(normalizePath));
});

test('stored escaped paths are rewritten, and equal pages are merged', async () => {
  const siteId = 'site22222222';
  const hits = ['/%E8%8C%B6', '/%e8%8c%b6', '/a%2fb', '/plain'].map((path, i) =>
    makeHit({
      site_id: siteId,
      path,
      at: 1_700_000_000_000 + i * 1000,
      view_id: `000000000000000${i}`,
      ref_path: '/%e8%8c%b6',
      ref_url: 'https://a.example/%e8%8c%b6?q=%20',
    }),
  );
  await insertHits(stores.clickhouse, hits, siteId);
  await insertVisits(
    stores.clickhouse,
    deriveVisits(hits[0]?.visitor_id ?? '', hits, { count: 0, start: 0 }).map((row) => ({ row, version: 1 })),
    [],
  );
  await stores.clickhouse.command("DELETE FROM schema_migrations WHERE id = '0006_readable_paths'");
  await migrateClickHouse(stores.clickhouse, clickhouseMigrations, (_name, work) => work());
  expect(await stores.clickhouse.query('SELECT path, ref_path, ref_url FROM hits WHERE site_id = {siteId:String} ORDER BY at', { params: { siteId } })).toEqual(
    ['/茶', '/茶', '/a%2Fb', '/plain'].map((path) => ({ path, ref_path: '/茶', ref_url: 'https://a.example/茶?q=%20' })),
  );
  expect(
    await stores.clickhouse.query('SELECT entry_path, exit_path, view_path, upv, ref_url FROM visits FINAL WHERE site_id = {siteId:String}', {
      params: { siteId },
    }),
  ).toEqual([{ entry_path: '/茶', exit_path: '/plain', view_path: ['/茶', '/茶', '/a%2Fb', '/plain'], upv: 3, ref_url: 'https://a.example/茶?q=%20' }]);
});
