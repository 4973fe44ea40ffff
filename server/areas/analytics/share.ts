import { setTimeout as delay } from 'node:timers/promises';

export type Share = {
  /** Answers a question together with others that are the same: `key` names it, `work` answers it; `waitMs`: for so long others are waited for. */
  <T>(key: unknown, work: () => Promise<T>, waitMs?: number): Promise<T>;
  /** Answers questions about the same (`key`) that differ in one `item` each at once: `work` gets those of all. */
  readonly together: <I, T>(key: unknown, item: I, work: (items: readonly I[]) => Promise<T>, waitMs?: number) => Promise<T>;
};

/** A screen asks its questions within so many ms. */
const gatherMs = 8;

/**
 * A screen of several tables asks for the same totals once for each. Equal questions that arrive within a few
 * milliseconds are asked once. Nobody ever joins a question that is already on its way: an answer always
 * reflects everything that was stored when its reader asked, and nothing is kept afterwards.
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
