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

/** The part of a question that says whom and what it is about. `with` and `goal`: only questions that may count goals have them. */
export type ScopeQuery = {
  readonly filter: readonly string[];
  readonly who: Population;
  readonly segment: readonly string[];
  readonly with?: readonly string[];
  readonly goal?: string | undefined;
  readonly by?: string | undefined;
};

/** What holds for a question besides what stands in it. */
export type Scope = {
  /** Those of the segments that it names, and of the caller. */
  readonly filters: readonly Filter[];
  /** SQL of the bot score under the site's own rules; absent: the stored one. */
  readonly score?: string;
  /** Where buckets end; absent: where they do by default. */
  readonly buckets?: BucketEnds;
  /** The least number of visitors for which a city is named; absent: every city is. */
  readonly cityFloor?: number;
  /** The last days, for questions that have no range of their own. */
  readonly lately?: { readonly start: number; readonly end: number };
  /** What conversions are of, where they are counted. */
  readonly goals?: GoalSql;
};
export const noScope: Scope = { filters: [] };

const latelyDays = 31;

export type ScopeSite = {
  readonly id: string;
  readonly timeZone: string;
  /** Filters that hold for the caller whatever they ask: those of a read-only link. */
  readonly filters?: readonly string[] | undefined;
};

/**
 * The one place where the names in a question become what they stand for: saved segments, the site's rules about programs, and goals.
 * Every endpoint asks here, so that no two screens can mean different visits. Throws `invalid_fields` for a segment or goal that there is not.
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

/** A question, in its scope, over [start, end) (epoch ms; 0 and 0: whenever). Throws `invalid_fields` for a filter that means nothing. */
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
