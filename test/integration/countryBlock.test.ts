import { createHash } from 'node:crypto';
import type { CountryPreview, CountryRuleInput, CountryRuleState, BlockedRequest, CountryTest } from '../../contract/countryBlock/schemas';
import { challengeBits } from '../../contract/countryBlock/terms';
import type { SiteBase } from '../../contract/sites/base';
import type { Site } from '../../contract/sites/schemas';
import { forgetRuleLanguage } from '../../server/areas/countryBlock';
import { supportConversations, supportVisitors } from '../../server/areas/support/schema';
import { createBuilder } from '../../server/collect/builder';
import { insertHits } from '../../server/collect/queries';
import { makeHit } from '../oracle/traffic';
import { dataOf } from '../support/app';
import type { Browser, Person } from '../support/app';
import { makeBlog, makeDeliveringProgram } from '../support/deliveredSite';
import type { DeliveringProgram } from '../support/deliveredSite';
import { until } from '../support/until';
import { runSchedule } from '../support/schedules';
import { contactCalls, contactInput, mailConfig } from './contactsSupport';

/** Country rules as visitors behind a trusted proxy and people of the site meet them. */

const addresses = { CN: '114.114.114.114', CN6: '240e::1', mapped: '::ffff:114.114.114.114', US: '8.8.8.8', private: '10.1.2.3' } as const;
const refusing: CountryRuleInput = { enabled: true, mode: 'deny_listed', countries: ['CN'], action: 'block' };

let t: DeliveringProgram;
let owner: Person;
beforeAll(async () => {
  t = await makeDeliveringProgram({ config: { trustedProxies: ['loopback'], ...mailConfig } });
}, 60_000);
afterAll(() => t.close());
// Time passes in some tests, which ends sessions.
beforeEach(async () => {
  owner = await t.makePerson('owner');
});

const at = (site: Site, rest = ''): string => `/api/site/${site.id}/setting/country_block${rest}`;
const readState = async (site: Site, who: Browser = owner) => dataOf<CountryRuleState>(await who.get(at(site)));
async function change(site: Site, rule: CountryRuleInput, more: object = {}, version?: number) {
  const current = version ?? (await readState(site)).version;
  return owner.send('PUT', at(site), { rule, ...more }, { 'if-match': `"${String(current)}"` });
}
const visitFrom = (site: Site, address: string, url = '/', headers: Record<string, string> = {}) =>
  t.visit(`${site.slug}.localhost`, url, { 'x-forwarded-for': address, ...headers });
/** The delivery listener learns of a rule through PostgreSQL. */
const answers = (site: Site, address: string, status: number) => until(async () => (await visitFrom(site, address)).statusCode === status);
async function makeSite(slug: string, rule?: CountryRuleInput): Promise<Site> {
  const site = await t.makeSite(owner, { name: '茶铺', slug, defaultLang: 'zh-Hans' });
  if (rule) expect((await change(site, rule)).statusCode).toBe(200);
  return site;
}

test('addresses of a refused country get no page, whatever their form', async () => {
  const site = await makeSite('refused', refusing);
  await answers(site, addresses.CN, 403);
  const status = async (address: string, url?: string) => (await visitFrom(site, address, url)).statusCode;
  expect(await Promise.all([addresses.CN6, addresses.mapped, addresses.US, addresses.private].map((one) => status(one)))).toEqual([403, 403, 200, 200]);
  // Only the address that the trusted proxy has written counts.
  expect([await status('8.8.8.8, 114.114.114.114'), await status('114.114.114.114, 8.8.8.8')]).toEqual([403, 200]);
  // Files and measuring are refused as well, certificates and robots.txt are not.
  expect(await Promise.all(['/_r/x.png', '/_a/t.js', '/any'].map((url) => status(addresses.CN, url)))).toEqual([403, 403, 403]);
  expect(await status(addresses.CN, '/robots.txt')).toBe(200);
});

test('refusals speak the language of the visitor and are never stored', async () => {
  const rule: CountryRuleInput = {
    ...refusing,
    status: 451,
    authority: { name: 'Court <of> tea', url: 'https://example.com/order' },
    message: { en: 'Sorry & bye', 'zh-Hans': '暂不开放' },
    contact: 'tea@example.com',
  };
  const site = await makeSite('spoken', rule);
  await answers(site, addresses.CN, 451);
  const english = await visitFrom(site, addresses.CN, '/', { 'accept-language': 'en-GB,en;q=0.9' });
  expect(english.headers).toMatchObject({ link: '<https://example.com/order>; rel="blocked-by"', 'cache-control': 'no-store' });
  expect(english.headers['x-robots-tag']).toContain('noindex');
  expect(english.body).toContain('<html lang="en"');
  for (const part of ['Court &lt;of&gt; tea', 'Sorry &amp; bye', 'tea@example.com']) expect(english.body).toContain(part);
  const other = await visitFrom(site, addresses.CN, '/', { 'accept-language': 'ar' });
  expect([other.body.includes('<html lang="zh-Hans"'), other.body.includes('暂不开放')]).toEqual([true, true]);
});

test('refused visitors get the chosen page of the site with its files', async () => {
  const blog = await makeBlog(t, 'replaced');
  const [cover, other] = [await blog.addPicture('shown.jpg'), await blog.addPicture('other.jpg')];
  const texts = { title: '暂不开放', slug: 'away', body: '<p>改日再来</p>', cover: [{ resource: cover }] };
  const ids = await blog.addPosts(texts);
  await blog.calls.send('PATCH', `tables/${blog.posts.id}/records`, { changes: [{ id: ids[0], values: { title: 'Not open here' } }], locale: 'en' });
  await blog.release(ids);
  await until(async () => (await blog.visit('/blog/away')).statusCode === 200);
  const rule: CountryRuleInput = { ...refusing, status: 451, authority: { name: 'Court', url: 'https://example.com/order' } };
  expect((await change(blog.site, { ...rule, page: '/blog/away' })).statusCode).toBe(200);
  await answers(blog.site, addresses.CN, 451);
  const page = await visitFrom(blog.site, addresses.CN, '/any', { 'accept-language': 'zh-CN' });
  const english = await visitFrom(blog.site, addresses.CN, '/', { 'accept-language': 'en', 'accept-encoding': 'gzip', 'if-none-match': '*' });
  expect([page.body.includes('改日再来'), page.body.includes('/_a/'), page.headers.etag]).toEqual([true, false, undefined]);
  expect(page.headers).toMatchObject({ 'cache-control': 'no-store', 'x-robots-tag': 'noindex', vary: 'Accept-Language, accept-encoding' });
  expect(page.headers.link).toBe('<https://example.com/order>; rel="blocked-by"');
  expect(english).toMatchObject({ statusCode: 451, headers: { 'content-encoding': 'gzip', 'content-language': 'en' } });
  const files = [...new Set(Array.from(page.body.matchAll(/(?:src|href)="(\/_[rt]\/[^"]+)"/g), ([, path = '']) => path))];
  const status = async (path: string, more = {}) => (await visitFrom(blog.site, addresses.CN, path, more)).statusCode;
  const statuses = (paths: string[], more = {}) => Promise.all(paths.map((path) => status(path, more)));
  expect(files.map((path) => path.slice(0, 3)).toSorted()).toEqual(expect.arrayContaining(['/_r', '/_t']));
  expect([...new Set([...(await statuses(files, { 'accept-language': 'zh-CN' })), ...(await statuses(files))])]).toEqual([200]);
  const hidden =
    files
      .find((path) => path.startsWith('/_r/'))
      ?.replace(cover, other)
      .replace('shown', 'other') ?? '';
  expect((await visitFrom(blog.site, addresses.US, hidden)).statusCode).toBe(200);
  expect(await statuses([hidden, '/_t/0000000000000000/theme.css', '/_a/t.js', '/sitemap.xml'])).toEqual([451, 451, 451, 451]);

  const isOwn = async () => (await visitFrom(blog.site, addresses.CN)).body.includes('改日再来');
  await change(blog.site, { ...rule, page: '/blog/none' });
  await until(async () => !(await isOwn()));
  expect((await owner.send('POST', at(blog.site, '/versions/1/restore'), {})).statusCode).toBe(200);
  await until(isOwn);
  const base = `/api/site/${blog.site.id}/setting/base`;
  const { name, slug, defaultLang, timeZone, maintenance, revision } = dataOf<SiteBase>(await owner.get(base));
  await owner.send('PUT', base, { name, slug, defaultLang, timeZone, maintenance, visibility: 'private' }, { 'if-match': `"${String(revision)}"` });
  await until(async () => !(await isOwn()));
  expect(await statuses(files.slice(0, 1))).toEqual([451]);
  const { rows } = dataOf<{ rows: { path: string }[] }>(await owner.get(`/api/site/${blog.site.id}/seo/live-pages`));
  expect(rows.slice(0, 4).map(({ path }) => path)).toEqual(['/', '/archive', '/topics/black', '/topics/green']);
});

test('refusals show the filing of the site, of which their author is warned', async () => {
  const site = await makeSite('filed', refusing);
  const number = '京ICP备12345678号-1';
  const filing = { kind: 'icp', province: 'BJ', serviceName: '茶铺', domains: [], number };
  const { id, revision } = dataOf<{ id: string; revision: number }>(await owner.send('POST', `/api/site/${site.id}/beian`, filing));
  await answers(site, addresses.CN, 403);
  expect((await visitFrom(site, addresses.CN)).body).not.toContain(number);
  expect((await readState(site)).warnings).toEqual([]);
  await owner.send('POST', `/api/site/${site.id}/beian/${id}/state`, { to: 'approved', on: '2026-11-02' }, { 'if-match': `"${String(revision)}"` });
  await until(async () => (await visitFrom(site, addresses.CN)).body.includes(number));
  expect((await readState(site)).warnings).toEqual(['filing_cn']);
  await change(site, { ...refusing, countries: ['US'] });
  expect((await readState(site)).warnings).toEqual(['googlebot_us']);
});

test('proofs of ownership answer where a rule refuses', async () => {
  const site = await makeSite('proven', refusing);
  const name = 'google0123456789abcdef.html';
  expect((await owner.send('POST', `/api/site/${site.id}/seo/verifications`, { service: 'google', method: 'file', name })).statusCode).toBe(200);
  await answers(site, addresses.CN, 403);
  await until(async () => (await visitFrom(site, addresses.CN, `/${name}`)).statusCode === 200);
  expect((await visitFrom(site, addresses.CN, '/google1123456789abcdef.html')).statusCode).toBe(403);
});

test('log-only lets visitors pass and logs them without the whole address', async () => {
  const site = await makeSite('logged', { ...refusing, action: 'log_only' });
  await until(async () => {
    await visitFrom(site, addresses.CN, '/tea?private=1', { 'user-agent': '=Agent' });
    return dataOf<{ total: number }>(await owner.get(at(site, '/log'))).total > 0;
  });
  expect((await visitFrom(site, addresses.CN)).statusCode).toBe(200);
  const { rows } = dataOf<{ rows: BlockedRequest[] }>(await owner.get(at(site, '/log?country=CN')));
  expect(rows[0]).toMatchObject({
    host: 'logged.localhost',
    country: 'CN',
    address: '114.114.114.0/24',
    version: 1,
    action: 'log_only',
    path: '/tea',
    weight: 1,
  });
  const summary = dataOf<{ requests: number; countries: object[] }>(await owner.get(at(site, '/log/summary')));
  expect(summary.countries).toEqual([{ value: 'CN', requests: summary.requests }]);
  const file = await owner.get(at(site, '/log.csv'));
  expect(file.body).toContain("'=Agent");
  expect(dataOf<{ total: number }>(await owner.get(at(site, '/log?country=US'))).total).toBe(0);
});

/** What the script of the page does. */
function solve(page: string): string {
  const task = /name="task" value="([^"]+)"/.exec(page)?.[1] ?? '';
  for (let number = 0; ; number += 1) {
    const digest = createHash('sha256')
      .update(`${task}.${String(number)}`)
      .digest();
    if (digest.readUInt32BE(0) >>> (32 - challengeBits) === 0) return new URLSearchParams({ task, number: String(number), back: '/tea' }).toString();
  }
}
const post = (site: Site, address: string, payload: string) =>
  t.delivery.inject({
    method: 'POST',
    url: '/_challenge',
    headers: { host: `${site.slug}.localhost`, 'x-forwarded-for': address, 'content-type': 'application/x-www-form-urlencoded' },
    payload,
  });

test('a solved challenge opens the site for that network only', async () => {
  const site = await makeSite('challenged', { ...refusing, action: 'challenge' });
  await answers(site, addresses.CN, 403);
  const solution = solve((await visitFrom(site, addresses.CN)).body);
  expect((await post(site, addresses.CN, 'task=1.x&number=1')).statusCode).toBe(403);
  expect((await post(site, '36.112.24.10', solution)).statusCode).toBe(403);
  const passed = await post(site, addresses.CN, solution);
  expect([passed.statusCode, passed.headers.location]).toEqual([303, '/tea']);
  const cookie = String(passed.headers['set-cookie']).split(';', 1)[0] ?? '';
  expect((await visitFrom(site, '114.114.114.7', '/', { cookie })).statusCode).toBe(200);
  expect((await visitFrom(site, '36.112.24.10', '/', { cookie })).statusCode).toBe(403);
  t.pass(13 * 3_600_000);
  expect((await visitFrom(site, addresses.CN, '/', { cookie })).statusCode).toBe(403);
});

test('visits are measured once the challenge is solved', async () => {
  const site = await makeSite('measured', { ...refusing, action: 'challenge', message: { 'zh-Hans': '暂不开放' } });
  await answers(site, addresses.CN, 403);
  const { body } = await visitFrom(site, addresses.CN);
  expect(body).not.toContain('暂不开放');
  const cookie = String((await post(site, addresses.CN, solve(body))).headers['set-cookie']).split(';', 1)[0] ?? '';
  const host = `${site.slug}.localhost`;
  const payload = JSON.stringify({ s: site.id, d: t.ctx.now(), h: [{ k: 'v', p: '0123456789abcdef', q: 0, a: 0, l: `http://${host}/tea` }] });
  const send = (url: string, more: object) =>
    t.delivery.inject({ method: 'POST', url, headers: { host, 'x-forwarded-for': addresses.CN, 'content-type': 'text/plain', ...more }, payload });
  expect((await send('/_a/collect', {})).statusCode).toBe(403);
  expect((await send('/_a/collect', { cookie })).statusCode).toBe(202);
  const passed = await Promise.all(['/_a/t.js', `/_a/collect?${site.id}`].map((url) => visitFrom(site, addresses.CN, url, { cookie })));
  for (const { statusCode, headers } of passed) expect([statusCode === 403, headers['set-cookie']]).toEqual([false, undefined]);
});

test('networks and paths stay open until they expire', async () => {
  const soon = new Date(t.ctx.now() + 3_600_000).toISOString();
  const openNetworks = [{ network: '114.114.114.9/24', note: 'Office', expiresAt: soon }];
  const site = await makeSite('opened', { ...refusing, openNetworks, openPaths: ['/pay/'] });
  await answers(site, '36.112.24.10', 403);
  expect((await visitFrom(site, addresses.CN)).statusCode).toBe(200);
  expect((await visitFrom(site, '36.112.24.10', '/pay/notify')).statusCode).not.toBe(403);
  expect((await readState(site)).rule.openNetworks[0]?.network).toBe('114.114.114.0/24');
  t.pass(2 * 3_600_000);
  expect((await visitFrom(site, addresses.CN)).statusCode).toBe(403);
});

test('a change is versioned, audited, annotated and can be taken back', async () => {
  const site = await makeSite('versions', refusing);
  const day = (ahead: number): string => new Date(t.ctx.now() + ahead * 86_400_000).toISOString().slice(0, 10);
  expect((await change(site, refusing, {}, 0)).json()).toMatchObject({ code: 'stale_revision', current: { version: 1 } });
  await change(site, { ...refusing, enabled: false }, { note: 'Holiday' });
  await answers(site, addresses.CN, 200);
  const restored = await owner.send('POST', at(site, '/versions/1/restore'), {});
  expect(dataOf<CountryRuleState>(restored)).toMatchObject({ version: 3, rule: { enabled: true } });
  await answers(site, addresses.CN, 403);
  const versions = dataOf<{ rows: { version: number; note: string }[] }>(await owner.get(at(site, '/versions')));
  expect(versions.rows.map(({ version, note }) => `${String(version)} ${note}`.trim())).toEqual(['3', '2 Holiday', '1']);
  const notes = dataOf<{ kind: string; values: object }[]>(await owner.get(`/api/site/${site.id}/als/annotations?from=${day(-1)}&to=${day(1)}`));
  expect(notes.filter(({ kind }) => kind === 'country_block').map(({ values }) => values)).toContainEqual({ rule: 'block_deny_listed', name: 'CN' });
  const audit = dataOf<{ rows: { action: string }[] }>(await owner.get(`/api/acc/audit?siteId=${site.id}&action=countryBlock`));
  expect(audit.rows.map(({ action }) => action)).toEqual(Array(3).fill('countryBlock.changed'));
});

test('a rule that is saved while a language is purged loses its texts too', async () => {
  const site = await makeSite('purged', { ...refusing, message: { de: 'Geschlossen' } });
  const client = await t.ctx.postgres.pool.connect();
  await client.query('BEGIN');
  await client.query(`INSERT INTO country_rules SELECT site_id, 2, rule, note, created_by, created_at FROM country_rules WHERE site_id = $1`, [site.id]);
  const purging = forgetRuleLanguage(t.ctx, site, 'de');
  const waits = `SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock' AND query LIKE '%country_rules%'`;
  await until(async () => (await t.ctx.postgres.pool.query(waits)).rowCount === 1);
  await client.query('COMMIT');
  client.release();
  await purging;
  const { rows } = await t.ctx.postgres.pool.query<{ text: string }>(
    `SELECT concat((SELECT json_agg(rule ORDER BY version) FROM country_rules WHERE site_id = $1), (SELECT json_agg(json_build_array(before, after)) FROM audit_log WHERE site_id = $1)) AS text`,
    [site.id],
  );
  expect(rows[0]?.text).not.toContain('Geschlossen');
  expect(rows[0]?.text).toContain('messageLanguages');
  expect(await readState(site)).toMatchObject({ version: 3, rule: { message: {} } });
});

test('rules that lock out their author must be accepted by name', async () => {
  const site = await makeSite('warned');
  const save = (more: object) => owner.send('PUT', at(site), { rule: refusing, ...more }, { 'if-match': '"0"', 'x-forwarded-for': addresses.CN });
  expect((await save({})).json()).toMatchObject({ code: 'confirm_mismatch' });
  const saved = dataOf<CountryRuleState>(await save({ accepted: ['would_block_you'] }));
  expect(saved).toMatchObject({ version: 1, warnings: ['would_block_you'], diagnosis: { address: addresses.CN, country: 'CN', proxies: 1 } });
});

test.each<[string, object, string]>([
  ['an unknown country', { countries: ['CN', 'ZZ'] }, 'rule.countries.1'],
  ['no country', { countries: [] }, 'rule.countries'],
  ['451 without an authority', { status: 451 }, 'rule.authority.name'],
  ['a network of all addresses', { openNetworks: [{ network: '0.0.0.0/0' }] }, 'rule.openNetworks.0.network'],
])('%s is refused', async (_, values, field) => {
  const site = await makeSite(`bad-${createHash('sha256').update(field).digest('hex').slice(0, 8)}`);
  const { fields } = (await change(site, { ...refusing, ...values })).json<{ fields: object }>();
  expect(Object.keys(fields)).toEqual([field]);
});

test('a hundred thousand pasted lines are merged in one call', async () => {
  const site = await makeSite('pasted');
  const line = (n: number): string => `10.${String(n >> 16)}.${String((n >> 8) & 255)}.${String(n & 255)}`;
  const text = `${Array.from({ length: 65_536 }, (_, n) => line(n)).join('\n')}\n${Array.from({ length: 34_464 }, () => 'no address').join('\n')}`;
  const read = dataOf<{ networks: string[]; lines: number; refused: object[]; refusedCount: number }>(
    await owner.send('POST', at(site, '/networks'), { text }),
  );
  expect([read.networks, read.lines, read.refused.length, read.refusedCount]).toEqual([['10.0.0.0/16'], 100_000, 100, 68_928]);
  const scattered = Array.from({ length: 501 }, (_, n) => line(n * 2)).join('\n');
  expect((await owner.send('POST', at(site, '/networks'), { text: scattered })).json()).toMatchObject({ fields: { text: { max: 500 } } });
});

/** A conversation of a visitor from a place, an hour ago. */
async function addConversation(siteId: string, country: string, region: string): Promise<void> {
  const { db } = t.ctx.postgres;
  const hourAgo = new Date(t.ctx.now() - 3_600_000);
  const visitor = { siteId, tokenHash: `${siteId} ${country}`, country, region, source: {} as never, firstSeenAt: hourAgo, lastSeenAt: hourAgo };
  const [row] = await db.insert(supportVisitors).values(visitor).returning({ id: supportVisitors.id });
  const times = { startedAt: hourAgo, lastMessageAt: hourAgo };
  await db
    .insert(supportConversations)
    .values({ siteId, visitorId: row?.id ?? '', clientId: country, number: country.charCodeAt(0), kind: 'chat', page: {} as never, ...times });
}

test('the preview counts recorded visits by country, as the rule would see them', async () => {
  const site = await makeSite('previewed');
  const places = [
    ['CN', 'CN-GD', 3, 0],
    ['CN', 'CN-HK', 2, 0],
    ['US', 'Ohio', 1, 0],
    ['US', 'Ohio', 4, 100],
    ['', '', 1, 0],
  ] as const;
  let number = 0;
  const hits = places.flatMap(([country, province, visitors, score]) =>
    Array.from({ length: visitors }, () => {
      const id = (number += 1).toString(16).padStart(16, '0');
      return makeHit({ site_id: site.id, visitor_id: id, view_id: id, at: t.ctx.now() - 3_600_000 + number, country, province, bot_score: score });
    }),
  );
  await insertHits(t.ctx.clickhouse, hits, 'previewed');
  await createBuilder(t.ctx.clickhouse).apply(hits);
  await addConversation(site.id, 'CN', 'CN-HK');
  await addConversation(site.id, 'JP', '');
  const preview = dataOf<CountryPreview>(await owner.send('POST', at(site, '/preview'), { rule: { ...refusing, countries: ['CN', 'US'] } }));
  expect(preview.rows.map((row) => [row.country, row.visits, row.conversations, row.botVisits, row.refused])).toEqual([
    ['CN', 3, 0, 0, true],
    ['HK', 2, 1, 0, false],
    [null, 1, 0, 0, false],
    ['US', 1, 0, 4, true],
    ['JP', 0, 1, 0, false],
  ]);
  expect(preview.warnings).toContain('googlebot_us');
  const tested = await owner.send('POST', at(site, '/test'), { rule: refusing, address: '[::ffff:114.114.114.114]:443', path: '/tea?x=1' });
  expect(dataOf<CountryTest>(tested)).toEqual({ action: 'block', reason: 'country_refused', address: addresses.CN, country: 'CN', network: null });
});

test('the share of hits from one private address is known', async () => {
  const site = await makeSite('proxied');
  const hitsFrom = (address: string, count: number, from: number) =>
    Array.from({ length: count }, (_, n) => {
      const id = (from + n).toString(16).padStart(16, '0');
      return makeHit({ site_id: site.id, visitor_id: id, view_id: id, at: t.ctx.now() - 3_600_000, ip_masked: address });
    });
  // More addresses than the query returns rows: all of them count.
  const others = Array.from({ length: 120 }, (_, n) => hitsFrom(`8.8.${String(n)}.x`, 1, 5000 + n)).flat();
  await insertHits(t.ctx.clickhouse, [...hitsFrom('10.1.2.x', 360, 1), ...others], 'proxied');
  expect((await readState(site)).diagnosis.privateShare).toBeCloseTo(0.75);
});

test('people learn once that the database is old, and again after it worked', async () => {
  const site = await makeSite('noticed', { ...refusing, action: 'log_only' });
  await makeSite('switched-off', { ...refusing, enabled: false });
  const contacts = contactCalls(() => ({ t, owner }));
  await contacts.add({ ...contactInput, siteIds: [site.id] });
  await contacts.verified();
  const notified = async () => {
    const { rows } = dataOf<{ rows: { kind: string; path: string }[] }>(await owner.get('/api/acc/notices'));
    const mails = (await contacts.messages()).filter(({ content }) => JSON.stringify(content).includes(site.id));
    return [rows.filter(({ kind, path }) => kind === 'country_block' && path === `/site/${site.id}/setting/country_block`).length, mails.length];
  };
  const watch = (days: number) => runSchedule(t.ctx, 'countryRules.watchDatabase', days * 86_400_000);
  await watch(0);
  expect(await notified()).toEqual([0, 0]);
  await watch(500);
  await watch(500);
  expect(await notified()).toEqual([1, 2]);
  await watch(0);
  await watch(500);
  expect(await notified()).toEqual([2, 4]);
  const { rows } = dataOf<{ rows: { path: string }[] }>(await owner.get('/api/acc/notices'));
  expect(rows.filter(({ path }) => path.includes('switched'))).toEqual([]);
});

test('nobody is refused while the address database is missing or old', async () => {
  const site = await makeSite('failing', refusing);
  await answers(site, addresses.CN, 403);
  const blind = await t.startDelivery({ countryDatabase: '/missing.mmdb' });
  const headers = { host: 'failing.localhost', 'x-forwarded-for': addresses.CN };
  await until(async () => (await blind.inject({ method: 'GET', url: '/', headers })).statusCode === 200);
  await blind.close();
  t.pass(500 * 86_400_000);
  expect((await visitFrom(site, addresses.CN)).statusCode).toBe(200);
  expect((await readState(site, await t.makePerson('owner'))).warnings).toEqual(['database_old']);
});
