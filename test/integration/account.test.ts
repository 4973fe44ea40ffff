import type { User } from '../../contract/session/schemas';
import { auditLog } from '../../server/areas/audit/schema';
import { users } from '../../server/areas/account/schema';
import { makeLink } from '../../server/areas/session';
import { knownDevices, oneTimeLinks } from '../../server/areas/session/schema';
import { makeTestApp, ownerPassword } from '../support/app';
import type { Browser, Person, TestApp } from '../support/app';
import { mailsOf, withMail } from '../support/mails';

let t: TestApp;
let owner: Person;
beforeEach(async () => {
  t = await makeTestApp();
  owner = await t.signUpOwner();
});
afterEach(() => t.close());

const day = 24 * 3_600_000;
const userOf = async (reader: Browser, id: string) => reader.get(`/api/acc/user/${id}`);
const signsIn = async (login: string, password = ownerPassword) => (await t.browser().send('POST', '/api/acc/sign/in', { login, password })).statusCode;

describe('profile', () => {
  test('own profile: a stale revision returns the current state', async () => {
    const first = await userOf(owner, owner.userId);
    const user = first.json<{ data: User }>().data;
    expect(first.headers.etag).toBe(`"${user.revision}"`);
    const change = (body: object, revision: number) => owner.send('PATCH', `/api/acc/user/${owner.userId}`, body, { 'if-match': `"${revision}"` });
    expect((await change({ displayName: '林晓', colorScheme: 'dark' }, user.revision)).json()).toMatchObject({
      data: { displayName: '林晓', colorScheme: 'dark', locale: 'zh-CN', revision: user.revision + 1 },
    });
    const stale = (await change({ displayName: 'X' }, user.revision)).json<{ code: string; current: User }>();
    expect(stale).toMatchObject({ code: 'stale_revision', current: { displayName: '林晓', revision: user.revision + 1 } });
    // Only fields of the contract: a refusal reveals no password hash.
    expect(Object.keys(stale.current).sort((a, b) => (a < b ? -1 : 1))).toEqual(Object.keys(user).sort((a, b) => (a < b ? -1 : 1)));
    expect((await change({ timeZone: '+08:00' }, user.revision + 1)).json()).toMatchObject({ fields: { timeZone: { code: 'not_a_time_zone' } } });
    expect((await change({ displayName: 'a\u202Eb' }, user.revision + 1)).json()).toMatchObject({ fields: { displayName: { code: 'forbidden_characters' } } });
    expect((await change({ role: 'owner' }, user.revision + 1)).json()).toMatchObject({ fields: { role: { code: 'unknown_field' } } });
    expect((await owner.send('PATCH', `/api/acc/user/${owner.userId}`, { displayName: 'X' })).statusCode).toBe(428);
  });
  test('error messages follow the profile’s language at once', async () => {
    await owner.send('PATCH', `/api/acc/user/${owner.userId}`, { locale: 'en' }, { 'if-match': '"1"' });
    expect((await owner.get('/api/core/sites/aaaaaaaaaaaa')).json()).toMatchObject({ error: 'There is nothing here.' });
  });
  test('owners and colleagues see a person, colleagues without e-mail', async () => {
    const [a, b, stranger] = [await t.makePerson('member'), await t.makePerson('member'), await t.makePerson('member')];
    await t.ctx.postgres.db.update(users).set({ email: null });
    const site = await t.makeSite(owner);
    for (const person of [a, b]) await t.grant(site.id, person.userId, 'viewer');
    const statuses = [await userOf(owner, a.userId), await userOf(a, b.userId), await userOf(stranger, a.userId), await userOf(a, owner.userId)].map(
      (r) => r.statusCode,
    );
    // The owner created the site and therefore has a grant on it too.
    expect(statuses).toEqual([200, 200, 404, 200]);
    expect((await owner.send('PATCH', `/api/acc/user/${a.userId}`, { displayName: 'X' }, { 'if-match': '"1"' })).statusCode).toBe(404);
    expect((await userOf(owner, '00000000-0000-4000-8000-000000000000')).statusCode).toBe(404);
  });
});

describe('rename', () => {
  const rename = (who: Browser, loginName: string) => who.send('POST', '/api/acc/sign/rename', { loginName });

  test('gives the new name and reserves the old for ninety days', async () => {
    const other = await t.makePerson('member');
    const old = owner.cookies.get('sid');
    expect((await rename(owner, 'Ｌｉｎ-Xiao')).json()).toMatchObject({ data: { loginName: 'lin-xiao' } });
    expect(owner.cookies.get('sid')).not.toBe(old);
    expect([await signsIn('lin-xiao'), await signsIn('lin.owner')]).toEqual([200, 401]);
    expect((await rename(other, 'lin.owner')).json()).toMatchObject({ code: 'name_taken', fields: { loginName: { code: 'taken' } } });
    // Its former holder may reclaim it.
    expect((await rename(owner, 'lin.owner')).statusCode).toBe(200);
    await rename(owner, 'lin-again');
    t.pass(91 * day);
    const back = await t.makePerson('member');
    expect((await rename(back, 'lin.owner')).statusCode).toBe(200);
  });
  test.each([
    ['digits only', '12345', 422, 'digits_only'],
    ['full-width digits', '１２３４５', 422, 'digits_only'],
    ['a reserved name', 'support', 422, 'reserved'],
    ['a reserved name with a tail', 'admin_', 422, 'reserved'],
    ['an e-mail address', 'a@b.cn', 422, 'pattern'],
    ['too short', 'ab', 422, 'too_short'],
    ['a space inside', 'lin xiao', 422, 'pattern'],
    ['invisible characters', 'lin\u200bxiao', 422, 'pattern'],
    ['Cyrillic look-alikes', 'lіn.owner', 422, 'pattern'],
  ])('refuses %s', async (_name, loginName, status, code) => {
    const answer = await rename(owner, loginName);
    expect([answer.statusCode, answer.json<{ fields: unknown }>().fields]).toEqual([status, { loginName: expect.objectContaining({ code }) }]);
  });
  test('refuses names of other people in any letter case', async () => {
    await t.makePerson('member', 'wang');
    expect((await rename(owner, 'WANG')).json()).toMatchObject({ code: 'name_taken' });
  });
  test('of two concurrent requests for one name, one succeeds', async () => {
    const other = await t.makePerson('member');
    const answers = await Promise.all([rename(owner, 'bamboo'), rename(other, 'bamboo')]);
    expect(answers.map((a) => a.statusCode).sort((a, b) => a - b)).toEqual([200, 409]);
  });
  test('needs proof within ten minutes', async () => {
    t.pass(11 * 60_000);
    expect((await rename(owner, 'later')).json()).toMatchObject({ code: 'reauth_required' });
    await owner.send('POST', '/api/acc/sign/reauth', { password: ownerPassword });
    expect((await rename(owner, 'later')).statusCode).toBe(200);
  });
  test('is limited to ten an hour', async () => {
    const statuses = [];
    for (let i = 0; i < 11; i++) statuses.push((await rename(owner, `name-${i}`)).statusCode);
    expect(statuses).toEqual([...Array<number>(10).fill(200), 429]);
  });
});

describe('password', () => {
  const next = 'another long enough phrase';
  const change = (body: object) => owner.send('POST', '/api/acc/sign/password', body);

  test('the new one signs in and other sessions end', async () => {
    const phone = t.browser();
    await phone.send('POST', '/api/acc/sign/in', { login: 'lin.owner', password: ownerPassword });
    expect((await change({ current: ownerPassword, next })).statusCode).toBe(204);
    expect([await signsIn('lin.owner', next), await signsIn('lin.owner', ownerPassword)]).toEqual([200, 401]);
    expect((await phone.get('/api/acc/token/session')).json()).toEqual({ data: null });
    expect((await owner.get('/api/core/load/rpm')).statusCode).toBe(200);
  });
  test('devices, sign-ins and links end; mail is sent and logged', async () => {
    const mailing = await makeTestApp({ config: withMail });
    try {
      const person = await mailing.signUpOwner();
      const { db } = mailing.ctx.postgres;
      await db.update(users).set({ email: 'lin@example.cn', emailVerifiedAt: new Date(), locale: 'en' });
      await mailing.browser().send('POST', '/api/acc/sign/in', { login: 'lin.owner', password: ownerPassword });
      await makeLink(mailing.ctx, db, { kind: 'reset', userId: person.userId });
      expect(await db.$count(knownDevices)).toBe(2);
      const before = (await db.select().from(users))[0]?.passwordChangedAt?.getTime() ?? 0;
      expect((await person.send('POST', '/api/acc/sign/password', { current: ownerPassword, next })).statusCode).toBe(204);
      expect([await db.$count(knownDevices), await db.$count(oneTimeLinks)]).toEqual([1, 0]);
      // The remembered browser is this one: after signing out, it passes the lock caused by others' guesses.
      await person.send('POST', '/api/acc/token/sign-out');
      for (let i = 0; i < 6; i++) await mailing.browser().send('POST', '/api/acc/sign/in', { login: 'lin.owner', password: 'wrong' });
      expect((await person.send('POST', '/api/acc/sign/in', { login: 'lin.owner', password: next })).statusCode).toBe(200);
      expect((await db.select().from(users))[0]?.passwordChangedAt?.getTime()).toBeGreaterThan(before);
      const letter = (await mailsOf(mailing.ctx)).find(({ kind }) => kind === 'account.passwordChanged');
      expect(letter).toMatchObject({ to: 'lin@example.cn', subject: 'Your password was changed' });
      const lines = (await db.select().from(auditLog).orderBy(auditLog.id)).filter(({ action }) => action === 'account.password_changed');
      expect(lines).toEqual([expect.objectContaining({ actorId: person.userId, before: null, after: null })]);
    } finally {
      await mailing.close();
    }
  });
  test('with a second factor eight characters are enough', async () => {
    await t.ctx.postgres.db.update(users).set({ secondFactor: true });
    expect((await change({ current: ownerPassword, next: 'kw7#pz2' })).json()).toMatchObject({ fields: { next: { code: 'too_short', min: 8 } } });
    expect((await change({ current: ownerPassword, next: 'kw7#pz2m' })).statusCode).toBe(204);
  });
  test('refuses a wrong current password or a weak new one', async () => {
    expect((await change({ current: 'wrong', next })).json()).toMatchObject({ fields: { current: { code: 'wrong_password' } } });
    expect((await change({ current: ownerPassword, next: 'aaaaaaaaaaaaaaaaaa' })).json()).toMatchObject({ fields: { next: { code: 'weak_password' } } });
    expect((await change({ current: ownerPassword, next: 'short' })).json()).toMatchObject({ fields: { next: { code: 'too_short', min: 15 } } });
  });
});
