import { digestCalls } from '@contract/digests/calls';
import type { digestEndpoints } from '@contract/digests/schemas';
import { shareCalls } from '@contract/shares/calls';
import type { shareEndpoints } from '@contract/shares/schemas';
import { api } from '@/store/api';
import { mutation, query, typed } from '@/store/endpoints';

const links = typed<typeof shareEndpoints>(shareCalls);
const digests = typed<typeof digestEndpoints>(digestCalls);
const tagged = api.enhanceEndpoints({ addTagTypes: ['Share', 'Digest'] });
const ofSite =
  <T extends 'Share' | 'Digest'>(type: T) =>
  (_answer: unknown, _failure: unknown, { siteId }: { readonly siteId: string }) => [{ type, id: siteId }];

/** Shares, digests and alerts: used by their page only. */
export const sharingApi = tagged.injectEndpoints({
  endpoints: (b) => ({
    shares: query(b, links.shares, { providesTags: ofSite('Share') }),
    addShare: mutation(b, links.addShare, { invalidatesTags: (share, failure, args) => (share ? ofSite('Share')(share, failure, args) : []) }),
    changeShare: mutation(b, links.changeShare, { invalidatesTags: ofSite('Share') }),
    takeOverShare: mutation(b, links.takeOverShare, { invalidatesTags: ofSite('Share') }),
    removeShare: mutation(b, links.removeShare, { invalidatesTags: ofSite('Share') }),
    digests: query(b, digests.digests, { providesTags: ofSite('Digest') }),
    changeDigests: mutation(b, digests.changeDigests, { invalidatesTags: ofSite('Digest') }),
    previewDigest: query(b, digests.previewDigest, { keepUnusedDataFor: 0 }),
    sendDigest: mutation(b, digests.sendDigest, { invalidatesTags: ofSite('Digest') }),
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
