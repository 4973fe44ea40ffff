import { Button } from '@mui/material';
import type { ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import type { TableImport } from '@contract/tables/transfers';
import type { ContentTable } from '@contract/tables/schemas';
import { selectRunningJobs } from '@/features/jobs/jobsSlice';
import { useFormat } from '@/lib/format';
import { isFailure } from '@/lib/failure';
import { useAppSelector } from '@/store/hooks';
import { useConfirm } from '@/ui/confirmContext';
import { ErrorPanel } from '@/ui/ErrorPanel';
import { outcomes } from './rowOutcomes';
import { useRemoveTableImportMutation, useTableImportsQuery, useUndoTableImportMutation } from './transferApi';
import { isBusy, pollMs, useUndoJob } from './useImport';

const Item = ({
  siteId,
  it,
  tables,
  named,
  onOpen,
}: {
  readonly siteId: string;
  readonly it: TableImport;
  readonly tables: readonly ContentTable[];
  /** Whether to show the name of its table. */ readonly named: boolean;
  readonly onOpen: (id: string) => void;
}): ReactElement => {
  const { t } = useTranslation('tableTransfer');
  const format = useFormat();
  const confirm = useConfirm();
  const [remove, removing] = useRemoveTableImportMutation();
  const [undo, undoing] = useUndoTableImportMutation();
  const { name } = it.file;
  const job = useUndoJob(it);
  const goingBack = job !== null && job.state !== 'failed';
  const rests = !isBusy(it) && !goingBack;
  const failure = [removing.error, undoing.error].find(isFailure);
  const looked = it.state === 'done' || isBusy(it);
  const askRemove = async (): Promise<void> => {
    const sure = await confirm({
      title: t('list.removeTitle'),
      body: t(it.batchId === null ? 'list.removeUpload' : 'list.removeText'),
      confirm: t('list.remove'),
      danger: true,
    });
    if (sure) void remove({ siteId, id: it.id });
  };
  const facts = [
    goingBack ? t('run.undoing') : t(`list.state.${it.undone ? 'undone' : it.state}`),
    ...(it.error === null ? [] : [it.error]),
    ...(named ? [it.tableId === null || it.createdTable ? t('list.newTable') : (tables.find(({ id }) => id === it.tableId)?.title ?? '')] : []),
    ...(it.counts === null
      ? []
      : outcomes.flatMap((outcome) => {
          const n = it.counts?.[outcome] ?? 0;
          return n === 0 ? [] : [`${t(`outcome.${outcome}`)} ${format.number(n)}`];
        })),
    t('list.facts', { who: it.by, when: format.relative(it.createdAt) }),
  ].filter((fact) => fact !== '');
  return (
    <li>
      <span>
        <b>{name}</b>
        <span className="transfer-quiet">{facts.join(' · ')}</span>
      </span>
      <Button aria-label={t('list.openName', { name })} onClick={() => onOpen(it.id)}>
        {t(looked ? 'list.look' : 'list.goOn')}
      </Button>
      {it.batchId !== null && !it.undone && rests && (
        <Button aria-label={t('list.undoName', { name })} disabled={undoing.isLoading} onClick={() => void undo({ siteId, id: it.id })}>
          {t('list.undo')}
        </Button>
      )}
      {rests && (
        <Button color="error" aria-label={t('list.removeName', { name })} disabled={removing.isLoading} onClick={() => void askRemove()}>
          {t('list.remove')}
        </Button>
      )}
      {failure && <ErrorPanel title={t('failed')} failure={failure} />}
    </li>
  );
};

/** Imports of a table (or of the whole site), newest first, with their state and actions. */
export const ImportList = ({
  siteId,
  table,
  tables,
  onOpen,
}: {
  readonly siteId: string;
  readonly table: ContentTable | null;
  readonly tables: readonly ContentTable[];
  readonly onOpen: (id: string) => void;
}): ReactElement | null => {
  const { t } = useTranslation('tableTransfer');
  const params = { siteId, ...(table === null ? {} : { table: table.id }) };
  const { data, error, refetch, isFetching } = useTableImportsQuery(params, { refetchOnMountOrArgChange: true });
  const jobs = useAppSelector(selectRunningJobs);
  const busy = data?.some((it) => isBusy(it) || jobs.some(({ id }) => id === it.jobId)) === true;
  useTableImportsQuery(params, { pollingInterval: busy ? pollMs * 2 : 0, skipPollingIfUnfocused: true });
  if (isFailure(error) && data === undefined) return <ErrorPanel failure={error} onRetry={() => void refetch()} retrying={isFetching} />;
  if (data === undefined || data.length === 0) return null;
  return (
    <section>
      <h3>{t('list.title')}</h3>
      <ul className="transfer-list" aria-label={t('list.title')} style={{ marginTop: 8 }}>
        {data.map((it) => (
          <Item key={it.id} siteId={siteId} it={it} tables={tables} named={table === null} onOpen={onOpen} />
        ))}
      </ul>
    </section>
  );
};
