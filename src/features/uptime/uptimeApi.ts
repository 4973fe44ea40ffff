import type { UptimeIncident, UptimeInput, UptimeSettings, UptimeStatus } from '@contract/uptime/schemas';
import { api } from '@/store/api';

const base = (siteId: string): string => `/api/core/sites/${siteId}/uptime`;

/** Whether sites can be reached. Pages that show it ask for it; a change of a site may be a change of its state. */
export const uptimeApi = api.enhanceEndpoints({ addTagTypes: ['Uptime'] }).injectEndpoints({
  endpoints: (b) => ({
    uptimeStatuses: b.query<UptimeStatus[], void>({ query: () => '/api/core/sites/uptime', providesTags: ['Uptime'] }),
    uptime: b.query<UptimeStatus, string>({ query: base, providesTags: ['Uptime'] }),
    uptimeIncidents: b.query<{ rows: UptimeIncident[]; next: string | null }, { siteId: string; before?: string; size: number }>({
      query: ({ siteId, ...params }) => ({ url: `${base(siteId)}/incidents`, params }),
      providesTags: ['Uptime'],
    }),
    uptimeSettings: b.query<UptimeSettings, string>({ query: (siteId) => `${base(siteId)}/settings`, providesTags: ['Uptime'] }),
    changeUptime: b.mutation<UptimeSettings, { siteId: string; revision: number; input: UptimeInput }>({
      query: ({ siteId, revision, input }) => ({ url: `${base(siteId)}/settings`, method: 'PUT', body: input, ifMatch: revision }),
      invalidatesTags: ['Uptime'],
    }),
  }),
});

export const { useUptimeStatusesQuery, useUptimeQuery, useUptimeIncidentsQuery, useUptimeSettingsQuery, useChangeUptimeMutation } = uptimeApi;
