import { sql } from 'drizzle-orm';
import type { SQL } from 'drizzle-orm';
import { activeStates } from '../../../contract/support/terms';
import type { Context } from '../../context';
import { DAY } from '../../zone';
import * as queries from './queries';
import { overdueSince } from './replyTime';
import { supportConversations as c, supportVisitors } from './schema';
import { completeSettings, countAgentsOnline } from './settings';

const ratedDays = 30;
const list = (values: readonly string[]): SQL =>
  sql.join(
    values.map((value) => sql`${value}`),
    sql`, `,
  );
const counts = sql`c.state <> 'spam' and c.removed_at is null and c.merged_into is null`;

/**
 * Customer service of a site at a glance; null: it is off, or visitors write to an external service. Callers check that the reader has `support.read`. `today`:
 * when the site's day began, epoch ms.
 */
export async function supportSummary(ctx: Pick<Context, 'postgres' | 'now'>, site: { readonly id: string; readonly timeZone: string }, today: number) {
  const { db } = ctx.postgres;
  const now = ctx.now();
  const settings = completeSettings((await queries.findSettings(db, site.id))?.settings ?? null, site.timeZone);
  if (settings.mode !== 'builtin') return { mode: settings.mode, summary: null };
  const at = (ms: number): SQL => sql`${new Date(ms).toISOString()}::timestamptz`;
  const overdue = overdueSince(settings, now);
  const late = overdue === null ? sql`'-infinity'::timestamptz` : at(overdue);
  const waits = sql`c.waiting_since is not null and c.state in (${list(activeStates)})`;
  const [{ rows }, agentsOnline] = await Promise.all([
    db.execute<{ unread: number; waiting: number; overdue: number; since: Date | null; today: number; rating: number | null; ratings: number }>(sql`
      select (count(*) filter (where c.unread > 0))::int as unread, (count(*) filter (where ${waits}))::int as waiting,
        (count(*) filter (where ${waits} and c.waiting_since <= ${late}))::int as overdue, min(c.waiting_since) filter (where ${waits}) as since,
        (count(*) filter (where c.started_at >= ${at(today)}))::int as today,
        avg(c.rating) filter (where c.started_at >= ${at(now - ratedDays * DAY)})::float8 as rating,
        (count(c.rating) filter (where c.started_at >= ${at(now - ratedDays * DAY)}))::int as ratings
      from ${c} c where c.site_id = ${site.id} and ${counts}`),
    countAgentsOnline(db, site.id, now),
  ]);
  const [row] = rows;
  if (!row) throw new Error('PostgreSQL returned no row');
  const { since, ...figures } = row;
  return { mode: settings.mode, summary: { ...figures, agentsOnline, waitingSince: since === null ? null : new Date(since).toISOString() } };
}

/** Conversations that visitors of a site started in [start, end), epoch ms. */
export async function conversationsBetween(ctx: Pick<Context, 'postgres'>, siteId: string, start: number, end: number): Promise<number> {
  const { rows } = await ctx.postgres.db.execute<{ n: number }>(sql`
    select count(*)::int as n from ${c} c where c.site_id = ${siteId} and ${counts}
      and c.started_at >= ${new Date(start).toISOString()}::timestamptz and c.started_at < ${new Date(end).toISOString()}::timestamptz`);
  return rows[0]?.n ?? 0;
}

/** The same by the place of their visitors, as it was when they were last seen. */
export async function conversationPlaces(
  ctx: Pick<Context, 'postgres'>,
  siteId: string,
  start: number,
  end: number,
): Promise<{ readonly country: string; readonly region: string; readonly n: number }[]> {
  const { rows } = await ctx.postgres.db.execute<{ country: string; region: string; n: number }>(sql`
    select v.country, v.region, count(*)::int as n from ${c} c join ${supportVisitors} v on v.id = c.visitor_id where c.site_id = ${siteId} and ${counts}
      and c.started_at >= ${new Date(start).toISOString()}::timestamptz and c.started_at < ${new Date(end).toISOString()}::timestamptz group by 1, 2`);
  return rows;
}
