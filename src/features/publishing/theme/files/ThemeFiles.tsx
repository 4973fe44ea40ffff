import { Suspense, useEffect, useEffectEvent, useMemo, useRef } from 'react';
import type { ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import type { Theme, ThemeProblem } from '@contract/publishing/themeFiles';
import { phone, useMedia } from '@/lib/useMedia';
import { RowsSkeleton } from '@/ui/skeletons';
import { Toggles } from '@/ui/Toggles';
import type { CodeHandle } from '../code/CodeEditor';
import { ProblemList } from '../ProblemList';
import { countProblems } from '../problems';
import { useCheckThemeQuery } from '../themeApi';
import type { ThemeAddress } from '../themeAddress';
import { FailureList } from './FailureList';
import { FileMenu } from './FileMenu';
import { FileSelect, FileTree } from './FileTree';
import { firstFile } from './fileTree';
import { FileWork } from './FileWork';
import { useFileActions } from './useFileActions';
import { useFileCheck } from './useFileCheck';
import { useFileSaving } from './useFileSaving';
import { isEdited } from './useOpenFiles';
import type { OpenFiles } from './useOpenFiles';

type Props = {
  readonly siteId: string;
  readonly theme: Theme;
  readonly address: ThemeAddress;
  readonly open: OpenFiles;
  readonly readOnly: boolean;
  readonly onAddress: (change: Partial<ThemeAddress>, how?: 'push' | 'replace') => void;
};

/** Problems of the saved theme, with those of the open file as it is in the editor. */
function useProblems(siteId: string, path: string, text: string | null, readOnly: boolean): readonly ThemeProblem[] {
  const { data } = useCheckThemeQuery({ siteId });
  const unsaved = useFileCheck(siteId, path, readOnly ? null : text);
  return useMemo(() => {
    const saved = data?.problems ?? [];
    return unsaved === null ? saved : [...unsaved, ...saved.filter((problem) => problem.path !== path)];
  }, [data, unsaved, path]);
}

type Place = Pick<ThemeProblem, 'path' | 'line' | 'column'>;

/** Leads to a place in a file, which may have to be opened first. */
function usePlaces(path: string, onOpen: (path: string) => void) {
  const handle = useRef<CodeHandle | null>(null);
  const target = useRef<Place | null>(null);
  const go = ({ line, column }: Place): void => handle.current?.goTo(line ?? 1, column ?? 1);
  return {
    onReady: (ready: CodeHandle | null): void => {
      handle.current = ready;
      const problem = target.current;
      if (ready === null || problem?.path !== path) return;
      target.current = null;
      go(problem);
    },
    goTo: (problem: Place): void => {
      if (problem.path === path && handle.current) return go(problem);
      target.current = problem;
      onOpen(problem.path);
    },
  };
}

/** Ctrl+S or ⌘S outside of the editor, which has its own, saves too, instead of opening the dialog of the browser. */
function useSaveShortcut(onSave: () => void): void {
  const save = useEffectEvent(onSave);
  useEffect(() => {
    const press = (event: KeyboardEvent): void => {
      if (event.defaultPrevented || event.key.toLowerCase() !== 's' || !(event.ctrlKey || event.metaKey) || event.altKey || event.shiftKey) return;
      event.preventDefault();
      save();
    };
    document.addEventListener('keydown', press);
    return () => document.removeEventListener('keydown', press);
  }, []);
}

const views = ['text', 'history', 'shipped'] as const;

/** The files of a theme: tree, editor, and what is wrong with them. */
export function ThemeFiles({ siteId, theme, address, open, readOnly, onAddress }: Props): ReactElement {
  const { t } = useTranslation('publishing');
  const isPhone = useMedia(phone);
  const saving = useFileSaving(siteId, open);
  const actions = useFileActions(siteId);
  const path = address.file === '' ? firstFile(theme.files) : address.file;
  const openPath = (file: string): void => onAddress({ file, show: 'text' });
  const opened = open.files.get(path);
  const problems = useProblems(siteId, path, opened && isEdited(opened) ? opened.text : null, readOnly);
  const places = usePlaces(path, openPath);
  const file = theme.files.find((one) => one.path === path);
  const Tree = isPhone ? FileSelect : FileTree;
  const save = (): void => {
    if (opened && isEdited(opened) && !readOnly) void saving.save(path, opened);
  };
  useSaveShortcut(save);
  return (
    <div className="theme-files">
      <div className="theme-side">
        <div className="theme-side-head">
          {!isPhone && <span>{t('theme.view.files')}</span>}
          {!readOnly && <FileMenu theme={theme} file={file} open={open} actions={actions} onOpen={openPath} />}
        </div>
        <Tree files={theme.files} missing={theme.missing} current={path} edited={open.edited} problems={countProblems(problems)} onOpen={openPath} />
      </div>
      <section className="theme-file" aria-label={path}>
        <div className="theme-file-head">
          <h2 className="one-line" title={path}>
            {path}
          </h2>
          {file?.text === true && (
            <Toggles
              label={t('theme.files.show')}
              value={address.show}
              choices={views.filter((one) => one !== 'shipped' || theme.base !== null).map((one) => ({ value: one, label: t(`theme.files.view.${one}`) }))}
              onChoose={(show) => onAddress({ show })}
            />
          )}
        </div>
        <Suspense fallback={<RowsSkeleton rows={12} />}>
          <FileWork
            siteId={siteId}
            theme={theme}
            path={path}
            show={address.show}
            open={open}
            saving={saving}
            actions={actions}
            problems={problems}
            readOnly={readOnly}
            onShow={(show) => onAddress({ show })}
            onReady={places.onReady}
          />
        </Suspense>
        <FailureList siteId={siteId} onOpen={places.goTo} />
        {problems.length > 0 ? <ProblemList problems={problems} onOpen={places.goTo} /> : <p className="theme-no-problems">{t('theme.problem.none')}</p>}
      </section>
    </div>
  );
}
