import type { FastifyRequest } from 'fastify';
import { challengeBits } from '../../../contract/countryBlock/terms';
import { addressFactor, visitorLimits } from '../../../contract/support/visitors';
import type { LimitedCall } from '../../../contract/support/visitors';
import { createRecentMap } from '../../collect/classify/lru';
import type { Context } from '../../context';
import { addressGroup, clientAddress } from '../../http/address';
import { Failure, fail } from '../../http/failure';
import { createTask, isSolved } from '../../kit/challenge';
import type { Signed } from '../../kit/challenge';
import { createThrottle } from '../../kit/throttle';

/** A refusal that a solved task lifts. */
export class Challenge extends Failure {
  readonly task: string;
  readonly bits = challengeBits;
  constructor(task: string) {
    super('too_many_requests');
    this.task = task;
  }
}

/** Calls that a page makes by itself: counted in the memory of the process, because each of them would cost a write. */
const cheap: ReadonlySet<LimitedCall> = new Set(['calls', 'hello', 'typing', 'reads', 'streams', 'transcripts']);
/** Counts in memory; those that were not used for longest go first. */
const mostCounts = 100_000;

type Caller = {
  readonly siteId: string;
  /** Hash of the token; null: without one, so that the address alone counts. */
  readonly token: string | null;
};
export type VisitorLimits = {
  /**
   * Counts a call. Throws `too_many_requests` if the visitor has made too many, and `Challenge` if the address has made `addressFactor` times as many: an office
   * behind one address solves tasks and goes on.
   */
  readonly count: (request: FastifyRequest, call: LimitedCall, caller: Caller) => Promise<void>;
};

type Counter = (key: string, points: number, seconds: number) => Promise<void>;

function countInMemory({ now }: Pick<Context, 'now'>): Counter {
  const counts = createRecentMap<{ calls: number; readonly until: number }>(mostCounts);
  return async (key, points, seconds) => {
    const known = counts.get(key);
    if (known === undefined || known.until <= now()) return counts.set(key, { calls: 1, until: now() + seconds * 1000 });
    known.calls += 1;
    if (known.calls > points) fail('too_many_requests', { retryAfter: Math.max(1, Math.ceil((known.until - now()) / 1000)) });
  };
}

/** `<task>.<number>` of the header `X-Challenge`. */
function solutionOf({ headers }: Pick<FastifyRequest, 'headers'>): { readonly task: string; readonly number: string } | null {
  const value = headers['x-challenge'];
  if (typeof value !== 'string' || value.length > 300) return null;
  const cut = value.lastIndexOf('.');
  return cut < 0 ? null : { task: value.slice(0, cut), number: value.slice(cut + 1) };
}

export function createVisitorLimits(ctx: Context): VisitorLimits {
  const throttle = createThrottle(ctx);
  const inMemory = countInMemory(ctx);
  /** Requests whose task was solved: it lets the whole call pass, whatever it counts as. */
  const solved = new WeakSet<FastifyRequest>();

  /** Each solution lets one call pass. */
  async function hasSolved(request: FastifyRequest, signed: Signed): Promise<boolean> {
    const solution = solutionOf(request);
    if (solved.has(request)) return true;
    if (solution === null || !isSolved(ctx, signed, solution.task, solution.number)) return false;
    if ((await throttle.count(`support task ${solution.task}`, 900)) > 1) return false;
    solved.add(request);
    return true;
  }

  return {
    async count(request, call, { siteId, token }) {
      const { points, seconds } = visitorLimits[call];
      const counter = cheap.has(call) ? inMemory : throttle.limit;
      const group = addressGroup(clientAddress(request));
      try {
        await counter(`support ${call} ${siteId} ${group}`, points * addressFactor, seconds);
      } catch (error) {
        if (!(error instanceof Failure) || error.code !== 'too_many_requests') throw error;
        const signed = { purpose: 'support challenge', subject: `${siteId} ${group}` };
        if (!(await hasSolved(request, signed))) throw new Challenge(createTask(ctx, signed));
      }
      // After the address: tokens that somebody makes up leave no counts behind, and a call that needs a task is counted once.
      if (token !== null) await counter(`support ${call} ${siteId} ${token}`, points, seconds);
    },
  };
}
