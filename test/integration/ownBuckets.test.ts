import type { Distribution, Report } from '../../contract/analytics/schemas';
import type { Site } from '../../contract/sites/schemas';
import { measuringSettings } from '../../server/areas/measuring/schema';
import { createBuilder } from '../../server/collect/builder';
import { insertHits } from '../../server/collect/queries';
import { makeHit } from '../oracle/traffic';
import { makeTestApp } from '../support/app';
import type { Person, TestApp } from '../support/app';

let test: TestApp;
let owner: Person;
let site: Site;
/** Page views of each visitor, 20 s apart. */
const views = [1, 2, 3, 4, 9];

beforeAll(async () => {
  test = await makeTestApp();
  owner = await test.signUpOwner();
  site = await test.makeSite(owner, { purpose: 'external', url: 'https://example.com/', timeZone: 'UTC' });
  const start = Math.floor(test.ctx.now() / 86_400_000) * 86_400_000 - 40_000_000;
  const hits = views.flatMap((count, who) =>
    Array.from({ length: count }, (_, i) => {
      const visitor = (who + 1).toString(16).padStart(16, '0');
      return makeHit({
        site_id: site.id,
        visitor_id: visitor,
        view_id: (who * 100 + i + 1).toString(16).padStart(16, '0'),
        at: start + i * 20_000,
        path: `/${i % 2}`,
      });
    }),
  );
  await insertHits(test.ctx.clickhouse, hits, 'buckets');
  await createBuilder(test.ctx.clickhouse).apply(hits);
  const buckets = { pages: [2, 4], seconds: [45, 90], days: [3], visits: [2] };
  await test.ctx.postgres.db.insert(measuringSettings).values({ siteId: site.id, settings: { buckets }, updatedAt: new Date(test.ctx.now()) });
});
afterAll(() => test.close());

const day = (ago: number): string => new Date(test.ctx.now() - ago * 86_400_000).toISOString().slice(0, 10);
const get = (rest: string) => owner.get(`/api/site/${site.id}/als/${rest}&from=${day(2)}&to=${day(0)}`);
async function report(by: string, more = ''): Promise<{ axis: readonly string[] | undefined; rows: (string | number | null)[][] }> {
  const { data } = (await get(`report?by=${by}&byKey=1&dir=asc${more}`)).json<{ data: Report }>();
  return { axis: data.axis, rows: (data.rows ?? []).map(({ key, values }) => [key, values.visits]) };
}

it('reports use the site’s own buckets in order', async () => {
  expect(await report('pages')).toEqual({
    axis: ['1-2', '3-4', '>4'],
    rows: [
      ['1-2', 2],
      ['3-4', 2],
      ['>4', 1],
    ],
  });
  expect(await report('duration')).toEqual({
    axis: ['0-45', '45-90', '>=90'],
    rows: [
      ['0-45', 3],
      ['45-90', 1],
      ['>=90', 1],
    ],
  });
  expect(await report('distinctPages')).toEqual({ axis: ['1-2', '3-4', '>4'], rows: [['1-2', 5]] });
  expect(await report('ago')).toEqual({ axis: ['first', '0-3', '>3'], rows: [['first', 5]] });
  expect((await report('country')).axis).toBeUndefined();
});

it('visitors are spread over the same buckets', async () => {
  const { data } = (await get('distribution?of=views')).json<{ data: Distribution }>();
  expect(data.buckets.map(({ key, visitors }) => [key, visitors])).toEqual([
    ['1-2', 2],
    ['3-4', 2],
    ['>4', 1],
  ]);
});

it('a bucket filter keeps its bounds when the site’s buckets change', async () => {
  expect((await report('pages', '&filter=pages:is:6-10')).rows).toEqual([['>4', 1]]);
  expect((await report('pages', '&filter=pages:not:1|2')).rows).toEqual([
    ['3-4', 2],
    ['>4', 1],
  ]);
  expect((await report('pages', '&filter=duration:is:0-45')).rows).toEqual([
    ['1-2', 2],
    ['3-4', 1],
  ]);
  expect((await get('report?by=pages&filter=pages:is:many')).statusCode).toBe(422);
});

it('an export names the buckets in the reader’s language', async () => {
  const { body } = await get('export?by=duration&format=csv');
  expect(body).toContain('45–90 秒');
  expect(body).toContain('90 秒以上');
});
