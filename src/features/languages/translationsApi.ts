import { translationCalls } from '@contract/languages/translationCalls';
import type { translationEndpoints } from '@contract/languages/translations';
import { api } from '@/store/api';
import { addressOf, mutation, query, typed } from '@/store/endpoints';
import type { ArgumentsOf } from '@/store/endpoints';

type Endpoints = typeof translationEndpoints;
const calls = typed<Endpoints>(translationCalls);
const texts = ['Translations' as const];
const runs = ['TranslationRuns' as const];
const engines = ['TranslationEngines' as const];

/** Translations of a site; used by their page only. */
export const translationsApi = api.enhanceEndpoints({ addTagTypes: ['Translations', 'TranslationRuns', 'TranslationEngines', 'Glossary'] }).injectEndpoints({
  endpoints: (b) => ({
    translationOverview: query(b, calls.translationOverview, { providesTags: texts }),
    translationMatrix: query(b, calls.translationMatrix, { providesTags: texts }),
    translationTexts: query(b, calls.translationTexts, { providesTags: texts }),
    changeTranslations: mutation(b, calls.changeTranslations, { invalidatesTags: texts }),
    translationCost: query(b, calls.translationCost, { providesTags: [...texts, ...engines], keepUnusedDataFor: 0 }),
    translateTexts: mutation(b, calls.translateTexts, { invalidatesTags: runs }),
    checkTranslations: mutation(b, calls.checkTranslations),
    importTranslations: mutation(b, calls.importTranslations, { invalidatesTags: runs }),
    translationRuns: query(b, calls.translationRuns, { providesTags: runs }),
    undoTranslationRun: mutation(b, calls.undoTranslationRun, { invalidatesTags: runs }),
    translationEngines: query(b, calls.translationEngines, { providesTags: engines }),
    changeTranslationEngine: mutation(b, calls.changeTranslationEngine, { invalidatesTags: (_result, failure) => (failure ? [] : engines) }),
    removeTranslationEngine: mutation(b, calls.removeTranslationEngine, { invalidatesTags: engines }),
    translationGlossary: query(b, calls.translationGlossary, { providesTags: ['Glossary'] }),
    changeTranslationGlossary: mutation(b, calls.changeTranslationGlossary, { invalidatesTags: ['Glossary'] }),
  }),
});

export const {
  useTranslationOverviewQuery,
  useTranslationMatrixQuery,
  useTranslationTextsQuery,
  useChangeTranslationsMutation,
  useTranslationCostQuery,
  useTranslateTextsMutation,
  useCheckTranslationsMutation,
  useImportTranslationsMutation,
  useTranslationRunsQuery,
  useUndoTranslationRunMutation,
  useTranslationEnginesQuery,
  useChangeTranslationEngineMutation,
  useRemoveTranslationEngineMutation,
  useTranslationGlossaryQuery,
  useChangeTranslationGlossaryMutation,
} = translationsApi;

/** The address of a file with texts. */
export const exportAddress = (args: ArgumentsOf<Endpoints['exportTranslations']>): string => addressOf(calls.exportTranslations, args);

/** Refetches what a change by somebody else concerns. */
export const translationsChanged = () => translationsApi.util.invalidateTags([...texts, ...runs, ...engines]);
