import { runSchedule } from '../support/schedules';
import { eq } from 'drizzle-orm';
import { auditLog } from '../../server/areas/audit/schema';
import { users } from '../../server/areas/account/schema';
import { knownDevices, oneTimeLinks, sessions } from '../../server/areas/session/schema';
import { makeLink } from '../../server/areas/session';
import { makeTestApp, ownerPassword } from '../support/app';
import type { Browser, Person, TestApp } from '../support/app';
import { mailsOf, tokenIn, withMail } from '../support/mails';
import { until } from '../support/until';

let t: TestApp;
let owner: Person;
const mail = 'lin@example.cn';
const next = 'a fresh and long phrase';
beforeEach(async () => {
  t = await makeTestApp({ config: { ...withMail, trustedProxies: ['127.0.0.1'] } });
  owner = await t.signUpOwner();
  await t.ctx.postgres.db.update(users).set({ email: mail, emailVerifiedAt: new Date() }).where(eq(users.id, owner.userId));
});
afterEach(() => t.close());

const forgot = (login: string, headers: Record<string, string> = {}) => t.browser().send('POST', '/api/acc/sign/forgot', { login }, headers);
const reset = (token: string, password = next, by: Browser = t.browser()) => by.send('POST', '/api/acc/sign/reset', { token, password });
const state = (token: string) => t.browser().send('POST', '/api/acc/sign/reset-state', { token });
const signIn = (login: string, password: string) => t.browser().send('POST', '/api/acc/sign/in', { login, password });
const link = async () => tokenIn((await makeLink(t.ctx, t.ctx.postgres.db, { kind: 'reset', userId: owner.userId })).url);
const acts = async (action: string) => (await t.ctx.postgres.db.select().from(auditLog).orderBy(auditLog.id)).filter((line) => line.action === action);
/** The mail with a link, once it has arrived. */
async function resetMail(count = 1) {
  await until(async () => (await mailsOf(t.ctx)).filter(({ kind }) => kind === 'account.reset').length >= count);
  return (await mailsOf(t.ctx)).findLast(({ kind }) => kind === 'account.reset');
}

describe('forgot', () => {
  test('mails a reset link with time, device and place', async () => {
    expect(
      (await forgot('LIN.owner', { 'user-agent': 'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 Chrome/140.0.0.0 Safari/537.36' })).statusCode,
    ).toBe(204);
    const letter = await resetMail();
    expect(letter).toMatchObject({ to: mail, locale: 'zh-CN', subject: '设置新密码' });
    expect(letter?.facts?.map(({ label, value }) => [label, value])).toEqual([
      ['登录名', 'lin.owner'],
      ['时间', expect.stringMatching(/^\d{4}年\d{1,2}月\d{1,2}日 \d\d:\d\d \(Asia\/Shanghai\)$/)],
      ['设备', 'Chrome · Windows'],
      ['来自', '本机或内网 · 127.0.0.1'],
    ]);
    expect(letter?.action?.url).toMatch(/^http:\/\/localhost:3000\/sign\/reset#t=[\w-]{43}$/);
    expect((await reset(tokenIn(letter?.action?.url))).statusCode).toBe(204);
    expect([(await signIn('lin.owner', next)).statusCode, (await signIn('lin.owner', ownerPassword)).statusCode]).toEqual([200, 401]);
    // The database and the outbox contain no readable token.
    expect(JSON.stringify(await t.ctx.postgres.db.select().from(oneTimeLinks))).not.toContain(tokenIn(letter?.action?.url));
  });
  test('accepts the address, too', async () => {
    await forgot(' Lin@Example.cn ');
    expect((await resetMail())?.to).toBe(mail);
  });
  test('answers alike for every name and mails only confirmed addresses', async () => {
    const unverified = await t.makePerson('member', 'unverified');
    await t.ctx.postgres.db.update(users).set({ email: 'u@example.cn' }).where(eq(users.id, unverified.userId));
    const disabled = await t.makePerson('member', 'disabled');
    await t.ctx.postgres.db.update(users).set({ email: 'd@example.cn', emailVerifiedAt: new Date(), disabled: true }).where(eq(users.id, disabled.userId));
    const answers: unknown[] = [];
    for (const login of ['nobody', 'unverified', 'u@example.cn', 'disabled', 'd@example.cn', 'lin.owner']) {
      const { statusCode, body, headers } = await forgot(login);
      answers.push([statusCode, body, Object.keys(headers).sort((a, b) => (a < b ? -1 : 1))]);
    }
    expect(answers).toEqual(answers.map(() => answers[0]));
    await until(async () => (await acts('sign.forgot')).length === 6);
    expect((await mailsOf(t.ctx)).map(({ to }) => to)).toEqual([mail]);
    expect((await acts('sign.forgot')).map(({ result, after }) => [result, after?.['reason']]).sort((a, b) => (String(a) < String(b) ? -1 : 1))).toEqual([
      ['done', undefined],
      ['failed', 'no_account'],
      ['failed', 'no_account'],
      ['failed', 'no_account'],
      ['failed', 'no_account'],
      ['refused', 'no_address'],
    ]);
    // Passwords are sometimes typed into the wrong field: unknown names are not stored.
    expect(
      (await acts('sign.forgot')).filter(({ result, actorName, targetName }) => result === 'failed' && actorName === '' && targetName === null),
    ).toHaveLength(4);
  });
  test('takes the same time with and without an account', async () => {
    const times = { nobody: [] as number[], 'lin.owner': [] as number[] };
    await forgot('warm-up');
    for (let round = 0; round < 40; round++)
      for (const login of ['nobody', 'lin.owner'] as const) {
        const start = process.hrtime.bigint();
        await forgot(login, { 'x-forwarded-for': `198.51.100.${round + 1}` });
        times[login].push(Number(process.hrtime.bigint() - start));
      }
    const quartiles = (list: number[]) => [0.25, 0.5, 0.75].map((q) => list.toSorted((a, b) => a - b)[Math.floor(q * list.length)] ?? 0);
    const [none, some] = [quartiles(times.nobody), quartiles(times['lin.owner'])];
    // The middle halves of both distributions overlap.
    expect([(none[0] ?? 0) <= (some[2] ?? 0), (some[0] ?? 0) <= (none[2] ?? 0)]).toEqual([true, true]);
  });
  test('is limited by address, and mails by account, without notice', async () => {
    const statuses = [];
    for (let i = 0; i < 21; i++) statuses.push((await forgot('nobody', { 'x-forwarded-for': '203.0.113.5' })).statusCode);
    expect(statuses).toEqual([...Array<number>(20).fill(204), 429]);
    for (let i = 0; i < 7; i++) expect((await forgot('lin.owner', { 'x-forwarded-for': `203.0.113.${10 + i}` })).statusCode).toBe(204);
    await until(async () => (await acts('sign.forgot')).length === 27);
    expect(await mailsOf(t.ctx)).toHaveLength(5);
  });
  test('without a mail server nothing is sent and the response is unchanged', async () => {
    const silent = await makeTestApp();
    try {
      await silent.signUpOwner();
      expect((await silent.browser().send('POST', '/api/acc/sign/setup-state', {})).json()).toMatchObject({ data: { mail: false } });
      expect((await silent.browser().send('POST', '/api/acc/sign/forgot', { login: 'lin.owner' })).statusCode).toBe(204);
      await until(async () => (await silent.ctx.postgres.db.$count(auditLog, eq(auditLog.action, 'sign.forgot'))) === 1);
      expect([await mailsOf(silent.ctx), await silent.ctx.postgres.db.$count(oneTimeLinks)]).toEqual([[], 0]);
    } finally {
      await silent.close();
    }
  });
});

describe('a link that sets a password', () => {
  test('names its account while valid and works once', async () => {
    const token = await link();
    expect((await state(token)).json()).toEqual({ data: { loginName: 'lin.owner', minLength: 15 } });
    // Neither opening the link nor a refused password uses it up.
    expect((await reset(token, 'too short')).json()).toMatchObject({ code: 'invalid_fields', fields: { password: { code: 'too_short', min: 15 } } });
    expect((await reset(token, 'lin.owner lin.owner')).json()).toMatchObject({ fields: { password: { code: 'contains_login' } } });
    expect((await reset(token)).statusCode).toBe(204);
    for (const answer of [await reset(token, 'yet another long phrase'), await state(token)]) {
      expect([answer.statusCode, answer.json()]).toEqual([410, expect.objectContaining({ code: 'link_ended' })]);
    }
    expect((await signIn('lin.owner', next)).statusCode).toBe(200);
  });
  test.each([
    ['a wrong token', 'x'.repeat(43)],
    ['rubbish', '<script>'],
    ['an empty hash', '-'],
  ])('%s is refused', async (_name, token) => {
    expect([(await state(token)).statusCode, (await reset(token)).statusCode]).toEqual([410, 410]);
  });
  test('ends by age, replacement, password change or a disabled account', async () => {
    const old = await link();
    t.pass(30 * 60_000 + 1000);
    expect((await state(old)).statusCode).toBe(410);
    const first = await link();
    const second = await link();
    expect([(await state(first)).statusCode, (await state(second)).statusCode]).toEqual([410, 200]);
    expect((await owner.send('POST', '/api/acc/sign/password', { current: ownerPassword, next })).statusCode).toBe(204);
    expect((await state(second)).statusCode).toBe(410);
    const third = await link();
    await t.ctx.postgres.db.update(users).set({ disabled: true }).where(eq(users.id, owner.userId));
    expect([(await state(third)).statusCode, (await reset(third)).statusCode]).toEqual([410, 410]);
  });
  test('a link of another kind is refused', async () => {
    const { url } = await makeLink(t.ctx, t.ctx.postgres.db, { kind: 'email', userId: owner.userId, email: 'x@example.cn' });
    expect([(await state(tokenIn(url))).statusCode, (await reset(tokenIn(url))).statusCode]).toEqual([410, 410]);
  });
  test('of two concurrent uses, one sets the password', async () => {
    const token = await link();
    const answers = await Promise.all([reset(token, 'the first long phrase'), reset(token, 'the other long phrase')]);
    expect(answers.map((a) => a.statusCode).sort((a, b) => a - b)).toEqual([204, 410]);
    const won = answers[0]?.statusCode === 204 ? 'the first long phrase' : 'the other long phrase';
    expect((await signIn('lin.owner', won)).statusCode).toBe(200);
  });
  test('of two links created at once, one remains', async () => {
    await Promise.all(Array.from({ length: 6 }, link));
    expect(await t.ctx.postgres.db.$count(oneTimeLinks)).toBe(1);
  });
  test('ends sessions, forgets browsers and notifies without signing in', async () => {
    const phone = t.browser();
    await phone.send('POST', '/api/acc/sign/in', { login: 'lin.owner', password: ownerPassword });
    const answer = await reset(await link(), next, owner);
    expect([answer.statusCode, answer.cookies.some((cookie) => cookie.name === 'sid' && cookie.value !== '')]).toEqual([204, false]);
    for (const browser of [owner, phone]) expect((await browser.get('/api/acc/token/session')).json()).toEqual({ data: null });
    expect([await t.ctx.postgres.db.$count(sessions), await t.ctx.postgres.db.$count(knownDevices)]).toEqual([0, 0]);
    expect((await mailsOf(t.ctx)).filter(({ kind }) => kind.startsWith('account.'))).toEqual([expect.objectContaining({ to: mail, subject: '密码已重设' })]);
    expect(await acts('sign.reset')).toEqual([expect.objectContaining({ actorId: owner.userId, targetId: owner.userId, result: 'done' })]);
  });
  test('lifts the lock caused by failed guesses', async () => {
    for (let i = 0; i < 6; i++) await signIn('lin.owner', 'wrong guess');
    expect((await signIn('lin.owner', ownerPassword)).statusCode).toBe(429);
    await reset(await link());
    expect((await signIn('lin.owner', next)).statusCode).toBe(200);
  });
  test('with a second factor, eight characters suffice and the factor remains', async () => {
    await t.ctx.postgres.db.update(users).set({ secondFactor: true }).where(eq(users.id, owner.userId));
    const token = await link();
    expect((await state(token)).json()).toMatchObject({ data: { minLength: 8 } });
    expect((await reset(token, 'kw7#pz2')).json()).toMatchObject({ fields: { password: { code: 'too_short', min: 8 } } });
    expect((await reset(token, 'kw7#pz2m')).statusCode).toBe(204);
    expect((await t.ctx.postgres.db.select().from(users).where(eq(users.id, owner.userId)))[0]?.secondFactor).toBe(true);
  });
});

test('links that ended a day ago are deleted', async () => {
  const good = await link();
  await makeLink(t.ctx, t.ctx.postgres.db, { kind: 'email', userId: owner.userId, email: 'x@example.cn' });
  t.pass(24.4 * 3_600_000);
  await runSchedule(t.ctx, 'links.sweep');
  expect(await t.ctx.postgres.db.$count(oneTimeLinks)).toBe(2);
  t.pass(0.2 * 3_600_000);
  await runSchedule(t.ctx, 'links.sweep');
  expect((await t.ctx.postgres.db.select().from(oneTimeLinks)).map(({ kind }) => kind)).toEqual(['email']);
  expect((await state(good)).statusCode).toBe(410);
});
