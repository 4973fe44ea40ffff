import type { Movers, Report, VisitRow } from '../../contract/analytics/schemas';
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
const places = [
  ['CN', 'CN-GD', 'Shenzhen', 3],
  ['CN', 'CN-GD', 'Foshan', 2],
  ['CN', 'CN-GD', 'Zhuhai', 1],
  ['SG', '', 'Singapore', 1],
  ['', '', '', 4],
] as const;

beforeAll(async () => {
  test = await makeTestApp();
  owner = await test.signUpOwner();
  site = await test.makeSite(owner, { purpose: 'external', url: 'https://example.com/', timeZone: 'UTC' });
  const at = test.ctx.now() - 3_600_000;
  let number = 0;
  const hits = places.flatMap(([country, province, city, visitors]) =>
    Array.from({ length: visitors }, () => {
      const id = (number += 1).toString(16).padStart(16, '0');
      return makeHit({ site_id: site.id, visitor_id: id, view_id: id, at: at + number, country, province, city });
    }),
  );
  await insertHits(test.ctx.clickhouse, hits, 'cities');
  await createBuilder(test.ctx.clickhouse).apply(hits);
  await test.ctx.postgres.db.insert(measuringSettings).values({ siteId: site.id, settings: { cityFloor: 3 }, updatedAt: new Date(test.ctx.now()) });
});
afterAll(() => test.close());

const day = (ago: number): string => new Date(test.ctx.now() - ago * 86_400_000).toISOString().slice(0, 10);
async function ask(rest: string): Promise<string> {
  const answer = await owner.get(`/api/site/${site.id}/als/${rest}${rest.includes('?') ? '&' : '?'}from=${day(1)}&to=${day(0)}`);
  expect(answer.statusCode).toBe(200);
  return answer.body;
}
const data = async <T>(rest: string): Promise<T> => (JSON.parse(await ask(rest)) as { data: T }).data;
const rowsOf = async (more = ''): Promise<Record<string, number | null>> =>
  Object.fromEntries(((await data<Report>(`report?by=city${more}`)).rows ?? []).map(({ key, values }) => [key, values.visitors]));

it('cities with too few visitors are grouped as their region', async () => {
  expect(await rowsOf()).toEqual({ '': 4, Shenzhen: 3, '*CN-GD': 3, '*SG': 1 });
});

it('a filter by a small city is empty, by its region complete', async () => {
  expect(await rowsOf('&filter=city:is:Foshan')).toEqual({});
  expect(await rowsOf('&filter=city:is:*CN-GD')).toEqual({ '*CN-GD': 3 });
  expect(await rowsOf('&filter=province:is:CN-GD')).toEqual({ Shenzhen: 3, '*CN-GD': 3 });
});

it('visits, suggestions, movers and exports omit small cities too', async () => {
  const { rows } = await data<{ rows: VisitRow[] }>('latest');
  const cities = new Set(rows.map(({ city, province }) => `${province} ${city}`.trim()));
  expect(cities).toEqual(new Set(['', 'CN-GD', 'CN-GD Shenzhen']));
  const pageId = rows.find(({ city, province }) => city === '' && province === 'CN-GD')?.pages[0]?.pageId ?? '';
  for (const rest of [
    `events/${pageId}`,
    'values?by=city&q=o',
    'movers?by=city&measure=visits&compare=previous',
    'latest/export?format=csv',
    'export?by=city&format=csv',
  ]) {
    const answer = await owner.get(`/api/site/${site.id}/als/${rest}${rest.includes('?') ? '&' : '?'}from=${day(1)}&to=${day(0)}`);
    expect([rest, answer.statusCode, /Foshan|佛山|Singapore/.test(answer.body)]).toEqual([rest, 200, false]);
  }
  expect((await data<Movers>('movers?by=city&measure=visits&compare=previous')).fresh).toEqual([]);
});

it('an export writes the region in the reader’s language', async () => {
  expect(await ask('export?by=city&format=csv')).toContain('广东（其他城市）');
});
