import { Button, Dialog, DialogActions, DialogContent, DialogTitle, Typography } from '@mui/material';
import { useId, useState } from 'react';
import type { ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import type { ContentTable } from '@contract/tables/schemas';
import { useConfirm } from '@/ui/confirmContext';
import { Icon } from '@/ui/Icon';
import { useFieldEnv } from '../fieldTypes/env';
import { showValue } from '../fieldTypes/show';
import type { CellWrites } from './cellWrites';
import type { PendingCell } from './pendingCells';

type ItemProps = { readonly table: ContentTable; readonly cell: PendingCell; readonly recordName: string; readonly writes: CellWrites };

/** One cell with the reason why it is not saved, or with both sides of its conflict. */
const UnsavedItem = ({ table, cell, recordName, writes }: ItemProps): ReactElement => {
  const { t } = useTranslation('tables');
  const env = useFieldEnv();
  const field = table.fields.find(({ id }) => id === cell.column);
  const text = (value: unknown): string => (field ? showValue(field, value, env) : '') || t('edits.empty');
  return (
    <li>
      <b>
        {recordName} · {field?.title ?? cell.column}
      </b>
      {cell.state === 'conflict' ? (
        <dl>
          <dt>{t('edits.base')}</dt>
          <dd>{text(cell.base)}</dd>
          <dt>{t('edits.yours')}</dt>
          <dd>{text(cell.value)}</dd>
          <dt>{cell.by == null || cell.by === '' ? t('edits.theirs') : t('edits.theirsBy', { name: cell.by })}</dt>
          <dd>{text(cell.theirs)}</dd>
        </dl>
      ) : (
        <p>
          {text(cell.value)} <span className="tables-error">{cell.message}</span>
        </p>
      )}
      <div>
        <Button onClick={() => void writes.retry([cell])}>{t(cell.state === 'conflict' ? 'edits.takeMine' : 'retry')}</Button>
        <Button onClick={() => writes.discard([cell])}>{t(cell.state === 'conflict' ? 'edits.takeTheirs' : 'edits.discard')}</Button>
      </div>
    </li>
  );
};

/** Edits that are not saved, with their errors: they can be retried or discarded, and conflicts resolved in favour of either side. No input is lost. */
export const Unsaved = ({
  table,
  writes,
  pending,
  nameOf,
  online,
}: {
  readonly table: ContentTable;
  readonly writes: CellWrites;
  readonly pending: readonly PendingCell[];
  /** The display name of a record. */ readonly nameOf: (rowId: string) => string;
  readonly online: boolean;
}): ReactElement | null => {
  const { t } = useTranslation('tables');
  const id = useId();
  const confirm = useConfirm();
  const [open, setOpen] = useState(false);
  const stuck = pending.filter(({ state }) => state !== 'saving');
  const conflicts = stuck.filter(({ state }) => state === 'conflict');
  const refusedCells = stuck.filter(({ state }) => state === 'refused');
  if (stuck.length === 0) return null;
  const discardAll = async () => {
    const yes = await confirm({
      title: t('edits.discardTitle'),
      body: t('edits.discardText', { count: stuck.length }),
      confirm: t('edits.discard'),
      danger: true,
    });
    if (!yes) return;
    writes.discard(stuck);
    setOpen(false);
  };
  return (
    <>
      <div className="tables-unsaved" role="alert">
        <Icon name="warning" size={16} />
        <span>
          {refusedCells.length > 0 && t('edits.bar', { count: refusedCells.length })}{' '}
          {conflicts.length > 0 && t('edits.conflicts', { count: conflicts.length })} {!online && t('edits.offline')}
        </span>
        {refusedCells.length > 0 && <Button onClick={() => void writes.retry(refusedCells)}>{t('edits.retryAll')}</Button>}
        <Button onClick={() => setOpen(true)}>{t('edits.show')}</Button>
      </div>
      <Dialog open={open} onClose={() => setOpen(false)} aria-labelledby={id} fullWidth maxWidth="sm">
        <DialogTitle id={id}>{t('edits.title')}</DialogTitle>
        <DialogContent>
          <Typography variant="body2" sx={{ color: 'text.secondary', mb: 1.5 }}>
            {t('edits.lead')}
          </Typography>
          <ul className="tables-stuck">
            {stuck.map((cell) => (
              <UnsavedItem key={`${cell.rowId} ${cell.column}`} table={table} cell={cell} recordName={nameOf(cell.rowId)} writes={writes} />
            ))}
          </ul>
        </DialogContent>
        <DialogActions sx={{ padding: '8px 24px 16px' }}>
          <Button color="error" onClick={() => void discardAll()}>
            {t('edits.discardAll')}
          </Button>
          <Button variant="contained" onClick={() => setOpen(false)}>
            {t('close')}
          </Button>
        </DialogActions>
      </Dialog>
    </>
  );
};
