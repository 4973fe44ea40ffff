import { runSchedule } from '../support/schedules';
import { desc, eq } from 'drizzle-orm';
import { auditLog } from '../../server/areas/audit/schema';
import { users } from '../../server/areas/account/schema';
import { recoveryCodes, signTickets, totps } from '../../server/areas/session/schema';
import { newPassword, policyOf, removeFactors } from '../../server/areas/session';
import { outbox } from '../../server/mail/schema';
import type { MailContent } from '../../server/mail';
import { makeTestApp, ownerPassword } from '../support/app';
import type { Browser, Person, TestApp } from '../support/app';
import { addPasskey, addTotp, askTicket, codeAt, second, stepMs, whoAmI } from '../support/factors';

let t: TestApp;
let owner: Person;
beforeEach(async () => {
  t = await makeTestApp({ config: { smtpUrl: 'smtp://127.0.0.1:1' } });
  owner = await t.signUpOwner();
  // To the middle of a time step, so that none ends between a code and its check.
  t.pass(stepMs + stepMs / 2 - (t.ctx.now() % stepMs));
});
afterEach(() => t.close());

const login = 'lin.owner';
const now = (): number => t.ctx.now();
const security = async (b: Browser) => (await b.get('/api/acc/security')).json<{ data: Record<string, unknown> }>().data;
const plain = (value: unknown): string => JSON.stringify(value, (_key, part: unknown) => (typeof part === 'bigint' ? String(part) : part));
const lines = () => t.ctx.postgres.db.select().from(auditLog).orderBy(desc(auditLog.id));
const letters = async (): Promise<{ kind: string; letter: MailContent }[]> =>
  (await t.ctx.postgres.db.select().from(outbox).orderBy(outbox.createdAt)).map(({ kind, message }) => ({
    kind,
    letter: JSON.parse(t.ctx.secrets.open('outbox', message)) as MailContent,
  }));
const verifyMail = (userId: string) =>
  t.ctx.postgres.db.update(users).set({ email: 'lin@example.cn', emailVerifiedAt: new Date() }).where(eq(users.id, userId));

describe('an authenticator app', () => {
  test('is offered as text and image and confirmed by a code', async () => {
    const offer = (await owner.send('POST', '/api/acc/totp/begin')).json<{ data: { secret: string; uri: string; qr: string } }>().data;
    expect(offer.secret).toMatch(/^[A-Z2-7]{32}$/);
    expect(new URL(offer.uri).searchParams.get('secret')).toBe(offer.secret);
    expect(Buffer.from(offer.qr.replace('data:image/svg+xml;base64,', ''), 'base64').toString()).toContain('<svg');
    // A reloaded page shows the same secret, which the app has already scanned.
    expect((await owner.send('POST', '/api/acc/totp/begin')).json()).toEqual({ data: offer });
    expect((await owner.send('POST', '/api/acc/totp/confirm', { code: '000000' })).json()).toMatchObject({
      code: 'invalid_fields',
      fields: { code: { code: 'wrong_code' } },
    });
    expect(await security(owner)).toMatchObject({ totpSince: null, recoveryLeft: null, minLength: 15 });
    const before = owner.cookies.get('sid');
    const code = codeAt(offer.secret, now());
    const { recoveryCodes: codes } = (await owner.send('POST', '/api/acc/totp/confirm', { code: `${code.slice(0, 3)} ${code.slice(3)}` })).json<{
      data: { recoveryCodes: string[] };
    }>().data;
    expect(new Set(codes).size).toBe(10);
    for (const each of codes) expect(each).toMatch(/^[A-Z2-7]{4}(-[A-Z2-7]{4}){3}$/);
    expect(owner.cookies.get('sid')).not.toBe(before);
    expect(await security(owner)).toMatchObject({ totpSince: expect.any(String), recoveryLeft: 10, minLength: 8 });
    expect((await owner.send('POST', '/api/acc/totp/begin')).json()).toMatchObject({ code: 'conflict' });
    const [stored] = await t.ctx.postgres.db.select().from(totps);
    const storedText = plain([stored, await t.ctx.postgres.db.select().from(recoveryCodes), await lines()]);
    for (const secret of [offer.secret, Buffer.from(offer.secret).toString('base64url'), ...codes, ...codes.map((c) => c.replaceAll('-', ''))])
      expect(storedText).not.toContain(secret);
  });

  test('two concurrent confirmations enable it once', async () => {
    const { secret } = (await owner.send('POST', '/api/acc/totp/begin')).json<{ data: { secret: string } }>().data;
    const answers = await Promise.all([1, 2].map(() => owner.send('POST', '/api/acc/totp/confirm', { code: codeAt(secret, now()) })));
    expect(answers.map((a) => a.statusCode).sort((a, b) => a - b)).toEqual([200, 409]);
    expect(await t.ctx.postgres.db.$count(recoveryCodes)).toBe(10);
  });

  test('requires new proof when the last is too old', async () => {
    t.pass(11 * 60_000);
    expect((await owner.send('POST', '/api/acc/totp/begin')).json()).toMatchObject({ code: 'reauth_required' });
  });
});

describe('the second step', () => {
  let secret: string;
  let codes: string[];
  beforeEach(async () => {
    const addedTotp = await addTotp(t, owner);
    secret = addedTotp.secret;
    codes = addedTotp.codes ?? [];
  });

  test('a password alone is not enough; a code completes the sign-in', async () => {
    const b = t.browser();
    const { ticket, methods } = await askTicket(b, login, { redirect: '/site/x?a=1', remember: true });
    expect([methods, await whoAmI(b), b.cookies.size]).toEqual([['totp', 'recovery'], null, 0]);
    const answer = await second(b, ticket, codeAt(secret, now()));
    expect(answer.json()).toEqual({ data: { redirect: '/site/x?a=1' } });
    expect(answer.cookies.find((c) => c.name === 'sid')?.maxAge).toBe(30 * 24 * 3600);
    expect(await whoAmI(b)).toMatchObject({ userId: owner.userId, enrolment: 'none' });
    const [ticketRow] = await t.ctx.postgres.db.select().from(signTickets);
    expect(ticketRow).toBeUndefined();
  });

  test('each code works once, and no earlier one after it', async () => {
    const code = codeAt(secret, now());
    const late = codeAt(secret, now() - stepMs);
    const [a, b] = [t.browser(), t.browser()];
    expect((await second(a, (await askTicket(a, login)).ticket, code)).statusCode).toBe(200);
    for (const again of [code, late]) expect((await second(b, (await askTicket(b, login)).ticket, again)).json()).toMatchObject({ code: 'bad_code' });
  });

  test('of two concurrent uses of a code, one succeeds', async () => {
    const browsers = [t.browser(), t.browser(), t.browser()];
    const tickets = await Promise.all(browsers.map((b) => askTicket(b, login)));
    const code = codeAt(secret, now());
    const answers = await Promise.all(browsers.map((b, i) => second(b, tickets[i]?.ticket ?? '', code)));
    expect(answers.map((a) => a.statusCode).sort((a, b) => a - b)).toEqual([200, 401, 401]);
  });

  test('clocks may differ by one step, not two', async () => {
    const b = t.browser();
    const { ticket } = await askTicket(b, login);
    for (const steps of [-2, 2]) expect((await second(b, ticket, codeAt(secret, now() + steps * stepMs))).statusCode).toBe(401);
    expect((await second(b, ticket, codeAt(secret, now() + stepMs))).statusCode).toBe(200);
  });

  test('a ticket ends after ten minutes, use or five wrong codes', async () => {
    const b = t.browser();
    const used = (await askTicket(b, login)).ticket;
    expect((await second(b, used, codes[0] ?? '', 'recovery')).statusCode).toBe(200);
    expect((await second(b, used, codes[1] ?? '', 'recovery')).json()).toMatchObject({ code: 'ticket_ended' });
    const tried = (await askTicket(b, login)).ticket;
    for (let i = 0; i < 5; i++) expect((await second(b, tried, 'AAAA-AAAA-AAAA-AAAA', 'recovery')).json()).toMatchObject({ code: 'bad_code' });
    expect((await second(b, tried, codes[1] ?? '', 'recovery')).json()).toMatchObject({ code: 'ticket_ended' });
    const old = (await askTicket(b, login)).ticket;
    t.pass(10 * 60_000 + 1);
    expect((await second(b, old, codes[1] ?? '', 'recovery')).json()).toMatchObject({ code: 'ticket_ended' });
    expect((await second(b, 'x'.repeat(43), '123456')).json()).toMatchObject({ code: 'ticket_ended' });
    t.pass(25 * 3_600_000);
    await runSchedule(t.ctx, 'sessions.sweep');
    expect(await t.ctx.postgres.db.$count(signTickets)).toBe(0);
  });

  test('parallel attempts with one ticket get five tries', async () => {
    const b = t.browser();
    const { ticket } = await askTicket(b, login);
    const answers = await Promise.all(Array.from({ length: 12 }, () => second(t.browser(), ticket, 'AAAA-AAAA-AAAA-AAAA', 'recovery')));
    expect(answers.filter((a) => a.json<{ code: string }>().code === 'bad_code')).toHaveLength(5);
  });

  test('many tickets give few guesses, and recovery codes still work', async () => {
    const stranger = t.browser();
    const errorCodes: string[] = [];
    for (let i = 0; i < 2; i++) {
      const { ticket } = await askTicket(stranger, login);
      for (let n = 0; n < 4; n++) errorCodes.push((await second(stranger, ticket, '000000')).json<{ code: string }>().code);
    }
    expect(errorCodes).toEqual([...Array<string>(5).fill('bad_code'), ...Array<string>(3).fill('too_many_requests')]);
    await owner.send('POST', '/api/acc/token/sign-out');
    expect((await second(owner, (await askTicket(owner, login)).ticket, codeAt(secret, now()))).statusCode).toBe(200);
    expect((await second(stranger, (await askTicket(stranger, login)).ticket, codes[0] ?? '', 'recovery')).statusCode).toBe(200);
  });

  test('failures are reset only when the whole sign-in succeeds', async () => {
    const stranger = t.browser();
    const wrong = () => stranger.send('POST', '/api/acc/sign/in', { login, password: 'wrong' });
    for (let i = 0; i < 3; i++) await wrong();
    await askTicket(stranger, login);
    expect([(await wrong()).statusCode, (await wrong()).statusCode]).toEqual([401, 429]);
  });

  test('a ticket ends with the password, the person or a sign-out', async () => {
    const b = t.browser();
    const first = (await askTicket(b, login)).ticket;
    await owner.send('POST', '/api/acc/token/sign-out-everywhere', { keepCurrent: true });
    expect((await second(b, first, codeAt(secret, now()))).json()).toMatchObject({ code: 'ticket_ended' });
    const next = (await askTicket(b, login)).ticket;
    await t.ctx.postgres.db.update(users).set({ disabled: true }).where(eq(users.id, owner.userId));
    expect((await second(b, next, codeAt(secret, now()))).json()).toMatchObject({ code: 'ticket_ended' });
  });

  test('a recovery code accepts any spelling, works once and is reported', async () => {
    await verifyMail(owner.userId);
    const [first = '', next = ''] = codes;
    const b = t.browser();
    const typed = first.toLowerCase().replaceAll('-', ' ').replaceAll('o', '0').replaceAll('i', '1').replaceAll('b', '8');
    expect((await second(b, (await askTicket(b, login)).ticket, typed, 'recovery')).statusCode).toBe(200);
    expect((await second(b, (await askTicket(b, login)).ticket, first, 'recovery')).json()).toMatchObject({ code: 'bad_code' });
    expect(await security(b)).toMatchObject({ recoveryLeft: 9 });
    const notice = (await letters()).find(({ kind }) => kind === 'security.recovery_used');
    expect(notice?.letter.facts).toContainEqual({ label: '剩余恢复码', value: '9' });
    const fresh = (await b.send('POST', '/api/acc/recovery-codes')).json<{ data: string[] }>().data;
    expect(fresh).toHaveLength(10);
    expect((await second(b, (await askTicket(b, login)).ticket, next, 'recovery')).statusCode).toBe(401);
    expect((await second(b, (await askTicket(b, login)).ticket, fresh[0] ?? '', 'recovery')).statusCode).toBe(200);
  });

  test('of two concurrent uses of one recovery code, one succeeds', async () => {
    const browsers = [t.browser(), t.browser()];
    const tickets = await Promise.all(browsers.map((b) => askTicket(b, login)));
    const answers = await Promise.all(browsers.map((b, i) => second(b, tickets[i]?.ticket ?? '', codes[0] ?? '', 'recovery')));
    expect(answers.map((a) => a.statusCode).sort((a, b) => a - b)).toEqual([200, 401]);
  });

  test('another person’s recovery code is refused', async () => {
    const member = await t.makePerson('member');
    const { codes: theirs } = await addPasskey(t, member);
    const b = t.browser();
    expect((await second(b, (await askTicket(b, login)).ticket, theirs?.[0] ?? '', 'recovery')).json()).toMatchObject({ code: 'bad_code' });
  });

  test.each([
    ['letters', 'abcdef'],
    ['too few digits', '12345'],
    ['too many', '1234567'],
    ['nothing but space', ' '],
    ['another script', '१२३४५६'],
  ])('a code of %s is wrong', async (_name, code) => {
    const b = t.browser();
    expect((await second(b, (await askTicket(b, login)).ticket, code)).json()).toMatchObject({ code: 'bad_code' });
  });
});

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
