import { eq } from 'drizzle-orm';
import type { AuditAction } from '../../contract/audit/schemas';
import type { Grants, Person as Shown } from '../../contract/people/schemas';
import type { InstanceRole } from '../../contract/permissions';
import type { StartUp } from '../../contract/sites/schemas';
import { users } from '../../server/areas/account/schema';
import { auditLog } from '../../server/areas/audit/schema';
import { sessions, totps } from '../../server/areas/session/schema';
import { outbox } from '../../server/mail/schema';
import { until } from '../support/until';
import { makeTestApp, ownerPassword } from '../support/app';
import type { Browser, Person, TestApp } from '../support/app';

let t: TestApp;
let owner: Person;
beforeEach(async () => {
  t = await makeTestApp({ config: { smtpUrl: 'smtp://localhost:1' } });
  owner = await t.signUpOwner();
});
afterEach(() => t.close());

const statusesOf = (answers: readonly { readonly statusCode: number }[]): number[] => answers.map(({ statusCode }) => statusCode).toSorted((x, y) => x - y);
const unknown = '00000000-0000-4000-8000-000000000000';
const path = (id: string, rest = '') => `/api/acc/users/${id}${rest}`;
const people = async (who: Browser, query: Record<string, string> = {}) =>
  (await who.get(`/api/acc/users?${new URLSearchParams(query)}`)).json<{ data: { rows: Shown[]; total: number } }>().data;
const person = async (id: string, who: Browser = owner) => (await who.get(path(id))).json<{ data: Shown & { grants: object[] } }>().data;
const setRole = async (who: Browser, id: string, role: InstanceRole, revision?: number) =>
  who.send('PATCH', path(id), { role }, { 'if-match': `"${revision ?? (await person(id)).revision}"` });
const post = (who: Browser, id: string, act: string, body: object = {}) => who.send('POST', path(id, `/${act}`), body);
const linesOf = (action: AuditAction) => t.ctx.postgres.db.select().from(auditLog).where(eq(auditLog.action, action)).orderBy(auditLog.id);
const lettersTo = async (email: string) =>
  (await t.ctx.postgres.db.select().from(outbox).where(eq(outbox.recipient, email)).orderBy(outbox.createdAt)).map(
    (mail) => JSON.parse(t.ctx.secrets.open('outbox', mail.message)) as { subject: string; paragraphs: string[]; facts?: { value: string }[] },
  );
const giveAddress = (id: string, email: string) =>
  t.ctx.postgres.db.update(users).set({ email, emailVerifiedAt: new Date(), locale: 'en' }).where(eq(users.id, id));
/** Records the live events published to everybody. */
function hearing() {
  const receivedEvents: string[] = [];
  t.ctx.live.subscribe((event) =>
    receivedEvents.push(event.type === 'user' ? `user ${event.userId}` : event.type === 'sessionEnded' ? `ended ${event.sessionId}` : event.type),
  );
  return receivedEvents;
}

describe('the list', () => {
  test('shows who may sign in, and with what', async () => {
    const site = await t.makeSite(owner);
    const member = await t.makePerson('member', 'mei');
    await t.grant(site.id, member.userId, 'viewer');
    const { rows, total } = await people(owner);
    expect(total).toBe(2);
    expect(rows.find(({ id }) => id === member.userId)).toMatchObject({
      loginName: 'mei',
      role: 'member',
      state: 'active',
      sites: 1,
      secondFactor: false,
      tokens: 0,
      email: null,
      emailVerified: false,
    });
    expect(rows.every(({ lastSeenAt }) => lastSeenAt !== null)).toBe(true);
    expect(JSON.stringify(rows)).not.toContain('argon2');
  });

  test('last seen stays when the session is gone', async () => {
    const member = await t.makePerson('member');
    await post(owner, member.userId, 'sign-out');
    const [line] = await t.ctx.postgres.db.select().from(auditLog).where(eq(auditLog.actorId, member.userId));
    expect((await person(member.userId)).lastSeenAt).toBe(line?.at.toISOString());
  });

  test('is searched literally, filtered, sorted by language and paged', async () => {
    const add = (loginName: string, displayName: string, rest: object = {}) =>
      t.ctx.postgres.db.insert(users).values({ loginName, displayName, passwordHash: 'x', role: 'member', createdAt: new Date(), ...rest });
    await add('wang', '王芳');
    await add('chen', '陈晨', { email: 'chen@tea.example' });
    await add('odd', '100% A_b\\c', { disabled: true });
    await add('gone', '', { deletedAt: new Date(), deletedNumber: 1 });
    const names = async (query: Record<string, string>) => (await people(owner, query)).rows.map(({ displayName }) => displayName);
    // Pinyin: chén, lín, wáng.
    expect((await names({})).filter((name) => /\p{Script=Han}/u.test(name))).toEqual(['陈晨', '林', '王芳']);
    expect((await names({ sort: '-displayName' })).filter((name) => /\p{Script=Han}/u.test(name))).toEqual(['王芳', '林', '陈晨']);
    expect(await names({ q: 'TEA.example' })).toEqual(['陈晨']);
    expect(await names({ q: 'wan' })).toEqual(['王芳']);
    for (const q of ['100%', 'A_b', '\\c']) expect(await names({ q })).toEqual(['100% A_b\\c']);
    expect(await names({ q: '%%' })).toEqual([]);
    expect(await names({ state: 'disabled' })).toEqual(['100% A_b\\c']);
    expect(await names({ role: 'owner' })).toEqual(['林']);
    expect((await names({ sort: 'role' }))[0]).toBe('林');
    expect((await names({ sort: '-lastSeenAt' }))[0]).toBe('林');
    const second = await people(owner, { size: '2', page: '2' });
    expect([second.rows.length, second.total]).toEqual([2, 4]);
    expect((await owner.get('/api/acc/users?sort=passwordHash')).statusCode).toBe(422);
    expect((await owner.get('/api/acc/users?q=%00')).statusCode).toBe(400);
  });

  test('is limited to permitted readers and excludes deleted people', async () => {
    expect((await (await t.makePerson('member')).get('/api/acc/users')).statusCode).toBe(403);
    expect((await (await t.makePerson('finance')).get('/api/acc/users')).statusCode).toBe(403);
    expect((await (await t.makePerson('manager')).get('/api/acc/users')).statusCode).toBe(200);
    expect((await owner.get(path(unknown))).statusCode).toBe(404);
    expect((await owner.get(path('x'))).statusCode).toBe(404);
  });
});

describe('roles', () => {
  test('change by revision, at once and with a new session token', async () => {
    const member = await t.makePerson('member');
    await giveAddress(member.userId, 'mei@example.com');
    const receivedEvents = hearing();
    const before = new Map(member.cookies);
    const answer = await setRole(owner, member.userId, 'manager');
    expect(answer.json()).toMatchObject({ data: { role: 'manager', revision: 2 } });
    await until(() => receivedEvents.includes(`user ${member.userId}`));
    expect((await member.get('/api/acc/users')).statusCode).toBe(200);
    expect(member.cookies).not.toEqual(before);
    expect(await linesOf('person.role_changed')).toMatchObject([
      { actorId: owner.userId, targetId: member.userId, before: { role: 'member' }, after: { role: 'manager' } },
    ]);
    expect(await lettersTo('mei@example.com')).toMatchObject([{ subject: 'Your role was changed', facts: [{ value: 'Member → Manager' }] }]);
    expect((await setRole(owner, member.userId, 'finance', 1)).json()).toMatchObject({ code: 'stale_revision', current: { role: 'manager' } });
    expect((await owner.send('PATCH', path(member.userId), { role: 'finance' })).statusCode).toBe(428);
    expect((await setRole(owner, unknown, 'member', 1)).statusCode).toBe(404);
    expect((await owner.send('PATCH', path(member.userId), { role: 'root' }, { 'if-match': '"2"' })).statusCode).toBe(422);
  });

  test('mails about them can be turned off', async () => {
    const member = await t.makePerson('member');
    await giveAddress(member.userId, 'mei@example.com');
    await t.ctx.postgres.db.update(users).set({ notices: { newDevice: true, access: false } });
    await setRole(owner, member.userId, 'manager');
    expect(await lettersTo('mei@example.com')).toEqual([]);
  });

  test('managers act only on lower roles and assign no higher ones', async () => {
    const [manager, other, finance, member] = [
      await t.makePerson('manager'),
      await t.makePerson('manager'),
      await t.makePerson('finance'),
      await t.makePerson('member'),
    ];
    expect((await setRole(manager, member.userId, 'owner')).statusCode).toBe(403);
    expect((await setRole(manager, member.userId, 'finance')).statusCode).toBe(403);
    for (const target of [owner, other, finance, manager]) {
      expect((await setRole(manager, target.userId, 'member')).statusCode).toBe(403);
      for (const act of ['sign-out', 'disable']) expect((await post(manager, target.userId, act)).statusCode).toBe(403);
      expect((await manager.send('DELETE', path(target.userId), { confirm: target.loginName })).statusCode).toBe(403);
    }
    for (const act of ['reset-second-factor', 'link']) expect((await post(manager, member.userId, act, { kind: 'reset' })).statusCode).toBe(403);
    expect((await setRole(manager, member.userId, 'manager')).statusCode).toBe(200);
    await until(async () => (await linesOf('sign.denied')).length > 0);
    expect(await linesOf('sign.denied')).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ actorId: manager.userId, result: 'refused', after: { method: 'PATCH', path: '/api/acc/users/:id', reason: 'forbidden' } }),
      ]),
    );
  });

  test('the last owner cannot step down, one of two can', async () => {
    expect((await setRole(owner, owner.userId, 'manager')).json()).toMatchObject({ code: 'last_owner' });
    const second = await t.makePerson('owner');
    await t.ctx.postgres.db.update(users).set({ disabled: true }).where(eq(users.id, second.userId));
    // A disabled owner does not count.
    expect((await setRole(owner, owner.userId, 'manager')).json()).toMatchObject({ code: 'last_owner' });
    await t.ctx.postgres.db.update(users).set({ disabled: false }).where(eq(users.id, second.userId));
    expect((await setRole(owner, owner.userId, 'manager')).statusCode).toBe(200);
    expect((await setRole(owner, owner.userId, 'owner', 2)).statusCode).toBe(403);
  });

  test('an uppercase id is protected like the same id in lowercase', async () => {
    const id = owner.userId.toUpperCase();
    expect((await setRole(owner, id, 'manager', 1)).json()).toMatchObject({ code: 'last_owner' });
    await t.makePerson('owner');
    expect((await post(owner, id, 'disable')).statusCode).toBe(403);
    expect((await post(owner, id, 'reset-second-factor')).statusCode).toBe(403);
    expect((await post(owner, id, 'link', { kind: 'reset' })).json()).toMatchObject({ code: 'conflict' });
    expect((await owner.send('DELETE', path(id), { confirm: owner.loginName })).statusCode).toBe(403);
    const [site, member] = [await t.makeSite(owner), await t.makePerson('member')];
    const cell = { siteId: site.id, role: 'viewer' };
    const twice = [member.userId, member.userId.toUpperCase()].map((userId) => ({ userId, ...cell }));
    expect((await owner.send('PATCH', '/api/acc/grants', { changes: twice })).json()).toMatchObject({ fields: { 'changes.1.siteId': { code: 'duplicate' } } });
  });

  test('of two owners demoting each other at once, one stays', async () => {
    const second = await t.makePerson('owner');
    const third = await t.makePerson('owner');
    for (let round = 0; round < 3; round++) {
      await t.ctx.postgres.db.update(users).set({ role: 'owner' });
      const [a, b] = [(await person(owner.userId)).revision, (await person(second.userId)).revision];
      const answers = await Promise.all([setRole(owner, second.userId, 'member', b), setRole(second, owner.userId, 'member', a)]);
      expect(statusesOf(answers)).toEqual([200, 403]);
      const roles = await t.ctx.postgres.db.select({ role: users.role }).from(users);
      expect(roles.map(({ role }) => role).sort()).toEqual(['member', 'owner', 'owner']);
    }
    await t.ctx.postgres.db.update(users).set({ role: 'owner' });
    await t.ctx.postgres.db.update(users).set({ disabled: true }).where(eq(users.id, third.userId));
    const [a, b] = [(await person(owner.userId)).revision, (await person(second.userId)).revision];
    await Promise.all([setRole(owner, second.userId, 'member', b), setRole(second, owner.userId, 'member', a)]);
    expect(await t.ctx.postgres.db.select().from(users).where(eq(users.role, 'owner'))).toHaveLength(2);
    // Both leave at once: one of the two is refused as the last owner.
    await t.ctx.postgres.db.update(users).set({ role: 'owner' });
    const [c, d] = [(await person(owner.userId)).revision, (await person(second.userId)).revision];
    const left = await Promise.all([setRole(owner, owner.userId, 'manager', c), setRole(second, second.userId, 'manager', d)]);
    expect(statusesOf(left)).toEqual([200, 409]);
  });

  test('needs proof within ten minutes', async () => {
    const member = await t.makePerson('member');
    const { revision } = await person(member.userId);
    t.pass(11 * 60_000);
    expect((await setRole(owner, member.userId, 'manager', revision)).json()).toMatchObject({ code: 'reauth_required' });
    expect((await post(owner, member.userId, 'disable')).json()).toMatchObject({ code: 'reauth_required' });
    expect((await owner.send('PATCH', '/api/acc/grants', { changes: [] })).json()).toMatchObject({ code: 'reauth_required' });
  });
});

describe('disabling and enabling', () => {
  test('signing out ends every session and forgets the devices', async () => {
    const member = await t.makePerson('member');
    await t.ctx.postgres.db.select().from(sessions);
    const receivedEvents = hearing();
    expect((await post(owner, member.userId, 'sign-out')).json()).toEqual({ data: { ended: 1 } });
    expect((await member.get('/api/core/load/rpm')).statusCode).toBe(401);
    await until(() => receivedEvents.some((word) => word.startsWith('ended ')));
    expect(await linesOf('person.signed_out')).toMatchObject([{ targetId: member.userId, after: { sessions: 1 } }]);
    expect((await post(owner, unknown, 'sign-out')).statusCode).toBe(404);
  });

  test('disabling signs out and refuses sign-ins until enabled', async () => {
    const member = await t.makePerson('member', 'mei');
    const signIn = () => t.browser().send('POST', '/api/acc/sign/in', { login: 'mei', password: ownerPassword });
    expect((await post(owner, member.userId, 'disable')).json()).toMatchObject({ data: { state: 'disabled', revision: 2 } });
    expect((await member.get('/api/core/load/rpm')).statusCode).toBe(401);
    expect((await signIn()).json()).toMatchObject({ code: 'bad_credentials' });
    expect((await post(owner, member.userId, 'disable')).json()).toMatchObject({ code: 'bad_transition' });
    expect((await post(owner, member.userId, 'enable')).json()).toMatchObject({ data: { state: 'active', revision: 3 } });
    expect((await post(owner, member.userId, 'enable')).json()).toMatchObject({ code: 'bad_transition' });
    expect((await signIn()).statusCode).toBe(200);
    expect([await linesOf('person.disabled'), await linesOf('person.enabled')].map((lines) => lines.length)).toEqual([1, 1]);
    expect((await post(owner, owner.userId, 'disable')).statusCode).toBe(403);
  });

  test('of two owners disabling each other at once, one stays', async () => {
    const second = await t.makePerson('owner');
    const answers = await Promise.all([post(owner, second.userId, 'disable'), post(second, owner.userId, 'disable')]);
    expect(statusesOf(answers)).toEqual([200, 401]);
    expect(await t.ctx.postgres.db.select().from(users).where(eq(users.disabled, false))).toHaveLength(1);
  });

  test('resetting a second factor ends all sessions and notifies the person', async () => {
    const member = await t.makePerson('member', 'mei');
    await giveAddress(member.userId, 'mei@example.com');
    await t.ctx.postgres.db.update(users).set({ secondFactor: true }).where(eq(users.id, member.userId));
    await t.ctx.postgres.db
      .insert(totps)
      .values({ userId: member.userId, secret: t.ctx.secrets.seal('totp', 'x'), createdAt: new Date(), confirmedAt: new Date() });
    expect((await post(owner, member.userId, 'reset-second-factor')).json()).toMatchObject({ data: { secondFactor: false } });
    expect(await t.ctx.postgres.db.select().from(totps)).toEqual([]);
    expect((await member.get('/api/core/load/rpm')).statusCode).toBe(401);
    expect((await lettersTo('mei@example.com')).map(({ subject }) => subject)).toEqual(['Your two-step verification was reset']);
    const again = await t.browser().send('POST', '/api/acc/sign/in', { login: 'mei', password: ownerPassword });
    expect(again.json()).toEqual({ data: { redirect: '/home' } });
    expect(await linesOf('factor.reset')).toMatchObject([{ targetId: member.userId, actorId: owner.userId }]);
    expect((await post(owner, owner.userId, 'reset-second-factor')).statusCode).toBe(403);
    expect((await post(owner, unknown, 'reset-second-factor')).statusCode).toBe(404);
  });

  test('a one-time link sets a password, never one’s own', async () => {
    const member = await t.makePerson('member', 'mei');
    await giveAddress(member.userId, 'mei@example.com');
    const { url } = (await post(owner, member.userId, 'link', { kind: 'reset' })).json<{ data: { url: string } }>().data;
    const [base, token = ''] = url.split('#t=');
    expect(base).toBe(`${t.ctx.config.publicUrl}/sign/reset`);
    const password = 'rain over the old harbour';
    expect((await t.browser().send('POST', '/api/acc/sign/reset', { token, password })).statusCode).toBe(204);
    expect((await t.browser().send('POST', '/api/acc/sign/in', { login: 'mei', password })).statusCode).toBe(200);
    const [line] = await linesOf('person.link_made');
    expect(line).toMatchObject({ targetId: member.userId, after: { kind: 'reset' } });
    expect(JSON.stringify(line?.after)).not.toContain(token);
    expect((await lettersTo('mei@example.com')).some(({ subject }) => subject === 'A link that sets your password was made')).toBe(true);
    expect((await post(owner, owner.userId, 'link', { kind: 'reset' })).json()).toMatchObject({ code: 'conflict' });
    expect((await post(owner, member.userId, 'link', { kind: 'email' })).json()).toMatchObject({ code: 'conflict' });
    await t.ctx.postgres.db.update(users).set({ pendingEmail: 'new@example.com' }).where(eq(users.id, member.userId));
    const confirm = (await post(owner, member.userId, 'link', { kind: 'email' })).json<{ data: { url: string } }>().data.url.split('#t=')[1];
    expect((await t.browser().send('POST', '/api/acc/sign/email', { token: confirm })).json()).toEqual({ data: { email: 'new@example.com' } });
  });

  test('deleting requires the typed name, and the log keeps it', async () => {
    const member = await t.makePerson('member', 'mei');
    const remove = (confirm: string, who: Browser = owner, id = member.userId) => who.send('DELETE', path(id), { confirm });
    expect((await remove('me')).json()).toMatchObject({ code: 'confirm_mismatch' });
    expect((await remove(' MEI ')).statusCode).toBe(204);
    expect((await member.get('/api/core/load/rpm')).statusCode).toBe(401);
    expect((await owner.get(path(member.userId))).statusCode).toBe(404);
    expect((await people(owner)).total).toBe(1);
    expect((await remove('mei')).statusCode).toBe(404);
    expect((await remove(owner.loginName, owner, owner.userId)).statusCode).toBe(403);
    expect(await linesOf('person.deleted')).toMatchObject([{ targetName: 'mei', before: { loginName: 'mei', role: 'member' }, after: { number: 1 } }]);
    for (const act of ['disable', 'enable', 'sign-out', 'reset-second-factor']) expect((await post(owner, member.userId, act)).statusCode).toBe(404);
  });
});

describe('the matrix of grants', () => {
  const change = (changes: object[], who: Browser = owner) => who.send('PATCH', '/api/acc/grants', { changes });
  const matrix = async (who: Browser = owner) => (await who.get('/api/acc/grants')).json<{ data: Grants }>().data;
  const sitesOf = async (who: Browser) => (await who.get('/api/core/load/rpm')).json<{ data: StartUp }>().data.sites.map(({ id, role }) => [id, role]);

  test('gives, changes and revokes grants and mails the sites', async () => {
    const [tea, books] = [await t.makeSite(owner), await t.makeSite(owner, { name: 'Books' })];
    const member = await t.makePerson('member');
    await giveAddress(member.userId, 'mei@example.com');
    const receivedEvents = hearing();
    const grantsResponse = await change([
      { userId: member.userId, siteId: tea.id, role: 'viewer' },
      { userId: member.userId, siteId: books.id, role: 'editor' },
    ]);
    expect(grantsResponse.json<{ data: Grants }>().data.grants).toHaveLength(2);
    expect(await sitesOf(member)).toEqual([
      [tea.id, 'viewer'],
      [books.id, 'editor'],
    ]);
    await until(() => receivedEvents.filter((word) => word === `user ${member.userId}`).length === 1);
    await change([
      { userId: member.userId, siteId: tea.id, role: 'analyst' },
      { userId: member.userId, siteId: books.id, role: null },
    ]);
    expect(await sitesOf(member)).toEqual([[tea.id, 'analyst']]);
    expect((await member.get(`/api/core/sites/${books.id}`)).statusCode).toBe(404);
    const lines = await linesOf('person.grants_changed');
    expect(lines.map(({ siteId, before, after }) => [siteId, before, after])).toEqual([
      [tea.id, { role: null }, { role: 'viewer' }],
      [books.id, { role: null }, { role: 'editor' }],
      [tea.id, { role: 'viewer' }, { role: 'analyst' }],
      [books.id, { role: 'editor' }, { role: null }],
    ]);
    expect((await lettersTo('mei@example.com')).map(({ facts }) => facts?.map(({ value }) => value))).toEqual([
      ['Viewer', 'Editor'],
      ['Analyst', 'No access'],
    ]);
    // Repeating the change has no effect and sends no notice.
    expect((await change([{ userId: member.userId, siteId: tea.id, role: 'analyst' }])).statusCode).toBe(200);
    expect(await linesOf('person.grants_changed')).toHaveLength(4);
  });

  test('shows those who need grants and sites outside the bin', async () => {
    const [tea, bin] = [await t.makeSite(owner), await t.makeSite(owner, { name: 'Bin' })];
    await owner.send('DELETE', `/api/core/sites/${bin.id}`, { confirm: 'Bin' });
    const [finance, member] = [await t.makePerson('finance'), await t.makePerson('member')];
    await t.makePerson('manager');
    await t.grant(bin.id, member.userId, 'viewer');
    const visibleMatrix = await matrix();
    expect(visibleMatrix.people.map(({ id }) => id).sort()).toEqual([finance.userId, member.userId].sort());
    expect(visibleMatrix.sites.map(({ id }) => id)).toEqual([tea.id]);
    expect(visibleMatrix.grants).toEqual([]);
  });

  test('saves nothing if one cell is invalid', async () => {
    const tea = await t.makeSite(owner);
    const [member, manager] = [await t.makePerson('member'), await t.makePerson('manager')];
    const good = { userId: member.userId, siteId: tea.id, role: 'viewer' };
    const bad: [object, Record<string, string>][] = [
      [{ ...good, userId: unknown }, { 'changes.1.userId': 'unknown' }],
      [{ ...good, userId: manager.userId }, { 'changes.1.userId': 'unknown' }],
      [{ ...good, siteId: 'aaaaaaaaaaaa' }, { 'changes.1.siteId': 'unknown' }],
      [{ ...good, siteId: "' or 1=1" }, { 'changes.1.siteId': 'unknown' }],
      [{ ...good, role: 'owner' }, { 'changes.1.role': 'pattern' }],
      [good, { 'changes.1.siteId': 'duplicate' }],
      [{ ...good, extra: 1 }, { 'changes.1.extra': 'unknown_field' }],
    ];
    for (const [cell, fields] of bad) {
      const answer = await change([good, cell]);
      expect([answer.statusCode, answer.json()]).toMatchObject([
        422,
        { fields: Object.fromEntries(Object.entries(fields).map(([at, code]) => [at, { code }])) },
      ]);
    }
    expect((await change([])).statusCode).toBe(422);
    expect((await matrix()).grants).toEqual([]);
  });

  test('managers grant to members, not to finance', async () => {
    const tea = await t.makeSite(owner);
    const [manager, finance, member] = [await t.makePerson('manager'), await t.makePerson('finance'), await t.makePerson('member')];
    expect((await change([{ userId: member.userId, siteId: tea.id, role: 'admin' }], manager)).statusCode).toBe(200);
    expect((await change([{ userId: finance.userId, siteId: tea.id, role: 'viewer' }], manager)).statusCode).toBe(403);
    expect((await change([{ userId: member.userId, siteId: tea.id, role: null }], finance)).statusCode).toBe(403);
    expect((await change([{ userId: member.userId, siteId: tea.id, role: null }], member)).statusCode).toBe(403);
  });
});
