import { eq } from 'drizzle-orm';
import { users } from '../../server/areas/account/schema';
import { makeTestApp } from '../support/app';
import type { TestApp } from '../support/app';

let t: TestApp;
beforeAll(async () => {
  t = await makeTestApp();
});
afterAll(() => t.close());

const rounds = 40;

/** The probability that a sample of `a` exceeds one of `b` (Mann–Whitney’s U over the number of pairs): ½ if the two are indistinguishable, 0 or 1 if they never overlap. */
function overlap(a: readonly number[], b: readonly number[]): number {
  let above = 0;
  for (const x of a) for (const y of b) above += x > y ? 1 : x === y ? 0.5 : 0;
  return above / (a.length * b.length);
}

test('the overlap statistic separates equal from different samples', () => {
  const near = Array.from({ length: 40 }, (_, i) => i);
  expect([overlap(near, near), overlap(near, [100, 200]), overlap([100], near)]).toEqual([0.5, 0, 1]);
});

/**
 * Samples of all cases are taken alternately in random order, so that other load on the machine affects each alike. If the cases
 * are equal, U of 40 against 40 has a standard deviation of 0.065 around ½: values outside 0.2…0.8 are 4.6 deviations away, four in a million.
 * A case without hashing (20 ms and more) gives 0 or 1; the last case proves that such a difference is detected.
 */
test('wrong password, unknown name and disabled person take the same time', async () => {
  await t.signUpOwner();
  const disabled = await t.makePerson('member', 'gone.member');
  await t.ctx.postgres.db.update(users).set({ disabled: true }).where(eq(users.id, disabled.userId));
  const cases = {
    wrong: { login: 'lin.owner', password: 'not the right password' },
    unknown: { login: 'lin.nobody', password: 'not the right password' },
    disabled: { login: 'gone.member', password: 'not the right password' },
    unhashed: { login: 'lin.owner', password: '' },
  };
  const names = Object.keys(cases) as (keyof typeof cases)[];
  const samples = { wrong: [], unknown: [], disabled: [], unhashed: [] } as Record<keyof typeof cases, number[]>;
  const bodies = new Set<string>();

  for (let round = -3; round < rounds; round++) {
    const order = names.map((name) => ({ name, at: Math.random() })).sort((a, b) => a.at - b.at);
    for (const { name } of order) {
      // Rate limits are tested elsewhere; here each sample is a first attempt from its own address.
      await t.ctx.postgres.pool.query('delete from rate_limits');
      const remoteAddress = `198.51.${(round + 3) % 250}.${names.indexOf(name) + 1}`;
      const began = performance.now();
      const answer = await t.app.inject({
        method: 'POST',
        url: '/api/acc/sign/in',
        remoteAddress,
        headers: { 'sec-fetch-site': 'same-origin', 'x-requested-with': 'console' },
        payload: cases[name],
      });
      const took = performance.now() - began;
      // The first rounds warm up connections and compiled code.
      if (round < 0) continue;
      samples[name].push(took);
      if (name !== 'unhashed') bodies.add(JSON.stringify([answer.statusCode, { ...answer.json<object>(), requestId: '' }]));
    }
  }

  expect(bodies.size).toBe(1);
  for (const [a, b] of [
    ['wrong', 'unknown'],
    ['wrong', 'disabled'],
    ['unknown', 'disabled'],
  ] as const) {
    const u = overlap(samples[a], samples[b]);
    expect([a, b, u > 0.2 && u < 0.8 ? 'overlap' : u]).toEqual([a, b, 'overlap']);
  }
  expect(overlap(samples.unhashed, samples.wrong)).toBeLessThan(0.2);
});
