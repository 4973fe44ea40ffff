import { useEffect, useEffectEvent } from 'react';
import type { ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import type { Theme, ThemeFile, ThemeProblem } from '@contract/publishing/themeFiles';
import { isThemeText } from '@contract/publishing/themePaths';
import { ResultState } from '@/ui/ResultState';
import { RowsSkeleton } from '@/ui/skeletons';
import type { CodeHandle } from '../code/CodeEditor';
import { useThemeFileQuery } from '../themeApi';
import type { ThemeAddress } from '../themeAddress';
import { BinaryFile } from './BinaryFile';
import { FileConflict } from './FileConflict';
import { FileHistory } from './FileHistory';
import { FileShipped } from './FileShipped';
import { TextFile } from './TextFile';
import type { useFileActions } from './useFileActions';
import type { FileSaving } from './useFileSaving';
import { isEdited } from './useOpenFiles';
import type { OpenFiles } from './useOpenFiles';

type Props = {
  readonly siteId: string;
  readonly theme: Theme;
  readonly path: string;
  readonly show: ThemeAddress['show'];
  readonly open: OpenFiles;
  readonly saving: FileSaving;
  readonly actions: ReturnType<typeof useFileActions>;
  /** Of all files. */
  readonly problems: readonly ThemeProblem[];
  readonly readOnly: boolean;
  readonly onShow: (show: ThemeAddress['show']) => void;
  readonly onReady: (handle: CodeHandle | null) => void;
};

/** Revision 0 is that of a theme that the site has not taken over yet. */
const revisionOf = ({ revision }: ThemeFile): number | undefined => (revision === 0 ? undefined : revision);

/** Loads a version of a file, and puts it into the editor unless there is unsaved text of an earlier one. */
function useLoadedFile(siteId: string, file: ThemeFile, { files, replace, saved }: OpenFiles) {
  const { path } = file;
  const result = useThemeFileQuery({ siteId, path, revision: revisionOf(file) });
  const opened = files.get(path);
  const loaded = result.currentData;
  const adopt = useEffectEvent((content: string, revision: number): void => {
    if (opened === undefined || (!isEdited(opened) && opened.base.content !== content)) replace(path, { revision, content });
    else if (!isEdited(opened) && opened.base.revision < revision) saved(path, { revision, content });
  });
  useEffect(() => {
    if (loaded?.path === path && loaded.content !== null) adopt(loaded.content, loaded.revision);
  }, [loaded, path]);
  return { result, opened };
}

function ExistingFile(props: Props & { readonly file: ThemeFile }): ReactElement {
  const { siteId, path, file, show, open, saving, actions, problems, readOnly, onShow, onReady } = props;
  const { result, opened } = useLoadedFile(siteId, file, open);
  const state = saving.stateOf(path);
  const text = opened?.text ?? null;
  if (!file.text) return <BinaryFile siteId={siteId} file={file} />;
  if (show === 'history') {
    const restore = async (revision: number): Promise<void> => {
      if (!(await actions.restore(path, file.revision, revision))) return;
      // The unsaved text was in the comparison, so the person has decided against it.
      open.close(path);
      onShow('text');
    };
    return <FileHistory siteId={siteId} path={path} text={text} onRestore={readOnly ? null : (revision) => void restore(revision)} />;
  }
  if (show === 'shipped') {
    const use = (shipped: string): void => {
      if (opened) open.replace(path, opened.base, shipped);
      onShow('text');
    };
    return <FileShipped siteId={siteId} path={path} text={text} onUse={readOnly ? null : use} />;
  }
  if (opened === undefined)
    return (
      <ResultState result={result} skeleton={<RowsSkeleton rows={12} />}>
        {() => <RowsSkeleton rows={12} />}
      </ResultState>
    );
  const outdated = isEdited(opened) && file.revision > opened.base.revision ? file.revision : null;
  const theirs = outdated ?? (state.stale !== null && state.stale > opened.base.revision ? state.stale : null);
  if (theirs !== null)
    return (
      <FileConflict
        siteId={siteId}
        path={path}
        revision={theirs}
        mine={opened.text}
        onKeepMine={({ revision, content }) => {
          open.saved(path, { revision, content: content ?? '' });
          saving.forget(path);
          void saving.save(path, opened, revision);
        }}
        onTakeTheirs={({ revision, content }) => {
          open.replace(path, { revision, content: content ?? '' });
          saving.forget(path);
        }}
      />
    );
  return (
    <TextFile
      path={path}
      file={opened}
      states={open.states}
      problems={problems}
      saving={state}
      isSaving={saving.isSaving}
      readOnly={readOnly}
      onChange={(typed) => {
        open.type(path, typed);
        if (state.problems.length > 0 || state.failure) saving.forget(path);
      }}
      onSave={() => isEdited(opened) && void saving.save(path, opened)}
      onDiscard={() => {
        open.replace(path, opened.base);
        saving.forget(path);
      }}
      onReady={onReady}
    />
  );
}

/** The open file: its text, history or difference from the shipped one. A file that the shipped theme alone has can be added. */
export function FileWork(props: Props): ReactElement {
  const { siteId, theme, path, actions, readOnly } = props;
  const { t } = useTranslation('publishing');
  const file = theme.files.find((one) => one.path === path);
  if (file) return <ExistingFile key={path} {...props} file={file} />;
  if (theme.missing.includes(path) && isThemeText(path))
    return <FileShipped siteId={siteId} path={path} text={null} onUse={readOnly ? null : (shipped) => void actions.add(path, shipped)} />;
  return <p className="field-note">{t('theme.files.gone', { path })}</p>;
}
