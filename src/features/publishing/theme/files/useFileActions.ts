import { useTranslation } from 'react-i18next';
import { themeLimits } from '@contract/publishing/theme';
import type { ThemeFile } from '@contract/publishing/themeFiles';
import { noticeShown, notifyFailure } from '@/features/notices/noticesSlice';
import { isFailure } from '@/lib/failure';
import { readBase64 } from '@/lib/readBase64';
import { useAppDispatch } from '@/store/hooks';
import { useConfirm } from '@/ui/confirmContext';
import { themeApi } from '../themeApi';
import { notifyFileChanged, notifyFileRenamed } from '../themeUndo';

const { removeThemeFile, restoreThemeFile, renameThemeFile, writeThemeFile } = themeApi.endpoints;

/** Names of files in the `assets` folder have these characters only. */
const assetPath = (name: string): string => `assets/${name.replaceAll(/[^\w.-]+/g, '-').replace(/^[-.]+/, '')}`;

/** What can be done with whole files. Each is undone by the button of its notice. */
export function useFileActions(siteId: string) {
  const { t } = useTranslation('publishing');
  const dispatch = useAppDispatch();
  const confirm = useConfirm();
  return {
    remove: async ({ path, revision }: ThemeFile): Promise<boolean> => {
      const { error } = await dispatch(removeThemeFile.initiate({ siteId, path, revision }));
      notifyFailure(dispatch, error);
      if (error !== undefined) return false;
      notifyFileChanged(dispatch, { key: 'publishing:theme.files.removed', values: { path } }, { siteId, path, revision: 0, to: revision });
      return true;
    },
    rename: async ({ path, revision }: ThemeFile, to: string) => {
      const result = await dispatch(renameThemeFile.initiate({ siteId, revision, body: { from: path, to } }));
      if (result.data)
        notifyFileRenamed(
          dispatch,
          { key: 'publishing:theme.files.renamed', values: { path: to } },
          { siteId, from: path, to, revision: result.data.revision },
        );
      return result;
    },
    /** Adds a file with a text, or puts one back. */
    add: (path: string, text: string) => dispatch(writeThemeFile.initiate({ siteId, path, revision: 0, body: { text } })),
    restore: async (path: string, current: number, to: number): Promise<boolean> => {
      const { data, error } = await dispatch(restoreThemeFile.initiate({ siteId, revision: current, body: { path, revision: to } }));
      notifyFailure(dispatch, error);
      if (data && current > 0)
        notifyFileChanged(dispatch, { key: 'publishing:theme.history.restored', values: { path } }, { siteId, path, revision: data.revision, to: current });
      return data !== undefined;
    },
    /** Stores files in the folder `assets`. Returns the path of the last one that was stored. */
    upload: async (uploads: readonly File[], files: readonly ThemeFile[]): Promise<string | null> => {
      let last: string | null = null;
      for (const upload of uploads) {
        const path = assetPath(upload.name);
        const existing = files.find((one) => one.path === path);
        if (upload.size > themeLimits.fileBytes) {
          dispatch(noticeShown({ tone: 'bad', message: { key: 'publishing:theme.files.tooLarge', values: { path } } }));
          continue;
        }
        if (existing && !(await confirm({ title: t('theme.files.replaceTitle', { path }), confirm: t('theme.files.replace') }))) continue;
        const body = { base64: await readBase64(upload) };
        const { data, error } = await dispatch(writeThemeFile.initiate({ siteId, path, revision: existing?.revision ?? 0, body }));
        if (isFailure(error) && error.code === 'invalid_fields')
          dispatch(noticeShown({ tone: 'bad', message: { key: 'publishing:theme.files.notAllowed', values: { path } } }));
        else notifyFailure(dispatch, error);
        if (data) last = path;
      }
      return last;
    },
  };
}
