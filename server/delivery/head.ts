import { escapeHtml } from '../kit/text/escapeHtml';
import { alternatesOf } from './alternates';
import type { PageContext } from './edition';
import { footerStyle, footerStyleSource } from './filingFooters';
import { imageOfLabel } from './content/values';
import { feedRoutes, titleOfSite } from './content/globals';
import type { Globals } from './content/globals';
import type { PageFacts } from './content/pageData';
import { offerTag } from './languageOffer';
import { tagOf } from './pages';
import { pathIn } from './paths';
import { socialCard } from './seo/card';
import type { CardImage } from './seo/card';
import type { RenderedPage } from './render';
import { supportTag } from './support/onPages';
import { element, meta } from './seo/elements';
import type { PageSeo } from './seo/pageSeo';
import { structuredData } from './seo/structuredData';

/** JSON for a script element: it cannot end the element. */
const jsonLd = (value: object): string => `<script type="application/ld+json">${JSON.stringify(value).replaceAll('<', String.raw`\u003c`)}</script>`;

/** What the program inserts into the head of a page, so that a theme can neither forget nor forge it. */
export function headOf(context: PageContext, facts: PageFacts, globals: Globals, seo: PageSeo, image: CardImage | null): string {
  const { release, site, language } = context;
  const { settings } = release;
  const icon = settings.icon === null ? undefined : globals.resources[settings.icon];
  return [
    `<title>${escapeHtml(seo.title)}</title>`,
    ...meta('description', seo.description),
    ...meta('robots', seo.robots),
    ...(seo.canonical === null ? [] : [element('link', { rel: 'canonical', href: seo.canonical })]),
    ...alternatesOf(context, seo.alternates).map((link) => element('link', { rel: 'alternate', ...link })),
    ...(icon ? [element('link', { rel: 'icon', href: imageOfLabel(icon, language).url, type: icon.kind === 'svg' ? 'image/svg+xml' : null })] : []),
    ...(feedRoutes(context).length === 0
      ? []
      : [element('link', { rel: 'alternate', type: 'application/atom+xml', title: titleOfSite(context), href: pathIn(context, '/feed.xml', language) })]),
    ...socialCard(context, facts, seo, image),
    ...structuredData({ context, facts, globals, seo, image }).map(jsonLd),
    ...offerTag(context, facts),
    ...(settings.measuring && !context.preview ? [tagOf(site)] : []),
    context.filings.html === '' ? '' : footerStyle,
    settings.headCode,
  ]
    .filter((part) => part !== '')
    .join('\n');
}

/** What the program inserts before the end of a page. */
export const footerOf = (context: PageContext, facts: PageFacts): string =>
  [context.filings.html, supportTag(context, facts), context.release.settings.bodyCode].filter((part) => part !== '').join('\n');

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
export function policyOf(
  { release, filings }: Pick<PageContext, 'release' | 'filings'>,
  { hasExternalCode }: Pick<RenderedPage, 'hasExternalCode'>,
  ancestors = "'self'",
): string {
  const { headCode, bodyCode } = release.settings;
  const styled = filings.html === '' ? strictPolicy : { ...strictPolicy, 'style-src': `${strictPolicy['style-src']} ${footerStyleSource}` };
  const policy = headCode === '' && bodyCode === '' && !hasExternalCode ? styled : openPolicy;
  return [...Object.entries(policy), ['frame-ancestors', ancestors]].map((parts) => parts.join(' ')).join('; ');
}
