import { storeBlocked } from '../areas/countryBlock';
import type { LoggedRequest } from '../areas/countryBlock';
import { countryBlockLimits } from '../../contract/countryBlock/terms';
import type { Context } from '../context';
import { openBatch } from '../kit/batch';
import type { Flush } from '../kit/flush';

export type BlockedLog = Flush & { readonly add: (request: Omit<LoggedRequest, 'weight' | 'at'>) => void };

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
  const { add, isFull, ...flush } = openBatch<LoggedRequest>(
    ctx,
    (requests) => storeBlocked(ctx, requests),
    'Requests that a country rule concerned could not be logged',
  );
  const samplers = new Map<string, ReturnType<typeof createSampler>>();

  return {
    add(request) {
      const at = ctx.now();
      const sampler = samplers.get(request.siteId) ?? createSampler(countryBlockLimits.logPerSecond);
      samplers.set(request.siteId, sampler);
      const weight = sampler(at);
      if (weight > 0 && !isFull()) add({ ...request, at, weight });
    },
    ...flush,
  };
}
