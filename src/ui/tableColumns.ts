import type { ReactNode } from 'react';

export type Sort = { readonly id: string; readonly dir: 'asc' | 'desc' };

export type Column<R> = {
  readonly id: string;
  readonly name: string;
  /** Numbers are right-aligned, text left-aligned; nothing is centred. */
  readonly numeric?: boolean;
  readonly cell: (row: R) => ReactNode;
  /** Its cells and its total are figures that can be explained (`onFigure` of the table). */
  readonly figure?: boolean;
  /** What the column means, shown on its header. */
  readonly hint?: string;
  readonly sortable?: boolean;
  /** The share of the total, 0…1, drawn as a bar inside the cell; null draws none. */
  readonly share?: (row: R) => number | null;
  readonly total?: ReactNode;
  /** Sort key for client-side sorting. */
  readonly value?: (row: R) => number | string | null;
  /** Offered in the column menu but hidden by default. */
  readonly extra?: boolean;
  readonly minWidth?: number;
  /** Belongs to the column with this id: visible together with it, absent from the column menu. */
  readonly of?: string;
  /** Exact width in px. */
  readonly width?: number;
  /** Takes the remaining width and truncates longer text, so that a narrow table needs no scrolling. */
  readonly fills?: boolean;
};

/** A click on a header cycles through descending, ascending and unsorted; with shift the other columns stay. */
export const nextSort = (sort: readonly Sort[], id: string, add: boolean, numeric: boolean): readonly Sort[] => {
  const first = numeric ? 'desc' : 'asc';
  const now = sort.find((one) => one.id === id);
  const others = sort.filter((one) => one.id !== id);
  if (!add) return [{ id, dir: now === undefined || others.length > 0 ? first : now.dir === 'desc' ? 'asc' : 'desc' }];
  if (now === undefined) return [...sort, { id, dir: first }];
  if (now.dir === first) return sort.map((one) => (one.id === id ? { id, dir: first === 'desc' ? 'asc' : 'desc' } : one));
  return others.length === 0 ? sort : others;
};

/** Sorts a copy by several columns; empty values come last in both directions, and the sort is stable. */
export const sortRows = <R>(rows: readonly R[], columns: readonly Column<R>[], sort: readonly Sort[]): readonly R[] => {
  const keys = sort.flatMap((one) => {
    const value = columns.find((column) => column.id === one.id)?.value;
    return value === undefined ? [] : [{ value, sign: one.dir === 'asc' ? 1 : -1 }];
  });
  if (keys.length === 0) return rows;
  return [...rows].sort((a, b) => {
    for (const { value, sign } of keys) {
      const x = value(a);
      const y = value(b);
      if (x === y) continue;
      if (x === null) return 1;
      if (y === null) return -1;
      return (typeof x === 'number' && typeof y === 'number' ? x - y : String(x).localeCompare(String(y))) * sign;
    }
    return 0;
  });
};

const storageName = (key: string): string => `console:columns:${key}`;

const watchers = new Set<() => void>();
/** Calls `watcher` whenever columns are chosen in this tab. */
export const watchColumns = (watcher: () => void): (() => void) => {
  watchers.add(watcher);
  return () => void watchers.delete(watcher);
};
/** The stored choice as text, for detecting changes. */
export const storedColumnsText = (key: string): string | null => {
  try {
    return localStorage.getItem(storageName(key));
  } catch {
    return null;
  }
};

/** The columns a person chose for one table in this browser; null: the table's default. */
export const readColumns = (key: string): readonly string[] | null => {
  try {
    const found: unknown = JSON.parse(localStorage.getItem(storageName(key)) ?? 'null');
    return Array.isArray(found) ? found.filter((one): one is string => typeof one === 'string') : null;
  } catch {
    return null;
  }
};

/** null: removes the choice. */
export const writeColumns = (key: string, ids: readonly string[] | null): void => {
  try {
    if (ids === null) localStorage.removeItem(storageName(key));
    else localStorage.setItem(storageName(key), JSON.stringify(ids));
  } catch {
    // If storage is full or blocked, the choice is not remembered.
  }
  for (const watcher of watchers) watcher();
};
