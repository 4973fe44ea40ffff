import { Button } from '@mui/material';
import { useId, useState } from 'react';
import type { FormEvent, ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router-dom';
import type { ContentTable } from '@contract/tables/schemas';
import { tableLimits } from '@contract/tables/terms';
import { useJob } from '@/features/jobs/useJob';
import { failureMessage, noticeShown, notifyFailure } from '@/features/notices/noticesSlice';
import { useFormat } from '@/lib/format';
import { href } from '@/routes/paths';
import { isFailure, isStale } from '@/lib/failure';
import { useAppDispatch } from '@/store/hooks';
import { TypedConfirm } from '@/ui/form/TypedConfirm';
import { useEmptyBinMutation } from './growth/maintenanceApi';
import { useChangeTableMutation, useDeletedFieldsQuery, useRestoreFieldMutation } from '@/features/tables/parts/designApi';
import { FieldIcon } from '@/features/tables/records/icons';
import { TableIcon } from '@/features/tables/records/tableIcon';
import { tablesApi, useRecordsQuery } from '@/features/tables/tablesApi';
import { useDaysLeft } from './useDaysLeft';

/** Number of indexes of the fields, as the server counts them. */
export const indexCount = (table: ContentTable): number => table.fields.reduce((sum, field) => sum + (field.unique ? 1 : 0) + (field.indexed ? 1 : 0), 0);

type OfTable = { readonly siteId: string; readonly table: ContentTable };
const mostDays = 365;

/** How many days the table's bin keeps records. Saved on its own, outside any form. */
const KeepDays = ({ siteId, table }: OfTable): ReactElement => {
  const { t } = useTranslation('tableAdmin');
  const dispatch = useAppDispatch();
  const id = useId();
  const [typed, setTyped] = useState<{ readonly text: string; readonly base: number } | null>(null);
  const [problem, setProblem] = useState('');
  const [change, { isLoading }] = useChangeTableMutation();
  const value = typed?.text ?? String(table.trashDays);
  const days = Number(value);
  const isValid = /^\d{1,3}$/.test(value.trim()) && days >= 1 && days <= mostDays;
  const save = async (event: FormEvent) => {
    event.preventDefault();
    if (!isValid) return setProblem(t('bin.keepFault'));
    setProblem('');
    // Somebody else has set another number since this one was typed.
    if (typed !== null && typed.base !== table.trashDays) {
      setTyped({ ...typed, base: table.trashDays });
      return setProblem(t('bin.stale'));
    }
    const { data, error } = await change({ siteId, table: table.id, revision: table.revision, body: { trashDays: days } });
    if (data) {
      setTyped(null);
      dispatch(noticeShown({ tone: 'good', message: { key: 'tableAdmin:bin.keepSaved', values: { name: table.title, days } } }));
    } else if (isFailure(error)) {
      if (isStale(error)) {
        setProblem(t('bin.stale'));
        dispatch(tablesApi.util.invalidateTags([{ type: 'Table', id: siteId }]));
      } else dispatch(noticeShown({ tone: 'bad', message: failureMessage(error), requestId: error.requestId }));
    }
  };
  return (
    <form className="admin-keep" onSubmit={(event) => void save(event)} noValidate>
      <label htmlFor={id}>{t('bin.keep')}</label>
      <input
        id={id}
        className="tables-input"
        inputMode="numeric"
        aria-label={t('bin.keepOf', { name: table.title })}
        {...(problem === '' ? {} : { 'aria-invalid': true, 'aria-describedby': `${id}-problem` })}
        value={value}
        maxLength={3}
        onChange={(event) => {
          setTyped({ text: event.target.value, base: typed?.base ?? table.trashDays });
          setProblem('');
        }}
      />
      {value.trim() !== String(table.trashDays) && (
        <Button type="submit" disabled={isLoading} aria-busy={isLoading}>
          {t('bin.keepSave')}
        </Button>
      )}
      {problem !== '' && (
        <small id={`${id}-problem`} role="alert" className="admin-bad">
          {problem}
        </small>
      )}
    </form>
  );
};

/** Purges the bin with a job, which continues after the page is left; records purged before a cancellation stay purged. */
function useEmptying({ siteId, table }: OfTable) {
  const dispatch = useAppDispatch();
  const [jobId, setJobId] = useState<string | null>(null);
  const [empty] = useEmptyBinMutation();
  const { job, stop } = useJob(jobId, ({ state, done }) => {
    setJobId(null);
    dispatch(tablesApi.util.invalidateTags([{ type: 'Records', id: table.id }]));
    if (done > 0) dispatch(noticeShown({ tone: 'good', message: { key: 'tableAdmin:bin.emptied', values: { count: done } } }));
    if (state === 'failed') dispatch(noticeShown({ tone: 'bad', message: { key: 'tableAdmin:failed' } }));
  });
  return {
    done: jobId === null ? null : (job?.done ?? 0),
    run: async (): Promise<void> => {
      const { data, error } = await empty({ siteId, table: table.id });
      if (data) setJobId(data.jobId);
      else notifyFailure(dispatch, error);
    },
    stop: () => void stop(),
  };
}

const DeletedFields = ({ siteId, table }: OfTable): ReactElement | null => {
  const { t } = useTranslation('tableAdmin');
  const dispatch = useAppDispatch();
  const left = useDaysLeft();
  const of = { siteId, table: table.id };
  const { data = [] } = useDeletedFieldsQuery(of);
  const [restore, { isLoading }] = useRestoreFieldMutation();
  if (data.length === 0) return null;
  const take = async (field: string, name: string) => {
    const { data: back, error } = await restore({ ...of, field });
    if (back) dispatch(noticeShown({ tone: 'good', message: { key: 'tableAdmin:bin.restoredField', values: { name } } }));
    else notifyFailure(dispatch, error);
  };
  return (
    <ul className="admin-list admin-inner" aria-label={t('bin.deletedFields')}>
      {data.map((field) => (
        <li key={field.id}>
          <FieldIcon column={{ field }} />
          <span>
            <b>{field.title}</b>
            {field.deletedAt !== null && <small>{left(field.deletedAt)}</small>}
          </span>
          <Button disabled={isLoading} aria-label={t('bin.restoreNamed', { name: field.title })} onClick={() => void take(field.id, field.title)}>
            {t('bin.restore')}
          </Button>
        </li>
      ))}
    </ul>
  );
};

/** One table: the contents and retention of its bin, restorable fields, and usage of its limits. */
export const TableBinRow = ({ siteId, table }: OfTable): ReactElement => {
  const { t } = useTranslation('tableAdmin');
  const format = useFormat();
  const [asking, setAsking] = useState(false);
  const emptying = useEmptying({ siteId, table });
  const { currentData: bin, isError, refetch } = useRecordsQuery({ siteId, table: table.id, trash: 'true', fields: '-', limit: 1, count: 'capped' });
  const count = bin?.total ?? 0;
  return (
    <li>
      <h3>
        <TableIcon icon={table.icon} />
        {table.title}
      </h3>
      <div className="admin-bin">
        <span className="admin-bin-count">
          {t('bin.binned')}{' '}
          {isError ? (
            <Button onClick={() => void refetch()}>{t('bin.retry')}</Button>
          ) : bin === undefined ? (
            '…'
          ) : count === 0 ? (
            <span className="tables-quiet-note">{t('bin.none')}</span>
          ) : bin.more ? (
            t('bin.recordsMore', { countText: format.number(count) })
          ) : (
            t('bin.records', { count })
          )}
        </span>
        {emptying.done === null ? (
          count > 0 && (
            <>
              <Button
                component={Link}
                to={`${href('site.table.records', { siteId })}?table=${table.id}&trash=1`}
                aria-label={t('bin.openNamed', { name: table.title })}
              >
                {t('bin.open')}
              </Button>
              {table.may.includes('delete') && (
                <Button color="error" aria-label={t('bin.emptyNamed', { name: table.title })} onClick={() => setAsking(true)}>
                  {t('bin.empty')}
                </Button>
              )}
            </>
          )
        ) : (
          <span role="status" className="admin-building">
            {t('bin.emptying', { done: format.number(emptying.done) })}
            <Button onClick={emptying.stop}>{t('bin.stop')}</Button>
          </span>
        )}
      </div>
      <KeepDays siteId={siteId} table={table} />
      <p className="admin-use">
        {t('bin.fields')} {t('bin.limitOf', { used: format.number(table.fields.length), most: format.number(tableLimits.fields) })} · {t('bin.indexes')}{' '}
        {t('bin.limitOf', { used: format.number(indexCount(table)), most: format.number(tableLimits.indexes) })}
      </p>
      <DeletedFields siteId={siteId} table={table} />
      <TypedConfirm
        open={asking}
        title={t('bin.emptyTitle', { name: table.title })}
        phrase={table.title}
        confirmLabel={t('bin.empty')}
        onConfirm={() => {
          void emptying.run();
          return Promise.resolve(null);
        }}
        onClose={() => setAsking(false)}
      >
        {t('bin.emptyText')}
      </TypedConfirm>
    </li>
  );
};
