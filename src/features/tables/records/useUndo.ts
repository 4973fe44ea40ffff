import { useCallback, useState } from 'react';
import { failureWords, noticeShown } from '@/features/notices/noticesSlice';
import { isFailure } from '@/store/failure';
import { useAppDispatch } from '@/store/hooks';
import { tablesApi } from '../tablesApi';

/** One gesture: the batches that it took. */
type Step = readonly string[];
type Stacks = { readonly done: readonly Step[]; readonly undone: readonly Step[]; readonly busy: boolean };
const most = 100;

/**
 * What this person has done in this table since it was opened, to be taken back and done again. The server undoes: it leaves alone what others changed
 * since, and says how much that was.
 */
export function useUndo(siteId: string, table: string) {
  const dispatch = useAppDispatch();
  const [stacks, setStacks] = useState<Stacks>({ done: [], undone: [], busy: false });
  const push = useCallback((step: Step): void => {
    if (step.length > 0) setStacks(({ done, busy }) => ({ done: [...done, step].slice(-most), undone: [], busy }));
  }, []);

  async function go(way: 'undo' | 'redo'): Promise<void> {
    const step = (way === 'undo' ? stacks.done : stacks.undone).at(-1);
    if (!step || stacks.busy) return;
    setStacks((before) => ({ ...before, busy: true }));
    const { undoBatch, redoBatch } = tablesApi.endpoints;
    const next: string[] = [];
    let changed = 0;
    let skipped = 0;
    let failure: unknown;
    // Backwards for undoing: the last piece of a large paste first.
    for (const batch of way === 'undo' ? step.toReversed() : step) {
      const answer = await dispatch((way === 'undo' ? undoBatch : redoBatch).initiate({ siteId, table, batch }));
      if (!answer.data) {
        failure = answer.error;
        break;
      }
      changed += answer.data.undone;
      skipped += answer.data.skippedCount;
      // What was undone is done again by its own name; what was done again is a batch of its own.
      next.push(way === 'undo' ? batch : (answer.data.batchId ?? batch));
    }
    setStacks(({ done, undone }) =>
      way === 'undo'
        ? { done: done.filter((one) => one !== step), undone: failure === undefined ? [...undone, next.toReversed()] : undone, busy: false }
        : { done: failure === undefined ? [...done, next] : done, undone: undone.filter((one) => one !== step), busy: false },
    );
    if (isFailure(failure)) dispatch(noticeShown({ tone: 'bad', words: failureWords(failure), requestId: failure.requestId }));
    else if (skipped > 0) dispatch(noticeShown({ tone: 'warning', words: { key: `tables:undo.${way}Skipped`, values: { count: skipped } } }));
    else dispatch(noticeShown({ words: { key: `tables:undo.${way}Done`, values: { count: changed } }, for: 3000 }));
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
