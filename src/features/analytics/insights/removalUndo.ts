import { addListener, createAction } from '@reduxjs/toolkit';
import type { AnnotationInput, FunnelInput, GoalInput, SegmentInput } from '@contract/insights/schemas';
import { noticeShown, notifyFailure } from '@/features/notices/noticesSlice';
import type { NoticeMessage } from '@/features/notices/noticesSlice';
import { undoOfferMs } from '@/lib/undoOffer';
import type { AppDispatch, RootState } from '@/store';
import { insightsApi } from './insightsApi';

/**
 * A definition that was removed, as it is saved again: reports are computed from definitions, so that the new one shows the same figures. It has another id and
 * author: addresses that name the old one do not find it.
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
