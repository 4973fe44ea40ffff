import { Button, Dialog, DialogActions, DialogContent, DialogTitle } from '@mui/material';
import { useId, useState } from 'react';
import type { ReactElement, ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { ContentTable } from '@contract/tables/schemas';
import { tableLimits } from '@contract/tables/terms';
import { noticeShown } from '@/features/notices/noticesSlice';
import { useFormat } from '@/lib/format';
import { isFailure } from '@/store/failure';
import { useAppDispatch } from '@/store/hooks';
import { AnswerState } from '@/ui/AnswerState';
import { ErrorPanel } from '@/ui/ErrorPanel';
import { RowsSkeleton } from '@/ui/skeletons';
import { TextLine, Tick } from '../parts/controls';
import { useDeletedTablesQuery, useDuplicateTableMutation, useRemoveTableMutation, useRestoreTableMutation } from '../parts/designApi';
import { TableIcon } from '../records/tableIcon';
import { pointingAt } from './links';

/** The frame of this screen's dialogs: a title, what is asked, a way out and at most one way on. */
export const Frame = ({
  title,
  error,
  action,
  wide = false,
  onClose,
  children,
}: {
  readonly title: string;
  readonly error?: unknown;
  readonly action?: ReactNode;
  readonly wide?: boolean;
  readonly onClose: () => void;
  readonly children: ReactNode;
}): ReactElement => {
  const { t } = useTranslation('tableSchemas');
  const id = useId();
  return (
    <Dialog open onClose={onClose} aria-labelledby={id} fullWidth maxWidth={wide ? 'md' : 'sm'}>
      <DialogTitle id={id}>{title}</DialogTitle>
      <DialogContent sx={{ display: 'grid', gridTemplateColumns: 'minmax(0, 1fr)', gap: 2, fontSize: '0.875rem', '& p, & ul': { m: 0 } }}>
        {isFailure(error) && <ErrorPanel title={t('failed')} failure={error} />}
        {children}
      </DialogContent>
      <DialogActions>
        <Button onClick={onClose}>{t(action === undefined ? 'close' : 'cancel')}</Button>
        {action}
      </DialogActions>
    </Dialog>
  );
};
type OfTable = { readonly siteId: string; readonly table: ContentTable; readonly onClose: () => void };

/** A copy under another name, with its records if wanted. */
export const CopyTable = ({ siteId, table, onClose }: OfTable): ReactElement => {
  const { t } = useTranslation('tableSchemas');
  const dispatch = useAppDispatch();
  const [title, setTitle] = useState(() => t('copyTable.name', { name: table.title }).slice(0, tableLimits.nameLength));
  const [records, setRecords] = useState(false);
  const [copy, { isLoading, error }] = useDuplicateTableMutation();
  const go = async () => {
    const { data } = await copy({ siteId, table: table.id, body: { title: title.trim(), records } });
    if (!data) return;
    dispatch(noticeShown({ tone: 'good', words: { key: 'tableSchemas:copyTable.done', values: { name: data.title } } }));
    onClose();
  };
  return (
    <Frame
      title={t('copyTable.title', { name: table.title })}
      error={error}
      onClose={onClose}
      action={
        <Button variant="contained" disabled={isLoading || title.trim() === ''} aria-busy={isLoading} onClick={() => void go()}>
          {t(isLoading ? 'copyTable.busy' : 'copyTable.go')}
        </Button>
      }
    >
      <TextLine label={t('schemas.name')} value={title} max={tableLimits.nameLength} onChange={setTitle} />
      <Tick label={t('copyTable.records')} checked={records} onChange={setRecords} />
    </Frame>
  );
};

/** Says what points at the table before it goes to the bin. */
export const RemoveTable = ({ siteId, tables, table, onClose }: OfTable & { readonly tables: readonly ContentTable[] }): ReactElement => {
  const { t } = useTranslation('tableSchemas');
  const dispatch = useAppDispatch();
  const format = useFormat();
  const [remove, { isLoading, error }] = useRemoveTableMutation();
  const used = pointingAt(tables, table);
  const go = async () => {
    const answer = await remove({ siteId, table: table.id });
    if (answer.error) return;
    dispatch(noticeShown({ tone: 'good', words: { key: 'tableSchemas:removeTable.done', values: { name: table.title } } }));
    onClose();
  };
  return (
    <Frame
      title={t('removeTable.title', { name: table.title })}
      error={error}
      onClose={onClose}
      action={
        <Button color="error" variant="contained" disabled={isLoading} aria-busy={isLoading} onClick={() => void go()}>
          {t('schemas.remove')}
        </Button>
      }
    >
      <p>{t('removeTable.text', { rows: format.number(table.approxRows) })}</p>
      {used.length > 0 && (
        <>
          <p>{t('removeTable.used')}</p>
          <ul style={{ paddingLeft: 20 }}>
            {used.map((one) => (
              <li key={one}>{one}</li>
            ))}
          </ul>
        </>
      )}
    </Frame>
  );
};

/** Tables that were thrown away, until they are purged. */
export const TableBin = ({
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
  const answer = useDeletedTablesQuery({ siteId });
  const [restore, { isLoading, error }] = useRestoreTableMutation();
  const take = async (table: ContentTable) => {
    const { data } = await restore({ siteId, table: table.id });
    if (data) dispatch(noticeShown({ tone: 'good', words: { key: 'tableSchemas:tableBin.restored', values: { name: data.title } } }));
  };
  return (
    <Frame title={t('tableBin.title')} error={error} onClose={onClose}>
      <p className="design-quiet">{t('tableBin.text')}</p>
      <AnswerState
        answer={answer}
        skeleton={<RowsSkeleton rows={3} />}
        failed={(failed, retry, retrying) => <ErrorPanel failure={isFailure(failed) ? failed : null} onRetry={retry} retrying={retrying} />}
      >
        {(list) =>
          list.length === 0 ? (
            <p>{t('tableBin.none')}</p>
          ) : (
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
                    <Button size="small" disabled={isLoading} onClick={() => void take(table)}>
                      {t('restore')}
                    </Button>
                  )}
                </li>
              ))}
            </ul>
          )
        }
      </AnswerState>
    </Frame>
  );
};
