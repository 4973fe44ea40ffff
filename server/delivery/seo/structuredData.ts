import { titleOfSite } from '../content/globals';
import type { PageFacts } from '../content/pageData';
import type { PageContext } from '../edition';
import { canonicalAddress } from '../paths';
import type { CardImage } from './card';
import type { PageSeo } from './pageSeo';

const nameOf = (value: unknown): string | null =>
  typeof value === 'object' && value !== null && 'title' in value && typeof value.title === 'string' ? value.title : null;

/** Structured data of a page by schema.org. */
export function structuredData(context: PageContext, facts: PageFacts, seo: PageSeo, image: CardImage | null): object[] {
  const { origin, release, language } = context;
  const site = { '@type': 'WebSite', name: titleOfSite(context), url: canonicalAddress(context, '/', language) };
  const publisher = release.settings.company === '' ? {} : { publisher: { '@type': 'Organization', name: release.settings.company } };
  const all: object[] = [];
  if (facts.isHome) all.push({ ...site, inLanguage: language, ...publisher });
  if (facts.record && facts.isArticle && facts.title !== null) {
    const author = nameOf(facts.record.author);
    all.push({
      '@type': 'Article',
      headline: facts.title,
      ...(seo.description === null ? {} : { description: seo.description }),
      datePublished: facts.record.published_at,
      dateModified: facts.record.updated_at,
      inLanguage: language,
      mainEntityOfPage: seo.canonical,
      isPartOf: site,
      ...(image ? { image: [image.url] } : {}),
      ...(author === null ? {} : { author: { '@type': 'Person', name: author } }),
      ...publisher,
    });
  }
  if (facts.breadcrumbs.length > 1)
    all.push({
      '@type': 'BreadcrumbList',
      itemListElement: facts.breadcrumbs.map(({ title, url }, at) => ({ '@type': 'ListItem', position: at + 1, name: title, item: `${origin}${url}` })),
    });
  return all.map((one) => ({ '@context': 'https://schema.org', ...one }));
}
