import { Button, Dialog, DialogActions, DialogContent, DialogTitle, NativeSelect, OutlinedInput } from '@mui/material';
import { useId, useState } from 'react';
import type { ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import { addressColumn, fieldsByColumn } from '@contract/crawler/rowMapping';
import type { CrawlRunDetail } from '@contract/crawler/schemas';
import { isComputed } from '@contract/tables/fieldTypes';
import { useJob } from '@/features/jobs/useJob';
import { noticeShown, notifyFailure } from '@/features/notices/noticesSlice';
import { tablesApi, useTablesQuery } from '@/features/tables/tablesApi';
import { useFormat } from '@/lib/format';
import { useAppDispatch } from '@/store/hooks';
import { Field } from '@/ui/form/Field';
import { JobProgress, shareDone } from '@/ui/JobProgress';
import { useStoreCrawlRowsMutation } from '../crawlerApi';

type Props = { readonly run: CrawlRunDetail; readonly extraction: string; readonly rows: number; readonly onClose: () => void };
type Written = { readonly jobId: string; readonly batchId: string; readonly table: string };
type SelectProps = {
  readonly label: string;
  readonly value: string;
  readonly none: string;
  readonly choices: readonly { readonly id: string; readonly title: string }[];
  readonly onChoose: (id: string) => void;
};

const Select = ({ label, value, none, choices, onChoose }: SelectProps): ReactElement => (
  <Field label={label}>
    {({ id, ...aria }) => (
      <NativeSelect fullWidth id={id} value={value} onChange={(event) => onChoose(event.target.value)} input={<OutlinedInput />} inputProps={aria}>
        <option value="">{none}</option>
        {choices.map((choice) => (
          <option key={choice.id} value={choice.id}>
            {choice.title}
          </option>
        ))}
      </NativeSelect>
    )}
  </Field>
);

function Progress({
  written,
  siteId,
  rows,
  onClose,
}: {
  readonly written: Written;
  readonly siteId: string;
  readonly rows: number;
  readonly onClose: () => void;
}): ReactElement {
  const { t } = useTranslation('crawler');
  const format = useFormat();
  const dispatch = useAppDispatch();
  const { job, stopping, stop } = useJob(written.jobId);
  const close = (): void => {
    if (job?.state === 'done') dispatch(noticeShown({ message: { key: 'crawler:store.inTable' } }));
    onClose();
  };
  const undo = async (): Promise<void> => {
    const { error } = await dispatch(tablesApi.endpoints.undoBatch.initiate({ siteId, table: written.table, batch: written.batchId }));
    if (error === undefined) dispatch(noticeShown({ message: { key: 'crawler:store.undone' } }));
    else notifyFailure(dispatch, error);
    onClose();
  };
  const ended = job !== undefined && job.state !== 'queued' && job.state !== 'running';
  return (
    <>
      <DialogContent>
        {ended ? (
          <p role="status">{job.state === 'done' ? t('store.done', { count: rows, n: format.number(rows) }) : (job.error ?? t('store.cancelled'))}</p>
        ) : (
          <JobProgress
            title={t('store.running')}
            share={shareDone(job?.done ?? null, job?.total ?? null)}
            detail={job?.total == null ? undefined : t('store.progress', { done: format.number(job.done), total: format.number(job.total) })}
            stop={{ label: t('store.cancel'), busy: stopping, onStop: () => void stop() }}
          />
        )}
      </DialogContent>
      <DialogActions>
        {ended && job.state === 'done' && <Button onClick={() => void undo()}>{t('store.undo')}</Button>}
        <Button onClick={close}>{t('store.close')}</Button>
      </DialogActions>
    </>
  );
}

function Mapping({ run, extraction, rows, onClose, onWritten }: Props & { readonly onWritten: (written: Written) => void }): ReactElement {
  const { t } = useTranslation('crawler');
  const format = useFormat();
  const dispatch = useAppDispatch();
  const { data: tables = [] } = useTablesQuery({ siteId: run.siteId });
  const [store, { isLoading }] = useStoreCrawlRowsMutation();
  const rule = run.config.extractions.find(({ name }) => name === extraction);
  const columns = rule?.columns.map(({ name }) => name) ?? [];
  const [tableId, setTableId] = useState(rule?.tableId ?? '');
  const [chosen, setChosen] = useState<Record<string, string> | null>(null);
  const [keyField, setKeyField] = useState('');
  const table = tables.find(({ id }) => id === tableId);
  const fields = (table?.fields ?? []).flatMap((field) => (isComputed(field.type) ? [] : [{ ...field, isKey: field.unique || field.indexed }]));
  const mapped = chosen ?? fieldsByColumn(columns, fields);
  const keys = fields.filter(({ id, isKey }) => isKey && Object.values(mapped).includes(id));
  const submit = async (): Promise<void> => {
    const body = { extraction, tableId, fields: mapped, keyField: keyField === '' ? null : keyField };
    const { data, error } = await store({ crawlRunId: run.id, body });
    if (data) onWritten({ ...data, table: tableId });
    else notifyFailure(dispatch, error);
  };
  const choose = (column: string, field: string): void => {
    const { [column]: _, ...rest } = mapped;
    setChosen(field === '' ? rest : { ...rest, [column]: field });
  };
  return (
    <>
      <DialogContent sx={{ display: 'grid', gap: 2 }}>
        <p style={{ margin: 0 }}>{t('store.text', { count: rows, n: format.number(rows) })}</p>
        <Select
          label={t('store.table')}
          value={tableId}
          none={t('store.chooseTable')}
          choices={tables}
          onChoose={(id) => {
            setTableId(id);
            setChosen(null);
            setKeyField('');
          }}
        />
        {table !== undefined &&
          [addressColumn, ...columns].map((column) => (
            <Select
              key={column}
              label={column === addressColumn ? t('rows.address') : column}
              value={mapped[column] ?? ''}
              none={t('store.leaveOut')}
              choices={fields.filter(({ id }) => mapped[column] === id || !Object.values(mapped).includes(id))}
              onChoose={(field) => choose(column, field)}
            />
          ))}
        {keys.length > 0 && <Select label={t('store.key')} value={keyField} none={t('store.alwaysAdd')} choices={keys} onChoose={setKeyField} />}
      </DialogContent>
      <DialogActions>
        <Button onClick={onClose}>{t('store.close')}</Button>
        <Button variant="contained" disabled={isLoading || table === undefined || Object.keys(mapped).length === 0} onClick={() => void submit()}>
          {t('store.write')}
        </Button>
      </DialogActions>
    </>
  );
}

/** Writes extracted rows into a content table; the whole batch can be undone. */
export function StoreDialog(props: Props): ReactElement {
  const { t } = useTranslation('crawler');
  const titleId = useId();
  const [written, setWritten] = useState<Written | null>(null);
  return (
    <Dialog open onClose={props.onClose} aria-labelledby={titleId} fullWidth maxWidth="xs">
      <DialogTitle id={titleId}>{t('store.title', { name: props.extraction })}</DialogTitle>
      {written === null ? (
        <Mapping {...props} onWritten={setWritten} />
      ) : (
        <Progress written={written} siteId={props.run.siteId} rows={props.rows} onClose={props.onClose} />
      )}
    </Dialog>
  );
}
