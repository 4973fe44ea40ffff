import type { Conflict, Written } from '@contract/tables/records';
import type { CellMark } from '../grid/types';

/** A cell whose value is not saved: it stays on screen as typed until it is saved or discarded. */
export type Pending = {
  readonly rowId: string;
  readonly column: string;
  readonly value: unknown;
  readonly state: 'saving' | 'fault' | 'conflict';
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
/** Without a revision, the write applies to the revision that the list shows when it is sent, as for pasting. */
export type Cell = { readonly rowId: string; readonly column: string; readonly value: unknown; readonly revision?: number };
type Change = { readonly id: string; readonly revision?: number; readonly values: Record<string, unknown> };

/** Why a write was refused, derived from the failure by `useWriteFailure`. */
export type Refusal = {
  /** By the index of the change in the call and the field; null index: all changes. */
  readonly cells: readonly { readonly at: number | null; readonly column: string; readonly message: string }[];
  readonly conflicts: readonly Conflict[];
  /** Message for cells without a reason of their own. */
  readonly message: string;
  /** No response was received: a retry may succeed. */
  readonly passing: boolean;
};
/** The refused cells of one gesture, as long as they are unsaved: they may be retried, discarded, or typed over. */
export type RefusedCells = {
  /** Number of records that have such cells. */
  readonly count: () => number;
  readonly discard: () => void;
  /** Types the values again, based on the revisions of the first attempt. */
  readonly restore: () => Promise<void>;
};
export type WritesEnvironment = {
  readonly save: (changes: Change[]) => Promise<{ readonly written: Written } | { readonly refusal: Refusal }>;
  readonly revisionOf: (rowId: string) => number | undefined;
  /** The values have been saved. */
  readonly onSaved: (written: Written, changes: readonly Change[]) => void;
  /** One gesture is finished, in as many batches as it needed; `refused`: its cells that were not saved. */
  readonly onGesture: (gesture: { readonly batches: readonly string[]; readonly refused?: RefusedCells }) => void;
  readonly onConflict: (conflict: Conflict) => void;
  /** The marks of these rows have changed. */
  readonly onMarks: (rowIds: readonly string[]) => void;
};

/** Maximum records per call (`tableLimits.batch`). */
const batchRows = 1000;
/** Own saves that are remembered: enough for any editors that were open when one of the saves completed. */
const rememberedSaves = 20_000;

/**
 * Pending edits: shown at once, saved one gesture after another (each uses the revision of the previous one), and kept with the reason where the server refuses
 * them. Valid cells of a gesture are saved even if others are refused.
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
    for (const listener of hearers) listener();
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
  /** Whether the cell still has this gesture's value; a later gesture may have replaced it. */
  const isCurrent = (cell: Cell): boolean => Object.is(at(cell)?.value, cell.value);

  /** Revisions created by own cell writes. An editor opened while a write was pending already showed the new value, although with the previous revision. */
  const saved = new Map<string, number>();
  const cellKey = ({ rowId, column }: Pick<Cell, 'rowId' | 'column'>): string => `${rowId} ${column}`;
  const noteSaved = (some: readonly Cell[], { records }: Written): void => {
    const revisions = new Map(records.map(({ id, revision }) => [id, revision]));
    for (const cell of some) {
      const revision = revisions.get(cell.rowId);
      saved.delete(cellKey(cell));
      if (revision !== undefined) saved.set(cellKey(cell), revision);
    }
    for (const oldest of saved.keys()) {
      if (saved.size <= rememberedSaves) break;
      saved.delete(oldest);
    }
  };
  const revisionFor = (cell: Cell): number | undefined =>
    cell.revision === undefined ? env.revisionOf(cell.rowId) : Math.max(cell.revision, saved.get(cellKey(cell)) ?? 0);

  /** The cells of the next call and its changes: one change per record, or one per base revision where a record's cells differ in it. */
  function nextCall(left: readonly Cell[]): { readonly some: readonly Cell[]; readonly changes: readonly Change[] } {
    const changes = new Map<string, { id: string; revision?: number; values: Record<string, unknown> }>();
    const some: Cell[] = [];
    for (const cell of left) {
      const revision = revisionFor(cell);
      const key = `${cell.rowId} ${String(revision)}`;
      const known = changes.get(key);
      if (!known && changes.size === batchRows) continue;
      const change = known ?? { id: cell.rowId, ...(revision === undefined ? {} : { revision }), values: {} };
      change.values[cell.column] = cell.value;
      changes.set(key, change);
      some.push(cell);
    }
    return { some, changes: [...changes.values()] };
  }

  /** Marks the refused cells, and returns the others that are worth sending again. */
  function refuse(some: readonly Cell[], changes: readonly Change[], refusal: Refusal): Cell[] {
    const refused = new Set<Cell>();
    for (const { at: place, column, message } of refusal.cells) {
      for (const cell of some) {
        if (cell.column !== column || (place !== null && changes[place]?.id !== cell.rowId)) continue;
        refused.add(cell);
        if (isCurrent(cell)) put({ ...cell, state: 'fault', message });
      }
    }
    for (const conflict of refusal.conflicts) {
      env.onConflict(conflict);
      for (const cell of some) {
        const both = cell.rowId === conflict.record.id ? conflict.fields[cell.column] : undefined;
        if (!both) continue;
        refused.add(cell);
        if (isCurrent(cell)) put({ ...cell, revision: conflict.revision, state: 'conflict', base: both.base, theirs: both.theirs, by: conflict.by });
      }
    }
    const named = refused.size > 0;
    if (named) return some.filter((cell) => !refused.has(cell));
    for (const cell of some) if (isCurrent(cell)) put({ ...cell, state: 'fault', message: refusal.message, passing: refusal.passing });
    return [];
  }

  async function send(gesture: readonly Cell[]): Promise<void> {
    const batches: string[] = [];
    let left: readonly Cell[] = gesture;
    while (left.length > 0) {
      const { some, changes } = nextCall(left);
      const sent = new Set(some);
      left = left.filter((cell) => !sent.has(cell));
      const answer = await env.save([...changes]);
      if ('written' in answer) {
        if (answer.written.batchId !== null) batches.push(answer.written.batchId);
        noteSaved(some, answer.written);
        env.onSaved(answer.written, changes);
        for (const cell of some) if (isCurrent(cell)) drop(cell.rowId, cell.column);
      } else left = [...refuse(some, changes, answer.refusal), ...left];
      tell(some.map(({ rowId }) => rowId));
    }
    const refused = gesture.flatMap((cell) => unsavedCell(cell) ?? []);
    if (batches.length > 0 || refused.length > 0) env.onGesture({ batches, ...(refused.length === 0 ? {} : { refused: refusedCells(refused) }) });
  }

  /** The unsaved value of a gesture's cell, unless it has been typed over or is being sent again. */
  function unsavedCell(cell: Cell): Pending | undefined {
    const pending = at(cell);
    return pending !== undefined && pending.state !== 'saving' && isCurrent(cell) ? pending : undefined;
  }
  function refusedCells(refused: readonly Pending[]): RefusedCells {
    const stillUnsaved = (): Pending[] => refused.flatMap((cell) => unsavedCell(cell) ?? []);
    let discarded: readonly Pending[] = [];
    return {
      count: () => new Set(stillUnsaved().map(({ rowId }) => rowId)).size,
      discard: () => {
        discarded = stillUnsaved();
        discard(discarded);
      },
      restore: () => retry(discarded),
    };
  }

  /** A value typed over an unsaved one has the same base as that one, because the list shows it in place of the server's value. */
  function begun(cell: Cell): Cell {
    const known = at(cell)?.revision;
    return known === undefined || cell.revision === undefined ? cell : { ...cell, revision: Math.min(known, cell.revision) };
  }

  function write(some: readonly Cell[]): Promise<void> {
    const gesture = some.map(begun);
    for (const cell of gesture) put({ ...cell, state: 'saving' });
    saving += 1;
    tell(gesture.map(({ rowId }) => rowId));
    queue = queue
      .then(() => send(gesture))
      .finally(() => {
        saving -= 1;
        for (const listener of hearers) listener();
      });
    return queue;
  }

  const retry = (some: readonly Pending[]): Promise<void> =>
    write(some.map(({ rowId, column, value, revision }) => ({ rowId, column, value, ...(revision === undefined ? {} : { revision }) })));
  const discard = (some: readonly Pending[]): void => {
    for (const { rowId, column } of some) drop(rowId, column);
    tell(some.map(({ rowId }) => rowId));
  };

  return {
    write,
    /** Resolves when no write is pending. */
    whenIdle: () => queue,
    /** Unsaved cells, with their values. */
    list: () => list,
    isSaving: () => saving > 0,
    subscribe: (listener: () => void) => {
      hearers.add(listener);
      return () => void hearers.delete(listener);
    },
    of: (rowId: string): ReadonlyMap<string, Pending> | undefined => cells.get(rowId),
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
    /** Sends refused cells again, based on the revision they were typed over or on another user's value shown since, never on a later one. */
    retry,
    /** Discards the typed value in favour of the server's. */
    discard,
  };
}
export type CellWrites = ReturnType<typeof makeCellWrites>;
