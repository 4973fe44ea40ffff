import { randomUUID } from 'node:crypto';
import { eq } from 'drizzle-orm';
import type { LightMyRequestResponse } from 'fastify';
import { users } from '../../server/areas/account/schema';
import { readVcards } from '../../server/areas/contacts/vcard';
import { makeTestApp, ownerPassword } from '../support/app';
import type { Browser, TestApp } from '../support/app';
import { hashPassword } from '../../server/kit/passwords';
import { createThrottle } from '../../server/kit/throttle';

let test_: TestApp;

beforeAll(async () => {
  test_ = await makeTestApp();
}, 120_000);
afterAll(() => test_.close());

/** An attacker with a copy of the browser’s current cookies. */
function thiefOf(victim: Browser): Browser {
  const thief = test_.browser();
  for (const [name, value] of victim.cookies) thief.cookies.set(name, value);
  return thief;
}
const isSignedIn = async (browser: Browser): Promise<boolean> => (await browser.get('/api/acc/token/session')).json<{ data: object | null }>().data !== null;
const code = (answer: LightMyRequestResponse): string => answer.json<{ code: string }>().code;
const minute = 60_000;

describe('an id in capitals', () => {
  it('is the same id, so the only owner cannot be removed', async () => {
    const owner = await test_.signUpOwner();
    const own = `/api/acc/users/${owner.userId.toUpperCase()}`;
    expect(code(await owner.send('DELETE', own, { confirm: owner.loginName }))).toBe('forbidden');
    expect(code(await owner.send('POST', `${own}/disable`))).toBe('forbidden');
    expect(code(await owner.send('POST', `${own}/reset-second-factor`))).toBe('forbidden');
    expect(code(await owner.send('PATCH', own, { role: 'member' }, { 'if-match': '"1"' }))).toBe('last_owner');
    expect(await isSignedIn(owner)).toBe(true);
    const row = (await owner.get(own)).json<{ data: { role: string; state: string } }>().data;
    expect(row).toMatchObject({ role: 'owner', state: 'active' });
  });
});

describe('a stolen cookie', () => {
  it('ends when the password changes, also in the same session', async () => {
    const victim = await test_.makePerson('member');
    const thief = thiefOf(victim);
    const answer = await victim.send('POST', '/api/acc/sign/password', { current: ownerPassword, next: 'Nine lanterns over 4 bridges' });
    expect(answer.statusCode).toBe(204);
    expect(await isSignedIn(thief)).toBe(false);
    expect(await isSignedIn(victim)).toBe(true);
  });

  it('gains nothing from a proof given after the theft', async () => {
    const victim = await test_.makePerson('member');
    test_.pass(11 * minute);
    const thief = thiefOf(victim);
    expect((await victim.send('POST', '/api/acc/sign/reauth', { password: ownerPassword })).statusCode).toBe(204);
    expect(code(await thief.send('POST', '/api/acc/totp/begin'))).toBe('reauth_required');
    expect((await victim.send('POST', '/api/acc/totp/begin')).statusCode).toBe(200);
    test_.pass(minute);
    expect(await isSignedIn(thief)).toBe(false);
    expect(await isSignedIn(victim)).toBe(true);
  });

  it('is not renewed after its owner got a new one', async () => {
    const victim = await test_.makePerson('owner');
    const thief = thiefOf(victim);
    expect((await victim.send('POST', '/api/acc/sign/rename', { loginName: 'wang.first' })).statusCode).toBe(200);
    const late = await thief.send('POST', '/api/acc/sign/rename', { loginName: 'wang.second' });
    expect(late.cookies).toEqual([]);
    test_.pass(minute);
    expect(await isSignedIn(thief)).toBe(false);
    expect(await isSignedIn(victim)).toBe(true);
  });
});

describe('a sign-in in progress', () => {
  it('with the old password fails once the new one is set', async () => {
    const person = await test_.makePerson('member');
    const { db } = test_.ctx.postgres;
    const next = await hashPassword('Nine lanterns over 4 bridges');
    const browser = test_.browser();
    const late = await db.transaction(async (tx) => {
      await tx.update(users).set({ passwordHash: next }).where(eq(users.id, person.userId));
      const answer = browser.send('POST', '/api/acc/sign/in', { login: person.loginName, password: ownerPassword });
      await Promise.race([answer, new Promise((resolve) => setTimeout(resolve, 3000))]);
      return { answer };
    });
    expect(code(await late.answer)).toBe('bad_credentials');
    expect(await isSignedIn(browser)).toBe(false);
  }, 30_000);
});

describe('password guesses from the same network', () => {
  it('do not lock out a known browser', async () => {
    const person = await test_.makePerson('member');
    const throttle = createThrottle(test_.ctx);
    const address = '198.51.100.7';
    // As many attempts as an address may make in an hour; the throttle has its own tests.
    for (let i = 0; i < 99; i++) await throttle.enter({ login: `nobody-${i}`, address, device: null });
    const request = { method: 'POST', url: '/api/acc/sign/in', payload: { login: person.loginName, password: ownerPassword }, remoteAddress: address } as const;
    expect((await test_.app.inject(request)).statusCode).toBe(429);
    const known = await test_.app.inject({
      ...request,
      cookies: Object.fromEntries(person.cookies),
      headers: { 'sec-fetch-site': 'same-origin', 'x-requested-with': 'console' },
    });
    expect(known.statusCode).toBe(200);
  }, 60_000);
});

describe('the URL of a webhook', () => {
  it('appears in the audit log only with its host', async () => {
    const owner = await test_.makePerson('owner');
    const added = await owner.send('POST', '/api/acc/contacts', { name: 'Robot', webhook: 'https://oapi.example.com/robot/send?access_token=9f3c1d' });
    const { id } = added.json<{ data: { id: string } }>().data;
    await owner.send('PATCH', `/api/acc/contacts/${id}`, { webhook: 'https://hooks.example.com/services/T0/B1/77aa55' }, { 'if-match': '"1"' });
    await owner.send('DELETE', `/api/acc/contacts/${id}`);
    const log = (await owner.get('/api/acc/audit?action=contact')).json<{ data: { rows: { before: object | null; after: object | null }[] } }>().data.rows;
    expect(log).toHaveLength(3);
    expect(log[1]).toMatchObject({ before: { webhook: 'https://oapi.example.com' }, after: { webhook: 'https://hooks.example.com' } });
    expect(JSON.stringify(log)).not.toMatch(/9f3c1d|77aa55/);
  });
});

describe('a token for one site', () => {
  it('reads and writes only the contacts of that site', async () => {
    const owner = await test_.makePerson('owner');
    const [mine, other] = [await test_.makeSite(owner), await test_.makeSite(owner, { name: 'Harbour' })];
    const add = async (name: string, siteIds: string[] | null) =>
      (await owner.send('POST', '/api/acc/contacts', { name, siteIds, email: `${name.toLowerCase()}@example.com` })).json<{ data: { id: string } }>().data.id;
    const near = await add('Near', [mine.id]);
    const far = [await add('Far', [other.id]), await add('Both', [mine.id, other.id]), await add('All', null)];
    const tokenResponse = await owner.send('POST', '/api/acc/tokens', { name: 'One', scopes: ['account:read', 'account:write'], siteIds: [mine.id] });
    const { value } = tokenResponse.json<{ data: { value: string } }>().data;
    const call = (method: 'GET' | 'POST' | 'PATCH' | 'DELETE', url: string, payload?: object) =>
      test_.app.inject({ method, url, headers: { authorization: `Bearer ${value}`, 'if-match': '"1"' }, ...(payload && { payload }) });
    expect((await call('GET', '/api/acc/contacts')).json<{ data: { id: string }[] }>().data.map(({ id }) => id)).toEqual([near]);
    for (const id of far) {
      expect((await call('GET', `/api/acc/contacts/${id}`)).statusCode).toBe(404);
      expect((await call('PATCH', `/api/acc/contacts/${id}`, { note: 'x' })).statusCode).toBe(404);
      expect((await call('DELETE', `/api/acc/contacts/${id}`)).statusCode).toBe(404);
    }
    expect((await call('PATCH', `/api/acc/contacts/${near}`, { siteIds: null })).statusCode).toBe(422);
    expect((await call('POST', '/api/acc/contacts', { name: 'Wide' })).statusCode).toBe(422);
    const conflictResponse = await call('POST', '/api/acc/contacts', { name: 'Twin', siteIds: [mine.id], email: 'far@example.com' });
    expect(conflictResponse.statusCode).toBe(409);
    expect(conflictResponse.json()).not.toHaveProperty('current');
    expect((await call('PATCH', `/api/acc/contacts/${near}`, { note: 'x' })).statusCode).toBe(200);
  });
});

describe('responses from unknown passkeys', () => {
  it('do not fill the audit log', async () => {
    const owner = await test_.makePerson('owner');
    const before = (await owner.get('/api/acc/audit?action=sign.in&result=failed&size=100')).json<{ data: { rows: object[] } }>().data.rows.length;
    for (let i = 0; i < 8; i++) {
      const answer = await test_.browser().send('POST', '/api/acc/sign/passkey/verify', { challengeId: randomUUID(), response: { id: 'x' } });
      expect(code(answer)).toBe('bad_code');
    }
    const after = (await owner.get('/api/acc/audit?action=sign.in&result=failed&size=100')).json<{ data: { rows: object[] } }>().data.rows.length;
    expect(after - before).toBe(1);
  });
});

describe('a vCard of a megabyte', () => {
  it('of folded quoted-printable lines is read quickly', () => {
    const text = `BEGIN:VCARD\nFN:A\nNOTE;ENCODING=QUOTED-PRINTABLE:${'a=\n'.repeat(330_000)}\nEND:VCARD\n`;
    const began = performance.now();
    expect(readVcards(text)).toHaveLength(1);
    expect(performance.now() - began).toBeLessThan(5000);
  }, 120_000);
});
