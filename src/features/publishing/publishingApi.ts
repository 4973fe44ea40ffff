import { publishingCalls } from '@contract/publishing/calls';
import type { previewEndpoints } from '@contract/publishing/preview';
import { previewCalls } from '@contract/publishing/previewCalls';
import type { publishingEndpoints } from '@contract/publishing/schemas';
import { api } from '@/store/api';
import { mutation, query, requestOf, typed } from '@/store/endpoints';
import type { ArgumentsOf, OfSite, ResultOf } from '@/store/endpoints';

type Endpoints = typeof publishingEndpoints;
type PartChange = ArgumentsOf<Endpoints['changeSitePart']> & { readonly body: unknown };

const calls = typed<Endpoints>(publishingCalls);
const previews = typed<typeof previewEndpoints>(previewCalls);
const ofSite = (_result: unknown, _failure: unknown, { siteId }: OfSite) => [{ type: 'Publishing' as const, id: siteId }];
const releasesOf = (_result: unknown, _failure: unknown, { siteId }: OfSite) => [{ type: 'Release' as const, id: siteId }];
const everything = (...args: [unknown, unknown, OfSite]) => [...ofSite(...args), ...releasesOf(...args)];

/** The working copy of a site and its releases. Loaded with the screens that use them, not on first load. */
export const publishingApi = api.enhanceEndpoints({ addTagTypes: ['Publishing', 'Release'] }).injectEndpoints({
  endpoints: (b) => ({
    siteParts: query(b, calls.siteParts, { providesTags: ofSite }),
    // The contract does not type the body, which depends on the part.
    changeSitePart: b.mutation<ResultOf<Endpoints['changeSitePart']>, PartChange>({
      query: (change) => requestOf(calls.changeSitePart, change),
      invalidatesTags: (result, failure, args) => (failure ? [] : everything(result, failure, args)),
    }),
    planLanguages: mutation(b, calls.planLanguages),
    changeLanguages: mutation(b, calls.changeLanguages, {
      invalidatesTags: (result, failure, args) => (failure ? [] : everything(result, failure, args)),
    }),
    languageRemovals: query(b, calls.languageRemovals, { providesTags: ofSite }),
    restoreLanguage: mutation(b, calls.restoreLanguage, {
      invalidatesTags: (result, failure, args) => (failure ? [] : everything(result, failure, args)),
    }),
    releases: b.infiniteQuery<ResultOf<Endpoints['releases']>, OfSite, number | null>({
      infiniteQueryOptions: { initialPageParam: null, getNextPageParam: ({ rows, more }) => (more ? rows.at(-1)?.number : undefined) },
      query: ({ queryArg, pageParam }) => requestOf(calls.releases, { ...queryArg, ...(pageParam === null ? {} : { before: pageParam }) }),
      providesTags: releasesOf,
    }),
    unreleased: query(b, calls.unreleased, { providesTags: everything, keepUnusedDataFor: 0 }),
    deliveredDays: query(b, previews.deliveredDays),
    createRelease: mutation(b, calls.createRelease, { invalidatesTags: everything }),
    cancelRelease: mutation(b, calls.cancelRelease, { invalidatesTags: everything }),
    rollBack: mutation(b, calls.rollBack, { invalidatesTags: everything }),
    previewSite: mutation(b, previews.previewSite),
    endPreviews: mutation(b, previews.endPreviews),
  }),
});

export const {
  useSitePartsQuery,
  useChangeSitePartMutation,
  usePlanLanguagesMutation,
  useChangeLanguagesMutation,
  useLanguageRemovalsQuery,
  useRestoreLanguageMutation,
  useReleasesInfiniteQuery,
  useUnreleasedQuery,
  useDeliveredDaysQuery,
  useCreateReleaseMutation,
  useCancelReleaseMutation,
  useRollBackMutation,
  usePreviewSiteMutation,
  useEndPreviewsMutation,
} = publishingApi;

/** Refetches the working copy and the releases of a site, after a change by somebody else. */
export const publishingChanged = (siteId: string) =>
  publishingApi.util.invalidateTags([
    { type: 'Publishing', id: siteId },
    { type: 'Release', id: siteId },
  ]);
