import { uptimeCalls } from '@contract/uptime/calls';
import type { uptimeEndpoints } from '@contract/uptime/schemas';
import { api } from '@/store/api';
import { mutation, query, typed } from '@/store/endpoints';

const calls = typed<typeof uptimeEndpoints>(uptimeCalls);

/** Whether sites are reachable. Fetched by the pages that show it; a change of a site may change its state. */
export const uptimeApi = api.enhanceEndpoints({ addTagTypes: ['Uptime'] }).injectEndpoints({
  endpoints: (b) => ({
    uptime: query(b, calls.uptime, { providesTags: ['Uptime'] }),
    uptimeIncidents: query(b, calls.uptimeIncidents, { providesTags: ['Uptime'] }),
    uptimeSettings: query(b, calls.uptimeSettings, { providesTags: ['Uptime'] }),
    changeUptime: mutation(b, calls.changeUptime, { invalidatesTags: ['Uptime'] }),
  }),
});

export const { useUptimeQuery, useUptimeIncidentsQuery, useUptimeSettingsQuery, useChangeUptimeMutation } = uptimeApi;
