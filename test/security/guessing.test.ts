import { createHash } from 'node:crypto';
import { makeTestApp, ownerPassword } from '../support/app';
import type { Browser, TestApp } from '../support/app';
import { addPasskey, answerPasskey, askPasskey, whoAmI } from '../support/factors';

let t: TestApp;
beforeAll(async () => {
  t = await makeTestApp();
});
afterAll(() => t.close());

const login = 'lin.owner';
const addresses = Array.from({ length: 1000 }, (_, i) => `203.${i >> 8}.113.${i & 255}`);
const signIn = (b: Browser) => b.send('POST', '/api/acc/sign/in', { login, password: ownerPassword });

const guess = async (remoteAddress: string, i: number): Promise<number> =>
  (
    await t.app.inject({
      method: 'POST',
      url: '/api/acc/sign/in',
      remoteAddress,
      headers: { 'sec-fetch-site': 'same-origin', 'x-requested-with': 'console' },
      payload: { login, password: `guess number ${i}` },
    })
  ).statusCode;

/**
 * The throttle stores rows of `rate_limits`: failures and lock of the account, one counter per address, one per known device.
 * A guess from an unknown browser changes only the first three. After 100 000 guesses the account has at most 100 000 failures
 * and the longest lock of a week, and each of 1 000 addresses counts 100. The test writes this state directly; it exceeds the real one,
 * because refused guesses are not counted as failures. It makes 300 real guesses before and 300 after.
 */
test('guesses from 1 000 addresses do not lock the owner out', async () => {
  const owner = await t.signUpOwner();
  await owner.send('POST', '/api/acc/token/sign-out');

  const first = [];
  for (const [i, address] of addresses.slice(0, 300).entries()) first.push(await guess(address, i));
  expect(first.filter((status) => status === 401)).toHaveLength(5);
  expect(first.filter((status) => status === 429)).toHaveLength(295);

  const week = Date.now() + 7 * 24 * 3_600_000;
  const keys = addresses.map((address) => `addr:${createHash('sha256').update(address).digest('base64url')}`);
  const { pool } = t.ctx.postgres;
  const { rowCount: known } = await pool.query('select 1 from rate_limits where key = any($1)', [keys]);
  // Guesses create rows with exactly these keys.
  expect(known).toBe(300);
  await pool.query(
    'insert into rate_limits (key, points, expire) select unnest($1::text[]), 100, $2 on conflict (key) do update set points = 100, expire = excluded.expire',
    [keys, Date.now() + 3_600_000],
  );
  const { rowCount: locked } = await pool.query("update rate_limits set points = 100000, expire = $1 where key like 'fail:%' or key like 'lock:%'", [week]);
  expect(locked).toBe(2);

  const after = new Set<number>();
  for (const [i, address] of addresses.slice(0, 300).entries()) after.add(await guess(address, i));
  expect([...after]).toEqual([429]);

  // Other browsers are refused even with the right password, and told how long to wait.
  const stranger = await signIn(t.browser());
  expect(stranger.statusCode).toBe(429);
  expect(Number(stranger.headers['retry-after'])).toBeGreaterThan(6 * 24 * 3600);
  // The browser that the owner has used before may sign in, even after a few mistakes.
  for (let i = 0; i < 3; i++) expect((await owner.send('POST', '/api/acc/sign/in', { login, password: 'mistyped' })).statusCode).toBe(401);
  expect((await signIn(owner)).statusCode).toBe(200);
  expect(await whoAmI(owner)).not.toBeNull();

  // The lock does not affect passkeys, which cannot be guessed.
  const { authenticator: device } = await addPasskey(t, owner);
  const phone = t.browser();
  const offer = await askPasskey(phone);
  expect((await answerPasskey(phone, offer.challengeId, device.get(offer.options))).statusCode).toBe(200);
});
