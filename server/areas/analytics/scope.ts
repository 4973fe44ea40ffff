import type { Population } from '../../../contract/analytics/schemas';
import type { BucketEnds } from '../../../contract/measuring/buckets';
import type { Context } from '../../context';
import type { SessionInfo } from '../../http/access';
import { failField } from '../../http/failure';
import { goalsOfSite, segmentFilters } from './definitions';
import { DAY } from '../../zone';
import { readingOf } from '../measuring/score';
import { shownCities } from './cities';
import { goalSql } from './events';
import type { GoalSql } from './events';
import { compileFilters, parseFilter } from './filters';
import type { Filter } from './filters';
import type { Scan } from './slices';

/** The part of a query that selects visits. `with` and `goal` exist only in queries that can count goals. */
export type ScopeQuery = {
  readonly filter: readonly string[];
  readonly who: Population;
  readonly segment: readonly string[];
  readonly with?: readonly string[];
  readonly goal?: string | undefined;
  readonly by?: string | undefined;
};

/** What applies to a query in addition to its own parameters. */
export type Scope = {
  /** Filters of the named segments and of the caller. */
  readonly filters: readonly Filter[];
  /** SQL of the bot score under the site's own rules; absent: the stored score. */
  readonly score?: string;
  /** Limits of the buckets; absent: the default limits. */
  readonly buckets?: BucketEnds;
  /** The minimum number of visitors from which a city is named; absent: every city is. */
  readonly cityFloor?: number;
  /** The last days, for queries without a range of their own. */
  readonly lately?: { readonly start: number; readonly end: number };
  /** The goals that conversions refer to, if they are counted. */
  readonly goals?: GoalSql;
};
export const noScope: Scope = { filters: [] };

const latelyDays = 31;

export type ScopeSite = {
  readonly id: string;
  readonly timeZone: string;
  /** Filters that always apply to the caller: those of a public link. */
  readonly filters?: readonly string[] | undefined;
};

/**
 * The only place that resolves the names in a query: saved segments, the site's bot rules and goals. Every call uses it, so that no two screens can select
 * different visits. Throws `invalid_fields` for an unknown segment or goal.
 */
export async function scopeFor(ctx: Context, site: ScopeSite, query: ScopeQuery, session: SessionInfo | null): Promise<Scope> {
  const texts = [...(site.filters ?? []), ...(await segmentFilters(ctx, site.id, query.segment, session))];
  const counts = query.with?.includes('goals') === true || query.goal !== undefined || query.by === 'goal';
  const needsGoals = counts || [...query.filter, ...texts].some((text) => text.startsWith('goal:'));
  const goals = needsGoals ? await goalsOfSite(ctx, site.id) : null;
  if (query.goal !== undefined && !goals?.some(({ id }) => id === query.goal)) failField('goal', 'unknown');
  const { score, buckets, cityFloor } = await readingOf(ctx, site.id);
  const end = ctx.now() + DAY;
  return {
    filters: texts.map(parseFilter),
    ...(score === undefined ? {} : { score }),
    ...(buckets === undefined ? {} : { buckets }),
    ...(cityFloor === null ? {} : { cityFloor, lately: { start: end - latelyDays * DAY, end } }),
    ...(goals ? { goals: goalSql(goals, query.goal) } : {}),
  };
}

/** The scan of a query, in its scope, over [start, end) (epoch ms; 0 and 0: any time). Throws `invalid_fields` for an invalid filter. */
export const scanOf = (
  site: ScopeSite,
  query: Pick<ScopeQuery, 'filter' | 'who'>,
  scope: Scope,
  { start, end }: { readonly start: number; readonly end: number },
): Scan => {
  const { score, buckets, cityFloor, goals } = scope;
  const cities = cityFloor === undefined ? undefined : shownCities(site.id, end > 0 ? { start, end } : (scope.lately ?? { start, end }), cityFloor, score);
  return {
    siteId: site.id,
    start,
    end,
    who: query.who,
    filters: compileFilters([...query.filter.map(parseFilter), ...scope.filters], goals, cities),
    zone: site.timeZone,
    ...(score === undefined ? {} : { score }),
    ...(buckets === undefined ? {} : { buckets }),
    ...(cities === undefined ? {} : { cities }),
    ...(goals === undefined ? {} : { goals }),
  };
};
