import { redirectCalls } from '@contract/seo/redirectCalls';
import type { redirectEndpoints } from '@contract/seo/redirectSchemas';
import { api } from '@/store/api';
import { mutation, query, typed } from '@/store/endpoints';

const calls = typed<typeof redirectEndpoints>(redirectCalls);
const changes = { invalidatesTags: ['NotFound' as const] };

/** Uses of redirects and paths without a page; loaded with their tabs. */
export const redirectsApi = api.enhanceEndpoints({ addTagTypes: ['NotFound'] }).injectEndpoints({
  endpoints: (b) => ({
    redirectUse: query(b, calls.redirectUse),
    notFoundPaths: query(b, calls.notFoundPaths, { providesTags: ['NotFound'] }),
    suggestTargets: query(b, calls.suggestTargets),
    changeNotFound: mutation(b, calls.changeNotFound, changes),
    redirectNotFound: mutation(b, calls.redirectNotFound, changes),
  }),
});

export const { useRedirectUseQuery, useNotFoundPathsQuery, useSuggestTargetsQuery, useChangeNotFoundMutation, useRedirectNotFoundMutation } = redirectsApi;
