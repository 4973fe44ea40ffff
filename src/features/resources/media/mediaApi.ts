import type { resourceMediaEndpoints } from '@contract/resources/media';
import { resourceMediaCalls } from '@contract/resources/mediaCalls';
import type { Resource } from '@contract/resources/schemas';
import { tableTransferCalls } from '@contract/tables/calls';
import type { tableTransferEndpoints } from '@contract/tables/transfers';
import { api } from '@/store/api';
import { addressOf, mutation, query, typed } from '@/store/endpoints';

const calls = typed<typeof resourceMediaEndpoints>(resourceMediaCalls);
const transferCalls = typed<Pick<typeof tableTransferEndpoints, 'importResource'>>(tableTransferCalls);
type OfOne = { readonly siteId: string; readonly id: string };
const captions = (_result: unknown, _error: unknown, { id }: OfOne) => [{ type: 'Resource' as const, id: `CAPTIONS ${id}` }];
const conversions = (_result: unknown, _error: unknown, { id }: OfOne) => [{ type: 'Resource' as const, id: `CONVERSIONS ${id}` }];
const changed = (_result: unknown, _error: unknown, { siteId, id }: OfOne) => [
  { type: 'Resource' as const, id },
  { type: 'Resource' as const, id: `LIST ${siteId}` },
];

/** Posters, captions and conversions of videos, and attachments that become tables. */
const mediaApi = api.injectEndpoints({
  endpoints: (b) => ({
    setResourcePoster: mutation(b, calls.setResourcePoster, { invalidatesTags: changed }),
    removeResourcePoster: mutation(b, calls.removeResourcePoster, { invalidatesTags: changed }),
    resourceConversions: query(b, calls.resourceConversions, { providesTags: conversions }),
    convertVideo: mutation(b, calls.convertVideo, { invalidatesTags: conversions }),
    importResource: mutation(b, transferCalls.importResource),
    resourceCaptions: query(b, calls.resourceCaptions, { providesTags: captions }),
    saveResourceCaption: mutation(b, calls.saveResourceCaption, { invalidatesTags: captions }),
    removeResourceCaption: mutation(b, calls.removeResourceCaption, { invalidatesTags: captions }),
  }),
});

export const {
  useSetResourcePosterMutation,
  useRemoveResourcePosterMutation,
  useConvertVideoMutation,
  useImportResourceMutation,
  useResourceConversionsQuery,
  useResourceCaptionsQuery,
  useSaveResourceCaptionMutation,
  useRemoveResourceCaptionMutation,
} = mediaApi;

/** The page that previews a file, in the colours of the console. It is loaded anew for another content. */
export const previewAddress = (siteId: string, { id, version }: Resource, scheme: 'light' | 'dark'): string =>
  `${addressOf(calls.resourcePreview, { siteId, id, scheme })}#${version}`;
