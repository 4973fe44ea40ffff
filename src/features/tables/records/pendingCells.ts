import type { CellMark } from '../grid/types';

/** A cell whose value is not saved: it stays on screen as typed until it is saved or discarded. */
export type PendingCell = {
  readonly rowId: string;
  readonly column: string;
  readonly value: unknown;
  readonly state: 'saving' | 'refused' | 'conflict';
  /** Error message for users. */
  readonly message?: string;
  /** The request got no response: it is retried once the server is reachable. */
  readonly passing?: boolean;
  /** Revision of the record when the value was typed; once another user's value has been shown, the revision of that value. */
  readonly revision?: number;
  /** The cell's value before both changes, the other user's value, and their name. */
  readonly base?: unknown;
  readonly theirs?: unknown;
  readonly by?: string | null;
};
type Place = Pick<PendingCell, 'rowId' | 'column'>;

/** The pending cells by row and column, and those who listen to them. It sends nothing. */
export function makePendingCells(onMarks: (rowIds: readonly string[]) => void) {
  const cells = new Map<string, Map<string, PendingCell>>();
  const listeners = new Set<() => void>();
  let list: readonly PendingCell[] = [];

  const notify = (): void => {
    for (const listener of listeners) listener();
  };
  const at = ({ rowId, column }: Place): PendingCell | undefined => cells.get(rowId)?.get(column);
  return {
    put: (pending: PendingCell): void => {
      const row = cells.get(pending.rowId) ?? new Map<string, PendingCell>();
      row.set(pending.column, pending);
      cells.set(pending.rowId, row);
    },
    drop: ({ rowId, column }: Place): void => {
      const row = cells.get(rowId);
      row?.delete(column);
      if (row?.size === 0) cells.delete(rowId);
    },
    at,
    /** Whether the cell still has this gesture's value; a later gesture may have replaced it. */
    isCurrent: (cell: Place & { readonly value: unknown }): boolean => Object.is(at(cell)?.value, cell.value),
    notify,
    /** After `put` or `drop`: updates the list and the marks of the rows. */
    publish: (rows: Iterable<string>): void => {
      list = [...cells.values()].flatMap((row) => [...row.values()]);
      onMarks([...new Set(rows)]);
      notify();
    },
    list: () => list,
    subscribe: (listener: () => void) => {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    of: (rowId: string): ReadonlyMap<string, PendingCell> | undefined => cells.get(rowId),
    marks: (rowId: string, labels: { readonly conflict: string }): Record<string, CellMark> | undefined => {
      const row = cells.get(rowId);
      if (!row) return undefined;
      return Object.fromEntries(
        [...row].map(([column, { state, message }]): [string, CellMark] => [
          column,
          state === 'saving' ? { saving: true } : { error: state === 'conflict' ? labels.conflict : (message ?? labels.conflict) },
        ]),
      );
    },
  };
}
export type PendingCells = ReturnType<typeof makePendingCells>;
