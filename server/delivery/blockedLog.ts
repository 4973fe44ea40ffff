import { storeBlocked } from '../areas/countryBlock';
import type { LoggedRequest } from '../areas/countryBlock';
import { countryBlockLimits } from '../../contract/countryBlock/terms';
import type { Context } from '../context';
import { startFlush } from '../kit/flush';
import type { Flush } from '../kit/flush';

export type BlockedLog = Flush & { readonly add: (request: Omit<LoggedRequest, 'weight' | 'at'>) => void };

/** Rows that are not stored yet; beyond it none are added, so that a store that is away fills no memory. */
const mostUnstored = 20_000;

/**
 * Decides which requests get a row: each one, and above `rowsPerSecond` every n-th, where n follows from the second before. An attack fills neither memory nor disk,
 * and the weights still add up to the number of requests.
 *
 * @returns How many requests the next row stands for; 0: no row for this one.
 */
export function createSampler(rowsPerSecond: number): (at: number) => number {
  let second = -1;
  let requests = 0;
  let rows = 0;
  let step = 1;
  let pending = 0;
  return (at) => {
    const current = Math.floor(at / 1000);
    if (current !== second) {
      step = current === second + 1 ? Math.max(1, Math.ceil(requests / rowsPerSecond)) : 1;
      [second, requests, rows] = [current, 0, 0];
    }
    requests += 1;
    pending += 1;
    if (rows >= rowsPerSecond || pending < step) return 0;
    const weight = pending;
    [pending, rows] = [0, rows + 1];
    return weight;
  };
}

/** Keeps requests that a country rule concerned, and writes them in batches. */
export function openBlockedLog(ctx: Context): BlockedLog {
  let waiting: LoggedRequest[] = [];
  /** Those that wait, and those that are being stored. */
  let unstored = 0;
  const samplers = new Map<string, ReturnType<typeof createSampler>>();

  async function store(): Promise<void> {
    const batch = waiting;
    waiting = [];
    if (batch.length === 0) return;
    try {
      await storeBlocked(ctx, batch);
    } catch (error) {
      ctx.log.warn('Requests that a country rule concerned could not be logged', { requests: batch.length, error });
    }
    unstored -= batch.length;
  }

  return {
    add(request) {
      const at = ctx.now();
      const sampler = samplers.get(request.siteId) ?? createSampler(countryBlockLimits.logPerSecond);
      samplers.set(request.siteId, sampler);
      const weight = sampler(at);
      if (weight === 0 || unstored >= mostUnstored) return;
      unstored += 1;
      waiting.push({ ...request, at, weight });
    },
    ...startFlush(store),
  };
}
