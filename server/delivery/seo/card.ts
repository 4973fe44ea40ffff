import type { ResourceLabel } from '../../../contract/resources/labels';
import { titleOfSite } from '../content/globals';
import type { Globals } from '../content/globals';
import type { PageFacts } from '../content/pageData';
import { imageOfLabel } from '../content/values';
import type { TemplateImage } from '../content/values';
import type { PageContext } from '../edition';
import { canonicalAddress } from '../paths';
import { cardSize } from './cardDrawing';
import { drawnCard } from './drawnCards';
import { meta, property } from './elements';
import type { PageSeo } from './pageSeo';

export type CardImage = Pick<TemplateImage, 'url' | 'width' | 'height' | 'alt'>;

/** The picture of a page's card: the one that a person chose for it, the first image of its record, that of the site, one that is drawn. */
export function cardImage(context: PageContext, facts: PageFacts, globals: Globals, seo: PageSeo, chosen: ResourceLabel | undefined): CardImage | null {
  const ofRecord = Object.values(facts.record ?? {}).flatMap((value) => {
    const [first] = Array.isArray(value) ? (value as (object | string)[]) : [];
    return typeof first === 'object' && 'srcset' in first ? [first as TemplateImage] : [];
  })[0];
  const shared = globals.resources[context.release.settings.shareImage ?? ''];
  const image = chosen ? imageOfLabel(chosen, context.language) : (ofRecord ?? (shared ? imageOfLabel(shared, context.language) : null));
  const here = canonicalAddress(context, '/', context.language);
  if (image) return { ...image, url: image.url.startsWith('/') ? new URL(image.url, here).href : image.url };
  const drawn = drawnCard(context, facts, globals, seo.shareTitle);
  return drawn && { ...cardSize, url: new URL(drawn.path, here).href, alt: drawn.texts.title };
}

/** A language as Open Graph writes it, with a region: that of the tag, else the one with most readers, so that `zh-Hans` is `zh_CN`. */
function ogLocale(tag: string): string {
  const { language, region } = new Intl.Locale(tag).maximize();
  return region === undefined ? language : `${language}_${region}`;
}

/** What social networks show of a page. */
export function socialCard(context: PageContext, facts: PageFacts, seo: PageSeo, image: CardImage | null): string[] {
  const { release } = context;
  const { contentLanguage: language } = facts;
  const isArticle = facts.record !== null && facts.isArticle;
  const { twitter } = release.seo.social;
  return [
    ...property('og:type', isArticle ? 'article' : 'website'),
    ...property('og:title', seo.shareTitle),
    ...property('og:description', seo.description),
    ...property('og:url', seo.canonical),
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
    ...meta('twitter:site', twitter === '' ? null : `@${twitter}`),
  ];
}
