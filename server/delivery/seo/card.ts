import type { ResourceLabel } from '../../../contract/resources/labels';
import { titleOfSite } from '../content/globals';
import type { Globals } from '../content/globals';
import type { PageFacts } from '../content/pageData';
import { imageOfLabel } from '../content/values';
import type { TemplateImage } from '../content/values';
import type { PageContext } from '../edition';
import { meta, property } from './elements';
import type { PageSeo } from './pageSeo';

export type CardImage = Pick<TemplateImage, 'url' | 'width' | 'height' | 'alt'>;

/** The picture of a page's card: the one that a person chose for it, the first image of its record, that of the site. */
export function cardImage(context: PageContext, facts: PageFacts, globals: Globals, chosen: ResourceLabel | undefined): CardImage | null {
  const ofRecord = Object.values(facts.record ?? {}).flatMap((value) => {
    const [first] = Array.isArray(value) ? (value as (object | string)[]) : [];
    return typeof first === 'object' && 'srcset' in first ? [first as TemplateImage] : [];
  })[0];
  const shared = globals.resources[context.release.settings.shareImage ?? ''];
  const image = chosen ? imageOfLabel(chosen, context.language) : (ofRecord ?? (shared ? imageOfLabel(shared, context.language) : null));
  return image && { ...image, url: image.url.startsWith('/') ? `${context.origin}${image.url}` : image.url };
}

/** `zh_Hans`, `pt_BR`: as Open Graph writes languages. */
const ogLocale = (language: string): string => language.replaceAll('-', '_');

/** What social networks show of a page. */
export function socialCard(context: PageContext, facts: PageFacts, seo: PageSeo, image: CardImage | null): string[] {
  const { language, release } = context;
  const isArticle = facts.record !== null && facts.isArticle;
  const { twitter } = release.seo.social;
  return [
    ...property('og:type', isArticle ? 'article' : 'website'),
    ...property('og:title', seo.shareTitle),
    ...property('og:description', seo.description),
    ...property('og:url', seo.canonical),
    ...property('og:site_name', titleOfSite(context)),
    ...property('og:locale', ogLocale(language)),
    ...release.languages.filter((one) => one !== language && one in facts.alternates).flatMap((one) => property('og:locale:alternate', ogLocale(one))),
    ...property('og:image', image?.url),
    ...property('og:image:width', image?.width),
    ...property('og:image:height', image?.height),
    ...property('og:image:alt', image?.alt),
    ...(isArticle ? property('article:published_time', facts.record?.published_at) : []),
    ...(isArticle ? property('article:modified_time', facts.record?.updated_at) : []),
    ...meta('twitter:card', image ? 'summary_large_image' : 'summary'),
    ...meta('twitter:site', twitter === '' ? null : `@${twitter}`),
  ];
}
