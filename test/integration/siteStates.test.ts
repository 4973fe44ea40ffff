import { eq, inArray } from 'drizzle-orm';
import type { FastifyInstance } from 'fastify';
import type { SiteBase, SiteBaseInput } from '../../contract/sites/base';
import type { Site } from '../../contract/sites/schemas';
import { auditLog } from '../../server/areas/audit/schema';
import { sites } from '../../server/areas/sites/schema';
import { startCollector } from '../../server/collect';
import type { Collector } from '../../server/collect';
import { createDelivery } from '../../server/delivery';
import { makeTestAppWithFolder } from '../support/app';
import type { Browser, Person, TestApp } from '../support/app';
import { until } from '../support/until';

/** States of a site and its settings that act at once, with what its visitors get. */

let t: TestApp;
let owner: Person;
let collector: Collector;
let delivery: FastifyInstance;

beforeAll(async () => {
  t = await makeTestAppWithFolder();
  collector = await startCollector(t.ctx);
  delivery = await createDelivery(t.ctx, collector);
  await delivery.ready();
}, 60_000);
afterAll(async () => {
  await delivery.close();
  await collector.close();
  await t.close();
});
// Time passes in some tests, which ends sessions.
beforeEach(async () => {
  owner = await t.makePerson('owner');
});

const reason = 'Reported for phishing';
const move = (site: Site, to: string, who: Browser = owner) =>
  who.send('POST', `/api/core/sites/${site.id}/state`, { to, ...(to === 'suspended' && { reason }) });
const baseAt = (site: Site) => `/api/site/${site.id}/setting/base`;
const readBase = async (site: Site) => (await owner.get(baseAt(site))).json<{ data: SiteBase }>().data;
async function change(site: Site, values: Partial<SiteBaseInput>, revision?: number) {
  const { name, slug, defaultLang, timeZone, visibility, maintenance, revision: current } = await readBase(site);
  const body = { name, slug, defaultLang, timeZone, visibility, maintenance, ...values };
  return owner.send('PUT', baseAt(site), body, { 'if-match': `"${revision ?? current}"` });
}
const visit = (slug: string, url = '/', cookie = '') =>
  delivery.inject({ method: 'GET', url, headers: { host: `${slug}.localhost:3001`, ...(cookie !== '' && { cookie }) } });
const enter = (slug: string, password: string, back = '/') =>
  delivery.inject({
    method: 'POST',
    url: '/_site/password',
    headers: { host: `${slug}.localhost:3001`, 'content-type': 'application/x-www-form-urlencoded' },
    payload: new URLSearchParams({ password, back }).toString(),
  });
const cookieOf = ({ headers }: { readonly headers: { readonly 'set-cookie'?: string | string[] | undefined } }): string =>
  [headers['set-cookie'] ?? ''].flat()[0]?.split(';', 1)[0] ?? '';
/** The site index receives changes through PostgreSQL. */
const status = (slug: string, expected: number, url = '/', cookie = '') => until(async () => (await visit(slug, url, cookie)).statusCode === expected);

async function release(site: Site): Promise<void> {
  const settings = `/api/site/${site.id}/setting`;
  await owner.send('PUT', `${settings}/parts/routes`, [{ kind: 'template', path: '/', template: 'home' }], { 'if-match': '"0"' });
  const at = `${settings}/releases`;
  const { working } = (await owner.get(`${at}/preview`)).json<{ data: { working: string } }>().data;
  const answer = await owner.send('POST', at, { working, note: '', records: [] });
  if (answer.statusCode >= 300) throw new Error(answer.body);
}

describe('states', () => {
  test('a draft becomes published by its first release only', async () => {
    const site = await t.makeSite(owner, { name: 'Tea', purpose: 'built' });
    expect(site.state).toBe('draft');
    expect((await move(site, 'published')).json()).toMatchObject({ code: 'bad_transition' });
    await status(site.slug, 200);
    expect((await visit(site.slug)).headers['x-robots-tag']).toBe('noindex, nofollow');
    await release(site);
    await until(async () => (await visit(site.slug)).headers['x-robots-tag'] === undefined);
    expect((await readBase(site)).state).toBe('published');
  });

  test('a release of an archived draft lets it return as published', async () => {
    const site = await t.makeSite(owner, { purpose: 'built' });
    await move(site, 'archived');
    await release(site);
    expect((await readBase(site)).state).toBe('archived');
    expect((await move(site, 'open')).json()).toMatchObject({ data: { state: 'published' } });
  });

  test('an external site is published, without maintenance or password', async () => {
    const site = await t.makeSite(owner, { purpose: 'external', url: 'https://tea.example' });
    expect(site.state).toBe('published');
    expect((await move(site, 'maintenance')).json()).toMatchObject({ code: 'bad_transition' });
    expect((await change(site, { visibility: 'password', password: 'longjing' })).json()).toMatchObject({ fields: { visibility: { code: 'pattern' } } });
    expect(await readBase(site)).toMatchObject({ systemHost: null, bypassLink: null });
  });

  test('sites of the demo are removed and restored together, as far as the caller may', async () => {
    const { db } = t.ctx.postgres;
    const [first, second, foreign] = [await t.makeSite(owner), await t.makeSite(owner), await t.makeSite(owner)];
    const ids = [first.id, second.id, foreign.id];
    await db.update(sites).set({ demo: true }).where(inArray(sites.id, ids));
    const admin = await t.makePerson('member');
    for (const { id } of [first, second]) await t.grant(id, admin.userId, 'admin');
    await t.grant(foreign.id, admin.userId, 'editor');
    const states = async () => {
      const rows = await db.select().from(sites).where(inArray(sites.id, ids));
      return ids.map((id) => rows.find((row) => row.id === id)?.state);
    };
    expect((await admin.send('DELETE', `/api/core/sites/${first.id}`, { confirm: first.name })).statusCode).toBe(200);
    expect(await states()).toEqual(['deleted', 'deleted', 'draft']);
    expect((await move(second, 'open', admin)).statusCode).toBe(200);
    expect(await states()).toEqual(['draft', 'draft', 'draft']);
    await db.update(sites).set({ demo: false }).where(inArray(sites.id, ids));
  });

  test('only managers suspend a site and change a suspended one', async () => {
    const site = await t.makeSite(owner, { purpose: 'built' });
    const admin = await t.makePerson('member');
    await t.grant(site.id, admin.userId, 'admin');
    expect((await move(site, 'suspended', admin)).json()).toMatchObject({ code: 'forbidden' });
    expect((await owner.send('POST', `/api/core/sites/${site.id}/state`, { to: 'suspended', reason: ' ' })).statusCode).toBe(422);
    expect((await move(site, 'suspended')).json()).toMatchObject({ data: { state: 'suspended', suspendedReason: reason } });
    const viewer = await t.makePerson('member');
    await t.grant(site.id, viewer.userId, 'viewer');
    const reasonFor = async (person: Person) =>
      (await person.get(`/api/core/sites/${site.id}`)).json<{ data: { suspendedReason: string | null } }>().data.suspendedReason;
    expect([await reasonFor(admin), await reasonFor(viewer)]).toEqual([reason, null]);
    await status(site.slug, 451);
    expect((await visit(site.slug)).body).not.toContain(reason);
    const entries = await t.ctx.postgres.db.select().from(auditLog).where(eq(auditLog.siteId, site.id));
    expect(entries.filter(({ action }) => action === 'site.moved')).toMatchObject([{ after: { state: 'suspended', reason } }]);
    await status(site.slug, 451);
    const goal = { name: 'Goal', condition: { kind: 'event', event: 'buy', property: null }, worth: { kind: 'none' } };
    expect((await admin.send('POST', `/api/site/${site.id}/als/goals`, goal)).json()).toMatchObject({ code: 'site_suspended' });
    expect((await move(site, 'open', admin)).json()).toMatchObject({ code: 'site_suspended' });
    expect((await admin.get(`/api/core/sites/${site.id}`)).json()).toMatchObject({ data: { state: 'suspended' } });
    expect((await owner.send('POST', `/api/site/${site.id}/als/goals`, goal)).statusCode).toBe(200);
    // Nor does the way through the bin end the suspension.
    await owner.send('DELETE', `/api/core/sites/${site.id}`, { confirm: site.name });
    expect((await move(site, 'open', admin)).json()).toMatchObject({ data: { state: 'suspended', suspendedReason: reason } });
    expect((await move(site, 'open')).json()).toMatchObject({ data: { state: 'draft', suspendedReason: null } });
    await status(site.slug, 200);
  });

  test('maintenance shows its message until it is bypassed', async () => {
    const site = await t.makeSite(owner, { purpose: 'built', defaultLang: 'en' });
    const other = await t.makeSite(owner, { purpose: 'built', name: 'Other' });
    for (const one of [site, other]) {
      await release(one);
      await move(one, 'maintenance');
    }
    await change(site, { maintenance: { message: { en: 'Back <b>at nine</b>' }, retryAfter: 600 } });
    await until(async () => (await visit(site.slug)).body.includes('Back &lt;b&gt;at nine&lt;/b&gt;'));
    const page = await visit(site.slug, '/about');
    expect([page.statusCode, page.headers['retry-after'], page.headers['cache-control']]).toEqual([503, '600', 'no-store']);
    const link = new URL((await readBase(site)).bypassLink ?? '');
    const bypassed = await visit(site.slug, link.pathname + link.search);
    expect([bypassed.statusCode, bypassed.headers['location']]).toEqual([303, '/']);
    expect((await visit(site.slug, '/', cookieOf(bypassed))).statusCode).toBe(200);
    await status(other.slug, 503);
    expect((await visit(other.slug, '/', cookieOf(bypassed))).statusCode).toBe(503);
    expect((await visit(other.slug, link.pathname + link.search)).headers['set-cookie']).toBeUndefined();
    await owner.send('POST', `${baseAt(site)}/bypass`);
    await status(site.slug, 503, '/', cookieOf(bypassed));
    expect((await move(site, 'published')).json()).toMatchObject({ data: { state: 'published' } });
    await status(site.slug, 200);
  });
});

describe('visibility', () => {
  test('listed addresses get the site during maintenance', async () => {
    const site = await t.makeSite(owner, { purpose: 'built' });
    await release(site);
    await move(site, 'maintenance');
    await status(site.slug, 503);
    const maintenance = (...addresses: string[]) => change(site, { maintenance: { message: {}, retryAfter: 600, addresses } });
    expect((await maintenance('office')).json()).toMatchObject({ fields: { 'maintenance.addresses': { code: 'not_an_address_range' } } });
    expect((await maintenance('203.0.113.0/24', '2001:DB8::/32')).json()).toMatchObject({
      data: { maintenance: { addresses: ['203.0.113.0/24', '2001:db8::/32'] } },
    });
    const from = async (remoteAddress: string) => (await delivery.inject({ url: '/', headers: { host: `${site.slug}.localhost` }, remoteAddress })).statusCode;
    await until(async () => (await from('203.0.113.9')) === 200);
    expect([await from('2001:db8::9'), await from('203.0.114.9')]).toEqual([200, 503]);
  });

  test('a password opens one site for a week, until it changes', async () => {
    const site = await t.makeSite(owner, { purpose: 'built', defaultLang: 'zh-Hans' });
    const other = await t.makeSite(owner, { purpose: 'built', name: 'Other' });
    expect((await change(site, { visibility: 'password' })).json()).toMatchObject({ fields: { password: { code: 'required' } } });
    for (const one of [site, other]) expect((await change(one, { visibility: 'password', password: 'longjing' })).statusCode).toBe(200);
    await status(site.slug, 401);
    await status(other.slug, 401);
    const page = await visit(site.slug, '/news?page=2');
    expect(page.body).toContain('输入密码访问本站');
    expect(page.body).toContain('value="/news?page=2"');
    expect([page.headers['cache-control'], page.headers['x-robots-tag']]).toEqual(['no-store', 'noindex, nofollow']);
    expect((await enter(site.slug, 'biluochun')).body).toContain('密码不正确');
    const entered = await enter(site.slug, 'longjing', '/news?page=2');
    expect([entered.statusCode, entered.headers['location']]).toEqual([303, '/news?page=2']);
    expect(entered.headers['set-cookie']).toMatch(/HttpOnly; SameSite=Lax/);
    const inside = await visit(site.slug, '/', cookieOf(entered));
    expect([inside.statusCode, inside.headers['cache-control']]).toEqual([200, 'private, no-cache']);
    expect((await visit(other.slug, '/', cookieOf(entered))).statusCode).toBe(401);
    expect(
      (
        await visit(
          site.slug,
          '/',
          cookieOf(entered).replace(/.$/, (last) => (last === 'A' ? 'B' : 'A')),
        )
      ).statusCode,
    ).toBe(401);
    expect((await enter(site.slug, 'longjing', '//evil.example')).headers['location']).toBe('/');
    await change(site, { password: 'biluochun' });
    await status(site.slug, 401, '/', cookieOf(entered));
    t.pass(8 * 24 * 3_600_000);
    expect((await visit(other.slug, '/', cookieOf(await enter(other.slug, 'longjing')))).statusCode).toBe(200);
    expect((await visit(other.slug, '/', cookieOf(entered))).statusCode).toBe(401);
  });

  test('passwords cannot be guessed without limit', async () => {
    const site = await t.makeSite(owner, { purpose: 'built' });
    await change(site, { visibility: 'password', password: 'longjing' });
    await status(site.slug, 401);
    const answers: number[] = [];
    for (let at = 0; at < 11; at += 1) answers.push((await enter(site.slug, `guess-${at}`)).statusCode);
    expect(answers).toEqual([...Array.from({ length: 10 }, () => 401), 429]);
    const limited = await enter(site.slug, 'longjing');
    expect([limited.statusCode, limited.headers['set-cookie']]).toEqual([429, undefined]);
    expect(Number(limited.headers['retry-after'])).toBeGreaterThan(0);
  });

  test('a private site opens for people with access, from the console', async () => {
    const site = await t.makeSite(owner, { purpose: 'built' });
    const reader = await t.makePerson('member');
    await t.grant(site.id, reader.userId, 'viewer');
    const stranger = await t.makePerson('member');
    await change(site, { visibility: 'private' });
    await status(site.slug, 403);
    expect((await visit(site.slug)).body).not.toContain(site.name);
    expect((await stranger.get(`/api/site/${site.id}/visit`)).statusCode).toBe(404);
    const handed = await reader.get(`/api/site/${site.id}/visit`);
    expect(handed.statusCode).toBe(303);
    const target = new URL(String(handed.headers['location']));
    const entered = await visit(site.slug, target.pathname + target.search);
    expect((await visit(site.slug, '/', cookieOf(entered))).statusCode).toBe(200);
    // The hand-over is no pass itself, ends soon and is for one site.
    expect((await visit(site.slug, '/', `site_person=${target.searchParams.get('token') ?? ''}`)).statusCode).toBe(403);
    t.pass(61_000);
    expect((await visit(site.slug, target.pathname + target.search)).headers['set-cookie']).toBeUndefined();
    await t.ctx.postgres.pool.query('DELETE FROM site_grants WHERE user_id = $1', [reader.userId]);
    t.pass(31_000);
    expect((await visit(site.slug, '/', cookieOf(entered))).statusCode).toBe(403);
  });

  test('people enter a private site at its main address', async () => {
    const site = await t.makeSite(owner, { purpose: 'built' });
    await change(site, { visibility: 'private' });
    await t.ctx.postgres.pool.query(
      `INSERT INTO hostnames (site_id, host, apex, role, token, contested, ownership, active_at, created_at)
       VALUES ($1, 'tea.example.com', 'example.com', 'primary', '', false, 'verified', now(), now())`,
      [site.id],
    );
    t.ctx.live.publish({ type: 'hostnames', siteId: site.id });
    await status(site.slug, 307);
    const target = new URL(String((await owner.get(`/api/site/${site.id}/visit`)).headers['location']));
    const led = await visit(site.slug, target.pathname + target.search);
    expect([led.headers['location'], led.headers['set-cookie']]).toEqual([`http://tea.example.com${target.pathname}${target.search}`, undefined]);
    const at = (url: string, cookie = '') => delivery.inject({ method: 'GET', url, headers: { host: 'tea.example.com', cookie } });
    const entered = await at(target.pathname + target.search);
    expect((await at('/', cookieOf(entered))).statusCode).toBe(200);
  });

  test('robots stay out of sites that are not open to everybody', async () => {
    const site = await t.makeSite(owner, { purpose: 'built' });
    await release(site);
    await change(site, { visibility: 'private' });
    await status(site.slug, 403);
    const robots = await visit(site.slug, '/robots.txt');
    expect([robots.statusCode, robots.body]).toEqual([200, 'User-agent: *\nDisallow: /\n']);
  });
});

describe('the slug', () => {
  test('leaves a redirect for ninety days', async () => {
    const site = await t.makeSite(owner, { purpose: 'built', slug: 'old-tea' });
    expect((await change(site, { slug: 'new-tea' })).json()).toMatchObject({ data: { slug: 'new-tea', formerSlugs: [{ slug: 'old-tea' }] } });
    await status('old-tea', 301);
    expect((await visit('old-tea', '/a/b?c=1')).headers['location']).toBe('http://new-tea.localhost:3001/a/b?c=1');
    await status('new-tea', 200);
    const attempt = await owner.send('POST', '/api/core/sites', { name: 'x', purpose: 'built', slug: 'old-tea' });
    expect(attempt.json()).toMatchObject({ code: 'slug_taken' });
    // The site itself may have it back.
    expect((await change(site, { slug: 'old-tea' })).json()).toMatchObject({ data: { formerSlugs: [{ slug: 'new-tea' }] } });
    t.pass(91 * 24 * 3_600_000);
    owner = await t.makePerson('owner');
    expect((await owner.send('POST', '/api/core/sites', { name: 'x', purpose: 'built', slug: 'new-tea' })).statusCode).toBe(200);
  });

  test('stays as it is if the settings changed meanwhile', async () => {
    const site = await t.makeSite(owner, { purpose: 'built', slug: 'same-tea' });
    expect((await change(site, { name: 'Green tea' })).statusCode).toBe(200);
    expect((await change(site, { slug: 'other-tea' }, 1)).json()).toMatchObject({ code: 'stale_revision', current: { slug: 'same-tea', formerSlugs: [] } });
    await until(async () => (await visit('same-tea')).body.includes('Green tea'));
    expect((await visit('same-tea')).statusCode).toBe(200);
  });

  test('is unique, and not reserved', async () => {
    const site = await t.makeSite(owner, { purpose: 'built' });
    const other = await t.makeSite(owner, { purpose: 'built', name: 'Other' });
    expect((await change(site, { slug: other.slug })).json()).toMatchObject({ code: 'slug_taken' });
    expect((await change(site, { slug: 'admin' })).json()).toMatchObject({ fields: { slug: { code: 'reserved' } } });
    expect((await change(site, { slug: 'A b' })).statusCode).toBe(422);
  });
});

test('base settings need the revision, and their changes are audited', async () => {
  const site = await t.makeSite(owner, { purpose: 'built' });
  const editor = await t.makePerson('member');
  await t.grant(site.id, editor.userId, 'editor');
  expect((await editor.get(baseAt(site))).statusCode).toBe(403);
  expect((await change(site, { name: 'Tea garden', timeZone: 'Europe/Berlin', password: 'longjing' })).statusCode).toBe(200);
  expect((await change(site, { name: 'x' }, 1)).json()).toMatchObject({ code: 'stale_revision', current: { name: 'Tea garden' } });
  expect((await change(site, { timeZone: 'Mars/Olympus' })).json()).toMatchObject({ fields: { timeZone: { code: 'not_a_time_zone' } } });
  const { rows } = (await owner.get(`/api/acc/audit?siteId=${site.id}`)).json<{ data: { rows: { action: string; before: unknown; after: unknown }[] } }>().data;
  expect(rows[0]).toMatchObject({
    action: 'site.changed',
    before: { timeZone: 'Asia/Shanghai' },
    after: { name: 'Tea garden', timeZone: 'Europe/Berlin', replaced: 'password' },
  });
});
