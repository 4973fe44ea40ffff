import type { ContentRecord, RecordPage } from '@contract/tables/records';
import type { GridRow, RowSource } from '../grid/types';
import { makePageLoader } from './pageLoader';
import type { PageFetcher } from './pageLoader';
import { makeRowPageStore, pageRows } from './rowPageStore';
import type { RowPageStore } from './rowPageStore';

/** Rows per call for copying and filling. */
const loadRows = 1000;

export type PagesEnvironment = PageFetcher & {
  readonly toRow: (record: ContentRecord) => GridRow;
  /** Approximate number of records where there are too many to count; 0 when unknown. */
  readonly approximateCount: () => number;
  /** The message of a failure, for users. */
  readonly messageOf: (error: unknown) => string;
};

/** Rows `from` (inclusive) to `to` (exclusive), fetching only the missing ones. They serve one gesture, and are not stored. */
async function loadRange(store: RowPageStore, { fetch, messageOf }: PagesEnvironment, from: number, to: number, signal: AbortSignal): Promise<GridRow[]> {
  const rows: GridRow[] = [];
  for (let at = from; at < to;) {
    const known = store.recordAt(at);
    if (known) {
      rows.push(store.rowOf(known));
      at += 1;
      continue;
    }
    let page: RecordPage;
    try {
      page = await fetch({ offset: at, limit: Math.min(loadRows, to - at), count: 'none' }, signal);
    } catch (error) {
      throw new Error(messageOf(error), { cause: error });
    }
    store.addLabels(page);
    if (page.rows.length === 0) break;
    rows.push(...page.rows.map((record) => store.rowOf(record, false)));
    at += page.rows.length;
  }
  return rows;
}

/** Shows a newly created record last, until the list is refetched. null: it cannot be placed there. */
function appendRecord(store: RowPageStore, record: ContentRecord): number | null {
  // A refetch may already have added the record to the list.
  const here = store.find(record.id);
  if (here) return here.index;
  const { total, more } = store.state();
  if (total === null || more) return null;
  const at = Math.floor(total / pageRows);
  const page = store.pages.get(at);
  if (page?.rows.length === total % pageRows) page.rows.push(record);
  else if (!page && total % pageRows === 0) store.pages.set(at, { rows: [record], next: null, used: store.nextUse(), stale: false });
  else return null;
  store.set({ total: total + 1 });
  store.notify();
  return total;
}

/**
 * Rows by index, only some of them loaded: pages of 100 are loaded as they become visible, and the least recently used ones are dropped. Changes of others are
 * refetched only where visible; loaded rows stay until their replacements arrive.
 */
export function makeRowPages(env: PagesEnvironment) {
  const store = makeRowPageStore(env.toRow, env.approximateCount);
  const { fill, ...loader } = makePageLoader(store, env);
  const source: RowSource = {
    count: store.count,
    row: (index) => {
      const record = store.recordAt(index);
      return record && store.rowOf(record);
    },
    want: (from, to) => {
      store.setRange(from, to);
      fill();
    },
    load: (from, to, signal) => loadRange(store, env, from, to, signal),
    subscribe: store.subscribe,
    version: store.version,
  };
  return {
    ...loader,
    source,
    state: store.state,
    find: store.find,
    recordAt: store.recordAt,
    append: (record: ContentRecord): number | null => appendRecord(store, record),
    /** Notes that a record exists at this index, beyond a capped count. */
    reach: (index: number): void => {
      if (index < store.count()) return;
      store.setReached(index + 1);
      store.notify();
    },
    /** Changes loaded records; a record that remains the same object is not rendered again. */
    each: (change: (record: ContentRecord) => ContentRecord): void => {
      store.each(change);
      store.notify();
    },
    /** What rows show besides their records has changed. */
    redraw: (ids: readonly string[]): void => {
      store.forgetRows(ids);
      store.notify();
    },
    redrawAll: (): void => {
      store.forgetRows('all');
      store.notify();
    },
  };
}
export type RowPages = ReturnType<typeof makeRowPages>;
