import { Button } from '@mui/material';
import type { ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import type { ContentTable } from '@contract/tables/schemas';
import { noticeShown } from '@/features/notices/noticesSlice';
import { useFormat } from '@/lib/format';
import { useAppDispatch } from '@/store/hooks';
import { useDeletedTablesQuery, useRestoreTableMutation } from '@/features/tables/parts/designApi';
import { TableIcon } from '@/features/tables/records/tableIcon';
import { ListContent } from '@/ui/list/ListContent';
import { SchemaDialog } from './SchemaDialog';

/** Deleted tables, until they are purged. */
export const DeletedTablesDialog = ({
  siteId,
  mayDesign,
  onClose,
}: {
  readonly siteId: string;
  readonly mayDesign: boolean;
  readonly onClose: () => void;
}): ReactElement => {
  const { t } = useTranslation('tableSchemas');
  const dispatch = useAppDispatch();
  const format = useFormat();
  const result = useDeletedTablesQuery({ siteId });
  const [restore, { isLoading, error }] = useRestoreTableMutation();
  const takeBack = async (table: ContentTable) => {
    const { data } = await restore({ siteId, table: table.id });
    if (data) dispatch(noticeShown({ tone: 'good', message: { key: 'tableSchemas:tableBin.restored', values: { name: data.title } } }));
  };
  return (
    <SchemaDialog title={t('tableBin.title')} error={error} onClose={onClose}>
      <p className="design-quiet">{t('tableBin.text')}</p>
      <ListContent result={result} rowsOf={(rows) => rows} skeletonRows={3} empty={<p>{t('tableBin.none')}</p>}>
        {(list) => (
          <ul className="design-rows">
            {list.map((table) => (
              <li key={table.id} className="design-row" style={{ padding: '4px 12px', gap: 8 }}>
                <TableIcon icon={table.icon} />
                <span style={{ flex: 1, minWidth: 0, overflowWrap: 'anywhere' }}>
                  {table.title}
                  {table.deletedAt !== null && (
                    <small className="design-quiet" style={{ display: 'block' }}>
                      {t('deletedAt', { when: format.dateTime(table.deletedAt) })}
                    </small>
                  )}
                </span>
                {mayDesign && (
                  <Button size="small" disabled={isLoading} onClick={() => void takeBack(table)}>
                    {t('restore')}
                  </Button>
                )}
              </li>
            ))}
          </ul>
        )}
      </ListContent>
    </SchemaDialog>
  );
};
