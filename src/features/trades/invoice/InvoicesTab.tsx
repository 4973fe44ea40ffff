import { Box } from '@mui/material';
import type { ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import { invoiceStates } from '@contract/trades/ledger';
import type { StateOf } from '@/lib/searchState';
import { useListAddress } from '@/lib/useListAddress';
import { EmptyState } from '@/ui/EmptyState';
import { FilterSelect } from '@/ui/FilterSelect';
import { NoMatch } from '@/ui/list/NoMatch';
import { PagedList } from '@/ui/list/PagedList';
import { SearchBox } from '@/ui/SearchBox';
import { invoiceAddress } from '../address';
import { useCustomersQuery, useInvoicesQuery } from '../tradesApi';
import { useTradeRights } from '../useTrades';
import { InvoiceDialog } from './InvoiceDialog';
import { InvoiceList } from './InvoiceList';

type State = StateOf<typeof invoiceAddress>;

/** Search text, state and customer. */
function InvoiceFilters({
  state,
  q,
  onSearch,
  onChange,
}: {
  readonly state: State;
  /** The typed text; the address follows with a delay. */
  readonly q: string;
  readonly onSearch: (q: string) => void;
  readonly onChange: (change: Partial<State>) => void;
}): ReactElement {
  const { t } = useTranslation('trades');
  const { all } = useTradeRights();
  const { data: customers } = useCustomersQuery(undefined, { skip: !all });
  return (
    <Box sx={{ display: 'flex', flexWrap: 'wrap', gap: 1, mb: 2 }}>
      <SearchBox label={t('invoice.search')} placeholder={t('invoice.searchHint')} value={q} onChange={onSearch} />
      <FilterSelect
        label={t('invoice.state')}
        value={state.state}
        choices={[{ value: 'all', label: t('invoice.anyState') }, ...invoiceStates.map((one) => ({ value: one, label: t(`invoiceState.${one}`) }))]}
        onChoose={(next) => onChange({ state: invoiceStates.find((one) => one === next) ?? 'all' })}
      />
      {all && (
        <FilterSelect
          label={t('orders.customer')}
          value={state.customer}
          choices={[{ value: '', label: t('orders.anyCustomer') }, ...(customers?.people ?? []).map(({ id, name }) => ({ value: id, label: name }))]}
          onChoose={(customer) => onChange({ customer })}
        />
      )}
    </Box>
  );
}

/** Requested invoices and their state; for finance, the queue to process. */
export function InvoicesTab({
  asking,
  onAsked,
}: {
  /** The dialog that requests an invoice is open. */ readonly asking: boolean;
  readonly onAsked: () => void;
}): ReactElement {
  const { t } = useTranslation('trades');
  const { state, filter, search, paging, isFiltered, clear } = useListAddress(invoiceAddress, ['q', 'state', 'customer']);
  const result = useInvoicesQuery(
    {
      ...(state.q.trim() !== '' && { q: state.q.trim() }),
      ...(state.state !== 'all' && { state: state.state }),
      ...(state.customer !== '' && { customerId: state.customer }),
      page: state.page,
      size: state.size,
    },
    { refetchOnMountOrArgChange: true },
  );
  const empty = isFiltered ? (
    <NoMatch title={t('invoice.noMatch')} onClear={clear} />
  ) : (
    <EmptyState ghost="rows" title={t('invoice.empty')}>
      {t('invoice.emptyText')}
    </EmptyState>
  );
  return (
    <>
      <InvoiceFilters state={state} q={search.value} onSearch={search.onChange} onChange={filter} />
      <PagedList result={result} paging={paging} empty={empty}>
        {(invoices) => <InvoiceList invoices={invoices} />}
      </PagedList>
      {asking && <InvoiceDialog onClose={onAsked} />}
    </>
  );
}
