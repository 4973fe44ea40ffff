import type { PageOverride, SeoPart } from './part';
import { pathPattern, pathPatterns } from './robots';
import type { IndexingValue, PageKind } from './terms';
import { fillTemplate } from './titleTemplate';
import type { TemplateValues } from './titleTemplate';

/** What the part `seo` says about a page: the same for delivered pages, for checks and for previews in the console. */

/** A page as its route and content make it. */
export type PageFacts = {
  readonly kind: PageKind;
  /** The collection whose record or list it shows. */
  readonly collection: string | null;
  readonly collectionTitle: string | null;
  /** Decoded, without the prefix of a language. */
  readonly path: string;
  readonly language: string;
  /** Null: the page is about the site itself. */
  readonly title: string | null;
  readonly description: string | null;
  /** Of a list, from 1. */
  readonly page: number;
  /** Day of publication of a record, as people read it. */
  readonly date: string | null;
};
export type SiteFacts = { readonly title: string; readonly tagline: string | null };

export type RobotsMeta = {
  readonly indexing: IndexingValue;
  readonly nofollow: boolean;
  readonly header: boolean;
  readonly maxSnippet: number;
  readonly maxImagePreview: 'none' | 'standard' | 'large';
  /** What decides: the pattern of a rule, `override`; null: nothing does. */
  readonly reason: string | null;
};

type PageTexts = {
  readonly title: (page: PageFacts, site: SiteFacts) => string;
  readonly description: (page: PageFacts, site: SiteFacts) => string | null;
};
export type PageRules = PageTexts & {
  readonly override: (path: string) => PageOverride | undefined;
  /** Texts without those that people wrote for single pages. */
  readonly inherited: PageTexts;
  readonly robots: (path: string) => RobotsMeta;
  /** Whether sitemaps may name a path: nothing excludes it, forbids indexing or names another canonical address. */
  readonly isListed: (path: string) => boolean;
};

const aboutSite = '{site} {sep} {tagline}';
const defaultTitles: Readonly<Record<PageKind, string>> = {
  home: aboutSite,
  record: '{title} {sep} {site}',
  list: '{title} {sep} {page} {sep} {site}',
  template: '{title} {sep} {site}',
  search: '{title} {sep} {site}',
  not_found: '{title} {sep} {site}',
};
/** The title that pages of a kind have without a template. */
export const defaultTitle = (kind: PageKind): string => defaultTitles[kind];

const open: RobotsMeta = { indexing: 'index', nofollow: false, header: false, maxSnippet: -1, maxImagePreview: 'large', reason: null };

/** Values of the variables in templates of a page. */
export const templateValues = ({ separator }: Pick<SeoPart, 'separator'>, page: PageFacts, site: SiteFacts): TemplateValues => ({
  title: page.title,
  site: site.title,
  tagline: site.tagline,
  sep: separator,
  collection: page.collectionTitle,
  page: page.page > 1 ? String(page.page) : null,
  date: page.date,
  description: page.description,
});

/** Compiled once for a release. `languages`: of the site, the default one first; its templates stand in for those that other languages lack. */
export function compilePageRules(part: SeoPart, languages: readonly string[]): PageRules {
  const [initial = ''] = languages;
  const overrides = new Map(part.overrides.map((override) => [override.path, override]));
  const templates = new Map(part.templates.map((template) => [`${template.kind} ${template.collection}`, template]));
  const rules = part.indexing.map((rule) => ({ ...rule, matches: pathPattern(rule.pattern) })).toSorted((a, b) => b.pattern.length - a.pattern.length);
  const isExcluded = pathPatterns(part.sitemap.excluded);

  const templateOf = ({ kind, collection, language }: PageFacts, text: 'title' | 'description'): string => {
    const own = templates.get(`${kind} ${collection ?? ''}`)?.[text];
    const all = templates.get(`${kind} *`)?.[text];
    return own?.[language] || own?.[initial] || all?.[language] || all?.[initial] || '';
  };
  const valuesOf = (page: PageFacts, site: SiteFacts) => templateValues(part, page, site);
  const robots = (path: string): RobotsMeta => {
    const rule = rules.find(({ matches }) => matches(path));
    const own = overrides.get(path)?.indexing ?? null;
    const base: RobotsMeta = rule ? { ...rule, reason: rule.pattern } : open;
    return own === null ? base : { ...base, indexing: own, reason: 'override' };
  };
  const inherited: PageTexts = {
    title(page, site) {
      const template = templateOf(page, 'title') || (page.title === null ? aboutSite : defaultTitles[page.kind]);
      return fillTemplate(template, valuesOf(page, site)) || site.title;
    },
    description(page, site) {
      const template = templateOf(page, 'description');
      return (template === '' ? page.description : fillTemplate(template, valuesOf(page, site))) || null;
    },
  };
  return {
    inherited,
    override: (path) => overrides.get(path),
    title: (page, site) => overrides.get(page.path)?.title[page.language] || inherited.title(page, site),
    description: (page, site) => overrides.get(page.path)?.description[page.language] || inherited.description(page, site),
    robots,
    isListed: (path) => !isExcluded(path) && robots(path).indexing === 'index' && ['', path].includes(overrides.get(path)?.canonical ?? ''),
  };
}

/** The content of the meta element `robots`, and of the header `X-Robots-Tag`. */
export function robotsContent({ nofollow, maxSnippet, maxImagePreview }: RobotsMeta, isIndexed: boolean): string {
  const follow = nofollow ? ['nofollow'] : [];
  if (!isIndexed) return ['noindex', ...follow].join(', ');
  return [...follow, ...(maxSnippet < 0 ? [] : [`max-snippet:${String(maxSnippet)}`]), `max-image-preview:${maxImagePreview}`].join(', ');
}
