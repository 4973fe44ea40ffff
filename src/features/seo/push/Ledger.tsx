import { Box } from '@mui/material';
import type { ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import type { PushEntry } from '@contract/seo/pushSchemas';
import { pushEngines, pushStates } from '@contract/seo/terms';
import { useFormat } from '@/lib/format';
import { oneOf, text, whole } from '@/lib/searchState';
import { useListAddress } from '@/lib/useListAddress';
import { DataTable } from '@/ui/DataTable';
import { EmptyState } from '@/ui/EmptyState';
import { FilterSelect } from '@/ui/FilterSelect';
import { NoMatch } from '@/ui/list/NoMatch';
import { PagedList } from '@/ui/list/PagedList';
import { SearchBox } from '@/ui/SearchBox';
import { Tag } from '@/ui/Tag';
import type { Column } from '@/ui/tableColumns';
import { usePushLedgerQuery } from './pushApi';

const address = {
  q: text('', 200),
  engine: oneOf(['all', ...pushEngines], 'all'),
  state: oneOf(['all', ...pushStates], 'all'),
  page: whole(1, 1, 100_000),
  size: whole(20, 1, 100),
};

function useColumns(): readonly Column<PushEntry>[] {
  const { t } = useTranslation('seo');
  const format = useFormat();
  const toneOf = { waiting: 'info', sent: 'good', refused: 'bad', failed: 'bad' } as const;
  return [
    { id: 'address', name: t('push.column.address'), cell: ({ address: one }) => one, fills: true, minWidth: 200 },
    { id: 'engine', name: t('push.column.engine'), cell: ({ engine }) => t(`push.engine.${engine}`), minWidth: 100 },
    { id: 'kind', name: t('push.column.kind'), cell: ({ kind }) => t(`push.kind.${kind}`), minWidth: 100 },
    {
      id: 'state',
      name: t('push.column.state'),
      cell: ({ state, reason, status }) => (
        <span title={status === null ? undefined : `HTTP ${String(status)}`}>
          <Tag tone={toneOf[state]}>{t(`push.entry.${state}`)}</Tag> {reason === null ? '' : t(`push.reason.${reason}`)}
        </span>
      ),
      minWidth: 140,
    },
    { id: 'at', name: t('push.column.at'), cell: ({ sentAt, createdAt }) => format.dateTime(sentAt ?? createdAt), minWidth: 140 },
  ];
}

/** Every address that was pushed or waits, the newest first. */
export function Ledger({ siteId }: { readonly siteId: string }): ReactElement {
  const { t } = useTranslation('seo');
  const columns = useColumns();
  const { state, filter, search, paging, isFiltered, clear } = useListAddress(address, ['q', 'engine', 'state']);
  const result = usePushLedgerQuery(
    {
      siteId,
      page: state.page,
      size: state.size,
      ...(state.q.trim() !== '' && { q: state.q.trim() }),
      ...(state.engine !== 'all' && { engine: state.engine }),
      ...(state.state !== 'all' && { state: state.state }),
    },
    { refetchOnMountOrArgChange: true },
  );
  const empty = isFiltered ? (
    <NoMatch title={t('push.noMatch')} onClear={clear} />
  ) : (
    <EmptyState ghost="rows" title={t('push.empty')}>
      {t('push.emptyText')}
    </EmptyState>
  );
  return (
    <>
      <Box sx={{ display: 'flex', flexWrap: 'wrap', gap: 1, mb: 2 }}>
        <SearchBox label={t('push.search')} value={search.value} onChange={search.onChange} />
        <FilterSelect
          label={t('push.column.engine')}
          value={state.engine}
          choices={[{ value: 'all', label: t('push.anyEngine') }, ...pushEngines.map((value) => ({ value, label: t(`push.engine.${value}`) }))]}
          onChoose={(next) => filter({ engine: pushEngines.find((one) => one === next) ?? 'all' })}
        />
        <FilterSelect
          label={t('push.column.state')}
          value={state.state}
          choices={[{ value: 'all', label: t('push.anyState') }, ...pushStates.map((value) => ({ value, label: t(`push.entry.${value}`) }))]}
          onChoose={(next) => filter({ state: pushStates.find((one) => one === next) ?? 'all' })}
        />
      </Box>
      <PagedList result={result} paging={paging} empty={empty}>
        {(rows) => <DataTable label={t('push.ledger')} columns={columns} rows={rows} rowKey={({ id }) => id} />}
      </PagedList>
    </>
  );
}
