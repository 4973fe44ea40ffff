import { defineUndo } from '@/features/notices/undoListeners';
import type { AppDispatch } from '@/store';
import { insightsApi } from './insightsApi';

type Definition = { readonly siteId: string; readonly id: string };
const { restoreGoal, restoreFunnel, restoreSegment, restoreAnnotation } = insightsApi.endpoints;
const restoring = {
  goal: (dispatch: AppDispatch, goal: Definition) => dispatch(restoreGoal.initiate(goal)),
  funnel: (dispatch: AppDispatch, funnel: Definition) => dispatch(restoreFunnel.initiate(funnel)),
  segment: (dispatch: AppDispatch, segment: Definition) => dispatch(restoreSegment.initiate(segment)),
  annotation: (dispatch: AppDispatch, note: Definition) => dispatch(restoreAnnotation.initiate(note)),
} as const;

/** A removed definition. It comes back with its id, so that segments, funnels and links that refer to it work again. */
export type RemovedDefinition = Definition & { readonly kind: keyof typeof restoring };

/** Notifies that a definition was removed, and offers to restore it. */
export const notifyRemoved = defineUndo<RemovedDefinition>('insights/removalUndone', (dispatch, { kind, ...definition }) =>
  restoring[kind](dispatch, definition),
);
