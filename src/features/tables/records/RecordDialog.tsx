import { Button, Dialog, DialogActions, DialogContent, DialogTitle } from '@mui/material';
import { useId } from 'react';
import type { ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import type { ContentTable } from '@contract/tables/schemas';
import { noticeShown } from '@/features/notices/noticesSlice';
import { focusFirstField } from '@/lib/focusFirstField';
import { useAppDispatch } from '@/store/hooks';
import { fillableFields } from './fillableFields';
import { RecordForm } from './RecordForm';
import { useNewRecord } from './useNewRecord';

/** Form of a new record, where a row in the grid would not suffice. */
export const RecordDialog = ({
  siteId,
  table,
  locale,
  values,
  onClose,
  onDone,
}: {
  readonly siteId: string;
  readonly table: ContentTable;
  readonly locale: string | undefined;
  readonly values: Readonly<Record<string, unknown>>;
  readonly onClose: () => void;
  readonly onDone: (batches: readonly string[]) => void;
}): ReactElement => {
  const { t } = useTranslation('tables');
  const dispatch = useAppDispatch();
  const id = useId();
  const fields = fillableFields(table);
  const form = useNewRecord({
    siteId,
    table,
    fields,
    presetValues: values,
    locale,
    onSaved: (batches) => {
      dispatch(noticeShown({ tone: 'good', message: { key: 'tables:record.added' } }));
      onDone(batches);
    },
  });
  return (
    <Dialog open onClose={onClose} aria-labelledby={id} fullWidth maxWidth="sm">
      <form
        noValidate
        style={{ display: 'flex', flexDirection: 'column', minHeight: 0 }}
        onSubmit={(event) => {
          event.preventDefault();
          void form.submit();
        }}
      >
        <DialogTitle id={id}>{t('record.add')}</DialogTitle>
        <DialogContent ref={focusFirstField}>
          <RecordForm table={table} record={form} />
        </DialogContent>
        <DialogActions sx={{ padding: '8px 24px 16px' }}>
          <Button onClick={onClose}>{t('cancel')}</Button>
          <Button type="submit" variant="contained" disabled={form.busy} aria-busy={form.busy}>
            {t(form.busy ? 'saving' : 'save')}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  );
};
