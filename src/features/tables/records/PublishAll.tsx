import { useState } from 'react';
import type { ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import type { RecordFilter } from '@contract/tables/recordFilter';
import { useFormat } from '@/lib/format';
import { PlainButton } from '@/ui/PlainButton';
import { useAggregateQuery } from '../tablesApi';
import type { TableWorkState } from './useTableWork';

const unpublished: RecordFilter = { field: '$state', op: 'in', value: ['draft', 'changed'] };

/** Publishes the records of the list that are drafts or have unpublished changes, and shows how many there are. */
export const PublishAll = ({ work }: { readonly work: TableWorkState }): ReactElement => {
  const { site, table, at, query, actions, refresh } = work;
  const { t } = useTranslation('tables');
  const format = useFormat();
  const [busy, setBusy] = useState(false);
  const filter: RecordFilter = query.filter === null ? unpublished : { and: [query.filter, unpublished] };
  const q = at.q === '' ? {} : { q: at.q };
  const result = useAggregateQuery({ siteId: site.id, table: table.id, filter: JSON.stringify(filter), ...q });
  const count = result.currentData?.count ?? 0;
  const publish = async (): Promise<void> => {
    setBusy(true);
    const isDone = await actions('publish', { filter, ...q }, count);
    setBusy(false);
    if (isDone) refresh();
  };
  return (
    <PlainButton disabled={busy || count === 0} aria-busy={busy} onClick={() => void publish()}>
      {count === 0 ? t('record.publish') : t('tool.publish', { countText: format.number(count) })}
    </PlainButton>
  );
};
