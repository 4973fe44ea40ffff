import type {
  EventDetail,
  EventDetailQuery,
  EventsQuery,
  EventsReport,
  FunnelResult,
  InsightQuery,
  Journey,
  JourneyQuery,
  Retention,
  RetentionQuery,
  ScrollQuery,
  ScrollReport,
  SearchesQuery,
  SearchesReport,
} from '@contract/insights/reports';
import type { Annotation, AnnotationInput, Funnel, FunnelInput, Goal, GoalInput, Segment, SegmentInput } from '@contract/insights/schemas';
import type { QueryParams } from '@/lib/queryString';
import { analyticsApi } from '../analyticsApi';

type OfSite<T> = T & { readonly siteId: string };
type One = { readonly siteId: string; readonly id: string };
type Saved<I> = { readonly siteId: string; readonly body: I; /** Absent: a new one. */ readonly was?: { readonly id: string; readonly revision: number } };
type Kind = 'Goal' | 'Funnel' | 'Segment' | 'Annotation';

const path = (siteId: string, name: string): string => `/api/site/${siteId}/als/${name}`;
const ofReports = {
  providesTags: (_answer: unknown, _failure: unknown, { siteId }: { siteId: string }) => [{ type: 'Report' as const, id: siteId }],
  keepUnusedDataFor: 60,
};
const call =
  (name: string) =>
  ({ siteId, ...params }: { siteId: string }) => ({ url: path(siteId, name), params: params as QueryParams });
const list = (kind: Kind, name: string) => ({
  query: (siteId: string) => ({ url: path(siteId, name) }),
  providesTags: (_answer: unknown, _failure: unknown, siteId: string) => [{ type: kind, id: siteId }],
});
/** What is counted by a definition is asked for again with it. */
const touches =
  (kind: Kind) =>
  (_answer: unknown, failure: unknown, { siteId }: { siteId: string }) =>
    failure
      ? []
      : [{ type: kind, id: siteId }, { type: 'Annotation' as const, id: siteId }, ...(kind === 'Annotation' ? [] : [{ type: 'Report' as const, id: siteId }])];
const saving = <I extends object>(kind: Kind, name: string) => ({
  query: ({ siteId, body, was }: Saved<I>) =>
    was === undefined
      ? { url: path(siteId, name), method: 'POST' as const, body }
      : { url: path(siteId, `${name}/${was.id}`), method: 'PUT' as const, body, ifMatch: was.revision },
  invalidatesTags: touches(kind),
});
const removing = (kind: Kind, name: string) => ({
  query: ({ siteId, id }: One) => ({ url: path(siteId, `${name}/${id}`), method: 'DELETE' as const }),
  invalidatesTags: touches(kind),
});

/** Goals, funnels, segments, annotations and what is counted by them; they come with the screens that ask. */
const insightsApi = analyticsApi.enhanceEndpoints({ addTagTypes: ['Goal', 'Funnel', 'Segment', 'Annotation'] }).injectEndpoints({
  endpoints: (b) => ({
    goals: b.query<Goal[], string>(list('Goal', 'goals')),
    saveGoal: b.mutation<Goal, Saved<GoalInput>>(saving<GoalInput>('Goal', 'goals')),
    removeGoal: b.mutation<null, One>(removing('Goal', 'goals')),
    funnels: b.query<Funnel[], string>(list('Funnel', 'funnels')),
    saveFunnel: b.mutation<Funnel, Saved<FunnelInput>>(saving<FunnelInput>('Funnel', 'funnels')),
    removeFunnel: b.mutation<null, One>(removing('Funnel', 'funnels')),
    segments: b.query<Segment[], string>(list('Segment', 'segments')),
    saveSegment: b.mutation<Segment, Saved<SegmentInput>>(saving<SegmentInput>('Segment', 'segments')),
    removeSegment: b.mutation<null, One>(removing('Segment', 'segments')),
    annotations: b.query<Annotation[], { siteId: string; from: string; to: string }>({
      query: ({ siteId, ...params }) => ({ url: path(siteId, 'annotations'), params }),
      providesTags: (_answer, _failure, { siteId }) => [{ type: 'Annotation', id: siteId }],
    }),
    saveAnnotation: b.mutation<Annotation, Saved<AnnotationInput>>(saving<AnnotationInput>('Annotation', 'annotations')),
    removeAnnotation: b.mutation<null, One>(removing('Annotation', 'annotations')),
    eventsReport: b.query<EventsReport, OfSite<EventsQuery>>({ query: call('event'), ...ofReports }),
    eventDetail: b.query<EventDetail, OfSite<EventDetailQuery>>({ query: call('event/detail'), ...ofReports }),
    searches: b.query<SearchesReport, OfSite<SearchesQuery>>({ query: call('searches'), ...ofReports }),
    scroll: b.query<ScrollReport, OfSite<ScrollQuery>>({ query: call('scroll'), ...ofReports }),
    retention: b.query<Retention, OfSite<RetentionQuery>>({ query: call('retention'), ...ofReports }),
    journey: b.query<Journey, OfSite<JourneyQuery>>({ query: call('journey'), ...ofReports }),
    funnelResult: b.query<FunnelResult, OfSite<InsightQuery> & { id: string; revision: number }>({
      // The revision makes a changed funnel another question.
      query: ({ siteId, id, revision: _revision, ...params }) => ({ url: path(siteId, `funnels/${id}/result`), params }),
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
