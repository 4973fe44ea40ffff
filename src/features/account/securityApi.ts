import type { Security } from '@contract/factors';
import { api } from '@/store/api';

/** How the own account is protected, and the ways to change that. Comes with the first screen that needs it. */
export const securityApi = api.injectEndpoints({
  endpoints: (b) => ({
    security: b.query<Security, void>({ query: () => '/api/acc/security', providesTags: ['Security'] }),
  }),
});

export const { useSecurityQuery } = securityApi;
