import type { LiveBus } from '../http/live';

/** Minimum interval of announcements per site: two per second. */
const everyMs = 500;
/** The contract's limit for one event. */
const mostIds = 100;

export type Announcer = { readonly add: (siteId: string, visitIds: readonly string[]) => void; readonly close: () => void };

/** Announces changed visits: the first at once, further ones in batches. If more than a hundred changed, the newest are included. */
export function createAnnouncer(live: LiveBus, now: () => number): Announcer {
  const sites = new Map<string, { readonly ids: Set<string>; readonly timer: NodeJS.Timeout }>();
  const publish = (siteId: string, ids: readonly string[]): void => live.publish({ type: 'als', siteId, visitIds: ids.slice(-mostIds), at: now() });

  function open(siteId: string): void {
    const timer = setTimeout(() => {
      const ids = [...(sites.get(siteId)?.ids ?? [])];
      sites.delete(siteId);
      if (ids.length === 0) return;
      publish(siteId, ids);
      open(siteId);
    }, everyMs);
    timer.unref();
    sites.set(siteId, { ids: new Set(), timer });
  }

  return {
    add(siteId, visitIds) {
      const waiting = sites.get(siteId);
      if (waiting === undefined) {
        publish(siteId, visitIds);
        open(siteId);
        return;
      }
      for (const id of visitIds) {
        waiting.ids.delete(id);
        waiting.ids.add(id);
      }
    },
    close() {
      for (const { timer } of sites.values()) clearTimeout(timer);
      sites.clear();
    },
  };
}
