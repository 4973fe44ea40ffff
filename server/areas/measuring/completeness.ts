import { refusalCodes } from '../../../contract/collect/schemas';
import type { RefusalCode } from '../../../contract/collect/schemas';
import type { CollectorState, Completeness, CompletenessDay } from '../../../contract/measuring/schemas';
import type { Context } from '../../context';
import { addDays, dayAt, dayStart } from '../../zone';
import { aliveFor } from './erase';
import * as queries from './queries';

const isCode = (what: string): what is RefusalCode => (refusalCodes as readonly string[]).includes(what);

/** Completeness of the last days of a site, newest first, and the state of every collector. */
export async function completenessOf(ctx: Context, site: { readonly id: string; readonly timeZone: string }, days: number): Promise<Completeness> {
  const today = dayAt(ctx.now(), site.timeZone);
  const first = addDays(today, 1 - days);
  const [counts, numbered, collectors] = await Promise.all([
    queries.countsOf(ctx.postgres.db, site.id, first, today),
    queries.numberedByDay(ctx.clickhouse, site.id, site.timeZone, dayStart(first, site.timeZone), dayStart(addDays(today, 1), site.timeZone)),
    queries.collectors(ctx.postgres.db),
  ]);
  const account = Array.from({ length: days }, (_, ago): CompletenessDay => {
    const day = addDays(today, -ago);
    const own = counts.filter((one) => one.day === day);
    const of = (what: string): number => own.find((one) => one.what === what)?.count ?? 0;
    const { sent, stored } = numbered.find((one) => one.day === day) ?? { sent: 0, stored: 0 };
    // A killed process may have received up to a second's worth of hits more than it counted.
    const received = Math.max(of('received'), stored);
    return {
      day,
      sent,
      stored,
      missing: sent - stored,
      received,
      repeated: received - stored,
      refused: Object.fromEntries(own.filter(({ what }) => isCode(what)).map(({ what, count }) => [what, count])),
      aside: of('aside'),
      spam: of('spam'),
      flood: of('flood'),
    };
  });
  return { days: account, collectors: collectors.map((row) => stateOf(row, ctx.now())) };
}

const stateOf = (row: Awaited<ReturnType<typeof queries.collectors>>[number], now: number): CollectorState => ({
  // The folder path is not sent to clients.
  process: row.process.split(' ')[0] ?? '',
  seenAt: row.seenAt.toISOString(),
  alive: now - row.seenAt.getTime() < aliveFor,
  journalBytes: row.journalBytes,
  journalMaxBytes: row.journalMaxBytes,
  stuckSince: row.stuckSince?.toISOString() ?? null,
  oldestWaiting: row.waiting && row.drainedTo.getTime() > 0 ? row.drainedTo.toISOString() : null,
});
