import type { ContentRecord, RecordLabels, RecordPage } from '@contract/tables/records';
import { joinedLabels } from '../fieldTypes/env';
import type { GridRow } from '../grid/types';

/** Records per call. */
export const pageRows = 100;
/** The maximum number of pages kept: 4 000 rows. */
const keptPages = 40;

export type Page = { readonly rows: ContentRecord[]; readonly next: string | null; used: number; stale: boolean };

/** State of the list besides its rows. `more`: there are more than `total`. */
export type PagesState = {
  readonly total: number | null;
  readonly more: boolean;
  readonly loading: boolean;
  readonly failure: unknown;
  readonly slow: boolean;
  readonly labels: RecordLabels;
};

/** The rows of the loaded records. */
function makeRowCache(toRow: (record: ContentRecord) => GridRow) {
  const rowsById = new Map<string, { readonly record: ContentRecord; readonly row: GridRow }>();
  return {
    /** The same row object for the same record. `store` false: for a record that is in no page. */
    rowOf: (record: ContentRecord, store = true): GridRow => {
      const known = rowsById.get(record.id);
      if (known && (known.record === record || !store)) return known.row;
      const row = toRow(record);
      if (store) rowsById.set(record.id, { record, row });
      return row;
    },
    forgetRows: (ids: readonly string[] | 'all'): void => {
      if (ids === 'all') rowsById.clear();
      else for (const id of ids) rowsById.delete(id);
    },
  };
}

function changeRecords(rows: ContentRecord[], change: (record: ContentRecord) => ContentRecord): void {
  rows.forEach((record, place) => {
    const next = change(record);
    if (next !== record) rows[place] = next;
  });
}

function findRecord(pages: ReadonlyMap<number, Page>, id: string): { readonly record: ContentRecord; readonly index: number } | null {
  for (const [at, { rows }] of pages) {
    const place = rows.findIndex((record) => record.id === id);
    const record = rows[place];
    if (record) return { record, index: at * pageRows + place };
  }
  return null;
}

/** The loaded pages, their rows, and the state of the list. It sends no requests. */
export function makeRowPageStore(toRow: (record: ContentRecord) => GridRow, approximateCount: () => number) {
  const pages = new Map<number, Page>();
  const { rowOf, forgetRows } = makeRowCache(toRow);
  const listeners = new Set<() => void>();
  let range = { from: 0, to: pageRows };
  let state: PagesState = { total: null, more: false, loading: true, failure: null, slow: false, labels: { records: {}, people: {} } };
  /** Rows known to exist beyond a capped count. */
  let reached = 0;
  let version = 0;
  /** Use counter of pages, to find the least recently used one. */
  let uses = 0;

  const notify = (): void => {
    version += 1;
    for (const listener of listeners) listener();
  };
  const set = (change: Partial<PagesState>): void => {
    state = { ...state, ...change };
  };
  const count = (): number => {
    if (state.total === null) return 0;
    return state.more ? Math.max(state.total + pageRows, reached + pageRows, approximateCount()) : state.total;
  };
  const recordAt = (index: number): ContentRecord | undefined => pages.get(Math.floor(index / pageRows))?.rows[index % pageRows];
  /** Page numbers of the visible rows. */
  const visiblePages = (): { readonly first: number; readonly last: number } => ({
    first: Math.floor(range.from / pageRows),
    last: Math.floor(Math.max(range.from, range.to - 1) / pageRows),
  });
  const drop = (at: number): void => {
    forgetRows(pages.get(at)?.rows.map(({ id }) => id) ?? []);
    pages.delete(at);
  };
  const isVisible = (at: number): boolean => {
    const { first, last } = visiblePages();
    return at >= first && at <= last;
  };
  return {
    pages,
    state: () => state,
    set,
    count,
    recordAt,
    notify,
    version: () => version,
    visiblePages,
    subscribe: (listener: () => void) => {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    setRange: (from: number, to: number): void => {
      range = { from, to };
    },
    nextUse: (): number => (uses += 1),
    setReached: (index: number): void => {
      reached = Math.max(reached, index);
    },
    /** Adds the labels and cost of a page. */
    addLabels: ({ labels, cost }: RecordPage): void =>
      set({
        slow: cost.slow,
        labels: joinedLabels(state.labels, labels),
      }),
    rowOf,
    forgetRows,
    /** Drops the least recently used pages that are not visible, beyond the maximum. */
    trim: (): void => {
      const hidden = [...pages].filter(([at]) => !isVisible(at)).sort(([, a], [, b]) => a.used - b.used);
      for (const [at] of hidden.slice(0, Math.max(0, pages.size - keptPages))) drop(at);
    },
    /** Marks the visible pages as stale, and drops the others. */
    expire: (): void => {
      for (const [at, page] of pages) {
        page.stale = true;
        if (!isVisible(at)) drop(at);
      }
    },
    /** Changes loaded records; a record that remains the same object keeps its row. */
    each: (change: (record: ContentRecord) => ContentRecord): void => {
      for (const { rows } of pages.values()) changeRecords(rows, change);
    },
    find: (id: string) => findRecord(pages, id),
  };
}
export type RowPageStore = ReturnType<typeof makeRowPageStore>;
