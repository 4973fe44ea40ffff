import { verificationCalls } from '@contract/seo/verificationCalls';
import type { verificationEndpoints } from '@contract/seo/verificationSchemas';
import { api } from '@/store/api';
import { mutation, query, typed } from '@/store/endpoints';

const calls = typed<typeof verificationEndpoints>(verificationCalls);
const changes = { invalidatesTags: ['Verifications' as const] };

export const verificationApi = api.enhanceEndpoints({ addTagTypes: ['Verifications'] }).injectEndpoints({
  endpoints: (b) => ({
    verifications: query(b, calls.verifications, { providesTags: ['Verifications'] }),
    addVerification: mutation(b, calls.addVerification, changes),
    removeVerification: mutation(b, calls.removeVerification, changes),
    checkVerification: mutation(b, calls.checkVerification, changes),
  }),
});

export const { useVerificationsQuery, useAddVerificationMutation, useRemoveVerificationMutation, useCheckVerificationMutation } = verificationApi;
