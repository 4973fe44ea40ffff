import type { EntityProperty } from '../../../contract/seo/terms';
import { structuredProblems } from '../../../contract/seo/structured';
import { searchPath, titleOfSite } from '../content/globals';
import type { Globals } from '../content/globals';
import type { PageFacts } from '../content/pageData';
import type { TemplateImage } from '../content/values';
import type { PageContext } from '../edition';
import { canonicalAddress } from '../paths';
import type { CardImage } from './card';
import type { PageSeo } from './pageSeo';

type Page = { readonly context: PageContext; readonly facts: PageFacts; readonly globals: Globals; readonly seo: PageSeo; readonly image: CardImage | null };
type Properties = Readonly<Record<string, unknown>>;

/** Properties that have a value. */
const withValues = (properties: Properties): Properties =>
  Object.fromEntries(Object.entries(properties).filter(([, value]) => value !== null && value !== undefined && value !== ''));

const nameOf = (value: unknown): string | null =>
  typeof value === 'object' && value !== null && 'title' in value && typeof value.title === 'string' ? value.title : null;

function organization({ context, globals }: Page): Properties | null {
  const { company, email, phone } = context.release.settings;
  if (company === '') return null;
  const [logo] = (globals.site['logo'] as TemplateImage[] | null) ?? [];
  return withValues({
    '@type': 'Organization',
    name: company,
    url: canonicalAddress(context, '/', context.release.languages[0] ?? context.language),
    logo: logo ? new URL(logo.url, context.origin).href : null,
    email,
    telephone: phone,
  });
}

const siteOf = ({ context }: Page): Properties => ({
  '@type': 'WebSite',
  name: titleOfSite(context),
  url: canonicalAddress(context, '/', context.language),
});

/** The search of the site, where results are offered at once. */
function searchAction({ context }: Page): Properties | null {
  const path = searchPath(context);
  if (path === null) return null;
  const target = `${canonicalAddress(context, path, context.language)}?q={search_term_string}`;
  return { '@type': 'SearchAction', target, 'query-input': 'required name=search_term_string' };
}

function article({ context, facts, seo, image, ...page }: Page): Properties {
  const author = nameOf(facts.record?.author);
  return withValues({
    '@type': 'Article',
    headline: facts.title,
    description: seo.description,
    datePublished: facts.record?.published_at,
    dateModified: facts.record?.updated_at,
    inLanguage: facts.contentLanguage,
    mainEntityOfPage: seo.canonical,
    isPartOf: siteOf({ context, facts, seo, image, ...page }),
    image: image ? [image.url] : null,
    author: author === null ? null : { '@type': 'Person', name: author },
    publisher: organization({ context, facts, seo, image, ...page }),
  });
}

function product({ context, facts, seo, image }: Page): Properties {
  const rule = context.release.seo.entities.find(({ collection }) => collection === facts.collection);
  const textOf = (name: EntityProperty): string | null => {
    const source = rule?.properties[name];
    const value = source === undefined ? null : 'text' in source ? source.text : facts.record?.[source.field];
    return typeof value === 'number' || typeof value === 'string' ? String(value).trim() : null;
  };
  const [price, priceCurrency, brand] = [textOf('price'), textOf('priceCurrency'), textOf('brand')];
  return withValues({
    '@type': 'Product',
    name: facts.title,
    description: seo.description,
    image: image ? [image.url] : null,
    sku: textOf('sku'),
    brand: brand ? { '@type': 'Brand', name: brand } : null,
    offers: price ? withValues({ '@type': 'Offer', price, priceCurrency, url: seo.canonical }) : null,
  });
}

/** What the record of a page is: as its collection is set, else an article if it is in a feed. */
function entity(page: Page): Properties | null {
  const { context, facts } = page;
  if (facts.record === null) return null;
  const rule = context.release.seo.entities.find(({ collection }) => collection === facts.collection);
  const type = rule?.type ?? (facts.isArticle ? 'Article' : 'none');
  return type === 'none' ? null : type === 'Article' ? article(page) : product(page);
}

function breadcrumbs({ context, facts }: Page): Properties | null {
  if (facts.breadcrumbs.length < 2) return null;
  const home = canonicalAddress(context, '/', context.language);
  return {
    '@type': 'BreadcrumbList',
    itemListElement: facts.breadcrumbs.map(({ title, url }, at) => ({ '@type': 'ListItem', position: at + 1, name: title, item: new URL(url, home).href })),
  };
}

/** Structured data of a page by schema.org. What lacks a required property is left out: search engines would report it as an error. */
export function structuredData(page: Page): object[] {
  const { context, facts } = page;
  const site = facts.isHome
    ? withValues({ ...siteOf(page), inLanguage: context.language, publisher: organization(page), potentialAction: searchAction(page) })
    : null;
  return [site, facts.isHome ? organization(page) : null, entity(page), breadcrumbs(page)].flatMap((one) =>
    one === null || structuredProblems(one).some(({ isRequired }) => isRequired) ? [] : [{ '@context': 'https://schema.org', ...one }],
  );
}
