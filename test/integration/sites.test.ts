import { runSchedule } from '../support/schedules';
import type { Site, StartUp } from '../../contract/sites/schemas';
import { openSiteIndex } from '../../server/areas/sites';
import { jobHandlers } from '../../server/areas';
import { startWorker } from '../../server/worker';
import { until } from '../support/until';
import { makeTestApp } from '../support/app';
import type { Browser, Person, TestApp } from '../support/app';

const day = 24 * 3_600_000;
let t: TestApp;
let owner: Person;
beforeEach(async () => {
  t = await makeTestApp();
  owner = await t.signUpOwner();
});
afterEach(() => t.close());

const load = async (who: Browser) => (await who.get('/api/core/load/rpm')).json<{ data: StartUp }>().data;
const create = (body: object, who: Browser = owner) => who.send('POST', '/api/core/sites', body);
const change = (site: Site, body: object, revision = site.revision) => owner.send('PATCH', `/api/core/sites/${site.id}`, body, { 'if-match': `"${revision}"` });
const remove = (site: Site, confirm = site.name) => owner.send('DELETE', `/api/core/sites/${site.id}`, { confirm });
const setState = (site: Site, to: string) => owner.send('POST', `/api/core/sites/${site.id}/state`, { to });
const bin = async () => (await owner.get('/api/core/sites/bin')).json<{ data: Site[] }>().data;
const slugFor = async (query: Record<string, string>) => (await owner.get(`/api/core/sites/slug?${new URLSearchParams(query)}`)).json<{ data: unknown }>().data;

describe('the start-up load', () => {
  test('has visible sites and the languages', async () => {
    const [tea, books] = [await t.makeSite(owner), await t.makeSite(owner, { name: 'Books' })];
    const member = await t.makePerson('member');
    await t.grant(books.id, member.userId, 'analyst');
    expect((await load(owner)).sites.map((s) => [s.id, s.role])).toEqual([
      [tea.id, 'admin'],
      [books.id, 'admin'],
    ]);
    expect((await load(member)).sites.map((s) => [s.id, s.role])).toEqual([[books.id, 'analyst']]);
    const { intls } = await load(member);
    expect(intls.length).toBeGreaterThanOrEqual(60);
    expect(intls.filter((l) => l.ui).map((l) => l.code)).toEqual(['zh-Hans', 'en']);
    expect(intls[0]).toEqual({ code: 'zh-Hans', name: '简体中文', nameZh: '简体中文', nameEn: 'Simplified Chinese', dir: 'ltr', ui: true, common: true });
    expect(intls.find((l) => l.code === 'ar')).toMatchObject({ dir: 'rtl', nameZh: '阿拉伯语' });
    for (const { code, name, nameZh, nameEn } of intls)
      expect([code, Intl.getCanonicalLocales(code)[0], [name, nameZh, nameEn].includes(code)]).toEqual([code, code, false]);
  });
});

describe('adding a site', () => {
  test('with only a name gets a pinyin slug and an address', async () => {
    const site = (await create({ name: '西湖 龙井茶', purpose: 'built' })).json<{ data: Site }>().data;
    expect(site).toMatchObject({
      name: '西湖 龙井茶',
      slug: 'xi-hu-long-jing-cha',
      systemHost: 'http://xi-hu-long-jing-cha.localhost:3001',
      state: 'draft',
      visibility: 'public',
      defaultLang: 'zh-Hans',
      timeZone: 'Asia/Shanghai',
      identity: 'first_party',
      role: 'admin',
      revision: 1,
      url: null,
    });
    expect(site.id).toMatch(/^[a-z2-7]{12}$/);
  });
  test('with pages elsewhere requires the address', async () => {
    expect((await create({ name: 'Tea', purpose: 'external' })).json()).toMatchObject({ fields: { url: { code: 'required' } } });
    expect((await create({ name: 'Tea', purpose: 'external', url: 'https://tea.example/shop' })).json()).toMatchObject({
      data: { url: 'https://tea.example/shop', systemHost: null },
    });
  });
  test.each([
    ['no name', { name: ' ', purpose: 'built' }, { name: 'required' }],
    ['a name of 61', { name: 'x'.repeat(61), purpose: 'built' }, { name: 'too_long' }],
    ['bidi controls', { name: 'a\u202eb', purpose: 'built' }, { name: 'forbidden_characters' }],
    ['a bad slug', { name: 'a', purpose: 'built', slug: '-a' }, { slug: 'pattern' }],
    ['a reserved slug', { name: 'a', purpose: 'built', slug: 'WWW' }, { slug: 'reserved' }],
    ['an unknown zone', { name: 'a', purpose: 'built', timeZone: 'Moon' }, { timeZone: 'not_a_time_zone' }],
    ['an unknown language', { name: 'a', purpose: 'built', defaultLang: 'xx-YY' }, { defaultLang: 'pattern' }],
    ['a script as an address', { name: 'a', purpose: 'external', url: 'javascript:alert(1)' }, { url: 'not_a_url' }],
    ['credentials in the address', { name: 'a', purpose: 'external', url: 'https://u:p@tea.example/' }, { url: 'not_a_url' }],
    ['an unknown field', { name: 'a', purpose: 'built', owner: 'me' }, { owner: 'unknown_field' }],
  ])('refuses %s', async (_name, body, fields) => {
    const answer = await create(body);
    expect(answer.statusCode).toBe(422);
    expect(Object.fromEntries(Object.entries(answer.json<{ fields: Record<string, { code: string }> }>().fields).map(([k, v]) => [k, v.code]))).toEqual(fields);
  });
  test('a requested slug must be free, others are chosen automatically', async () => {
    await create({ name: 'Tea', purpose: 'built' });
    expect((await create({ name: 'Tea', purpose: 'built', slug: 'tea' })).json()).toMatchObject({ code: 'slug_taken', fields: { slug: { code: 'taken' } } });
    expect((await create({ name: 'Tea', purpose: 'built' })).json()).toMatchObject({ data: { slug: 'tea-2' } });
    const many = await Promise.all(Array.from({ length: 4 }, () => create({ name: '茶', purpose: 'built' })));
    expect(new Set(many.map((a) => a.json<{ data: Site }>().data.slug)).size).toBe(4);
  });
  test('suggestions', async () => {
    await create({ name: 'Tea', purpose: 'built' });
    expect(await slugFor({ slug: 'tea' })).toMatchObject({
      slug: 'tea',
      free: false,
      suggestions: ['tea-2', 'tea-3', 'tea-4'],
      systemHost: 'http://tea.localhost:3001',
    });
    expect(await slugFor({ slug: 'coffee' })).toMatchObject({ slug: 'coffee', free: true });
    expect(await slugFor({ slug: 'api' })).toMatchObject({ free: false });
    expect(await slugFor({ name: 'Café Zürich' })).toMatchObject({ slug: 'cafe-zurich', free: true });
    expect(await slugFor({ name: '☕' })).toMatchObject({ slug: 'site', free: true });
  });
});

describe('changing', () => {
  test('needs the revision; a stale one returns the current state', async () => {
    const site = await t.makeSite(owner);
    expect((await change(site, { name: '茶馆' })).json()).toMatchObject({ data: { name: '茶馆', revision: 2, slug: site.slug } });
    expect((await change(site, { name: 'x' })).json()).toMatchObject({ code: 'stale_revision', current: { name: '茶馆', revision: 2 } });
    expect((await change(site, { timeZone: 'Moon' }, 2)).statusCode).toBe(422);
  });
  test('a pin is personal', async () => {
    const site = await t.makeSite(owner);
    const member = await t.makePerson('member');
    await t.grant(site.id, member.userId, 'viewer');
    expect((await member.send('PUT', `/api/core/sites/${site.id}/pin`, { pinned: true })).json()).toMatchObject({ data: { pinned: true, revision: 1 } });
    await member.send('PUT', `/api/core/sites/${site.id}/pin`, { pinned: true });
    expect([(await load(member)).sites[0]?.pinned, (await load(owner)).sites[0]?.pinned]).toEqual([true, false]);
    expect((await member.send('PUT', `/api/core/sites/${site.id}/pin`, { pinned: false })).json()).toMatchObject({ data: { pinned: false } });
  });
});

describe('archive, bin, restore, purge', () => {
  test('every table of sites loses its rows with the site', async () => {
    // Those that refer to a site by a foreign key that deletes with it, directly or through another table.
    const { rows } = await t.ctx.postgres.pool.query<{ name: string; isOfSite: boolean; isErased: boolean }>(
      `with recursive erased as (
         select 'public.sites'::regclass::oid as id
         union select conrelid from pg_constraint join erased on confrelid = erased.id where contype = 'f' and confdeltype = 'c')
       select c.relname as name, c.oid in (select id from erased) as "isErased",
         exists (select 1 from pg_attribute where attrelid = c.oid and attname = 'site_id' and not attisdropped) as "isOfSite"
       from pg_class c where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') order by name`,
    );
    // What was done and paid, numbers of requests by day, and hostnames that nobody may take at once.
    const kept = ['audit_log', 'collect_counts', 'hostname_quarantine', 'jobs', 'trade_orders'];
    expect(rows.filter(({ isOfSite, isErased }) => isOfSite && !isErased).map(({ name }) => name)).toEqual(kept);
    const erased = rows.filter(({ isErased }) => isErased).map(({ name }) => name);
    const withoutSite = ['filing_events', 'filing_checks', 'filing_notices', 'translation_run_items'];
    expect(erased).toEqual(expect.arrayContaining(['country_rules', 'filings', 'robots_versions', 'seo_push_ledger', 'translation_marks', ...withoutSite]));
  });

  test('archives and restores', async () => {
    const site = await t.makeSite(owner);
    expect((await setState(site, 'archived')).json()).toMatchObject({ data: { state: 'archived', archivedAt: expect.any(String) } });
    expect((await setState(site, 'archived')).json()).toMatchObject({ code: 'bad_transition' });
    expect((await setState(site, 'open')).json()).toMatchObject({ data: { state: 'draft', archivedAt: null } });
  });
  test('deleting requires the name, keeps the slug and can be undone', async () => {
    const site = await t.makeSite(owner, { name: 'Tea house' });
    expect((await remove(site, 'tea house')).json()).toMatchObject({ code: 'confirm_mismatch' });
    expect((await remove(site)).json()).toMatchObject({ data: { state: 'deleted' } });
    expect([(await load(owner)).sites, (await bin()).map((s) => s.id)]).toEqual([[], [site.id]]);
    expect((await owner.get(`/api/core/sites/${site.id}`)).statusCode).toBe(404);
    expect((await change(site, { name: 'x' })).statusCode).toBe(404);
    expect((await remove(site)).statusCode).toBe(404);
    expect((await create({ name: 'x', purpose: 'built', slug: site.slug })).json()).toMatchObject({ code: 'slug_taken' });
    expect((await setState(site, 'archived')).json()).toMatchObject({ code: 'bad_transition' });
    expect((await setState(site, 'open')).json()).toMatchObject({ data: { state: 'draft', deletedAt: null } });
    expect([(await load(owner)).sites.length, await bin()]).toEqual([1, []]);
  });
  test('deleting an ordinary site asks for the password again', async () => {
    const site = await t.makeSite(owner);
    t.pass(3_600_000);
    expect((await remove(site)).json()).toMatchObject({ code: 'reauth_required' });
    expect((await load(owner)).sites).toHaveLength(1);
  });
  test('the bin shows only visible sites', async () => {
    const site = await t.makeSite(owner);
    const member = await t.makePerson('member');
    await remove(site);
    expect((await member.get('/api/core/sites/bin')).json()).toEqual({ data: [] });
    expect((await member.send('POST', `/api/core/sites/${site.id}/state`, { to: 'open' })).statusCode).toBe(404);
  });
  test('after thirty days a site and its data are erased', async () => {
    const [old, remainingSite] = [await t.makeSite(owner, { name: 'Old' }), await t.makeSite(owner, { name: 'Kept' })];
    await t.ctx.clickhouse.insert(
      'hits',
      [old, remainingSite].map(({ id }, i) => ({
        site_id: id,
        visitor_id: i + 1,
        view_id: 1,
        seq: 0,
        kind: 'view',
        at: '2026-11-01 00:00:00.000',
        received_at: '2026-11-01 00:00:00.000',
      })),
    );
    for (const table of ['visitors', 'visits']) await t.ctx.clickhouse.insert(table, [{ site_id: old.id }, { site_id: remainingSite.id }]);
    const blocked = { id: '00000000-0000-4000-8000-000000000000', at: '2026-11-01 00:00:00.000', expires: '2099-01-01 00:00:00' };
    await t.ctx.clickhouse.insert(
      'blocked_requests',
      [old, remainingSite].map(({ id }) => ({ ...blocked, site_id: id })),
    );
    await t.ctx.postgres.pool.query(
      `insert into hostnames (site_id, host, apex, role, token, contested, ownership, created_at)
       values ($1, 'old.example.com', 'example.com', 'serve', '', false, 'verified', now())`,
      [old.id],
    );
    await remove(old);
    t.pass(29 * day);
    await owner.send('POST', '/api/acc/token/sign-out');
    await runSchedule(t.ctx, 'sites.purge');
    expect(await t.ctx.postgres.pool.query('select 1 from jobs').then((r) => r.rowCount)).toBe(0);
    t.pass(day + 1000);
    await runSchedule(t.ctx, 'sites.purge');
    await runSchedule(t.ctx, 'sites.purge');
    const worker = startWorker(t.ctx, jobHandlers, [], { pollEvery: 50 });
    await until(async () => (await t.ctx.postgres.pool.query('select 1 from sites where id = $1', [old.id])).rowCount === 0);
    await worker.close();
    expect((await t.ctx.postgres.pool.query<{ kind: string; state: string }>('select kind, state from jobs')).rows).toEqual([
      { kind: 'site.purge', state: 'done' },
    ]);
    for (const table of ['hits', 'visitors', 'visits', 'blocked_requests'])
      expect([table, (await t.ctx.clickhouse.query<{ site_id: string }>(`SELECT site_id FROM ${table}`)).map((row) => row.site_id)]).toEqual([
        table,
        [remainingSite.id],
      ]);
    // Nobody else can use its hostnames at once.
    expect((await t.ctx.postgres.pool.query('select host, site_id from hostname_quarantine')).rows).toEqual([{ host: 'old.example.com', site_id: old.id }]);
  });
});

test('the index in memory follows every change, also of other processes', async () => {
  const first = await openSiteIndex(t.ctx);
  try {
    expect(first.get('aaaaaaaaaaaa')).toBeNull();
    const site = await t.makeSite(owner, { name: 'Tea', purpose: 'external', url: 'https://www.tea.example/' });
    await until(() => first.get(site.id) !== null);
    expect(first.get(site.id)).toMatchObject({
      timeZone: 'Asia/Shanghai',
      state: 'published',
      identity: 'first_party',
      hosts: ['www.tea.example', 'tea.example'],
    });
    await change(site, { identity: 'cookieless' });
    await until(() => first.get(site.id)?.identity === 'cookieless');
    await setState(site, 'archived');
    await until(() => first.get(site.id)?.state === 'archived');
    // After a lost notification, the site is still found by name.
    await t.ctx.postgres.pool.query(
      "insert into sites (id, name, slug, purpose, default_lang, time_zone, identity, created_at) values ('bbbbbbbbbbbb', 'B', 'b', 'built', 'en', 'UTC', 'first_party', now())",
    );
    expect(first.get('bbbbbbbbbbbb')).toBeNull();
    expect(await first.find('bbbbbbbbbbbb')).toMatchObject({ hosts: ['b.localhost'] });
    expect(await first.find('cccccccccccc')).toBeNull();
  } finally {
    first.close();
  }
});
