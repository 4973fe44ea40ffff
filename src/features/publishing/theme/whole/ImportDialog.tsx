import { useState } from 'react';
import type { ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import { themeLimits } from '@contract/publishing/theme';
import { bytesText } from '@/lib/bytes';
import { useFormat } from '@/lib/format';
import { ErrorPanel } from '@/ui/ErrorPanel';
import { PlainButton } from '@/ui/PlainButton';
import { useFileDrop } from '@/ui/useFileDrop';
import { ProblemList } from '../ProblemList';
import type { ImportRefusal, ThemeActions } from './useThemeActions';
import { WholeDialog } from './WholeDialog';

/** Replaces the theme by an archive. One that has problems is refused as a whole, and the problems are listed. */
export function ImportDialog({
  actions,
  edited,
  onClose,
}: {
  readonly actions: ThemeActions;
  readonly edited: number;
  readonly onClose: () => void;
}): ReactElement {
  const { t } = useTranslation('publishing');
  const format = useFormat();
  const [file, setFile] = useState<File | null>(null);
  const [refusal, setRefusal] = useState<ImportRefusal | null>(null);
  const drop = useFileDrop(([first]) => {
    setRefusal(null);
    setFile(first ?? null);
  });
  const isTooLarge = file !== null && file.size > themeLimits.zipBytes;
  const start = async (): Promise<void> => {
    if (file === null) return;
    const result = await actions.import(file);
    if (result === null) onClose();
    else setRefusal(result);
  };
  return (
    <WholeDialog title={t('theme.import.title')} width="sm" onClose={onClose}>
      <p className="theme-lead">{t('theme.import.text')}</p>
      {edited > 0 && <p className="theme-lead">{t('theme.choose.unsaved', { count: edited })}</p>}
      <div className="theme-drop" data-over={drop.over} {...drop.place}>
        <input {...drop.input} accept=".zip" aria-label={t('theme.import.file')} />
        <PlainButton onClick={drop.choose}>{t(file === null ? 'theme.import.choose' : 'theme.import.another')}</PlainButton>
        <span>
          {file === null ? t('theme.import.drop', { most: bytesText(themeLimits.bytes, format) }) : `${file.name} · ${bytesText(file.size, format)}`}
        </span>
      </div>
      {isTooLarge && (
        <p className="theme-refused" role="alert">
          {t('theme.import.tooLarge')}
        </p>
      )}
      {refusal?.failure && <ErrorPanel title={t('theme.import.failed')} failure={refusal.failure} />}
      {refusal !== null && refusal.problems.length > 0 && (
        <>
          <p className="theme-refused" role="alert">
            {t('theme.import.refused', { count: refusal.problems.length })}
          </p>
          <ProblemList problems={refusal.problems} onOpen={null} />
        </>
      )}
      <div className="theme-dialog-actions">
        <PlainButton data-quiet="" onClick={onClose}>
          {t('theme.cancel')}
        </PlainButton>
        <PlainButton data-primary="" disabled={file === null || isTooLarge || actions.busy} aria-busy={actions.busy} onClick={() => void start()}>
          {t(actions.busy ? 'theme.import.importing' : 'theme.import.do')}
        </PlainButton>
      </div>
    </WholeDialog>
  );
}
