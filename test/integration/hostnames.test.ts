import type { AddressInfo } from 'node:net';
import { eq } from 'drizzle-orm';
import type { z } from 'zod';
import type { FastifyInstance } from 'fastify';
import type { Hostname, Hostnames } from '../../contract/hostnames/schemas';
import type { Site } from '../../contract/sites/schemas';
import { startHostnameChecker } from '../../server/areas/hostnames/checker';
import { findHostname } from '../../server/areas/hostnames/queries';
import { hostnameResponse } from '../../server/areas/hostnames/responses';
import { hostnames } from '../../server/areas/hostnames/schema';
import { notices } from '../../server/areas/notices/schema';
import { startCollector } from '../../server/collect';
import type { Collector } from '../../server/collect';
import { createDelivery } from '../../server/delivery';
import { makeTestAppWithFolder } from '../support/app';
import type { Person, TestApp } from '../support/app';
import { describeWithDns, startNameServer } from '../support/nsd';
import type { NameServer } from '../support/nsd';
import { until } from '../support/until';

let dns: NameServer;
let t: TestApp;
let owner: Person;
let collector: Collector;
let delivery: FastifyInstance;
let port: number;
let checker: { readonly close: () => Promise<void> };
let sites = 0;

type Failed = { readonly code: string; readonly fields?: Readonly<Record<string, { readonly code: string }>> };

const newSite = (): Promise<Site> => t.makeSite(owner, { name: `Tea ${++sites}`, slug: `tea-${sites}` });
const base = (site: Site): string => `/api/site/${site.id}/hostnames`;
const list = async (site: Site): Promise<Hostnames> => (await owner.get(base(site))).json<{ data: Hostnames }>().data;
const add = async (site: Site, host: string, withPair = false): Promise<Hostname> => {
  const response = await owner.send('POST', base(site), { host, withPair });
  const [added] = response.json<{ data: { added: Hostname[] } }>().data.added;
  if (!added) throw new Error(response.body);
  return added;
};
const refusal = async (site: Site, host: string): Promise<string> => {
  const { code, fields } = (await owner.send('POST', base(site), { host })).json<Failed>();
  return fields?.host ? `${code}: ${fields.host.code}` : code;
};
/** Read without the API, whose calls are limited. */
const find = async (site: Site, id: string): Promise<z.input<typeof Hostname>> => {
  const found = await findHostname(t.ctx.postgres.db, site.id, id);
  if (!found) throw new Error('gone');
  return hostnameResponse(found);
};
const served = (site: Site, ...rows: readonly Hostname[]): Promise<void> =>
  until(async () => (await Promise.all(rows.map(({ id }) => find(site, id)))).every((row) => row.served));
const check = (id: string) =>
  t.ctx.postgres.db
    .update(hostnames)
    .set({ nextAt: new Date(0) })
    .where(eq(hostnames.id, id));
/** Waits for a check after now. */
const checked = async (site: Site, id: string): Promise<z.input<typeof Hostname>> => {
  const before = (await find(site, id)).checkedAt;
  t.pass(1000);
  await check(id);
  await until(async () => (await find(site, id)).checkedAt !== before);
  return find(site, id);
};
const get = (host: string, url = '/', headers: Record<string, string> = {}) => delivery.inject({ method: 'GET', url, headers: { host, ...headers } });
const change = async (site: Site, row: Hostname, body: object) =>
  owner.send('PUT', `${base(site)}/${row.id}`, body, { 'if-match': `"${(await find(site, row.id)).revision}"` });

describeWithDns('hostnames', () => {
  beforeAll(async () => {
    dns = await startNameServer('test');
    const config = {
      privateSites: true,
      dnsServers: [dns.address],
      sitesAddresses: ['127.0.0.1'],
      trustedProxies: ['loopback'],
      tlsMode: 'caddy' as const,
    };
    t = await makeTestAppWithFolder({ config });
    owner = await t.signUpOwner();
    collector = await startCollector(t.ctx);
    delivery = await createDelivery(t.ctx, collector);
    await delivery.listen({ host: '127.0.0.1', port: 0 });
    port = (delivery.server.address() as AddressInfo).port;
    // Nothing listens on the port for https.
    checker = startHostnameChecker(t.ctx, { pollEvery: 25, reach: { ports: { http: port, https: 1 } } });
  }, 60_000);
  afterAll(async () => {
    await checker.close();
    await delivery.close();
    await collector.close();
    await t.close();
    await dns.stop();
  });

  test('an address that was pasted is reduced to its host', async () => {
    const site = await newSite();
    const response = await owner.send('POST', base(site), { host: ' https://user@WWW.Pasted.example.com/path?x=1#y ', withPair: true });
    const { added, reduced } = response.json<{ data: { added: Hostname[]; reduced: boolean } }>().data;
    expect([reduced, added.map(({ host, role }) => `${host} ${role}`)]).toEqual([true, ['www.pasted.example.com serve']]);
    const { rows, system } = await list(site);
    expect([rows[0]?.health, system?.host]).toEqual(['setting_up', `${site.slug}.localhost`]);
  });

  test('bad names are refused with the reason', async () => {
    const site = await newSite();
    const reasons: Readonly<Record<string, string>> = {
      '192.0.2.1': 'ip_address',
      'http://[2001:db8::1]/': 'ip_address',
      '0x7f.1': 'ip_address',
      'shop.example.com:8080': 'has_port',
      'co.uk': 'public_suffix',
      intranet: 'not_a_host',
      'foo..com': 'not_a_host',
      '-a.com': 'not_a_host',
      'a_b.com': 'not_a_host',
      [`${'a'.repeat(64)}.com`]: 'not_a_host',
      [`${'a.'.repeat(130)}com`]: 'too_long',
      'a.*.com': 'wildcard',
      '*.a.com': 'wildcard',
      'shop.localhost': 'reserved',
    };
    for (const [host, reason] of Object.entries(reasons)) expect([host, await refusal(site, host)]).toEqual([host, `invalid_fields: ${reason}`]);
  });

  test('a hostname of another site is refused without naming it', async () => {
    const [first, second] = [await newSite(), await newSite()];
    await add(first, 'taken.example.com');
    const response = await owner.send('POST', base(second), { host: 'TAKEN.example.com.' });
    expect([response.statusCode, response.json<Failed>().code]).toEqual([409, 'host_taken']);
    expect(response.body).not.toContain(first.name);
  });

  test('an unproven hostname whose checks have stopped goes to who proves it', async () => {
    const [first, owning, third] = [await newSite(), await newSite(), await newSite()];
    const abandoned = await add(first, 'claimed.test');
    await until(async () => (await find(first, abandoned.id)).checkedAt !== null);
    expect(await refusal(owning, 'claimed.test')).toBe('host_taken: duplicate');
    await t.ctx.postgres.db
      .update(hostnames)
      .set({ checks: 500, nextAt: new Date(0) })
      .where(eq(hostnames.id, abandoned.id));
    await until(async () => (await find(first, abandoned.id)).health === 'paused');

    const claim = await add(owning, 'claimed.test');
    expect([claim.contested, await refusal(third, 'claimed.test')]).toEqual([true, 'host_taken: duplicate']);
    await dns.serve(['claimed IN A 127.0.0.1']);
    expect(await checked(owning, claim.id)).toMatchObject({ ownership: 'unverified', served: false, probe: { state: 'ok' } });
    const txt = claim.records.find(({ type }) => type === 'TXT');
    await dns.serve(['claimed IN A 127.0.0.1', `_sitecheck.claimed IN TXT "${txt?.expected[0]}"`]);
    expect(await checked(owning, claim.id)).toMatchObject({ ownership: 'verified', served: true });
    expect([(await list(first)).rows, (await list(owning)).rows.length]).toEqual([[], 1]);
  });

  test('a claim that is a week old blocks nobody, however often it is checked', async () => {
    const [first, second] = [await newSite(), await newSite()];
    const old = await add(first, 'squatted.test');
    const weekAgo = new Date(t.ctx.now() - 8 * 86_400_000);
    await t.ctx.postgres.db.update(hostnames).set({ createdAt: weekAgo }).where(eq(hostnames.id, old.id));
    expect([(await checked(first, old.id)).nextCheckAt !== null, (await add(second, 'squatted.test')).contested]).toEqual([true, true]);
  });

  test('names that look like others carry a warning', async () => {
    const site = await newSite();
    const mixed = await add(site, 'аpple.com');
    const chinese = await add(site, '茶铺tea.com');
    expect([mixed.host, mixed.lookAlike, chinese.unicode, chinese.lookAlike]).toEqual(['xn--pple-43d.com', true, '茶铺tea.com', false]);
  });

  test('a hostname whose records lead here is served and becomes primary', async () => {
    const site = await newSite();
    await dns.serve(['www.pair IN A 127.0.0.1', 'pair IN A 127.0.0.1', 'pair IN AAAA 2001:db8::7']);
    const row = await add(site, 'www.pair.test', true);
    await served(site, row);
    expect(await find(site, row.id)).toMatchObject({ role: 'primary', ownership: 'verified', dns: 'ok', probe: { state: 'ok' }, health: 'active' });
    // The pair has an old AAAA record, which is named.
    const pair = (await list(site)).rows.find(({ host }) => host === 'pair.test');
    await until(async () => (await find(site, pair?.id ?? '')).checkedAt !== null);
    const apex = await find(site, pair?.id ?? '');
    expect([apex.dns, apex.records.find(({ type }) => type === 'AAAA')]).toMatchObject(['conflict', { state: 'conflict', conflicts: ['2001:db8::7'] }]);

    await until(async () => (await get('www.pair.test')).statusCode === 200);
    await until(async () => (await get('pair.test')).statusCode === 308);
    const redirected = await get('pair.test', '/a%20b?x=1&y=2');
    expect([redirected.headers.location, redirected.headers['cache-control']]).toEqual(['http://www.pair.test/a%20b?x=1&y=2', 'public, max-age=3600']);
    const system = await get(`${site.slug}.localhost`, '/x?y');
    expect([system.statusCode, system.headers.location]).toEqual([307, 'http://www.pair.test/x?y']);
    expect((await get(`${site.slug}.localhost`, '/_p/x')).statusCode).not.toBe(307);
    expect((await get('nobody.pair.test')).statusCode).toBe(404);
    expect((await get('nobody.pair.test', '/', { 'x-forwarded-host': 'www.pair.test', 'x-forwarded-for': '203.0.113.9' })).statusCode).toBe(200);
  });

  test('HTTPS can be forced once there is a certificate', async () => {
    const site = await newSite();
    await dns.serve(['secure IN A 127.0.0.1']);
    const row = await add(site, 'secure.test');
    await served(site, row);
    expect((await change(site, row, { forceHttps: true })).json<Failed>().fields?.forceHttps?.code).toBe('needs_certificate');
    await t.ctx.postgres.db.update(hostnames).set({ tls: 'active' }).where(eq(hostnames.id, row.id));
    const hsts = { maxAge: 31_536_000, subdomains: true, preload: true } as const;
    expect((await change(site, row, { forceHttps: true, hsts })).json<Failed>().code).toBe('confirm_mismatch');
    expect((await change(site, row, { forceHttps: true, hsts, confirm: 'secure.test' })).statusCode).toBe(200);
    await until(async () => (await get('secure.test')).statusCode === 308);
    expect((await get('secure.test', '/a?b')).headers.location).toBe('https://secure.test/a?b');
    const secure = await get('secure.test', '/', { 'x-forwarded-proto': 'https', 'x-forwarded-for': '203.0.113.9' });
    expect([secure.statusCode, secure.headers['strict-transport-security']]).toEqual([200, 'max-age=31536000; includeSubDomains; preload']);
    const spoofed = await delivery.inject({ url: '/', headers: { host: 'secure.test', 'x-forwarded-proto': 'https' }, remoteAddress: '203.0.113.9' });
    expect(spoofed.statusCode).toBe(308);
  });

  test('making another hostname primary swaps the two', async () => {
    const site = await newSite();
    await dns.serve(['one.swap IN A 127.0.0.1', 'two.swap IN A 127.0.0.1']);
    const [one, two] = [await add(site, 'one.swap.test'), await add(site, 'two.swap.test')];
    await served(site, one, two);
    const other = (await find(site, one.id)).role === 'primary' ? two : one;
    const answers = await Promise.all([1, 2].map(() => owner.send('POST', `${base(site)}/${other.id}/primary`)));
    expect(answers.map(({ statusCode }) => statusCode)).toEqual([200, 200]);
    expect((await list(site)).rows.map(({ id, role }) => [id === other.id, role])).toEqual([
      [true, 'primary'],
      [false, 'serve'],
    ]);
    expect((await change(site, other, { role: 'serve' })).json<Failed>().code).toBe('bad_transition');
    await owner.send('DELETE', `${base(site)}/${other.id}`);
    expect((await list(site)).rows).toMatchObject([{ role: 'primary' }]);
  });

  test('a removed hostname needs the TXT record of another site', async () => {
    const [first, second] = [await newSite(), await newSite()];
    await dns.serve(['moved IN A 127.0.0.1']);
    const row = await add(first, 'moved.test');
    await served(first, row);
    await owner.send('DELETE', `${base(first)}/${row.id}`);
    const claim = await add(second, 'moved.test');
    await until(async () => (await find(second, claim.id)).checkedAt !== null);
    const waiting = await find(second, claim.id);
    expect(waiting).toMatchObject({ contested: true, served: false, probe: { state: 'ok' } });
    const txt = waiting.records.find(({ type }) => type === 'TXT');
    expect(txt).toMatchObject({ name: '_sitecheck.moved.test', state: 'missing' });
    await dns.serve(['moved IN A 127.0.0.1', `_sitecheck.moved IN TXT "${txt?.expected[0]}"`]);
    expect(await checked(second, claim.id)).toMatchObject({ ownership: 'verified', served: true });
  });

  test('wrong answers are reported, and no answer is not wrong', async () => {
    const site = await newSite();
    await dns.serve(['away IN A 127.0.0.1']);
    const row = await add(site, 'away.test');
    await served(site, row);
    const noticesOfSite = async (): Promise<number> =>
      (await owner.get('/api/acc/notices')).json<{ data: { rows: { siteId: string }[] } }>().data.rows.filter(({ siteId }) => siteId === site.id).length;
    await dns.serve(['away IN A 127.0.0.2']);
    for (const wrong of [1, 2, 3]) {
      expect([wrong, await noticesOfSite()]).toEqual([wrong, 0]);
      await checked(site, row.id);
    }
    expect([await noticesOfSite(), (await find(site, row.id)).health, (await find(site, row.id)).served]).toEqual([1, 'attention', true]);
    await dns.serve(['away IN A 127.0.0.1']);
    expect((await checked(site, row.id)).health).toBe('active');
  });

  test('ownership lapses after a month, and returns with the DNS', async () => {
    const site = await newSite();
    await dns.serve(['lapsing IN A 127.0.0.1']);
    const row = await add(site, 'lapsing.test');
    await served(site, row);
    await dns.serve(['lapsing IN A 127.0.0.2']);
    await checked(site, row.id);
    const monthAgo = new Date(t.ctx.now() - 31 * 86_400_000);
    await t.ctx.postgres.db.update(hostnames).set({ wrongSince: monthAgo }).where(eq(hostnames.id, row.id));
    expect(await checked(site, row.id)).toMatchObject({ ownership: 'lapsed', served: false, role: 'serve', health: 'error' });
    await until(async () => (await get('lapsing.test')).statusCode === 404);
    await dns.serve(['lapsing IN A 127.0.0.1']);
    expect(await checked(site, row.id)).toMatchObject({ ownership: 'verified', served: true, role: 'primary' });
  });

  test('a lapsed hostname goes to the site that proves it', async () => {
    const [first, second] = [await newSite(), await newSite()];
    await dns.serve(['sold IN A 127.0.0.1']);
    const row = await add(first, 'sold.test');
    await served(first, row);
    expect(await refusal(second, 'sold.test')).toBe('host_taken: duplicate');
    await t.ctx.postgres.db.update(hostnames).set({ ownership: 'lapsed', role: 'serve' }).where(eq(hostnames.id, row.id));
    const claim = await add(second, 'sold.test');
    // The former owner does not get it back by what the new one sets up.
    expect(await checked(first, row.id)).toMatchObject({ ownership: 'lapsed', contested: true, served: false });
    const txt = claim.records.find(({ type }) => type === 'TXT');
    await dns.serve(['sold IN A 127.0.0.1', `_sitecheck.sold IN TXT "${txt?.expected[0]}"`]);
    expect(await checked(second, claim.id)).toMatchObject({ ownership: 'verified', served: true });
    expect((await list(first)).rows).toEqual([]);
  });

  test('a manual check begins the setup anew after checks stopped', async () => {
    const site = await newSite();
    const row = await add(site, 'late.test');
    await until(async () => (await find(site, row.id)).checkedAt !== null);
    const weekAgo = new Date(t.ctx.now() - 8 * 86_400_000);
    await t.ctx.postgres.db.update(hostnames).set({ checks: 500, createdAt: weekAgo }).where(eq(hostnames.id, row.id));
    expect(await checked(site, row.id)).toMatchObject({ health: 'paused', nextCheckAt: null });
    const { health, nextCheckAt } = (await owner.send('POST', `${base(site)}/${row.id}/check`)).json<{ data: Hostname }>().data;
    expect([health, nextCheckAt !== null]).toEqual(['setting_up', true]);
  });

  test('Caddy may request certificates of served hostnames only', async () => {
    const site = await newSite();
    await dns.serve(['tls IN A 127.0.0.1']);
    const row = await add(site, 'tls.test');
    await served(site, row);
    const ask = async (domain: string, headers: Record<string, string> = {}) =>
      (await delivery.inject({ url: `/internal/tls/ask?domain=${domain}`, headers: { host: '127.0.0.1:3001', ...headers } })).statusCode;
    await until(async () => (await ask('tls.test')) === 200);
    expect([await ask('other.test'), await ask('')]).toEqual([403, 403]);
    expect([await ask('tls.test', { host: 'tls.test' }), await ask('tls.test', { 'x-forwarded-for': '203.0.113.9' })]).toEqual([404, 404]);
    await owner.send('DELETE', `${base(site)}/${row.id}`);
    await until(async () => (await ask('tls.test')) === 403);
  });

  test('readers see hostnames and only administrators change them', async () => {
    const site = await newSite();
    await add(site, 'roles.example.com');
    const editor = await t.makePerson('member');
    await t.grant(site.id, editor.userId, 'editor');
    expect([(await editor.get(base(site))).statusCode, (await editor.send('POST', base(site), { host: 'x.example.com' })).statusCode]).toEqual([200, 403]);
  });

  // Last, because days pass.
  test('the end of a certificate is announced 7, 3 and 1 days before', async () => {
    const site = await newSite();
    await dns.serve(['ending IN A 127.0.0.1']);
    const row = await add(site, 'ending.test');
    await served(site, row);
    const days = (count: number): number => t.ctx.now() + count * 86_400_000;
    const certificateUntil = (at: number) =>
      t.ctx.postgres.db
        .update(hostnames)
        .set({
          certificate: { notBefore: new Date(0).toISOString(), notAfter: new Date(at).toISOString(), issuer: 'Test', names: ['ending.test'], serial: '1' },
        })
        .where(eq(hostnames.id, row.id));
    const titles = async (): Promise<(string | undefined)[]> =>
      (await t.ctx.postgres.db.select().from(notices).where(eq(notices.siteId, site.id)).orderBy(notices.at)).map(({ message }) => message.en.title);
    const within = (time: string) => `The HTTPS certificate of ending.test expires within ${time}`;
    await certificateUntil(days(7.5));
    await checked(site, row.id);
    expect(await titles()).toEqual([]);
    for (const [passed, announced] of [
      [1, ['7 days']],
      [1, ['7 days']],
      [3, ['7 days', '3 days']],
      [2, ['7 days', '3 days', 'a day']],
      [1, ['7 days', '3 days', 'a day']],
    ] as const) {
      t.pass(passed * 86_400_000);
      await checked(site, row.id);
      expect(await titles()).toEqual(announced.map(within));
    }
    // Of a certificate that is found late, only the last step is announced.
    await certificateUntil(days(0.5));
    await checked(site, row.id);
    await checked(site, row.id);
    expect((await titles()).slice(3)).toEqual([within('a day')]);
  });
});
