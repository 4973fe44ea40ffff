import type { CardId, CardState } from '../../../contract/dashboard/terms';
import type { Context } from '../../context';

/** What a card shows. `isEmpty`: there is nothing to show yet. */
export type CardContent<T> = { readonly data: T; readonly isEmpty?: boolean };
export type ReadCard<T> = { readonly state: Exclude<CardState, 'forbidden'>; readonly at: string | null; readonly data: T | null };

type Reading = { readonly content: CardContent<unknown>; /** Epoch ms. */ readonly at: number };
type Entry = { stored: Reading | null; isOld: boolean; readonly siteId: string; pending: Promise<Reading> | null };

export type CardRequest<T> = {
  readonly id: CardId;
  readonly siteId: string;
  /** Whose data they are, beside the site: readers with different rights never share an entry. */
  readonly reader: string;
  /** Milliseconds for which the data are used again. */
  readonly usedFor: number;
  readonly isFresh: boolean;
  readonly read: () => Promise<CardContent<T>>;
};

export type CardReader = {
  readonly read: <T>(request: CardRequest<T>) => Promise<ReadCard<T>>;
  /** The data of these cards of a site are read again when they are needed. */
  readonly forget: (siteId: string, ids?: readonly CardId[]) => void;
};

const mostEntries = 5000;
/** The first data should appear soon, milliseconds. */
const emptyUsedFor = 3000;
const timedOut = Symbol('timed out');

/** Waits for a promise, but not longer than `ms`. */
async function within<T>(promise: Promise<T>, ms: number): Promise<T | typeof timedOut> {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<typeof timedOut>((resolve) => {
    timer = setTimeout(() => resolve(timedOut), ms);
  });
  try {
    return await Promise.race([promise, timeout]);
  } finally {
    clearTimeout(timer);
  }
}

/**
 * Reads cards so that none affects another: each has a time limit and its own stored result, which is shown as stale where reading again fails or takes too
 * long. What takes too long goes on and is there for the next reader; two readers never read the same at the same time.
 */
export function createCardReader({ now, log }: Pick<Context, 'now' | 'log'>, limitMs: number): CardReader {
  const entries = new Map<string, Entry>();
  /** Names of entries by site, so that a change of one site does not look at those of all others. */
  const bySite = new Map<string, Set<string>>();
  const nameOf = ({ siteId, id, reader }: Pick<CardRequest<unknown>, 'siteId' | 'id' | 'reader'>): string => `${siteId} ${id} ${reader}`;

  function entryOf(request: CardRequest<unknown>): Entry {
    const name = nameOf(request);
    const entry = entries.get(name) ?? { stored: null, isOld: false, siteId: request.siteId, pending: null };
    // The most recently used are last.
    entries.delete(name);
    entries.set(name, entry);
    const names = bySite.get(request.siteId);
    if (names) names.add(name);
    else bySite.set(request.siteId, new Set([name]));
    const [oldest] = entries.keys();
    if (entries.size > mostEntries && oldest !== undefined) drop(oldest);
    return entry;
  }

  function drop(name: string): void {
    const siteId = entries.get(name)?.siteId ?? '';
    entries.delete(name);
    const names = bySite.get(siteId);
    names?.delete(name);
    if (names?.size === 0) bySite.delete(siteId);
  }

  function start(entry: Entry, { id, siteId, read }: CardRequest<unknown>): Promise<Reading> {
    const at = now();
    const pending = read()
      .then((content) => {
        const reading = { content, at };
        // If the site has changed since, it is only better than nothing.
        const isLatest = entry.pending === pending;
        if (isLatest || entry.stored === null) Object.assign(entry, { stored: reading, isOld: !isLatest });
        return reading;
      })
      .finally(() => {
        if (entry.pending === pending) entry.pending = null;
      });
    // A reader that has stopped waiting no longer hears of a failure.
    pending.catch((error: unknown) => log.warn('A card of the dashboard could not be read', { card: id, siteId, error }));
    entry.pending = pending;
    return pending;
  }

  function isUsable({ stored, isOld }: Entry, { isFresh, usedFor }: CardRequest<unknown>): boolean {
    if (stored === null || isOld || isFresh) return false;
    const age = now() - stored.at;
    return age >= 0 && age < (stored.content.isEmpty ? Math.min(emptyUsedFor, usedFor) : usedFor);
  }

  function resultOf<T>({ content, at }: Reading, isStale: boolean): ReadCard<T> {
    const state = isStale ? 'stale' : content.isEmpty ? 'empty' : 'ok';
    return { state, at: new Date(at).toISOString(), data: content.data as T };
  }

  return {
    async read<T>(request: CardRequest<T>): Promise<ReadCard<T>> {
      const entry = entryOf(request);
      if (entry.stored !== null && isUsable(entry, request)) return resultOf(entry.stored, false);
      const found = await within(entry.pending ?? start(entry, request), limitMs).catch(() => timedOut);
      if (found !== timedOut) return resultOf(found as Reading, false);
      return entry.stored === null ? { state: 'error', at: null, data: null } : resultOf(entry.stored, true);
    },
    forget(siteId, ids) {
      for (const name of bySite.get(siteId) ?? []) {
        const entry = entries.get(name);
        if (entry === undefined || (ids !== undefined && !ids.some((id) => name.startsWith(`${siteId} ${id} `)))) continue;
        // A reading that has begun may have missed the change.
        entry.pending = null;
        entry.isOld = true;
      }
    },
  };
}
