import { Button } from '@mui/material';
import { useState } from 'react';
import type { ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import type { ContentTable } from '@contract/tables/schemas';
import { tableLimits } from '@contract/tables/terms';
import { noticeShown } from '@/features/notices/noticesSlice';
import { useAppDispatch } from '@/store/hooks';
import { TextLine, Tick } from '@/features/tables/parts/controls';
import { useDuplicateTableMutation } from '@/features/tables/parts/designApi';
import { SchemaDialog } from './SchemaDialog';

/** Copies a table under another name, optionally with its records. */
export const CopyTableDialog = ({
  siteId,
  table,
  onClose,
}: {
  readonly siteId: string;
  readonly table: ContentTable;
  readonly onClose: () => void;
}): ReactElement => {
  const { t } = useTranslation('tableSchemas');
  const dispatch = useAppDispatch();
  const [title, setTitle] = useState(() => t('copyTable.name', { name: table.title }).slice(0, tableLimits.nameLength));
  const [records, setRecords] = useState(false);
  const [copy, { isLoading, error }] = useDuplicateTableMutation();
  const submit = async () => {
    const { data } = await copy({ siteId, table: table.id, body: { title: title.trim(), records } });
    if (!data) return;
    dispatch(noticeShown({ tone: 'good', message: { key: 'tableSchemas:copyTable.done', values: { name: data.title } } }));
    onClose();
  };
  return (
    <SchemaDialog
      title={t('copyTable.title', { name: table.title })}
      error={error}
      onClose={onClose}
      action={
        <Button variant="contained" disabled={isLoading || title.trim() === ''} aria-busy={isLoading} onClick={() => void submit()}>
          {t(isLoading ? 'copyTable.busy' : 'copyTable.go')}
        </Button>
      }
    >
      <TextLine label={t('schemas.name')} value={title} max={tableLimits.nameLength} onChange={setTitle} />
      <Tick label={t('copyTable.records')} checked={records} onChange={setRecords} />
    </SchemaDialog>
  );
};
