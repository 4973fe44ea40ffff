import type { Population } from '../../../contract/analytics';
import type { Context } from '../../context';
import type { SessionInfo } from '../../http/access';
import { failField } from '../../http/failure';
import { compileFilters, parseFilter } from './filters';
import type { Filter } from './filters';
import type { GoalSql, Scan } from './slices';

/** The part of a question that says whom and what it is about. `with` and `goal`: only questions that may count goals have them. */
export type Asked = {
  readonly filter: readonly string[];
  readonly who: Population;
  readonly segment: readonly string[];
  readonly with?: readonly string[];
  readonly goal?: string | undefined;
};

/** What holds for a question besides what stands in it. */
export type Scope = {
  /** Those of the segments that it names. */
  readonly filters: readonly Filter[];
  /** SQL of the bot score under the site's own rules; absent: the stored one. */
  readonly score?: string;
  /** What conversions are of, where they are counted. */
  readonly goals?: GoalSql;
};
export const noScope: Scope = { filters: [] };

export type ScopeSite = { readonly id: string; readonly timeZone: string };

/**
 * The one place where the names in a question become what they stand for: saved segments, the site's rules about programs, and goals.
 * Every endpoint asks here, so that no two screens can mean different visits. Throws `invalid_fields` for a segment or goal that there is not.
 */
export async function scopeFor(_ctx: Context, _site: ScopeSite, asked: Asked, _session: SessionInfo | null): Promise<Scope> {
  if (asked.segment.length > 0) failField('segment', 'out_of_range');
  if (asked.goal !== undefined) failField('goal', 'out_of_range');
  return noScope;
}

/** A question, in its scope, over [start, end) (epoch ms). Throws `invalid_fields` for a filter that means nothing. */
export const scanOf = (
  site: ScopeSite,
  asked: Pick<Asked, 'filter' | 'who'>,
  scope: Scope,
  { start, end }: { readonly start: number; readonly end: number },
): Scan => ({
  siteId: site.id,
  start,
  end,
  who: asked.who,
  filters: compileFilters([...asked.filter.map(parseFilter), ...scope.filters]),
  zone: site.timeZone,
  ...(scope.score === undefined ? {} : { score: scope.score }),
  ...(scope.goals === undefined ? {} : { goals: scope.goals }),
});
