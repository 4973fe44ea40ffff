import { insightCalls, insightReportCalls } from '@contract/insights/calls';
import type { insightReportEndpoints } from '@contract/insights/reports';
import type { insightEndpoints } from '@contract/insights/schemas';
import { mutation, query, requestOf, typed } from '@/store/endpoints';
import type { ArgumentsOf, ResultOf, TypedCall } from '@/store/endpoints';
import { analyticsApi, ofReports } from '../analyticsApi';

type Insights = typeof insightEndpoints;
type Reports = typeof insightReportEndpoints;
const calls = typed<Insights>(insightCalls);
const reports = typed<Reports>(insightReportCalls);

type OfSite = { readonly siteId: string };
type Saved<B> = OfSite & { readonly body: B; /** Absent: a new one. */ readonly was?: { readonly id: string; readonly revision: number } };
type Kind = 'Goal' | 'Funnel' | 'Segment' | 'Annotation';

const listOf = (type: Kind) => ({ providesTags: (_answer: unknown, _failure: unknown, { siteId }: OfSite) => [{ type, id: siteId }] });
/** What is counted by a definition is asked for again with it. */
const touches = (kind: Kind) => ({
  invalidatesTags: (_answer: unknown, failure: unknown, { siteId }: OfSite) =>
    failure
      ? []
      : [{ type: kind, id: siteId }, { type: 'Annotation' as const, id: siteId }, ...(kind === 'Annotation' ? [] : [{ type: 'Report' as const, id: siteId }])],
});
/** One act of the reader, two calls: a new one is added, one that was there is replaced. */
const saving =
  <B>(add: TypedCall<{ siteId: string; body: B }, unknown>, change: TypedCall<{ siteId: string; id: string; body: B; revision: number }, unknown>) =>
  ({ siteId, body, was }: Saved<B>) =>
    was === undefined ? requestOf(add, { siteId, body }) : requestOf(change, { siteId, id: was.id, body, revision: was.revision });

/** Goals, funnels, segments, annotations and what is counted by them; they come with the screens that ask. */
const insightsApi = analyticsApi.enhanceEndpoints({ addTagTypes: ['Goal', 'Funnel', 'Segment', 'Annotation'] }).injectEndpoints({
  endpoints: (b) => ({
    goals: query(b, calls.goals, listOf('Goal')),
    saveGoal: b.mutation<ResultOf<Insights['addGoal']>, Saved<ArgumentsOf<Insights['addGoal']>['body']>>({
      query: saving(calls.addGoal, calls.changeGoal),
      ...touches('Goal'),
    }),
    removeGoal: mutation(b, calls.removeGoal, touches('Goal')),
    funnels: query(b, calls.funnels, listOf('Funnel')),
    saveFunnel: b.mutation<ResultOf<Insights['addFunnel']>, Saved<ArgumentsOf<Insights['addFunnel']>['body']>>({
      query: saving(calls.addFunnel, calls.changeFunnel),
      ...touches('Funnel'),
    }),
    removeFunnel: mutation(b, calls.removeFunnel, touches('Funnel')),
    segments: query(b, calls.segments, listOf('Segment')),
    saveSegment: b.mutation<ResultOf<Insights['addSegment']>, Saved<ArgumentsOf<Insights['addSegment']>['body']>>({
      query: saving(calls.addSegment, calls.changeSegment),
      ...touches('Segment'),
    }),
    removeSegment: mutation(b, calls.removeSegment, touches('Segment')),
    annotations: query(b, calls.annotations, listOf('Annotation')),
    saveAnnotation: b.mutation<ResultOf<Insights['addAnnotation']>, Saved<ArgumentsOf<Insights['addAnnotation']>['body']>>({
      query: saving(calls.addAnnotation, calls.changeAnnotation),
      ...touches('Annotation'),
    }),
    removeAnnotation: mutation(b, calls.removeAnnotation, touches('Annotation')),
    eventsReport: query(b, reports.eventsReport, ofReports),
    eventDetail: query(b, reports.eventDetail, ofReports),
    searches: query(b, reports.searches, ofReports),
    scroll: query(b, reports.scroll, ofReports),
    retention: query(b, reports.retention, ofReports),
    journey: query(b, reports.journey, ofReports),
    funnelResult: b.query<ResultOf<Reports['funnelResult']>, ArgumentsOf<Reports['funnelResult']> & { revision: number }>({
      // The revision makes a changed funnel another question.
      query: ({ revision: _revision, ...asked }) => requestOf(reports.funnelResult, asked),
      ...ofReports,
    }),
  }),
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
