import { Box, Button } from '@mui/material';
import type { ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import { useSearchParams } from 'react-router-dom';
import { useFormat } from '@/lib/format';
import { useSearchState, writeSearch } from '@/lib/searchState';
import type { StateOf } from '@/lib/searchState';
import { useTyped } from '@/lib/useTyped';
import { AnswerState } from '@/ui/AnswerState';
import { EmptyState } from '@/ui/EmptyState';
import { Pager } from '@/ui/Pager';
import { RowsSkeleton } from '@/ui/skeletons';
import { orderAddress, pageAddress, pageSizes, stateGroups } from '../address';
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

const filtered = ({ q, state, kind, customer, site, from, to }: State): boolean =>
  q.trim() !== '' || state !== 'all' || kind !== 'all' || customer !== '' || site !== '' || readDays(from, to) !== null;
const unfiltered = { q: '', state: 'all', kind: 'all', customer: '', site: '', from: '', to: '', page: 1 } as const;

/** The number of results and their totals by currency. */
function Sums({ found }: { readonly found: Found }): ReactElement {
  const { t } = useTranslation('trades');
  const money = useMoney();
  const { number } = useFormat();
  return (
    <Box
      component="ul"
      aria-label={t('orders.sums')}
      sx={{ m: 0, p: 0, listStyle: 'none', display: 'flex', flexWrap: 'wrap', columnGap: 3, rowGap: 0.5, fontSize: 13 }}
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
  const [state, change] = useSearchState(orderAddress);
  const [, open] = useSearchState(pageAddress);
  const [q, setQ] = useTyped(state.q, (next) => change({ q: next, page: 1 }, 'replace'));
  const query = queryOf(state);
  const answer = useOrdersQuery({ ...query, page: state.page, size: state.size }, { refetchOnMountOrArgChange: true });
  const addressOf = (id: string) => `?${writeSearch(pageAddress, params, { order: id, edit: false }).toString()}`;
  const list = (found: Found) => {
    if (found.rows.length === 0 && filtered(state))
      return (
        <EmptyState
          kind="noMatch"
          title={t('orders.noMatch')}
          action={
            <Button
              variant="outlined"
              onClick={() => {
                setQ('');
                change(unfiltered);
              }}
            >
              {t('orders.clear')}
            </Button>
          }
        />
      );
    if (found.total === 0)
      return (
        <EmptyState ghost="rows" title={t('orders.empty')}>
          {t(write ? 'orders.emptyWrite' : all ? 'orders.emptyAll' : 'orders.emptyOwn')}
        </EmptyState>
      );
    return (
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
          orders={found.rows}
          sort={state.sort}
          onSort={(sort) => change({ sort, page: 1 })}
          onOpen={(id) => open({ order: id, edit: false })}
          addressOf={addressOf}
        />
        <Pager
          page={state.page}
          size={state.size}
          count={found.total}
          sizes={pageSizes}
          onPage={(page) => change({ page })}
          onSize={(size) => change({ size, page: 1 })}
        />
      </>
    );
  };
  return (
    <>
      <Renewals onOpen={(id) => open({ order: id, edit: false })} />
      <OrderFilters value={state} q={q} onSearch={setQ} onChange={(next) => change({ ...next, page: 1 })} />
      <AnswerState answer={answer} skeleton={<RowsSkeleton />}>
        {list}
      </AnswerState>
    </>
  );
}
