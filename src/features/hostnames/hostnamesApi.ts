import { hostnameCalls } from '@contract/hostnames/calls';
import type { hostnameEndpoints } from '@contract/hostnames/schemas';
import { api } from '@/store/api';
import { mutation, query, typed } from '@/store/endpoints';

const calls = typed<typeof hostnameEndpoints>(hostnameCalls);
const changes = { invalidatesTags: ['Hostnames' as const] };

/** Hostnames of a site; used by their page only. */
export const hostnamesApi = api.enhanceEndpoints({ addTagTypes: ['Hostnames'] }).injectEndpoints({
  endpoints: (b) => ({
    hostnames: query(b, calls.hostnames, { providesTags: ['Hostnames'] }),
    addHostname: mutation(b, calls.addHostname, changes),
    changeHostname: mutation(b, calls.changeHostname, changes),
    removeHostname: mutation(b, calls.removeHostname, changes),
    checkHostname: mutation(b, calls.checkHostname, changes),
    makePrimary: mutation(b, calls.makePrimary, changes),
    uploadCertificate: mutation(b, calls.uploadCertificate, changes),
    removeCertificate: mutation(b, calls.removeCertificate, changes),
  }),
});

export const {
  useHostnamesQuery,
  useAddHostnameMutation,
  useChangeHostnameMutation,
  useRemoveHostnameMutation,
  useCheckHostnameMutation,
  useMakePrimaryMutation,
  useUploadCertificateMutation,
  useRemoveCertificateMutation,
} = hostnamesApi;
