import { Button } from '@mui/material';
import { useState } from 'react';
import type { ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import type { TableImport } from '@contract/tables/transfers';
import { isFailure } from '@/lib/failure';
import { ErrorPanel } from '@/ui/ErrorPanel';
import { Tick } from '../parts/controls';
import { OutcomeCounts } from './OutcomeCounts';
import { RunningStep } from './RunningStep';
import { FlexibleSpace, StepFrame } from './StepFrame';
import { useStartTableImportMutation, useUndoTableImportMutation } from './transferApi';

type Props = {
  readonly siteId: string;
  readonly it: TableImport;
  readonly put: (it: TableImport) => void;
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
export const RunStep = ({ onClose, ...props }: Props & { readonly onClose: () => void }): ReactElement => {
  const { t } = useTranslation('tableTransfer');
  const { it } = props;
  if (it.state !== 'running') return <Stopped {...props} />;
  const close = (
    <>
      <FlexibleSpace />
      <Button variant="contained" onClick={onClose}>
        {t('run.background')}
      </Button>
    </>
  );
  return (
    <RunningStep {...props} lead={t('run.lead')} title={t('run.going')} actions={close}>
      {it.counts && <OutcomeCounts counts={it.counts} />}
    </RunningStep>
  );
};
