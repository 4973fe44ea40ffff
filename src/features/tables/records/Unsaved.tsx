import { useState } from 'react';
import type { ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import type { ContentTable } from '@contract/tables/schemas';
import { Icon } from '@/ui/Icon';
import { PlainButton } from '@/ui/PlainButton';
import type { CellWrites } from './cellWrites';
import { UnsavedDialog } from './lazyParts';
import type { PendingCell } from './pendingCells';

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
  const [open, setOpen] = useState(false);
  const stuck = pending.filter(({ state }) => state !== 'saving');
  const conflicts = stuck.filter(({ state }) => state === 'conflict');
  const refusedCells = stuck.filter(({ state }) => state === 'refused');
  if (stuck.length === 0) return null;
  return (
    <>
      <div className="tables-unsaved" role="alert">
        <Icon name="warning" size={16} />
        <span>
          {refusedCells.length > 0 && t('edits.bar', { count: refusedCells.length })}{' '}
          {conflicts.length > 0 && t('edits.conflicts', { count: conflicts.length })} {!online && t('edits.offline')}
        </span>
        {refusedCells.length > 0 && (
          <PlainButton data-quiet="" onClick={() => void writes.retry(refusedCells)}>
            {t('edits.retryAll')}
          </PlainButton>
        )}
        <PlainButton data-quiet="" onClick={() => setOpen(true)}>
          {t('edits.show')}
        </PlainButton>
      </div>
      {open && <UnsavedDialog table={table} writes={writes} cells={stuck} nameOf={nameOf} onClose={() => setOpen(false)} />}
    </>
  );
};
