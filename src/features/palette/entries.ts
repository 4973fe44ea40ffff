import type { IconName } from '@/ui/Icon';
import { matchScore } from '@/lib/match';
import { searchTerms } from './searchTerms';

/** One palette entry: a destination or an action. The frame creates them from the route tree, the sites and its own actions. */
export type PaletteEntry = {
  readonly id: string;
  readonly kind: 'page' | 'site' | 'action';
  readonly label: string;
  /** In grey after the label: the site of a page, a host. */
  readonly detail?: string;
  readonly icon: IconName;
  readonly keywords?: readonly string[];
  readonly shortcut?: string;
  readonly run: () => void;
};

export type PaletteGroup = { readonly kind: PaletteEntry['kind'] | 'recent'; readonly entries: readonly PaletteEntry[] };

const kinds = ['page', 'action', 'site'] as const;
const mostInGroup = 8;

/** With a query: all matches, the best group first. Without: the most recently used, then pages and actions. */
export function rank(entries: readonly PaletteEntry[], query: string, recentIds: readonly string[]): readonly PaletteGroup[] {
  const empty = query.trim() === '';
  const recent = empty ? recentIds.flatMap((id) => entries.filter((entry) => entry.id === id)) : [];
  const scored = entries
    .map((entry) => {
      const { id, label, keywords = [], detail } = entry;
      return { entry, score: matchScore(query, label, [...keywords, ...(searchTerms[id] ?? []), ...(detail === undefined ? [] : [detail])]) };
    })
    .filter(({ score }) => score > 0);
  const groups = kinds
    .map((kind) => {
      const own = scored.filter(({ entry }) => entry.kind === kind && !recent.includes(entry)).sort((a, b) => b.score - a.score);
      return { kind, best: own[0]?.score ?? 0, entries: own.slice(0, mostInGroup).map(({ entry }) => entry) };
    })
    .filter((group) => group.entries.length > 0);
  if (!empty) groups.sort((a, b) => b.best - a.best);
  return [...(recent.length > 0 ? [{ kind: 'recent' as const, entries: recent }] : []), ...groups.map(({ kind, entries: own }) => ({ kind, entries: own }))];
}
