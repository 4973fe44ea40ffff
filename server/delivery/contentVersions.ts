import type { LiveEvent } from '../../contract/live/schemas';
import type { Context } from '../context';

/** Events after which pages of a site may differ. */
const changing: ReadonlySet<LiveEvent['type']> = new Set(['records', 'tables', 'resources', 'publishing', 'site', 'intl']);
const changesPages = (event: LiveEvent): boolean => changing.has(event.type) || (event.type === 'seo' && event.change === 'proofs');
/** Pages are never older than this, in case an event was lost, or a rule of a table depends on the time. */
const refreshEvery = 60_000;

export type ContentVersions = { readonly of: (siteId: string) => number; readonly close: () => void };

/** A number for the content of each site, which grows in this process whenever it may have changed in any. */
export function openContentVersions(ctx: Context): ContentVersions {
  const changes = new Map<string, number>();
  const stop = ctx.live.subscribe((event) => {
    if ('siteId' in event && changesPages(event)) changes.set(event.siteId, (changes.get(event.siteId) ?? 0) + 1);
  });
  /** Beyond the number of changes in a minute, so that no version comes twice. */
  const step = 1_000_000;
  return {
    of: (siteId) => Math.floor(ctx.now() / refreshEvery) * step + ((changes.get(siteId) ?? 0) % step),
    close: stop,
  };
}
