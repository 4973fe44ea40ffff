import { structuredRules } from '../../../../../contract/seo/structured';
import type { PageRuleGroup } from './group';

/** Types that the site's own data does not have, and kinds of those that it has. Each entry needs one of its properties. */
const furtherTypes: Readonly<Record<string, readonly (readonly string[])[]>> = {
  Product: [['name'], ['offers', 'review', 'aggregateRating']],
  Event: [['name'], ['startDate'], ['location']],
  Recipe: [['name'], ['image']],
  VideoObject: [['name'], ['thumbnailUrl'], ['uploadDate']],
  FAQPage: [['mainEntity']],
  JobPosting: [['title'], ['description'], ['datePosted'], ['hiringOrganization']],
  LocalBusiness: [['name'], ['address']],
  Review: [['author'], ['itemReviewed'], ['reviewRating']],
};
const kinds: Readonly<Record<string, string>> = { NewsArticle: 'Article', BlogPosting: 'Article', TechArticle: 'Article' };

function requiredOf(stated: string): readonly (readonly string[])[] | null {
  const type = Object.hasOwn(kinds, stated) ? (kinds[stated] ?? stated) : stated;
  if (Object.hasOwn(furtherTypes, type)) return furtherTypes[type] ?? null;
  return Object.hasOwn(structuredRules, type) ? (structuredRules[type]?.required.map((name) => [name]) ?? null) : null;
}

export const structuredDataRules: PageRuleGroup = ({ page, facts, isPage, report }) => {
  if (!isPage) return;
  const invalid = facts.jsonLd.find(({ error }) => error !== null);
  if (invalid) report('structured_data_invalid', { reason: invalid.error ?? '' });
  const known = facts.jsonLd.flatMap(({ error, types, properties }) =>
    error === null ? types.map((type) => ({ type, properties, required: requiredOf(type) })).filter(({ required }) => required !== null) : [],
  );
  for (const { type, properties, required } of known) {
    const lacking = (required ?? []).filter((names) => !names.some((name) => properties.includes(name)));
    if (lacking.length === 0) continue;
    report('structured_data_incomplete', { type, properties: lacking.map((names) => names.join(' / ')).join(', ') });
    break;
  }
  if (page.indexReason === 'noindex' && known[0]) report('structured_data_noindex', { type: known[0].type });
};
