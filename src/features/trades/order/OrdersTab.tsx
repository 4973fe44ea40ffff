import { Box, Button } from '@mui/material';
import type { ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import { useSearchParams } from 'react-router-dom';
import { useFormat } from '@/lib/format';
import { useSearchState, writeSearch } from '@/lib/searchState';
import type { StateOf } from '@/lib/searchState';
import { useListAddress } from '@/lib/useListAddress';
import { EmptyState } from '@/ui/EmptyState';
import { NoMatch } from '@/ui/list/NoMatch';
import { PagedList } from '@/ui/list/PagedList';
import { orderAddress, pageAddress, stateGroups } from '../address';
import { readDays } from '../ranges';
import { orderFile, useOrdersQuery } from '../tradesApi';
import type { OrderFilters as Query, OrderList as Found } from '../tradesApi';
import { useMoney, useTradeRights } from '../useTrades';
import { OrderFilters } from './OrderFilters';
import { OrderList } from './OrderList';
import { Renewals } from './Renewals';

type State = StateOf<typeof orderAddress>;

/** The query for an address. */
function queryOf({ q, state, kind, customer, site, from, to, sort }: State): Query {
  return {
    ...(q.trim() !== '' && { q: q.trim() }),
    ...(state !== 'all' && { state: [...stateGroups[state]] }),
    ...(kind !== 'all' && { kind }),
    ...(customer !== '' && { customerId: customer }),
    ...(site !== '' && { siteId: site }),
    ...readDays(from, to),
    sort,
  };
}

/** What hides orders; a range of days counts also where the address has no valid one. */
const filters = ['q', 'state', 'kind', 'customer', 'site', 'from', 'to'] as const;

/** The number of results and their totals by currency. */
function Sums({ found }: { readonly found: Found }): ReactElement {
  const { t } = useTranslation('trades');
  const money = useMoney();
  const { number } = useFormat();
  return (
    <Box
      component="ul"
      aria-label={t('orders.sums')}
      sx={{ m: 0, p: 0, listStyle: 'none', display: 'flex', flexWrap: 'wrap', columnGap: 3, rowGap: 0.5, fontSize: 'var(--text-table)' }}
    >
      <li>{t('orders.count', { count: found.total, n: number(found.total) })}</li>
      {found.sums.map(({ currency, total, paid, refunded }) => (
        <li key={currency}>
          {t('orders.sum', { total: money(total, currency), paid: money(paid, currency) })}
          {refunded > 0 && t('orders.sumRefunded', { refunded: money(refunded, currency) })}
        </li>
      ))}
    </Box>
  );
}

/** Everybody's orders, or the person's own. */
export function OrdersTab(): ReactElement {
  const { t } = useTranslation('trades');
  const { write, all } = useTradeRights();
  const [params] = useSearchParams();
  const { state, filter, search, paging, isFiltered, clear } = useListAddress(orderAddress, filters);
  const [, open] = useSearchState(pageAddress);
  const query = queryOf(state);
  const result = useOrdersQuery({ ...query, page: state.page, size: state.size }, { refetchOnMountOrArgChange: true });
  const addressOf = (id: string) => `?${writeSearch(pageAddress, params, { order: id, edit: false }).toString()}`;
  const empty = isFiltered ? (
    <NoMatch title={t('orders.noMatch')} onClear={clear} />
  ) : (
    <EmptyState ghost="rows" title={t('orders.empty')}>
      {t(write ? 'orders.emptyWrite' : all ? 'orders.emptyAll' : 'orders.emptyOwn')}
    </EmptyState>
  );
  return (
    <>
      <Renewals onOpen={(id) => open({ order: id, edit: false })} />
      <OrderFilters value={state} q={search.value} onSearch={search.onChange} onChange={filter} />
      <PagedList result={result} paging={paging} empty={empty}>
        {(orders, found) => (
          <>
            <Box sx={{ display: 'flex', flexWrap: 'wrap', alignItems: 'center', justifyContent: 'space-between', gap: 1, mb: 1 }}>
              <Sums found={found} />
              <Box sx={{ display: 'flex', gap: 1, ml: { xs: -1.5, sm: 0 } }}>
                <Button component="a" href={orderFile(query, 'csv')} download>
                  {t('csv')}
                </Button>
                <Button component="a" href={orderFile(query, 'json')} download>
                  {t('json')}
                </Button>
              </Box>
            </Box>
            <OrderList
              orders={orders}
              sort={state.sort}
              onSort={(sort) => filter({ sort })}
              onOpen={(id) => open({ order: id, edit: false })}
              addressOf={addressOf}
            />
          </>
        )}
      </PagedList>
    </>
  );
}
