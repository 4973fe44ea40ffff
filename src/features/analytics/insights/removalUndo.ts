import { addListener, createAction } from '@reduxjs/toolkit';
import type { AnnotationInput, FunnelInput, GoalInput, SegmentInput } from '@contract/insights/schemas';
import { noticeShown, notifyFailure } from '@/features/notices/noticesSlice';
import type { NoticeMessage } from '@/features/notices/noticesSlice';
import { undoOfferMs } from '@/lib/undoOffer';
import type { AppDispatch, RootState } from '@/store';
import { insightsApi } from './insightsApi';

/**
 * The content of a removed definition. Undo saves it again, and reports show the same figures, because they are computed from definitions. The new one has
 * another id and author, so links to the old one no longer work.
 */
export type RemovedDefinition = { readonly siteId: string } & (
  | { readonly kind: 'goal'; readonly body: GoalInput }
  | { readonly kind: 'funnel'; readonly body: FunnelInput }
  | { readonly kind: 'segment'; readonly body: SegmentInput }
  | { readonly kind: 'note'; readonly body: AnnotationInput }
);

/** “Undo” was pressed after a definition was removed. Plain data, so that a notice can contain it. */
const removalUndone = createAction<RemovedDefinition>('insights/removalUndone');

function saveAgain(dispatch: AppDispatch, removed: RemovedDefinition): PromiseLike<{ readonly error?: unknown }> {
  const { saveGoal, saveFunnel, saveSegment, saveAnnotation } = insightsApi.endpoints;
  const { siteId } = removed;
  switch (removed.kind) {
    case 'goal':
      return dispatch(saveGoal.initiate({ siteId, body: removed.body }));
    case 'funnel':
      return dispatch(saveFunnel.initiate({ siteId, body: removed.body }));
    case 'segment':
      return dispatch(saveSegment.initiate({ siteId, body: removed.body }));
    case 'note':
      return dispatch(saveAnnotation.initiate({ siteId, body: removed.body }));
  }
}

const undoing = addListener.withTypes<RootState, AppDispatch>()({
  actionCreator: removalUndone,
  effect: async ({ payload }, { dispatch }) => {
    const { error } = await saveAgain(dispatch, payload);
    notifyFailure(dispatch, error);
  },
});

/** Notifies that a definition was removed, and offers to save it again. */
export function notifyRemoved(dispatch: AppDispatch, message: NoticeMessage, removed: RemovedDefinition): void {
  dispatch(undoing);
  dispatch(noticeShown({ tone: 'good', message, action: { message: { key: 'shell:undo' }, does: removalUndone(removed) }, for: undoOfferMs }));
}
