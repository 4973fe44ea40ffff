import type { Conflict, Written } from '@contract/tables/records';
import { makePendingCells } from './pendingCells';
import type { PendingCell, PendingCells } from './pendingCells';

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

/** Revisions created by own cell writes. An editor opened while a write was pending already showed the new value, although with the previous revision. */
function makeSavedRevisions(revisionOf: WritesEnvironment['revisionOf']) {
  const saved = new Map<string, number>();
  const keyOf = ({ rowId, column }: Pick<Cell, 'rowId' | 'column'>): string => `${rowId} ${column}`;
  return {
    note: (cells: readonly Cell[], { records }: Written): void => {
      const revisions = new Map(records.map(({ id, revision }) => [id, revision]));
      for (const cell of cells) {
        const revision = revisions.get(cell.rowId);
        saved.delete(keyOf(cell));
        if (revision !== undefined) saved.set(keyOf(cell), revision);
      }
      for (const oldest of saved.keys()) {
        if (saved.size <= rememberedSaves) break;
        saved.delete(oldest);
      }
    },
    /** The revision on which a write of the cell is based. */
    baseOf: (cell: Cell): number | undefined => (cell.revision === undefined ? revisionOf(cell.rowId) : Math.max(cell.revision, saved.get(keyOf(cell)) ?? 0)),
  };
}

/** The cells of the next call and its changes: one change per record, or one per base revision where a record's cells differ in it. */
function nextCall(
  remaining: readonly Cell[],
  baseOf: (cell: Cell) => number | undefined,
): { readonly cells: readonly Cell[]; readonly changes: readonly Change[] } {
  const changes = new Map<string, { id: string; revision?: number; values: Record<string, unknown> }>();
  const cells: Cell[] = [];
  for (const cell of remaining) {
    const revision = baseOf(cell);
    const key = `${cell.rowId} ${String(revision)}`;
    const known = changes.get(key);
    if (!known && changes.size === batchRows) continue;
    const change = known ?? { id: cell.rowId, ...(revision === undefined ? {} : { revision }), values: {} };
    change.values[cell.column] = cell.value;
    changes.set(key, change);
    cells.push(cell);
  }
  return { cells, changes: [...changes.values()] };
}

/** Marks the refused cells of a call, and returns the others that are worth sending again. */
function markRefused(
  { put, isCurrent }: PendingCells,
  cells: readonly Cell[],
  changes: readonly Change[],
  { refusal, onConflict }: { readonly refusal: Refusal; readonly onConflict: WritesEnvironment['onConflict'] },
): Cell[] {
  const refused = new Set<Cell>();
  for (const { at: place, column, message } of refusal.cells) {
    for (const cell of cells) {
      if (cell.column !== column || (place !== null && changes[place]?.id !== cell.rowId)) continue;
      refused.add(cell);
      if (isCurrent(cell)) put({ ...cell, state: 'refused', message });
    }
  }
  for (const conflict of refusal.conflicts) {
    onConflict(conflict);
    for (const cell of cells) {
      const both = cell.rowId === conflict.record.id ? conflict.fields[cell.column] : undefined;
      if (!both) continue;
      refused.add(cell);
      if (isCurrent(cell)) put({ ...cell, revision: conflict.revision, state: 'conflict', base: both.base, theirs: both.theirs, by: conflict.by });
    }
  }
  const isNamed = refused.size > 0;
  if (isNamed) return cells.filter((cell) => !refused.has(cell));
  for (const cell of cells) if (isCurrent(cell)) put({ ...cell, state: 'refused', message: refusal.message, passing: refusal.passing });
  return [];
}

/**
 * Pending edits: shown at once, saved one gesture after another (each uses the revision of the previous one), and kept with the reason where the server refuses
 * them. Valid cells of a gesture are saved even if others are refused.
 */
export function makeCellWrites(env: WritesEnvironment) {
  const pending = makePendingCells(env.onMarks);
  const revisions = makeSavedRevisions(env.revisionOf);
  const { at, isCurrent, put, publish } = pending;
  let queue: Promise<void> = Promise.resolve();
  let saving = 0;

  async function send(gesture: readonly Cell[]): Promise<void> {
    const batches: string[] = [];
    let remaining: readonly Cell[] = gesture;
    while (remaining.length > 0) {
      const { cells, changes } = nextCall(remaining, revisions.baseOf);
      const sent = new Set(cells);
      remaining = remaining.filter((cell) => !sent.has(cell));
      const result = await env.save([...changes]);
      if ('written' in result) {
        if (result.written.batchId !== null) batches.push(result.written.batchId);
        revisions.note(cells, result.written);
        env.onSaved(result.written, changes);
        for (const cell of cells) if (isCurrent(cell)) pending.drop(cell);
      } else remaining = [...markRefused(pending, cells, changes, { refusal: result.refusal, onConflict: env.onConflict }), ...remaining];
      publish(cells.map(({ rowId }) => rowId));
    }
    const refused = gesture.flatMap((cell) => unsavedCell(cell) ?? []);
    if (batches.length > 0 || refused.length > 0) env.onGesture({ batches, ...(refused.length === 0 ? {} : { refused: refusedCells(refused) }) });
  }

  /** The unsaved value of a gesture's cell, unless it has been typed over or is being sent again. */
  function unsavedCell(cell: Cell): PendingCell | undefined {
    const found = at(cell);
    return found !== undefined && found.state !== 'saving' && isCurrent(cell) ? found : undefined;
  }
  function refusedCells(refused: readonly PendingCell[]): RefusedCells {
    const stillUnsaved = (): PendingCell[] => refused.flatMap((cell) => unsavedCell(cell) ?? []);
    let discarded: readonly PendingCell[] = [];
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

  function write(cells: readonly Cell[]): Promise<void> {
    const gesture = cells.map(begun);
    for (const cell of gesture) put({ ...cell, state: 'saving' });
    saving += 1;
    publish(gesture.map(({ rowId }) => rowId));
    queue = queue
      .then(() => send(gesture))
      .finally(() => {
        saving -= 1;
        pending.notify();
      });
    return queue;
  }

  const retry = (cells: readonly PendingCell[]): Promise<void> =>
    write(cells.map(({ rowId, column, value, revision }) => ({ rowId, column, value, ...(revision === undefined ? {} : { revision }) })));
  const discard = (cells: readonly PendingCell[]): void => {
    for (const cell of cells) pending.drop(cell);
    publish(cells.map(({ rowId }) => rowId));
  };

  return {
    write,
    /** Resolves when no write is pending. */
    whenIdle: () => queue,
    /** Unsaved cells, with their values. */
    list: pending.list,
    isSaving: () => saving > 0,
    subscribe: pending.subscribe,
    of: pending.of,
    marks: pending.marks,
    /** Sends refused cells again, based on the revision they were typed over or on another user's value shown since, never on a later one. */
    retry,
    /** Discards the typed value in favour of the server's. */
    discard,
  };
}
export type CellWrites = ReturnType<typeof makeCellWrites>;
