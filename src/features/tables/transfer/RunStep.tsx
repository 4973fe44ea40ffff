import { Button } from '@mui/material';
import { useState } from 'react';
import type { ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import type { TableImport } from '@contract/tables/transfers';
import { isFailure } from '@/store/failure';
import { ErrorPanel } from '@/ui/ErrorPanel';
import { Tick } from '../parts/controls';
import { Counts, Gap, Progress, StepFrame } from './pieces';
import { useCancelTableImportMutation, useStartTableImportMutation, useUndoTableImportMutation } from './transferApi';

/** The import itself: how far it is; stopped, it goes on from there or is taken back. */
export const RunStep = ({
  siteId,
  it,
  put,
  onClose,
}: {
  readonly siteId: string;
  readonly it: TableImport;
  readonly put: (it: TableImport) => void;
  readonly onClose: () => void;
}): ReactElement => {
  const { t } = useTranslation('tableTransfer');
  const [cancel, cancelling] = useCancelTableImportMutation();
  const [start, starting] = useStartTableImportMutation();
  const [undo, undoing] = useUndoTableImportMutation();
  const [leaveOut, setLeaveOut] = useState(false);
  const failure = [cancelling.error, starting.error, undoing.error].find(isFailure);
  const of = { siteId, id: it.id };
  const take = ({ data }: { readonly data?: TableImport | undefined }): void => {
    if (data) put(data);
  };
  const { plan } = it;
  // It stops at the next thousand rows.
  const stopping = cancelling.isLoading || (cancelling.data !== undefined && cancelling.data.jobId === it.jobId);
  if (it.state === 'running')
    return (
      <StepFrame
        actions={
          <>
            <Button disabled={stopping} onClick={() => void cancel(of).then(take)}>
              {t(stopping ? 'progress.cancelling' : 'progress.cancel')}
            </Button>
            <Gap />
            <Button variant="contained" onClick={onClose}>
              {t('run.background')}
            </Button>
          </>
        }
      >
        <p className="transfer-quiet">{t('run.lead')}</p>
        <Progress it={it} title={t('run.going')} rows={it.counts?.rows ?? 0} />
        {it.counts && <Counts counts={it.counts} />}
        {failure && <ErrorPanel title={t('failed')} failure={failure} />}
      </StepFrame>
    );
  return (
    <StepFrame
      actions={
        <>
          {it.batchId !== null && (
            <Button disabled={undoing.isLoading || starting.isLoading} onClick={() => void undo(of).then(take)}>
              {t(undoing.isLoading ? 'done.undoing' : 'done.undo')}
            </Button>
          )}
          <Gap />
          {plan !== null && (
            <Button
              variant="contained"
              disabled={starting.isLoading || undoing.isLoading}
              aria-busy={starting.isLoading}
              onClick={() => void start({ ...of, body: { plan: { ...plan, leaveOut: plan.leaveOut || leaveOut }, dryRun: false } }).then(take)}
            >
              {t(starting.isLoading ? 'map.starting' : 'run.goOn')}
            </Button>
          )}
        </>
      }
    >
      {failure && <ErrorPanel title={t('failed')} failure={failure} />}
      {it.state === 'failed' ? (
        <ErrorPanel title={t('run.failed')}>
          {it.error !== null && <p>{it.error}</p>}
          <p>{t('run.stoppedText')}</p>
        </ErrorPanel>
      ) : (
        <div>
          <h3>{t('run.stopped')}</h3>
          <p className="transfer-quiet">{t('run.stoppedText')}</p>
        </div>
      )}
      {it.counts && <Counts counts={it.counts} />}
      {plan?.leaveOut === false && <Tick label={t('run.leaveOut')} checked={leaveOut} onChange={setLeaveOut} />}
    </StepFrame>
  );
};
