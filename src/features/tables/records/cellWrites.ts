import type { Conflict, Written } from '@contract/records';
import type { CellMark } from '../grid/types';

/** A cell whose value has not reached the server: it stays on the screen as it was typed until it has, or until somebody gives it up. */
export type Pending = {
  readonly rowId: string;
  readonly column: string;
  readonly value: unknown;
  readonly state: 'saving' | 'fault' | 'conflict';
  /** Words for people. */
  readonly fault?: string;
  /** Nothing came back: it is tried again once the server can be reached. */
  readonly passing?: boolean;
  /** What somebody else made of it in the meantime, and who. */
  readonly theirs?: unknown;
  readonly by?: string | null;
};
export type Cell = { readonly rowId: string; readonly column: string; readonly value: unknown };
type Change = { readonly id: string; readonly revision?: number; readonly values: Record<string, unknown> };

/** Why a write was refused, made of a failure of the store by `useWriteFailure`. */
export type Refusal = {
  /** By the place of the change in the call and the field; no place: of all of them. */
  readonly cells: readonly { readonly at: number | null; readonly column: string; readonly fault: string }[];
  readonly conflicts: readonly Conflict[];
  /** Words for cells that no reason names. */
  readonly words: string;
  /** Nothing came back: it may help to ask again. */
  readonly passing: boolean;
};
export type WritesEnvironment = {
  readonly save: (changes: Change[]) => Promise<{ readonly written: Written } | { readonly refusal: Refusal }>;
  readonly revisionOf: (rowId: string) => number | undefined;
  /** The values are the server's now. */
  readonly onSaved: (written: Written, changes: readonly Change[]) => void;
  /** One gesture is done, in as many batches as it needed. */
  readonly onBatches: (batches: readonly string[]) => void;
  readonly onConflict: (conflict: Conflict) => void;
  /** Marks of these rows have changed. */
  readonly onMarks: (rowIds: readonly string[]) => void;
};

/** Records of one call (`tableLimits.batch`). */
const batchRows = 1000;

/**
 * Edits on their way: shown at once, saved one gesture after another (each knows the revision that the one before left), kept with the reason where the
 * server refuses. What can be saved of a gesture is saved: one bad cell does not hold back the others.
 */
export function makeCellWrites(env: WritesEnvironment) {
  const cells = new Map<string, Map<string, Pending>>();
  const hearers = new Set<() => void>();
  let list: readonly Pending[] = [];
  let queue: Promise<void> = Promise.resolve();
  let saving = 0;

  const tell = (rows: Iterable<string>): void => {
    list = [...cells.values()].flatMap((row) => [...row.values()]);
    env.onMarks([...new Set(rows)]);
    for (const hear of hearers) hear();
  };
  const put = (pending: Pending): void => {
    const row = cells.get(pending.rowId) ?? new Map<string, Pending>();
    row.set(pending.column, pending);
    cells.set(pending.rowId, row);
  };
  const drop = (rowId: string, column: string): void => {
    const row = cells.get(rowId);
    row?.delete(column);
    if (row?.size === 0) cells.delete(rowId);
  };
  const at = ({ rowId, column }: { readonly rowId: string; readonly column: string }): Pending | undefined => cells.get(rowId)?.get(column);
  /** Still what this gesture wanted; a later one may have typed over it. */
  const isCurrent = (cell: Cell): boolean => Object.is(at(cell)?.value, cell.value);

  function toChanges(some: readonly Cell[], force: boolean): Change[] {
    const rows = new Map<string, Record<string, unknown>>();
    for (const { rowId, column, value } of some) rows.set(rowId, { ...rows.get(rowId), [column]: value });
    return [...rows].map(([id, values]) => {
      const revision = force ? undefined : env.revisionOf(id);
      return revision === undefined ? { id, values } : { id, revision, values };
    });
  }

  /** Marks what was refused and answers the cells that are worth sending again without them. */
  function refuse(some: readonly Cell[], changes: readonly Change[], refusal: Refusal): Cell[] {
    const refused = new Set<Cell>();
    for (const { at: place, column, fault } of refusal.cells) {
      for (const cell of some) {
        if (cell.column !== column || (place !== null && changes[place]?.id !== cell.rowId)) continue;
        refused.add(cell);
        if (isCurrent(cell)) put({ ...cell, state: 'fault', fault });
      }
    }
    for (const conflict of refusal.conflicts) {
      env.onConflict(conflict);
      for (const cell of some) {
        const both = cell.rowId === conflict.record.id ? conflict.fields[cell.column] : undefined;
        if (!both) continue;
        refused.add(cell);
        if (isCurrent(cell)) put({ ...cell, state: 'conflict', theirs: both.theirs, by: conflict.by });
      }
    }
    const named = refused.size > 0;
    if (named) return some.filter((cell) => !refused.has(cell));
    for (const cell of some) if (isCurrent(cell)) put({ ...cell, state: 'fault', fault: refusal.words, passing: refusal.passing });
    return [];
  }

  async function send(gesture: readonly Cell[], force: boolean): Promise<void> {
    const batches: string[] = [];
    let left: readonly Cell[] = gesture;
    while (left.length > 0) {
      const ids = [...new Set(left.map(({ rowId }) => rowId))].slice(0, batchRows);
      const inside = new Set(ids);
      const some = left.filter(({ rowId }) => inside.has(rowId));
      left = left.filter(({ rowId }) => !inside.has(rowId));
      const changes = toChanges(some, force);
      const answer = await env.save(changes);
      if ('written' in answer) {
        if (answer.written.batchId !== null) batches.push(answer.written.batchId);
        env.onSaved(answer.written, changes);
        for (const cell of some) if (isCurrent(cell)) drop(cell.rowId, cell.column);
      } else left = [...refuse(some, changes, answer.refusal), ...left];
      tell(ids);
    }
    if (batches.length > 0) env.onBatches(batches);
  }

  function write(gesture: readonly Cell[], force = false): Promise<void> {
    for (const cell of gesture) put({ ...cell, state: 'saving' });
    saving += 1;
    tell(gesture.map(({ rowId }) => rowId));
    queue = queue
      .then(() => send(gesture, force))
      .finally(() => {
        saving -= 1;
        for (const hear of hearers) hear();
      });
    return queue;
  }

  return {
    write,
    /** Cells that are not saved, with what was typed into them. */
    list: () => list,
    isSaving: () => saving > 0,
    subscribe: (hear: () => void) => {
      hearers.add(hear);
      return () => void hearers.delete(hear);
    },
    of: (rowId: string): ReadonlyMap<string, Pending> | undefined => cells.get(rowId),
    marks: (rowId: string, words: { readonly conflict: string }): Record<string, CellMark> | undefined => {
      const row = cells.get(rowId);
      if (!row) return undefined;
      return Object.fromEntries(
        [...row].map(([column, { state, fault }]): [string, CellMark] => [
          column,
          state === 'saving' ? { saving: true } : { fault: state === 'conflict' ? words.conflict : (fault ?? words.conflict) },
        ]),
      );
    },
    /** Sends what was refused again. `force`: whatever others made of it. */
    retry: (some: readonly Pending[], force = false): Promise<void> =>
      write(
        some.map(({ rowId, column, value }) => ({ rowId, column, value })),
        force,
      ),
    /** Gives up what was typed: the value is that of the server. */
    discard: (some: readonly Pending[]): void => {
      for (const { rowId, column } of some) drop(rowId, column);
      tell(some.map(({ rowId }) => rowId));
    },
  };
}
export type CellWrites = ReturnType<typeof makeCellWrites>;
