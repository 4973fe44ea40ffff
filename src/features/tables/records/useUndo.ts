import { isAnyOf } from '@reduxjs/toolkit';
import { useCallback, useEffect, useState, useSyncExternalStore } from 'react';
import { useAppDispatch } from '@/store/hooks';
import { tablesApi } from '../tablesApi';
import { transferApi } from '../transfer/transferApi';
import { listen, takeBack, tellTaken, undoableMade } from '../undoing';
import type { RefusedCells } from './cellWrites';

/** One gesture: the batches that it took, or the import that wrote its one; and what of it was refused and stands in the cells. */
type Step = { readonly batches: readonly string[]; readonly importId?: string; readonly refused?: RefusedCells };
type Stacks = { readonly done: readonly Step[]; readonly undone: readonly Step[]; readonly busy: boolean };
const most = 100;
const { undoBatch, redoBatch } = tablesApi.endpoints;
const undone = isAnyOf(undoBatch.matchFulfilled, transferApi.endpoints.undoTableImport.matchFulfilled);

/** A step of which everything was refused is none any more once nothing of it stands in the cells. */
const isStanding = ({ batches, refused }: Step): boolean => batches.length > 0 || (refused?.count() ?? 0) > 0;

/** Read at the moment of a key, not at that of the last drawing. */
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

/**
 * What this person has done in this table since it was opened, to be taken back and done again. The server undoes: it leaves alone what others changed
 * since, and says how much that was.
 */
export function useUndo(siteId: string, table: string) {
  const dispatch = useAppDispatch();
  const [store] = useState(makeStacks);
  const { change: setStacks } = store;
  const stacks = useSyncExternalStore(store.subscribe, store.now);
  const add = useCallback(
    (step: Step): void => {
      // What is typed again while it is done again leaves the later steps to be done again, too.
      if (isStanding(step)) setStacks(({ done, undone: later, busy }) => ({ done: [...done, step].slice(-most), undone: busy ? later : [], busy }));
    },
    [setStacks],
  );
  const push = useCallback((batches: readonly string[]): void => add({ batches }), [add]);
  // An import ends while the table is looked at; and what is undone by a notice, the list of changes or the wizard is not undone again here.
  useEffect(() => {
    const stops = [
      dispatch(
        listen({
          actionCreator: undoableMade,
          effect: ({ payload: { batch, ...made } }) => {
            if (made.siteId === siteId && made.table === table) add({ batches: [batch], ...(made.importId === undefined ? {} : { importId: made.importId }) });
          },
        }),
      ),
      dispatch(
        listen({
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

  /** One step back or forth, once `settled` says which step is the last: what is still on its way may be saved or refused. */
  async function go(way: 'undo' | 'redo', settled: Promise<void>): Promise<void> {
    await settled;
    const { done, undone: later, busy } = store.now();
    const step = way === 'undo' ? done.findLast(isStanding) : later.at(-1);
    if (!step || busy) return;
    setStacks((before) => ({ ...before, busy: true }));
    const { importId, refused } = step;
    const next: string[] = [];
    let changed = 0;
    let skipped = 0;
    let byJob = false;
    let failure: { readonly error: unknown } | undefined;
    if (way === 'undo') {
      changed += refused?.count() ?? 0;
      refused?.discard();
    } else await refused?.restore();
    // Backwards for undoing: the last piece of a large paste first.
    for (const batch of way === 'undo' ? step.batches.toReversed() : step.batches) {
      if (way === 'undo') {
        const taken = await takeBack(dispatch, { siteId, table, batch, ...(importId === undefined ? {} : { importId }) });
        if ('error' in taken) {
          failure = taken;
          break;
        }
        changed += taken.changed;
        skipped += taken.skipped;
        byJob ||= taken.later === true;
        // What was undone is done again by its own name; what was done again is a batch of its own.
        next.push(batch);
      } else {
        const { data, error } = await dispatch(redoBatch.initiate({ siteId, table, batch }));
        if (!data) {
          failure = { error };
          break;
        }
        changed += data.undone;
        skipped += data.skippedCount;
        // An import goes on by its own name.
        next.push(importId === undefined ? (data.batchId ?? batch) : batch);
      }
    }
    // What a job takes back is not done again by a key: it is large, and still going.
    const again = failure === undefined && !byJob;
    const source = importId === undefined ? {} : { importId };
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
            // What was typed again is a gesture of its own.
            done: again && next.length > 0 ? [...before.done, { batches: next, ...source }] : before.done,
            undone: before.undone.filter((one) => one !== step),
            busy: false,
          },
    );
    if (next.length > 0 || failure !== undefined || way === 'undo') tellTaken(dispatch, way, failure ?? { changed, skipped, later: byJob });
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
