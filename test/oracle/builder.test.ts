import fc from 'fast-check';
import { createBuilder } from '../../server/collect/builder';
import type { VisitBuilder } from '../../server/collect/builder';
import { insertHits } from '../../server/collect/queries';
import { rebuildVisits } from '../../server/collect/rebuild';
import { noId } from '../../server/collect/row';
import { defaultVisitRules } from '../../server/collect/visitRules';
import type { HitRow } from '../../server/collect/row';
import type { VisitRow } from '../../server/collect/visits';
import { openTestStores } from '../support/stores';
import type { TestStores } from '../support/stores';
import { thorough } from '../support/thorough';
import { toOracleVisits, makeHit, midnight, minute, toOracle, traffic } from './traffic';
import { oracleVisits } from './visits';

let stores: TestStores;
beforeAll(async () => {
  stores = await openTestStores();
});
afterAll(() => stores.close());

let sites = 0;
/** Each run has its own site, so that one database serves them all. */
const newSite = (): string =>
  `site${String((sites += 1))
    .padStart(8, '0')
    .replace(/\d/g, (digit) => 'abcdefghij'.charAt(Number(digit)))}`;

type StoredRow = { [K in keyof VisitRow]: VisitRow[K] extends number ? number | string : VisitRow[K] } & { version: string };
/** What a reader of `visits` sees, in the product's own form. */
async function stored(siteId: string): Promise<VisitRow[]> {
  const id = (column: string): string => `lower(leftPad(hex(${column}), 16, '0'))`;
  const rows = await stores.clickhouse.query<StoredRow>(
    `SELECT * REPLACE (${id('visit_id')} AS visit_id, ${id('visitor_id')} AS visitor_id, ${id('ip_key')} AS ip_key, arrayMap(x -> ${id('x')}, view_id) AS view_id,
      toUnixTimestamp64Milli(start) AS start, toUnixTimestamp64Milli(last) AS last, toUnixTimestamp64Milli(received_at) AS received_at, toUnixTimestamp64Milli(prev_start) AS prev_start)
     FROM visits FINAL WHERE visits.site_id = {siteId:String}`,
    { params: { siteId } },
  );
  return rows.map(
    (row) =>
      ({ ...row, start: Number(row.start), last: Number(row.last), received_at: Number(row.received_at), prev_start: Number(row.prev_start) }) as VisitRow,
  );
}

async function send(builder: VisitBuilder, hits: readonly HitRow[], token: string): Promise<void> {
  await insertHits(stores.clickhouse, hits, token);
  await builder.apply(hits);
}

const withoutVersion = (rows: readonly VisitRow[]): object[] =>
  toOracleVisits(rows).map((visit, i) => ({
    ...visit,
    id: [...rows].sort((a, b) => a.start - b.start || (a.visitor_id < b.visitor_id ? -1 : 1))[i]?.visit_id,
  }));

it('builds the oracle’s visits for any rules, order, batches, repeats and restarts', async () => {
  const plan = fc.record({
    hits: traffic,
    rules: fc.oneof(
      { arbitrary: fc.constant(defaultVisitRules), weight: 2 },
      fc.record({
        gapMs: fc.constantFrom(5, 20, 60, 240).map((minutes) => minutes * minute),
        campaignCuts: fc.boolean(),
        engagedBounceMs: fc.constantFrom(0, 3000),
      }),
    ),
    order: fc.array(fc.nat(), { minLength: 60, maxLength: 60 }),
    batch: fc.integer({ min: 1, max: 8 }),
    restarts: fc.array(fc.constantFrom('go on', 'go on', 'wait', 'wait', 'restart', 'repeat', 'tiny'), { minLength: 24, maxLength: 24 }),
  });
  await fc.assert(
    fc.asyncProperty(plan, async ({ hits, rules, order, batch, restarts }) => {
      const rulesOf = () => rules;
      const siteId = newSite();
      const shuffled = hits
        .map((hit, i) => ({ hit: { ...hit, site_id: siteId }, key: order[i % order.length]! }))
        .sort((a, b) => a.key - b.key)
        .map(({ hit }) => hit);
      let builder = createBuilder(stores.clickhouse, { rulesOf });
      let before = builder;
      let waiting: HitRow[] = [];
      for (let at = 0, n = 0; at < shuffled.length; at += batch, n += 1) {
        const what = restarts[n % restarts.length];
        if (what === 'restart') builder = createBuilder(stores.clickhouse, { rulesOf });
        if (what === 'tiny') builder = createBuilder(stores.clickhouse, { cacheBytes: 1, rulesOf });
        const some = shuffled.slice(at, at + batch);
        // Hits may wait in memory for others before their visits are written; those lost with a process are delivered again to the next one.
        if (what === 'wait') {
          await insertHits(stores.clickhouse, some, `${siteId}-${n}`);
          await builder.absorb(some, n + 1);
          waiting.push(...some);
          continue;
        }
        if (builder !== before && waiting.length > 0) await builder.apply(waiting);
        before = builder;
        waiting = [];
        await send(builder, some, `${siteId}-${n}`);
        if (what === 'repeat') await builder.apply(some);
      }
      if (builder !== before) await builder.apply(waiting);
      else await builder.write('all');
      const expected = oracleVisits(shuffled.map(toOracle), { pause: rules.gapMs, campaigns: rules.campaignCuts, engaged: rules.engagedBounceMs });
      const built = await stored(siteId);
      expect(toOracleVisits(built)).toEqual(expected);
      await rebuildVisits(stores.clickhouse, siteId, rules);
      const rebuilt = await stored(siteId);
      expect(withoutVersion(rebuilt)).toEqual(withoutVersion(built));
    }),
    { numRuns: thorough ? 80 : 25, endOnFailure: true },
  );
}, 240_000);

it('late hits of any age give the same visits without a rebuild', async () => {
  const days = 24 * 60 * minute;
  const received = midnight + 40 * days;
  const plan = fc.record({
    hits: traffic,
    order: fc.array(fc.nat(), { minLength: 60, maxLength: 60 }),
    batch: fc.integer({ min: 1, max: 8 }),
    restarts: fc.array(fc.constantFrom('go on', 'go on', 'wait', 'restart', 'tiny'), { minLength: 24, maxLength: 24 }),
  });
  await fc.assert(
    fc.asyncProperty(plan, async ({ hits, order, batch, restarts }) => {
      const siteId = newSite();
      // Every visitor is also active today, and their past arrives in any order.
      const recent = [...new Set(hits.map((hit) => hit.visitor_id))].map((id, i) =>
        makeHit({ visitor_id: id, view_id: (0xf000 + i).toString(16).padStart(16, '0'), at: received - i * minute }),
      );
      const past = hits.map((hit) => ({ ...hit, received_at: hit.received_at + 40 * days }));
      const all = [...past, ...recent].map((hit) => ({ ...hit, site_id: siteId }));
      const shuffled = all.map((hit, i) => ({ hit, key: order[i % order.length]! })).sort((a, b) => a.key - b.key);
      let builder = createBuilder(stores.clickhouse);
      for (let at = 0, n = 0; at < shuffled.length; at += batch, n += 1) {
        const what = restarts[n % restarts.length];
        const some = shuffled.slice(at, at + batch).map(({ hit }) => hit);
        if (what === 'restart' || what === 'tiny') {
          await builder.write('all');
          builder = createBuilder(stores.clickhouse, what === 'tiny' ? { cacheBytes: 1 } : {});
        }
        await insertHits(stores.clickhouse, some, `${siteId}-${n}`);
        await builder.absorb(some, n + 1);
        if (what !== 'wait') await builder.write('all');
      }
      await builder.write('all');
      expect(toOracleVisits(await stored(siteId))).toEqual(oracleVisits(all.map(toOracle)));
    }),
    { numRuns: thorough ? 50 : 15, endOnFailure: true },
  );
}, 240_000);

describe('case 2: the salt changes during a visit', () => {
  const yesterday = '00000000000000a1';
  const today = '00000000000000a2';
  const hit = (n: number, offset: number, more: Partial<HitRow> = {}): HitRow =>
    makeHit({
      view_id: n.toString(16).padStart(16, '0'),
      at: midnight + offset,
      path: `/${n}`,
      visitor_id: offset < 0 ? yesterday : today,
      visitor_alt: offset >= 0 && offset < 30 * minute ? yesterday : noId,
      ...more,
    });
  const story = [hit(1, -10 * minute), hit(2, 5 * minute), hit(3, 25 * minute), hit(4, 600 * minute)];

  it.each([
    ['as it happened', [0, 1, 2, 3]],
    ['with yesterday’s hit last', [1, 2, 3, 0]],
    ['backwards', [3, 2, 1, 0]],
  ])('one visitor, including the later visit of the day: %s', async (_name, order) => {
    const siteId = newSite();
    for (const i of order) await send(createBuilder(stores.clickhouse), [{ ...story[i]!, site_id: siteId }], `${siteId}-${i}`);
    const rows = await stored(siteId);
    expect(rows.sort((a, b) => a.start - b.start)).toMatchObject([
      { visitor_id: yesterday, pv: 3, visit_no: 1, is_new: 1 },
      { visitor_id: yesterday, pv: 1, visit_no: 2, is_new: 0 },
    ]);
  });

  it('an earlier hit merges a visitor with yesterday’s', async () => {
    const siteId = newSite();
    const builder = createBuilder(stores.clickhouse);
    const late = [hit(1, 10 * minute), hit(2, -25 * minute), hit(3, 3 * minute)];
    for (const [n, one] of late.entries()) await send(builder, [{ ...one, site_id: siteId }], `${siteId}-${n}`);
    expect(await stored(siteId)).toMatchObject([{ visitor_id: yesterday, pv: 3 }]);
  });

  it('a visitor last seen at noon is a new visitor', async () => {
    const siteId = newSite();
    await send(
      createBuilder(stores.clickhouse),
      [hit(1, -600 * minute), hit(2, 5 * minute)].map((one) => ({ ...one, site_id: siteId })),
      siteId,
    );
    expect(new Set((await stored(siteId)).map((row) => row.visitor_id)).size).toBe(2);
  });
});

it('a failed write leaves no state, and the retry reads stored visits', async () => {
  const siteId = newSite();
  const hits = [
    makeHit({ site_id: siteId, view_id: '000000000000000a' }),
    makeHit({ site_id: siteId, view_id: '000000000000000b', at: midnight + 50 * minute }),
  ];
  const bridge = makeHit({ site_id: siteId, view_id: '000000000000000c', at: midnight + 25 * minute });
  let failures = 1;
  const flaky = {
    ...stores.clickhouse,
    insertBytes: async (table: string, columns: readonly string[], rows: Uint8Array, options?: { token?: string }) => {
      if (table === 'visits' && failures-- > 0) throw new Error('the connection broke');
      await stores.clickhouse.insertBytes(table, columns, rows, options);
    },
  };
  const builder = createBuilder(flaky);
  await send(createBuilder(stores.clickhouse), hits, `${siteId}-1`);
  await insertHits(stores.clickhouse, [bridge], `${siteId}-2`);
  await expect(builder.apply([bridge])).rejects.toThrow('the connection broke');
  await builder.apply([bridge]);
  expect(await stored(siteId)).toMatchObject([{ pv: 3, visit_id: '000000000000000a' }]);
});

it('a visit that regains its name before a write is stored', async () => {
  const siteId = newSite();
  const event = makeHit({ site_id: siteId, view_id: '000000000000000a', kind: 'event', name: 'buy' });
  const page = makeHit({ site_id: siteId, view_id: '000000000000000b', at: midnight + 10 * minute });
  const campaign = makeHit({ site_id: siteId, view_id: '000000000000000c', at: midnight + 5 * minute, utm_campaign: 'autumn' });
  const builder = createBuilder(stores.clickhouse, { rulesOf: () => ({ ...defaultVisitRules, campaignCuts: true }) });
  for (const [n, hit] of [event, page, campaign].entries()) {
    await insertHits(stores.clickhouse, [hit], `${siteId}-${n}`);
    await builder.absorb([hit], n + 1);
  }
  await builder.write('all');
  expect((await stored(siteId)).sort((a, b) => a.start - b.start)).toMatchObject([{ pv: 0 }, { pv: 2 }]);
});

it('a repeated ping from before a visit is no part of it', async () => {
  const siteId = newSite();
  const ping = makeHit({ site_id: siteId, view_id: '000000000000000a', seq: 3, kind: 'engage', engaged_ms: 5000 });
  const view = makeHit({ site_id: siteId, view_id: '000000000000000b', at: midnight + 1 });
  const copy = { ...ping, at: midnight + 7, received_at: ping.received_at + minute };
  const builder = createBuilder(stores.clickhouse);
  for (const [n, hit] of [ping, view, copy].entries()) await send(builder, [hit], `${siteId}-${n}`);
  expect(await stored(siteId)).toMatchObject([{ pv: 1, engaged_ms: 0, start: midnight + 1, last: midnight + 1 }]);
});

it('a long visit is not rewritten with every hit', async () => {
  const siteId = newSite();
  const written = { bytes: 0 };
  const counting = {
    ...stores.clickhouse,
    insertBytes: async (table: string, columns: readonly string[], rows: Uint8Array, options?: { token?: string }) => {
      if (table === 'visits') written.bytes += rows.length;
      await stores.clickhouse.insertBytes(table, columns, rows, options);
    },
  };
  let clock = midnight;
  const builder = createBuilder(counting, { now: () => clock });
  const hits = Array.from({ length: 600 }, (_, n) =>
    makeHit({ site_id: siteId, view_id: (n + 1).toString(16).padStart(16, '0'), at: midnight + n * 1000, path: `/${'page'.repeat(20)}/${n}` }),
  );
  await insertHits(stores.clickhouse, hits, siteId);
  for (const [n, hit] of hits.entries()) {
    clock = midnight + n * 1000;
    await builder.absorb([hit], n + 1);
    await builder.write('due');
  }
  await builder.write('all');
  expect(await stored(siteId)).toMatchObject([{ pv: 600 }]);
  const whole = JSON.stringify(await stored(siteId)).length;
  // Rewriting the visit with every hit would write 300 times its size.
  expect(written.bytes).toBeLessThan(30 * whole);
});

it('reports up to which position everything is written', async () => {
  const siteId = newSite();
  const builder = createBuilder(stores.clickhouse);
  const hits = Array.from({ length: 100 }, (_, n) => makeHit({ site_id: siteId, view_id: (n + 1).toString(16).padStart(16, '0'), at: midnight + n * 1000 }));
  await insertHits(stores.clickhouse, hits, siteId);
  expect(builder.writtenBelow()).toBe(Number.POSITIVE_INFINITY);
  await builder.absorb(hits.slice(0, 50), 1);
  await builder.absorb(hits.slice(50), 2);
  expect(builder.writtenBelow()).toBe(1);
  await builder.write('all');
  expect(builder.writtenBelow()).toBe(Number.POSITIVE_INFINITY);
});

it('visits forgotten before being written are rebuilt from stored hits', async () => {
  const siteId = newSite();
  let away = true;
  const store = {
    ...stores.clickhouse,
    insertBytes: (...args: Parameters<typeof stores.clickhouse.insertBytes>) =>
      away ? Promise.reject(new Error('away')) : stores.clickhouse.insertBytes(...args),
  };
  const hit = (n: number, at: number): HitRow => makeHit({ site_id: siteId, view_id: n.toString(16).padStart(16, '0'), at: midnight + at * minute });
  const [early, late] = [[hit(1, 0), hit(2, 5)], [hit(3, 10)]];
  const builder = createBuilder(store);
  await insertHits(stores.clickhouse, early, `${siteId}-1`);
  await builder.absorb(early, 1);
  await expect(builder.write('all')).rejects.toThrow('away');
  builder.forget(() => true);
  expect(builder.writtenBelow()).toBe(1);
  // Another process has built the site meanwhile.
  await send(createBuilder(stores.clickhouse), late, `${siteId}-2`);
  away = false;
  await builder.write('all');
  expect(await stored(siteId)).toMatchObject([{ pv: 3 }]);
  expect(builder.writtenBelow()).toBe(Number.POSITIVE_INFINITY);
});

describe('a flood', () => {
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
  const bot = (pv: number) => ({ score: 100, reasons: ['flood'], pv });
  const expected = [bot(1), bot(2), bot(1), { score: 0, reasons: [], pv: 1 }];

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
});
