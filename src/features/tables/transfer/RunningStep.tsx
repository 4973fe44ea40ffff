import { Button } from '@mui/material';
import type { ReactElement, ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { TableImport } from '@contract/tables/transfers';
import { isFailure } from '@/lib/failure';
import { ErrorPanel } from '@/ui/ErrorPanel';
import { ImportProgress } from './ImportProgress';
import { StepFrame } from './StepFrame';
import { useCancelTableImportMutation } from './transferApi';

/** A running dry run or import, with a button to stop it; it stops at the next multiple of a thousand rows. */
export const RunningStep = ({
  siteId,
  it,
  put,
  lead,
  title,
  actions,
  children,
}: {
  readonly siteId: string;
  readonly it: TableImport;
  readonly put: (it: TableImport) => void;
  readonly lead: string;
  readonly title: string;
  /** Beside the button that stops it. */ readonly actions?: ReactNode;
  readonly children?: ReactNode;
}): ReactElement => {
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
          {actions}
        </>
      }
    >
      <p className="transfer-quiet">{lead}</p>
      <ImportProgress tableImport={it} title={title} rows={it.counts?.rows ?? 0} />
      {children}
      {isFailure(cancelling.error) && <ErrorPanel title={t('failed')} failure={cancelling.error} />}
    </StepFrame>
  );
};
