import { eq } from 'drizzle-orm';
import { auditLog } from '../../server/areas/audit/schema';
import { users } from '../../server/areas/account/schema';
import { makeLink } from '../../server/areas/session';
import { makeTestApp, ownerPassword } from '../support/app';
import type { Browser, Person, TestApp } from '../support/app';
import { mailsOf, tokenIn, withMail } from '../support/mails';

let t: TestApp;
let owner: Person;
beforeEach(async () => {
  t = await makeTestApp({ config: withMail });
  owner = await t.signUpOwner();
});
afterEach(() => t.close());

const ask = (who: Browser, email: string) => who.send('POST', '/api/acc/email', { email });
const remove = (who: Browser, query = '') => who.send('DELETE', `/api/acc/email${query}`);
const confirm = (token: string) => t.browser().send('POST', '/api/acc/sign/email', { token });
const signIn = (login: string) => t.browser().send('POST', '/api/acc/sign/in', { login, password: ownerPassword });
const rowOf = async (id: string) => (await t.ctx.postgres.db.select().from(users).where(eq(users.id, id)))[0];
const letters = async (kind: string) => (await mailsOf(t.ctx)).filter((letter) => letter.kind === `account.${kind}`);
const lastToken = async () => tokenIn((await letters('confirmEmail')).at(-1)?.action?.url);
/** Requests and confirms an address. */
async function become(who: Person, email: string): Promise<void> {
  expect((await ask(who, email)).json()).toEqual({ data: { mailed: true } });
  expect((await confirm(await lastToken())).json()).toEqual({ data: { email } });
}
const emailActs = async () =>
  (await t.ctx.postgres.db.select().from(auditLog).orderBy(auditLog.id))
    .filter(({ action }) => action.startsWith('account.email'))
    .map(({ action, before, after }) => [action, before?.['email'], after?.['email']]);

test('an address takes effect once confirmed by the mailed link', async () => {
  expect((await ask(owner, '  Lin@Example.CN ')).json()).toEqual({ data: { mailed: true } });
  expect(await rowOf(owner.userId)).toMatchObject({ email: null, pendingEmail: 'lin@example.cn' });
  expect((await signIn('lin@example.cn')).statusCode).toBe(401);
  const [letter] = await letters('confirmEmail');
  expect(letter).toMatchObject({ to: 'lin@example.cn', subject: '确认邮箱' });
  expect(letter?.action?.url).toMatch(/\/sign\/email#t=[\w-]{43}$/);
  expect((await confirm(tokenIn(letter?.action?.url))).statusCode).toBe(200);
  expect(await rowOf(owner.userId)).toMatchObject({ email: 'lin@example.cn', pendingEmail: null });
  expect((await rowOf(owner.userId))?.emailVerifiedAt).not.toBeNull();
  expect((await signIn('LIN@example.cn')).statusCode).toBe(200);
  // The link works once.
  expect((await confirm(tokenIn(letter?.action?.url))).json()).toMatchObject({ code: 'link_ended' });
});
test('the old address is notified of the request and the change', async () => {
  await become(owner, 'old@example.cn');
  await owner.send('PATCH', `/api/acc/user/${owner.userId}`, { locale: 'en' }, { 'if-match': '"1"' });
  await become(owner, 'new@example.cn');
  expect((await letters('emailAsked')).map(({ to, subject }) => [to, subject])).toEqual([['old@example.cn', 'Your account is getting another e-mail address']]);
  const [changed] = await letters('emailChanged');
  expect(changed).toMatchObject({ to: 'old@example.cn', subject: 'Your e-mail address was changed' });
  expect(changed?.facts).toContainEqual({ label: 'New address', value: 'new@example.cn' });
  expect([(await signIn('old@example.cn')).statusCode, (await signIn('new@example.cn')).statusCode]).toEqual([401, 200]);
  expect(await emailActs()).toEqual([
    ['account.email_asked', null, 'old@example.cn'],
    ['account.email_changed', null, 'old@example.cn'],
    ['account.email_asked', 'old@example.cn', 'new@example.cn'],
    ['account.email_changed', 'old@example.cn', 'new@example.cn'],
  ]);
});
test('a reset link mailed to the old address ends', async () => {
  await become(owner, 'old@example.cn');
  const { url } = await makeLink(t.ctx, t.ctx.postgres.db, { kind: 'reset', userId: owner.userId });
  await become(owner, 'new@example.cn');
  expect((await t.browser().send('POST', '/api/acc/sign/reset-state', { token: tokenIn(url) })).statusCode).toBe(410);
});
test('a confirmation link ends on replacement, withdrawal or after a day', async () => {
  await ask(owner, 'first@example.cn');
  const first = await lastToken();
  await ask(owner, 'second@example.cn');
  const second = await lastToken();
  expect((await confirm(first)).statusCode).toBe(410);
  expect((await remove(owner, '?pending=true')).statusCode).toBe(204);
  expect((await confirm(second)).statusCode).toBe(410);
  expect((await remove(owner, '?pending=true')).statusCode).toBe(404);
  await ask(owner, 'third@example.cn');
  t.pass(24 * 3_600_000 + 1000);
  expect((await confirm(await lastToken())).statusCode).toBe(410);
  expect(await rowOf(owner.userId)).toMatchObject({ email: null, pendingEmail: 'third@example.cn' });
});
test('of two people confirming one address at once, one gets it', async () => {
  const [a, b] = [await t.makePerson('member'), await t.makePerson('member')];
  await ask(a, 'same@example.cn');
  const forA = await lastToken();
  await ask(b, 'same@example.cn');
  const forB = await lastToken();
  const answers = await Promise.all([confirm(forA), confirm(forB)]);
  expect(answers.map((answer) => answer.statusCode).sort((x, y) => x - y)).toEqual([200, 409]);
  expect(answers.find((answer) => answer.statusCode === 409)?.json()).toMatchObject({ code: 'email_taken' });
  expect(await t.ctx.postgres.db.$count(users, eq(users.email, 'same@example.cn'))).toBe(1);
  // A later request for it is refused.
  expect((await ask(owner, 'SAME@example.cn')).json()).toMatchObject({ code: 'email_taken', fields: { email: { code: 'taken' } } });
});
test('of two concurrent uses of one link, one confirms', async () => {
  await ask(owner, 'lin@example.cn');
  const token = await lastToken();
  const answers = await Promise.all([confirm(token), confirm(token)]);
  expect(answers.map((answer) => answer.statusCode).sort((x, y) => x - y)).toEqual([200, 410]);
});
test.each([
  ['no address', 'lin', 'not_an_email'],
  ['nothing', '', 'required'],
  ['two addresses', 'a@b.cn,c@d.cn', 'not_an_email'],
  ['a header smuggled in', 'a@b.cn\r\nBcc: c@d.cn', 'not_an_email'],
  ['one that is too long', `${'a'.repeat(250)}@b.cn`, 'too_long'],
])('refuses %s', async (_name, email, code) => {
  expect((await ask(owner, email)).json()).toMatchObject({ code: 'invalid_fields', fields: { email: { code } } });
  expect(await mailsOf(t.ctx)).toEqual([]);
});
test('refuses the current address, needs proof and allows ten an hour', async () => {
  await become(owner, 'lin@example.cn');
  expect((await ask(owner, 'lin@example.cn')).json()).toMatchObject({ fields: { email: { code: 'duplicate' } } });
  t.pass(11 * 60_000);
  expect((await ask(owner, 'x@example.cn')).json()).toMatchObject({ code: 'reauth_required' });
  expect((await remove(owner)).json()).toMatchObject({ code: 'reauth_required' });
  await owner.send('POST', '/api/acc/sign/reauth', { password: ownerPassword });
  const statuses = [];
  for (let i = 0; i < 9; i++) statuses.push((await ask(owner, `x${i}@example.cn`)).statusCode);
  expect(statuses).toEqual([...Array<number>(8).fill(200), 429]);
});
test('a removed address no longer signs in and becomes available again', async () => {
  expect((await remove(owner)).statusCode).toBe(404);
  await become(owner, 'lin@example.cn');
  expect((await remove(owner)).statusCode).toBe(204);
  expect((await signIn('lin@example.cn')).statusCode).toBe(401);
  expect((await letters('emailRemoved')).map(({ to }) => to)).toEqual(['lin@example.cn']);
  expect((await emailActs()).at(-1)).toEqual(['account.email_changed', 'lin@example.cn', null]);
  await become(await t.makePerson('member'), 'lin@example.cn');
});
test('withdrawing a pending address keeps the confirmed one', async () => {
  await become(owner, 'lin@example.cn');
  await ask(owner, 'new@example.cn');
  expect((await remove(owner, '?pending=true')).statusCode).toBe(204);
  expect(await rowOf(owner.userId)).toMatchObject({ email: 'lin@example.cn', pendingEmail: null });
});
test('without a mail server an owner hands over the confirmation link', async () => {
  const silent = await makeTestApp();
  try {
    const person = await silent.signUpOwner();
    expect((await person.send('POST', '/api/acc/email', { email: 'lin@example.cn' })).json()).toEqual({ data: { mailed: false } });
    const { url } = await makeLink(silent.ctx, silent.ctx.postgres.db, { kind: 'email', userId: person.userId, email: 'lin@example.cn' });
    expect((await silent.browser().send('POST', '/api/acc/sign/email', { token: tokenIn(url) })).statusCode).toBe(200);
  } finally {
    await silent.close();
  }
});
test('a link for an address no longer pending confirms nothing', async () => {
  const { url } = await makeLink(t.ctx, t.ctx.postgres.db, { kind: 'email', userId: owner.userId, email: 'stranger@example.cn' });
  expect((await confirm(tokenIn(url))).statusCode).toBe(410);
});
