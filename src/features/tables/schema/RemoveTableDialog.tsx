import { Button } from '@mui/material';
import type { ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import type { ContentTable } from '@contract/tables/schemas';
import { useFormat } from '@/lib/format';
import { useAppDispatch } from '@/store/hooks';
import { useRemoveTableMutation } from '@/features/tables/parts/designApi';
import { SchemaDialog } from './SchemaDialog';
import { dependentFields } from './tableRelations';
import { notifyTableRemoved } from './tableUndo';

/** Moves a table to the bin, after listing the fields of other tables that depend on it. */
export const RemoveTableDialog = ({
  siteId,
  tables,
  table,
  onClose,
}: {
  readonly siteId: string;
  readonly tables: readonly ContentTable[];
  readonly table: ContentTable;
  readonly onClose: () => void;
}): ReactElement => {
  const { t } = useTranslation('tableSchemas');
  const dispatch = useAppDispatch();
  const format = useFormat();
  const [remove, { isLoading, error }] = useRemoveTableMutation();
  const dependent = dependentFields(tables, table);
  const submit = async () => {
    const result = await remove({ siteId, table: table.id });
    if (result.error) return;
    notifyTableRemoved(dispatch, siteId, table);
    onClose();
  };
  return (
    <SchemaDialog
      title={t('removeTable.title', { name: table.title })}
      error={error}
      onClose={onClose}
      action={
        <Button color="error" variant="contained" disabled={isLoading} aria-busy={isLoading} onClick={() => void submit()}>
          {t('schemas.remove')}
        </Button>
      }
    >
      <p>{t('removeTable.text', { rows: format.number(table.approxRows) })}</p>
      {dependent.length > 0 && (
        <>
          <p>{t('removeTable.used')}</p>
          <ul style={{ paddingLeft: 20 }}>
            {dependent.map((one) => (
              <li key={one}>{one}</li>
            ))}
          </ul>
        </>
      )}
    </SchemaDialog>
  );
};
