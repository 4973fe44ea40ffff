import { useMemo, useState } from 'react';
import type { ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import type { ThemeProblem } from '@contract/publishing/themeFiles';
import { ErrorPanel } from '@/ui/ErrorPanel';
import { PlainButton } from '@/ui/PlainButton';
import type { CodeHandle, CodeProblem } from '../code/CodeEditor';
import { useProblemText } from '../problems';
import { LazyCodeEditor } from './lazyCode';
import type { SavingState } from './useFileSaving';
import { isEdited } from './useOpenFiles';
import type { OpenFile, OpenFiles } from './useOpenFiles';

type Props = {
  readonly path: string;
  readonly file: OpenFile;
  readonly states: OpenFiles['states'];
  /** Of all files. After a refusal to save, those of `saving` are marked instead. */
  readonly problems: readonly ThemeProblem[];
  readonly saving: SavingState;
  readonly isSaving: boolean;
  readonly readOnly: boolean;
  readonly onChange: (text: string) => void;
  readonly onSave: () => void;
  readonly onDiscard: () => void;
  readonly onReady: (handle: CodeHandle | null) => void;
};

/** A text file in the editor, with saving and undo. */
export function TextFile({ path, file, states, problems, saving, isSaving, readOnly, onChange, onSave, onDiscard, onReady }: Props): ReactElement {
  const { t } = useTranslation('publishing');
  const textOf = useProblemText();
  const [handle, setHandle] = useState<CodeHandle | null>(null);
  const [can, setCan] = useState({ undo: false, redo: false });
  const dirty = isEdited(file);
  const current = saving.problems.length > 0 ? saving.problems : problems;
  // The editor places its marks anew for another list, so typing must not make one.
  const marks = useMemo(
    () =>
      current
        .filter((problem) => problem.path === path)
        .map((problem): CodeProblem => ({ line: problem.line ?? 1, column: problem.column ?? 1, message: textOf(problem), severity: 'error' })),
    [current, path, textOf],
  );
  return (
    <>
      {!readOnly && (
        <div className="theme-file-bar" role="toolbar" aria-label={t('theme.files.editing')}>
          <PlainButton data-quiet="" disabled={!can.undo} onClick={() => handle?.undo()}>
            {t('theme.files.undo')}
          </PlainButton>
          <PlainButton data-quiet="" disabled={!can.redo} onClick={() => handle?.redo()}>
            {t('theme.files.redo')}
          </PlainButton>
          {dirty && (
            <PlainButton data-quiet="" disabled={isSaving} onClick={onDiscard}>
              {t('theme.files.discard')}
            </PlainButton>
          )}
          <PlainButton data-primary="" aria-busy={isSaving} disabled={!dirty} onClick={onSave} title={t('theme.files.saveKey')}>
            {t(isSaving ? 'theme.files.saving' : 'theme.files.save')}
          </PlainButton>
        </div>
      )}
      {saving.failure && <ErrorPanel title={t('theme.files.failed')} failure={saving.failure} />}
      {saving.problems.length > 0 && (
        <p className="theme-refused" role="alert">
          {t('theme.files.refused', { count: saving.problems.length })}
        </p>
      )}
      <LazyCodeEditor
        key={`${path} ${String(file.generation)}`}
        path={path}
        generation={file.generation}
        label={t('theme.files.content', { path })}
        text={file.text}
        readOnly={readOnly}
        problems={marks}
        states={states}
        onChange={onChange}
        onUndoable={setCan}
        onSave={onSave}
        onReady={(ready) => {
          setHandle(ready);
          onReady(ready);
        }}
      />
    </>
  );
}
