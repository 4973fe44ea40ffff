import { runSchedule } from '../support/schedules';
import { eq } from 'drizzle-orm';
import { users } from '../../server/areas/account/schema';
import { recoveryCodes, signTickets, totps } from '../../server/areas/session/schema';
import type { Person, TestApp } from '../support/app';
import { addPasskey, addTotp, askTicket, codeAt, second, stepMs, whoAmI } from '../support/factors';
import { login, openAtHalfStep, plain, security, sessionRecords } from './sessionFactorsSupport';

let t: TestApp;
let owner: Person;
beforeEach(async () => {
  ({ t, owner } = await openAtHalfStep());
});
afterEach(() => t.close());
const { now, lines, letters, verifyMail } = sessionRecords(() => t);

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
