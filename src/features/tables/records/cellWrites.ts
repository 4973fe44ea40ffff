import type { Conflict, Written } from '@contract/tables/records';
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
  /** Revision of the record that the value was typed over; where somebody else's value has been shown since, that of theirs. */
  readonly revision?: number;
  /** What the cell held before both changes, what somebody else made of it in the meantime, and who. */
  readonly base?: unknown;
  readonly theirs?: unknown;
  readonly by?: string | null;
};
/** Without a revision the value is written over the one that the list shows when it is sent, as pasting is meant to. */
export type Cell = { readonly rowId: string; readonly column: string; readonly value: unknown; readonly revision?: number };
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
/** What was refused of one gesture, as long as it stands in the cells: it may be sent again, given up, or typed over. */
export type RefusedCells = {
  /** In how many records it stands. */
  readonly count: () => number;
  readonly discard: () => void;
  /** Types it again, over what it was typed over the first time. */
  readonly restore: () => Promise<void>;
};
export type WritesEnvironment = {
  readonly save: (changes: Change[]) => Promise<{ readonly written: Written } | { readonly refusal: Refusal }>;
  readonly revisionOf: (rowId: string) => number | undefined;
  /** The values are the server's now. */
  readonly onSaved: (written: Written, changes: readonly Change[]) => void;
  /** One gesture is done, in as many batches as it needed; `refused`: cells of it that were not saved. */
  readonly onGesture: (gesture: { readonly batches: readonly string[]; readonly refused?: RefusedCells }) => void;
  readonly onConflict: (conflict: Conflict) => void;
  /** Marks of these rows have changed. */
  readonly onMarks: (rowIds: readonly string[]) => void;
};

/** Records of one call (`tableLimits.batch`). */
const batchRows = 1000;
/** Own saves that are remembered: enough for whatever editors were opened before one of them came back. */
const rememberedSaves = 20_000;

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

  /** Revisions that own writes of cells have made. An editor opened while one was on its way showed that value already, though the revision before it. */
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

  /** Cells of one call, and the changes that it makes of them: one a record, and where cells of it began at different revisions, one for each. */
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
        if (isCurrent(cell)) put({ ...cell, revision: conflict.revision, state: 'conflict', base: both.base, theirs: both.theirs, by: conflict.by });
      }
    }
    const named = refused.size > 0;
    if (named) return some.filter((cell) => !refused.has(cell));
    for (const cell of some) if (isCurrent(cell)) put({ ...cell, state: 'fault', fault: refusal.words, passing: refusal.passing });
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
    const refused = gesture.flatMap((cell) => standing(cell) ?? []);
    if (batches.length > 0 || refused.length > 0) env.onGesture({ batches, ...(refused.length === 0 ? {} : { refused: refusedCells(refused) }) });
  }

  /** What stands in a cell of a gesture unsaved, unless something else has been typed over it or it is on its way again. */
  function standing(cell: Cell): Pending | undefined {
    const pending = at(cell);
    return pending !== undefined && pending.state !== 'saving' && isCurrent(cell) ? pending : undefined;
  }
  function refusedCells(refused: readonly Pending[]): RefusedCells {
    const standingNow = (): Pending[] => refused.flatMap((cell) => standing(cell) ?? []);
    let discarded: readonly Pending[] = [];
    return {
      count: () => new Set(standingNow().map(({ rowId }) => rowId)).size,
      discard: () => {
        discarded = standingNow();
        discard(discarded);
      },
      restore: () => retry(discarded),
    };
  }

  /** What is typed over a value that is not saved yet began where that value did: the list shows it in place of the server's. */
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
        for (const hear of hearers) hear();
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
    /** Resolves when nothing is on its way any more. */
    settled: () => queue,
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
    /** Sends what was refused again: over the value that it was typed over, or over somebody else's that has been shown since, and no later one. */
    retry,
    /** Gives up what was typed: the value is that of the server. */
    discard,
  };
}
export type CellWrites = ReturnType<typeof makeCellWrites>;
