import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { ShippedTheme } from '@contract/publishing/terms';
import type { Theme, ThemeProblem } from '@contract/publishing/themeFiles';
import { noticeShown, notifyFailure } from '@/features/notices/noticesSlice';
import type { NoticeMessage } from '@/features/notices/noticesSlice';
import { isFailure, isStale } from '@/lib/failure';
import type { ApiFailure } from '@/lib/failure';
import { readBase64 } from '@/lib/readBase64';
import { useAppDispatch } from '@/store/hooks';
import { useConfirm } from '@/ui/confirmContext';
import type { OpenFiles } from '../files/useOpenFiles';
import { problemsOf, themeApi } from '../themeApi';
import { notifyThemeReplaced } from '../themeUndo';

const { installTheme, importTheme, restoreTheme } = themeApi.endpoints;

/** Why an archive was refused. */
export type ImportRefusal = { readonly problems: readonly ThemeProblem[]; readonly failure: ApiFailure | null };

/** What replaces all files of the theme. Each can be undone, unless the site had no theme of its own before. */
export function useThemeActions(siteId: string, theme: Theme, open: OpenFiles) {
  const { t } = useTranslation('publishing');
  const dispatch = useAppDispatch();
  const confirm = useConfirm();
  const [busy, setBusy] = useState(false);

  const replaced = (message: NoticeMessage, result: Theme): void => {
    open.closeAll();
    if (theme.revision === 0 || result.revision === theme.revision) dispatch(noticeShown({ tone: 'good', message }));
    else notifyThemeReplaced(dispatch, message, { siteId, revision: result.revision, to: theme.revision });
  };
  const lost = open.edited.length === 0 ? '' : t('theme.choose.unsaved', { count: open.edited.length });
  const ask = (title: string, body: string, action: string): Promise<boolean> => confirm({ title, body: `${body} ${lost}`.trim(), confirm: action });

  return {
    busy,
    install: async (name: ShippedTheme, title: string): Promise<boolean> => {
      const isFirst = theme.revision === 0;
      if (!isFirst && !(await ask(t('theme.choose.confirmTitle', { title }), t('theme.choose.confirmText'), t('theme.choose.use')))) return false;
      setBusy(true);
      const { data, error } = await dispatch(installTheme.initiate({ siteId, revision: theme.revision, body: { name } }));
      setBusy(false);
      notifyFailure(dispatch, error);
      if (data) replaced({ key: 'publishing:theme.choose.installed', values: { title } }, data);
      return data !== undefined;
    },
    /** Returns why the archive was refused; null if it was not. */
    import: async (zip: File): Promise<ImportRefusal | null> => {
      setBusy(true);
      const body = { zip: await readBase64(zip) };
      const { data, error } = await dispatch(importTheme.initiate({ siteId, revision: theme.revision, body }));
      setBusy(false);
      if (data) {
        replaced({ key: 'publishing:theme.import.imported', values: { count: data.files.length } }, data);
        return null;
      }
      return { problems: problemsOf(error), failure: isFailure(error) && problemsOf(error).length === 0 ? error : null };
    },
    restore: async (revision: number, at: string): Promise<boolean> => {
      if (!(await ask(t('theme.changes.confirmTitle', { at }), t('theme.changes.confirmText'), t('theme.changes.restore')))) return false;
      setBusy(true);
      const { data, error } = await dispatch(restoreTheme.initiate({ siteId, revision: theme.revision, body: { revision } }));
      setBusy(false);
      if (isFailure(error) && isStale(error)) dispatch(noticeShown({ tone: 'warning', message: { key: 'publishing:theme.changes.stale' } }));
      else notifyFailure(dispatch, error);
      if (data) replaced({ key: 'publishing:theme.changes.restored', values: { at } }, data);
      return data !== undefined;
    },
  };
}
export type ThemeActions = ReturnType<typeof useThemeActions>;
