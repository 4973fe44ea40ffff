import { isIndexed } from '../../contract/sites/terms';
import { alternatesOf } from './alternates';
import type { PageContext } from './edition';
import { imageOfLabel } from './content/values';
import type { TemplateImage } from './content/values';
import { feedRoutes, titleOfSite } from './content/globals';
import type { Globals } from './content/globals';
import type { PageFacts } from './content/pageData';
import { escapeHtml, tagOf } from './pages';
import { canonicalAddress, pathIn } from './paths';

type Attributes = Readonly<Record<string, string | number | null | undefined>>;
/** An element without content; attributes without a value are omitted. */
const element = (name: string, attributes: Attributes): string =>
  `<${name}${Object.entries(attributes)
    .flatMap(([key, value]) => (value === null || value === undefined || value === '' ? [] : [` ${key}="${escapeHtml(String(value))}"`]))
    .join('')}>`;
const meta = (name: string, content: string | null | undefined): string[] => (content ? [element('meta', { name, content })] : []);
const property = (name: string, content: string | number | null | undefined): string[] => (content ? [element('meta', { property: name, content })] : []);

/** JSON for a script element: it cannot end the element. */
const jsonLd = (value: object): string => `<script type="application/ld+json">${JSON.stringify(value).replaceAll('<', String.raw`\u003c`)}</script>`;

type HeadImage = Pick<TemplateImage, 'url' | 'width' | 'height' | 'alt'>;

/** The picture of social cards: the first image of the record, else that of the settings. */
function imageOf(context: PageContext, facts: PageFacts, globals: Globals): HeadImage | null {
  const own = Object.values(facts.record ?? {}).flatMap((value) => {
    const [first] = Array.isArray(value) ? (value as (object | string)[]) : [];
    return typeof first === 'object' && 'srcset' in first ? [first as TemplateImage] : [];
  })[0];
  const shared = globals.resources[context.release.settings.shareImage ?? ''];
  const image = own ?? (shared ? imageOfLabel(shared, context.language) : null);
  return image && { ...image, url: image.url.startsWith('/') ? `${context.origin}${image.url}` : image.url };
}

/** `zh_Hans`, `pt_BR`: as Open Graph writes languages. */
const ogLocale = (language: string): string => language.replaceAll('-', '_');

const nameOf = (value: unknown): string | null =>
  typeof value === 'object' && value !== null && 'title' in value && typeof value.title === 'string' ? value.title : null;

function structuredData(context: PageContext, facts: PageFacts, image: HeadImage | null): object[] {
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
      ...(facts.description === null ? {} : { description: facts.description }),
      datePublished: facts.record.published_at,
      dateModified: facts.record.updated_at,
      inLanguage: language,
      mainEntityOfPage: facts.canonical,
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

function socialCard(context: PageContext, facts: PageFacts, title: string, image: HeadImage | null): string[] {
  const { language, release } = context;
  const isArticle = facts.record !== null && facts.isArticle;
  return [
    ...property('og:type', isArticle ? 'article' : 'website'),
    ...property('og:title', title),
    ...property('og:description', facts.description),
    ...property('og:url', facts.canonical),
    ...property('og:site_name', titleOfSite(context)),
    ...property('og:locale', ogLocale(language)),
    ...release.languages.filter((one) => one !== language && facts.alternates.has(one)).flatMap((one) => property('og:locale:alternate', ogLocale(one))),
    ...property('og:image', image?.url),
    ...property('og:image:width', image?.width),
    ...property('og:image:height', image?.height),
    ...property('og:image:alt', image?.alt),
    ...(isArticle ? property('article:published_time', facts.record?.published_at) : []),
    ...(isArticle ? property('article:modified_time', facts.record?.updated_at) : []),
    ...meta('twitter:card', image ? 'summary_large_image' : 'summary'),
  ];
}

/** Title of a page in browsers: the page first, then the site. */
function documentTitle(context: PageContext, { title, isHome }: PageFacts, globals: Globals): string {
  const site = titleOfSite(context);
  if (title !== null && !isHome) return `${title} · ${site}`;
  return globals.site.tagline === null ? site : `${site} · ${globals.site.tagline}`;
}

/** Whether search engines may index a page. */
export const isPageIndexed = (context: PageContext, facts: PageFacts): boolean =>
  facts.indexed && !context.preview && isIndexed(context.site) && context.release.settings.robots === 'open';

/** What the program inserts into the head of a page, so that a theme can neither forget nor forge it. */
export function headOf(context: PageContext, facts: PageFacts, globals: Globals): string {
  const { release, site, language } = context;
  const { settings } = release;
  const image = imageOf(context, facts, globals);
  const icon = settings.icon === null ? undefined : globals.resources[settings.icon];
  return [
    `<title>${escapeHtml(documentTitle(context, facts, globals))}</title>`,
    ...meta('description', facts.description),
    ...(isPageIndexed(context, facts) ? meta('robots', 'max-image-preview:large') : meta('robots', 'noindex')),
    ...(facts.canonical === null ? [] : [element('link', { rel: 'canonical', href: facts.canonical })]),
    ...alternatesOf(context, facts.alternates).map((link) => element('link', { rel: 'alternate', ...link })),
    ...(icon ? [element('link', { rel: 'icon', href: imageOfLabel(icon, language).url, type: icon.kind === 'svg' ? 'image/svg+xml' : null })] : []),
    ...(feedRoutes(context).length === 0
      ? []
      : [element('link', { rel: 'alternate', type: 'application/atom+xml', title: titleOfSite(context), href: pathIn(context, '/feed.xml', language) })]),
    ...socialCard(context, facts, facts.title ?? titleOfSite(context), image),
    ...structuredData(context, facts, image).map(jsonLd),
    ...(settings.measuring && !context.preview ? [tagOf(site)] : []),
    settings.headCode,
  ]
    .filter((part) => part !== '')
    .join('\n');
}

/** What the program inserts before the end of a page. */
export const footerOf = ({ release }: PageContext): string => release.settings.bodyCode;

const strictPolicy = {
  'default-src': "'none'",
  'script-src': "'self'",
  'style-src': "'self'",
  'img-src': "'self' data: https: http:",
  'media-src': "'self' https:",
  'font-src': "'self' data:",
  'connect-src': "'self'",
  'form-action': "'self'",
  'manifest-src': "'self'",
  'base-uri': "'none'",
};
/** Code that an owner adds usually loads scripts, pictures and frames of other services. */
const openPolicy = {
  ...strictPolicy,
  'script-src': "'self' 'unsafe-inline' https:",
  'style-src': "'self' 'unsafe-inline' https:",
  'media-src': "'self' https: blob:",
  'font-src': "'self' data: https:",
  'connect-src': "'self' https: wss:",
  'frame-src': 'https:',
  'worker-src': "'self' blob:",
  'form-action': "'self' https:",
};

/** Content security policy of a page. `ancestors`: origins that may frame it. */
export function policyOf({ release }: Pick<PageContext, 'release'>, ancestors = "'self'"): string {
  const { headCode, bodyCode } = release.settings;
  const policy = headCode === '' && bodyCode === '' ? strictPolicy : openPolicy;
  return [...Object.entries(policy), ['frame-ancestors', ancestors]].map((parts) => parts.join(' ')).join('; ');
}
