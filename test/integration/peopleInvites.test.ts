import { eq } from 'drizzle-orm';
import type { Invite, InviteInput } from '../../contract/people/schemas';
import type { InviteState } from '../../contract/session/schemas';
import type { Site, StartUp } from '../../contract/sites/schemas';
import { users } from '../../server/areas/account/schema';
import { auditLog } from '../../server/areas/audit/schema';
import { invites } from '../../server/areas/people/schema';
import { outbox } from '../../server/mail/schema';
import { makeTestApp, ownerPassword } from '../support/app';
import type { Browser, Person, TestApp } from '../support/app';

const statusesOf = (answers: readonly { readonly statusCode: number }[]): number[] => answers.map(({ statusCode }) => statusCode).toSorted((x, y) => x - y);
const day = 24 * 3_600_000;
const password = 'rain over the old harbour';
let t: TestApp;
let owner: Person;
let site: Site;
beforeEach(async () => {
  t = await makeTestApp({ config: { smtpUrl: 'smtp://localhost:1' } });
  owner = await t.signUpOwner();
  site = await t.makeSite(owner);
});
afterEach(() => t.close());

type CreatedInvite = { invite: Invite; url: string; mailed: boolean };
const invite = (body: Partial<InviteInput> & Record<string, unknown> = {}, who: Browser = owner) => who.send('POST', '/api/acc/invites', body);
const tokenOf = (url: string): string => url.split('#t=')[1] ?? '';
async function createInvite(body: Partial<InviteInput> = {}, who: Browser = owner): Promise<CreatedInvite & { token: string }> {
  const { data } = (await invite(body, who)).json<{ data: CreatedInvite }>();
  return { ...data, token: tokenOf(data.url) };
}
const list = async (who: Browser = owner) => (await who.get('/api/acc/invites')).json<{ data: Invite[] }>().data;
const look = (token: string) => t.browser().send('POST', '/api/acc/sign/invite-state', { token });
const join = (token: string, loginName: string, rest: object = {}, who = t.browser()) =>
  who.send('POST', '/api/acc/sign/invite', { token, loginName, displayName: 'Mei', password, ...rest });
const userNamed = async (loginName: string) => (await t.ctx.postgres.db.select().from(users).where(eq(users.loginName, loginName)))[0];
const letters = async () =>
  (await t.ctx.postgres.db.select().from(outbox).orderBy(outbox.createdAt)).map((mail) => ({
    to: mail.recipient,
    kind: mail.kind,
    ...(JSON.parse(t.ctx.secrets.open('outbox', mail.message)) as {
      subject: string;
      paragraphs: string[];
      action: { url: string };
      facts: { value: string }[];
    }),
  }));
const mailedTokenOf = async (email: string): Promise<string> =>
  tokenOf((await letters()).find(({ to, kind }) => to === email && kind === 'invite')?.action.url ?? '');
/** An ended link gives the same response whatever the reason. */
async function expectEnded(token: string): Promise<void> {
  const [looked, joined] = [await look(token), await join(token, 'too.late')];
  for (const answer of [looked, joined]) expect([answer.statusCode, { ...answer.json<object>(), requestId: '' }]).toMatchObject([410, { code: 'link_ended' }]);
  expect({ ...looked.json<object>(), requestId: '' }).toEqual({ ...joined.json<object>(), requestId: '' });
  expect(await userNamed('too.late')).toBeUndefined();
}

describe('an invitation', () => {
  test('by copied link creates the account with its granted site', async () => {
    const other = await t.makeSite(owner, { name: 'Other' });
    const { url, token, mailed, invite: open } = await createInvite({ grants: [{ siteId: site.id, role: 'editor' }], message: '欢迎！' });
    expect(url).toMatch(new RegExp(`^${t.ctx.config.publicUrl}/sign/invite#t=[A-Za-z0-9_-]{43}$`));
    expect([mailed, open.state, open.resent]).toEqual([false, 'open', 0]);
    expect((await look(token)).json<{ data: InviteState }>().data).toMatchObject({
      email: null,
      role: 'member',
      invitedBy: '林',
      sites: [{ name: 'Tea house', role: 'editor' }],
      message: '欢迎！',
    });
    const guest = t.browser();
    expect((await join(token, 'Mei.Chen', { locale: 'en', timeZone: 'Europe/Paris' }, guest)).json()).toEqual({ data: { redirect: '/home' } });
    const { sites } = (await guest.get('/api/core/load/rpm')).json<{ data: StartUp }>().data;
    expect(sites.map(({ id, role }) => [id, role])).toEqual([[site.id, 'editor']]);
    expect((await guest.get(`/api/core/sites/${other.id}`)).statusCode).toBe(404);
    const user = await userNamed('mei.chen');
    expect(user).toMatchObject({ role: 'member', locale: 'en', timeZone: 'Europe/Paris', email: null, pendingEmail: null, passwordLong: true });
    expect((await list())[0]).toMatchObject({ state: 'accepted' });
    await expectEnded(token);
    const [line] = await t.ctx.postgres.db.select().from(auditLog).where(eq(auditLog.action, 'person.joined'));
    expect(line).toMatchObject({
      actorId: user?.id,
      targetId: user?.id,
      after: { role: 'member', invitedBy: 'lin.owner', grants: [{ siteId: site.id, role: 'editor' }] },
    });
    expect((await guest.get('/api/acc/sign-ins')).json()).toMatchObject({ data: { rows: [{ factor: 'invite', result: 'done' }] } });
  });

  test('by mail confirms the address, a copied link does not', async () => {
    const first = await createInvite({ email: 'Mei@Example.com', grants: [{ siteId: site.id, role: 'viewer' }], message: 'Come in' });
    expect([first.mailed, first.invite.email]).toEqual([true, 'mei@example.com']);
    const [letter] = await letters();
    expect(letter).toMatchObject({ to: 'mei@example.com', subject: '林 邀请你加入 Sitewright' });
    expect(letter?.paragraphs.join('\n')).toContain('Come in');
    expect(letter?.facts.map(({ value }) => value)).toEqual(expect.arrayContaining(['成员', 'Tea house']));
    const mailedToken = await mailedTokenOf('mei@example.com');
    expect(mailedToken).not.toBe(first.token);
    await join(mailedToken, 'mei');
    expect(await userNamed('mei')).toMatchObject({ email: 'mei@example.com', emailVerifiedAt: expect.any(Date), pendingEmail: null });

    const second = await createInvite({ email: 'li@example.com' });
    await join(second.token, 'li.wei');
    expect(await userNamed('li.wei')).toMatchObject({ email: null, emailVerifiedAt: null, pendingEmail: 'li@example.com' });
    // They are asked to confirm that address.
    const confirm = (await letters()).find(({ to, kind }) => to === 'li@example.com' && kind === 'account.confirmEmail');
    expect((await t.browser().send('POST', '/api/acc/sign/email', { token: tokenOf(confirm?.action.url ?? '') })).statusCode).toBe(200);
    expect(await userNamed('li.wei')).toMatchObject({ email: 'li@example.com', pendingEmail: null });
  });

  test('a foreign or forged confirmation code is refused', async () => {
    await createInvite({ email: 'mei@example.com' });
    const [, seal] = (await mailedTokenOf('mei@example.com')).split('.');
    const { token } = await createInvite({ email: 'li@example.com' });
    for (const forged of [`${token}.${seal}`, `${token}.`, `${token}.x`, `${token}.${seal}.${seal}`]) await expectEnded(forged);
    expect((await join(token, 'li.wei')).statusCode).toBe(200);
  });

  test('without a mail server works by the copied link', async () => {
    const quiet = await makeTestApp();
    const boss = await quiet.signUpOwner();
    const answer = (await boss.send('POST', '/api/acc/invites', { email: 'mei@example.com' })).json<{ data: CreatedInvite }>().data;
    expect(answer.mailed).toBe(false);
    const joined = await quiet.browser().send('POST', '/api/acc/sign/invite', { token: tokenOf(answer.url), loginName: 'mei', displayName: 'Mei', password });
    expect(joined.statusCode).toBe(200);
    await quiet.close();
  });

  test('accepted twice at once creates one account', async () => {
    const { token } = await createInvite();
    const answers = await Promise.all(['anna', 'berta', 'clara'].map((name) => join(token, name)));
    expect(statusesOf(answers)).toEqual([200, 410, 410]);
    expect(await t.ctx.postgres.db.select().from(users)).toHaveLength(2);
  });

  test('of two requesting one name at once, the other keeps the link', async () => {
    const [a, b] = [await createInvite(), await createInvite()];
    const answers = await Promise.all([join(a.token, 'same.name'), join(b.token, 'same.name')]);
    expect(statusesOf(answers)).toEqual([200, 409]);
    const left = answers[0]?.statusCode === 200 ? b : a;
    expect((await join(left.token, 'another.name')).statusCode).toBe(200);
  });
});

describe('the guest’s input', () => {
  test.each<[string, object, number, object]>([
    ['a name that is taken', { loginName: 'lin.owner' }, 409, { code: 'name_taken', fields: { loginName: { code: 'taken' } } }],
    ['a name that looks like another', { loginName: '1in.owner' }, 422, { fields: { loginName: { code: 'confusable' } } }],
    ['a reserved name', { loginName: 'admin' }, 422, { fields: { loginName: { code: 'reserved' } } }],
    ['digits alone', { loginName: '12345' }, 422, { fields: { loginName: { code: 'digits_only' } } }],
    ['a short password', { password: 'short of it' }, 422, { fields: { password: { code: 'too_short', min: 15 } } }],
    ['a password with the name', { password: 'mei.chen mei.chen harbour' }, 422, { fields: { password: { code: 'contains_login' } } }],
    ['a weak password', { password: 'aaaaaaaaaaaaaaaa' }, 422, { fields: { password: { code: 'weak_password' } } }],
    ['a zone of the moon', { timeZone: 'Moon' }, 422, { fields: { timeZone: { code: 'not_a_time_zone' } } }],
    ['a role of their own', { role: 'owner' }, 200, {}],
  ])('%s', async (_name, rest, status, body) => {
    const { token } = await createInvite();
    const answer = await join(token, 'mei.chen', rest);
    expect(answer.statusCode).toBe(status);
    expect(answer.json()).toMatchObject(body);
    // The same link still works after invalid input.
    if (status !== 200) expect((await join(token, 'mei.chen')).statusCode).toBe(200);
    expect((await userNamed('mei.chen'))?.role).toBe('member');
  });
});

describe('the end of invitations', () => {
  test('wrong, expired, revoked, used and renewed links are refused alike', async () => {
    await expectEnded('nonsense');
    await expectEnded('x'.repeat(200));
    const expired = await createInvite({ days: 1 });
    const revoked = await createInvite();
    const renewed = await createInvite({ days: 30 });
    expect((await owner.send('DELETE', `/api/acc/invites/${revoked.invite.id}`)).statusCode).toBe(204);
    const again = (await owner.send('POST', `/api/acc/invites/${renewed.invite.id}/resend`)).json<{ data: CreatedInvite }>().data;
    t.pass(day + 1000);
    for (const { token } of [expired, revoked, renewed]) await expectEnded(token);
    expect((await look(tokenOf(again.url))).statusCode).toBe(200);
    // The session expired after a day; the owner signs in again.
    await owner.send('POST', '/api/acc/sign/in', { login: 'lin.owner', password: ownerPassword });
    expect((await list()).map(({ state }) => state).sort()).toEqual(['expired', 'open', 'revoked']);
    expect((await list())[0]?.state).toBe('open');
  });

  test('resending works five times, except for accepted or revoked ones', async () => {
    const { invite: open, token } = await createInvite({ email: 'mei@example.com', days: 2 });
    const resend = (id = open.id) => owner.send('POST', `/api/acc/invites/${id}/resend`);
    let last = token;
    for (let n = 1; n <= 5; n++) {
      const { invite: now, url, mailed } = (await resend()).json<{ data: CreatedInvite }>().data;
      expect([now.resent, mailed, now.state]).toEqual([n, true, 'open']);
      await expectEnded(last);
      last = tokenOf(url);
    }
    expect((await resend()).json()).toMatchObject({ code: 'too_many_requests' });
    expect((await join(last, 'mei')).statusCode).toBe(200);
    expect((await resend()).json()).toMatchObject({ code: 'bad_transition' });
    expect((await owner.send('DELETE', `/api/acc/invites/${open.id}`)).json()).toMatchObject({ code: 'bad_transition' });
    const gone = await createInvite();
    await owner.send('DELETE', `/api/acc/invites/${gone.invite.id}`);
    expect((await resend(gone.invite.id)).json()).toMatchObject({ code: 'bad_transition' });
    expect((await resend('00000000-0000-4000-8000-000000000000')).statusCode).toBe(404);
    expect((await list()).map(({ state }) => state).sort()).toEqual(['accepted', 'revoked']);
  });

  test('invitations end when the inviter may no longer assign the role', async () => {
    const [demoted, disabled, deleted] = [await t.makePerson('manager'), await t.makePerson('manager'), await t.makePerson('manager')];
    const links: CreatedInvite[] = [];
    for (const who of [demoted, disabled, deleted]) links.push(await createInvite({ role: 'manager' }, who));
    const { revision } = (await owner.get(`/api/acc/users/${demoted.userId}`)).json<{ data: { revision: number } }>().data;
    await owner.send('PATCH', `/api/acc/users/${demoted.userId}`, { role: 'member' }, { 'if-match': `"${revision}"` });
    await owner.send('POST', `/api/acc/users/${disabled.userId}/disable`);
    await owner.send('DELETE', `/api/acc/users/${deleted.userId}`, { confirm: deleted.loginName });
    for (const { url } of links) await expectEnded(tokenOf(url));
    expect((await list()).map(({ state }) => state)).toEqual(['revoked', 'revoked', 'revoked']);
    // Also when the row was changed directly.
    const sly = await t.makePerson('manager');
    const { token } = await createInvite({ role: 'manager' }, sly);
    await t.ctx.postgres.db.update(users).set({ role: 'finance' }).where(eq(users.id, sly.userId));
    await expectEnded(token);
    // An owner who resends it becomes responsible for it.
    const open = (await list())[0];
    const { url } = (await owner.send('POST', `/api/acc/invites/${open?.id}/resend`)).json<{ data: CreatedInvite }>().data;
    expect((await join(tokenOf(url), 'welcome.manager')).statusCode).toBe(200);
  });

  test('deleted sites and addresses confirmed elsewhere are omitted', async () => {
    const other = await t.makeSite(owner, { name: 'Other' });
    const { url } = await createInvite({
      email: 'mei@example.com',
      grants: [
        { siteId: site.id, role: 'viewer' },
        { siteId: other.id, role: 'admin' },
      ],
    });
    await owner.send('DELETE', `/api/core/sites/${other.id}`, { confirm: 'Other' });
    await t.ctx.postgres.db.update(users).set({ email: 'mei@example.com', emailVerifiedAt: new Date() }).where(eq(users.id, owner.userId));
    expect((await look(tokenOf(url))).json()).toMatchObject({ data: { sites: [{ name: 'Tea house', role: 'viewer' }] } });
    const guest = t.browser();
    expect((await join(await mailedTokenOf('mei@example.com'), 'mei', {}, guest)).statusCode).toBe(200);
    expect(await userNamed('mei')).toMatchObject({ email: null, emailVerifiedAt: null, pendingEmail: null });
    expect((await guest.get('/api/core/load/rpm')).json<{ data: StartUp }>().data.sites.map(({ id }) => id)).toEqual([site.id]);
  });
});

describe('inviters', () => {
  test('nobody assigns more than they have', async () => {
    const [manager, finance, member] = [await t.makePerson('manager'), await t.makePerson('finance'), await t.makePerson('member')];
    for (const role of ['owner', 'finance'] as const) expect((await invite({ role }, manager)).statusCode).toBe(403);
    for (const role of ['manager', 'member'] as const) expect((await invite({ role }, manager)).statusCode).toBe(200);
    for (const who of [finance, member]) expect((await invite({}, who)).statusCode).toBe(403);
    expect((await invite({ role: 'owner' })).statusCode).toBe(200);
    const byOwner = (await list()).find(({ role }) => role === 'owner');
    expect((await manager.send('DELETE', `/api/acc/invites/${byOwner?.id}`)).statusCode).toBe(403);
    expect((await manager.send('POST', `/api/acc/invites/${byOwner?.id}/resend`)).statusCode).toBe(403);
  });

  test.each<[string, Record<string, unknown>, Record<string, string>]>([
    ['no address', { email: 'not an address' }, { email: 'not_an_email' }],
    ['a site that is not there', { grants: [{ siteId: 'aaaaaaaaaaaa', role: 'viewer' }] }, { 'grants.0.siteId': 'unknown' }],
    ['an unknown role', { role: 'root' }, { role: 'pattern' }],
    ['a month and a day', { days: 31 }, { days: 'out_of_range' }],
    ['a long message', { message: 'x'.repeat(501) }, { message: 'too_long' }],
    ['control characters', { message: 'a\u0000b' }, { message: 'forbidden_characters' }],
    ['a token of their own', { token: 'x' }, { token: 'unknown_field' }],
  ])('refuses %s', async (_name, body, fields) => {
    const answer = await invite(body);
    expect(answer.statusCode).toBe(422);
    expect(answer.json()).toMatchObject({ fields: Object.fromEntries(Object.entries(fields).map(([at, code]) => [at, { code }])) });
    expect(await list()).toEqual([]);
  });

  test('used or invited addresses and repeated sites are refused', async () => {
    await t.ctx.postgres.db.update(users).set({ email: 'lin@example.com' });
    expect((await invite({ email: 'LIN@example.com ' })).json()).toMatchObject({ code: 'email_taken', fields: { email: { code: 'taken' } } });
    const both = await Promise.all([invite({ email: 'mei@example.com' }), invite({ email: 'mei@example.com' })]);
    expect(statusesOf(both)).toEqual([200, 422]);
    const twice = [
      { siteId: site.id, role: 'viewer' },
      { siteId: site.id, role: 'admin' },
    ];
    expect((await invite({ grants: twice } as Partial<InviteInput>)).json()).toMatchObject({ fields: { 'grants.1.siteId': { code: 'duplicate' } } });
  });

  test('no invitation secret is stored or logged', async () => {
    const { token } = await createInvite({ email: 'mei@example.com' });
    const stored =
      JSON.stringify(await t.ctx.postgres.db.select().from(invites)) + JSON.stringify((await t.ctx.postgres.db.select().from(outbox)).map((row) => row));
    const log = (await t.ctx.postgres.pool.query<{ line: string }>('SELECT row_to_json(audit_log)::text AS line FROM audit_log')).rows
      .map(({ line }) => line)
      .join();
    expect(stored + log).not.toContain(token);
  });
});
