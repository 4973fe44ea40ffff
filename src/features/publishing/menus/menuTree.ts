import type { MenuItem } from '@contract/publishing/parts';
import { publishingLimits } from '@contract/publishing/terms';

/** A menu as rows: each item before the items in it. Depth 0 is the first level. */
export type MenuRow = { readonly depth: number; readonly item: Omit<MenuItem, 'items'> };
export type MenuRows = readonly MenuRow[];
export type Direction = 'up' | 'down' | 'in' | 'out';
/** A place among the other rows: the number of rows before it, and its depth. */
export type Place = { readonly index: number; readonly depth: number };

export const rowsOf = (items: readonly MenuItem[], depth = 0): MenuRow[] =>
  items.flatMap(({ items: below, ...item }) => [{ depth, item }, ...rowsOf(below, depth + 1)]);

/** How many rows an item has with everything in it. */
export function sizeAt(rows: MenuRows, at: number): number {
  const depth = rows[at]?.depth ?? 0;
  const end = rows.findIndex((row, index) => index > at && row.depth <= depth);
  return (end < 0 ? rows.length : end) - at;
}

export const itemsOf = (rows: MenuRows): MenuItem[] => {
  const items: MenuItem[] = [];
  for (let at = 0; at < rows.length; at += sizeAt(rows, at)) {
    const row = rows[at];
    if (row) items.push({ ...row.item, items: itemsOf(rows.slice(at + 1, at + sizeAt(rows, at))) });
  }
  return items;
};

const indexOf = (rows: MenuRows, id: string): number => rows.findIndex(({ item }) => item.id === id);
/** The rows of an item, and all others. */
export function split(rows: MenuRows, id: string): { readonly own: MenuRows; readonly others: MenuRows } {
  const at = indexOf(rows, id);
  if (at < 0) return { own: [], others: rows };
  const end = at + sizeAt(rows, at);
  return { own: rows.slice(at, end), others: [...rows.slice(0, at), ...rows.slice(end)] };
}

const levelsOf = (own: MenuRows): number => Math.max(0, ...own.map(({ depth }) => depth - (own[0]?.depth ?? 0))) + 1;

/** The place nearest to the target: the rows behind it keep their parents, and no item gets deeper than a menu may be. Null: the item does not fit there. */
export function fittingPlace(own: MenuRows, others: MenuRows, { index, depth }: Place): Place | null {
  const least = others[index]?.depth ?? 0;
  const most = Math.min((others[index - 1]?.depth ?? -1) + 1, publishingLimits.menuDepth - levelsOf(own));
  return least > most ? null : { index, depth: Math.min(most, Math.max(least, depth)) };
}

/** Moves an item with everything in it; the same rows if it does not fit. */
export function placeItem(rows: MenuRows, id: string, target: Place): MenuRows {
  const { own, others } = split(rows, id);
  const place = fittingPlace(own, others, target);
  const [first] = own;
  if (!place || !first) return rows;
  const moved = own.map((row) => ({ ...row, depth: row.depth - first.depth + place.depth }));
  return [...others.slice(0, place.index), ...moved, ...others.slice(place.index)];
}

/** Where one step leads: before or behind a sibling, into the sibling before, or behind the parent. Null: nowhere. */
function stepFrom(rows: MenuRows, id: string, direction: Direction): Place | null {
  const at = indexOf(rows, id);
  const depth = rows[at]?.depth ?? 0;
  const size = sizeAt(rows, at);
  const before = rows.slice(0, at).findLastIndex((row) => row.depth <= depth);
  const sibling = rows[before]?.depth === depth ? before : -1;
  switch (direction) {
    case 'up':
      return sibling < 0 ? null : { index: sibling, depth };
    case 'down': {
      const next = at + size;
      return rows[next]?.depth === depth ? { index: at + sizeAt(rows, next), depth } : null;
    }
    case 'in':
      return sibling < 0 ? null : { index: at, depth: depth + 1 };
    case 'out': {
      if (depth === 0) return null;
      const parent = rows.slice(0, at).findLastIndex((row) => row.depth < depth);
      return { index: parent + sizeAt(rows, parent) - size, depth: depth - 1 };
    }
  }
}

/** Moves an item by one step; the same rows if that is impossible. */
export function stepItem(rows: MenuRows, id: string, direction: Direction): MenuRows {
  const place = stepFrom(rows, id, direction);
  if (!place) return rows;
  const { own, others } = split(rows, id);
  // Fitted to another depth, the step would be another one.
  return fittingPlace(own, others, place)?.depth === place.depth ? placeItem(rows, id, place) : rows;
}

export const removeItem = (rows: MenuRows, id: string): MenuRows => split(rows, id).others;

/** Replaces an item, or adds it at the end of the first level. */
export const putItem = (rows: MenuRows, item: MenuRow['item']): MenuRows =>
  indexOf(rows, item.id) < 0 ? [...rows, { depth: 0, item }] : rows.map((row) => (row.item.id === item.id ? { ...row, item } : row));
