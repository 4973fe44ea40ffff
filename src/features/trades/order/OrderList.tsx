import { Box, Typography } from '@mui/material';
import type { ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router-dom';
import type { Order } from '@contract/trades/ledger';
import { useFormat } from '@/lib/format';
import { phone, useMedia } from '@/lib/useMedia';
import { DataTable } from '@/ui/DataTable';
import { RowList } from '@/ui/list/RowList';
import type { Column, Sort } from '@/ui/tableColumns';
import { orderSorts } from '../address';
import { orderTones } from '../orderStatus';
import { StateMark } from '../StateMark';
import { useMoney, useReaderDay, useTradeRights } from '../useTrades';

type OrderSort = (typeof orderSorts)[number];
const sortOf = (sort: OrderSort): Sort => (sort.startsWith('-') ? { id: sort.slice(1), dir: 'desc' } : { id: sort, dir: 'asc' });

const Cut = ({ text, width }: { readonly text: string; readonly width: number }): ReactElement => (
  <Box component="span" title={text} sx={{ display: 'inline-block', maxWidth: width, overflow: 'hidden', textOverflow: 'ellipsis', verticalAlign: 'bottom' }}>
    {text}
  </Box>
);

/** The due date of a pending order; if overdue, in the error colour and as text. */
function Due({ order }: { readonly order: Order }): ReactElement | null {
  const { t } = useTranslation('trades');
  const { today } = useReaderDay();
  if (order.dueAt === null) return null;
  const late = order.state === 'pending' && order.dueAt < today;
  return late ? (
    <Box component="span" sx={{ color: 'error.main' }}>
      {order.dueAt} {t('orders.late')}
    </Box>
  ) : (
    <>{order.dueAt}</>
  );
}

type Props = {
  readonly orders: readonly Order[];
  readonly sort: OrderSort;
  readonly onSort: (sort: OrderSort) => void;
  readonly onOpen: (id: string) => void;
  readonly addressOf: (id: string) => string;
};

/** An order on a phone: the whole card is its link. */
function OrderCard({ order, address }: { readonly order: Order; readonly address: string }): ReactElement {
  const { t } = useTranslation('trades');
  const money = useMoney();
  const { all } = useTradeRights();
  return (
    <Box component="li" sx={{ position: 'relative', py: 1.5, borderBottom: 1, borderColor: 'divider' }}>
      <Box sx={{ display: 'flex', justifyContent: 'space-between', gap: 2 }}>
        <Typography
          component={Link}
          to={address}
          preventScrollReset
          variant="body2"
          sx={{
            fontWeight: 500,
            color: 'inherit',
            textDecoration: 'none',
            overflowWrap: 'anywhere',
            '&::after': { content: '""', position: 'absolute', inset: 0 },
          }}
        >
          {order.title}
        </Typography>
        <Typography variant="body2" component="span" sx={{ fontWeight: 500, whiteSpace: 'nowrap' }}>
          {money(order.total, order.currency)}
        </Typography>
      </Box>
      <Box sx={{ display: 'flex', justifyContent: 'space-between', gap: 2, fontSize: 'var(--text-table)', color: 'text.secondary', mt: 0.25 }}>
        <Box component="span" sx={{ overflowWrap: 'anywhere' }}>
          {[order.number, ...(all ? [order.customer.name] : []), ...(order.site ? [order.site.name] : [])].join(' · ')}
        </Box>
        <StateMark tone={orderTones[order.state]}>{t(`state.${order.state}`)}</StateMark>
      </Box>
      {order.state === 'pending' && order.dueAt !== null && (
        <Typography variant="caption" component="div" sx={{ color: 'text.secondary' }}>
          {t('orders.column.dueAt')} <Due order={order} />
        </Typography>
      )}
    </Box>
  );
}

function useOrderColumns(): Column<Order>[] {
  const { t } = useTranslation('trades');
  const format = useFormat();
  const money = useMoney();
  const { timeZone } = useReaderDay();
  const { all } = useTradeRights();
  return [
    { id: 'number', name: t('orders.column.number'), cell: (order) => order.number, sortable: true, minWidth: 128 },
    { id: 'title', name: t('orders.column.title'), cell: (order) => <Cut text={order.title} width={240} /> },
    ...(all ? [{ id: 'customer', name: t('orders.column.customer'), cell: (order: Order) => <Cut text={order.customer.name} width={140} /> }] : []),
    { id: 'site', name: t('orders.column.site'), cell: (order) => order.site && <Cut text={order.site.name} width={140} />, extra: all },
    { id: 'kind', name: t('orders.column.kind'), cell: (order) => t(`kind.${order.kind}`) },
    { id: 'state', name: t('orders.column.state'), cell: (order) => <StateMark tone={orderTones[order.state]}>{t(`state.${order.state}`)}</StateMark> },
    { id: 'total', name: t('orders.column.total'), cell: (order) => money(order.total, order.currency), numeric: true, sortable: true },
    {
      id: 'paid',
      name: t('orders.column.paid'),
      cell: (order) => (order.paid === 0 ? '' : money(order.paid, order.currency)),
      numeric: true,
    },
    { id: 'dueAt', name: t('orders.column.dueAt'), cell: (order) => <Due order={order} />, sortable: true },
    {
      id: 'createdAt',
      name: t('orders.column.createdAt'),
      cell: (order) => format.date(order.createdAt, { timeZone, weekday: false }),
      sortable: true,
    },
  ];
}

/** One row per order; on a phone a card. */
export function OrderList({ orders, sort, onSort, onOpen, addressOf }: Props): ReactElement {
  const { t } = useTranslation('trades');
  const columns = useOrderColumns();
  const onPhone = useMedia(phone);
  if (onPhone) {
    return (
      <RowList label={t('orders.label')}>
        {orders.map((order) => (
          <OrderCard key={order.id} order={order} address={addressOf(order.id)} />
        ))}
      </RowList>
    );
  }
  return (
    <DataTable
      label={t('orders.label')}
      columns={columns}
      rows={orders}
      rowKey={(order) => order.id}
      sort={[sortOf(sort)]}
      multiSort={false}
      onSort={([next]) => {
        const id = next && orderSorts.find((one) => one === (next.dir === 'desc' ? `-${next.id}` : next.id));
        if (id) onSort(id);
      }}
      onRow={(order) => onOpen(order.id)}
      rowHint={(order) => t('orders.open', { number: order.number })}
      remember="trades.orders"
    />
  );
}
