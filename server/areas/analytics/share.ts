import { setTimeout as delay } from 'node:timers/promises';

export type Share = {
  /** Runs `work` once for equal queries: `key` identifies them; `waitMs`: how long to wait for others. */
  <T>(key: unknown, work: () => Promise<T>, waitMs?: number): Promise<T>;
  /** Runs one `work` for queries with the same `key` that differ in one `item` each; `work` receives all items. */
  readonly together: <I, T>(key: unknown, item: I, work: (items: readonly I[]) => Promise<T>, waitMs?: number) => Promise<T>;
};

/** A screen sends its requests within this many ms. */
const gatherMs = 8;

/**
 * A screen with several tables requests the same totals once per table. Equal queries that arrive within a few milliseconds run once. A query never joins one
 * that is already running: a result always reflects everything that was stored when it was requested, and nothing is cached afterwards.
 */
export function createShare(): Share {
  const gathering = new Map<string, Promise<unknown>>();
  const items = new Map<string, unknown[]>();
  const share = <T>(key: unknown, work: () => Promise<T>, waitMs = gatherMs): Promise<T> => {
    const name = JSON.stringify(key);
    const known = gathering.get(name) as Promise<T> | undefined;
    if (known) return known;
    const result = delay(waitMs).then(() => {
      gathering.delete(name);
      return work();
    });
    gathering.set(name, result);
    return result;
  };
  const together = <I, T>(key: unknown, item: I, work: (items: readonly I[]) => Promise<T>, waitMs = gatherMs): Promise<T> => {
    const name = JSON.stringify(key);
    const known = items.get(name) as I[] | undefined;
    const all = known ?? [];
    all.push(item);
    if (!known) items.set(name, all);
    return share(
      ['together', key],
      () => {
        items.delete(name);
        return work(all);
      },
      waitMs,
    );
  };
  return Object.assign(share, { together });
}
