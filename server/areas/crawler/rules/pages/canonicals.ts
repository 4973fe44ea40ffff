import type { PageRuleGroup } from './group';

export const canonicalRules: PageRuleGroup = ({ facts, address, isPage, isListed, report }) => {
  if (!isPage) return;
  const { canonicals } = facts;
  if (canonicals.length === 0) {
    if (isListed && address.search !== '') report('canonical_missing');
    return;
  }
  const different = new Set(canonicals.map(({ url }) => url));
  if (different.size > 1 || canonicals.filter(({ source }) => source === 'html').length > 1) report('canonical_multiple', { count: canonicals.length });
  const relative = canonicals.find((one) => one.relative);
  if (relative) report('canonical_relative', { kind: 'relative', url: relative.url });
  else {
    const foreign = canonicals.find(({ url }) => !url.startsWith(`${address.origin}/`));
    if (foreign) report('canonical_relative', { kind: foreign.url.startsWith(`${address.protocol}//`) ? 'host' : 'protocol', url: foreign.url });
  }
};
