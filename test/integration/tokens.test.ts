import { runSchedule } from '../support/schedules';
import { eq } from 'drizzle-orm';
import type { Site, StartUp } from '../../contract/sites/schemas';
import type { ApiToken, ApiTokenInput } from '../../contract/tokens/schemas';
import { users } from '../../server/areas/account/schema';
import { auditLog } from '../../server/areas/audit/schema';
import { apiTokens } from '../../server/areas/tokens/schema';
import { outbox } from '../../server/mail/schema';
import { makeTestApp } from '../support/app';
import type { Browser, Person, TestApp } from '../support/app';

const statusesOf = (answers: readonly { readonly statusCode: number }[]): number[] => answers.map(({ statusCode }) => statusCode).toSorted((x, y) => x - y);
const minute = 60_000;
const day = 24 * 3_600_000;
let t: TestApp;
let owner: Person;
let site: Site;
beforeEach(async () => {
  t = await makeTestApp({ config: { smtpUrl: 'smtp://localhost:1' } });
  owner = await t.signUpOwner();
  site = await t.makeSite(owner);
});
afterEach(() => t.close());

const make = (body: Partial<ApiTokenInput> & Record<string, unknown> = {}, who: Browser = owner) =>
  who.send('POST', '/api/acc/tokens', { name: 'Deploy', scopes: ['site:read'], ...body });
const createToken = async (body: Partial<ApiTokenInput> = {}, who: Browser = owner) =>
  (await make(body, who)).json<{ data: { token: ApiToken; value: string } }>().data;
const list = async (who: Browser = owner) => (await who.get('/api/acc/tokens')).json<{ data: ApiToken[] }>().data;
/** A program: no cookies, no browser headers. */
const call = (value: string, url = '/api/core/load/rpm', method: 'GET' | 'POST' | 'PATCH' | 'DELETE' = 'GET', payload?: object, remoteAddress = '127.0.0.1') =>
  t.app.inject({ method, url, remoteAddress, headers: { authorization: `Bearer ${value}` }, ...(payload ? { payload } : {}) });
const statusOf = async (value: string, remoteAddress?: string) => (await call(value, undefined, undefined, undefined, remoteAddress)).statusCode;

describe('creating', () => {
  test('shows the value once and stores only a hash', async () => {
    const { token, value } = await createToken({ name: ' 发布 ', days: 30 });
    expect(value).toMatch(/^sck_[A-Za-z0-9_-]{43}$/);
    expect(token).toMatchObject({ name: '发布', ending: value.slice(-4), scopes: ['site:read'], siteIds: null, addresses: [], lastUsedAt: null });
    expect(Date.parse(token.expiresAt) - Date.parse(token.createdAt)).toBe(30 * day);
    expect(await list()).toEqual([token]);
    const stored = JSON.stringify(await t.ctx.postgres.db.select().from(apiTokens));
    expect(stored).not.toContain(value.slice(4));
    const { tokenHash } = (await t.ctx.postgres.db.select().from(apiTokens))[0] ?? { tokenHash: '' };
    expect(await statusOf(tokenHash)).toBe(401);
    expect(await statusOf(`sck_${tokenHash}`)).toBe(401);
  });

  test('needs proof within ten minutes', async () => {
    t.pass(11 * minute);
    expect((await make()).json()).toMatchObject({ code: 'reauth_required' });
  });

  test.each<[string, Record<string, unknown>, Record<string, string>]>([
    ['no name', { name: '  ' }, { name: 'required' }],
    ['a name of 61', { name: 'x'.repeat(61) }, { name: 'too_long' }],
    ['a name with bidi controls', { name: 'a\u202eb' }, { name: 'forbidden_characters' }],
    ['no scope', { scopes: [] }, { scopes: 'too_short' }],
    ['an unknown scope', { scopes: ['admin'] }, { 'scopes.0': 'pattern' }],
    ['a year and a day', { days: 366 }, { days: 'out_of_range' }],
    ['no day at all', { days: 0 }, { days: 'out_of_range' }],
    ['a name for an address', { addresses: ['10.0.0.1', 'office.example'] }, { 'addresses.1': 'not_an_address_range' }],
    [
      'too many bits',
      { addresses: ['10.0.0.0/33', '2001:db8::/129', '10.0.0.0/8/8', 'fe80::1%eth0'] },
      { 'addresses.0': 'not_an_address_range', 'addresses.3': 'not_an_address_range' },
    ],
    ['a site that is not there', { siteIds: ['aaaaaaaaaaaa'] }, { 'siteIds.0': 'unknown' }],
    ['no site', { siteIds: [] }, { siteIds: 'too_short' }],
    ['a field of its own', { userId: 'x' }, { userId: 'unknown_field' }],
  ])('refuses %s', async (_name, body, fields) => {
    const answer = await make(body);
    expect(answer.statusCode).toBe(422);
    expect(answer.json()).toMatchObject({ fields: Object.fromEntries(Object.entries(fields).map(([path, code]) => [path, { code }])) });
    expect(await list()).toEqual([]);
  });

  test('is limited to visible sites', async () => {
    const other = await t.makeSite(owner, { name: 'Other' });
    const member = await t.makePerson('member');
    await t.grant(site.id, member.userId, 'viewer');
    expect((await make({ siteIds: [site.id, other.id] }, member)).json()).toMatchObject({ fields: { 'siteIds.1': { code: 'unknown' } } });
    expect((await createToken({ siteIds: [site.id] }, member)).token.siteIds).toEqual([site.id]);
  });

  test('at most fifty are active, even when created concurrently', async () => {
    const first = await createToken();
    const row = (await t.ctx.postgres.db.select().from(apiTokens))[0];
    if (!row) throw new Error('no token');
    const copies = Array.from({ length: 48 }, (_, i) => ({ ...row, id: undefined, tokenHash: `copy-${i}` }));
    await t.ctx.postgres.db.insert(apiTokens).values(copies.map(({ id: _id, ...copy }) => copy));
    const both = await Promise.all([make(), make()]);
    expect(statusesOf(both)).toEqual([200, 409]);
    await t.ctx.postgres.db
      .update(apiTokens)
      .set({ expiresAt: new Date(t.ctx.now() - 1) })
      .where(eq(apiTokens.id, first.token.id));
    expect((await make()).statusCode).toBe(200);
  });

  test('is logged and mailed without the value', async () => {
    const { token, value } = await createToken({ name: 'CI', siteIds: [site.id] });
    const [line] = await t.ctx.postgres.db.select().from(auditLog).where(eq(auditLog.action, 'token.made'));
    expect(line).toMatchObject({ actorKind: 'person', actorId: owner.userId, targetKind: 'token', targetId: token.id, targetName: 'CI' });
    expect(line?.after).toMatchObject({ scopes: ['site:read'], siteIds: [site.id], ending: value.slice(-4) });
    // No mail is sent to an unverified address.
    expect(await t.ctx.postgres.db.select().from(outbox)).toEqual([]);
    await t.ctx.postgres.db.update(users).set({ email: 'lin@example.com', emailVerifiedAt: new Date() });
    await createToken({ name: 'Second' });
    const [mail] = await t.ctx.postgres.db.select().from(outbox);
    const letter = t.ctx.secrets.open('outbox', mail?.message ?? '');
    expect(JSON.parse(letter)).toMatchObject({ to: 'lin@example.com', subject: '你的账号新建了一个 API 令牌' });
    expect(letter).toContain('Second');
    expect(letter).not.toContain('sck_');
  });
});

test('a rename is logged with both names, unless nothing changed', async () => {
  const { token } = await createToken({ name: 'CI' });
  for (const name of ['CI', 'Deploy']) expect((await owner.send('PATCH', `/api/acc/tokens/${token.id}`, { name })).json()).toMatchObject({ data: { name } });
  const lines = await t.ctx.postgres.db.select().from(auditLog).where(eq(auditLog.action, 'token.renamed'));
  expect(lines).toMatchObject([{ actorId: owner.userId, targetId: token.id, targetName: 'Deploy', before: { name: 'CI' }, after: { name: 'Deploy' } }]);
});

describe('using', () => {
  test('allows exactly its scope, and writes need no browser headers', async () => {
    const { value } = await createToken({ scopes: ['site:read'] });
    expect(await statusOf(value)).toBe(200);
    expect((await call(value, `/api/core/sites/${site.id}`)).statusCode).toBe(200);
    expect((await call(value, `/api/core/sites/${site.id}/state`, 'POST', { to: 'archived' })).json()).toMatchObject({ code: 'token_scope' });
    expect((await call(value, `/api/als/${site.id}/report`)).statusCode).not.toBe(200);
    expect((await call(value, '/api/acc/tokens')).json()).toMatchObject({ code: 'token_scope' });
    const writer = await createToken({ scopes: ['site:write'] });
    expect((await call(writer.value, '/api/core/load/rpm')).json()).toMatchObject({ code: 'token_scope' });
    expect((await call(writer.value, `/api/core/sites/${site.id}/state`, 'POST', { to: 'archived' })).statusCode).toBe(200);
    // Calls that need proof stay closed, whatever the scope.
    expect((await call(writer.value, `/api/core/sites/${site.id}`, 'DELETE', { confirm: site.name })).json()).toMatchObject({ code: 'token_scope' });
  });

  test('for some sites: others are not found', async () => {
    const other = await t.makeSite(owner, { name: 'Other' });
    const { value } = await createToken({ siteIds: [site.id], scopes: ['site:read', 'site:write'] });
    expect((await call(value)).json<{ data: StartUp }>().data.sites.map(({ id }) => id)).toEqual([site.id]);
    expect((await call(value, `/api/core/sites/${other.id}`)).statusCode).toBe(404);
    expect((await call(value, '/api/core/sites', 'POST', { name: 'New', purpose: 'built' })).statusCode).toBe(403);
  });

  test('for some sites: grants, invitations and log exclude others', async () => {
    const other = await t.makeSite(owner, { name: 'Other' });
    const member = await t.makePerson('member');
    for (const { id } of [site, other]) await t.grant(id, member.userId, 'viewer');
    await owner.send('POST', '/api/acc/invites', { grants: [site, other].map(({ id }) => ({ siteId: id, role: 'viewer' })) });
    const { value } = await createToken({ siteIds: [site.id], scopes: ['account:read'] });
    for (const url of [
      '/api/acc/grants',
      '/api/acc/invites',
      `/api/acc/users/${member.userId}`,
      '/api/acc/audit',
      '/api/acc/audit/export',
      '/api/acc/audit/export?format=json',
    ]) {
      const answer = await call(value, url);
      expect([url, answer.statusCode, answer.body.includes(site.id), answer.body.includes(other.id)]).toEqual([url, 200, true, false]);
    }
  });

  test('never exceeds its owner’s current permissions', async () => {
    const manager = await t.makePerson('manager');
    const { value } = await createToken({ scopes: ['account:read', 'site:read'] }, manager);
    expect((await call(value, '/api/acc/users')).statusCode).toBe(200);
    expect((await call(value)).json<{ data: StartUp }>().data.sites).toHaveLength(1);
    await t.ctx.postgres.db.update(users).set({ role: 'member' }).where(eq(users.id, manager.userId));
    expect((await call(value, '/api/acc/users')).statusCode).toBe(403);
    expect((await call(value)).json<{ data: StartUp }>().data.sites).toEqual([]);
    await t.ctx.postgres.db.update(users).set({ disabled: true }).where(eq(users.id, manager.userId));
    expect(await statusOf(value)).toBe(401);
  });

  test('ignores a cookie sent with it', async () => {
    const member = await t.makePerson('member');
    const { value } = await createToken({}, member);
    const answer = await t.app.inject({ url: '/api/acc/users', cookies: Object.fromEntries(owner.cookies), headers: { authorization: `Bearer ${value}` } });
    expect(answer.json()).toMatchObject({ code: 'token_scope' });
    const broken = await t.app.inject({ url: '/api/acc/users', cookies: Object.fromEntries(owner.cookies), headers: { authorization: 'Bearer nonsense' } });
    expect(broken.statusCode).toBe(401);
  });

  test.each([
    [['203.0.113.0/24'], '203.0.113.9', '203.0.114.9'],
    [['203.0.113.9'], '::ffff:203.0.113.9', '203.0.113.10'],
    [['::ffff:203.0.113.9'], '203.0.113.9', '203.0.113.10'],
    [['::FFFF:203.0.113.0/120'], '203.0.113.77', '203.0.112.77'],
    [['10.0.0.0/8', '2001:DB8::/32'], '2001:db8:1::9', '2001:db9::9'],
    [['2001:db8::1'], '2001:db8::1', '203.0.113.9'],
  ])('from %s it works from %s and not from %s', async (addresses, inside, outside) => {
    const { value } = await createToken({ addresses });
    expect(await statusOf(value, outside)).toBe(401);
    expect((await list())[0]?.lastUsedAt).toBeNull();
    expect(await statusOf(value, inside)).toBe(200);
  });

  test('shows its last use, written at most once a minute', async () => {
    const { value } = await createToken();
    await statusOf(value, '203.0.113.9');
    const first = (await list())[0];
    expect(first).toMatchObject({ lastAddress: '203.0.113.9' });
    t.pass(30_000);
    await statusOf(value, '203.0.113.10');
    expect((await list())[0]).toEqual(first);
    t.pass(31_000);
    await statusOf(value, '203.0.113.10');
    expect((await list())[0]).toMatchObject({ lastAddress: '203.0.113.10' });
  });

  test('six hundred requests a minute are allowed per token', async () => {
    const [a, b] = [await createToken(), await createToken()];
    // From two network addresses, so that only the token's own limit applies.
    const responses = await Promise.all(
      Array.from({ length: 600 }, (_, i) => call(a.value, i % 2 ? undefined : `/api/core/sites/${site.id}`, 'GET', undefined, `203.0.113.${i % 4}`)),
    );
    expect(new Set(responses.map((answer) => answer.statusCode))).toEqual(new Set([200]));
    const over = await call(a.value);
    expect(over.json()).toMatchObject({ code: 'too_many_requests' });
    expect(Number(over.headers['retry-after'])).toBeGreaterThan(0);
    expect(await statusOf(b.value)).toBe(200);
  });

  test('a second factor required by the policy applies to tokens too', async () => {
    const { value } = await createToken();
    await t.ctx.postgres.pool.query(`INSERT INTO settings (name, value, updated_at) VALUES ('policy', $1, now())`, [
      JSON.stringify({ secondFactor: 'all', graceDays: 0, selfRename: true, revision: 1, since: new Date(0).toISOString() }),
    ]);
    t.pass(minute);
    // The start-up load is open before enrolment, a site is not.
    expect((await call(value, `/api/core/sites/${site.id}`)).json()).toMatchObject({ code: 'enrolment_required' });
  });
});

describe('ending', () => {
  test('by hand takes effect at once and is logged', async () => {
    const { token, value } = await createToken();
    expect((await owner.send('DELETE', `/api/acc/tokens/${token.id}`)).statusCode).toBe(204);
    expect(await statusOf(value)).toBe(401);
    expect((await owner.send('DELETE', `/api/acc/tokens/${token.id}`)).statusCode).toBe(404);
    expect(await t.ctx.postgres.db.select().from(auditLog).where(eq(auditLog.action, 'token.removed'))).toHaveLength(1);
  });

  test('by time: it stays listed for a month', async () => {
    const { value } = await createToken({ days: 1 });
    t.pass(day - minute);
    expect(await statusOf(value)).toBe(200);
    t.pass(2 * minute);
    expect(await statusOf(value)).toBe(401);
    await runSchedule(t.ctx, 'tokens.sweep');
    expect(await t.ctx.postgres.db.select().from(apiTokens)).toHaveLength(1);
    t.pass(30 * day);
    await runSchedule(t.ctx, 'tokens.sweep');
    expect(await t.ctx.postgres.db.select().from(apiTokens)).toEqual([]);
  });

  test('another person’s token is not found', async () => {
    const { token, value } = await createToken();
    const manager = await t.makePerson('manager');
    expect(await list(manager)).toEqual([]);
    expect((await manager.send('DELETE', `/api/acc/tokens/${token.id}`)).statusCode).toBe(404);
    expect((await manager.send('PATCH', `/api/acc/tokens/${token.id}`, { name: 'Mine' })).statusCode).toBe(404);
    expect((await owner.send('PATCH', `/api/acc/tokens/${token.id}`, { name: 'Mine' })).json()).toMatchObject({ data: { name: 'Mine' } });
    expect(await statusOf(value)).toBe(200);
  });
});
