import type { SitesChange, SitesChanged } from '@contract/sites/list';
import type { Site, SiteTag } from '@contract/sites/schemas';
import { changesMost } from '@contract/sites/terms';

/** Sites that change alike. */
export type ChangeStep = { readonly siteIds: readonly string[]; readonly change: SitesChange };
export type NotChanged = { readonly siteId: string; readonly name: string; readonly error: string };
type Tagged = Pick<Site, 'id' | 'tags' | 'state' | 'pinned'>;

/** Calls that make the changes: each names as many sites as one call may. */
export const callsOf = (steps: readonly ChangeStep[]): ChangeStep[] =>
  steps.flatMap(({ siteIds, change }) =>
    Array.from({ length: Math.ceil(siteIds.length / changesMost) }, (_, call) => ({
      siteIds: siteIds.slice(call * changesMost, (call + 1) * changesMost),
      change,
    })),
  );

const isSame = (a: SiteTag, b: SiteTag | undefined): boolean => a.name === b?.name && a.color === b.color;

/** The change that gives a site what it had before; null if it has that. */
function wayBack(before: Tagged, after: Tagged, { kind }: SitesChange): SitesChange | null {
  if (kind === 'pin') return before.pinned === after.pinned ? null : { kind, pinned: before.pinned };
  if (kind === 'move') return before.state === after.state ? null : { kind, to: before.state === 'archived' ? 'archived' : 'open' };
  const had = (tags: readonly SiteTag[], name: string) => tags.find((tag) => tag.name === name);
  const add = before.tags.filter((tag) => !isSame(tag, had(after.tags, tag.name)));
  const remove = after.tags.filter(({ name }) => had(before.tags, name) === undefined).map(({ name }) => name);
  return add.length + remove.length === 0 ? null : { kind, add, remove };
}

/** The steps that undo a change of many sites: those that had the same before are one step. */
export function undoOf(before: ReadonlyMap<string, Tagged>, after: readonly Tagged[], change: SitesChange): ChangeStep[] {
  const steps = new Map<string, { siteIds: string[]; change: SitesChange }>();
  for (const site of after) {
    const earlier = before.get(site.id);
    const back = earlier && wayBack(earlier, site, change);
    if (!back) continue;
    const key = JSON.stringify(back);
    const step = steps.get(key);
    if (step) step.siteIds.push(site.id);
    else steps.set(key, { siteIds: [site.id], change: back });
  }
  return [...steps.values()];
}

export type ChangesResult = { readonly changed: number; readonly undo: readonly ChangeStep[]; readonly failed: readonly NotChanged[] };
type Runner = {
  readonly siteOf: (id: string) => Site | undefined;
  /** Sends one call; throws if it failed as a whole. */
  readonly send: (step: ChangeStep) => Promise<SitesChanged>;
  /** The text of a call that failed as a whole. */
  readonly errorOf: (error: unknown) => string;
  readonly onProgress: (done: number, total: number) => void;
  readonly isCancelled: () => boolean;
};

/**
 * Changes any number of sites, call by call. A call that fails counts for its sites; the others are still sent. The last change is undone first, so that a tag
 * that was added makes room for one that was removed.
 */
export async function runChanges(steps: readonly ChangeStep[], { siteOf, send, errorOf, onProgress, isCancelled }: Runner): Promise<ChangesResult> {
  const total = steps.reduce((sum, { siteIds }) => sum + siteIds.length, 0);
  const undo: ChangeStep[] = [];
  // A site may be part of several steps, and counts once.
  const changed = new Set<string>();
  const failed = new Map<string, NotChanged>();
  let done = 0;
  onProgress(0, total);
  for (const call of callsOf(steps)) {
    if (isCancelled()) break;
    const before = new Map(call.siteIds.flatMap((id) => siteOf(id) ?? []).map((site) => [site.id, site]));
    const fail = (siteId: string, error: string) => failed.set(siteId, { siteId, name: before.get(siteId)?.name ?? siteId, error });
    try {
      const result = await send(call);
      for (const { id } of result.sites) changed.add(id);
      undo.unshift(...undoOf(before, result.sites, call.change));
      for (const { siteId, error } of result.failed) fail(siteId, error);
    } catch (error) {
      for (const siteId of call.siteIds) fail(siteId, errorOf(error));
    }
    done += call.siteIds.length;
    onProgress(done, total);
  }
  return { changed: changed.size, undo, failed: [...failed.values()] };
}
