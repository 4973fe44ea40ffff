import { runSchedule } from '../support/schedules';
import { eq } from 'drizzle-orm';
import { users } from '../../server/areas/account/schema';
import { auditLog } from '../../server/areas/audit/schema';
import { passkeyChallenges, passkeys } from '../../server/areas/session/schema';
import { makeTestApp } from '../support/app';
import type { Browser, Person, TestApp } from '../support/app';
import { makeAuthenticator } from '../support/authenticator';
import type { Tampering } from '../support/authenticator';
import { addPasskey, addTotp, answerPasskey, askPasskey, askTicket, whoAmI } from '../support/factors';
import type { Offer } from '../support/factors';

const origin = 'https://console.example';
let t: TestApp;
let owner: Person;
beforeEach(async () => {
  t = await makeTestApp({ config: { publicUrl: origin } });
  owner = await t.signUpOwner();
});
afterEach(() => t.close());

const login = 'lin.owner';
const offerTo = async (who: Browser): Promise<Offer> => (await who.send('POST', '/api/acc/passkeys/options')).json<{ data: Offer }>().data;
const add = (who: Browser, { challengeId }: Offer, response: object, name = '笔记本') => who.send('POST', '/api/acc/passkeys', { challengeId, response, name });
const reauthOffer = async (who: Browser): Promise<Offer> => (await who.send('POST', '/api/acc/sign/reauth/passkey/options')).json<{ data: Offer }>().data;
const reauth = (who: Browser, { challengeId }: Offer, response: object) => who.send('POST', '/api/acc/sign/reauth/passkey/verify', { challengeId, response });

describe('adding a passkey', () => {
  test('requests a verified credential for this host and account', async () => {
    const { options } = await offerTo(owner);
    expect(options).toMatchObject({
      rp: { id: 'console.example' },
      user: { name: login, displayName: '林', id: Buffer.from(owner.userId.replaceAll('-', ''), 'hex').toString('base64url') },
      attestation: 'none',
      excludeCredentials: [],
      authenticatorSelection: { residentKey: 'preferred', userVerification: 'required' },
    });
    const before = owner.cookies.get('__Host-sid');
    const { passkey, codes } = await addPasskey(t, owner);
    expect([passkey.name, codes?.length]).toEqual(['笔记本', 10]);
    expect(owner.cookies.get('__Host-sid')).not.toBe(before);
    const security = (await owner.get('/api/acc/security')).json<{ data: object }>().data;
    expect(security).toMatchObject({ passkeys: [{ id: passkey.id, lastUsedAt: null, synced: false }], recoveryLeft: 10, minLength: 8 });
    // The device is told to exclude credentials of this account.
    const again = await offerTo(owner);
    expect((again.options['excludeCredentials'] as object[]).length).toBe(1);
  });

  const lies: [string, Tampering][] = [
    ['from another origin', { origin: 'https://console.example.evil.example' }],
    ['from plain http', { origin: 'http://console.example' }],
    ['without the person verified', { verified: false }],
  ];
  test.each(lies)('refuses one made %s', async (_name, tampering) => {
    const offer = await offerTo(owner);
    expect((await add(owner, offer, makeAuthenticator(origin).create(offer.options, tampering))).json()).toMatchObject({ code: 'bad_code' });
    expect(await t.ctx.postgres.db.$count(passkeys)).toBe(0);
  });

  test('refuses other hosts, invalid challenges and malformed data', async () => {
    const member = await t.makePerson('member');
    const elsewhere = await offerTo(owner);
    expect((await add(owner, elsewhere, makeAuthenticator(origin, 'evil.example').create(elsewhere.options))).statusCode).toBe(401);
    const device = makeAuthenticator(origin);
    const offer = await offerTo(owner);
    const credential = device.create(offer.options);
    expect((await add(member, offer, credential)).json()).toMatchObject({ code: 'bad_code' });
    expect((await add(owner, offer, credential)).statusCode).toBe(200);
    expect((await add(owner, offer, credential)).json()).toMatchObject({ code: 'bad_code' });
    const late = await offerTo(owner);
    t.pass(5 * 60_000 + 1);
    expect((await add(owner, late, device.create(late.options))).json()).toMatchObject({ code: 'bad_code' });
    for (const rubbish of [{}, { id: 1 }, { ...credential, response: { clientDataJSON: '%%%', attestationObject: 'AAAA' } }, { ...credential, rawId: 'x' }])
      expect((await add(owner, await offerTo(owner), rubbish)).json()).toMatchObject({ code: 'bad_code' });
  });

  test('refuses a known credential, whoever owns it', async () => {
    const { authenticator } = await addPasskey(t, owner);
    const member = await t.makePerson('member');
    const offer = await offerTo(member);
    const credential = authenticator.create(offer.options);
    await t.ctx.postgres.db.update(passkeys).set({ credentialId: credential.id });
    expect((await add(member, offer, credential)).json()).toMatchObject({ code: 'conflict' });
    expect(await t.ctx.postgres.db.select({ f: users.secondFactor }).from(users).where(eq(users.id, member.userId))).toEqual([{ f: false }]);
  });

  test('limits names to forty characters and changes only own passkeys', async () => {
    const { passkey } = await addPasskey(t, owner);
    const member = await t.makePerson('member');
    expect((await owner.send('PATCH', `/api/acc/passkeys/${passkey.id}`, { name: '  书房 Mac ' })).json()).toMatchObject({ data: { name: '书房 Mac' } });
    expect((await owner.send('PATCH', `/api/acc/passkeys/${passkey.id}`, { name: 'x'.repeat(41) })).statusCode).toBe(422);
    expect((await member.send('PATCH', `/api/acc/passkeys/${passkey.id}`, { name: 'mine' })).statusCode).toBe(404);
    expect((await member.send('DELETE', `/api/acc/passkeys/${passkey.id}`)).statusCode).toBe(404);
  });
});

test('a rename is logged with both names, unless nothing changed', async () => {
  const { passkey } = await addPasskey(t, owner);
  for (const name of [passkey.name, 'Study', 'Study']) await owner.send('PATCH', `/api/acc/passkeys/${passkey.id}`, { name });
  const lines = await t.ctx.postgres.db.select().from(auditLog).where(eq(auditLog.action, 'factor.passkey_renamed'));
  expect(lines).toMatchObject([{ targetId: owner.userId, before: { name: passkey.name }, after: { name: 'Study' } }]);
});

describe('signing in with a passkey', () => {
  let device: ReturnType<typeof makeAuthenticator>;
  beforeEach(async () => {
    device = (await addPasskey(t, owner)).authenticator;
  });

  test('alone replaces name, password and second factor', async () => {
    const b = t.browser();
    const offer = await askPasskey(b);
    expect(offer.options).toMatchObject({ rpId: 'console.example', userVerification: 'required' });
    expect(offer.options['allowCredentials'] ?? []).toEqual([]);
    const answer = await answerPasskey(b, offer.challengeId, device.get(offer.options), { redirect: '/account', remember: true });
    expect(answer.json()).toEqual({ data: { redirect: '/account' } });
    expect(await whoAmI(b)).toMatchObject({ userId: owner.userId });
    expect((await answerPasskey(b, (await askPasskey(b)).challengeId, device.get(offer.options), { redirect: '//evil.example' })).statusCode).toBe(401);
    const [row] = await t.ctx.postgres.db.select().from(passkeys);
    expect(row?.lastUsedAt).not.toBeNull();
  });

  test('as the second step must belong to the account', async () => {
    const member = await t.makePerson('member');
    const { authenticator: theirs } = await addPasskey(t, member);
    const b = t.browser();
    const { ticket, methods } = await askTicket(b, login, { redirect: '/home?x=1' });
    expect(methods).toEqual(['passkey', 'recovery']);
    const first = await askPasskey(b, ticket);
    expect((first.options['allowCredentials'] as object[]).length).toBe(1);
    expect((await answerPasskey(b, first.challengeId, theirs.get(first.options), { ticket })).json()).toMatchObject({ code: 'bad_code' });
    // A ticket and its challenge only work together.
    const next = await askPasskey(b, ticket);
    expect((await answerPasskey(b, next.challengeId, device.get(next.options))).json()).toMatchObject({ code: 'bad_code' });
    const free = await askPasskey(b);
    expect((await answerPasskey(b, free.challengeId, device.get(free.options), { ticket })).json()).toMatchObject({ code: 'bad_code' });
    const last = await askPasskey(b, ticket);
    const answer = await answerPasskey(b, last.challengeId, device.get(last.options), { ticket, redirect: '/other' });
    expect(answer.json()).toEqual({ data: { redirect: '/home?x=1' } });
    expect((await b.send('POST', '/api/acc/sign/passkey/options', { ticket })).json()).toMatchObject({ code: 'ticket_ended' });
  });

  test('the same response works once, even concurrently', async () => {
    const b = t.browser();
    const offer = await askPasskey(b);
    const response = device.get(offer.options);
    const answers = await Promise.all([1, 2, 3].map(() => answerPasskey(t.browser(), offer.challengeId, response)));
    expect(answers.map((a) => a.statusCode).sort((x, y) => x - y)).toEqual([200, 401, 401]);
    const other = await askPasskey(b);
    expect((await answerPasskey(b, other.challengeId, response)).json()).toMatchObject({ code: 'bad_code' });
  });

  test('a counter that decreases reveals a copy', async () => {
    const b = t.browser();
    for (const [counter, status] of [
      [50, 200],
      [50, 401],
      [49, 401],
      [0, 401],
      [51, 200],
    ] as const) {
      const offer = await askPasskey(b);
      expect([counter, (await answerPasskey(b, offer.challengeId, device.get(offer.options, { counter }))).statusCode]).toEqual([counter, status]);
    }
  });

  test('synced passkeys have no counter and sign in repeatedly', async () => {
    await t.ctx.postgres.db.update(passkeys).set({ counter: 0 });
    for (let i = 0; i < 2; i++) {
      const b = t.browser();
      const offer = await askPasskey(b);
      expect((await answerPasskey(b, offer.challengeId, device.get(offer.options, { counter: 0 }))).statusCode).toBe(200);
    }
  });

  const lies: [string, Tampering][] = [
    ['from another origin', { origin: 'https://evil.example' }],
    ['without the person verified', { verified: false }],
    ['for another account', { userHandle: Buffer.from('somebody else').toString('base64url') }],
    ['without saying whose it is', { userHandle: null }],
  ];
  test.each(lies)('refuses a response %s', async (_name, tampering) => {
    const b = t.browser();
    const offer = await askPasskey(b);
    expect((await answerPasskey(b, offer.challengeId, device.get(offer.options, tampering))).json()).toMatchObject({ code: 'bad_code' });
    expect(await whoAmI(b)).toBeNull();
  });

  test('refuses unknown, forged, removed and disabled people’s passkeys', async () => {
    const b = t.browser();
    const stranger = makeAuthenticator(origin);
    stranger.create({ user: { id: 'x' }, challenge: 'x' });
    const tryWith = async (sign: (offer: Offer) => ReturnType<typeof device.get>) => {
      const offer = await askPasskey(b);
      return (await answerPasskey(b, offer.challengeId, sign(offer))).json<{ code?: string }>().code;
    };
    expect(await tryWith((offer) => stranger.get(offer.options))).toBe('bad_code');
    expect(await tryWith((offer) => ({ ...stranger.get(offer.options), id: device.get({}).id, rawId: device.get({}).rawId }))).toBe('bad_code');
    await t.ctx.postgres.db.update(users).set({ disabled: true });
    expect(await tryWith((offer) => device.get(offer.options))).toBe('bad_code');
    await t.ctx.postgres.db.update(users).set({ disabled: false });
    expect(await tryWith((offer) => device.get(offer.options))).toBeUndefined();
    const [row] = await t.ctx.postgres.db.select().from(passkeys);
    await addTotp(t, owner);
    await owner.send('DELETE', `/api/acc/passkeys/${row?.id}`);
    expect(await tryWith((offer) => device.get(offer.options))).toBe('bad_code');
  });

  test('unanswered challenges are deleted', async () => {
    await askPasskey(t.browser());
    t.pass(25 * 3_600_000);
    await runSchedule(t.ctx, 'sessions.sweep');
    expect(await t.ctx.postgres.db.$count(passkeyChallenges)).toBe(0);
  });
});

describe('proof by a passkey', () => {
  test('allows sensitive actions again with a new token', async () => {
    const { authenticator: device } = await addPasskey(t, owner);
    t.pass(11 * 60_000);
    expect((await owner.send('POST', '/api/acc/recovery-codes')).json()).toMatchObject({ code: 'reauth_required' });
    const before = owner.cookies.get('__Host-sid');
    const offer = await reauthOffer(owner);
    expect((await reauth(owner, offer, device.get(offer.options))).statusCode).toBe(204);
    expect(owner.cookies.get('__Host-sid')).not.toBe(before);
    expect((await owner.send('POST', '/api/acc/recovery-codes')).statusCode).toBe(200);
  });

  test('refuses another person’s passkey, sign-in challenges and reused responses', async () => {
    const { authenticator: device } = await addPasskey(t, owner);
    const member = await t.makePerson('member');
    expect((await member.send('POST', '/api/acc/sign/reauth/passkey/options')).statusCode).toBe(404);
    const { authenticator: theirs } = await addPasskey(t, member);
    const offer = await reauthOffer(owner);
    expect((await reauth(owner, offer, theirs.get(offer.options))).json()).toMatchObject({ code: 'bad_code' });
    const foreign = await askPasskey(owner);
    expect((await reauth(owner, foreign, device.get(foreign.options))).json()).toMatchObject({ code: 'bad_code' });
    const good = await reauthOffer(owner);
    const response = device.get(good.options);
    expect([(await reauth(owner, good, response)).statusCode, (await reauth(owner, good, response)).statusCode]).toEqual([204, 401]);
  });
});
