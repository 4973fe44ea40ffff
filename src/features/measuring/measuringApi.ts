import type { BotRules, ErasePreview, EraseWhat, Loss, MeasuringInput, MeasuringSettings, RulesPreview } from '@contract/measuring/schemas';
import type { Job } from '@contract/jobs/schemas';
import { api } from '@/store/api';

type OfSite<T> = T & { readonly siteId: string };
const base = (siteId: string): string => `/api/site/${siteId}/als`;

/** How a site is measured. Only its page reads these. */
export const measuringApi = api.enhanceEndpoints({ addTagTypes: ['Measuring'] }).injectEndpoints({
  endpoints: (b) => ({
    measuring: b.query<MeasuringSettings, string>({ query: (siteId) => `${base(siteId)}/settings`, providesTags: ['Measuring'] }),
    changeMeasuring: b.mutation<MeasuringSettings, OfSite<{ revision: number; input: MeasuringInput }>>({
      query: ({ siteId, revision, input }) => ({ url: `${base(siteId)}/settings`, method: 'PUT', body: input, ifMatch: revision }),
      invalidatesTags: ['Measuring'],
    }),
    previewRules: b.mutation<RulesPreview, OfSite<{ rules: BotRules }>>({
      query: ({ siteId, rules }) => ({ url: `${base(siteId)}/settings/preview`, method: 'POST', body: rules }),
    }),
    loss: b.query<Loss, OfSite<{ days: number }>>({ query: ({ siteId, days }) => ({ url: `${base(siteId)}/loss`, params: { days } }), keepUnusedDataFor: 30 }),
    previewErase: b.mutation<ErasePreview, OfSite<{ what: EraseWhat }>>({
      query: ({ siteId, what }) => ({ url: `${base(siteId)}/erase/preview`, method: 'POST', body: what }),
    }),
    eraseMeasured: b.mutation<Job, OfSite<{ what: EraseWhat; confirm: string }>>({
      query: ({ siteId, ...body }) => ({ url: `${base(siteId)}/erase`, method: 'POST', body }),
    }),
  }),
});

export const { useMeasuringQuery, useChangeMeasuringMutation, usePreviewRulesMutation, useLossQuery, usePreviewEraseMutation, useEraseMeasuredMutation } =
  measuringApi;
