import { eq } from 'drizzle-orm';
import { users } from '../../server/areas/account/schema';
import { newPassword, policyOf, removeFactors } from '../../server/areas/session';
import { ownerPassword } from '../support/app';
import type { Browser, Person, TestApp } from '../support/app';
import { addPasskey, addTotp, askTicket, codeAt, second, stepMs, whoAmI } from '../support/factors';
import { login, openAtHalfStep, plain, security, sessionRecords } from './sessionFactorsSupport';

let t: TestApp;
let owner: Person;
beforeEach(async () => {
  ({ t, owner } = await openAtHalfStep());
});
afterEach(() => t.close());
const { now, lines, letters, verifyMail } = sessionRecords(() => t);

describe('removing factors', () => {
  test('removing the last one also removes the recovery codes', async () => {
    await addTotp(t, owner);
    const { passkey, codes } = await addPasskey(t, owner);
    expect(codes).toBeNull();
    expect((await owner.send('DELETE', '/api/acc/totp')).statusCode).toBe(204);
    expect(await security(owner)).toMatchObject({ totpSince: null, recoveryLeft: 10 });
    expect((await owner.send('DELETE', `/api/acc/passkeys/${passkey.id}`)).statusCode).toBe(204);
    expect(await security(owner)).toMatchObject({ passkeys: [], recoveryLeft: null, minLength: 15 });
    const b = t.browser();
    expect((await b.send('POST', '/api/acc/sign/in', { login, password: ownerPassword })).json()).toEqual({ data: { redirect: '/home' } });
    expect((await owner.send('DELETE', '/api/acc/totp')).statusCode).toBe(404);
    expect((await owner.send('POST', '/api/acc/recovery-codes')).json()).toMatchObject({ code: 'conflict' });
  });

  test('the last one stays if the policy or a short password requires', async () => {
    await addTotp(t, owner);
    const { revision } = (await owner.get('/api/acc/policy')).json<{ data: { revision: number } }>().data;
    const put = (secondFactor: string, at: number) =>
      owner.send('PUT', '/api/acc/policy', { secondFactor, graceDays: 7, selfRename: true }, { 'if-match': `"${at}"` });
    await put('managers', revision);
    expect((await owner.send('DELETE', '/api/acc/totp')).json()).toMatchObject({ code: 'conflict', fields: { secondFactor: { code: 'required' } } });
    await put('off', revision + 1);
    await t.ctx.postgres.db
      .update(users)
      .set(await newPassword('kurz&gut9x', now()))
      .where(eq(users.id, owner.userId));
    expect((await owner.send('DELETE', '/api/acc/totp')).json()).toMatchObject({
      code: 'conflict',
      fields: { password: { code: 'too_short', min: 15 } },
    });
    expect(await security(owner)).toMatchObject({ recoveryLeft: 10 });
    await t.ctx.postgres.db
      .update(users)
      .set(await newPassword(ownerPassword, now()))
      .where(eq(users.id, owner.userId));
    expect((await owner.send('DELETE', '/api/acc/totp')).statusCode).toBe(204);
  });

  test('of two concurrent removals under a policy, one is refused', async () => {
    await addTotp(t, owner);
    const { passkey } = await addPasskey(t, owner);
    await owner.send('PUT', '/api/acc/policy', { secondFactor: 'all', graceDays: 7, selfRename: true }, { 'if-match': '"0"' });
    const answers = await Promise.all([owner.send('DELETE', '/api/acc/totp'), owner.send('DELETE', `/api/acc/passkeys/${passkey.id}`)]);
    expect(answers.map((a) => a.statusCode).sort((a, b) => a - b)).toEqual([204, 409]);
  });

  test('after a reset, a short password allows only enrolment or change', async () => {
    const member = await t.makePerson('member');
    await addTotp(t, member);
    await t.ctx.postgres.db
      .update(users)
      .set(await newPassword('kurz&gut9x', now()))
      .where(eq(users.id, member.userId));
    await t.ctx.postgres.db.transaction((tx) => removeFactors(tx, member.userId));
    const b = t.browser();
    expect((await b.send('POST', '/api/acc/sign/in', { login: member.loginName, password: 'kurz&gut9x' })).statusCode).toBe(200);
    expect(await whoAmI(b)).toMatchObject({ enrolment: 'required' });
    expect((await b.get('/api/core/sites/figures')).json()).toMatchObject({ code: 'enrolment_required' });
    expect((await b.send('POST', '/api/acc/totp/begin')).statusCode).toBe(200);
  });
});

describe('the policy', () => {
  const put = (b: Browser, body: object, revision: number) =>
    b.send('PUT', '/api/acc/policy', { secondFactor: 'all', graceDays: 7, selfRename: true, ...body }, { 'if-match': `"${revision}"` });

  test('grants days of grace and then allows only enrolment', async () => {
    const member = await t.makePerson('member');
    t.pass(60 * 24 * 3_600_000);
    for (const person of [owner, member]) await person.send('POST', '/api/acc/sign/in', { login: person.loginName, password: ownerPassword });
    expect(await whoAmI(member)).toMatchObject({ enrolment: 'none' });
    expect((await put(owner, {}, 0)).json()).toMatchObject({ data: { secondFactor: 'all', revision: 1 } });
    expect(await whoAmI(member)).toMatchObject({ enrolment: 'due', enrolBy: new Date(Date.parse(await since()) + 7 * 24 * 3_600_000).toISOString() });
    expect((await member.get('/api/core/sites/figures')).statusCode).toBe(200);
    t.pass(7 * 24 * 3_600_000 - 1000);
    await member.send('POST', '/api/acc/sign/in', { login: member.loginName, password: ownerPassword });
    t.pass(5000);
    expect(await whoAmI(member)).toMatchObject({ enrolment: 'required' });
    for (const [method, url] of [
      ['GET', '/api/core/sites/figures'],
      ['GET', '/api/acc/sign-ins'],
      ['POST', '/api/core/sites'],
    ] as const)
      expect((await (method === 'GET' ? member.get(url) : member.send(method, url, {}))).json()).toMatchObject({ code: 'enrolment_required' });
    for (const url of ['/api/acc/security', `/api/acc/user/${member.userId}`, '/api/acc/token/sessions']) expect((await member.get(url)).statusCode).toBe(200);
    await addTotp(t, member);
    expect(await whoAmI(member)).toMatchObject({ enrolment: 'none' });
    expect((await member.get('/api/core/sites/figures')).statusCode).toBe(200);
  });
  const since = async (): Promise<string> =>
    (await t.ctx.postgres.pool.query<{ since: string }>("select value ->> 'since' as since from settings where name = 'policy'")).rows[0]?.since ?? '';

  test('can apply to managers only, and grace restarts when it tightens', async () => {
    const [manager, member] = [await t.makePerson('manager'), await t.makePerson('member')];
    await put(owner, { secondFactor: 'managers' }, 0);
    expect([(await whoAmI(manager))?.enrolment, (await whoAmI(member))?.enrolment]).toEqual(['due', 'none']);
    const first = await since();
    t.pass(1000);
    await put(owner, { secondFactor: 'managers', graceDays: 14, selfRename: false }, 1);
    expect(await since()).toBe(first);
    await put(owner, { secondFactor: 'all', graceDays: 14 }, 2);
    expect(Date.parse(await since())).toBeGreaterThan(Date.parse(first));
    expect((await whoAmI(member))?.enrolment).toBe('due');
  });

  test('applies at once here and within seconds in other processes', async () => {
    const elsewhere = { ...t.ctx, postgres: { ...t.ctx.postgres } };
    const [here, there] = [async () => (await policyOf(t.ctx)).secondFactor, async () => (await policyOf(elsewhere)).secondFactor];
    expect([await here(), await there()]).toEqual(['off', 'off']);
    await put(owner, {}, 0);
    expect(await here()).toBe('all');
    t.pass(3000);
    expect(await there()).toBe('all');
  });

  test('is changed by owners, by revision, and logged', async () => {
    const manager = await t.makePerson('manager');
    expect((await put(manager, {}, 0)).statusCode).toBe(403);
    expect((await put(owner, { graceDays: 91 }, 0)).json()).toMatchObject({ fields: { graceDays: { code: 'out_of_range' } } });
    expect((await put(owner, { secondFactor: 'managers' }, 0)).statusCode).toBe(200);
    expect((await put(owner, {}, 0)).json()).toMatchObject({ code: 'stale_revision', current: { secondFactor: 'managers', revision: 1 } });
    const answers = await Promise.all(['off', 'all'].map((secondFactor) => put(owner, { secondFactor }, 1)));
    expect(answers.map((a) => a.statusCode).sort((a, b) => a - b)).toEqual([200, 409]);
    const written = (await lines()).filter((line) => line.action === 'policy.changed');
    expect(written).toHaveLength(2);
    expect(written.at(-1)).toMatchObject({ actorName: login, before: { secondFactor: 'off' }, after: { secondFactor: 'managers' } });
  });
});

describe('notices and log', () => {
  test('cover every factor change and sign-ins from new devices', async () => {
    await verifyMail(owner.userId);
    await t.ctx.postgres.db.update(users).set({ locale: 'en' });
    const { secret } = await addTotp(t, owner);
    const { passkey } = await addPasskey(t, owner, 'Laptop');
    await owner.send('PATCH', `/api/acc/passkeys/${passkey.id}`, { name: 'Old laptop' });
    await owner.send('POST', '/api/acc/recovery-codes');
    await owner.send('DELETE', `/api/acc/passkeys/${passkey.id}`);
    const b = t.browser();
    await second(b, (await askTicket(b, login)).ticket, codeAt(secret, now()));
    // The same browser is not reported again.
    t.pass(stepMs);
    await second(b, (await askTicket(b, login)).ticket, codeAt(secret, now()));
    await owner.send('DELETE', '/api/acc/totp');
    const sent = await letters();
    expect(sent.map(({ kind }) => kind.replace('security.', ''))).toEqual([
      'totp_added',
      'passkey_added',
      'codes_made',
      'passkey_removed',
      'new_device',
      'totp_removed',
    ]);
    expect(sent[3]?.letter).toMatchObject({ to: 'lin@example.cn', locale: 'en', subject: 'Passkey removed' });
    expect(sent[3]?.letter.facts).toContainEqual({ label: 'Name', value: 'Old laptop' });
    const actions = (await lines()).map((line) => line.action).filter((action) => action.startsWith('factor.'));
    expect(actions).toEqual([
      'factor.totp_removed',
      'factor.passkey_removed',
      'factor.codes_made',
      'factor.passkey_renamed',
      'factor.passkey_added',
      'factor.totp_added',
    ]);
  });

  test('new-device mails need consent and a verified address', async () => {
    await verifyMail(owner.userId);
    await t.ctx.postgres.db.update(users).set({ notices: { newDevice: false, access: true } });
    await t.browser().send('POST', '/api/acc/sign/in', { login, password: ownerPassword });
    await t.ctx.postgres.db.update(users).set({ notices: { newDevice: true, access: true }, emailVerifiedAt: null });
    await t.browser().send('POST', '/api/acc/sign/in', { login, password: ownerPassword });
    expect(await letters()).toEqual([]);
  });

  test('ten failures within a day are reported once', async () => {
    await verifyMail(owner.userId);
    for (let i = 0; i < 14; i++) await t.browser().send('POST', '/api/acc/sign/in', { login, password: 'wrong' });
    expect((await letters()).map(({ kind }) => kind)).toEqual(['security.many_failures']);
  });

  test('attempts are logged with factor and result, never the input', async () => {
    const { secret } = await addTotp(t, owner);
    const typed = 'my secret password typed into the wrong field';
    await t.browser().send('POST', '/api/acc/sign/in', { login: typed, password: 'x' });
    const b = t.browser();
    await b.send('POST', '/api/acc/sign/in', { login, password: 'another wrong one' });
    const { ticket } = await askTicket(b, login);
    await second(b, ticket, '123456');
    await second(b, ticket, codeAt(secret, now()));
    const all = await lines();
    expect(plain(all)).not.toMatch(/secret password|another wrong/);
    const signInEntries = all.filter((line) => line.action.startsWith('sign.')).map((l) => [l.action, l.result, l.actorKind, l.targetId, l.after?.['factor']]);
    expect(signInEntries).toEqual([
      ['sign.second', 'done', 'person', owner.userId, 'totp'],
      ['sign.second', 'failed', 'nobody', owner.userId, 'totp'],
      ['sign.in', 'done', 'nobody', owner.userId, 'password'],
      ['sign.in', 'failed', 'nobody', owner.userId, 'password'],
      ['sign.in', 'failed', 'nobody', null, 'password'],
      ['sign.set_up', 'done', 'person', owner.userId, undefined],
    ]);
    type Row = { result: string; factor: string };
    const history = async (who: Browser, query = '') => (await who.get(`/api/acc/sign-ins${query}`)).json<{ data: { rows: Row[]; total: number } }>().data;
    const { rows, total } = await history(b);
    expect(rows.map(({ result, factor }) => `${factor} ${result}`)).toEqual(['totp done', 'totp bad_code', 'password bad_credentials', 'set_up done']);
    expect(total).toBe(4);
    expect((await history(b, '?page=2&size=3')).rows).toHaveLength(1);
    const member = await t.makePerson('member');
    expect((await history(member)).rows.map((row) => row.factor)).toEqual(['password']);
    for (let i = 0; i < 7; i++) await t.browser().send('POST', '/api/acc/sign/in', { login: member.loginName, password: 'wrong' });
    // However often a locked account is tried, the refusal is logged once.
    expect((await history(member)).rows.map((row) => row.result)).toEqual(['locked', ...Array<string>(5).fill('bad_credentials'), 'done']);
    t.pass(91 * 24 * 3_600_000);
    await member.send('POST', '/api/acc/sign/in', { login: member.loginName, password: ownerPassword });
    expect((await history(member)).rows).toHaveLength(1);
  });
});

test('a browser unused for a year or forgotten is new', async () => {
  const wrong = () => t.browser().send('POST', '/api/acc/sign/in', { login, password: 'wrong' });
  await owner.send('POST', '/api/acc/token/sign-out');
  for (let i = 0; i < 6; i++) await wrong();
  const signIn = async () => (await owner.send('POST', '/api/acc/sign/in', { login, password: ownerPassword })).statusCode;
  t.pass(366 * 24 * 3_600_000);
  expect(await signIn()).toBe(429);
  t.pass(-2 * 24 * 3_600_000);
  expect(await signIn()).toBe(200);
});

test('a change of permissions gives one new token, despite concurrent requests', async () => {
  const member = await t.makePerson('member');
  await t.ctx.postgres.pool.query('update sessions set rotate_due = true where user_id = $1', [member.userId]);
  const old = member.cookies.get('sid') ?? '';
  const answers = await Promise.all(Array.from({ length: 6 }, () => t.app.inject({ url: '/api/acc/security', cookies: { sid: old } })));
  expect(answers.map((a) => a.statusCode)).toEqual(Array(6).fill(200));
  const issuedSids = answers.flatMap((a) => a.cookies.filter((c) => c.name === 'sid').map((c) => c.value));
  expect(issuedSids).toHaveLength(1);
  member.cookies.set('sid', issuedSids[0] ?? '');
  t.pass(31_000);
  expect(await whoAmI(member)).toMatchObject({ userId: member.userId });
});
