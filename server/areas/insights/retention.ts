import type { z } from 'zod';
import { mostCohorts, retentionPeriods } from '../../../contract/insights/reports';
import type { Retention } from '../../../contract/insights/reports';
import { fail } from '../../http/failure';
import { DAY, addDays, dayNumber, dayStart } from '../../zone';
import type { Day } from '../../zone';
import { runQuery, compileFilters, visitsOf } from '../analytics';
import type { QueryContext, Scan } from '../analytics';

type Unit = Retention['unit'];

/** The first day of the period that contains a day; weeks begin on Monday. */
function beginOf(day: Day, unit: Unit): Day {
  if (unit === 'month') return `${day.slice(0, 8)}01`;
  return unit === 'day' ? day : addDays(day, -((new Date(dayNumber(day) * DAY).getUTCDay() + 6) % 7));
}
/** 31 days after the first of a month is always in the next month. */
const nextOf = (begin: Day, unit: Unit): Day => (unit === 'month' ? beginOf(addDays(begin, 31), 'month') : addDays(begin, unit === 'week' ? 7 : 1));

/** Starts of the periods that have a day in the range. Throws `range_not_allowed` for more than `mostCohorts`. */
export function cohortDays(from: Day, to: Day, unit: Unit): Day[] {
  const days: Day[] = [];
  for (let day = beginOf(from, unit); day <= to; day = nextOf(day, unit)) days.push(day);
  return days.length > mostCohorts ? fail('range_not_allowed') : days;
}

/** How many of each period's first-time visitors returned; defined in contract/insights/reports.ts. */
export async function retentionOf(
  to: QueryContext,
  scan: Scan,
  query: { readonly from: Day; readonly to: Day; readonly unit: Unit; readonly known: boolean; readonly now: number },
): Promise<z.input<typeof Retention>> {
  const { unit, known, now } = query;
  const periods = retentionPeriods[unit];
  const cohorts = cohortDays(query.from, query.to, unit);
  const report = { known, unit, periods };
  if (!known) return { ...report, cohorts: [] };
  const days = [...cohorts];
  for (let n = 0; n <= periods; n += 1) days.push(nextOf(days.at(-1) as Day, unit));
  const edges = days.map((day) => dayStart(day, scan.zone));
  const [start = 0, cohortEnd = 0, end = 0] = [edges[0], edges[cohorts.length], edges.at(-1)];

  const { visit, mask } = scan.filters;
  const begun = visitsOf({ ...scan, start, end, filters: compileFilters([]) });
  const rows = await runQuery<{ cohort: number; later: number; visitors: number }>(
    to,
    `SELECT cohort, toFloat64(seen) - cohort AS later, toFloat64(count()) AS visitors
    FROM (
      SELECT toFloat64(maxIf(period, first)) AS cohort, arrayJoin(groupUniqArray(period)) AS seen
      FROM (
        SELECT visitor_id, toUnixTimestamp64Milli(start) AS start_ms, indexOf({edges:Array(Int64)}, roundDown(start_ms, {edges:Array(Int64)})) AS period,
          visit_no = 1 AND start_ms < {cohortEnd:Int64} AND ${visit}${mask ? ` AND has(${mask}, 1)` : ''} AS first
        ${begun.sql} AND toUnixTimestamp64Milli(start) >= {start:Int64}
      )
      GROUP BY visitor_id
      HAVING cohort > 0
    )
    GROUP BY cohort, later`,
    { ...begun.params, ...scan.filters.params, edges, cohortEnd },
  );
  const counts = new Map(rows.map((row) => [`${row.cohort} ${row.later}`, row.visitors]));
  return {
    ...report,
    cohorts: cohorts.map((from, index) => {
      const later = Array.from({ length: periods }, (_, n) => n + 1);
      return {
        from,
        to: addDays(days[index + 1] as Day, -1),
        visitors: counts.get(`${index + 1} 0`) ?? 0,
        returned: later.map((n) => ((edges[index + n] ?? Infinity) > now ? null : (counts.get(`${index + 1} ${n}`) ?? 0))),
        closed: later.filter((n) => (edges[index + n + 1] ?? Infinity) <= now).length,
      };
    }),
  };
}
