import { isRuleId, ruleOf } from '@contract/crawler/rules';
import type { CrawlIssue } from '@contract/crawler/inventorySchemas';
import { mayOnSite } from '@contract/permissions';
import type { Site } from '@contract/sites/schemas';
import { href } from '@/routes/paths';

/** Where an issue can be fixed: the address of an editor, with the page filled in. */
export type Fix = { readonly to: string; readonly place: 'pages' | 'redirects' | 'robots' | 'sitemaps' | 'records' };

const pathOf = (url: string | null): string => {
  if (url === null || !URL.canParse(url)) return '';
  const { pathname } = new URL(url);
  try {
    return decodeURI(pathname);
  } catch {
    return pathname;
  }
};

/** Rules that a title, a description or the indexing of a page decides. */
const ofPages = new Set(['titles', 'indexing', 'canonicals', 'social']);

/** The editor of the console that fixes an issue; null: the site is made elsewhere, or its theme has to change. */
export function fixOf({ rule, url }: Pick<CrawlIssue, 'rule' | 'url'>, site: Site | undefined): Fix | null {
  if (site?.purpose !== 'built' || !isRuleId(rule)) return null;
  const seo = (tab: string, query: Readonly<Record<string, string>> = {}): string =>
    `${href('site.seo', { siteId: site.id })}?${new URLSearchParams({ tab, ...query }).toString()}`;
  const path = pathOf(url);
  const { group } = ruleOf(rule);
  if (rule === 'robots_unreachable' || rule === 'robots_problem' || rule === 'index_blocked')
    return { to: seo('robots', path === '' ? {} : { path }), place: 'robots' };
  if (rule === 'http_client_error' || rule === 'change_gone') return { to: seo('redirects', { from: path }), place: 'redirects' };
  if (group === 'redirects' || rule === 'link_redirected') return { to: seo('redirects', { q: path }), place: 'redirects' };
  if (group === 'sitemaps') return { to: seo('sitemaps'), place: 'sitemaps' };
  if (rule.startsWith('heading') || group === 'content' || group === 'images' || group === 'links')
    return mayOnSite(site.role, 'tables.use') ? { to: href('site.table.records', { siteId: site.id }), place: 'records' } : null;
  return ofPages.has(group) && path !== '' ? { to: seo('pages', { q: path }), place: 'pages' } : null;
}
