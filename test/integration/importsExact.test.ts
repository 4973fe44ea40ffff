import { runSchedule } from '../support/schedules';
import { measuringSettings } from '../../server/areas/measuring/schema';
import { findImport } from '../../server/areas/imports/queries';
import { readHits } from '../../server/collect/queries';
import type { HitRow } from '../../server/collect/row';
import { deriveVisits, mergeHits, mostHits } from '../../server/collect/visits';
import type { VisitRow } from '../../server/collect/visits';
import { randomOf } from '../oracle/reportFixture';
import { toOracleVisits, toOracle } from '../oracle/traffic';
import { oracleVisits } from '../oracle/visits';
import type { OracleDefinition } from '../oracle/visits';
import { thorough } from '../support/thorough';
import { until } from '../support/until';
import { openBench } from './importsSupport';
import type { Bench } from './importsSupport';

let b: Bench;
beforeAll(async () => void (b = await openBench()));
afterAll(() => b.close());

type StoredRow = { [K in keyof VisitRow]: VisitRow[K] extends number ? number | string : VisitRow[K] } & { version: string };
const times = ['start', 'last', 'received_at', 'prev_start'] as const;

/** What a reader of `visits` sees, in the product's own form. */
async function storedVisits(siteId: string): Promise<VisitRow[]> {
  const id = (column: string): string => `lower(leftPad(hex(${column}), 16, '0'))`;
  const rows = await b.t.ctx.clickhouse.query<StoredRow>(
    `SELECT * REPLACE (${id('visit_id')} AS visit_id, ${id('visitor_id')} AS visitor_id, ${id('ip_key')} AS ip_key, arrayMap(x -> ${id('x')}, view_id) AS view_id,
      ${times.map((name) => `toUnixTimestamp64Milli(${name}) AS ${name}`).join(', ')})
     FROM visits FINAL WHERE visits.site_id = {siteId:String}`,
    { params: { siteId } },
  );
  return rows.map((row) => Object.assign(row, Object.fromEntries(times.map((name) => [name, Number(row[name])]))) as unknown as VisitRow);
}
const storedHits = async (siteId: string): Promise<HitRow[]> => mergeHits([], await readHits(b.t.ctx.clickhouse, 'hits.site_id = {siteId:String}', { siteId }));

async function expectExact(siteId: string, definition?: OracleDefinition): Promise<number> {
  const hits = await storedHits(siteId);
  expect(toOracleVisits(await storedVisits(siteId))).toEqual(oracleVisits(hits.map(toOracle), definition));
  return hits.length;
}

async function remove(siteId: string, id: string): Promise<void> {
  expect((await b.owner.send('DELETE', `/api/site/${siteId}/als/imports/${id}`)).statusCode).toBe(200);
  await until(async () => {
    // The previous job may just be ending: then the schedule starts the waiting one.
    await runSchedule(b.t.ctx, 'imports.tend');
    return (await findImport(b.t.ctx.postgres.db, siteId, id)) === null;
  }, 20_000);
}

const agents = ['Mozilla/5.0 (X11; Linux x86_64; rv:131.0) Gecko/20100101 Firefox/131.0', 'curl/8.5.0'];
const start = Date.UTC(2026, 10, 8, 22);
const logTime = (at: number): string => {
  const [, date = '', month = '', year = '', time = ''] = /^\w+, (\d+) (\w+) (\d+) ([\d:]+)/.exec(new Date(at).toUTCString()) ?? [];
  return `${date}/${month}/${year}:${time} +0000`;
};
const lineOf = (at: number, who: number, path: string): string =>
  `203.0.113.${who} - - [${logTime(at)}] "GET ${path} HTTP/1.1" 200 1 "${who % 3 === 0 ? 'https://www.baidu.com/s?wd=tea' : '-'}" "${agents[who % 2]}"`;

/** A few visitors over three days, many of them at midnight. */
function someLines(seed: number, count: number): string[] {
  const random = randomOf(seed);
  return Array.from({ length: count }, () => {
    const nearMidnight = random() < 0.5;
    const at = nearMidnight
      ? start + 2 * 3_600_000 + Math.floor(random() * 3) * 86_400_000 + Math.floor((random() - 0.5) * 5_400_000)
      : start + Math.floor(random() * 3 * 86_400_000);
    return lineOf(
      at,
      1 + Math.floor(random() * 12),
      random() < 0.1 ? '/茶?q=green tea' : `/p${Math.floor(random() * 4)}?utm_source=s${Math.floor(random() * 3)}`,
    );
  });
}
const text = (lines: readonly string[]): Buffer => Buffer.from(`${lines.join('\n')}\n`);

test('imported visits equal an independent recomputation, also after a removal', async () => {
  for (const seed of thorough ? [1, 2, 3] : [1]) {
    const siteId = await b.newSite();
    const lines = someLines(seed, 240);
    await b.run(siteId, [{ name: 'a.log', content: text(lines.slice(0, 140)) }]);
    const first = await expectExact(siteId);
    const second = await b.run(siteId, [{ name: 'b.log', content: text(lines.slice(100)) }]);
    expect(await expectExact(siteId)).toBe(first + (second.report?.accepted ?? 0));
    const before = JSON.stringify(toOracleVisits(await storedVisits(siteId)));
    const again = await b.run(siteId, [{ name: 'c.log', content: text(lines.slice(100)) }]);
    expect(again.report).toMatchObject({ accepted: 0, repeated: 140 });
    expect(JSON.stringify(toOracleVisits(await storedVisits(siteId)))).toBe(before);
    await remove(siteId, second.id);
    expect(await expectExact(siteId)).toBe(first);
  }
}, 120_000);

test('imported visits follow the site’s rules, also after a removal', async () => {
  const siteId = await b.newSite();
  const visits = { gapMinutes: 90, campaignCuts: true, engagedSeconds: null };
  await b.t.ctx.postgres.db.insert(measuringSettings).values({ siteId, settings: { visits }, updatedAt: new Date(b.t.ctx.now()) });
  const own = { pause: 90 * 60_000, campaigns: true, engaged: 0 };
  const lines = someLines(7, 240);
  await b.run(siteId, [{ name: 'a.log', content: text(lines.slice(0, 140)) }]);
  const second = await b.run(siteId, [{ name: 'b.log', content: text(lines.slice(140)) }]);
  await expectExact(siteId, own);
  await remove(siteId, second.id);
  await expectExact(siteId, own);
}, 60_000);

test('removing an import removes its day of a visit over midnight', async () => {
  const siteId = await b.newSite();
  const midnight = Date.UTC(2026, 10, 10);
  await b.run(siteId, [{ name: 'a.log', content: text([lineOf(midnight - 300_000, 1, '/a'), lineOf(midnight + 86_400_000 + 60_000, 1, '/c')]) }]);
  const second = await b.run(siteId, [{ name: 'b.log', content: text([lineOf(midnight + 300_000, 1, '/b'), lineOf(midnight + 86_340_000, 1, '/b')]) }]);
  expect(await expectExact(siteId)).toBe(4);
  await remove(siteId, second.id);
  expect(await expectExact(siteId)).toBe(2);
  expect((await storedVisits(siteId)).map((visit) => visit.pv)).toEqual([1, 1]);
}, 60_000);

test('a visitor with very many hits gets the visits of all', async () => {
  const siteId = await b.newSite();
  // More than one read, in visits that are full, have gaps and span midnight.
  const at = (i: number): number => start + Math.floor(i / 3) * 1000 + (i > 8000 ? 1_860_000 : 0);
  const lines = Array.from({ length: 36_000 }, (_, i) => lineOf(at(i), 1, `/p${i % 50}`));
  const done = await b.run(siteId, [{ name: 'a.log', content: text(lines) }]);
  expect(done.report).toMatchObject({ accepted: lines.length });
  const hits = await storedHits(siteId);
  const visitor = hits.reduce((first, hit) => (hit.at < first.at ? hit : first)).visitor_id;
  const expected = deriveVisits(visitor, hits, { count: 0, start: 0 });
  expect(expected.length).toBeGreaterThan(6);
  expect(toOracleVisits(await storedVisits(siteId))).toEqual(toOracleVisits(expected));
}, 60_000);

test('an import may span more months than an insert by default', async () => {
  const siteId = await b.newSite();
  const lines = Array.from({ length: 130 }, (_, month) => lineOf(Date.UTC(2015, month, 3), 1, '/'));
  expect((await b.run(siteId, [{ name: 'a.log', content: text(lines) }])).report).toMatchObject({ accepted: lines.length });
  expect(await expectExact(siteId)).toBe(lines.length);
}, 60_000);

test('very many lines in one second are processed in bounded memory', async () => {
  const siteId = await b.newSite();
  const lines = Array.from({ length: 40_000 }, (_, i) => lineOf(start, 1, `/p${i}`));
  const done = await b.run(siteId, [{ name: 'a.log', content: text([...lines, lineOf(start + 60_000, 1, '/after')]) }]);
  expect(done.report).toMatchObject({ accepted: lines.length + 1 });
  const visits = (await storedVisits(siteId)).toSorted((x, y) => x.start - y.start);
  expect(visits.map(({ pv, view_id }) => [pv, view_id.length])).toEqual([
    [mostHits, mostHits],
    [1, 1],
  ]);
}, 60_000);
