import { eq, sql } from 'drizzle-orm';
import type { Report } from '../../contract/analytics/schemas';
import type { NewPublicLink, OpenReports, PublicLink } from '../../contract/publicLinks/schemas';
import type { Site } from '../../contract/sites/schemas';
import { users } from '../../server/areas/account/schema';
import { auditLog } from '../../server/areas/audit/schema';
import { publicLinks } from '../../server/areas/publicLinks/schema';
import { siteGrants } from '../../server/areas/sites/schema';
import { makeTestApp } from '../support/app';
import type { Person, TestApp } from '../support/app';

const hour = 3_600_000;
let t: TestApp;
let owner: Person;
let site: Site;
beforeAll(async () => {
  t = await makeTestApp();
  owner = await t.signUpOwner();
  site = await t.makeSite(owner);
});
afterAll(() => t.close());

const base = (siteId = site.id) => `/api/site/${siteId}/als/shares`;
const add = (body: Partial<NewPublicLink> & Record<string, unknown> = {}, who = owner, siteId?: string) =>
  who.send('POST', base(siteId), { name: '给老板看', screens: ['overview', 'source'], ...body });
const createLink = async (body: Partial<NewPublicLink> = {}) => (await add(body)).json<{ data: PublicLink }>().data;
const secretOf = (publicLink: PublicLink): string => publicLink.url.split('/').at(-1) ?? '';
/** A reader who has only the link. */
const read = (secret: string, url: string) => t.app.inject({ method: 'GET', url, headers: { 'x-share': secret } });
const view = async (secret: string) => (await read(secret, '/api/share')).json<{ data: OpenReports }>().data;
const today = new Date().toISOString().slice(0, 10);
const report = (query = '', siteId = site.id) => `/api/site/${siteId}/als/report?from=${today}&to=${today}${query}`;
const unlock = (secret: string, password: string) =>
  t.app.inject({ method: 'POST', url: '/api/share/unlock', payload: { password }, headers: { 'x-share': secret, 'x-requested-with': 'console' } });

describe('a link', () => {
  test('shows its screens without an account and can be copied again', async () => {
    const publicLink = await createLink();
    expect(publicLink).toMatchObject({
      name: '给老板看',
      screens: ['overview', 'source'],
      hasPassword: false,
      card: null,
      createdBy: expect.any(String) as string,
    });
    expect((await owner.get(base())).json<{ data: PublicLink[] }>().data[0]).toMatchObject({ url: publicLink.url });
    const openReports = await view(secretOf(publicLink));
    expect(openReports).toMatchObject({ needsPassword: false, site: { id: site.id, role: 'viewer' }, screens: ['overview', 'source'] });
    const answer = await read(secretOf(publicLink), report('&by=sourceName&filter=sourceType:is:search'));
    expect(answer.statusCode).toBe(200);
    expect(answer.json<{ data: Report }>().data.totals.visits).toBe(0);
    expect((await owner.get(base())).json<{ data: PublicLink[] }>().data.find(({ id }) => id === publicLink.id)?.opened).toBe(1);
  });

  test.each([
    ['rows that one of its screens shows', '&by=exitPath', 200],
    ['rows of another screen', '&by=isp', 403],
    ['a filter by what it does not show', '&filter=isp:is:x', 403],
    ['one of several filters', '&filter=sourceType:is:search&filter=isp:is:x', 403],
    ['a segment of the console', '&segment=7f2f7a4e-8f7e-4d7e-9c7f-1f2f7a4e8f7e', 403],
  ])('with %s', async (_what, query, status) => {
    expect((await read(secretOf(await createLink()), report(query))).statusCode).toBe(status);
  });

  test('reports in one call are limited like single ones', async () => {
    const secret = secretOf(await createLink());
    const together = (...queries: readonly string[]) =>
      `/api/site/${site.id}/als/reports?${queries.map((query) => `q=${encodeURIComponent(`from=${today}&to=${today}${query}`)}`).join('&')}`;
    expect((await read(secret, together('&by=exitPath', ''))).json<{ data: unknown[] }>().data).toHaveLength(2);
    for (const query of ['&by=isp', '&filter=isp:is:x', '&segment=7f2f7a4e-8f7e-4d7e-9c7f-1f2f7a4e8f7e'])
      expect([query, (await read(secret, together('', query))).statusCode]).toEqual([query, 403]);
  });

  test('shows no list that its reports did not have when it was made', async () => {
    const publicLink = await createLink({ screens: ['overview'] });
    const secret = secretOf(publicLink);
    const statusOf = async (by: string) => (await read(secret, report(`&by=${by}`))).statusCode;
    const save = async (screens: NewPublicLink['screens'], revision: number) =>
      (await owner.send('PATCH', `${base()}/${publicLink.id}`, { screens, name: '旧链接' }, { 'if-match': `"${revision}"` })).statusCode;
    expect([await statusOf('path'), await statusOf('browser')]).toEqual([200, 200]);
    await t.ctx.postgres.db
      .update(publicLinks)
      .set({ dimensions: sql`array_remove(${publicLinks.dimensions}, 'browser')` })
      .where(eq(publicLinks.id, publicLink.id));
    expect([await statusOf('path'), await statusOf('browser')]).toEqual([200, 403]);
    expect((await view(secret)).dimensions).not.toContain('browser');

    expect([await save(['overview', 'source'], 1), await statusOf('browser')]).toEqual([200, 403]);
    expect([await save(['source'], 2), await save(['source', 'overview'], 3)]).toEqual([200, 200]);
    expect(await statusOf('browser')).toBe(200);
    expect((await view(secret)).dimensions).toContain('browser');
  });

  test('allows no other endpoint or site, signed in or not', async () => {
    const secret = secretOf(await createLink({ screens: ['trend'] }));
    const other = await t.makeSite(owner, { name: 'Other', slug: 'other-shares' });
    expect((await read(secret, report('', other.id))).statusCode).toBe(404);
    for (const url of [
      `/api/site/${site.id}/als/latest`,
      `/api/site/${site.id}/als/export?from=${today}&to=${today}`,
      base(),
      '/api/core/load/rpm',
      `/api/core/sites/${site.id}`,
    ])
      expect([url, (await read(secret, url)).statusCode]).toEqual([url, 401]);
    expect((await read(secret, `/api/site/${site.id}/als/values?by=isp&from=${today}&to=${today}`)).statusCode).toBe(403);
    // In the owner's own browser, a foreign or ended link is read as that link, not as the owner.
    expect((await owner.get(report('', other.id), { 'x-share': secret })).statusCode).toBe(404);
    expect((await owner.get(report(), { 'x-share': 'A'.repeat(43) })).statusCode).toBe(401);
  });

  test('stops when its maker loses permission, until taken over', async () => {
    const maker = await t.makePerson('member');
    await t.grant(site.id, maker.userId, 'admin');
    const publicLink = (await add({ card: true }, maker)).json<{ data: PublicLink }>().data;
    const secret = secretOf(publicLink);
    const statuses = async () => [
      (await read(secret, '/api/share')).statusCode,
      (await read(secret, report())).statusCode,
      (await unlock(secret, 'any password')).statusCode,
      // Each time with other parameters, as a card is cached for a minute.
      (await t.app.inject({ method: 'GET', url: `/shared/${secret}/card?lang=${look.shift()}` })).statusCode,
    ];
    const look = ['en', 'zh-CN&scheme=dark', 'en&scheme=dark', 'en&scheme=light', 'zh-CN&scheme=light'];
    const listed = async () => (await owner.get(base())).json<{ data: PublicLink[] }>().data.find(({ id }) => id === publicLink.id);
    const takeOver = (who: Person) => who.send('POST', `${base()}/${publicLink.id}/take-over`);
    const { db } = t.ctx.postgres;
    expect([await statuses(), (await listed())?.stopped]).toEqual([[200, 200, 200, 200], null]);
    expect((await takeOver(owner)).statusCode).toBe(409);

    await db.update(siteGrants).set({ role: 'viewer' }).where(eq(siteGrants.userId, maker.userId));
    expect([await statuses(), (await listed())?.stopped]).toEqual([[410, 401, 410, 410], 'role']);
    expect((await takeOver(maker)).statusCode).toBe(403);
    await db.delete(siteGrants).where(eq(siteGrants.userId, maker.userId));
    expect([await statuses(), (await listed())?.stopped]).toEqual([[410, 401, 410, 410], 'access']);
    await db.update(users).set({ deletedAt: new Date() }).where(eq(users.id, maker.userId));
    expect([await statuses(), (await listed())?.stopped]).toEqual([[410, 401, 410, 410], 'account']);

    expect((await takeOver(owner)).json<{ data: PublicLink }>().data).toMatchObject({ id: publicLink.id, url: publicLink.url, stopped: null });
    expect(await statuses()).toEqual([200, 200, 200, 200]);
    expect((await db.select().from(auditLog)).filter(({ action }) => action === 'share.taken_over')).toHaveLength(1);
  });

  test('begins with the view that it was created from', async () => {
    const publicLink = await createLink({ view: 'range=lastMonth&compare=year&gran=week' });
    expect(publicLink.view).toBe('range=lastMonth&compare=year&gran=week');
    expect((await view(secretOf(publicLink))).view).toBe(publicLink.view);
    const change = await owner.send('PATCH', `${base()}/${publicLink.id}`, { preset: 'last7', view: '' }, { 'if-match': `"${publicLink.revision}"` });
    expect(change.json<{ data: PublicLink }>().data).toMatchObject({ preset: 'last7', view: '' });
    expect((await view(secretOf(publicLink))).view).toBe('');
    expect((await view(secretOf(await createLink()))).view).toBe('');
  });

  test.each(['segment=7f2f7a4e-8f7e-4d7e-9c7f-1f2f7a4e8f7e', 'goal=7f2f7a4e-8f7e-4d7e-9c7f-1f2f7a4e8f7e', 'filter=isp%3Ais%3Ax', `gran=${'x'.repeat(1000)}`])(
    'cannot begin with %.20s',
    async (query) => expect((await add({ view: query })).statusCode).toBe(422),
  );

  test('ends when it is removed', async () => {
    const gone = await createLink();
    expect((await owner.send('DELETE', `${base()}/${gone.id}`)).statusCode).toBe(204);
    expect((await read(secretOf(gone), report())).statusCode).toBe(401);
    expect((await owner.send('DELETE', `${base()}/${gone.id}`)).statusCode).toBe(404);
  });

  test('keeps its own filters, whatever the reader requests', async () => {
    const publicLink = await createLink({ filters: ['sourceType:is:search'] });
    const visit = (id: string, source: string) => ({
      site_id: site.id,
      visit_id: id,
      version: '1',
      visitor_id: id,
      start: t.ctx.now() - 1000,
      last: t.ctx.now() - 1000,
      received_at: t.ctx.now(),
      source_type: source,
      entry_path: '/',
      view_id: [id],
      view_at: [0],
      view_host: [''],
      view_path: ['/'],
      view_title: [''],
    });
    await t.ctx.clickhouse.insert('visits', [visit('1', 'search'), visit('2', 'direct'), visit('3', 'direct')]);
    const range = `from=${new Date(t.ctx.now() - 2 * 86_400_000).toISOString().slice(0, 10)}&to=${new Date(t.ctx.now() + 86_400_000).toISOString().slice(0, 10)}`;
    const visits = async (secret: string, more = '') =>
      (await read(secret, `/api/site/${site.id}/als/report?${range}${more}`)).json<{ data: Report }>().data.totals.visits;
    expect(await visits(secretOf(await createLink()))).toBe(3);
    expect(await visits(secretOf(publicLink))).toBe(1);
    expect(await visits(secretOf(publicLink), '&filter=sourceType:is:direct')).toBe(0);
    const row = (await owner.get(base())).json<{ data: PublicLink[] }>().data.find(({ id }) => id === publicLink.id);
    expect(row?.filters).toEqual(['sourceType:is:search']);
    expect((await add({ filters: ['nonsense:is:x'] })).statusCode).toBe(422);
  });
});

describe('a password', () => {
  test('is required, and changing it ends access', async () => {
    const publicLink = await createLink({ password: '秘密-2026' });
    const secret = secretOf(publicLink);
    expect(await view(secret)).toMatchObject({ needsPassword: true, site: null, screens: [] });
    expect((await read(secret, report())).statusCode).toBe(401);
    expect((await unlock(secret, 'wrong one')).statusCode).toBe(401);
    const { pass } = (await unlock(secret, '秘密-2026')).json<{ data: { pass: string } }>().data;
    expect((await read(`${secret}.${pass}`, report())).statusCode).toBe(200);
    const [until = '', signature = ''] = pass.split('.');
    expect((await read(`${secret}.${Number(until) + 1}.${signature}`, report())).statusCode).toBe(401);
    const changed = await owner.send('PATCH', `${base()}/${publicLink.id}`, { password: 'something else' }, { 'if-match': `"${publicLink.revision}"` });
    expect(changed.statusCode).toBe(200);
    expect((await read(`${secret}.${pass}`, report())).statusCode).toBe(401);
  });

  test('is protected against guessing', async () => {
    const secret = secretOf(await createLink({ password: 'not to be guessed' }));
    const statuses = new Set<number>();
    for (let n = 0; n < 12; n += 1) statuses.add((await unlock(secret, `guess ${n}`)).statusCode);
    expect([...statuses]).toEqual([401, 429]);
    expect((await unlock(secret, 'not to be guessed')).statusCode).toBe(429);
  });

  test('and a card exclude each other', async () => {
    expect((await add({ card: true, password: 'something' })).statusCode).toBe(422);
    const publicLink = await createLink({ card: true });
    expect((await owner.send('PATCH', `${base()}/${publicLink.id}`, { password: 'something' }, { 'if-match': `"${publicLink.revision}"` })).statusCode).toBe(
      422,
    );
  });
});

describe('a card', () => {
  test('is a frameable page without scripts, until switched off', async () => {
    const publicLink = await createLink({ card: true, name: 'card' });
    const path = new URL(publicLink.card ?? '').pathname;
    const card = await t.app.inject(`${path}?lang=en`);
    expect(card.statusCode).toBe(200);
    expect(card.body).toContain('Page views');
    expect(card.body).not.toContain('<script');
    expect(card.headers['content-security-policy']).toMatch(/default-src 'none'.*frame-ancestors \*/);
    expect(card.headers['set-cookie']).toBeUndefined();
    const plain = await createLink({ name: 'no card' });
    expect((await t.app.inject(`/shared/${secretOf(plain)}/card`)).statusCode).toBe(410);
    expect((await t.app.inject(`/shared/${'A'.repeat(43)}/card`)).statusCode).toBe(410);
  });

  test('never runs markup from a site name', async () => {
    const evil = await t.makeSite(owner, { name: '<img src=x onerror=1>', slug: 'evil-card' });
    const publicLink = (await add({ card: true }, owner, evil.id)).json<{ data: PublicLink }>().data;
    const card = await t.app.inject(new URL(publicLink.card ?? '').pathname);
    expect(card.body).toContain('&lt;img');
    expect(card.body).not.toContain('<img');
  });
});

test('only those who configure the site share it, without stored secrets', async () => {
  const publicLink = await createLink({ password: 'kept to ourselves' });
  const analyst = await t.makePerson('member');
  await t.grant(site.id, analyst.userId, 'analyst');
  expect((await add({}, analyst)).statusCode).toBe(403);
  expect((await analyst.get(base())).statusCode).toBe(403);
  const other = await t.makeSite(owner, { name: 'Third', slug: 'third-shares' });
  expect((await owner.send('PATCH', `${base(other.id)}/${publicLink.id}`, { name: 'x' }, { 'if-match': '"1"' })).statusCode).toBe(404);
  const stored = JSON.stringify([
    await t.ctx.postgres.db.select().from(publicLinks),
    await t.ctx.postgres.db.select({ before: auditLog.before, after: auditLog.after, name: auditLog.targetName }).from(auditLog),
  ]);
  expect(stored).not.toContain(secretOf(publicLink));
  expect(stored).not.toContain('kept to ourselves');
  const stale = await owner.send('PATCH', `${base()}/${publicLink.id}`, { name: 'x' }, { 'if-match': '"9"' });
  expect(stale.statusCode).toBe(409);
});

test('a link expires, and its password after twelve hours', async () => {
  const publicLink = await createLink({ expiresAt: new Date(Date.now() + 14 * hour).toISOString() });
  const secret = secretOf(await createLink({ password: 'something' }));
  const { pass } = (await unlock(secret, 'something')).json<{ data: { pass: string } }>().data;
  t.pass(13 * hour);
  expect((await read(`${secret}.${pass}`, report())).statusCode).toBe(401);
  expect((await read(secretOf(publicLink), report())).statusCode).toBe(200);
  t.pass(2 * hour);
  expect((await read(secretOf(publicLink), '/api/share')).statusCode).toBe(410);
  expect((await read(secretOf(publicLink), report())).statusCode).toBe(401);
});
