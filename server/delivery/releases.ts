import { liveSite, readThemeFiles, workingSite } from '../areas/publishing';
import type { WorkingSite } from '../areas/publishing';
import type { IndexedSite } from '../areas/sites';
import type { Context } from '../context';
import { compileRelease, compiledFiles } from './release';
import type { CompiledRelease } from './release';

export type Releases = {
  /** What visitors of a site get; null before the first release. From memory unless something was published. */
  readonly live: (siteId: string) => CompiledRelease | null | Promise<CompiledRelease | null>;
  /** What people edit. */
  readonly working: (site: IndexedSite) => Promise<CompiledRelease>;
  readonly close: () => void;
};

type Parts = WorkingSite['parts'];
type Entry = { release: CompiledRelease | null; readAt: number; stale: boolean; reading: Promise<CompiledRelease | null> | null };

/** In case an event was lost. */
const refreshEvery = 60_000;
/** Size of a site without a release, and of what an entry costs beside its release. */
const entryBytes = 1000;

/** Releases of sites in memory, at most `maxBytes`; those that were requested least recently go first. */
export function openReleases(ctx: Context, maxBytes: number): Releases {
  const entries = new Map<string, Entry>();

  async function compile(siteId: string, id: string, parts: Parts, read?: WorkingSite['read']): Promise<CompiledRelease> {
    const contents = await (read ?? readThemeFiles)(ctx, siteId, compiledFiles(parts.theme));
    return compileRelease({ id, siteId, working: read !== undefined, parts }, contents);
  }
  function evict(): void {
    const sizeOf = ({ release }: Entry): number => (release?.bytes ?? 0) + entryBytes;
    let total = [...entries.values()].reduce((sum, entry) => sum + sizeOf(entry), 0);
    for (const [key, entry] of entries) {
      if (total <= maxBytes) break;
      entries.delete(key);
      total -= sizeOf(entry);
    }
  }
  /** Reads once, however many requests wait. If it fails, the release that was read before stays in use. */
  function refreshed(key: string, entry: Entry, read: (known: CompiledRelease | null) => Promise<CompiledRelease | null>): Promise<CompiledRelease | null> {
    entry.reading ??= (async () => {
      entry.stale = false;
      try {
        entry.release = await read(entry.release);
        entry.readAt = ctx.now();
        evict();
        return entry.release;
      } catch (error) {
        entry.stale = true;
        if (entry.release === null) {
          entries.delete(key);
          throw error;
        }
        ctx.log.warn('A release could not be read; the one before stays in use', { siteId: entry.release.siteId, error });
        return entry.release;
      } finally {
        entry.reading = null;
      }
    })();
    return entry.reading;
  }
  /** The entry of a key, as the one that was used last. */
  function entryOf(key: string): Entry {
    const entry = entries.get(key) ?? { release: null, readAt: -Infinity, stale: true, reading: null };
    entries.delete(key);
    entries.set(key, entry);
    return entry;
  }

  const stop = ctx.live.subscribe((event) => {
    if (event.type !== 'publishing' && event.type !== 'site') return;
    const entry = entries.get(event.siteId);
    if (entry) entry.stale = true;
  });

  return {
    live(siteId) {
      const entry = entryOf(siteId);
      if (!entry.stale && ctx.now() - entry.readAt < refreshEvery) return entry.release;
      return refreshed(siteId, entry, async (known) => {
        const live = await liveSite(ctx, siteId);
        if (!live) return null;
        return known?.id === live.id ? known : compile(siteId, live.id, live.parts);
      });
    },
    async working(site) {
      const { id, parts, read } = await workingSite(ctx, site);
      const key = `${site.id} ${id}`;
      const entry = entryOf(key);
      return entry.release ?? ((await refreshed(key, entry, () => compile(site.id, id, parts, read))) as CompiledRelease);
    },
    close: stop,
  };
}
