import { sql } from 'drizzle-orm';
import type { SQL } from 'drizzle-orm';
import type { supportEndpoints as endpoints } from '../../../contract/support/schemas';
import type { Statistics } from '../../../contract/support/settings';
import type { Context } from '../../context';
import { fail } from '../../http/failure';
import type { CallOf } from '../../http/route';
import { DAY, dayCount, instantOf } from '../../zone';
import { users } from '../account/schema';
import { countLists } from './lists';
import type { Db } from './queries';
import { supportConversations, supportMessages } from './schema';

/** Days of a period. */
const longestPeriod = 400;
const pages = 20;

export type Period = { readonly siteId: string; readonly zone: string; readonly start: string; readonly end: string };

/** Days are in the site's time zone, both inclusive. Throws `range_not_allowed`. */
export function periodOf({ site, query }: Pick<CallOf<typeof endpoints.supportStatistics>, 'site' | 'query'>): Period {
  const { timeZone } = site.row;
  const days = dayCount(query.from, query.to);
  if (days < 1 || days > longestPeriod) fail('range_not_allowed');
  const at = (day: string, ms: number): string => new Date(instantOf(day, ms, timeZone)).toISOString();
  return { siteId: site.id, zone: timeZone, start: at(query.from, 0), end: at(query.to, DAY) };
}

const c = supportConversations;
/** Conversations that started in a period; spam and removed ones do not count. */
export const started = ({ siteId, start, end }: Period): SQL =>
  sql`c.site_id = ${siteId} and c.started_at >= ${start}::timestamptz and c.started_at < ${end}::timestamptz and c.state <> 'spam' and c.removed_at is null and c.merged_into is null`;
const resolvedIn = ({ siteId, start, end }: Period): SQL =>
  sql`c.site_id = ${siteId} and c.resolved_at >= ${start}::timestamptz and c.resolved_at < ${end}::timestamptz and c.state = 'resolved' and c.removed_at is null and c.merged_into is null`;

export const rowsOf = async <T extends object>(db: Db, query: SQL): Promise<T[]> => (await db.execute(query)).rows as T[];

type Totals = {
  started: number;
  unanswered: number;
  messages: number;
  first_median: number | null;
  first_p90: number | null;
  first_count: number;
  average: number | null;
  [star: `r${number}`]: number;
};

async function totalsOf(db: Db, period: Period): Promise<Totals> {
  const seconds = sql`extract(epoch from c.first_reply_at - c.started_at)`;
  const [row] = await rowsOf<Totals>(
    db,
    sql`select count(*)::int as started, (count(*) filter (where c.first_reply_at is null))::int as unanswered, coalesce(sum(c.messages), 0)::int as messages,
      round(percentile_cont(0.5) within group (order by ${seconds}))::int as first_median, round(percentile_cont(0.9) within group (order by ${seconds}))::int as first_p90,
      count(c.first_reply_at)::int as first_count, avg(c.rating)::float8 as average,
      ${sql.join(
        [1, 2, 3, 4, 5].map((star) => sql`(count(*) filter (where c.rating = ${star}))::int as ${sql.identifier(`r${star}`)}`),
        sql`, `,
      )}
      from ${c} c where ${started(period)}`,
  );
  return row ?? fail('internal');
}

/** By day and hour of the site's time zone. */
async function timesOf(db: Db, period: Period): Promise<Pick<Statistics, 'byDay' | 'byHour'>> {
  const local = (column: SQL): SQL => sql`(${column} at time zone ${period.zone})`;
  const [days, hours] = await Promise.all([
    rowsOf<{ day: string; started: number; resolved: number }>(
      db,
      sql`select day, sum(started)::int as started, sum(resolved)::int as resolved from (
        select to_char(${local(sql`c.started_at`)}, 'YYYY-MM-DD') as day, 1 as started, 0 as resolved from ${c} c where ${started(period)}
        union all select to_char(${local(sql`c.resolved_at`)}, 'YYYY-MM-DD'), 0, 1 from ${c} c where ${resolvedIn(period)}
      ) days group by day order by day`,
    ),
    rowsOf<{ weekday: number; hour: number; started: number }>(
      db,
      sql`select extract(isodow from ${local(sql`c.started_at`)})::int as weekday, extract(hour from ${local(sql`c.started_at`)})::int as hour, count(*)::int as started
        from ${c} c where ${started(period)} group by 1, 2 order by 1, 2`,
    ),
  ]);
  return { byDay: days, byHour: hours };
}

async function agentsOf(db: Db, period: Period): Promise<Statistics['byAgent']> {
  return rowsOf<Statistics['byAgent'][number]>(
    db,
    sql`select u.id, u.display_name as name, coalesce(r.replies, 0)::int as replies, coalesce(d.resolved, 0)::int as resolved, d.rating from ${users} u
      left join (select m.agent_id, count(*) as replies from ${supportMessages} m where m.site_id = ${period.siteId} and m.author = 'agent' and m.kind in ('text', 'file')
        and m.at >= ${period.start}::timestamptz and m.at < ${period.end}::timestamptz group by m.agent_id) r on r.agent_id = u.id
      left join (select c.resolved_by, count(*) as resolved, avg(c.rating)::float8 as rating from ${c} c where ${resolvedIn(period)} group by c.resolved_by) d on d.resolved_by = u.id
      where r.agent_id is not null or d.resolved_by is not null order by replies desc, name, u.id`,
  );
}

/** Paths without query, because it differs from visit to visit. */
const pagesOf = (db: Db, period: Period): Promise<Statistics['byPage']> =>
  rowsOf<Statistics['byPage'][number]>(
    db,
    sql`select path, count(*)::int as started from (
      select regexp_replace(regexp_replace(c.page->>'url', '^https?://[^/]*', ''), '[?#].*$', '') as path from ${c} c where ${started(period)} and c.page->>'url' <> ''
    ) pages group by path order by started desc, path limit ${pages}`,
  );

export async function readStatistics(ctx: Context, call: CallOf<typeof endpoints.supportStatistics>): Promise<Statistics> {
  const { db } = ctx.postgres;
  const period = periodOf(call);
  const seconds = sql`extract(epoch from c.resolved_at - c.started_at)`;
  const [totals, resolution, times, byAgent, byPage, lists] = await Promise.all([
    totalsOf(db, period),
    rowsOf<{ median: number | null; p90: number | null; count: number }>(
      db,
      sql`select round(percentile_cont(0.5) within group (order by ${seconds}))::int as median, round(percentile_cont(0.9) within group (order by ${seconds}))::int as p90, count(*)::int as count
        from ${c} c where ${resolvedIn(period)}`,
    ),
    timesOf(db, period),
    agentsOf(db, period),
    pagesOf(db, period),
    countLists(db, period.siteId, call.session.userId),
  ]);
  const resolved = resolution[0] ?? { median: null, p90: null, count: 0 };
  return {
    started: totals.started,
    resolved: resolved.count,
    unanswered: totals.unanswered,
    messages: totals.messages,
    firstReply: { median: totals.first_median, p90: totals.first_p90, count: totals.first_count },
    resolution: resolved,
    rating: { average: totals.average, counts: [1, 2, 3, 4, 5].map((star) => totals[`r${star}`] ?? 0) },
    ...times,
    byAgent,
    byPage,
    lists: lists.counts,
  };
}
