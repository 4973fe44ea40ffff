import { Button, Typography } from '@mui/material';
import { useState } from 'react';
import type { ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import type { Batch } from '@contract/tables/records';
import { useFormat } from '@/lib/format';
import { useAppDispatch } from '@/store/hooks';
import { ResultState } from '@/ui/ResultState';
import { RowsSkeleton } from '@/ui/skeletons';
import { useBatchesQuery } from '../tablesApi';
import { transferApi } from '../transfer/transferApi';
import { undoChange, notifyUndoResult } from '../undo';

/** The table's latest change batches, by any user and of any origin; each can be undone. */
export const HistoryPanel = ({ siteId, table, onUndone }: { readonly siteId: string; readonly table: string; readonly onUndone: () => void }): ReactElement => {
  const { t } = useTranslation('tables');
  const format = useFormat();
  const dispatch = useAppDispatch();
  const [busy, setBusy] = useState<string | null>(null);
  const batches = useBatchesQuery({ siteId, table }, { refetchOnMountOrArgChange: true });
  const undo = async ({ id, origin }: Batch) => {
    setBusy(id);
    // An import is undone as a whole: including the fields that it created, and by a job where it is large.
    const imports =
      origin === 'import' ? await dispatch(transferApi.endpoints.tableImports.initiate({ siteId, table }, { subscribe: false, forceRefetch: true })) : null;
    const importId = imports?.data?.find((it) => it.batchId === id && !it.createdTable && !it.undone)?.id;
    const result = await undoChange(dispatch, { siteId, table, batch: id, ...(importId === undefined ? {} : { importId }) });
    setBusy(null);
    notifyUndoResult(dispatch, 'undo', result);
    if ('error' in result) return;
    onUndone();
  };
  return (
    <ResultState result={batches} skeleton={<RowsSkeleton rows={4} />}>
      {(list) => (
        <>
          {list.length === 0 && (
            <Typography variant="body2" sx={{ color: 'text.secondary' }}>
              {t('undo.none')}
            </Typography>
          )}
          <ul className="tables-history">
            {list.map((one) => (
              <li key={one.id}>
                <span>
                  {[
                    // The origin is omitted for manual changes in the console, whose counts describe them.
                    (one.origin !== 'console' || one.created + one.updated + one.removed === 0) && t(`undo.origin.${one.origin}`),
                    one.created > 0 && t('undo.created', { count: one.created }),
                    one.updated > 0 && t('undo.updated', { count: one.updated }),
                    one.removed > 0 && t('undo.removed', { count: one.removed }),
                  ]
                    .filter((part) => part !== false)
                    .join(' · ')}
                  <small title={format.dateTime(one.at)}>{t('undo.by', { name: one.by, when: format.relative(one.at) })}</small>
                </span>
                {one.undone ? (
                  <small>{t('undo.undone')}</small>
                ) : (
                  one.origin !== 'undo' && (
                    <Button disabled={busy !== null} aria-busy={busy === one.id} onClick={() => void undo(one)}>
                      {t('undo.undo')}
                    </Button>
                  )
                )}
              </li>
            ))}
          </ul>
        </>
      )}
    </ResultState>
  );
};
