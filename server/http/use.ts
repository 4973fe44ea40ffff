import { setTimeout as delay } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';
import type { Context } from '../context';

/** All in milliseconds. */
const quietAfter = 3000;
const probeEvery = 50;
const probesPerReport = 10;
/** A crawl that reads pages announces its progress more often than this. */
const crawlsWithin = 5000;

/** Tells whether requests wait longer than usual: what is usual follows shorter waits quickly and longer ones slowly. */
export function createWaits() {
  let usual: number | null = null;
  return (wait: number): boolean => {
    const before = usual ?? wait;
    usual = before + (wait - before) * (wait < before ? 0.3 : 0.02);
    return wait > before * 1.2 + 0.75;
  };
}

/**
 * Announces, while signed-in callers use the API and crawls run in any process, whether requests wait longer than usual. What they would wait is measured twenty times a second:
 * how late a timer is and how long a small query takes, which is the wait for processors, event loop, connections and PostgreSQL.
 */
export function watchUse(app: FastifyInstance, ctx: Pick<Context, 'live' | 'postgres'>): void {
  const closing = new AbortController();
  const { signal } = closing;
  let usedAt = -Infinity;
  let crawledAt = -Infinity;
  let watching: Promise<void> | null = null;
  const isSlow = createWaits();
  const isNeeded = (): boolean => !signal.aborted && performance.now() - usedAt < quietAfter && performance.now() - crawledAt < crawlsWithin;

  async function wait(): Promise<number> {
    let sum = 0;
    for (let probe = 0; probe < probesPerReport; probe += 1) {
      const startedAt = performance.now();
      await delay(probeEvery, undefined, { signal, ref: false });
      await ctx.postgres.pool.query('SELECT 1');
      sum += performance.now() - startedAt - probeEvery;
    }
    return sum / probesPerReport;
  }
  async function watch(): Promise<void> {
    ctx.live.publish({ type: 'use', slow: false });
    while (isNeeded()) ctx.live.publish({ type: 'use', slow: isSlow(await wait()) });
  }

  const unsubscribe = ctx.live.subscribe(({ type }) => {
    if (type === 'crawl') crawledAt = performance.now();
  });
  app.addHook('preHandler', async ({ session }) => {
    if (session === null) return;
    usedAt = performance.now();
    if (watching !== null || !isNeeded()) return;
    // PostgreSQL is away, or the program ends: the next request tries again.
    watching = watch()
      .catch(() => undefined)
      .finally(() => {
        watching = null;
      });
  });
  app.addHook('preClose', async () => {
    closing.abort();
    unsubscribe();
    await watching;
  });
}
