import { insightCalls, insightReportCalls } from '@contract/insights/calls';
import type { insightReportEndpoints } from '@contract/insights/reports';
import type { insightEndpoints } from '@contract/insights/schemas';
import { mutation, query, requestOf, typed } from '@/store/endpoints';
import type { ArgumentsOf, OfSite, ResultOf, TypedCall } from '@/store/endpoints';
import { analyticsApi, ofReports } from '../analyticsApi';

type Insights = typeof insightEndpoints;
type Reports = typeof insightReportEndpoints;
const calls = typed<Insights>(insightCalls);
const reports = typed<Reports>(insightReportCalls);

type Saved<B> = OfSite & { readonly body: B; /** Absent for a new definition. */ readonly was?: { readonly id: string; readonly revision: number } };
type Kind = 'Goal' | 'Funnel' | 'Segment' | 'Annotation';

const listOf = (type: Kind) => ({ providesTags: (_result: unknown, _failure: unknown, { siteId }: OfSite) => [{ type, id: siteId }] });
/** Results that depend on a definition are refetched with it. */
const touches = (kind: Kind) => ({
  invalidatesTags: (_result: unknown, failure: unknown, { siteId }: OfSite) =>
    failure
      ? []
      : [{ type: kind, id: siteId }, { type: 'Annotation' as const, id: siteId }, ...(kind === 'Annotation' ? [] : [{ type: 'Report' as const, id: siteId }])],
});
const taggedApi = analyticsApi.enhanceEndpoints({ addTagTypes: ['Goal', 'Funnel', 'Segment', 'Annotation'] });
type Builder = Parameters<Parameters<typeof taggedApi.injectEndpoints>[0]['endpoints']>[0];
type Calls<Q, L, B, R> = {
  readonly list: TypedCall<Q, L>;
  readonly add: TypedCall<{ siteId: string; body: B }, R>;
  readonly change: TypedCall<{ siteId: string; id: string; body: B; revision: number }, R>;
  readonly remove: TypedCall<{ siteId: string; id: string }, null>;
  readonly restore: TypedCall<{ siteId: string; id: string }, R>;
};
/** The endpoints of one kind of definition: list, save (adds or replaces), remove and restore. */
const definitionEndpoints = <Q extends OfSite, L, B, R>(b: Builder, kind: Kind, { list, add, change, remove, restore }: Calls<Q, L, B, R>) => ({
  list: query(b, list, listOf(kind)),
  save: b.mutation<R, Saved<B>>({
    query: ({ siteId, body, was }) =>
      was === undefined ? requestOf(add, { siteId, body }) : requestOf(change, { siteId, id: was.id, body, revision: was.revision }),
    ...touches(kind),
  }),
  remove: mutation(b, remove, touches(kind)),
  restore: mutation(b, restore, touches(kind)),
});

/** Goals, funnels, segments, annotations and their reports; loaded with the screens that use them. */
export const insightsApi = taggedApi.injectEndpoints({
  endpoints: (b) => {
    const goal = definitionEndpoints(b, 'Goal', {
      list: calls.goals,
      add: calls.addGoal,
      change: calls.changeGoal,
      remove: calls.removeGoal,
      restore: calls.restoreGoal,
    });
    const funnel = definitionEndpoints(b, 'Funnel', {
      list: calls.funnels,
      add: calls.addFunnel,
      change: calls.changeFunnel,
      remove: calls.removeFunnel,
      restore: calls.restoreFunnel,
    });
    const segment = definitionEndpoints(b, 'Segment', {
      list: calls.segments,
      add: calls.addSegment,
      change: calls.changeSegment,
      remove: calls.removeSegment,
      restore: calls.restoreSegment,
    });
    const annotation = definitionEndpoints(b, 'Annotation', {
      list: calls.annotations,
      add: calls.addAnnotation,
      change: calls.changeAnnotation,
      remove: calls.removeAnnotation,
      restore: calls.restoreAnnotation,
    });
    return {
      goals: goal.list,
      saveGoal: goal.save,
      removeGoal: goal.remove,
      restoreGoal: goal.restore,
      funnels: funnel.list,
      saveFunnel: funnel.save,
      removeFunnel: funnel.remove,
      restoreFunnel: funnel.restore,
      segments: segment.list,
      saveSegment: segment.save,
      removeSegment: segment.remove,
      restoreSegment: segment.restore,
      annotations: annotation.list,
      saveAnnotation: annotation.save,
      removeAnnotation: annotation.remove,
      restoreAnnotation: annotation.restore,
      eventsReport: query(b, reports.eventsReport, ofReports),
      eventDetail: query(b, reports.eventDetail, ofReports),
      searches: query(b, reports.searches, ofReports),
      scroll: query(b, reports.scroll, ofReports),
      retention: query(b, reports.retention, ofReports),
      journey: query(b, reports.journey, ofReports),
      funnelResult: b.query<ResultOf<Reports['funnelResult']>, ArgumentsOf<Reports['funnelResult']> & { revision: number }>({
        // The revision gives a changed funnel another cache key.
        query: ({ revision: _revision, ...args }) => requestOf(reports.funnelResult, args),
        ...ofReports,
      }),
    };
  },
});

export const {
  useGoalsQuery,
  useSaveGoalMutation,
  useRemoveGoalMutation,
  useFunnelsQuery,
  useSaveFunnelMutation,
  useRemoveFunnelMutation,
  useSegmentsQuery,
  useSaveSegmentMutation,
  useRemoveSegmentMutation,
  useAnnotationsQuery,
  useSaveAnnotationMutation,
  useRemoveAnnotationMutation,
  useEventsReportQuery,
  useEventDetailQuery,
  useSearchesQuery,
  useScrollQuery,
  useRetentionQuery,
  useJourneyQuery,
  useFunnelResultQuery,
} = insightsApi;
