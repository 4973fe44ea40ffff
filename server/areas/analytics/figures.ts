import type { VisitFigures } from '../../../contract/sites/list';
import { maxSpanMs } from '../../collect/visits';
import { populationSql } from './filters';
import { runQuery } from './queries';
import type { QueryContext } from './queries';
import { ONLINE_MS } from './visitQueries';
import { DAY, HOUR, addDays, dayAt, dayNumber, dayStart, instantOf, wallAt } from '../../zone';

export type FigureSite = {
  readonly id: string;
  readonly timeZone: string;
  /** Epoch ms. */ readonly createdAt: number;
  /** As in `Scope`. */ readonly score?: string | undefined;
};

/** Today and yesterday in one time zone, epoch ms. `until`: yesterday at the current time of day. */
type Days = { readonly today: number; readonly yesterday: number; readonly until: number };

export function daysOf(zone: string, now: number): Days {
  const today = dayAt(now, zone);
  const before = addDays(today, -1);
  return { today: dayStart(today, zone), yesterday: dayStart(before, zone), until: instantOf(before, wallAt(now, zone) - dayNumber(today) * DAY, zone) };
}

type Counted = { site: string; today: number; hour: number; visitors: number; views: number; level: number };
type Last = { site: string; online: number; newest: number };

/** Characters of the bot rules of sites in one query, whose text ClickHouse limits to 256 KiB. */
const rulesMost = 60_000;

/** Sites without bot rules of their own, which are most, and the others in parts that one query can name. */
function partsOf(sites: readonly FigureSite[]): FigureSite[][] {
  const plain: FigureSite[] = [];
  const parts = [plain];
  let length = Infinity;
  for (const site of sites) {
    if (site.score === undefined) {
      plain.push(site);
      continue;
    }
    length += site.score.length;
    if (length > rulesMost) {
      parts.push([]);
      length = site.score.length;
    }
    parts.at(-1)?.push(site);
  }
  return parts;
}

/** Figures of any number of sites, by id, in a few queries. */
export async function figuresOf(to: QueryContext, sites: readonly FigureSite[], now: number): Promise<ReadonlyMap<string, VisitFigures>> {
  return new Map((await Promise.all(partsOf(sites).map((part) => figuresTogether(to, part, now)))).flat());
}

/**
 * Each site uses its own calendar day. The hourly series counts hours since midnight, so that a day on which the clocks change has 23 or 25. Only human visits
 * count.
 */
async function figuresTogether(to: QueryContext, sites: readonly FigureSite[], now: number): Promise<(readonly [string, VisitFigures])[]> {
  if (sites.length === 0) return [];
  const zones = [...new Set(sites.map(({ timeZone }) => timeZone))];
  const days = new Map(zones.map((zone) => [zone, daysOf(zone, now)]));
  const each = (pick: (d: Days) => number): number[] => [...days.values()].map(pick);
  const params = {
    sites: sites.map((site) => site.id),
    zones: sites.map(({ timeZone }) => zones.indexOf(timeZone) + 1),
    today: each((d) => d.today),
    yesterday: each((d) => d.yesterday),
    until: each((d) => d.until),
    since: Math.min(...each((d) => d.yesterday)) - maxSpanMs,
    now,
    onlineSince: now - ONLINE_MS,
  };
  const own = sites.flatMap(({ score }, i) => (score === undefined ? [] : [`site_id = {sites:Array(String)}[${i + 1}], ${score}`]));
  const score = own.length > 0 ? `multiIf(${own.join(', ')}, bot_score)` : undefined;
  const recent = `FROM visits FINAL WHERE site_id IN {sites:Array(String)} AND deleted = 0 AND ${populationSql('humans', score)} AND start >= fromUnixTimestamp64Milli({since:Int64}, 'UTC')`;
  const [counted, alive] = await Promise.all([
    runQuery<Counted>(
      to,
      `SELECT site, is_today AS today, hour, toFloat64(uniqExact(visitor_id)) AS visitors, toFloat64(countIf(is_view)) AS views, toUInt8(grouping(hour)) AS level
      FROM (
        SELECT toString(site_id) AS site, visitor_id, transform(site, {sites:Array(String)}, {zones:Array(UInt16)}, toUInt16(0)) AS i, toUnixTimestamp64Milli(start) AS start_ms,
          point.1 AS at, point.2 AS is_view, toInt32(at >= {today:Array(Int64)}[i]) AS is_today,
          if(is_today = 1, toInt32(intDiv(at - {today:Array(Int64)}[i], ${HOUR})), 0) AS hour
        FROM (SELECT * ${recent})
        ARRAY JOIN CAST(arrayConcat([(start_ms, 0)], arrayMap(offset -> (start_ms + offset, 1), view_at)), 'Array(Tuple(Int64, UInt8))') AS point
        WHERE at <= {now:Int64} AND (is_today = 1 OR (at >= {yesterday:Array(Int64)}[i] AND at < {until:Array(Int64)}[i]))
      )
      GROUP BY GROUPING SETS ((site, is_today), (site, is_today, hour))`,
      params,
    ),
    runQuery<Last>(
      to,
      `SELECT toString(site_id) AS site, toFloat64(uniqExactIf(visitor_id, last >= fromUnixTimestamp64Milli({onlineSince:Int64}, 'UTC'))) AS online, toFloat64(toUnixTimestamp64Milli(max(last))) AS newest
      ${recent} GROUP BY site`,
      params,
    ),
  ]);
  const lastBySite = new Map(alive.map((row) => [row.site, row]));
  const older = await lastEver(
    to,
    sites.filter((site) => !lastBySite.has(site.id)).map((site) => site.id),
  );
  const rowsBySite = new Map<string, Counted[]>();
  for (const row of counted) {
    const rows = rowsBySite.get(row.site);
    if (rows) rows.push(row);
    else rowsBySite.set(row.site, [row]);
  }

  return sites.map((site) => {
    const rows = rowsBySite.get(site.id) ?? [];
    const today = rows.find((row) => row.level === 1 && row.today === 1);
    const yesterday = rows.find((row) => row.level === 1 && row.today === 0)?.visitors ?? 0;
    const { today: midnight, yesterday: before } = days.get(site.timeZone) as Days;
    const byHour = new Map(rows.filter((row) => row.level === 0 && row.today === 1).map((row) => [row.hour, row.visitors]));
    const last = lastBySite.get(site.id)?.newest ?? older.get(site.id);
    const figures: VisitFigures = {
      visitorsToday: today?.visitors ?? 0,
      // A site created at noon yesterday has no figure for yesterday morning; a site with earlier visits (imported or demo) does.
      visitorsYesterdaySoFar: site.createdAt > before && yesterday === 0 ? null : yesterday,
      viewsToday: today?.views ?? 0,
      series: Array.from({ length: Math.floor((now - midnight) / HOUR) + 1 }, (_, hour) => byHour.get(hour) ?? 0),
      online: lastBySite.get(site.id)?.online ?? 0,
      lastHitAt: last === undefined ? null : new Date(last).toISOString(),
    };
    return [site.id, figures] as const;
  });
}

/** The newest activity, bots included, of sites without a visit since yesterday. */
async function lastEver(to: QueryContext, sites: readonly string[]): Promise<ReadonlyMap<string, number>> {
  if (sites.length === 0) return new Map();
  const rows = await runQuery<{ site: string; newest: number }>(
    to,
    'SELECT toString(site_id) AS site, toFloat64(toUnixTimestamp64Milli(max(last))) AS newest FROM visits WHERE site_id IN {sites:Array(String)} AND deleted = 0 GROUP BY site',
    { sites },
  );
  return new Map(rows.map((row) => [row.site, row.newest]));
}
