import { Button, Dialog, DialogActions, DialogContent, DialogTitle, Typography } from '@mui/material';
import { useId } from 'react';
import type { ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import type { ContentTable } from '@contract/tables/schemas';
import { useConfirm } from '@/ui/confirmContext';
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

/** The edits that are not saved, each with what can be done. `cells`: at least one. */
export const UnsavedDialog = ({
  table,
  writes,
  cells,
  nameOf,
  onClose,
}: {
  readonly table: ContentTable;
  readonly writes: CellWrites;
  readonly cells: readonly PendingCell[];
  /** The display name of a record. */ readonly nameOf: (rowId: string) => string;
  readonly onClose: () => void;
}): ReactElement => {
  const { t } = useTranslation('tables');
  const id = useId();
  const confirm = useConfirm();
  const discardAll = async () => {
    const yes = await confirm({
      title: t('edits.discardTitle'),
      body: t('edits.discardText', { count: cells.length }),
      confirm: t('edits.discard'),
      danger: true,
    });
    if (!yes) return;
    writes.discard(cells);
    onClose();
  };
  return (
    <Dialog open onClose={onClose} aria-labelledby={id} fullWidth maxWidth="sm">
      <DialogTitle id={id}>{t('edits.title')}</DialogTitle>
      <DialogContent>
        <Typography variant="body2" sx={{ color: 'text.secondary', mb: 1.5 }}>
          {t('edits.lead')}
        </Typography>
        <ul className="tables-stuck">
          {cells.map((cell) => (
            <UnsavedItem key={`${cell.rowId} ${cell.column}`} table={table} cell={cell} recordName={nameOf(cell.rowId)} writes={writes} />
          ))}
        </ul>
      </DialogContent>
      <DialogActions sx={{ padding: '8px 24px 16px' }}>
        <Button color="error" onClick={() => void discardAll()}>
          {t('edits.discardAll')}
        </Button>
        <Button variant="contained" onClick={onClose}>
          {t('close')}
        </Button>
      </DialogActions>
    </Dialog>
  );
};
