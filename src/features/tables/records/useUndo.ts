import { isAnyOf } from '@reduxjs/toolkit';
import { useCallback, useEffect, useState, useSyncExternalStore } from 'react';
import type { AppDispatch } from '@/store';
import { useAppDispatch } from '@/store/hooks';
import { tablesApi } from '../tablesApi';
import { transferApi } from '../transfer/transferApi';
import { addTableListener, undoChange, notifyUndoResult, undoableCreated } from '../undo';
import type { AddedField } from './addedField';
import type { RefusedCells } from './cellWrites';

/** One gesture: its batches, or the import that wrote its batch; its refused cells that are still unsaved; and the field that it added. */
type Step = { readonly batches: readonly string[]; readonly importId?: string; readonly refused?: RefusedCells; readonly field?: AddedField };
type Stacks = { readonly done: readonly Step[]; readonly undone: readonly Step[]; readonly busy: boolean };
const most = 100;
const { undoBatch, redoBatch } = tablesApi.endpoints;
const undone = isAnyOf(undoBatch.matchFulfilled, transferApi.endpoints.undoTableImport.matchFulfilled);

/** A step whose cells were all refused counts only as long as some of them are still unsaved. */
const isStanding = ({ batches, refused }: Step): boolean => batches.length > 0 || (refused?.count() ?? 0) > 0;

/** Read when a key is pressed, not as of the last render. */
function makeStacks() {
  let stacks: Stacks = { done: [], undone: [], busy: false };
  const listeners = new Set<() => void>();
  return {
    now: () => stacks,
    change: (next: (before: Stacks) => Stacks): void => {
      stacks = next(stacks);
      for (const listener of listeners) listener();
    },
    subscribe: (listener: () => void) => {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
}

/** The result of undoing or redoing a step: the batches that the opposite way starts from, and what to report. */
type Outcome = {
  readonly next: readonly string[];
  readonly changed: number;
  readonly skipped: number;
  readonly byJob: boolean;
  readonly failure?: { readonly error: unknown };
};
type Place = { readonly siteId: string; readonly table: string };

/** Undoes the batches of a step, the last one first. An undone batch is redone by its own id. */
async function undoStep(dispatch: AppDispatch, place: Place, { batches, importId, refused, field }: Step): Promise<Outcome> {
  const next: string[] = [];
  let changed = refused?.count() ?? 0;
  let skipped = 0;
  let byJob = false;
  refused?.discard();
  for (const batch of batches.toReversed()) {
    const result = await undoChange(dispatch, { ...place, batch, ...(importId === undefined ? {} : { importId }) });
    if ('error' in result) return { next, changed, skipped, byJob, failure: result };
    changed += result.changed;
    skipped += result.skipped;
    byJob ||= result.later === true;
    next.push(batch);
  }
  await field?.takeBack();
  return { next, changed, skipped, byJob };
}

/** Redoes the batches of a step. A redone batch is a new one; an import is always identified by its own. */
async function redoStep(dispatch: AppDispatch, place: Place, { batches, importId, refused, field }: Step): Promise<Outcome> {
  const next: string[] = [];
  let changed = 0;
  let skipped = 0;
  await refused?.restore();
  await field?.putBack();
  for (const batch of batches) {
    const { data, error } = await dispatch(redoBatch.initiate({ ...place, batch }));
    if (!data) return { next, changed, skipped, byJob: false, failure: { error } };
    changed += data.undone;
    skipped += data.skippedCount;
    next.push(importId === undefined ? (data.batchId ?? batch) : batch);
  }
  return { next, changed, skipped, byJob: false };
}

/**
 * Undo and redo of the user's own changes to this table since it was opened. The server performs the undo: it skips values that others have changed since, and
 * reports how many.
 */
export function useUndo(siteId: string, table: string) {
  const dispatch = useAppDispatch();
  const [store] = useState(makeStacks);
  const { change: setStacks } = store;
  const stacks = useSyncExternalStore(store.subscribe, store.now);
  const add = useCallback(
    (step: Step): void => {
      // A gesture made by a redo does not clear the remaining redo steps.
      if (isStanding(step)) setStacks(({ done, undone: later, busy }) => ({ done: [...done, step].slice(-most), undone: busy ? later : [], busy }));
    },
    [setStacks],
  );
  const push = useCallback((batches: readonly string[]): void => add({ batches }), [add]);
  // An import may finish while the table is open; and changes undone from a notice, the history or the wizard must not be undone again here.
  useEffect(() => {
    const stops = [
      dispatch(
        addTableListener({
          actionCreator: undoableCreated,
          effect: ({ payload: { batch, ...rest } }) => {
            if (rest.siteId === siteId && rest.table === table) add({ batches: [batch], ...(rest.importId === undefined ? {} : { importId: rest.importId }) });
          },
        }),
      ),
      dispatch(
        addTableListener({
          matcher: undone,
          effect: ({ meta: { arg } }) => {
            const { originalArgs: of } = arg;
            const isIt = ({ batches, importId }: Step): boolean =>
              'batch' in of ? batches.length === 1 && batches[0] === of.batch : importId !== undefined && importId === of.id;
            setStacks((before) => (before.busy ? before : { ...before, done: before.done.filter((step) => !isIt(step)) }));
          },
        }),
      ),
    ];
    return () => {
      for (const stop of stops) stop();
    };
  }, [dispatch, siteId, table, add, setStacks]);

  /** One step back or forward, after `pendingWrites`: those may still be saved or refused, which decides the last step. */
  async function go(way: 'undo' | 'redo', pendingWrites: Promise<void>): Promise<void> {
    await pendingWrites;
    const { done, undone: later, busy } = store.now();
    const step = way === 'undo' ? done.findLast(isStanding) : later.at(-1);
    if (!step || busy) return;
    setStacks((before) => ({ ...before, busy: true }));
    const { importId, refused, field } = step;
    const { next, changed, skipped, byJob, failure } = await (way === 'undo' ? undoStep : redoStep)(dispatch, { siteId, table }, step);
    // A job's undo cannot be redone by key: it is large and still running.
    const again = failure === undefined && !byJob;
    const source = { ...(importId === undefined ? {} : { importId }), ...(field === undefined ? {} : { field }) };
    const typed = refused === undefined ? {} : { refused };
    if (way === 'redo' && importId !== undefined) dispatch(transferApi.util.invalidateTags(['TableImports']));
    setStacks((before) =>
      way === 'undo'
        ? {
            done: before.done.filter((one) => one !== step),
            undone: again ? [...before.undone, { batches: next.toReversed(), ...source, ...typed }] : before.undone,
            busy: false,
          }
        : {
            // Retyped values form a gesture of their own.
            done: again && next.length > 0 ? [...before.done, { batches: next, ...source }] : before.done,
            undone: before.undone.filter((one) => one !== step),
            busy: false,
          },
    );
    if (next.length > 0 || failure !== undefined || way === 'undo') notifyUndoResult(dispatch, way, failure ?? { changed, skipped, later: byJob });
  }

  return {
    push,
    add,
    go,
    canUndo: stacks.done.some(isStanding) && !stacks.busy,
    canRedo: stacks.undone.length > 0 && !stacks.busy,
  };
}
export type Undo = ReturnType<typeof useUndo>;
