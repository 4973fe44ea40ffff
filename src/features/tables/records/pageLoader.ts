import type { RecordPage } from '@contract/tables/records';
import { pageRows } from './rowPageStore';
import type { RowPageStore } from './rowPageStore';

export type PageRequest = {
  readonly offset?: number;
  readonly cursor?: string;
  readonly ids?: string;
  readonly limit: number;
  readonly count: 'none' | 'capped' | 'exact';
};
export type PageFetcher = {
  /** Rejects with a failure of the store. */
  readonly fetch: (request: PageRequest, signal: AbortSignal) => Promise<RecordPage>;
  readonly isAborted: (error: unknown) => boolean;
};
/** The maximum number of records refetched by id at once. */
const maxIds = 1000;

/** The visible pages that are not loaded or stale; marks the visible ones as used. */
function missingPages(store: RowPageStore): readonly number[] {
  const { first, last } = store.visiblePages();
  const { total, more } = store.state();
  const missing: number[] = [];
  for (let at = first; at <= last; at += 1) {
    const page = store.pages.get(at);
    if (page) page.used = store.nextUse();
    const isBeyondEnd = at > 0 && total !== null && !more && at * pageRows >= total;
    if ((!page || page.stale) && !isBeyondEnd) missing.push(at);
  }
  return missing;
}

/** Aborts and removes the requests for pages that are neither visible nor next to a visible one. */
function abortBeyondView(running: Map<number, AbortController>, store: RowPageStore): void {
  const { first, last } = store.visiblePages();
  for (const [at, control] of running) {
    if (at >= first - 1 && at <= last + 1) continue;
    control.abort();
    running.delete(at);
  }
}

/** Continues from the previous page's cursor where it is known: a deep page then costs no more than the first. */
function placeOf(store: RowPageStore, at: number): Pick<PageRequest, 'cursor' | 'offset'> {
  const before = store.pages.get(at - 1);
  return before?.next != null && !before.stale ? { cursor: before.next } : { offset: at * pageRows };
}

/** Stores a fetched page. 'countAgain': the list ends before it, so that its count is wrong. */
function storePage(store: RowPageStore, at: number, page: RecordPage): 'countAgain' | 'done' {
  const { rows, next, total, more } = page;
  store.addLabels(page);
  store.pages.set(at, { rows: [...rows], next, used: store.nextUse(), stale: false });
  if (total !== null) store.set({ total, more });
  if (rows.length > 0) store.setReached(at * pageRows + rows.length);
  // The last page corrects a count that was capped or has changed.
  const isLast = next === null && (rows.length > 0 || at === 0);
  if (isLast) store.set({ total: at * pageRows + rows.length, more: false });
  store.set({ failure: null });
  store.trim();
  return !isLast && rows.length === 0 && at > 0 ? 'countAgain' : 'done';
}

/** Refetches loaded records in place. */
async function refetchRecords(
  store: RowPageStore,
  fetch: PageFetcher['fetch'],
  { ids, isCurrent }: { readonly ids: readonly string[]; readonly isCurrent: () => boolean },
): Promise<void> {
  const loaded = ids.filter((id) => store.find(id) !== null).slice(0, maxIds);
  if (loaded.length === 0) return;
  try {
    const page = await fetch({ ids: loaded.join(','), limit: loaded.length, count: 'none' }, new AbortController().signal);
    if (!isCurrent()) return;
    store.addLabels(page);
    const fresh = new Map(page.rows.map((record) => [record.id, record]));
    store.each((record) => {
      const next = fresh.get(record.id);
      return next && next.revision >= record.revision ? next : record;
    });
    store.notify();
  } catch {
    // The records stay stale until they are fetched again for another reason.
  }
}

/** Loads the visible pages into the store. After `refresh` or `end`, answers to earlier calls are ignored. */
export function makePageLoader(store: RowPageStore, { fetch, isAborted }: PageFetcher) {
  const running = new Map<number, AbortController>();
  let needsCount = true;
  let generation = 0;
  let ended = false;
  const isCurrent = (mine: number): boolean => mine === generation && !ended;
  const abortAll = (): void => {
    generation += 1;
    for (const control of running.values()) control.abort();
    running.clear();
  };

  /** Counts all records exactly. */
  async function countExactly(): Promise<void> {
    const mine = generation;
    try {
      const { total, more } = await fetch({ limit: 1, count: 'exact' }, new AbortController().signal);
      if (!isCurrent(mine)) return;
      store.set({ total, more });
    } catch (error) {
      if (!isAborted(error)) store.set({ failure: error });
    }
    store.notify();
  }

  async function fetchPage(at: number): Promise<void> {
    const control = new AbortController();
    const mine = generation;
    const counts = needsCount;
    running.set(at, control);
    needsCount = false;
    try {
      const page = await fetch({ ...placeOf(store, at), limit: pageRows, count: counts ? 'capped' : 'none' }, control.signal);
      if (isCurrent(mine) && storePage(store, at, page) === 'countAgain') void countExactly();
    } catch (error) {
      if (counts) needsCount = true;
      if (mine === generation && !isAborted(error)) store.set({ failure: error });
    } finally {
      if (running.get(at) === control) running.delete(at);
      if (isCurrent(mine)) {
        store.set({ loading: running.size > 0 });
        store.notify();
      }
    }
  }

  /** Fetches the visible pages that are missing, and aborts requests for pages out of view. */
  function fill(): void {
    if (ended) return;
    const { loading } = store.state();
    abortBeyondView(running, store);
    for (const at of missingPages(store)) if (!running.has(at)) void fetchPage(at);
    if (running.size > 0 && !loading) {
      store.set({ loading: true });
      store.notify();
    }
  }

  return {
    fill,
    refreshIds: (ids: readonly string[]): Promise<void> => {
      const mine = generation;
      return refetchRecords(store, fetch, { ids, isCurrent: () => isCurrent(mine) });
    },
    countExactly,
    /** Refetches the visible pages at once, and the others when they become visible. */
    refresh: (): void => {
      store.expire();
      abortAll();
      needsCount = true;
      store.set({ failure: null });
      fill();
    },
    start: (): void => {
      ended = false;
      fill();
    },
    end: (): void => {
      ended = true;
      abortAll();
    },
  };
}
