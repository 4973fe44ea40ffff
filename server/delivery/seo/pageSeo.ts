import { robotsContent } from '../../../contract/seo/pageRules';
import { isIndexed as isSiteIndexed } from '../../../contract/sites/terms';
import type { Globals } from '../content/globals';
import type { PageFacts } from '../content/pageData';
import type { PageContext } from '../edition';
import { canonicalAddress } from '../paths';

/** What search engines are told about a page. */
export type PageSeo = {
  /** Title of the document. */
  readonly title: string;
  /** Title of the page alone, as social cards show it. */
  readonly shareTitle: string;
  readonly description: string | null;
  /** Null for pages that have none. */
  readonly canonical: string | null;
  /** Addresses of the page in the languages in which it may be indexed; empty if it may not be in its own, or has a canonical address elsewhere. */
  readonly alternates: ReadonlyMap<string, string>;
  /** Content of the meta element `robots`. */
  readonly robots: string;
  /** Value of the header `X-Robots-Tag`; null: none. */
  readonly robotsHeader: string | null;
  /** The picture that a person has chosen for the page's card. */
  readonly image: string | null;
};

function canonicalOf(context: PageContext, facts: PageFacts, override: string): string | null {
  if (facts.canonical === null || override === '') return facts.canonical;
  return override.startsWith('/') ? canonicalAddress(context, override, facts.language) : override;
}

/** Applies the rules of the release to a page. What closes the whole site counts before them. */
export function pageSeo(context: PageContext, facts: PageFacts, { site }: Pick<Globals, 'site'>): PageSeo {
  const { pageRules, settings } = context.release;
  const override = pageRules.override(facts.path);
  const rule = pageRules.robots(facts.path);
  const isMachine = facts.machineLanguages.has(facts.contentLanguage);
  const isIndexed = facts.indexed && !isMachine && rule.indexing === 'index' && !context.preview && isSiteIndexed(context.site) && settings.robots === 'open';
  const robots = robotsContent(rule, isIndexed);
  const canonical = canonicalOf(context, facts, override?.canonical ?? '');
  return {
    title: pageRules.title(facts, site),
    shareTitle: override?.title[facts.language] || (facts.title ?? site.title),
    description: pageRules.description(facts, site),
    canonical,
    alternates: new Map(isMachine || canonical !== facts.canonical ? [] : [...facts.alternates].filter(([language]) => !facts.machineLanguages.has(language))),
    robots,
    robotsHeader: !isIndexed || rule.header ? robots : null,
    image: override?.image ?? null,
  };
}
