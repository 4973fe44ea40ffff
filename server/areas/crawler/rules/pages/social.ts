import type { PageRuleGroup } from './group';

export const socialRules: PageRuleGroup = ({ facts, rules, isListed, report }) => {
  if (!isListed) return;
  const property = (name: string): string => (facts.openGraph[`og:${name}`] ?? '').trim();
  if (property('title') === '') report('social_title');
  const least = rules.parameter('social_image', 'width');
  const width = Number(property('image:width'));
  if (property('image') === '' && property('image:url') === '') report('social_image', { kind: 'missing', width: 0, limit: least });
  else if (width > 0 && width < least) report('social_image', { kind: 'small', width, limit: least });
};
