import { createApi } from '@reduxjs/toolkit/query/react';
import { makeBaseQuery } from './baseQuery';

/**
 * The one API of the one server. Endpoints are injected by the features that own them (`src/features/<area>/<area>Api.ts`).
 * Tags name kinds of things; `{ type, id: 'LIST' }` names their list.
 */
export const api = createApi({
  reducerPath: 'api',
  baseQuery: makeBaseQuery({ baseUrl: new URL('/', location.origin).href }),
  tagTypes: ['Session', 'StartUp', 'Site', 'Figures', 'Bin', 'User', 'Contact', 'Job', 'Report', 'Latest', 'Online', 'Install', 'PageEvents'],
  refetchOnReconnect: true,
  keepUnusedDataFor: 300,
  endpoints: () => ({}),
});
