import { Button } from '@mui/material';
import { useState } from 'react';
import type { ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import type { TableImport } from '@contract/tables/transfers';
import { isFailure } from '@/lib/failure';
import { ErrorPanel } from '@/ui/ErrorPanel';
import { Tick } from '../parts/controls';
import { ImportProgress } from './ImportProgress';
import { OutcomeCounts } from './OutcomeCounts';
import { FlexibleSpace, StepFrame } from './StepFrame';
import { useCancelTableImportMutation, useStartTableImportMutation, useUndoTableImportMutation } from './transferApi';

type Props = {
  readonly siteId: string;
  readonly it: TableImport;
  readonly put: (it: TableImport) => void;
};

/** A running import, with a button to stop it; it stops at the next multiple of a thousand rows. */
const Running = ({ siteId, it, put, onClose }: Props & { readonly onClose: () => void }): ReactElement => {
  const { t } = useTranslation('tableTransfer');
  const [cancel, cancelling] = useCancelTableImportMutation();
  const stopping = cancelling.isLoading || (cancelling.data !== undefined && cancelling.data.jobId === it.jobId);
  const stop = async (): Promise<void> => {
    const { data } = await cancel({ siteId, id: it.id });
    if (data) put(data);
  };
  return (
    <StepFrame
      actions={
        <>
          <Button disabled={stopping} onClick={() => void stop()}>
            {t(stopping ? 'progress.cancelling' : 'progress.cancel')}
          </Button>
          <FlexibleSpace />
          <Button variant="contained" onClick={onClose}>
            {t('run.background')}
          </Button>
        </>
      }
    >
      <p className="transfer-quiet">{t('run.lead')}</p>
      <ImportProgress tableImport={it} title={t('run.going')} rows={it.counts?.rows ?? 0} />
      {it.counts && <OutcomeCounts counts={it.counts} />}
      {isFailure(cancelling.error) && <ErrorPanel title={t('failed')} failure={cancelling.error} />}
    </StepFrame>
  );
};

/** An import that stopped early: it can be continued or undone. */
const Stopped = ({ siteId, it, put }: Props): ReactElement => {
  const { t } = useTranslation('tableTransfer');
  const [start, starting] = useStartTableImportMutation();
  const [undo, undoing] = useUndoTableImportMutation();
  const [leaveOut, setLeaveOut] = useState(false);
  const failure = [starting.error, undoing.error].find(isFailure);
  const of = { siteId, id: it.id };
  const show = ({ data }: { readonly data?: TableImport | undefined }): void => {
    if (data) put(data);
  };
  const { plan } = it;
  return (
    <StepFrame
      actions={
        <>
          {it.batchId !== null && (
            <Button disabled={undoing.isLoading || starting.isLoading} onClick={() => void undo(of).then(show)}>
              {t(undoing.isLoading ? 'done.undoing' : 'done.undo')}
            </Button>
          )}
          <FlexibleSpace />
          {plan !== null && (
            <Button
              variant="contained"
              disabled={starting.isLoading || undoing.isLoading}
              aria-busy={starting.isLoading}
              onClick={() => void start({ ...of, body: { plan: { ...plan, leaveOut: plan.leaveOut || leaveOut }, dryRun: false } }).then(show)}
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
      {it.counts && <OutcomeCounts counts={it.counts} />}
      {plan?.leaveOut === false && <Tick label={t('run.leaveOut')} checked={leaveOut} onChange={setLeaveOut} />}
    </StepFrame>
  );
};

/** The import itself: its progress or, where it was stopped, continuing or undoing it. */
export const RunStep = ({ onClose, ...props }: Props & { readonly onClose: () => void }): ReactElement =>
  props.it.state === 'running' ? <Running {...props} onClose={onClose} /> : <Stopped {...props} />;
