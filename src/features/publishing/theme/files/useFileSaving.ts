import { useState } from 'react';
import { isFailure, isStale } from '@/lib/failure';
import type { ApiFailure } from '@/lib/failure';
import { useAppDispatch } from '@/store/hooks';
import { noticeShown } from '@/features/notices/noticesSlice';
import { problemsOf, themeApi } from '../themeApi';
import type { ThemeProblem } from '@contract/publishing/themeFiles';
import type { OpenFile, OpenFiles } from './useOpenFiles';

/** Why a file could not be saved. `stale`: the revision that somebody else saved, 0 if they removed the file. */
export type SavingState = { readonly failure: ApiFailure | null; readonly problems: readonly ThemeProblem[]; readonly stale: number | null };
const clean: SavingState = { failure: null, problems: [], stale: null };

const { writeThemeFile, themeFile } = themeApi.endpoints;

/** Saves files of the editor. The state is that of the last attempt, by path. */
export function useFileSaving(siteId: string, { saved }: OpenFiles) {
  const dispatch = useAppDispatch();
  const [states, setStates] = useState<ReadonlyMap<string, SavingState>>(new Map());
  const [saving, setSaving] = useState<string | null>(null);
  const report = (path: string, state: SavingState): void => setStates((before) => new Map(before).set(path, state));

  /** `onto`: the revision that is replaced, if not the one that was opened. Whether it was saved. */
  async function save(path: string, file: OpenFile, onto = file.base.revision): Promise<boolean> {
    if (saving !== null) return false;
    setSaving(path);
    const { data, error } = await dispatch(writeThemeFile.initiate({ siteId, path, revision: onto, body: { text: file.text } }));
    setSaving(null);
    if (!data) {
      const current = isFailure(error) ? (error.current as { readonly revision?: number } | undefined) : undefined;
      if (isFailure(error) && isStale(error)) report(path, { ...clean, stale: current?.revision ?? 0 });
      else report(path, { ...clean, problems: problemsOf(error), failure: isFailure(error) && problemsOf(error).length === 0 ? error : null });
      return false;
    }
    // The version that was just sent need not be loaded.
    await dispatch(themeApi.util.upsertQueryData('themeFile', { siteId, path, revision: data.revision }, data));
    saved(path, { revision: data.revision, content: file.text });
    report(path, clean);
    dispatch(noticeShown({ id: 'theme-saved', tone: 'good', message: { key: 'publishing:theme.files.saved', values: { path } } }));
    return true;
  }

  return {
    isSaving: saving !== null,
    stateOf: (path: string): SavingState => states.get(path) ?? clean,
    save,
    forget: (path: string): void => report(path, clean),
    load: (path: string, revision: number) => dispatch(themeFile.initiate({ siteId, path, revision }, { subscribe: false })),
  };
}
export type FileSaving = ReturnType<typeof useFileSaving>;
