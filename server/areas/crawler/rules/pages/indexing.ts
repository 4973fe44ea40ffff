import type { PageFacts } from '../../../../../contract/crawler/facts';
import type { PageRuleGroup } from './group';

const isNoindex = (directives: readonly string[]): boolean => directives.some((one) => one === 'noindex' || one === 'none');
const isIndex = (directives: readonly string[]): boolean => directives.some((one) => one === 'index' || one === 'all');

/** Where a page contradicts itself about indexing; null: nowhere. */
function conflict(page: { readonly url: string; readonly indexReason: string }, facts: PageFacts): string | null {
  const general = facts.robots.filter(({ agent }) => agent === '*');
  const forbids = general.filter(({ directives }) => isNoindex(directives));
  const allows = general.filter(({ directives }) => isIndex(directives) && !isNoindex(directives));
  if (forbids.length > 0 && allows.length > 0) return 'robots';
  if (general.some(({ directives }) => isNoindex(directives) && isIndex(directives))) return 'robots';
  if (forbids.length > 0 && facts.canonicals.some(({ url }) => url !== page.url)) return 'canonical';
  return null;
}

export const indexingRules: PageRuleGroup = ({ page, facts, isPage, report }) => {
  if (!isPage) return;
  if (page.indexReason === 'noindex') report('index_noindex', { kind: page.inSitemap ? 'sitemap' : 'alone', visits: 0 }, page.inSitemap ? 'warning' : 'notice');
  const kind = conflict(page, facts);
  if (kind !== null) report('index_conflict', { kind });
};
