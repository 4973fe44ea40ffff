import { acceptedRedirects, refusedRedirects } from '../fixtures/redirects';
import { makeTestApp, ownerPassword } from '../support/app';
import type { TestApp } from '../support/app';

let t: TestApp;
let origin: string;
beforeAll(async () => {
  t = await makeTestApp({ config: { trustedProxies: ['127.0.0.1'] } });
  await t.signUpOwner();
  ({ origin } = new URL(t.ctx.config.publicUrl));
});
afterAll(() => t.close());

/** Each request has its own address, to stay below the rate limit. */
const from = (n: number) => ({ 'x-forwarded-for': `198.51.${Math.floor(n / 250)}.${(n % 250) + 1}` });

test('signing in only redirects to our own origin', async () => {
  const vectors = [
    ...refusedRedirects(origin).map(([, value]) => [value, '/home'] as const),
    ...acceptedRedirects(origin).map(([, value, to]) => [value, to] as const),
  ];
  const wrong: unknown[] = [];
  let answered = 0;
  for (const [n, [redirect, expected]] of vectors.entries()) {
    const answer = await t.browser().send('POST', '/api/acc/sign/in', { login: 'lin.owner', password: ownerPassword, redirect }, from(n));
    if (answer.statusCode === 200) {
      answered++;
      const to = answer.json<{ data: { redirect: string } }>().data.redirect;
      if (to !== expected || new URL(to, origin).origin !== origin) wrong.push([redirect, to]);
      // Values other than text are refused before they are checked.
    } else if (typeof redirect === 'string' || answer.statusCode !== 422) wrong.push([redirect, answer.statusCode]);
  }
  expect(wrong).toEqual([]);
  expect(answered).toBeGreaterThanOrEqual(100);
}, 120_000);

test('the sign page redirects signed-in people to our own origin only', async () => {
  const person = await t.makePerson('member');
  const wrong: unknown[] = [];
  for (const [, value] of refusedRedirects(origin)) {
    // An unpaired surrogate cannot occur in an address.
    if (typeof value !== 'string' || /\p{Surrogate}/u.test(value)) continue;
    const { statusCode, headers } = await person.get(`/sign/?redirect=${encodeURIComponent(value)}`);
    if (statusCode !== 302 || headers.location !== '/home') wrong.push([value, statusCode, headers.location]);
  }
  for (const [, value, expected] of acceptedRedirects(origin)) {
    const { headers } = await person.get(`/sign/?redirect=${encodeURIComponent(value)}`);
    if (headers.location !== expected) wrong.push([value, headers.location]);
  }
  expect(wrong).toEqual([]);
});
