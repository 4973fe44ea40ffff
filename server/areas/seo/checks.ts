import type { PageOverride } from '../../../contract/seo/part';
import type { SeoPage } from '../../../contract/seo/schemas';
import type { PageProblem } from '../../../contract/seo/terms';
import { resultWidth } from '../../../contract/seo/textWidth';
import { siteFacts } from './pages';
import type { PagedSite, SitePage } from './pages';

/** Whether a text is cut in results on a desktop. */
const isLong = (text: string, part: 'title' | 'description'): boolean => resultWidth(text, part, 'desktop').cut;

/** Texts that several pages have; search engines show only one of them. */
function repeated(texts: readonly (string | null)[]): ReadonlySet<string> {
  const seenOnce = new Set<string>();
  const twice = new Set<string>();
  for (const text of texts) if (text !== null && text !== '') (seenOnce.has(text) ? twice : seenOnce).add(text);
  return twice;
}

type Texts = { readonly title: string; readonly description: string | null };
type Checked = Texts & { readonly page: SitePage; readonly override: PageOverride | undefined };

/** What is wrong with one page. One that may not be indexed needs no texts. */
function problemsOf({ seo, pageRules }: PagedSite, checked: Checked, titles: ReadonlySet<string>, descriptions: ReadonlySet<string>): PageProblem[] {
  const { page, title, description, override } = checked;
  if (pageRules.robots(page.path).indexing === 'noindex') return ['noindex'];
  if (page.isMachine) return ['machine'];
  const hasTitle = page.kind === 'home' || page.title !== null || Boolean(override?.title[page.language]);
  const found: readonly (readonly [PageProblem, boolean])[] = [
    ['title_missing', !hasTitle],
    ['title_long', isLong(title, 'title')],
    ['title_duplicate', titles.has(title)],
    ['description_missing', description === null],
    ['description_long', description !== null && isLong(description, 'description')],
    ['description_duplicate', description !== null && descriptions.has(description)],
    ['no_image', !page.hasImage && !seo.social.drawn && (override?.image ?? null) === null],
  ];
  return found.flatMap(([problem, applies]) => (applies ? [problem] : []));
}

/** Pages with their texts and what is wrong with them. */
export function checkPages(site: PagedSite, pages: readonly SitePage[], tag: string): SeoPage[] {
  const { pageRules } = site;
  const facts = siteFacts(site, tag);
  const checked = pages.map((page): Checked => ({
    page,
    override: pageRules.override(page.path),
    title: pageRules.title(page, facts),
    description: pageRules.description(page, facts),
  }));
  const open = checked.filter(({ page }) => !page.isMachine && pageRules.robots(page.path).indexing === 'index');
  const titles = repeated(open.map(({ title }) => title));
  const descriptions = repeated(open.map(({ description }) => description));
  return checked.map((one): SeoPage => {
    const rule = pageRules.robots(one.page.path);
    const { indexing, reason } = rule.indexing === 'index' && one.page.isMachine ? ({ indexing: 'noindex', reason: 'machine' } as const) : rule;
    const inherited = { title: pageRules.inherited.title(one.page, facts), description: pageRules.inherited.description(one.page, facts) };
    return {
      path: one.page.path,
      kind: one.page.kind,
      title: one.title,
      description: one.description,
      inherited,
      indexing,
      reason,
      override: one.override ?? null,
      problems: problemsOf(site, one, titles, descriptions),
    };
  });
}
