import type { DigestChange, DigestPreview, Digests } from '@contract/digests/schemas';
import type { Share, ShareChange, ShareInput } from '@contract/shares/schemas';
import { api } from '@/store/api';

type OfSite = { readonly siteId: string };
const tagged = api.enhanceEndpoints({ addTagTypes: ['Share', 'Digest'] });

/** Links to reports, reports by mail and alerts: asked for by their page only. */
export const sharingApi = tagged.injectEndpoints({
  endpoints: (b) => ({
    shares: b.query<Share[], string>({
      query: (siteId) => `/api/site/${siteId}/als/shares`,
      providesTags: (_answer, _failure, siteId) => [{ type: 'Share', id: siteId }],
    }),
    addShare: b.mutation<Share, OfSite & { body: ShareInput }>({
      query: ({ siteId, body }) => ({ url: `/api/site/${siteId}/als/shares`, method: 'POST', body }),
      invalidatesTags: (made, _failure, { siteId }) => (made ? [{ type: 'Share', id: siteId }] : []),
    }),
    changeShare: b.mutation<Share, OfSite & { id: string; revision: number; change: ShareChange }>({
      query: ({ siteId, id, revision, change }) => ({ url: `/api/site/${siteId}/als/shares/${id}`, method: 'PATCH', body: change, ifMatch: revision }),
      invalidatesTags: (_made, _failure, { siteId }) => [{ type: 'Share', id: siteId }],
    }),
    takeOverShare: b.mutation<Share, OfSite & { id: string }>({
      query: ({ siteId, id }) => ({ url: `/api/site/${siteId}/als/shares/${id}/take-over`, method: 'POST' }),
      invalidatesTags: (_made, _failure, { siteId }) => [{ type: 'Share', id: siteId }],
    }),
    removeShare: b.mutation<null, OfSite & { id: string }>({
      query: ({ siteId, id }) => ({ url: `/api/site/${siteId}/als/shares/${id}`, method: 'DELETE' }),
      invalidatesTags: (_made, _failure, { siteId }) => [{ type: 'Share', id: siteId }],
    }),
    digests: b.query<Digests, string>({
      query: (siteId) => `/api/site/${siteId}/als/digests`,
      providesTags: (_answer, _failure, siteId) => [{ type: 'Digest', id: siteId }],
    }),
    changeDigests: b.mutation<Digests, OfSite & { revision: number; body: DigestChange }>({
      query: ({ siteId, revision, body }) => ({ url: `/api/site/${siteId}/als/digests`, method: 'PUT', body, ifMatch: revision }),
      invalidatesTags: (_made, _failure, { siteId }) => [{ type: 'Digest', id: siteId }],
    }),
    previewDigest: b.query<DigestPreview, OfSite & { kind: 'weekly' | 'monthly' }>({
      query: ({ siteId, kind }) => ({ url: `/api/site/${siteId}/als/digests/preview`, params: { kind } }),
      keepUnusedDataFor: 0,
    }),
    sendDigest: b.mutation<{ sent: number }, OfSite & { kind: 'weekly' | 'monthly' }>({
      query: ({ siteId, kind }) => ({ url: `/api/site/${siteId}/als/digests/send`, method: 'POST', body: { kind } }),
      invalidatesTags: (_made, _failure, { siteId }) => [{ type: 'Digest', id: siteId }],
    }),
  }),
});

export const {
  useSharesQuery,
  useAddShareMutation,
  useChangeShareMutation,
  useTakeOverShareMutation,
  useRemoveShareMutation,
  useDigestsQuery,
  useChangeDigestsMutation,
  usePreviewDigestQuery,
  useSendDigestMutation,
} = sharingApi;
