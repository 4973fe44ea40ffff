import { useState } from 'react';
import type { ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import type { ContentTable } from '@contract/tables/schemas';
import { useFormat } from '@/lib/format';
import { PlainButton } from '@/ui/PlainButton';
import { BulkDialog } from './lazyParts';
import type { RecordActionName, RecordActions, RecordTarget } from './useRecordActions';

type Props = {
  readonly siteId: string;
  readonly table: ContentTable;
  readonly target: RecordTarget;
  readonly count: number;
  /** Number of records in the list; null while unknown. */ readonly total: number | null;
  readonly all: boolean;
  readonly inBin: boolean;
  readonly locale: string | undefined;
  readonly acts: RecordActions;
  readonly onAll: () => void;
  readonly onClear: () => void;
  readonly onDone: () => void;
  readonly onBatches: (batches: readonly string[]) => void;
};

/** Actions on the selected records. */
export const BulkBar = ({ siteId, table, target, count, total, all, inBin, locale, acts, onAll, onClear, onDone, onBatches }: Props): ReactElement => {
  const { t } = useTranslation('tables');
  const format = useFormat();
  const [editing, setEditing] = useState(false);
  const [busy, setBusy] = useState<RecordActionName | null>(null);
  const may = (action: string) => table.may.includes(action);
  const go = async (act: RecordActionName) => {
    setBusy(act);
    const did = await acts(act, target, count);
    setBusy(null);
    if (!did) return;
    if (act !== 'duplicate') onClear();
    onDone();
  };
  const button = (act: RecordActionName, danger = false) => (
    <PlainButton key={act} data-quiet="" data-danger={danger ? '' : undefined} disabled={busy !== null} aria-busy={busy === act} onClick={() => void go(act)}>
      {t(`record.${act}`)}
    </PlainButton>
  );
  return (
    <div className="tables-bulk" role="toolbar" aria-label={t('bulk.label')}>
      <b role="status">{t('bulk.chosen', { count, countText: format.number(count) })}</b>
      {!all && total !== null && total > count && (
        <PlainButton data-quiet="" onClick={onAll}>
          {t('bulk.all', { countText: format.number(total) })}
        </PlainButton>
      )}
      {!inBin && may('update') && (
        <PlainButton data-quiet="" onClick={() => setEditing(true)}>
          {t('bulk.edit')}
        </PlainButton>
      )}
      {!inBin && table.drafts && may('publish') && [button('publish'), button('unpublish')]}
      {!inBin && !all && may('create') && button('duplicate')}
      {!inBin && may('delete') && button('bin', true)}
      {inBin && !all && may('delete') && [button('restore'), button('purge', true)]}
      <PlainButton data-quiet="" style={{ marginLeft: 'auto' }} onClick={onClear}>
        {t('bulk.clear')}
      </PlainButton>
      {editing && (
        <BulkDialog
          siteId={siteId}
          table={table}
          target={target}
          count={count}
          locale={locale}
          onClose={() => setEditing(false)}
          onDone={(batches) => {
            setEditing(false);
            onBatches(batches);
            onDone();
          }}
        />
      )}
    </div>
  );
};
