import { isAnyOf } from '@reduxjs/toolkit';
import { useCallback, useEffect, useState } from 'react';
import { useAppDispatch } from '@/store/hooks';
import { tablesApi } from '../tablesApi';
import { transferApi } from '../transfer/transferApi';
import { listen, takeBack, tellTaken, undoableMade } from '../undoing';

/** One gesture: the batches that it took, or the import that wrote its one. */
type Step = { readonly batches: readonly string[]; readonly importId?: string };
type Stacks = { readonly done: readonly Step[]; readonly undone: readonly Step[]; readonly busy: boolean };
const most = 100;
const { undoBatch, redoBatch } = tablesApi.endpoints;
const undone = isAnyOf(undoBatch.matchFulfilled, transferApi.endpoints.undoTableImport.matchFulfilled);

/**
 * What this person has done in this table since it was opened, to be taken back and done again. The server undoes: it leaves alone what others changed
 * since, and says how much that was.
 */
export function useUndo(siteId: string, table: string) {
  const dispatch = useAppDispatch();
  const [stacks, setStacks] = useState<Stacks>({ done: [], undone: [], busy: false });
  const add = useCallback((step: Step): void => {
    if (step.batches.length > 0) setStacks(({ done, busy }) => ({ done: [...done, step].slice(-most), undone: [], busy }));
  }, []);
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
  }, [dispatch, siteId, table, add]);

  async function go(way: 'undo' | 'redo'): Promise<void> {
    const step = (way === 'undo' ? stacks.done : stacks.undone).at(-1);
    if (!step || stacks.busy) return;
    setStacks((before) => ({ ...before, busy: true }));
    const { importId } = step;
    const next: string[] = [];
    let changed = 0;
    let skipped = 0;
    let later = false;
    let failure: { readonly error: unknown } | undefined;
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
        later ||= taken.later === true;
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
    const again = failure === undefined && !later;
    const source = importId === undefined ? {} : { importId };
    if (way === 'redo' && importId !== undefined) dispatch(transferApi.util.invalidateTags(['TableImports']));
    setStacks((before) =>
      way === 'undo'
        ? {
            done: before.done.filter((one) => one !== step),
            undone: again ? [...before.undone, { batches: next.toReversed(), ...source }] : before.undone,
            busy: false,
          }
        : {
            done: again ? [...before.done, { batches: next, ...source }] : before.done,
            undone: before.undone.filter((one) => one !== step),
            busy: false,
          },
    );
    tellTaken(dispatch, way, failure ?? { changed, skipped, later });
  }

  return {
    push,
    undo: () => go('undo'),
    redo: () => go('redo'),
    canUndo: stacks.done.length > 0 && !stacks.busy,
    canRedo: stacks.undone.length > 0 && !stacks.busy,
  };
}
export type Undo = ReturnType<typeof useUndo>;
