import { createHash } from 'node:crypto';
import { and, eq, lt } from 'drizzle-orm';
import type { FastifyRequest } from 'fastify';
import type { Context } from '../../../../context';
import type { SessionInfo } from '../../../../http/access';
import { fail } from '../../../../http/failure';
import { isRedefined, sqlState } from '../../../../stores/postgres/sqlState';
import { contentCalls } from '../schema';
import type { Tx, WriteTx } from './types';

/** Who calls, and with what: as a route has it. */
export type WriteCaller = { readonly site: { readonly id: string }; readonly session: SessionInfo; readonly request: FastifyRequest } | LinkCaller;
/** Somebody who is known by a link alone; `asks`: what makes two calls the same, in place of their bodies. */
export type LinkCaller = { readonly site: { readonly id: string }; readonly link: string; readonly request: FastifyRequest; readonly asks: unknown };

const keyShape = /^[\x21-\x7e]{1,200}$/;
/** How long answers are kept for calls that are made again. */
const kept = 24 * 3_600_000;
const tries = 4;
/** Drizzle puts this behind `begin` as it stands: how long a lock is waited for is said in the same message. */
const begin = { isolationLevel: `read committed; set local lock_timeout = '10s'` as 'read committed' };

/** Thrown to take everything back that was tried. */
class TakenBack extends Error {
  override readonly name = 'TakenBack';
}

/**
 * Runs writes in one transaction: all of it is kept or nothing, also when the process is killed. A call with an `Idempotency-Key` that was made before
 * (within a day, by the same caller) gets the answer of then and does nothing; the same key with another question is refused with `conflict`, and while the
 * first call runs, the second waits for its answer. What fails leaves no trace of its key. With `dryRun` everything is taken back, and told to nobody.
 * Throws `conflict` where others hold a record for ten seconds, or the definition of the table changes meanwhile.
 */
export async function inWrite<T>(
  ctx: Context,
  caller: WriteCaller | null,
  work: (w: WriteTx) => Promise<T>,
  { dryRun = false }: { readonly dryRun?: boolean } = {},
): Promise<T> {
  const key = dryRun ? undefined : keyOf(caller);
  for (let attempt = 1; ; attempt++) {
    const told: (() => void)[] = [];
    const now = new Date(ctx.now());
    let tried: { readonly answer: T } | undefined;
    try {
      const answer = await ctx.postgres.db.transaction(async (tx) => {
        const before = caller && key !== undefined ? await claim(tx, caller, key, now) : null;
        // The same call of the same caller: what it was answered is of the same shape.
        if (before) return before.answer as T;
        const made = await work({ ctx, tx, now, after: (one) => void told.push(one) });
        if (dryRun) {
          tried = { answer: made };
          throw new TakenBack();
        }
        if (caller && key !== undefined) await keep(tx, caller, key, made);
        return made;
      }, begin);
      for (const tell of told) tell();
      return answer;
    } catch (error) {
      if (error instanceof TakenBack && tried) return tried.answer;
      const state = sqlState(error);
      // Two waited for each other: whoever was chosen to give way begins again.
      if (state === '40P01' && attempt < tries) continue;
      // An old text that an index which came later cannot hold.
      if (state === '54000') return fail('too_large', { cause: error });
      // A lock that did not come; a table that is another one by now.
      if (state === '40P01' || state === '55P03' || isRedefined(error)) return fail('conflict', { cause: error });
      throw error;
    }
  }
}

function keyOf(caller: WriteCaller | null): string | undefined {
  const given = caller?.request.headers['idempotency-key'];
  if (given === undefined) return undefined;
  return typeof given === 'string' && keyShape.test(given) ? given : fail('bad_request');
}
/** A person and each of their tokens count keys of their own; everybody with one link shares them, and nobody guesses another's. */
const callerName = (caller: WriteCaller): string =>
  'link' in caller ? `link:${caller.link}` : caller.session.token ? `token:${caller.session.token.id}` : `user:${caller.session.userId}`;
const hashOf = (caller: WriteCaller): string => {
  const { request } = caller;
  const asked = 'link' in caller ? caller.asks : (request.body ?? null);
  return createHash('sha256')
    .update(JSON.stringify([request.method, request.url, request.headers['if-match'] ?? null, asked]))
    .digest('hex');
};
const isCall = (caller: WriteCaller, key: string) =>
  and(eq(contentCalls.siteId, caller.site.id), eq(contentCalls.caller, callerName(caller)), eq(contentCalls.key, key));

/** Takes a key, or finds what it was answered; waits while another transaction holds it. */
async function claim(tx: Tx, caller: WriteCaller, key: string, now: Date): Promise<{ readonly answer: unknown } | null> {
  const hash = hashOf(caller);
  await tx.delete(contentCalls).where(and(isCall(caller, key), lt(contentCalls.at, new Date(now.getTime() - kept))));
  const claimed = await tx
    .insert(contentCalls)
    .values({ siteId: caller.site.id, caller: callerName(caller), key, hash, at: now })
    .onConflictDoNothing()
    .returning({ key: contentCalls.key });
  if (claimed.length > 0) return null;
  const [known] = await tx.select({ hash: contentCalls.hash, answer: contentCalls.answer }).from(contentCalls).where(isCall(caller, key));
  // What was the first call has gone meanwhile, or asked for something else.
  if (!known || known.hash !== hash) return fail('conflict');
  return { answer: (known.answer as { value: unknown }).value };
}

const keep = async (tx: Tx, caller: WriteCaller, key: string, value: unknown): Promise<void> =>
  void (await tx.update(contentCalls).set({ answer: { value } }).where(isCall(caller, key)));

/** Forgets answers that are a day old. Runs on a schedule. */
export const sweepCalls = async (ctx: Context): Promise<void> =>
  void (await ctx.postgres.db.delete(contentCalls).where(lt(contentCalls.at, new Date(ctx.now() - kept))));
