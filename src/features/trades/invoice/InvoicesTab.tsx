import { Box, Button } from '@mui/material';
import type { ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import { invoiceStates } from '@contract/trades/ledger';
import { useSearchState } from '@/lib/searchState';
import type { StateOf } from '@/lib/searchState';
import { useTyped } from '@/lib/useTyped';
import { AnswerState } from '@/ui/AnswerState';
import { EmptyState } from '@/ui/EmptyState';
import { Pager } from '@/ui/Pager';
import { SearchBox } from '@/ui/SearchBox';
import { RowsSkeleton } from '@/ui/skeletons';
import { invoiceAddress, pageSizes } from '../address';
import { FilterSelect } from '../FilterSelect';
import { useCustomersQuery, useInvoicesQuery } from '../tradesApi';
import { useTradeRights } from '../useTrades';
import { InvoiceDialog } from './InvoiceDialog';
import { InvoiceList } from './InvoiceList';

type State = StateOf<typeof invoiceAddress>;

/** Search text, state and customer; a change of any leads to the first page. */
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
        onChoose={(next) => onChange({ state: invoiceStates.find((one) => one === next) ?? 'all', page: 1 })}
      />
      {all && (
        <FilterSelect
          label={t('orders.customer')}
          value={state.customer}
          choices={[{ value: '', label: t('orders.anyCustomer') }, ...(customers?.people ?? []).map(({ id, name }) => ({ value: id, label: name }))]}
          onChoose={(customer) => onChange({ customer, page: 1 })}
        />
      )}
    </Box>
  );
}

/** No invoices yet, or none that match the filters, which `onClear` resets. */
function NoInvoices({ filtered, onClear }: { readonly filtered: boolean; readonly onClear: () => void }): ReactElement {
  const { t } = useTranslation('trades');
  if (!filtered)
    return (
      <EmptyState ghost="rows" title={t('invoice.empty')}>
        {t('invoice.emptyText')}
      </EmptyState>
    );
  return (
    <EmptyState
      kind="noMatch"
      title={t('invoice.noMatch')}
      action={
        <Button variant="outlined" onClick={onClear}>
          {t('orders.clear')}
        </Button>
      }
    />
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
  const [state, change] = useSearchState(invoiceAddress);
  const [q, setQ] = useTyped(state.q, (next) => change({ q: next, page: 1 }, 'replace'));
  const answer = useInvoicesQuery(
    {
      ...(state.q.trim() !== '' && { q: state.q.trim() }),
      ...(state.state !== 'all' && { state: state.state }),
      ...(state.customer !== '' && { customerId: state.customer }),
      page: state.page,
      size: state.size,
    },
    { refetchOnMountOrArgChange: true },
  );
  const filtered = state.q.trim() !== '' || state.state !== 'all' || state.customer !== '';
  const clear = () => {
    setQ('');
    change({ q: '', state: 'all', customer: '', page: 1 });
  };
  return (
    <>
      <InvoiceFilters state={state} q={q} onSearch={setQ} onChange={change} />
      <AnswerState answer={answer} skeleton={<RowsSkeleton />}>
        {({ rows, total }) =>
          rows.length === 0 ? (
            <NoInvoices filtered={filtered} onClear={clear} />
          ) : (
            <>
              <InvoiceList invoices={rows} />
              <Pager
                page={state.page}
                size={state.size}
                count={total}
                sizes={pageSizes}
                onPage={(page) => change({ page })}
                onSize={(size) => change({ size, page: 1 })}
              />
            </>
          )
        }
      </AnswerState>
      {asking && <InvoiceDialog onClose={onAsked} />}
    </>
  );
}
