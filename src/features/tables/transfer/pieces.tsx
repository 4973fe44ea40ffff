import { Box, DialogActions, DialogContent, LinearProgress } from '@mui/material';
import type { ReactElement, ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { ImportCounts, TableImport } from '@contract/tables/transfers';
import { useFormat } from '@/lib/format';
import type { ApiFailure, FieldFailure } from '@/store/failure';
import { ErrorPanel } from '@/ui/ErrorPanel';
import { encodeFault } from '@/ui/form/fault';
import { useFaultWords } from '@/ui/form/useFaultWords';
import { outcomes } from './outcomes';

/** One step of the wizard: what it shows, and what can be done at its foot. */
export const StepFrame = ({ children, actions }: { readonly children: ReactNode; readonly actions: ReactNode }): ReactElement => (
  <>
    <DialogContent className="transfer-body" sx={{ py: 2.5 }}>
      {children}
    </DialogContent>
    <DialogActions sx={{ px: 3, py: 1.5, gap: 1, flexWrap: 'wrap', borderTop: '1px solid var(--line)' }}>{actions}</DialogActions>
  </>
);

/** Pushes what follows to the right end. */
export const Gap = (): ReactElement => <Box sx={{ flex: 1 }} />;

/** How far a job is: rows so far, rows a second, time left. */
export const Progress = ({
  it,
  title,
  rows,
}: {
  readonly it: TableImport;
  readonly title: string;
  /** Rows that are through. */ readonly rows: number;
}): ReactElement => {
  const { t } = useTranslation('tableTransfer');
  const format = useFormat();
  const whole = it.total ?? it.file.size;
  const share = it.done === null || whole === 0 ? null : Math.min(100, (it.done / whole) * 100);
  const words =
    it.done === null
      ? [t('progress.waiting')]
      : [
          rows === 0 ? t('progress.reading') : t('progress.rows', { rows: format.number(rows) }),
          ...(it.perSecond === null ? [] : [t('progress.pace', { rows: format.number(Math.round(it.perSecond)) })]),
          ...(it.secondsLeft === null ? [] : [t('progress.left', { time: format.duration(it.secondsLeft) })]),
        ];
  return (
    <div className="transfer-progress">
      <h3>{title}</h3>
      <LinearProgress {...(share === null ? {} : { variant: 'determinate' as const, value: share })} aria-label={title} />
      <p className="transfer-quiet" style={{ fontVariantNumeric: 'tabular-nums' }}>
        {words.join(' · ')}
      </p>
    </div>
  );
};

/** What came of the rows, as figures. */
export const Counts = ({ counts }: { readonly counts: ImportCounts }): ReactElement => {
  const { t } = useTranslation('tableTransfer');
  const format = useFormat();
  return (
    <dl className="transfer-counts" aria-label={t('done.counts')}>
      {outcomes
        .filter((outcome) => counts[outcome] > 0 || outcome === 'insert')
        .map((outcome) => (
          <div key={outcome}>
            <dt>{t(`outcome.${outcome}`)}</dt>
            <dd>{format.number(counts[outcome])}</dd>
          </div>
        ))}
    </dl>
  );
};

/** A refused call in words, with every place that was refused. `nameOf`: what a place is called, null for the whole. */
export const Refused = ({
  title,
  failure,
  nameOf = () => null,
  onRetry,
  retrying = false,
}: {
  readonly title: string;
  readonly failure: ApiFailure;
  readonly nameOf?: (path: string) => string | null;
  readonly onRetry?: () => void;
  readonly retrying?: boolean;
}): ReactElement => {
  const { t } = useTranslation('tableTransfer');
  const say = useFaultWords();
  const faults = Object.entries((failure.fields ?? {}) as Readonly<Record<string, FieldFailure & { readonly message?: string }>>);
  return (
    <ErrorPanel title={title} failure={failure} retrying={retrying} {...(onRetry ? { onRetry } : {})}>
      {faults.map(([path, fault]) => {
        const name = nameOf(path);
        const text = fault.message ?? say(encodeFault(fault)) ?? '';
        return <p key={path}>{name === null ? text : t('check.colon', { field: name, text })}</p>;
      })}
    </ErrorPanel>
  );
};
