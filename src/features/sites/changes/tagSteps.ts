import { mayOnSite } from '@contract/permissions';
import type { Site } from '@contract/sites/schemas';
import { tagLimits } from '@contract/sites/terms';
import type { TagColor } from '@contract/sites/terms';
import type { ChangeStep } from './siteChanges';

/** A tag in the dialog. `on`: all sites have it, none (false), or some (null). `was`: before the dialog; null for a new tag. */
export type TagChoice = {
  readonly name: string;
  readonly color: TagColor;
  readonly on: boolean | null;
  readonly was: { readonly color: TagColor; readonly on: boolean | null } | null;
};

const chunked = <T>(list: readonly T[]): T[][] =>
  Array.from({ length: Math.ceil(list.length / tagLimits.perSite) }, (_, at) => list.slice(at * tagLimits.perSite, (at + 1) * tagLimits.perSite));

/** What the choices change: tags of `sites`, and the color of tags wherever they are used. Removals come first, because the tags of a site are limited. */
export function tagSteps(choices: readonly TagChoice[], sites: readonly Site[], all: readonly Site[]): ChangeStep[] {
  const siteIds = sites.map(({ id }) => id);
  const switched = choices.filter(({ on, was }) => on !== null && on !== (was?.on ?? false));
  const remove = switched.filter(({ on }) => on === false).map(({ name }) => name);
  const add = switched.filter(({ on }) => on === true).map(({ name, color }) => ({ name, color }));
  const recolored = choices.filter(({ color, was }) => was !== null && was.color !== color);
  const removals = chunked(remove).map((names) => ({ siteIds, change: { kind: 'tags' as const, add: [], remove: names } }));
  const additions = chunked(add).map((tags) => ({ siteIds, change: { kind: 'tags' as const, add: tags, remove: [] } }));
  const colors = recolored.flatMap(({ name, color }) => {
    const using = all.filter(
      (site) => mayOnSite(site.role, 'site.rename') && site.tags.some((tag) => tag.name === name) && !(remove.includes(name) && siteIds.includes(site.id)),
    );
    return using.length === 0 ? [] : [{ siteIds: using.map(({ id }) => id), change: { kind: 'tags' as const, add: [{ name, color }], remove: [] } }];
  });
  return [...removals, ...additions, ...colors];
}
