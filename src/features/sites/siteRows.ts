import type { Site, SiteFigures } from '@contract/sites/schemas';
import { hostOf } from '@/lib/hostOf';
import { matchScore } from '@/lib/match';

export const shows = ['active', 'archived', 'bin'] as const;
/** States of the sites that are not archived. */
export const stateFilters = ['any', 'draft', 'published', 'maintenance', 'suspended'] as const;
export type StateFilter = (typeof stateFilters)[number];
export const sorts = ['visitors', 'name', 'created'] as const;
export type Show = (typeof shows)[number];
export type SiteSort = (typeof sorts)[number];
export type FiguresById = ReadonlyMap<string, SiteFigures>;

/** Every word has to occur in the name (also by its pinyin initials), the address or the slug. */
const matches = (site: Site, terms: readonly string[]): boolean =>
  terms.every((term) => matchScore(term, site.name, [site.url ?? site.systemHost ?? '', site.slug]) > 0);

/**
 * Sites as the list shows them: filtered, matching every word, pinned ones first. Sites without figures come after those with. With equal figures, and until figures
 * have loaded, older sites come first: they usually have more visitors, so that few sites move when the figures arrive.
 */
export function siteRows(
  sites: readonly Site[],
  { show, state, q, sort, figures, locale }: { show: Show; state: StateFilter; q: string; sort: SiteSort; figures: FiguresById | undefined; locale: string },
): Site[] {
  const terms = q
    .toLowerCase()
    .split(/\s+/)
    .filter((term) => term !== '');
  const collator = new Intl.Collator(locale, { numeric: true });
  const byName = (a: Site, b: Site) => collator.compare(a.name, b.name);
  const visitors = (site: Site) => figures?.get(site.id)?.visitorsToday ?? -1;
  const order: Record<SiteSort, (a: Site, b: Site) => number> = {
    visitors: (a, b) => visitors(b) - visitors(a) || a.createdAt.localeCompare(b.createdAt) || byName(a, b),
    name: byName,
    created: (a, b) => b.createdAt.localeCompare(a.createdAt) || byName(a, b),
  };
  return sites
    .filter((site) => (site.state === 'archived') === (show === 'archived') && (state === 'any' || site.state === state) && matches(site, terms))
    .sort((a, b) => Number(b.pinned) - Number(a.pinned) || order[sort](a, b));
}

/** The line below the name of a site: why it is suspended, and its address. */
export const detailOf = (site: Site): string => [...(site.suspendedReason === null ? [] : [site.suspendedReason]), hostOf(site)].join(' · ');
