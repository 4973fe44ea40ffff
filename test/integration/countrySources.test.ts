import { jest } from '@jest/globals';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { mkdtemp, rm, utimes, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createRequire } from 'node:module';
import type { AddressInfo } from 'node:net';
import os from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import type { BlockedRequest, CountryPreview, CountryRuleInput, CountryRuleState, CountryTest } from '../../contract/countryBlock/schemas';
import type { Job } from '../../contract/jobs/schemas';
import type { Site } from '../../contract/sites/schemas';
import { jobHandlers } from '../../server/areas';
import { createBuilder } from '../../server/collect/builder';
import { insertHits } from '../../server/collect/queries';
import type { FileKey } from '../../server/stores/files/keys';
import { startWorker } from '../../server/worker';
import { makeHit } from '../oracle/traffic';
import { dataOf } from '../support/app';
import type { Person } from '../support/app';
import { makeDeliveringProgram } from '../support/deliveredSite';
import type { DeliveringProgram } from '../support/deliveredSite';
import { runSchedule } from '../support/schedules';
import { until } from '../support/until';

/** The list of Tor exits, newer databases of countries and the networks of crawlers, from a local server. */

const day = 86_400_000;
const packaged = readFileSync(createRequire(import.meta.url).resolve('@ip-location-db/geo-whois-asn-country-mmdb/geo-whois-asn-country.mmdb'));
/** The packaged database as if it were built at another time: `build_epoch` is a number of four bytes in the metadata behind the data. */
function builtOn(at: number): Buffer {
  const copy = Buffer.from(packaged);
  const name = copy.lastIndexOf('build_epoch');
  expect([...copy.subarray(name + 11, name + 13)]).toEqual([4, 2]);
  copy.writeUInt32BE(Math.floor(at / 1000), name + 13);
  return copy;
}
const dayOf = (at: number): string => new Date(at).toISOString().slice(0, 10);

/** The first two are one network, which the list is merged to. */
const exits = { first: '185.220.101.2', second: '185.220.101.3', v6: '2a0b:f4c2::1' } as const;
type Answer = (request: IncomingMessage, response: ServerResponse) => void;
const send =
  (body: string | Buffer, etag: string): Answer =>
  (request, response) =>
    request.headers['if-none-match'] === etag ? response.writeHead(304).end() : response.setHeader('etag', etag).end(body);
const answers = new Map<string, Answer>();
const server = createServer((request, response) => {
  const answer = answers.get(request.url ?? '');
  if (answer) answer(request, response);
  else response.writeHead(404).end();
});

let origin: string;
let t: DeliveringProgram;
let owner: Person;
beforeAll(async () => {
  await once(server.listen(0, '127.0.0.1'), 'listening');
  origin = `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`;
  t = await makeDeliveringProgram({
    config: { trustedProxies: ['loopback'], torExits: `${origin}/tor`, countryDatabaseUrl: `${origin}/countries.mmdb.gz?key=tea` },
  });
}, 60_000);
afterAll(async () => {
  await t.close();
  server.close();
});
beforeEach(async () => {
  owner = await t.makePerson('owner');
});

const at = (site: Site, rest = ''): string => `/api/site/${site.id}/setting/country_block${rest}`;
const readState = async (site: Site, who = owner) => dataOf<CountryRuleState>(await who.get(at(site)));
const save = async (site: Site, rule: CountryRuleInput) =>
  owner.send('PUT', at(site), { rule }, { 'if-match': `"${String((await readState(site)).version)}"` });
const statusOf = async (site: Site, address: string) => (await t.visit(`${site.slug}.localhost`, '/', { 'x-forwarded-for': address })).statusCode;
const refusing = (...countries: string[]): CountryRuleInput => ({ enabled: true, mode: 'deny_listed', countries, action: 'block' });

describe('Tor', () => {
  const refresh = (ahead = 0) => runSchedule(t.ctx, 'countryRules.refreshTorExits', ahead);
  let site: Site;
  beforeAll(async () => {
    owner = await t.makePerson('owner');
    site = await t.makeSite(owner, { name: '茶铺', slug: 'tor' });
  });

  test('cannot be chosen until there is a list of its exits', async () => {
    expect((await save(site, refusing('US', 'T1'))).json()).toMatchObject({ fields: { 'rule.countries.1': { code: 'unknown' } } });
    answers.set('/tor', send(`# exits\n${exits.first}\n0.0.0.0/1\n`, '"wide"'));
    await refresh();
    expect((await readState(site)).torDay).toBe(null);
    answers.set(
      '/tor',
      send(
        Object.values(exits)
          .map((one) => `ExitNode ABC\nExitAddress ${one} 2026-11-27 10:00:00`)
          .join('\n'),
        '"exits"',
      ),
    );
    await refresh();
    await until(async () => (await readState(site)).torDay !== null);
    expect((await save(site, refusing('T1'))).statusCode).toBe(200);
  });

  test('is refused, logged, tested and counted as a country of its own', async () => {
    await until(async () => (await statusOf(site, exits.first)) === 403);
    expect([await statusOf(site, exits.v6), await statusOf(site, '8.8.8.8'), await statusOf(site, '185.220.101.9')]).toEqual([403, 200, 200]);
    // A process writes its log at the latest when it ends.
    const ending = await t.startDelivery();
    const headers = { host: 'tor.localhost', 'x-forwarded-for': exits.second };
    expect((await ending.inject({ method: 'GET', url: '/', headers })).statusCode).toBe(403);
    await ending.close();
    const { rows } = dataOf<{ rows: BlockedRequest[] }>(await owner.get(at(site, '/log?country=T1')));
    expect(rows.map(({ country, address }) => [country, address])).toContainEqual(['T1', '185.220.101.0/24']);
    expect((await owner.get(at(site, '/log.csv'))).body).toContain('T1,Tor 网络');
    const tested = await owner.send('POST', at(site, '/test'), { rule: refusing('T1'), address: exits.second });
    expect(dataOf<CountryTest>(tested)).toMatchObject({ action: 'block', country: 'T1' });
    // A rule that does not name Tor treats an exit as an address of its country.
    const german = await owner.send('POST', at(site, '/test'), { rule: refusing('DE'), address: exits.second });
    expect(dataOf<CountryTest>(german)).toMatchObject({ action: 'block', country: 'DE' });
  });

  test('is previewed where addresses are stored whole', async () => {
    const hits = [exits.first, exits.second, '8.8.8.8'].map((ip_masked, n) => {
      const id = (n + 1).toString(16).padStart(16, '0');
      return makeHit({ site_id: site.id, visitor_id: id, view_id: id, at: t.ctx.now() - 3_600_000, country: n === 2 ? 'US' : 'DE', ip_masked });
    });
    await insertHits(t.ctx.clickhouse, hits, 'tor');
    await createBuilder(t.ctx.clickhouse).apply(hits);
    const previewOf = async (rule: CountryRuleInput) => {
      const { rows, torIgnored } = dataOf<CountryPreview>(await owner.send('POST', at(site, '/preview'), { rule }));
      return [rows.map(({ country, visits, refused }) => [country, visits, refused]), torIgnored];
    };
    expect(await previewOf(refusing('T1'))).toEqual([
      [
        ['T1', 2, true],
        ['US', 1, false],
      ],
      true,
    ]);
    expect(await previewOf(refusing('US'))).toEqual([
      [
        ['DE', 2, false],
        ['US', 1, true],
      ],
      false,
    ]);
  });

  test('counts as its country once the list is old, until it is read again', async () => {
    t.pass(8 * day);
    owner = await t.makePerson('owner');
    answers.set('/tor', send(exits.first.repeat(2), '"broken"'));
    await refresh();
    expect([await statusOf(site, exits.first), (await readState(site)).warnings]).toEqual([200, ['tor_list_old']]);
    answers.set('/tor', send('', '"exits"'));
    await refresh();
    await until(async () => (await statusOf(site, exits.first)) === 403);
    expect((await readState(site)).warnings).toEqual([]);
  });

  test('in a file is as old as it, and stored again after changes', async () => {
    const folder = await mkdtemp(join(os.tmpdir(), 'exits-'));
    const file = join(folder, 'exits');
    const written: number[] = [];
    const files: typeof t.ctx.files = Object.assign(Object.create(t.ctx.files), {
      put: async (key: FileKey, content: Buffer, options: { replace: boolean }) => {
        written.push((JSON.parse(content.toString()) as { at: number }).at);
        await t.ctx.files.put(key, content, options);
      },
    });
    const ctx = { ...t.ctx, files, config: { ...t.ctx.config, torExits: file } };
    const now = Math.floor(t.ctx.now() / 1000) * 1000;
    for (const changedAt of [now - day, now - day, now - day / 2]) {
      await writeFile(file, exits.first);
      await utimes(file, changedAt / 1000, changedAt / 1000);
      await runSchedule(ctx, 'countryRules.refreshTorExits', 0);
    }
    expect(written).toEqual([now - day, now - day / 2]);
    await rm(folder, { recursive: true });
  });
});

describe('a newer database of countries', () => {
  let site: Site;
  let worker: ReturnType<typeof startWorker>;
  beforeAll(async () => {
    owner = await t.makePerson('owner');
    site = await t.makeSite(owner, { name: '书店', slug: 'database' });
    worker = startWorker(t.ctx, jobHandlers, [], { pollEvery: 20 });
    await save(site, refusing('CN'));
  });
  afterAll(() => worker.close());
  const address = '/countries.mmdb.gz?key=tea';
  /** Updates by hand; how that ended, and what the screen then says. */
  async function update() {
    const job = dataOf<Job>(await owner.send('POST', '/api/core/country_database/update'));
    const now = async () => dataOf<Job[]>(await owner.get('/api/core/jobs')).find(({ id }) => id === job.id);
    await until(async () => ['done', 'failed'].includes((await now())?.state ?? ''));
    const ended = await now();
    return { state: ended?.state, label: ended?.label, error: ended?.error, screen: await readState(site) };
  }

  test('failures say why, and the database in use stays', async () => {
    const before = (await readState(site)).databaseDay;
    const failures: [Answer, RegExp][] = [
      [(_, response) => response.writeHead(403).end(), /没有提供这个文件/],
      [(_, response) => void response.writeHead(302, { location: 'http://localhost:1/' }).end(), /内网地址/],
      [(_, response) => void response.writeHead(200, { 'content-length': '1000' }).write('half', () => response.destroy()), /没有响应或连接中断/],
      [send(gzipSync(packaged.subarray(0, 100_000)), '"cut"'), /不是可用的国家\/地区地址库/],
      [send(builtOn(Date.UTC(2020, 0, 1)), '"old"'), /比正在使用的旧/],
      [(_, response) => void response.writeHead(200, { 'content-length': String(2 ** 30) }).end(), /文件过大/],
    ];
    for (const [answer, text] of failures) {
      answers.set(address, answer);
      const { state, error, screen } = await update();
      expect([state, screen.databaseDay, screen.databaseUpdate?.failure]).toEqual(['failed', before, error]);
      expect(error).toMatch(text);
    }
  });

  test('is used by every process at once, and sent only if it changed', async () => {
    t.pass(500 * day);
    owner = await t.makePerson('owner');
    await until(async () => (await statusOf(site, '114.114.114.114')) === 200);
    const built = t.ctx.now() - day;
    answers.set(address, send(gzipSync(builtOn(built), { level: 1 }), '"new"'));
    const { state, label, screen } = await update();
    expect([state, label, screen.databaseDay, screen.databaseUpdate]).toEqual([
      'done',
      new URL(t.ctx.config.countryDatabaseUrl ?? '').host,
      dayOf(built),
      { jobId: null, checkedAt: expect.any(String), failure: null },
    ]);
    await until(async () => (await statusOf(site, '114.114.114.114')) === 403);
    answers.set(address, send('never sent', '"new"'));
    expect((await update()).state).toBe('done');
    expect((await readState(site)).databaseDay).toBe(dayOf(built));
  });

  test('is looked for every month, and only by those who see all sites', async () => {
    const member = await t.makePerson('member');
    await t.grant(site.id, member.userId, 'admin');
    expect([(await member.send('POST', '/api/core/country_database/update')).statusCode, (await readState(site, member)).databaseUpdate]).toEqual([403, null]);
    expect((await owner.get('/api/acc/audit?action=countryBlock.update_started')).body).toContain('countryBlock.update_started');
    const count = async () =>
      Number((await t.ctx.postgres.pool.query<{ n: string }>(`SELECT count(*) AS n FROM jobs WHERE kind = 'countries.update'`)).rows[0]?.n);
    const before = await count();
    const counts: number[] = [];
    for (const ahead of [29, 31]) {
      await runSchedule(t.ctx, 'countryRules.updateDatabase', ahead * day);
      counts.push((await count()) - before);
    }
    expect(counts).toEqual([0, 1]);
  });
});

test('crawlers of published networks pass where the rule lets crawlers in', async () => {
  const published = (...prefixes: object[]): string => JSON.stringify({ creationTime: '2026-11-01T00:00:00', prefixes });
  const folder = await mkdtemp(join(os.tmpdir(), 'ranges-'));
  const file = join(folder, 'duckduckbot.json');
  await writeFile(file, published({ ipv4Prefix: '36.112.24.10/32' }));
  answers.set('/googlebot.json?key=secret', send(published({ ipv4Prefix: '114.114.114.0/24' }, { ipv6Prefix: '240e::/64' }), 'networks'));
  const crawlerRanges = [
    { crawler: 'google', source: `${origin}/googlebot.json?key=secret` },
    { crawler: 'duckduckgo', source: file },
  ] as const;
  const refresh = () => runSchedule({ ...t.ctx, config: { ...t.ctx.config, crawlerRanges } }, 'countryRules.refreshRanges', 0);
  await refresh();
  // A list that is no longer readable changes nothing.
  answers.set('/googlebot.json?key=secret', send(published({ ipv4Prefix: 'tea' }), 'broken'));
  const warn = jest.spyOn(t.ctx.log, 'warn').mockReturnValue();
  await refresh();
  expect(warn.mock.calls.map(([, fields]) => (fields as { readonly source: string }).source)).toEqual([new URL(origin).host]);
  warn.mockRestore();
  const site = await t.makeSite(owner, { name: '茶铺', slug: 'crawled', defaultLang: 'zh-Hans' });
  await save(site, { ...refusing('CN'), bots: 'verified' });
  await until(async () => (await statusOf(site, '114.114.114.114')) === 403);
  const listed = await t.startDelivery({ crawlerRanges });
  const agents = { google: 'Googlebot/2.1', duckduckgo: 'DuckDuckBot/1.1' };
  const statusFor = async (address: string, agent: keyof typeof agents) => {
    const headers = { host: 'crawled.localhost', 'x-forwarded-for': address, 'user-agent': agents[agent] };
    return (await listed.inject({ method: 'GET', url: '/', headers })).statusCode;
  };
  await until(async () => (await statusFor('114.114.114.114', 'google')) === 200);
  expect([await statusFor('240e::1', 'google'), await statusFor('36.112.24.10', 'duckduckgo')]).toEqual([200, 200]);
  expect([await statusFor('114.114.114.114', 'duckduckgo'), await statusFor('36.112.24.10', 'google')]).toEqual([403, 403]);
  await listed.close();
  await rm(folder, { recursive: true });
});
