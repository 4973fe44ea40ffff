import type { previewEndpoints } from '@contract/publishing/preview';
import { previewCalls } from '@contract/publishing/previewCalls';
import { themeCalls } from '@contract/publishing/themeCalls';
import type { ThemeProblem, themeEndpoints } from '@contract/publishing/themeFiles';
import { isFailure } from '@/lib/failure';
import { addressOf, mutation, query, requestOf, typed } from '@/store/endpoints';
import type { OfSite, ResultOf } from '@/store/endpoints';
import { publishingApi } from '../publishingApi';

const calls = typed<typeof themeEndpoints>(themeCalls);
const previews = typed<typeof previewEndpoints>(previewCalls);
const ofSite = (_result: unknown, _failure: unknown, { siteId }: OfSite) => [{ type: 'Publishing' as const, id: siteId }];
type OfFile = OfSite & { readonly path: string };
/** A refused change may mean that the theme is another one by now. */
const changed = { invalidatesTags: ofSite };

/** The theme of a site, file by file. Every change of the site's working copy, also by others, loads it anew. */
export const themeApi = publishingApi.injectEndpoints({
  endpoints: (b) => ({
    shippedThemes: query(b, calls.shippedThemes),
    theme: query(b, calls.theme, { providesTags: ofSite }),
    checkTheme: query(b, calls.checkTheme, { providesTags: ofSite }),
    checkThemeFile: mutation(b, calls.checkThemeFile),
    installTheme: mutation(b, calls.installTheme, changed),
    importTheme: mutation(b, calls.importTheme, changed),
    themeChanges: query(b, calls.themeChanges, { providesTags: ofSite }),
    restoreTheme: mutation(b, calls.restoreTheme, changed),
    /** A version of a file never changes. Its number is part of the query here, not a condition. */
    themeFile: b.query<FileContent, OfFile & { readonly revision?: number | undefined }>({
      query: ({ revision, ...file }) => {
        const request = requestOf(calls.themeFile, file);
        return revision === undefined ? request : { ...request, params: { ...request.params, revision } };
      },
    }),
    writeThemeFile: mutation(b, calls.writeThemeFile, changed),
    removeThemeFile: mutation(b, calls.removeThemeFile, changed),
    renameThemeFile: mutation(b, calls.renameThemeFile, changed),
    themeFileVersions: query(b, calls.themeFileVersions, { providesTags: ofSite }),
    restoreThemeFile: mutation(b, calls.restoreThemeFile, changed),
    previewAddress: query(b, previews.previewSite, { keepUnusedDataFor: 0 }),
    themeFailures: query(b, previews.themeFailures, { providesTags: ofSite }),
    themeFileDifference: query(b, calls.themeFileDifference, { providesTags: ofSite }),
  }),
});

export const {
  useShippedThemesQuery,
  useThemeQuery,
  useCheckThemeQuery,
  useCheckThemeFileMutation,
  useInstallThemeMutation,
  useImportThemeMutation,
  useThemeChangesQuery,
  useRestoreThemeMutation,
  useThemeFileQuery,
  useWriteThemeFileMutation,
  useRemoveThemeFileMutation,
  useRenameThemeFileMutation,
  useThemeFileVersionsQuery,
  useRestoreThemeFileMutation,
  useThemeFileDifferenceQuery,
  usePreviewAddressQuery,
  useThemeFailuresQuery,
} = themeApi;

export type FileContent = ResultOf<typeof themeEndpoints.themeFile>;
export type FileVersion = ResultOf<typeof themeEndpoints.themeFileVersions>[number];

export const zipAddress = (siteId: string): string => addressOf(calls.exportTheme, { siteId });
export const fileAddress = (siteId: string, path: string): string => addressOf(calls.themeFileContent, { siteId, path });

/** What a refused change says is wrong with the theme; empty if it was refused for another reason. */
export function problemsOf(error: unknown): readonly ThemeProblem[] {
  const current = isFailure(error) ? (error.current as { readonly problems?: readonly ThemeProblem[] } | undefined) : undefined;
  return current?.problems ?? [];
}
