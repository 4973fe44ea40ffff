import { digestCalls } from '@contract/digests/calls';
import type { digestEndpoints } from '@contract/digests/schemas';
import { api } from '@/store/api';
import { mutation, query, typed } from '@/store/endpoints';

const digests = typed<typeof digestEndpoints>(digestCalls);
const ofSite = (_result: unknown, _failure: unknown, { siteId }: { readonly siteId: string }) => [{ type: 'Digest' as const, id: siteId }];

/** Digests and alerts: used by their page only. */
export const digestsApi = api.enhanceEndpoints({ addTagTypes: ['Digest'] }).injectEndpoints({
  endpoints: (b) => ({
    digests: query(b, digests.digests, { providesTags: ofSite }),
    changeDigests: mutation(b, digests.changeDigests, { invalidatesTags: ofSite }),
    previewDigest: query(b, digests.previewDigest, { keepUnusedDataFor: 0 }),
    sendDigest: mutation(b, digests.sendDigest, { invalidatesTags: ofSite }),
  }),
});

export const { useDigestsQuery, useChangeDigestsMutation, usePreviewDigestQuery, useSendDigestMutation } = digestsApi;
