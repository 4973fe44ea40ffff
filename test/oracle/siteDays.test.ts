import { jest } from '@jest/globals';
import type { FastifyInstance } from 'fastify';
import type { Report } from '../../contract/analytics/schemas';
import type { Site } from '../../contract/sites/schemas';
import { sessions } from '../../server/areas/session/schema';
import { startCollector } from '../../server/collect';
import type { Collector } from '../../server/collect';
import { createCollectApp } from '../../server/collect/listener';
import { makeFolder, person, viewHit } from '../integration/collectSupport';
import { makeTestApp } from '../support/app';
import type { Person, TestApp } from '../support/app';
import { dayOf, daysFrom, laterDay, timeOf } from './calendar';
import { randomOf } from './reportFixture';
import { oracleVisits } from './visits';
import type { OracleHit } from './visits';

jest.setTimeout(240_000);

/**
 * Addresses and visitors without an id, counted by the days of sites on both sides of UTC: hits go through the real collector as time passes, so that
 * the salts of today and yesterday exist as on a long-running machine. The oracle only uses addresses and calendars.
 */

const minute = 60_000;
const hour = 60 * minute;
const zones = ['Asia/Shanghai', 'America/New_York', 'Asia/Kathmandu', 'Pacific/Kiritimati', 'Pacific/Pago_Pago', 'UTC'];
const addresses = Array.from({ length: 10 }, (_, i) => `203.0.113.${i + 1}`);

let program: TestApp;
let owner: Person;
let folder: Awaited<ReturnType<typeof makeFolder>>;
let collector: Collector;
let listener: FastifyInstance;
let clock: number;

beforeAll(async () => {
  folder = await makeFolder();
  program = await makeTestApp();
  owner = await program.signUpOwner();
  clock = program.ctx.now();
  Object.assign(program.ctx, { now: () => clock, config: { ...program.ctx.config, dataDir: folder.dataDir } });
  await open();
});
afterAll(async () => {
  await shut();
  await program.close();
  await folder.remove();
});
async function open(): Promise<void> {
  collector = await startCollector(program.ctx, { gatherMs: 0 });
  listener = await createCollectApp(program.ctx, collector);
  Object.assign(program.app, { arrivals: collector });
}
async function shut(): Promise<void> {
  await listener.close();
  await collector.close();
}
/** Sets the clock. A restart reads the current salts, as the timer does on a running machine. */
async function at(instant: number): Promise<void> {
  await shut();
  clock = instant;
  await open();
}
const siteIn = (timeZone: string): Promise<Site> =>
  program.makeSite(owner, { purpose: 'external', url: 'https://example.com/', timeZone, identity: 'cookieless' });
async function send(site: Site, address: string): Promise<void> {
  const answer = await listener.inject({
    method: 'POST',
    url: '/collect',
    remoteAddress: address,
    payload: JSON.stringify({ s: site.id, h: [viewHit({ l: 'https://example.com/' })] }),
    headers: { 'content-type': 'text/plain;charset=UTF-8', 'user-agent': person, 'accept-language': 'zh-CN' },
  });
  expect(answer.statusCode).toBe(202);
}
async function report(site: Site, from: string, to: string): Promise<Report> {
  await collector.flush();
  const long = new Date('2099-01-01');
  await program.ctx.postgres.db.update(sessions).set({ idleUntil: long, absoluteUntil: long });
  const answer = await owner.get(`/api/site/${site.id}/als/report?from=${from}&to=${to}&series=1&gran=day`);
  expect(answer.statusCode).toBe(200);
  return answer.json<{ data: Report }>().data;
}

test('ten addresses on both sides of midnight UTC count as ten', async () => {
  const site = await siteIn('Asia/Shanghai');
  for (const time of ['07:00', '09:00']) {
    await at(Date.parse(`2033-03-05T${time}:00+08:00`));
    for (const address of addresses) await send(site, address);
  }
  expect((await report(site, '2033-03-05', '2033-03-05')).totals).toMatchObject({ ips: 10, visitors: 10, views: 20 });
});

test('addresses and visitors of every site follow its own days', async () => {
  const random = randomOf(20330401);
  const sites = new Map<string, Site>();
  for (const zone of zones) sites.set(zone, await siteIn(zone));
  const begin = Date.parse('2033-03-12T00:00:00Z');
  // Across New York’s clock change, concentrated around the midnights of all these zones.
  const sent: { zone: string; address: string; at: number }[] = [];
  for (const zone of zones)
    for (let i = 0; i < 90; i += 1) {
      const near = random() < 0.5;
      let moment = begin + Math.floor(random() * 96 * 60) * minute;
      if (near) {
        while (timeOf(moment, zone) !== '00:00') moment += minute;
        moment += Math.floor((random() - 0.5) * 60) * minute;
      }
      sent.push({ zone, address: addresses[Math.floor(random() * addresses.length)] as string, at: moment });
    }
  sent.sort((a, b) => a.at - b.at);
  // The first zone's day starts at 10:00 UTC; the salt exists half an hour before.
  const quarterOf = (moment: number): number => Math.floor((moment - 9.6 * hour) / (6 * hour));
  let quarter = 0;
  for (const { zone, address, at: moment } of sent) {
    if (quarterOf(moment) !== quarter) await at(moment);
    quarter = quarterOf(moment);
    clock = moment;
    await send(sites.get(zone) as Site, address);
  }

  for (const zone of zones) {
    const own = sent.filter((one) => one.zone === zone);
    const visits = oracleVisits(own.map((one, i): OracleHit => oracleHit(one, zone, i)));
    const [from, to] = [dayOf(own[0]?.at ?? 0, zone), dayOf(own.at(-1)?.at ?? 0, zone)];
    const answer = await report(sites.get(zone) as Site, from, laterDay(to, 1));
    expect([zone, answer.totals.visits, answer.totals.visitors]).toEqual([zone, visits.length, new Set(visits.map((visit) => visit.visitor)).size]);
    for (const [index, day] of daysFrom(from, to).entries()) {
      const there = visits.filter((visit) => [visit.start, ...visit.views.map((view) => view.at)].some((moment) => dayOf(moment, zone) === day));
      // A visit over midnight keeps the address of its first page.
      const expected = {
        views: own.filter((one) => dayOf(one.at, zone) === day).length,
        visitors: new Set(there.map((visit) => visit.visitor)).size,
        ips: new Set(there.map((visit) => (visit.about as { address: string }).address)).size,
      };
      expect([zone, day, answer.series?.[index]?.values]).toMatchObject([zone, day, expected]);
    }
  }
});

function oracleHit({ address, at: moment }: { address: string; at: number }, zone: string, i: number): OracleHit<{ address: string }> {
  const day = dayOf(moment, zone);
  const isEarly = dayOf(moment - 30 * minute, zone) !== day;
  return {
    visitor: `${address} ${day}`,
    yesterday: isEarly ? `${address} ${laterDay(day, -1)}` : null,
    view: String(i).padStart(6, '0'),
    seq: 0,
    kind: 'view',
    at: moment,
    received: moment,
    host: 'example.com',
    path: '/',
    title: '',
    search: '',
    engaged: 0,
    scroll: 0,
    name: '',
    props: '',
    origin: 'script',
    source: 'direct',
    about: { address: `${address} ${day}` },
    botScore: 0,
    botReasons: [],
  };
}

describe('hits of past days', () => {
  const three = ['2032-03-01', '2032-03-02', '2032-03-03'];
  const hits = three.flatMap((day) =>
    ['09:00', '15:00', '23:50'].flatMap((time) =>
      addresses.slice(0, 5).map((address) => ({
        id: `${day} ${time} ${address}`,
        url: 'https://example.com/',
        at: `${day}T${time}:00+08:00`,
        address,
        userAgent: person,
      })),
    ),
  );

  test('five daily people are fifteen visitors, however late hits arrive', async () => {
    const site = await siteIn('Asia/Shanghai');
    const tell = async (some: typeof hits): Promise<void> => {
      expect((await owner.send('POST', `/api/site/${site.id}/als/hits`, { hits: some })).json()).toMatchObject({ data: { accepted: some.length } });
    };
    const check = async (): Promise<void> => {
      expect((await report(site, '2032-03-01', '2032-03-03')).totals).toMatchObject({ views: 45, visits: 45, visitors: 15, ips: 15 });
    };
    await at(Date.parse('2033-05-05T23:30:00+08:00'));
    await report(site, '2032-03-01', '2032-03-03');
    await tell(hits.slice(0, 20));
    await at(Date.parse('2033-05-06T00:30:00+08:00'));
    await report(site, '2032-03-01', '2032-03-03');
    await tell(hits.slice(20));
    await check();
    await at(Date.parse('2033-05-13T12:00:00+08:00'));
    await report(site, '2032-03-01', '2032-03-03');
    await tell(hits);
    await check();
  });

  test('late browser hits count on their day and stay unlinked', async () => {
    const site = await siteIn('America/New_York');
    const late = async (): Promise<void> => {
      const payload = JSON.stringify({ s: site.id, h: [5, 4].flatMap((days) => [0, 1].map((more) => viewHit({ a: days * 24 * hour - more * 3 * hour }))) });
      const headers = { 'content-type': 'text/plain;charset=UTF-8', 'user-agent': person, 'accept-language': 'zh-CN' };
      expect((await listener.inject({ method: 'POST', url: '/collect', remoteAddress: '203.0.113.9', payload, headers })).statusCode).toBe(202);
    };
    await at(Date.parse('2033-06-10T12:00:00-04:00'));
    await late();
    expect((await report(site, '2033-06-05', '2033-06-06')).totals).toMatchObject({ views: 4, visitors: 2, ips: 2 });
    await at(Date.parse('2033-06-11T12:00:00-04:00'));
    await late();
    // Hits of the day between again, with the salt of another day.
    expect((await report(site, '2033-06-06', '2033-06-06')).totals).toMatchObject({ views: 4, visitors: 2, ips: 2 });
  });
});

test('a visitor stays one when the site’s zone changes within a day', async () => {
  const site = await siteIn('Asia/Shanghai');
  await at(Date.parse('2033-07-05T12:00:00+08:00'));
  await send(site, '203.0.113.9');
  await collector.flush();
  await program.ctx.postgres.db.execute(`update sites set time_zone = 'Asia/Tokyo' where id = '${site.id}'`);
  await at(Date.parse('2033-07-05T18:00:00+08:00'));
  await send(site, '203.0.113.9');
  expect((await report(site, '2033-07-05', '2033-07-05')).totals).toMatchObject({ views: 2, visitors: 1, ips: 1 });
});

test('a salt is deleted a day after its day ends everywhere', async () => {
  await at(Date.parse('2034-01-10T12:00:00Z'));
  const salts = async (): Promise<unknown[]> =>
    (await program.ctx.postgres.db.execute("select day::text from collect_salts where day between '2034-01-09' and '2034-01-10' order by day")).rows;
  expect(await salts()).toEqual([{ day: '2034-01-10' }]);
  await at(Date.parse('2034-01-12T11:59:00Z'));
  expect(await salts()).toEqual([{ day: '2034-01-10' }]);
  await at(Date.parse('2034-01-12T12:00:00Z'));
  expect(await salts()).toEqual([]);
});
