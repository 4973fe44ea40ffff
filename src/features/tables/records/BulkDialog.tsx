import { Box, Button, Dialog, DialogActions, DialogContent, DialogTitle, Typography } from '@mui/material';
import { useId, useState } from 'react';
import type { ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import type { z } from 'zod';
import type { recordEndpoints } from '@contract/tables/recordEndpoints';
import type { ContentTable, TableField } from '@contract/tables/schemas';
import { isComputed, isLocalizable } from '@contract/tables/terms';
import { noticeShown } from '@/features/notices/noticesSlice';
import { useFormat } from '@/lib/format';
import { isFailure } from '@/lib/failure';
import type { ApiFailure } from '@/lib/failure';
import { useAppDispatch } from '@/store/hooks';
import { ErrorPanel } from '@/ui/ErrorPanel';
import { useFieldEnv } from '../fieldTypes/env';
import { showValue } from '../fieldTypes/show';
import { useBulkChangeMutation } from '../tablesApi';
import { Choose } from './parts';
import { RecordInput } from './RecordInput';
import type { RecordTarget } from './useRecordActions';

type Preview = z.output<typeof recordEndpoints.bulkChange.response & z.ZodType>;

/** Fields that a bulk edit can set. */
const bulkFields = (table: ContentTable, locale: string | undefined): readonly TableField[] =>
  table.fields.filter(
    ({ type, readonly, unique, localized }) =>
      !isComputed(type) &&
      !readonly &&
      !unique &&
      type !== 'password' &&
      type !== 'inverse' &&
      type !== 'repeater' &&
      (locale === undefined || (localized && isLocalizable(type))),
  );

/** Of a refusal because others have changed records since the preview: the number of those records. */
const changedSince = (failure: ApiFailure | null): number | null => {
  const current = failure?.code === 'stale_revision' ? failure.current : undefined;
  return typeof current === 'object' && current !== null && 'changed' in current && typeof current.changed === 'number' ? current.changed : null;
};

type Props = {
  readonly siteId: string;
  readonly table: ContentTable;
  readonly target: RecordTarget;
  readonly count: number;
  readonly locale: string | undefined;
  readonly onClose: () => void;
  readonly onDone: (batches: readonly string[]) => void;
};

/** The field and value of a bulk edit, its dry run, and carrying it out. */
function useBulkEdit({ siteId, table, target, locale, onDone }: Props) {
  const format = useFormat();
  const dispatch = useAppDispatch();
  const fields = bulkFields(table, locale);
  const [name, setName] = useState(fields[0]?.id ?? '');
  const [value, setValue] = useState<unknown>(null);
  const [valueError, setValueError] = useState<string | undefined>();
  const [run, { isLoading }] = useBulkChangeMutation();
  const [preview, setPreview] = useState<Preview | null>(null);
  const [failure, setFailure] = useState<ApiFailure | null>(null);
  const put = (next: unknown, error?: string) => {
    setValue(next);
    setValueError(error);
  };
  const send = (how: { readonly dryRun: boolean; readonly state?: string }) =>
    run({ siteId, table: table.id, body: { target, values: { [name]: value }, ...how, ...(locale === undefined ? {} : { locale }) } });
  return {
    fields,
    field: fields.find(({ id }) => id === name),
    chooseField: (next: string) => {
      setName(next);
      put(null);
    },
    value,
    valueError,
    put,
    isLoading,
    preview,
    failure,
    changed: changedSince(failure),
    loadPreview: async () => {
      setFailure(null);
      const { data, error } = await send({ dryRun: true });
      if (data) setPreview(data);
      else if (isFailure(error)) setFailure(error);
    },
    apply: async ({ state }: Preview) => {
      setFailure(null);
      // The state of the preview is sent along, so that later changes of others are not overwritten unseen.
      const { data, error } = await send({ dryRun: false, ...(state === null ? {} : { state }) });
      if (!data) return isFailure(error) ? setFailure(error) : undefined;
      dispatch(
        noticeShown({
          tone: 'good',
          message:
            data.jobId === null
              ? { key: 'tables:bulk.changed', values: { count: data.updated } }
              : { key: 'tables:bulk.changing', values: { count: data.matched, countText: format.number(data.matched) } },
        }),
      );
      return onDone(data.batchId === null ? [] : [data.batchId]);
    },
    back: () => {
      setFailure(null);
      setPreview(null);
    },
  };
}
type BulkEdit = ReturnType<typeof useBulkEdit>;

/** The failure of the last call; that records have changed since the preview is no failure, but needs another preview. */
const BulkFailure = ({ edit: { failure, changed, isLoading, loadPreview } }: { readonly edit: BulkEdit }): ReactElement => {
  const { t } = useTranslation('tables');
  const format = useFormat();
  return (
    <>
      {failure && changed === null && <ErrorPanel title={t('failed')} failure={failure} />}
      {changed !== null && (
        <div role="alert">
          <Typography variant="body2">{t('bulk.changedSince', { count: changed, countText: format.number(changed) })}</Typography>
          <Button disabled={isLoading} aria-busy={isLoading} onClick={() => void loadPreview()}>
            {t('bulk.previewAgain')}
          </Button>
        </div>
      )}
    </>
  );
};

/** Step 1: which field gets which value. */
const BulkValue = ({ edit, field, count }: { readonly edit: BulkEdit; readonly field: TableField; readonly count: number }): ReactElement => {
  const { t } = useTranslation('tables');
  const format = useFormat();
  const { fields, value, valueError, put } = edit;
  return (
    <>
      <Typography variant="body2" sx={{ color: 'text.secondary' }}>
        {t('bulk.editLead', { count, countText: format.number(count) })}
      </Typography>
      <Box component="label" className="tables-labelled">
        <span>{t('bulk.field')}</span>
        <Choose label={t('bulk.field')} value={field.id} options={fields.map((one) => ({ id: one.id, name: one.title }))} onChange={edit.chooseField} />
      </Box>
      <RecordInput key={field.id} field={{ ...field, required: false }} value={value} error={valueError} onChange={put} />
      {!field.required && value !== null && (
        <Button sx={{ justifySelf: 'start' }} onClick={() => put(null)}>
          {t('bulk.clearValue')}
        </Button>
      )}
    </>
  );
};

/** Step 2: how many records change, and some of them before and after. */
const BulkPreview = ({ preview, field }: { readonly preview: Preview; readonly field: TableField }): ReactElement => {
  const { t } = useTranslation('tables');
  const format = useFormat();
  const env = useFieldEnv();
  const { matched, unchanged, samples } = preview;
  const text = (values: Readonly<Record<string, unknown>>) => showValue(field, values[field.id] ?? values[field.key], env) || t('edits.empty');
  return (
    <>
      <Typography variant="body2" role="status">
        {t('bulk.result', { count: matched - unchanged, countText: format.number(matched - unchanged) })}{' '}
        {unchanged > 0 && t('bulk.same', { count: unchanged, countText: format.number(unchanged) })}
      </Typography>
      {samples.some(({ error }) => error !== null) && <Typography variant="body2">{t('bulk.errors')}</Typography>}
      <div className="tables-scroll">
        <table className="tables-compare">
          <thead>
            <tr>
              <th scope="col">{t('bulk.record')}</th>
              <th scope="col">{t('bulk.before')}</th>
              <th scope="col">{t('bulk.after')}</th>
            </tr>
          </thead>
          <tbody>
            {samples.map((sample) => (
              <tr key={sample.id}>
                <th scope="row">{sample.label === '' ? t('cards.untitled') : sample.label}</th>
                <td>{text(sample.before)}</td>
                <td>{sample.error === null ? text(sample.after) : <span className="tables-error">{sample.error}</span>}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </>
  );
};

/** A bulk edit of one field: previewed first with a dry run, then carried out. */
export const BulkDialog = (props: Props): ReactElement => {
  const { count, onClose } = props;
  const { t } = useTranslation('tables');
  const id = useId();
  const format = useFormat();
  const edit = useBulkEdit(props);
  const { field, preview, valueError, isLoading } = edit;
  return (
    <Dialog open onClose={onClose} aria-labelledby={id} fullWidth maxWidth="sm">
      <DialogTitle id={id}>{t('bulk.editTitle')}</DialogTitle>
      <DialogContent sx={{ display: 'grid', gap: 2, alignContent: 'start' }}>
        <BulkFailure edit={edit} />
        {!field && <Typography variant="body2">{t('bulk.noField')}</Typography>}
        {field && preview === null && <BulkValue edit={edit} field={field} count={count} />}
        {field && preview !== null && <BulkPreview preview={preview} field={field} />}
      </DialogContent>
      <DialogActions sx={{ padding: '8px 24px 16px' }}>
        {preview === null ? <Button onClick={onClose}>{t('cancel')}</Button> : <Button onClick={edit.back}>{t('bulk.back')}</Button>}
        {preview === null ? (
          <Button variant="contained" disabled={!field || isLoading || valueError !== undefined} aria-busy={isLoading} onClick={() => void edit.loadPreview()}>
            {t(isLoading ? 'bulk.previewing' : 'bulk.preview')}
          </Button>
        ) : (
          <Button
            variant="contained"
            disabled={isLoading || edit.changed !== null || preview.matched === preview.unchanged}
            aria-busy={isLoading}
            onClick={() => void edit.apply(preview)}
          >
            {isLoading ? t('bulk.applying') : t('bulk.apply', { count: preview.matched, countText: format.number(preview.matched - preview.unchanged) })}
          </Button>
        )}
      </DialogActions>
    </Dialog>
  );
};
