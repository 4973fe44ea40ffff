import type { SiteFigures } from '@contract/sites/list';
import type { Site } from '@contract/sites/schemas';
import { hostOf } from '@/lib/hostOf';
import { matchScore, matchesSyllables } from '@/lib/match';

export const shows = ['active', 'archived', 'bin'] as const;
/** States of the sites that are not archived. */
export const stateFilters = ['any', 'draft', 'published', 'maintenance', 'suspended'] as const;
export type StateFilter = (typeof stateFilters)[number];
export const sorts = ['visitors', 'change', 'unread', 'health', 'name', 'created'] as const;
export type Show = (typeof shows)[number];
export type SiteSort = (typeof sorts)[number];
export type FiguresById = ReadonlyMap<string, SiteFigures>;
/** Syllables of names with Chinese characters, by id. */
export type PinyinById = ReadonlyMap<string, readonly string[]>;

/** Days before the end of a certificate on which the list warns. */
const certificateDays = 14;
const dayMs = 86_400_000;

export type Problem =
  | { readonly kind: 'down' | 'certificateFailed' | 'certificateEnded' }
  | { readonly kind: 'certificateEnds'; readonly days: number }
  | { readonly kind: 'issues'; readonly errors: number };

/** What is wrong with a site, the worst first. */
export function problemsOf({ uptime, certificate, issues }: Pick<SiteFigures, 'uptime' | 'certificate' | 'issues'>, now: number): Problem[] {
  const problems: Problem[] = uptime === 'down' ? [{ kind: 'down' }] : [];
  const left = certificate?.until == null ? Infinity : Date.parse(certificate.until) - now;
  if (left <= 0) problems.push({ kind: 'certificateEnded' });
  else if (certificate?.failed) problems.push({ kind: 'certificateFailed' });
  else if (left < certificateDays * dayMs) problems.push({ kind: 'certificateEnds', days: Math.ceil(left / dayMs) });
  if (issues !== null && issues.errors > 0) problems.push({ kind: 'issues', errors: issues.errors });
  return problems;
}

const weights: Readonly<Record<Problem['kind'], number>> = { down: 1e6, certificateEnded: 5e5, certificateFailed: 2e5, certificateEnds: 1e5, issues: 0 };
const badness = (figures: SiteFigures | undefined, now: number): number =>
  figures === undefined
    ? -1
    : problemsOf(figures, now).reduce((sum, problem) => sum + weights[problem.kind] + (problem.kind === 'issues' ? Math.min(problem.errors, 9e4) : 0), 0);

/** Visitors today minus those of yesterday up to the same time; sites without a comparison come last. */
function gain(figures: SiteFigures | undefined): number {
  const visits = figures?.visits;
  return visits?.visitorsYesterdaySoFar == null ? -Infinity : visits.visitorsToday - visits.visitorsYesterdaySoFar;
}

/** Every word has to occur in the name (also by its pinyin), the address, the slug or a tag. */
const matches = (site: Site, terms: readonly string[], pinyin: PinyinById | undefined): boolean =>
  terms.every(
    (term) =>
      matchScore(term, site.name, [hostOf(site), site.url ?? site.systemHost ?? '', site.slug, ...site.tags.map(({ name }) => name)]) > 0 ||
      matchesSyllables(term, pinyin?.get(site.id) ?? []),
  );

export type SiteQuery = {
  readonly show: Show;
  readonly state: StateFilter;
  /** Name of a tag; '' for all sites. */
  readonly tag: string;
  readonly q: string;
  readonly sort: SiteSort;
  readonly figures: FiguresById | undefined;
  readonly pinyin: PinyinById | undefined;
  readonly locale: string;
  readonly now: number;
};

/**
 * Sites as the list shows them: filtered, matching every word, pinned ones first. Sites without figures come after those with. With equal figures, and until figures
 * have loaded, older sites come first: they usually have more visitors, so that few sites move when the figures arrive.
 */
export function siteRows(sites: readonly Site[], { show, state, tag, q, sort, figures, pinyin, locale, now }: SiteQuery): Site[] {
  const terms = q
    .toLowerCase()
    .split(/\s+/)
    .filter((term) => term !== '');
  const collator = new Intl.Collator(locale, { numeric: true });
  const byName = (a: Site, b: Site) => collator.compare(a.name, b.name);
  const byAge = (a: Site, b: Site) => a.createdAt.localeCompare(b.createdAt) || byName(a, b);
  const figureOf: Partial<Record<SiteSort, (found: SiteFigures | undefined) => number>> = {
    visitors: (found) => found?.visits?.visitorsToday ?? -1,
    change: gain,
    unread: (found) => found?.unread ?? -1,
    health: (found) => badness(found, now),
  };
  const figure = figureOf[sort];
  const found = sites.filter(
    (site) =>
      (site.state === 'archived') === (show === 'archived') &&
      (state === 'any' || site.state === state) &&
      (tag === '' || site.tags.some(({ name }) => name === tag)) &&
      matches(site, terms, pinyin),
  );
  const values = new Map(figure && found.map((site) => [site.id, figure(figures?.get(site.id))]));
  const valueOf = (site: Site): number => values.get(site.id) ?? 0;
  // Not by subtraction: two infinite values have no difference.
  const byFigure = (a: Site, b: Site) => (valueOf(a) === valueOf(b) ? byAge(a, b) : valueOf(a) < valueOf(b) ? 1 : -1);
  const order = sort === 'name' ? byName : sort === 'created' ? (a: Site, b: Site) => b.createdAt.localeCompare(a.createdAt) || byName(a, b) : byFigure;
  return found.sort((a, b) => Number(b.pinned) - Number(a.pinned) || order(a, b));
}

/** Tags of the sites with the number of sites that have each, the most used first. One name has one color here: that of its first site. */
export function tagsOf(sites: readonly Site[]): { readonly name: string; readonly color: Site['tags'][number]['color']; readonly count: number }[] {
  const byName = new Map<string, { name: string; color: Site['tags'][number]['color']; count: number }>();
  for (const { tags } of sites)
    for (const { name, color } of tags) {
      const known = byName.get(name);
      if (known) known.count += 1;
      else byName.set(name, { name, color, count: 1 });
    }
  return [...byName.values()].sort((a, b) => b.count - a.count || a.name.localeCompare(b.name));
}

/** The line below the name of a site: why it is suspended, and its address. */
export const detailOf = (site: Site): string => [...(site.suspendedReason === null ? [] : [site.suspendedReason]), hostOf(site)].join(' · ');
