import type { Cause, DashboardCauses } from '../../../contract/dashboard/causes';
import { dashboardLimits as limits } from '../../../contract/dashboard/terms';

type Pair = { readonly now: number; readonly before: number };
export type PageLoss = { readonly path: string; readonly visitors: Pair };
type Keyword = Cause['keywords'][number];
type Signals = Partial<Pick<Cause, 'keywords' | 'issues' | 'redirect'>>;

const lossOf = ({ visitors }: { readonly visitors: Pair }): number => visitors.before - visitors.now;

/** Pages that lost visitors, the greatest loss first. */
export const losses = (rows: readonly (Pair & { readonly key: string })[]): PageLoss[] =>
  rows
    .filter(({ key, now, before }) => key !== '' && now < before)
    .map(({ key, now, before }) => ({ path: key, visitors: { now, before } }))
    .toSorted((a, b) => lossOf(b) - lossOf(a) || (a.path < b.path ? -1 : 1));

/** Whether a position got worse: by at least one place, or from some place to none. */
export const isWorse = ({ position: { now, before } }: Pick<Keyword, 'position'>): boolean =>
  before !== null && (now === null || now - before >= limits.causePosition);

/** Those whose position got worse, the most lost clicks first. A page that is listed at several addresses (http, https) has its keywords once. */
export function worseKeywords(keywords: readonly Keyword[]): Keyword[] {
  const sorted = keywords
    .filter(isWorse)
    .toSorted((a, b) => b.clicks.before - b.clicks.now - (a.clicks.before - a.clicks.now) || (b.position.now ?? 0) - (a.position.now ?? 0));
  return sorted.filter(({ engine, query }, index) => index === sorted.findIndex((one) => one.engine === engine && one.query === query));
}

/** How many kinds of things are known of a page. */
const kindsOf = ({ keywords, issues, redirect }: Cause): number => Number(keywords.length > 0) + Number(issues.length > 0) + Number(redirect !== null);

/**
 * Joins pages that lost visitors with what is known of them. The greatest loss comes first; among equal ones, the page of which more kinds of things are known. Pages
 * that are not listed are only counted, so `causes` and `others` add up to `lost`.
 */
export function rankCauses(pages: readonly PageLoss[], signalsOf: (path: string) => Signals): Pick<DashboardCauses, 'lost' | 'causes' | 'others'> {
  const joined = pages.map(({ path, visitors }, index): Cause => {
    const { keywords = [], issues = [], redirect = null } = index < limits.causePages ? signalsOf(path) : {};
    return { path, visitors, keywords: keywords.slice(0, limits.causeRows), issues: issues.slice(0, limits.causeRows), redirect };
  });
  const causes = joined
    .filter((cause) => kindsOf(cause) > 0)
    .toSorted((a, b) => lossOf(b) - lossOf(a) || kindsOf(b) - kindsOf(a) || (a.path < b.path ? -1 : 1))
    .slice(0, limits.causes);
  const sum = (all: readonly PageLoss[]): number => all.reduce((total, one) => total + lossOf(one), 0);
  const lost = sum(pages);
  return { lost, causes, others: { pages: pages.length - causes.length, lost: lost - sum(causes) } };
}
