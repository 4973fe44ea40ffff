import { defineUndo } from '@/features/notices/undoListeners';
import { themeApi } from './themeApi';

const { restoreTheme, restoreThemeFile, renameThemeFile } = themeApi.endpoints;

/** Offers to return the whole theme to the state after an earlier change; refused if it was changed again since. */
export const notifyThemeReplaced = defineUndo<{ readonly siteId: string; readonly revision: number; readonly to: number }>(
  'theme/replacementUndone',
  (dispatch, { siteId, revision, to }) => dispatch(restoreTheme.initiate({ siteId, revision, body: { revision: to } })),
);

/** Offers to bring back a version of a file; `revision` is the current one, 0 after a removal. */
export const notifyFileChanged = defineUndo<{ readonly siteId: string; readonly path: string; readonly revision: number; readonly to: number }>(
  'theme/fileUndone',
  (dispatch, { siteId, path, revision, to }) => dispatch(restoreThemeFile.initiate({ siteId, revision, body: { path, revision: to } })),
);

export const notifyFileRenamed = defineUndo<{ readonly siteId: string; readonly from: string; readonly to: string; readonly revision: number }>(
  'theme/renameUndone',
  (dispatch, { siteId, from, to, revision }) => dispatch(renameThemeFile.initiate({ siteId, revision, body: { from: to, to: from } })),
);
