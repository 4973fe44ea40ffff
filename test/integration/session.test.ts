import { eq } from 'drizzle-orm';
import { sessions, rateLimits } from '../../server/areas/session/schema';
import { users } from '../../server/areas/account/schema';
import { ensureSetUpToken } from '../../server/areas/session';
import { makeTestApp, ownerPassword } from '../support/app';
import type { Browser, Person, TestApp } from '../support/app';

const hour = 3_600_000;
let t: TestApp;
beforeEach(async () => {
  t = await makeTestApp();
});
afterEach(() => t.close());

const session = async (b: Browser) => (await b.get('/api/acc/token/session')).json<{ data: Record<string, string> | null }>().data;
const signIn = (b: Browser, body: object, headers = {}) => b.send('POST', '/api/acc/sign/in', body, headers);
const setUp = (b: Browser, over: object) =>
  b.send('POST', '/api/acc/sign/setup', { loginName: 'lin.owner', displayName: '林', password: ownerPassword, ...over });

describe('set-up', () => {
  test('the printed token creates the first owner once', async () => {
    const token = await ensureSetUpToken(t.ctx);
    const b = t.browser();
    expect((await b.send('POST', '/api/acc/sign/setup-state', { token })).json()).toEqual({ data: { needed: true, tokenValid: true, mail: false } });
    expect((await setUp(b, { token })).json()).toEqual({ data: { redirect: '/home' } });
    expect(await session(b)).toMatchObject({ role: 'owner' });
    expect((await setUp(t.browser(), { token, loginName: 'second' })).json()).toMatchObject({ code: 'already_set_up' });
    expect((await b.send('POST', '/api/acc/sign/setup-state', { token })).json()).toEqual({ data: { needed: false, tokenValid: false, mail: false } });
    expect(await ensureSetUpToken(t.ctx)).toBeNull();
  });
  test('only the latest start’s token works, stored as a hash', async () => {
    const [first, second] = [await ensureSetUpToken(t.ctx), await ensureSetUpToken(t.ctx)];
    expect((await setUp(t.browser(), { token: first })).json()).toMatchObject({ code: 'bad_setup_token' });
    const { rows } = await t.ctx.postgres.pool.query<{ all: string }>('select string_agg(value::text, $1) as all from settings', [' ']);
    expect(rows[0]?.all).not.toContain(second);
  });
  test('two concurrent set-ups create one owner', async () => {
    const token = await ensureSetUpToken(t.ctx);
    const answers = await Promise.all(['anna', 'bert', 'carl'].map((loginName) => setUp(t.browser(), { token, loginName })));
    expect(answers.map((a) => a.statusCode).sort((a, b) => a - b)).toEqual([200, 409, 409]);
  });
  test.each([
    ['a short password', { password: 'short' }, { password: { code: 'too_short', min: 15 } }],
    ['a repetitive password', { password: 'abababababababab' }, { password: { code: 'weak_password' } }],
    ['a well-known password', { password: 'password1234567890' }, { password: { code: 'weak_password' } }],
    ['a password around the login name', { password: 'my lin.owner secret' }, { password: { code: 'contains_login' } }],
    ['a reserved name', { loginName: 'Admin' }, { loginName: { code: 'reserved' } }],
    ['a number as a name', { loginName: '13800138000' }, { loginName: { code: 'digits_only' } }],
    ['an e-mail address as a name', { loginName: 'lin@example.cn' }, { loginName: { code: 'pattern' } }],
    ['an unknown time zone', { timeZone: 'Mars/Olympus' }, { timeZone: { code: 'not_a_time_zone' } }],
  ])('refuses %s', async (_name, over, fields) => {
    const token = await ensureSetUpToken(t.ctx);
    const answer = await setUp(t.browser(), { token, ...over });
    expect([answer.statusCode, answer.json<{ fields: unknown }>().fields]).toEqual([422, fields]);
  });
});

describe('signing in', () => {
  let owner: Person;
  beforeEach(async () => {
    owner = await t.signUpOwner();
  });

  test('accepts the name in any width and letter case', async () => {
    const b = t.browser();
    const answer = await signIn(b, { login: ' ＬＩＮ.Owner ', password: ownerPassword, redirect: '/site/x/als/trend?a=1#b' });
    expect(answer.json()).toEqual({ data: { redirect: '/site/x/als/trend?a=1#b' } });
    expect((await signIn(t.browser(), { login: 'lin.owner', password: ownerPassword, redirect: '//evil.example' })).json()).toEqual({
      data: { redirect: '/home' },
    });
    expect(await session(b)).toMatchObject({ userId: owner.userId });
  });
  test('accepts the e-mail address only once verified', async () => {
    const { db } = t.ctx.postgres;
    await db.update(users).set({ email: 'lin@example.cn' });
    expect((await signIn(t.browser(), { login: 'lin@example.cn', password: ownerPassword })).statusCode).toBe(401);
    await db.update(users).set({ emailVerifiedAt: new Date() });
    expect((await signIn(t.browser(), { login: 'Lin@Example.cn', password: ownerPassword })).statusCode).toBe(200);
  });
  test('an unknown name, wrong password and disabled account look alike', async () => {
    const other = await t.makePerson('member', 'someone');
    await t.ctx.postgres.db.update(users).set({ disabled: true }).where(eq(users.id, other.userId));
    const answers = await Promise.all([
      signIn(t.browser(), { login: 'nobody', password: ownerPassword }),
      signIn(t.browser(), { login: 'lin.owner', password: 'wrong' }),
      signIn(t.browser(), { login: 'someone', password: ownerPassword }),
    ]);
    const comparableResponses = answers.map((a) => ({
      status: a.statusCode,
      body: { ...a.json<object>(), requestId: '' },
      headers: Object.keys(a.headers).sort(),
      cookies: a.cookies,
    }));
    expect(comparableResponses[0]?.status).toBe(401);
    expect(comparableResponses[1]).toEqual(comparableResponses[0]);
    expect(comparableResponses[2]).toEqual(comparableResponses[0]);
    expect(await session(other)).toBeNull();
  });
  test('sets the cookie for loopback http', async () => {
    const answer = await signIn(t.browser(), { login: 'lin.owner', password: ownerPassword });
    const cookie = answer.cookies.find((c) => c.name === 'sid');
    expect(cookie).toMatchObject({ httpOnly: true, sameSite: 'Lax', path: '/' });
    expect([cookie?.secure, cookie?.maxAge, cookie?.domain]).toEqual([undefined, undefined, undefined]);
    expect((await signIn(t.browser(), { login: 'lin.owner', password: ownerPassword, remember: true })).cookies.find((c) => c.name === 'sid')?.maxAge).toBe(
      30 * 24 * 3600,
    );
  });
  test('creates a hashed token and replaces the browser’s old session', async () => {
    const before = owner.cookies.get('sid') ?? '';
    await signIn(owner, { login: 'lin.owner', password: ownerPassword });
    expect(owner.cookies.get('sid')).not.toBe(before);
    const stale = t.browser();
    stale.cookies.set('sid', before);
    expect(await session(stale)).toBeNull();
    const { rows } = await t.ctx.postgres.pool.query<{ all: string }>('select string_agg(sessions::text, $1) as all from sessions', [' ']);
    expect(rows[0]?.all).not.toContain(owner.cookies.get('sid'));
  });
  test('an unknown cookie is refused', async () => {
    const b = t.browser();
    b.cookies.set('sid', 'x'.repeat(43));
    expect(await session(b)).toBeNull();
    b.cookies.set('sid', 'x'.repeat(5000));
    expect(await session(b)).toBeNull();
  });
  test('beyond twenty sessions the longest unused one ends', async () => {
    for (let i = 0; i < 20; i++) {
      t.pass(1000);
      await signIn(t.browser(), { login: 'lin.owner', password: ownerPassword });
    }
    expect(await t.ctx.postgres.db.$count(sessions)).toBe(20);
    expect(await session(owner)).toBeNull();
  });
});

test('text invalid in the database is refused', async () => {
  const b = t.browser();
  expect((await signIn(b, { login: 'lin\u0000', password: ownerPassword })).json()).toMatchObject({ code: 'bad_request' });
  const owner = await t.signUpOwner();
  const answer = await owner.send('POST', '/api/acc/contacts', { name: 'Lin', note: 'two\nlines\u0000' });
  expect(answer.json()).toMatchObject({ code: 'invalid_fields', fields: { note: { code: 'forbidden_characters' } } });
  expect((await owner.send('POST', '/api/acc/contacts', { name: 'Lin', note: 'two\nlines' })).statusCode).toBe(200);
});

describe('throttling', () => {
  const wrong = (b: Browser, login: string) => signIn(b, { login, password: 'wrong' });

  test('five guesses lock out strangers, not known browsers', async () => {
    const owner = await t.signUpOwner();
    const stranger = t.browser();
    const statuses = [];
    for (let i = 0; i < 6; i++) statuses.push((await wrong(stranger, 'lin.owner')).statusCode);
    expect(statuses).toEqual([401, 401, 401, 401, 401, 429]);
    const locked = await signIn(stranger, { login: 'lin.owner', password: ownerPassword });
    expect(locked.statusCode).toBe(429);
    expect(Number(locked.headers['retry-after'])).toBeGreaterThan(500);
    // The owner's browser is still a known device after signing out.
    await owner.send('POST', '/api/acc/token/sign-out');
    expect((await signIn(owner, { login: 'lin.owner', password: ownerPassword })).statusCode).toBe(200);
  });
  test('an unknown name is locked in the same way', async () => {
    const b = t.browser();
    const statuses = [];
    for (let i = 0; i < 6; i++) statuses.push((await wrong(b, 'nobody')).statusCode);
    expect(statuses).toEqual([401, 401, 401, 401, 401, 429]);
  });
  test('parallel attempts get no more tries than sequential ones', async () => {
    const answers = await Promise.all(Array.from({ length: 20 }, () => wrong(t.browser(), 'nobody')));
    expect(answers.filter((a) => a.statusCode === 401).length).toBeLessThanOrEqual(5);
  });
  test('one address cannot try many names', async () => {
    const b = t.browser();
    await t.ctx.postgres.db.insert(rateLimits).values({ key: 'warm-up', points: 1, expire: 1 });
    await wrong(b, 'first');
    await t.ctx.postgres.pool.query("update rate_limits set points = 99 where key like 'addr:%'");
    expect((await wrong(b, 'never-tried')).statusCode).toBe(429);
  });
  test('success resets the failures', async () => {
    await t.signUpOwner();
    const b = t.browser();
    for (let round = 0; round < 3; round++) {
      for (let i = 0; i < 3; i++) expect((await wrong(b, 'lin.owner')).statusCode).toBe(401);
      expect((await signIn(t.browser(), { login: 'lin.owner', password: ownerPassword })).statusCode).toBe(200);
    }
  });
});

describe('the lifetime of a session', () => {
  test('ends after twelve idle hours or seven days', async () => {
    const owner = await t.signUpOwner();
    for (let i = 0; i < 15; i++) {
      t.pass(11 * hour);
      expect(await session(owner)).not.toBeNull();
    }
    t.pass(4 * hour);
    expect(await session(owner)).toBeNull();
    const again = t.browser();
    await signIn(again, { login: 'lin.owner', password: ownerPassword });
    t.pass(12 * hour + 1000);
    expect(await session(again)).toBeNull();
  });
  test('remembered: ends after fourteen idle days or thirty', async () => {
    await t.signUpOwner();
    const b = t.browser();
    await signIn(b, { login: 'lin.owner', password: ownerPassword, remember: true });
    t.pass(13 * 24 * hour);
    expect(await session(b)).not.toBeNull();
    t.pass(13 * 24 * hour);
    expect(await session(b)).not.toBeNull();
    t.pass(4 * 24 * hour + 1000);
    expect(await session(b)).toBeNull();
  });
  test('signing out ends it on the server and deletes the cookie', async () => {
    const owner = await t.signUpOwner();
    const copy = t.browser();
    copy.cookies.set('sid', owner.cookies.get('sid') ?? '');
    const answer = await owner.send('POST', '/api/acc/token/sign-out');
    expect([answer.statusCode, answer.body, owner.cookies.has('sid')]).toEqual([204, '', false]);
    expect(await session(copy)).toBeNull();
    expect((await owner.send('POST', '/api/acc/token/sign-out')).statusCode).toBe(204);
  });
  test('sign-out everywhere, with and without this browser', async () => {
    const owner = await t.signUpOwner();
    const [phone, tablet] = [t.browser(), t.browser()];
    for (const b of [phone, tablet]) await signIn(b, { login: 'lin.owner', password: ownerPassword });
    expect((await owner.send('POST', '/api/acc/token/sign-out-everywhere', { keepCurrent: true })).json()).toEqual({ data: { ended: 2 } });
    expect([await session(phone), await session(tablet), (await session(owner))?.['userId']]).toEqual([null, null, owner.userId]);
    expect((await owner.send('POST', '/api/acc/token/sign-out-everywhere', {})).json()).toEqual({ data: { ended: 1 } });
    expect(await session(owner)).toBeNull();
  });
  test('lists devices and ends own ones only', async () => {
    const owner = await t.signUpOwner();
    const phone = t.browser();
    await signIn(
      phone,
      { login: 'lin.owner', password: ownerPassword },
      { 'user-agent': 'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36' },
    );
    const rows = (await owner.get('/api/acc/token/sessions')).json<{ data: { id: string; current: boolean; device: string }[] }>().data;
    expect(rows.map((r) => r.current).sort((a, b) => Number(a) - Number(b))).toEqual([false, true]);
    const other = rows.find((r) => !r.current);
    expect(other?.device).toBe('Chrome · Windows');
    const member = await t.makePerson('member');
    expect((await member.send('DELETE', `/api/acc/token/sessions/${other?.id}`)).statusCode).toBe(404);
    expect((await owner.send('DELETE', `/api/acc/token/sessions/${other?.id}`)).statusCode).toBe(204);
    expect(await session(phone)).toBeNull();
  });
  test('proof changes the token, and pending requests pass for thirty seconds', async () => {
    const owner = await t.signUpOwner();
    const old = t.browser();
    old.cookies.set('sid', owner.cookies.get('sid') ?? '');
    expect((await owner.send('POST', '/api/acc/sign/reauth', { password: 'wrong' })).json()).toMatchObject({
      code: 'invalid_fields',
      fields: { password: { code: 'wrong_password' } },
    });
    expect((await owner.send('POST', '/api/acc/sign/reauth', { password: ownerPassword })).statusCode).toBe(204);
    expect(owner.cookies.get('sid')).not.toBe(old.cookies.get('sid'));
    expect(await session(old)).not.toBeNull();
    t.pass(31_000);
    expect([await session(old), (await session(owner))?.['userId']]).toEqual([null, owner.userId]);
  });
});

test('the sign page redirects signed-in people to local addresses only', async () => {
  const owner = await t.signUpOwner();
  const to = async (redirect: string) => (await owner.get(`/sign/?redirect=${encodeURIComponent(redirect)}`)).headers.location;
  expect(await to('/home?x=1#y')).toBe('/home?x=1#y');
  for (const bad of ['//evil.example', '/\\evil.example', '/api/v2/../../..//evil.example', '/sign/', 'https://evil.example'])
    expect(await to(bad)).toBe('/home');
  expect((await owner.get('/sign/')).statusCode).toBe(302);
});

describe('on https', () => {
  let secure: TestApp;
  beforeAll(async () => {
    secure = await makeTestApp({ config: { publicUrl: 'https://console.example', trustedProxies: ['127.0.0.1'] } });
  });
  afterAll(() => secure.close());
  test('the cookie is bound to host and https, with HSTS', async () => {
    const b = secure.browser();
    const answer = await setUp(b, { token: await ensureSetUpToken(secure.ctx) });
    expect(answer.cookies.find((c) => c.name === '__Host-sid')).toMatchObject({ httpOnly: true, sameSite: 'Lax', path: '/', secure: true });
    expect(answer.cookies.some((c) => c.name === 'sid')).toBe(false);
    const { headers } = await b.get('/api/acc/token/session', { 'x-forwarded-proto': 'https' });
    expect(headers['strict-transport-security']).toBe('max-age=31536000');
  });
});

test('plain http on a network is reported in the session', async () => {
  const open = await makeTestApp({ config: { publicUrl: 'http://192.168.1.5:3000', allowHttp: true } });
  try {
    const owner = await open.signUpOwner();
    expect(await session(owner)).toMatchObject({ insecureTransport: true });
    expect(await session(await t.signUpOwner())).toMatchObject({ insecureTransport: false });
  } finally {
    await open.close();
  }
});
