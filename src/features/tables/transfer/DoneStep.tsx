import { Alert, Button, Link } from '@mui/material';
import { useState } from 'react';
import type { ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import type { Job } from '@contract/jobs/schemas';
import type { TableImport } from '@contract/tables/transfers';
import type { ContentTable } from '@contract/tables/schemas';
import { useFormat } from '@/lib/format';
import { addressOf } from '@/store/endpoints';
import { isFailure } from '@/lib/failure';
import { ErrorPanel } from '@/ui/ErrorPanel';
import { JobProgress, shareDone } from '@/ui/JobProgress';
import { OutcomeCounts } from './OutcomeCounts';
import { FlexibleSpace, StepFrame } from './StepFrame';
import { transferCalls, useTableImportQuery, useUndoTableImportMutation } from './transferApi';
import { pollMs, useUndoJob } from './useImport';

/** Progress of the job that undoes an import; null: not known yet. */
const UndoProgress = ({ job }: { readonly job: Job | null }): ReactElement => {
  const { t } = useTranslation('tableTransfer');
  return (
    <div className="transfer-progress">
      <JobProgress title={t('run.undoing')} titleAs="h3" share={shareDone(job?.done ?? null, job?.total ?? null)} note={t('run.leadUndo')} />
    </div>
  );
};

/** The result of undoing an import. */
const UndoneNotice = ({ it }: { readonly it: TableImport }): ReactElement => {
  const { t } = useTranslation('tableTransfer');
  const format = useFormat();
  const skipped = it.undoSkipped ?? 0;
  return (
    <Alert severity={skipped > 0 ? 'warning' : 'success'}>
      <b>{t('done.undone')}</b>
      <p>
        {it.createdTable
          ? t('done.undoneTable')
          : skipped > 0
            ? t('done.undoneSkipped', { count: skipped, countText: format.number(skipped) })
            : t('done.undoneAll')}
      </p>
    </Alert>
  );
};

/** The result of an import, with a button to undo it as a whole. */
export const DoneStep = ({
  siteId,
  table,
  it,
  put,
  onShow,
  onAnother,
}: {
  readonly siteId: string;
  readonly table: ContentTable | null;
  readonly it: TableImport;
  readonly put: (it: TableImport) => void;
  readonly onShow: (tableId: string) => void;
  readonly onAnother: () => void;
}): ReactElement => {
  const { t } = useTranslation('tableTransfer');
  const format = useFormat();
  const [undo, undoing] = useUndoTableImportMutation();
  const { counts, tableId } = it;
  const [requested, setRequested] = useState(false);
  const job = useUndoJob(it);
  // A large import is undone by a job, which the list of jobs may show slightly later than this page.
  const going = !it.undone && job?.state !== 'failed' && (requested || job !== null);
  useTableImportQuery({ siteId, id: it.id }, { pollingInterval: going ? pollMs : 0, skipPollingIfUnfocused: true });
  const takeBack = async (): Promise<void> => {
    const { data } = await undo({ siteId, id: it.id });
    if (data === undefined) return;
    setRequested(true);
    put(data);
  };
  const gone = it.undone && it.createdTable && table === null;
  return (
    <StepFrame
      actions={
        <>
          {it.batchId !== null && !it.undone && (
            <Button disabled={undoing.isLoading || going} aria-busy={undoing.isLoading || going} onClick={() => void takeBack()}>
              {t(undoing.isLoading || going ? 'done.undoing' : 'done.undo')}
            </Button>
          )}
          <FlexibleSpace />
          <Button onClick={onAnother}>{t('done.another')}</Button>
          {tableId !== null && !gone && (
            <Button variant="contained" onClick={() => onShow(tableId)}>
              {t('done.show')}
            </Button>
          )}
        </>
      }
    >
      {isFailure(undoing.error) && <ErrorPanel title={t('done.undoFailed')} failure={undoing.error} />}
      {job?.state === 'failed' && (
        <ErrorPanel title={t('done.undoFailed')}>
          <p>{job.error}</p>
        </ErrorPanel>
      )}
      {going && <UndoProgress job={job} />}
      {it.undone ? (
        <UndoneNotice it={it} />
      ) : going ? null : (
        <Alert severity="success">
          <b>{t('done.title')}</b>
        </Alert>
      )}
      {counts && !it.undone && !going && <OutcomeCounts counts={counts} />}
      {counts && counts.fail > 0 && !it.undone && (
        <p>
          {t('done.leftOut', { count: counts.fail, countText: format.number(counts.fail) })}{' '}
          <Link underline="always" href={addressOf(transferCalls.tableImportErrors, { siteId, id: it.id })} download>
            {t('check.download')}
          </Link>
        </p>
      )}
      {it.batchId !== null && !it.undone && !going && <p className="transfer-quiet">{t('done.undoText')}</p>}
    </StepFrame>
  );
};
