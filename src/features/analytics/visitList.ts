import type { VisitRow } from '@contract/analytics/schemas';

export type VisitList = {
  readonly rows: readonly VisitRow[];
  /** Cursor of the next older page; null if there is none. */
  readonly next: string | null;
  /** Visits that this merge added above the existing ones. */
  readonly fresh: ReadonlySet<string>;
};

export const noVisits: VisitList = { rows: [], next: null, fresh: new Set() };

/** Newest activity first, as the server sorts. */
const inOrder = (a: VisitRow, b: VisitRow): number => b.last - a.last || (a.visitId < b.visitId ? 1 : -1);
const merged = (newer: readonly VisitRow[], older: readonly VisitRow[]): readonly VisitRow[] => {
  const ids = new Set(newer.map((row) => row.visitId));
  return [...newer, ...older.filter((row) => !ids.has(row.visitId))].sort(inOrder);
};

/**
 * Merges a newly fetched first page above the visits on the screen, so that loaded older pages stay. If the two no longer overlap, visits in between
 * are unknown and the older ones are dropped.
 */
export const prependNewest = (list: VisitList, page: { readonly rows: readonly VisitRow[]; readonly next: string | null }): VisitList => {
  const before = new Set(list.rows.map((row) => row.visitId));
  const touching = page.rows.length === 0 || page.rows.some((row) => before.has(row.visitId));
  if (list.rows.length === 0 || !touching)
    return { rows: page.rows, next: page.next, fresh: new Set(list.rows.length === 0 ? [] : page.rows.map((row) => row.visitId)) };
  return {
    rows: merged(page.rows, list.rows),
    // Either everything fits into the first page, or the loaded older pages have the right cursor.
    next: list.rows.length <= page.rows.length ? page.next : list.next,
    fresh: new Set(page.rows.filter((row) => !before.has(row.visitId)).map((row) => row.visitId)),
  };
};

/** Appends the next older page. */
export const appendOlder = (list: VisitList, page: { readonly rows: readonly VisitRow[]; readonly next: string | null }): VisitList => ({
  rows: merged(list.rows, page.rows),
  next: page.next,
  fresh: new Set(),
});
