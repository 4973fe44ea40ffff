import { Button, Dialog, DialogActions, DialogContent, DialogTitle } from '@mui/material';
import { useId } from 'react';
import type { ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import type { Site } from '@contract/sites/schemas';
import type { ContentTable } from '@contract/tables/schemas';
import { noticeShown } from '@/features/notices/noticesSlice';
import { useFormat } from '@/lib/format';
import { isFailure } from '@/lib/failure';
import { useAppDispatch } from '@/store/hooks';
import { ErrorPanel } from '@/ui/ErrorPanel';
import { useDeletedFieldsQuery, useRestoreFieldMutation } from '@/features/tables/parts/designApi';
import { FieldIcon } from '@/features/tables/records/icons';
import { ListContent } from '@/ui/list/ListContent';

/** Deleted fields with their values, until they are purged. */
export const FieldBin = ({
  site,
  table,
  mayDesign,
  onClose,
}: {
  readonly site: Site;
  readonly table: ContentTable;
  readonly mayDesign: boolean;
  readonly onClose: () => void;
}): ReactElement => {
  const { t } = useTranslation('tableDesign');
  const id = useId();
  const format = useFormat();
  const dispatch = useAppDispatch();
  const at = { siteId: site.id, table: table.id };
  const result = useDeletedFieldsQuery(at);
  const [restore, { isLoading, error }] = useRestoreFieldMutation();
  return (
    <Dialog open onClose={onClose} aria-labelledby={id} fullWidth maxWidth="sm">
      <DialogTitle id={id}>{t('bin.title')}</DialogTitle>
      <DialogContent sx={{ display: 'grid', gap: 1.5 }}>
        <p className="design-quiet">{t('bin.text')}</p>
        {isFailure(error) && <ErrorPanel title={t('failed')} failure={error} />}
        <ListContent result={result} rowsOf={(rows) => rows} skeletonRows={3} empty={<p>{t('bin.none')}</p>}>
          {(fields) => (
            <ul className="design-rows">
              {fields.map((field) => (
                <li key={field.id} className="design-row" style={{ padding: '4px 12px', gap: 8 }}>
                  <FieldIcon column={{ field }} />
                  <span style={{ flex: 1, minWidth: 0, overflowWrap: 'anywhere' }}>
                    {field.title}
                    {field.deletedAt !== null && (
                      <small className="design-quiet" style={{ display: 'block' }}>
                        {t('bin.at', { when: format.dateTime(field.deletedAt) })}
                      </small>
                    )}
                  </span>
                  {mayDesign && (
                    <Button
                      size="small"
                      disabled={isLoading}
                      onClick={() =>
                        void restore({ ...at, field: field.id }).then(({ data }) => {
                          if (data) dispatch(noticeShown({ tone: 'good', message: { key: 'tableDesign:bin.restored', values: { name: field.title } } }));
                        })
                      }
                    >
                      {t('bin.restore')}
                    </Button>
                  )}
                </li>
              ))}
            </ul>
          )}
        </ListContent>
      </DialogContent>
      <DialogActions>
        <Button onClick={onClose}>{t('close')}</Button>
      </DialogActions>
    </Dialog>
  );
};
