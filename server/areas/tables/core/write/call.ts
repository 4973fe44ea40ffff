import { createHash } from 'node:crypto';
import { and, eq, lt } from 'drizzle-orm';
import type { FastifyRequest } from 'fastify';
import type { Context } from '../../../../context';
import type { SessionInfo } from '../../../../http/access';
import { fail } from '../../../../http/failure';
import { isRedefined, sqlState } from '../../../../stores/postgres/sqlState';
import { contentCalls } from '../schema';
import type { Tx, WriteTx } from './types';
import type { BatchOrigin } from '../../../../../contract/tables/terms';
import { readerOf } from '../access';
import type { Caller } from '../access';
import { siteModel, tableOf } from '../model';
import type { TableContext } from '../tableContext';

/** The caller and the request, as a route has them. */
export type WriteCaller = { readonly site: { readonly id: string }; readonly session: SessionInfo; readonly request: FastifyRequest } | LinkCaller;
/** A caller known only by a public link; `asks`: identifies repeated calls, in place of the body. */
export type LinkCaller = { readonly site: { readonly id: string }; readonly link: string; readonly request: FastifyRequest; readonly asks: unknown };

const keyShape = /^[\x21-\x7e]{1,200}$/;
/** How long responses are kept for repeated calls. */
const responseLifetime = 24 * 3_600_000;
const tries = 4;
/** Drizzle appends this to `begin` verbatim, so the lock timeout is set in the same round trip. */
const begin = { isolationLevel: `read committed; set local lock_timeout = '10s'` as 'read committed' };

/** Thrown to roll back a dry run. */
class RolledBack extends Error {
  override readonly name = 'RolledBack';
}

/**
 * Runs writes in one transaction: all or nothing, even if the process is killed. A repeated call with the same `Idempotency-Key` (within a day, by the
 * same caller) gets the original response and has no effect; the same key with a different request is refused with `conflict`, and while the first call
 * runs, the second waits for its response. Failed calls do not use up their key. With `dryRun` everything is rolled back and no notice is sent. Throws
 * `conflict` if others hold a record for ten seconds, or if the table's definition changes meanwhile.
 */
export async function inWrite<T>(
  ctx: Context,
  caller: WriteCaller | null,
  work: (w: WriteTx) => Promise<T>,
  { dryRun = false }: { readonly dryRun?: boolean } = {},
): Promise<T> {
  const key = dryRun ? undefined : keyOf(caller);
  for (let attempt = 1; ; attempt++) {
    const callbacks: (() => void)[] = [];
    const now = new Date(ctx.now());
    let tried: { readonly response: T } | undefined;
    try {
      const response = await ctx.postgres.db.transaction(async (tx) => {
        const before = caller && key !== undefined ? await claim(tx, caller, key, now) : null;
        // The same call by the same caller, so the stored response has the same type.
        if (before) return before.response as T;
        const result = await work({ ctx, tx, now, after: (one) => void callbacks.push(one) });
        if (dryRun) {
          tried = { response: result };
          throw new RolledBack();
        }
        if (caller && key !== undefined) await keep(tx, caller, key, result);
        return result;
      }, begin);
      for (const tell of callbacks) tell();
      return response;
    } catch (error) {
      if (error instanceof RolledBack && tried) return tried.response;
      const state = sqlState(error);
      // Deadlock: the transaction that PostgreSQL aborted starts again.
      if (state === '40P01' && attempt < tries) continue;
      // An existing text is too long for an index that was added later.
      if (state === '54000') return fail('too_large', { cause: error });
      // Lock timeout, or the table was redefined.
      if (state === '40P01' || state === '55P03' || isRedefined(error)) return fail('conflict', { cause: error });
      throw error;
    }
  }
}

function keyOf(caller: WriteCaller | null): string | undefined {
  const header = caller?.request.headers['idempotency-key'];
  if (header === undefined) return undefined;
  return typeof header === 'string' && keyShape.test(header) ? header : fail('bad_request');
}
/** A person and each of their tokens have separate keys; all users of a link share them, but cannot guess each other's. */
const callerName = (caller: WriteCaller): string =>
  'link' in caller ? `link:${caller.link}` : caller.session.token ? `token:${caller.session.token.id}` : `user:${caller.session.userId}`;
const hashOf = (caller: WriteCaller): string => {
  const { request } = caller;
  const input = 'link' in caller ? caller.asks : (request.body ?? null);
  return createHash('sha256')
    .update(JSON.stringify([request.method, request.url, request.headers['if-match'] ?? null, input]))
    .digest('hex');
};
const isCall = (caller: WriteCaller, key: string) =>
  and(eq(contentCalls.siteId, caller.site.id), eq(contentCalls.caller, callerName(caller)), eq(contentCalls.key, key));

/** Claims a key, or returns its stored response; waits while another transaction holds it. */
async function claim(tx: Tx, caller: WriteCaller, key: string, now: Date): Promise<{ readonly response: unknown } | null> {
  const hash = hashOf(caller);
  await tx.delete(contentCalls).where(and(isCall(caller, key), lt(contentCalls.at, new Date(now.getTime() - responseLifetime))));
  const claimed = await tx
    .insert(contentCalls)
    .values({ siteId: caller.site.id, caller: callerName(caller), key, hash, at: now })
    .onConflictDoNothing()
    .returning({ key: contentCalls.key });
  if (claimed.length > 0) return null;
  const [known] = await tx.select({ hash: contentCalls.hash, response: contentCalls.response }).from(contentCalls).where(isCall(caller, key));
  // The first call was rolled back meanwhile, or was a different request.
  if (!known || known.hash !== hash) return fail('conflict');
  return { response: (known.response as { value: unknown }).value };
}

const keep = async (tx: Tx, caller: WriteCaller, key: string, value: unknown): Promise<void> =>
  void (await tx.update(contentCalls).set({ response: { value } }).where(isCall(caller, key)));

/** Deletes responses older than a day. Runs on a schedule. */
export const sweepCalls = async (ctx: Context): Promise<void> =>
  void (await ctx.postgres.db.delete(contentCalls).where(lt(contentCalls.at, new Date(ctx.now() - responseLifetime))));

/** The context of a write: table, writer and time zone. */
export async function writeContextOf(ctx: Context, call: Caller & { readonly params: { readonly table: string } }): Promise<TableContext> {
  const model = await siteModel(ctx, call.site.id, call.site.contentRevision);
  return { model, table: tableOf(model, call.params.table), reader: readerOf(call), timeZone: call.site.row.timeZone };
}
/** Sessions write as people, tokens as the API. */
export const originAt = (session: SessionInfo, origin: BatchOrigin): BatchOrigin => (session.token ? 'api' : origin);
