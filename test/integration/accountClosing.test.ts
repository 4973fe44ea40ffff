import { eq, sql } from 'drizzle-orm';
import type { PgTable } from 'drizzle-orm/pg-core';
import type { User } from '../../contract/session/schemas';
import { auditLog } from '../../server/areas/audit/schema';
import { areas } from '../../server/areas';
import { assertNotLastOwner, deletePerson } from '../../server/areas/account';
import { avatars, heldNames, users } from '../../server/areas/account/schema';
import { invites } from '../../server/areas/people/schema';
import { findUserToSignIn, makeLink, openAmong } from '../../server/areas/session';
import { knownDevices, oneTimeLinks, passkeyChallenges, passkeys, recoveryCodes, sessions, signTickets, totps } from '../../server/areas/session/schema';
import { siteGrants, sitePins } from '../../server/areas/sites/schema';
import { apiTokens } from '../../server/areas/tokens/schema';
import { tradeTitles } from '../../server/areas/trades/schema';
import { makeTestApp, ownerPassword } from '../support/app';
import type { Browser, Person, TestApp } from '../support/app';
import { mailsOf, withMail } from '../support/mails';

let t: TestApp;
let owner: Person;
beforeEach(async () => {
  t = await makeTestApp({ config: withMail });
  owner = await t.signUpOwner();
});
afterEach(() => t.close());

const day = 24 * 3_600_000;
const close = (who: Browser, confirm: string) => who.send('POST', '/api/acc/close', { confirm });
const signIn = (login: string) => t.browser().send('POST', '/api/acc/sign/in', { login, password: ownerPassword });
const rowOf = async (id: string) => (await t.ctx.postgres.db.select().from(users).where(eq(users.id, id)))[0];
const acts = async (action: string) => (await t.ctx.postgres.db.select().from(auditLog).orderBy(auditLog.id)).filter((line) => line.action === action);
const deleteAway = (userId: string) => t.ctx.postgres.db.transaction((tx) => deletePerson(t.ctx, tx, userId, areas));

/** Adds a row to every table that refers to people. */
async function furnish(person: Person): Promise<void> {
  const { db } = t.ctx.postgres;
  const { userId } = person;
  const now = new Date(t.ctx.now());
  const site = await t.makeSite(owner);
  await t.grant(site.id, userId, 'editor');
  await db.insert(sitePins).values({ siteId: site.id, userId, createdAt: now });
  await db.insert(totps).values({ userId, secret: 'sealed', createdAt: now, confirmedAt: now });
  await db.insert(passkeys).values({ userId, credentialId: 'cred', publicKey: 'key', counter: 0, transports: [], synced: true, name: 'Phone', createdAt: now });
  await db.insert(recoveryCodes).values({ userId, codeHash: 'hash-of-a-code', createdAt: now });
  await db.insert(signTickets).values({ tokenHash: 'ticket', userId, remember: false, redirect: '/home', createdAt: now, expiresAt: now });
  await db.insert(passkeyChallenges).values({ challenge: 'c', purpose: 'add', userId, expiresAt: now });
  await db.insert(apiTokens).values({
    tokenHash: 'hash-of-a-token',
    ending: 'wxyz',
    userId,
    name: 'Nightly job',
    scopes: ['site:read'],
    siteIds: null,
    addresses: [],
    createdAt: now,
    expiresAt: new Date(now.getTime() + day),
  });
  await db.insert(avatars).values({ userId, png: Buffer.from('picture') });
  await db.insert(tradeTitles).values({ userId, titleType: 'person', title: '王芳', address: '', phone: '', bank: '', account: '', createdAt: now });
  await makeLink(t.ctx, db, { kind: 'reset', userId });
  await db
    .update(users)
    .set({ email: 'wang@example.cn', emailVerifiedAt: now, pendingEmail: 'new@example.cn', secondFactor: true, avatarVersion: 'v1' })
    .where(eq(users.id, userId));
}
const own: readonly PgTable[] = [
  knownDevices,
  totps,
  passkeys,
  recoveryCodes,
  signTickets,
  passkeyChallenges,
  oneTimeLinks,
  apiTokens,
  siteGrants,
  sitePins,
  avatars,
  tradeTitles,
  sessions,
];
const countsOf = async (userId: string): Promise<number[]> => {
  const counts = [];
  for (const table of own) counts.push(await t.ctx.postgres.db.$count(table, sql`user_id = ${userId}`));
  return counts;
};

describe('closing the own account', () => {
  test('removes all credentials and personal data and keeps a number', async () => {
    const person = await t.makePerson('member', 'wang');
    await furnish(person);
    expect((await countsOf(person.userId)).every((n) => n >= 1)).toBe(true);
    const answer = await close(person, ' Wang ');
    expect([answer.statusCode, person.cookies.has('sid')]).toEqual([204, false]);
    expect(await countsOf(person.userId)).toEqual(own.map(() => 0));
    expect(await rowOf(person.userId)).toMatchObject({
      loginName: 'deleted#1',
      displayName: '',
      email: null,
      emailVerifiedAt: null,
      pendingEmail: null,
      secondFactor: false,
      avatarVersion: null,
      deletedNumber: 1,
      role: 'member',
    });
    for (const login of ['wang', 'wang@example.cn', 'deleted#1']) expect((await signIn(login)).statusCode).toBe(401);
    expect((await owner.get(`/api/acc/user/${person.userId}`)).statusCode).toBe(404);
    expect((await mailsOf(t.ctx)).filter(({ kind }) => kind === 'account.closed').map(({ to, subject }) => [to, subject])).toEqual([
      ['wang@example.cn', '账号已注销'],
    ]);
    expect(await acts('account.closed')).toEqual([expect.objectContaining({ actorId: person.userId, actorName: 'wang', targetName: 'wang' })]);
  });
  test('holds the name for ninety days and frees the address at once', async () => {
    const person = await t.makePerson('member', 'wang');
    await furnish(person);
    await close(person, 'wang');
    const renameResponse = await owner.send('POST', '/api/acc/sign/rename', { loginName: 'wang' });
    expect(renameResponse.json()).toMatchObject({ code: 'name_taken' });
    expect((await owner.send('POST', '/api/acc/email', { email: 'wang@example.cn' })).statusCode).toBe(200);
    expect((await t.ctx.postgres.db.select().from(heldNames)).map(({ loginName }) => loginName)).toEqual(['wang']);
    t.pass(91 * day);
    await owner.send('POST', '/api/acc/sign/in', { login: 'lin.owner', password: ownerPassword });
    expect((await owner.send('POST', '/api/acc/sign/rename', { loginName: 'wang' })).statusCode).toBe(200);
    const others = [await t.makePerson('member', 'second'), await t.makePerson('member', 'third')];
    const numbers = await Promise.all(others.map(async ({ userId }) => (await deleteAway(userId)).number));
    expect(numbers.sort((a, b) => a - b)).toEqual([2, 3]);
  });
  test('nobody can take the name of a deleted person', async () => {
    const answer = await owner.send('POST', '/api/acc/sign/rename', { loginName: 'deleted#1' });
    expect(answer.json()).toMatchObject({ fields: { loginName: { code: 'pattern' } } });
  });
  test('requires the typed login name and proof', async () => {
    const person = await t.makePerson('member', 'wang');
    for (const typed of ['', 'wan', 'lin.owner', 'x'.repeat(64)]) expect((await close(person, typed)).json()).toMatchObject({ code: 'confirm_mismatch' });
    t.pass(11 * 60_000);
    expect((await close(person, 'wang')).json()).toMatchObject({ code: 'reauth_required' });
    expect((await signIn('wang')).statusCode).toBe(200);
  });
  test('is refused to the last active owner', async () => {
    expect((await close(owner, 'lin.owner')).json()).toMatchObject({ code: 'last_owner' });
    const second = await t.makePerson('owner', 'second');
    await t.ctx.postgres.db.update(users).set({ disabled: true }).where(eq(users.id, second.userId));
    expect((await close(owner, 'lin.owner')).json()).toMatchObject({ code: 'last_owner' });
    expect((await signIn('lin.owner')).statusCode).toBe(200);
    await t.ctx.postgres.db.update(users).set({ disabled: false }).where(eq(users.id, second.userId));
    expect((await close(owner, 'lin.owner')).statusCode).toBe(204);
    const again = t.browser();
    await again.send('POST', '/api/acc/sign/in', { login: 'second', password: ownerPassword });
    expect((await close(again, 'second')).json()).toMatchObject({ code: 'last_owner' });
    // The installation remains set up.
    expect((await t.browser().send('POST', '/api/acc/sign/setup-state', {})).json()).toMatchObject({ data: { needed: false } });
  });
  test('of two owners who close at once, one stays', async () => {
    const second = await t.makePerson('owner', 'second');
    const answers = await Promise.all([close(owner, 'lin.owner'), close(second, 'second')]);
    expect(answers.map((answer) => answer.statusCode).sort((a, b) => a - b)).toEqual([204, 409]);
    expect(answers.find(({ statusCode }) => statusCode === 409)?.json()).toMatchObject({ code: 'last_owner' });
    const left = await t.ctx.postgres.db.select().from(users).where(eq(users.role, 'owner'));
    expect(left.filter(({ deletedAt }) => deletedAt === null)).toHaveLength(1);
  });
  test('closing twice at once deletes once', async () => {
    const person = await t.makePerson('member', 'wang');
    const answers = await Promise.all([close(person, 'wang'), close(person, 'wang')]);
    expect(answers.map((answer) => answer.statusCode).filter((status) => status === 204)).toHaveLength(1);
    expect((await rowOf(person.userId))?.deletedNumber).toBe(1);
    expect(await acts('account.closed')).toHaveLength(1);
  });
});

test('deleting a person ends their sessions and open invitations at once', async () => {
  const person = await t.makePerson('manager', 'wang');
  const now = new Date(t.ctx.now());
  const invite = { email: null, role: 'member' as const, grants: [], message: '', days: 7, createdAt: now, expiresAt: new Date(now.getTime() + 7 * day) };
  await t.ctx.postgres.db.insert(invites).values([
    { ...invite, tokenHash: 'theirs', createdBy: person.userId },
    { ...invite, tokenHash: 'others', createdBy: owner.userId },
  ]);
  const [session] = await t.ctx.postgres.db.select().from(sessions).where(eq(sessions.userId, person.userId));
  const { endedSessions } = await deleteAway(person.userId);
  expect(endedSessions).toEqual([session?.id]);
  expect((await person.get('/api/acc/token/session')).json()).toEqual({ data: null });
  expect((await openAmong(t.ctx.postgres.db, [session?.id ?? ''], now)).size).toBe(0);
  expect(await findUserToSignIn(t.ctx.postgres.db, 'wang')).toBeNull();
  const revoked = (await t.ctx.postgres.db.select().from(invites)).filter(({ revokedAt }) => revokedAt !== null);
  expect(revoked.map(({ tokenHash }) => tokenHash)).toEqual(['theirs']);
  await expect(deleteAway(person.userId)).rejects.toMatchObject({ code: 'not_found' });
});
test('remaining sessions and links of a deleted person are refused', async () => {
  const person = await t.makePerson('member', 'wang');
  const { url } = await makeLink(t.ctx, t.ctx.postgres.db, { kind: 'reset', userId: person.userId });
  await t.ctx.postgres.db.update(users).set({ deletedAt: new Date(), deletedNumber: 9 }).where(eq(users.id, person.userId));
  expect((await person.get('/api/acc/token/session')).json()).toEqual({ data: null });
  expect((await signIn('wang')).statusCode).toBe(401);
  expect((await t.browser().send('POST', '/api/acc/sign/reset-state', { token: url.split('#t=')[1] })).statusCode).toBe(410);
});
test('two owners demoting each other concurrently leave one owner', async () => {
  const second = await t.makePerson('owner', 'second');
  const demote = (userId: string) =>
    t.ctx.postgres.db.transaction(async (tx) => {
      await assertNotLastOwner(tx, userId);
      await tx.update(users).set({ role: 'member' }).where(eq(users.id, userId));
    });
  const results = await Promise.allSettled([demote(owner.userId), demote(second.userId)]);
  expect(results.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
  // A member does not count as an owner.
  await demote((await t.makePerson('member', 'third')).userId);
});

describe('the export of one’s own data', () => {
  test('is a file of stored data without secrets', async () => {
    const person = await t.makePerson('member', 'wang');
    await furnish(person);
    await t.browser().send('POST', '/api/acc/sign/in', { login: 'wang', password: 'a guess that is wrong' });
    const answer = await person.get('/api/acc/export');
    expect(answer.headers).toMatchObject({
      'content-type': 'application/json; charset=utf-8',
      'content-disposition': expect.stringMatching(/^attachment; filename="sitewright-account-\d{4}-\d\d-\d\d\.json"$/),
      'cache-control': 'no-store',
    });
    const file = answer.json<Record<string, unknown>>();
    expect(file).toMatchObject({
      profile: { loginName: 'wang', email: 'wang@example.cn', pendingEmail: 'new@example.cn', avatar: expect.stringMatching(/^data:image\/png;base64,/) },
      secondFactor: { passkeys: [expect.objectContaining({ name: 'Phone' })], recoveryCodesLeft: 1 },
      sessions: [expect.objectContaining({ address: '127.0.0.1' })],
      tokens: [expect.objectContaining({ name: 'Nightly job', ending: 'wxyz', scopes: ['site:read'] })],
      grants: [expect.objectContaining({ site: 'Tea house', role: 'editor' })],
      pinnedSites: [expect.any(String)],
      invoiceTitles: [expect.objectContaining({ title: '王芳' })],
      // Another person's attempt is part of one's own history, too.
      signIns: [expect.objectContaining({ action: 'sign.in', result: 'failed' }), expect.objectContaining({ action: 'sign.in', result: 'done' })],
      acts: [expect.objectContaining({ action: 'account.exported' })],
      actsComplete: true,
    });
    const row = await rowOf(person.userId);
    const [session] = await t.ctx.postgres.db.select().from(sessions).where(eq(sessions.userId, person.userId));
    for (const secret of [row?.passwordHash, session?.tokenHash, 'hash-of-a-token', 'hash-of-a-code', 'sealed', 'ticket'])
      expect(answer.body).not.toContain(secret);
  });
  test('excludes others’ data, is logged and limited to ten an hour', async () => {
    const user = (await owner.get(`/api/acc/user/${owner.userId}`)).json<{ data: User }>().data;
    const person = await t.makePerson('member', 'wang');
    expect((await person.get('/api/acc/export')).body).not.toContain(user.loginName);
    expect(await acts('account.exported')).toEqual([expect.objectContaining({ actorId: person.userId, targetId: person.userId })]);
    const statuses = [];
    for (let i = 0; i < 10; i++) statuses.push((await person.get('/api/acc/export')).statusCode);
    expect(statuses).toEqual([...Array<number>(9).fill(200), 429]);
    expect((await t.browser().get('/api/acc/export')).statusCode).toBe(401);
  });
});
