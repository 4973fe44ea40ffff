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
import { isFailure } from '@/store/failure';
import type { ApiFailure } from '@/store/failure';
import { useAppDispatch } from '@/store/hooks';
import { ErrorPanel } from '@/ui/ErrorPanel';
import { useFieldEnv } from '../fieldTypes/env';
import { showValue } from '../fieldTypes/show';
import { useBulkChangeMutation } from '../tablesApi';
import { Choose } from './parts';
import { RecordInput } from './RecordInput';
import type { Which } from './useRecordActions';

type Preview = z.output<typeof recordEndpoints.bulkChange.answer & z.ZodType>;

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

/** A bulk edit of one field: previewed first with a dry run, then carried out. */
export const BulkDialog = ({
  siteId,
  table,
  target,
  count,
  locale,
  onClose,
  onDone,
}: {
  readonly siteId: string;
  readonly table: ContentTable;
  readonly target: Which;
  readonly count: number;
  readonly locale: string | undefined;
  readonly onClose: () => void;
  readonly onDone: (batches: readonly string[]) => void;
}): ReactElement => {
  const { t } = useTranslation('tables');
  const id = useId();
  const format = useFormat();
  const env = useFieldEnv();
  const dispatch = useAppDispatch();
  const fields = bulkFields(table, locale);
  const [name, setName] = useState(fields[0]?.id ?? '');
  const [value, setValue] = useState<unknown>(null);
  const [valueError, setValueError] = useState<string | undefined>();
  const put = (next: unknown, wrong?: string) => {
    setValue(next);
    setValueError(wrong);
  };
  const [run, { isLoading }] = useBulkChangeMutation();
  const [preview, setPreview] = useState<Preview | null>(null);
  const [failure, setFailure] = useState<ApiFailure | null>(null);
  const field = fields.find((one) => one.id === name);
  const ask = (how: { readonly dryRun: boolean; readonly state?: string }) =>
    run({ siteId, table: table.id, body: { target, values: { [name]: value }, ...how, ...(locale === undefined ? {} : { locale }) } });
  const look = async () => {
    setFailure(null);
    const { data, error } = await ask({ dryRun: true });
    if (data) setPreview(data);
    else if (isFailure(error)) setFailure(error);
  };
  const apply = async ({ state }: Preview) => {
    setFailure(null);
    // The state of the preview is sent along, so that later changes of others are not overwritten unseen.
    const { data, error } = await ask({ dryRun: false, ...(state === null ? {} : { state }) });
    if (!data) return isFailure(error) ? setFailure(error) : undefined;
    dispatch(
      noticeShown({
        tone: 'good',
        message:
          data.jobId === null
            ? { key: 'tables:bulk.changed', values: { count: data.updated } }
            : { key: 'tables:bulk.changing', values: { count: data.matched, shown: format.number(data.matched) } },
      }),
    );
    return onDone(data.batchId === null ? [] : [data.batchId]);
  };
  const back = () => {
    setFailure(null);
    setPreview(null);
  };
  const changed = changedSince(failure);
  const text = (of: Readonly<Record<string, unknown>>) => (field ? showValue(field, of[field.id] ?? of[field.key], env) : '') || t('edits.empty');
  const failingSamples = preview?.samples.filter((sample) => sample.fault !== null) ?? [];
  return (
    <Dialog open onClose={onClose} aria-labelledby={id} fullWidth maxWidth="sm">
      <DialogTitle id={id}>{t('bulk.editTitle')}</DialogTitle>
      <DialogContent sx={{ display: 'grid', gap: 2, alignContent: 'start' }}>
        {failure && changed === null && <ErrorPanel title={t('failed')} failure={failure} />}
        {changed !== null && (
          <div role="alert">
            <Typography variant="body2">{t('bulk.changedSince', { count: changed, shown: format.number(changed) })}</Typography>
            <Button size="small" disabled={isLoading} aria-busy={isLoading} onClick={() => void look()}>
              {t('bulk.previewAgain')}
            </Button>
          </div>
        )}
        {!field && <Typography variant="body2">{t('bulk.noField')}</Typography>}
        {field && preview === null && (
          <>
            <Typography variant="body2" sx={{ color: 'text.secondary' }}>
              {t('bulk.editLead', { count, shown: format.number(count) })}
            </Typography>
            <Box component="label" className="tables-labelled">
              <span>{t('bulk.field')}</span>
              <Choose
                label={t('bulk.field')}
                value={name}
                options={fields.map((one) => ({ id: one.id, name: one.title }))}
                onChange={(next) => {
                  setName(next);
                  put(null);
                }}
              />
            </Box>
            <RecordInput key={field.id} field={{ ...field, required: false }} value={value} error={valueError} onChange={put} />
            {!field.required && value !== null && (
              <Button size="small" sx={{ justifySelf: 'start' }} onClick={() => put(null)}>
                {t('bulk.clearValue')}
              </Button>
            )}
          </>
        )}
        {field && preview !== null && (
          <>
            <Typography variant="body2" role="status">
              {t('bulk.result', { count: preview.matched - preview.unchanged, shown: format.number(preview.matched - preview.unchanged) })}{' '}
              {preview.unchanged > 0 && t('bulk.same', { count: preview.unchanged, shown: format.number(preview.unchanged) })}
            </Typography>
            {failingSamples.length > 0 && <Typography variant="body2">{t('bulk.faults')}</Typography>}
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
                  {preview.samples.map((sample) => (
                    <tr key={sample.id}>
                      <th scope="row">{sample.label === '' ? t('cards.untitled') : sample.label}</th>
                      <td>{text(sample.before)}</td>
                      <td>{sample.fault === null ? text(sample.after) : <span className="tables-fault">{sample.fault}</span>}</td>
                    </tr>
                  ))}
                </tbody>
              </table>
            </div>
          </>
        )}
      </DialogContent>
      <DialogActions sx={{ padding: '8px 24px 16px' }}>
        {preview === null ? <Button onClick={onClose}>{t('cancel')}</Button> : <Button onClick={back}>{t('bulk.back')}</Button>}
        {preview === null ? (
          <Button variant="contained" disabled={!field || isLoading || valueError !== undefined} aria-busy={isLoading} onClick={() => void look()}>
            {t(isLoading ? 'bulk.previewing' : 'bulk.preview')}
          </Button>
        ) : (
          <Button
            variant="contained"
            disabled={isLoading || changed !== null || preview.matched === preview.unchanged}
            aria-busy={isLoading}
            onClick={() => void apply(preview)}
          >
            {isLoading ? t('bulk.applying') : t('bulk.apply', { count: preview.matched, shown: format.number(preview.matched - preview.unchanged) })}
          </Button>
        )}
      </DialogActions>
    </Dialog>
  );
};
