import { publicLinkCalls } from '@contract/publicLinks/calls';
import type { publicLinkEndpoints } from '@contract/publicLinks/schemas';
import { api } from '@/store/api';
import { mutation, query, typed } from '@/store/endpoints';

const links = typed<typeof publicLinkEndpoints>(publicLinkCalls);
const ofSite = (_result: unknown, _failure: unknown, { siteId }: { readonly siteId: string }) => [{ type: 'PublicLink' as const, id: siteId }];

/** Public links to reports: used by their page and by the popup with which a report is shared. */
export const publicLinksApi = api.enhanceEndpoints({ addTagTypes: ['PublicLink'] }).injectEndpoints({
  endpoints: (b) => ({
    publicLinks: query(b, links.publicLinks, { providesTags: ofSite }),
    addPublicLink: mutation(b, links.addPublicLink, { invalidatesTags: (added, failure, args) => (added ? ofSite(added, failure, args) : []) }),
    changePublicLink: mutation(b, links.changePublicLink, { invalidatesTags: ofSite }),
    takeOverPublicLink: mutation(b, links.takeOverPublicLink, { invalidatesTags: ofSite }),
    removePublicLink: mutation(b, links.removePublicLink, { invalidatesTags: ofSite }),
    restorePublicLink: mutation(b, links.restorePublicLink, { invalidatesTags: ofSite }),
  }),
});

export const { usePublicLinksQuery, useAddPublicLinkMutation, useChangePublicLinkMutation, useTakeOverPublicLinkMutation, useRemovePublicLinkMutation } =
  publicLinksApi;
