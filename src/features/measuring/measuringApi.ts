import { measuringCalls } from '@contract/measuring/calls';
import type { measuringEndpoints } from '@contract/measuring/schemas';
import { api } from '@/store/api';
import { mutation, query, typed } from '@/store/endpoints';

const calls = typed<typeof measuringEndpoints>(measuringCalls);

/** Measuring settings of a site; used by their page only. */
export const measuringApi = api.enhanceEndpoints({ addTagTypes: ['Measuring'] }).injectEndpoints({
  endpoints: (b) => ({
    measuring: query(b, calls.measuring, { providesTags: ['Measuring'] }),
    changeMeasuring: mutation(b, calls.changeMeasuring, { invalidatesTags: ['Measuring'] }),
    previewBotRules: mutation(b, calls.previewBotRules),
    completeness: query(b, calls.completeness, { keepUnusedDataFor: 30 }),
    previewErase: mutation(b, calls.previewErase),
    eraseMeasured: mutation(b, calls.eraseMeasured),
  }),
});

export const {
  useMeasuringQuery,
  useChangeMeasuringMutation,
  usePreviewBotRulesMutation,
  useCompletenessQuery,
  usePreviewEraseMutation,
  useEraseMeasuredMutation,
} = measuringApi;
