import type { LiveEvent } from '../../../../contract/live/schemas';
import type { Context } from '../../../context';
import { createSuggester } from './suggest';
import type { Suggester } from './suggest';

/** Suggesters of sites in memory. `pages`: reads titles by path; called only if they may have changed. */
export type Suggesters = {
  readonly of: (siteId: string, release: string | null, pages: () => Promise<ReadonlyMap<string, string>>) => Promise<Suggester>;
  readonly close: () => void;
};
type Entry = { readonly release: string | null; readonly readAt: number; readonly suggester: Promise<Suggester>; bytes: number };

/** Events after which a site may have other pages. */
const changing: ReadonlySet<LiveEvent['type']> = new Set(['records', 'tables', 'publishing', 'site', 'intl']);
/** In case an event was lost, or a rule of a table depends on the time. */
const readEvery = 60_000;

/** At most `maxBytes` of suggesters, those that were used least recently go first; a larger one is made for each request. */
export function openSuggesters(ctx: Pick<Context, 'live' | 'now'>, maxBytes: number): Suggesters {
  const entries = new Map<string, Entry>();
  const stop = ctx.live.subscribe((event) => {
    if ('siteId' in event && changing.has(event.type)) entries.delete(event.siteId);
  });
  function evict(): void {
    let total = [...entries.values()].reduce((sum, { bytes }) => sum + bytes, 0);
    for (const [siteId, { bytes }] of entries) {
      if (total <= maxBytes) break;
      entries.delete(siteId);
      total -= bytes;
    }
  }
  function read(siteId: string, release: string | null, pages: () => Promise<ReadonlyMap<string, string>>): Entry {
    const entry: Entry = { release, readAt: ctx.now(), bytes: 0, suggester: pages().then(createSuggester) };
    entry.suggester.then(
      ({ bytes }) => {
        entry.bytes = bytes;
        evict();
      },
      () => {
        if (entries.get(siteId) === entry) entries.delete(siteId);
      },
    );
    return entry;
  }
  return {
    of(siteId, release, pages) {
      const known = entries.get(siteId);
      const isCurrent = known?.release === release && ctx.now() - known.readAt < readEvery;
      const entry = isCurrent ? known : read(siteId, release, pages);
      entries.delete(siteId);
      entries.set(siteId, entry);
      return entry.suggester;
    },
    close: stop,
  };
}
