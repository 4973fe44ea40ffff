import { createBuilder } from '../../server/collect/builder';
import { insertHits } from '../../server/collect/queries';
import { rebuildVisits } from '../../server/collect/rebuild';
import type { HitRow } from '../../server/collect/row';
import { openTestStores } from '../support/stores';
import type { TestStores } from '../support/stores';
import { makeHit, midnight, minute } from './traffic';

let stores: TestStores;
beforeAll(async () => {
  stores = await openTestStores();
});
afterAll(() => stores.close());

const day = 24 * 60 * minute;
const hit = (siteId: string, n: number, at: number, more: Partial<HitRow> = {}): HitRow =>
  makeHit({ site_id: siteId, view_id: n.toString(16).padStart(16, '0'), at: midnight + at, path: `/${n}`, ...more });
const mark = { bot_score: 100, bot_reasons: ['flood'] };
/** Two visits of one day, the second of them a flood, another on the same day, and one on the next. */
const story = (siteId: string): HitRow[] => [
  hit(siteId, 1, 10 * minute),
  hit(siteId, 2, 200 * minute),
  hit(siteId, 3, 201 * minute, mark),
  hit(siteId, 4, 202 * minute, { ...mark, set_aside: 1 }),
  hit(siteId, 5, 400 * minute),
  hit(siteId, 6, day + 10 * minute),
];
const signs = (siteId: string) =>
  stores.clickhouse.query<{ score: number; reasons: string[]; pv: number }>(
    `SELECT bot_score AS score, bot_reasons AS reasons, pv FROM visits FINAL WHERE site_id = {siteId:String} AND deleted = 0 ORDER BY start`,
    { params: { siteId } },
  );
const program = (pv: number) => ({ score: 100, reasons: ['flood'], pv });
const expected = [program(1), program(2), program(1), { score: 0, reasons: [], pv: 1 }];

it.each<[string, string, (hits: HitRow[]) => HitRow[][]]>([
  ['one by one', 'floodaaaaaaa', (hits) => hits.map((one) => [one])],
  ['at once', 'floodaaaaaab', (hits) => [hits]],
  ['backwards', 'floodaaaaaac', (hits) => hits.reverse().map((one) => [one])],
  ['with a hit of the afternoon last', 'floodaaaaaad', (hits) => [[hits[0]!, hits[1]!, hits[2]!, hits[3]!, hits[5]!], [hits[4]!]]],
])('all visits of a flood’s day count as a bot: %s', async (_how, siteId, batches) => {
  const builder = createBuilder(stores.clickhouse);
  for (const [n, batch] of batches(story(siteId)).entries()) {
    await insertHits(stores.clickhouse, batch, `${siteId}-${n}`);
    await builder.apply(batch);
  }
  expect(await signs(siteId)).toEqual(expected);
  await rebuildVisits(stores.clickhouse, siteId);
  expect(await signs(siteId)).toEqual(expected);
});
