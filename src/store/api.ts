import { createApi } from '@reduxjs/toolkit/query/react';
import { publicLinkHeaders } from '@/lib/publicLink';
import { makeBaseQuery } from './baseQuery';
import { requestProof } from './proof';

/** In development and tests, `contractChecks` sets the function that checks responses. */
export const responseCheck: { current: ((call: string, data: unknown) => void) | undefined } = { current: undefined };

/**
 * The API of the one server. Endpoints are injected by the features that own them (`src/features/<area>/<area>Api.ts`). Tags name kinds of objects;
 * `{ type, id: 'LIST' }` names their list.
 */
export const api = createApi({
  reducerPath: 'api',
  baseQuery: makeBaseQuery({
    baseUrl: new URL('/', location.origin).href,
    prove: requestProof,
    check: (call, data) => responseCheck.current?.(call, data),
    headers: publicLinkHeaders,
  }),
  tagTypes: [
    'Session',
    'StartUp',
    'Site',
    'Figures',
    'Bin',
    'User',
    'Contact',
    'ContactHealth',
    'Security',
    'Policy',
    'SignIn',
    'Token',
    'Person',
    'Grants',
    'Invite',
    'Audit',
    'Order',
    'Invoice',
    'InvoiceTitle',
    'Statement',
    'Renewal',
    'Job',
    'Notice',
    'Report',
    'Latest',
    'Online',
    'Install',
    'PageEvents',
    'Resource',
    'ResourceFolder',
    'ResourceTag',
  ],
  refetchOnReconnect: true,
  keepUnusedDataFor: 300,
  endpoints: () => ({}),
});
