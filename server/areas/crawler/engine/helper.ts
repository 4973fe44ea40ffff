import { setTimeout as delay } from 'node:timers/promises';
import { eq } from 'drizzle-orm';
import { usualRender } from '../../../../contract/crawler/terms';
import type { Context } from '../../../context';
import type { Worker } from '../../../worker';
import { crawlRuns } from '../schema';
import { readGzip } from './bodies';
import { answerOf, startCrawlProcess } from './crawlProcess';
import type { CrawlProcess } from './crawlProcess';
import type { ApplyFindings, JournalRun } from './journal';
import { beatEvery, isShared, leaseFor, leaseState, lentBatch, offerHelp, renewLease, returnLease, withdraw } from './leases';
import type { LentBatch } from './protocol';
import { announceRun } from './runs';
import type { RunRow } from './runs';
import { followUse } from './pace';
import { startOf } from './start';
import type { OpenHeaders } from './start';

/** All in milliseconds. */
const lookEvery = 1000;
const waitEvery = 250;
/** An offer that nobody needs is withdrawn, in favour of another run. */
const longestWait = 30_000;
/** A process that says nothing for so long, or reads for so long, loses its lease. */
const longestSilence = 20_000;
const longestRead = 300_000;
/** A run with fewer addresses that wait, or slower ones, needs no help. */
const leastQueued = 200;
const leastPerSecond = 10;

type HelpAudit = { readonly applyFindings: ApplyFindings; readonly openHeaders: OpenHeaders };

/** A run that another worker leads and that needs help, the one with the least of it first; null: none. One that runs scripts of pages is not lent, nor is the only connection of a host. */
async function runToHelp(ctx: Context, leading: ReadonlySet<string>): Promise<RunRow | null> {
  const { rows } = await ctx.postgres.pool.query<{ id: string }>(
    `SELECT r.id FROM crawl_runs r JOIN jobs j ON j.id = r.job_id
     WHERE r.state = 'running' AND r.verified AND j.state = 'running' AND j.lease_until > $1 AND r.id <> ALL($2::uuid[])
       AND (r.counters ->> 'queued')::int >= ${leastQueued} AND (r.config #>> '{politeness,requestsPerSecond}')::real >= ${leastPerSecond}
       AND (r.config #>> '{politeness,connections}')::int > 1 AND coalesce(r.config #>> '{render,mode}', '${usualRender.mode}') = 'off'
     ORDER BY (SELECT count(*) FROM crawl_leases l WHERE l.run_id = r.id AND l.state <> 'returned'), random() LIMIT 1`,
    [new Date(ctx.now()), [...leading]],
  );
  const [found] = rows;
  return found === undefined ? null : ((await ctx.postgres.db.select().from(crawlRuns).where(eq(crawlRuns.id, found.id)))[0] ?? null);
}

/** Help with one run, until it needs none any more. */
class Help {
  private readonly journal: JournalRun;
  private child: CrawlProcess | null = null;
  /** Whether the process has started: until then it sends nothing, and on a busy machine it starts slowly. */
  private isReady = false;
  private unfollow: () => void = () => undefined;

  private readonly ctx: Context;
  private readonly run: RunRow;
  private readonly audit: HelpAudit;
  private readonly signal: AbortSignal;
  constructor(ctx: Context, run: RunRow, audit: HelpAudit, signal: AbortSignal) {
    this.ctx = ctx;
    this.run = run;
    this.audit = audit;
    this.signal = signal;
    const { id, siteId, crawlerId, number, jobId } = run;
    this.journal = { id, siteId, crawlerId, number, jobId: jobId ?? '', session: '' };
  }

  async help(): Promise<void> {
    const { ctx, run } = this;
    let lease = await offerHelp(ctx.postgres.db, run.id, ctx.now());
    try {
      announceRun(ctx, run);
      for (let batch = await this.next(lease); batch !== null; batch = await this.next(lease)) {
        lease = await this.read(lease, batch);
        announceRun(ctx, run);
      }
    } finally {
      this.child?.kill();
      this.unfollow();
      await withdraw(ctx, lease);
    }
  }

  /** What was lent on an offer; null: nothing, and the offer is not needed any more. */
  private async next(lease: string): Promise<LentBatch | null> {
    const { ctx, run } = this;
    let renewedAt = ctx.now();
    for (const until = ctx.now() + longestWait; ctx.now() < until && !this.signal.aborted;) {
      const state = await leaseState(ctx, lease);
      if (state === 'lent') return lentBatch(ctx, lease);
      if (state !== 'offered') return null;
      if (ctx.now() - renewedAt > leaseFor / 4) {
        renewedAt = ctx.now();
        const [row] = await ctx.postgres.db.select({ state: crawlRuns.state }).from(crawlRuns).where(eq(crawlRuns.id, run.id));
        if (row?.state !== 'running') return null;
        await renewLease(ctx, lease);
      }
      await delay(waitEvery, undefined, { signal: this.signal }).catch(() => undefined);
    }
    return null;
  }

  /** The process is started when there is something to read. */
  private async process(): Promise<CrawlProcess> {
    const child = (this.child ??= startCrawlProcess());
    if (this.isReady) return child;
    await answerOf(child, 'ready');
    child.send({ type: 'help', start: await startOf(this.ctx, this.run, this.audit.openHeaders) });
    // Only a process that knows its run takes a pace.
    this.unfollow = followUse(this.ctx.live, (perSecond) => child.send({ type: 'pace', perSecond }));
    this.isReady = true;
    return child;
  }

  /** Reads and writes a batch. Returns the next offer. */
  private async read(lease: string, batch: LentBatch): Promise<string> {
    const { ctx, journal } = this;
    const begunAt = performance.now();
    let renewedAt = begunAt;
    let isRenewing = false;
    const beat = async (): Promise<void> => {
      const now = performance.now();
      // While PostgreSQL is away, the lease runs out.
      const isSilent = this.isReady && (this.child?.silence() ?? 0) > longestSilence;
      const isOver = now - renewedAt > leaseFor || isSilent || now - begunAt > longestRead;
      if (this.signal.aborted || isOver) return this.child?.kill();
      // While the batch is being written, its lease is locked: one connection that waits for it is enough.
      if (isRenewing) return;
      isRenewing = true;
      const row = await renewLease(ctx, lease).finally(() => {
        isRenewing = false;
      });
      renewedAt = now;
      if (row === null) this.child?.kill();
      else if (row.recalled) this.child?.send({ type: 'end' });
    };
    // The lease is renewed while the process starts, too.
    const heart = setInterval(() => void beat().catch(() => undefined), beatEvery);
    try {
      const child = await this.process();
      child.send({ type: 'read', batch });
      for (;;) {
        const message = await child.next();
        if (message.type === 'read') return await returnLease(ctx, journal, lease, message, this.audit.applyFindings);
        if (message.type !== 'body') throw new Error(message.type === 'failed' ? message.message : `unexpected message ${message.type}`);
        child.send({ type: 'body', sha: message.sha, gzip: await readGzip(ctx, journal.siteId, message.sha) });
      }
    } finally {
      clearInterval(heart);
    }
  }
}

/** Helps with runs that other workers lead. `leading`: those of this one; with `places` of them it has no time to help. */
export function startHelper(ctx: Context, audit: HelpAudit, leading: ReadonlySet<string>, places: number): Worker {
  if (!isShared(ctx)) return { close: async () => undefined };
  const stopping = new AbortController();
  const { signal } = stopping;
  async function work(): Promise<void> {
    while (!signal.aborted) {
      try {
        const run = leading.size < places ? await runToHelp(ctx, leading) : null;
        if (run !== null) await new Help(ctx, run, audit, signal).help();
      } catch (error) {
        if (!signal.aborted) ctx.log.warn('Help with a crawl ended early', { error });
      }
      await delay(lookEvery, undefined, { signal }).catch(() => undefined);
    }
  }
  const working = work();
  return {
    async close() {
      stopping.abort();
      await working;
    },
  };
}
