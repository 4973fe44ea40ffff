import { siteCalls } from '@contract/sites/calls';
import type { siteEndpoints } from '@contract/sites/schemas';
import { api } from '@/store/api';
import { mutation, query, typed } from '@/store/endpoints';

const calls = typed<typeof siteEndpoints>(siteCalls);

/** The site list is read from `sitesSlice` only. This file is in the first load; calls that only pages use are in `sitePagesApi`. */
export const sitesApi = api.injectEndpoints({
  endpoints: (b) => ({
    /** The start-up load: sites and languages. */
    load: query(b, calls.load, { providesTags: ['StartUp'] }),
    site: query(b, calls.site, { keepUnusedDataFor: 0 }),
    createSite: mutation(b, calls.createSite, { invalidatesTags: ['Figures'] }),
    changeSite: mutation(b, calls.changeSite),
    setSiteState: mutation(b, calls.setSiteState, { invalidatesTags: ['Bin', 'Figures'] }),
    deleteSite: mutation(b, calls.deleteSite, { invalidatesTags: ['Bin'] }),
    pinSite: mutation(b, calls.pinSite),
  }),
});

export const { useCreateSiteMutation, useChangeSiteMutation, useSetSiteStateMutation, useDeleteSiteMutation, usePinSiteMutation } = sitesApi;
