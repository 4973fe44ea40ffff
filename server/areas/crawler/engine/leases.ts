import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { and, eq, inArray, lte, ne, sql } from 'drizzle-orm';
import type { Context } from '../../../context';
import type { RunningJob } from '../../../worker';
import { crawlLeases } from '../schema';
import type { CrawlProcess } from './crawlProcess';
import { storeBodies } from './bodies';
import { eraseIfDeleted, insertLinks, removeUncommittedLinks, writeRows } from './journal';
import type { ApplyFindings, JournalRun } from './journal';
import type { FromCrawl, LentBatch, ReadResult } from './protocol';

/** Milliseconds after which a worker that says nothing has lost its lease. */
export const leaseFor = 15_000;
export const beatEvery = 1000;

/** Whether workers may be on other machines: an embedded PostgreSQL has one. */
export const isShared = ({ config }: Context): boolean => config.databaseUrl !== null;

type LeadJob = Pick<RunningJob, 'isHeld'>;
export type ReturnedLease = { readonly id: string; readonly result: ReadResult };

async function returnedLeases(ctx: Context, runId: string, known: ReadonlySet<string>): Promise<ReturnedLease[]> {
  const l = crawlLeases;
  const returned = and(eq(l.runId, runId), eq(l.state, 'returned'));
  const ids = (await ctx.postgres.db.select({ id: l.id }).from(l).where(returned)).flatMap(({ id }) => (known.has(id) ? [] : [id]));
  if (ids.length === 0) return [];
  const rows = await ctx.postgres.db.select({ id: l.id, result: l.result }).from(l).where(inArray(l.id, ids));
  return rows.flatMap(({ id, result }) => (result === null ? [] : [{ id, result }]));
}

/** Takes back what earlier processes of the run lent: from here on, their workers write nothing. Returns what had been returned by then. */
export async function reclaimLeases(ctx: Context, runId: string, job: LeadJob): Promise<ReturnedLease[]> {
  if (!isShared(ctx)) return [];
  const l = crawlLeases;
  const removed = await ctx.postgres.db.transaction(async (tx) => {
    if (!(await job.isHeld(tx))) throw new Error('the job was lost to another worker');
    return tx
      .delete(l)
      .where(and(eq(l.runId, runId), ne(l.state, 'returned')))
      .returning({ state: l.state, leaseUntil: l.leaseUntil });
  });
  // Their workers notice within this time: hosts are not requested by them and by this one.
  if (removed.some(({ state, leaseUntil }) => state === 'lent' && leaseUntil.getTime() > ctx.now())) await delay(beatEvery * 1.5);
  return returnedLeases(ctx, runId, new Set());
}

/** The leases of a run, for the program whose process leads it. */
export class LeaseBook {
  /** What was lent: ids of addresses by lease. */
  private readonly lent = new Map<string, readonly number[]>();
  /** Results that the process has. */
  private readonly passedOn: Set<string>;
  private looking: Promise<void> | null = null;
  private hasOffers = false;

  private readonly ctx: Context;
  private readonly run: JournalRun;
  private readonly job: LeadJob;
  private readonly child: CrawlProcess;
  constructor(ctx: Context, run: JournalRun, job: LeadJob, child: CrawlProcess, passedOn: readonly ReturnedLease[]) {
    this.ctx = ctx;
    this.run = run;
    this.job = job;
    this.child = child;
    this.passedOn = new Set(passedOn.map(({ id }) => id));
  }

  /** Tells the process what other workers offer, have returned and have lost. */
  look(): Promise<void> {
    if (!isShared(this.ctx)) return Promise.resolve();
    return (this.looking ??= this.lookOnce().finally(() => {
      this.looking = null;
    }));
  }

  private async lookOnce(): Promise<void> {
    const { ctx, run, child } = this;
    const l = crawlLeases;
    const now = new Date(ctx.now());
    const read = () => ctx.postgres.db.select({ id: l.id, state: l.state, leaseUntil: l.leaseUntil }).from(l).where(eq(l.runId, run.id));
    let rows = await read();
    if (rows.some(({ state, leaseUntil }) => state !== 'returned' && leaseUntil <= now)) {
      await this.removeExpired(now);
      rows = await read();
    }
    const existing = new Set(rows.map(({ id }) => id));
    for (const [id, urlIds] of this.lent) {
      if (existing.has(id)) continue;
      // Its worker wrote links before the rest.
      await removeUncommittedLinks(ctx, run, urlIds);
      this.lent.delete(id);
      child.send({ type: 'lost', id });
    }
    if (rows.some(({ id, state }) => state === 'returned' && !this.passedOn.has(id)))
      for (const lease of await returnedLeases(ctx, run.id, this.passedOn)) {
        this.passedOn.add(lease.id);
        this.lent.delete(lease.id);
        child.send({ type: 'returned', ...lease });
      }
    const open = rows.filter(({ state }) => state !== 'returned');
    if (open.length === 0 && !this.hasOffers) return;
    this.hasOffers = open.length > 0;
    child.send({ type: 'offers', helpers: open.length, ids: open.flatMap(({ id, state }) => (state === 'offered' ? [id] : [])) });
  }

  /** Waits for a worker that is writing at this moment, whose lease then is a returned one. */
  private async removeExpired(now: Date): Promise<void> {
    const l = crawlLeases;
    await this.ctx.postgres.db.transaction(async (tx) => {
      if (await this.job.isHeld(tx)) await tx.delete(l).where(and(eq(l.runId, this.run.id), ne(l.state, 'returned'), lte(l.leaseUntil, now)));
    });
  }

  async lend(id: string, batch: LentBatch): Promise<void> {
    const l = crawlLeases;
    const lent = await this.ctx.postgres.db.transaction(async (tx) => {
      if (!(await this.job.isHeld(tx))) throw new Error('the job was lost to another worker');
      return tx
        .update(l)
        .set({ state: 'lent', batch })
        .where(and(eq(l.id, id), eq(l.state, 'offered')))
        .returning({ id: l.id });
    });
    if (lent.length === 0) return this.child.send({ type: 'lost', id });
    this.lent.set(
      id,
      batch.entries.map((entry) => entry.id),
    );
  }

  async recall(ids: readonly string[]): Promise<void> {
    await this.ctx.postgres.db
      .update(crawlLeases)
      .set({ recalled: true })
      .where(inArray(crawlLeases.id, [...ids]));
  }
}

/** An offer of help with a run. Returns its id. */
export async function offerHelp(db: Pick<Context['postgres']['db'], 'insert'>, runId: string, now: number): Promise<string> {
  const id = randomUUID();
  await db.insert(crawlLeases).values({ id, runId, state: 'offered', leaseUntil: new Date(now + leaseFor) });
  return id;
}

/** Renews an offer or a lease; null: it is gone. */
export async function renewLease(ctx: Context, id: string): Promise<{ readonly state: 'offered' | 'lent' | 'returned'; readonly recalled: boolean } | null> {
  const l = crawlLeases;
  const [row] = await ctx.postgres.db
    .update(l)
    .set({ leaseUntil: new Date(ctx.now() + leaseFor) })
    .where(eq(l.id, id))
    .returning({ state: l.state, recalled: l.recalled });
  return row ?? null;
}

export const leaseState = async (ctx: Context, id: string) =>
  (await ctx.postgres.db.select({ state: crawlLeases.state }).from(crawlLeases).where(eq(crawlLeases.id, id)))[0]?.state ?? null;
export const lentBatch = async (ctx: Context, id: string): Promise<LentBatch | null> =>
  (await ctx.postgres.db.select({ batch: crawlLeases.batch }).from(crawlLeases).where(eq(crawlLeases.id, id)))[0]?.batch ?? null;
/** Gives an offer or a batch back, of which nothing was written. */
export const withdraw = (ctx: Context, id: string) => ctx.postgres.db.delete(crawlLeases).where(and(eq(crawlLeases.id, id), ne(crawlLeases.state, 'returned')));

/**
 * Writes what was read of a lease, in one transaction with its return and the next offer, whose id is returned. The lease is locked first, and the leading worker waits for
 * that before it takes a lease back: nothing is written twice, and links not after the worker has cleared them away.
 */
export async function returnLease(
  ctx: Context,
  run: JournalRun,
  id: string,
  { batch, result }: Extract<FromCrawl, { readonly type: 'read' }>,
  applyFindings: ApplyFindings,
): Promise<string> {
  const l = crawlLeases;
  await storeBodies(ctx, run.siteId, batch.bodies);
  const written = ctx.postgres.db.transaction(async (tx) => {
    const held = await tx
      .select({ id: l.id })
      .from(l)
      .where(and(eq(l.id, id), eq(l.state, 'lent')))
      .for('update');
    if (held.length === 0) throw new Error('the lease was lost');
    await insertLinks(ctx, { ...run, session: id }, batch);
    await writeRows(tx, run, batch, applyFindings, new Date(ctx.now()));
    await tx
      .update(l)
      .set({ state: 'returned', batch: null, result: sql`${result}::jsonb` })
      .where(eq(l.id, id));
    return offerHelp(tx, run.id, ctx.now());
  });
  return written.catch(async (error: unknown) => {
    await eraseIfDeleted(ctx, run);
    throw error;
  });
}
