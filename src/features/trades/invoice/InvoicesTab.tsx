import { Box, Button } from '@mui/material';
import type { ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import { invoiceStates } from '@contract/trades/ledger';
import { useSearchState } from '@/lib/searchState';
import { useTyped } from '@/lib/useTyped';
import { isFailure } from '@/store/failure';
import { AnswerState } from '@/ui/AnswerState';
import { EmptyState } from '@/ui/EmptyState';
import { ErrorPanel } from '@/ui/ErrorPanel';
import { Pager } from '@/ui/Pager';
import { RowsSkeleton } from '@/ui/skeletons';
import { invoiceAddress, pageSizes } from '../address';
import { FilterSelect } from '../FilterSelect';
import { SearchBox } from '@/ui/SearchBox';
import { useCustomersQuery, useInvoicesQuery } from '../tradesApi';
import { useTradeRights } from '../useTrades';
import { InvoiceDialog } from './InvoiceDialog';
import { InvoiceList } from './InvoiceList';

/** Requested invoices and their state; for finance, the queue to process. */
export function InvoicesTab({
  asking,
  onAsked,
}: {
  /** The dialog that requests an invoice is open. */ readonly asking: boolean;
  readonly onAsked: () => void;
}): ReactElement {
  const { t } = useTranslation('trades');
  const { all } = useTradeRights();
  const [state, change] = useSearchState(invoiceAddress);
  const [q, setQ] = useTyped(state.q, (next) => change({ q: next, page: 1 }, 'replace'));
  const { data: customers } = useCustomersQuery(undefined, { skip: !all });
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
  return (
    <>
      <Box sx={{ display: 'flex', flexWrap: 'wrap', gap: 1, mb: 2 }}>
        <SearchBox label={t('invoice.search')} placeholder={t('invoice.searchHint')} value={q} onChange={setQ} />
        <FilterSelect
          label={t('invoice.state')}
          value={state.state}
          choices={[{ value: 'all', label: t('invoice.anyState') }, ...invoiceStates.map((one) => ({ value: one, label: t(`invoiceState.${one}`) }))]}
          onChoose={(next) => change({ state: invoiceStates.find((one) => one === next) ?? 'all', page: 1 })}
        />
        {all && (
          <FilterSelect
            label={t('orders.customer')}
            value={state.customer}
            choices={[{ value: '', label: t('orders.anyCustomer') }, ...(customers?.people ?? []).map(({ id, name }) => ({ value: id, label: name }))]}
            onChoose={(customer) => change({ customer, page: 1 })}
          />
        )}
      </Box>
      <AnswerState
        answer={answer}
        skeleton={<RowsSkeleton />}
        failed={(error, onRetry, retrying) => <ErrorPanel failure={isFailure(error) ? error : null} onRetry={onRetry} retrying={retrying} />}
      >
        {(found) =>
          found.rows.length === 0 ? (
            filtered ? (
              <EmptyState
                kind="noMatch"
                title={t('invoice.noMatch')}
                action={
                  <Button
                    variant="outlined"
                    onClick={() => {
                      setQ('');
                      change({ q: '', state: 'all', customer: '', page: 1 });
                    }}
                  >
                    {t('orders.clear')}
                  </Button>
                }
              />
            ) : (
              <EmptyState title={t('invoice.empty')}>{t('invoice.emptyText')}</EmptyState>
            )
          ) : (
            <>
              <InvoiceList invoices={found.rows} />
              <Pager
                page={state.page}
                size={state.size}
                count={found.total}
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
