import { createHash } from 'node:crypto';
import { RateLimiterPostgres, RateLimiterRes } from 'rate-limiter-flexible';
import type { Context } from '../context';
import { addressGroup } from '../http/address';
import { fail } from '../http/failure';

/** Like Ghost's defaults (its `defaults.json`): a few free attempts, then 10 minutes growing to a week. */
const freeTries = 5;
const firstLockSeconds = 600;
const longestLockSeconds = 7 * 24 * 3600;
const failuresPerAddressAndHour = 99;
const triesPerDevice = { points: 20, duration: 600 } as const;

/** Duration in seconds of the lock after the n-th consecutive failure. */
export const lockSeconds = (n: number): number => Math.min(longestLockSeconds, firstLockSeconds * 2 ** Math.min(20, Math.max(0, n - freeTries)));

/** Addresses and names are stored as hashes, because rows outlive the need to know them. */
const keyOf = (...parts: string[]): string => createHash('sha256').update(parts.join('\n')).digest('base64url');

export type Attempt = {
  readonly login: string;
  readonly address: string;
  /** Hash of a known-device cookie that belongs to this account. */ readonly device: string | null;
};

export type Throttle = {
  /** Counts the attempt before the password is verified, so that a parallel burst gains nothing. Throws `too_many_requests`. */
  readonly enter: (attempt: Attempt) => Promise<void>;
  /** Called after a complete sign-in with `entered` counted attempts: resets the failures of each name the person can sign in with. */
  readonly succeed: (attempt: Omit<Attempt, 'login'> & { readonly logins: readonly string[]; readonly entered: number }) => Promise<void>;
  /** Lifts the lock on each name of a person who has proven their identity in another way. */
  readonly forgive: (logins: readonly string[]) => Promise<void>;
  /** Limits anything else to `points` in `seconds`, by any key. */
  readonly limit: (key: string, points: number, seconds: number) => Promise<void>;
  /** Limits an amount, such as bytes: `cost` of at most `points` in `seconds`. */
  readonly spend: (key: string, cost: number, points: number, seconds: number) => Promise<void>;
  /** Counts without refusing: returns the number of calls in the `seconds` since the first one. */
  readonly count: (key: string, seconds: number) => Promise<number>;
};

/** Limits are stored in PostgreSQL, so that they apply across processes. */
export function createThrottle(ctx: Pick<Context, 'postgres'>): Throttle {
  const limiter = (keyPrefix: string, points: number, duration: number): RateLimiterPostgres =>
    new RateLimiterPostgres({
      storeClient: ctx.postgres.pool,
      storeType: 'pool',
      tableName: 'rate_limits',
      tableCreated: true,
      clearExpiredByTimeout: false,
      keyPrefix,
      points,
      duration,
    });
  const failures = limiter('fail', freeTries, longestLockSeconds);
  const locks = limiter('lock', 1, firstLockSeconds);
  const addresses = limiter('addr', failuresPerAddressAndHour, 3600);
  const devices = limiter('dev', triesPerDevice.points, triesPerDevice.duration);

  return {
    async enter({ login, address, device }) {
      // Other people's failed attempts must not lock a person out of their own browser, even behind the same address.
      if (device !== null) return consume(devices, keyOf(login, device));
      await consume(addresses, keyOf(addressGroup(address)));
      const key = keyOf(login);
      const lock = await locks.get(key);
      if (lock && lock.consumedPoints > 0 && lock.msBeforeNext > 0) refuse(lock.msBeforeNext);
      const { consumedPoints } = await failures.penalty(key);
      if (consumedPoints >= freeTries) await consume(locks, key, { seconds: lockSeconds(consumedPoints) });
    },
    async succeed({ logins, address, device, entered }) {
      if (device === null && entered > 0) await addresses.reward(keyOf(addressGroup(address)), entered);
      for (const login of logins) {
        const key = keyOf(login);
        await (device === null ? Promise.all([failures.delete(key), locks.delete(key)]) : devices.delete(keyOf(login, device)));
      }
    },
    async forgive(logins) {
      const keys = logins.map((login) => keyOf(login));
      await Promise.all(keys.flatMap((key) => [failures.delete(key), locks.delete(key)]));
    },
    limit: (key, points, seconds) => consume(limiter('misc', points, seconds), keyOf(key)),
    spend: (key, cost, points, seconds) => consume(limiter('misc', points, seconds), keyOf(key), { cost }),
    count: async (key, seconds) => (await limiter('seen', 1, seconds).penalty(keyOf(key))).consumedPoints,
  };
}

async function consume(
  limiter: RateLimiterPostgres,
  key: string,
  { cost = 1, seconds }: { readonly cost?: number; readonly seconds?: number } = {},
): Promise<void> {
  try {
    await limiter.consume(key, cost, seconds === undefined ? {} : { customDuration: seconds });
  } catch (error) {
    if (error instanceof RateLimiterRes) refuse(error.msBeforeNext);
    throw error;
  }
}

const refuse = (ms: number): never => fail('too_many_requests', { retryAfter: Math.max(1, Math.ceil(ms / 1000)) });
