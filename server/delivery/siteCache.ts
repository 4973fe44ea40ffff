import type { LiveEvent } from '../../contract/live/schemas';
import type { Context } from '../context';

/** A value of each site in memory. */
export type SiteCache<T> = {
  /** At once while the value in memory is current. Rejects only if no value was ever read and there is no fallback. */
  readonly of: (siteId: string) => T | Promise<T>;
  readonly close: () => void;
};

type Options<T> = {
  /** What is read, for the log. */
  readonly name: string;
  /** The event after which the value of a site is read again. */
  readonly event: LiveEvent['type'];
  /** Sites in memory; those that were requested least recently go first. */
  readonly mostSites: number;
  readonly read: (siteId: string) => Promise<T>;
  /** Stands for a value that could not be read yet. */
  readonly fallback?: T;
  /** Milliseconds after which a value is read again although no event came. */
  readonly refreshEvery?: number;
};
type Entry<T> = { value: T | undefined; readAt: number; stale: boolean; reading: Promise<T> | null };

/** In case an event was lost. */
const usualRefresh = 60_000;
/** After a failure, so that requests do not wait for PostgreSQL one after the other. */
const retryAfter = 5000;

/** Values that act at once, so that they are no part of a release: read once, and again after a change. The last one stays in use while it cannot be read. */
export function openSiteCache<T>(
  ctx: Pick<Context, 'live' | 'log' | 'now'>,
  { name, event, mostSites, read, fallback, refreshEvery = usualRefresh }: Options<T>,
): SiteCache<T> {
  const entries = new Map<string, Entry<T>>();

  function refreshed(siteId: string, entry: Entry<T>): Promise<T> {
    entry.reading ??= (async () => {
      entry.stale = false;
      try {
        entry.value = await read(siteId);
        entry.readAt = ctx.now();
        return entry.value;
      } catch (error) {
        if (entry.value === undefined) throw error;
        entry.readAt = ctx.now() - refreshEvery + retryAfter;
        ctx.log.warn('A setting of a site could not be read; the last known one stays in use', { name, siteId, error });
        return entry.value;
      } finally {
        entry.reading = null;
      }
    })();
    return entry.reading;
  }
  const stop = ctx.live.subscribe((change) => {
    const entry = change.type === event && 'siteId' in change ? entries.get(change.siteId) : undefined;
    if (entry) entry.stale = true;
  });

  return {
    of(siteId) {
      const entry = entries.get(siteId) ?? { value: fallback, readAt: -Infinity, stale: true, reading: null };
      entries.delete(siteId);
      entries.set(siteId, entry);
      if (entries.size > mostSites) entries.delete(entries.keys().next().value ?? '');
      const isCurrent = !entry.stale && entry.value !== undefined && ctx.now() - entry.readAt < refreshEvery;
      return isCurrent ? (entry.value as T) : refreshed(siteId, entry);
    },
    close: stop,
  };
}
