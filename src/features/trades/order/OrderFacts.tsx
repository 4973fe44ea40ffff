import { Box, Typography } from '@mui/material';
import type { ReactElement, ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { OrderWhole } from '@contract/trades/ledger';
import { useFormat } from '@/lib/format';
import { useReaderDay, useTradeRights } from '../useTrades';

const Fact = ({ name, children }: { readonly name: string; readonly children: ReactNode }): ReactElement => (
  <Box sx={{ minWidth: 0 }}>
    <Typography component="dt" variant="caption" sx={{ color: 'text.secondary' }}>
      {name}
    </Typography>
    <Typography component="dd" variant="body2" sx={{ m: 0, overflowWrap: 'anywhere', whiteSpace: 'pre-line' }}>
      {children}
    </Typography>
  </Box>
);

/** Whom and what the order is for, its dates and notes. */
export function OrderFacts({ order }: { readonly order: OrderWhole }): ReactElement {
  const { t } = useTranslation('trades');
  const format = useFormat();
  const { timeZone } = useReaderDay();
  const { write } = useTradeRights();
  return (
    <Box
      component="dl"
      sx={{ m: 0, mb: 4, display: 'grid', gap: 2, gridTemplateColumns: { xs: 'repeat(2, minmax(0, 1fr))', sm: 'repeat(4, minmax(0, 1fr))' } }}
    >
      <Fact name={t('form.customerId')}>{order.customer.name}</Fact>
      {order.site && <Fact name={t('form.siteId')}>{order.site.name}</Fact>}
      <Fact name={t('form.kind')}>{t(`kind.${order.kind}`)}</Fact>
      {order.dueAt !== null && <Fact name={t('form.dueAt')}>{order.dueAt}</Fact>}
      {order.period && <Fact name={t('order.period')}>{t('order.periodDays', order.period)}</Fact>}
      <Fact name={t('order.created')}>
        {format.date(order.createdAt, { timeZone, weekday: false })}
        {write && ` · ${order.createdBy.name}`}
      </Fact>
      {order.renewalNote !== '' && <Fact name={t('form.renewalNote')}>{order.renewalNote}</Fact>}
      {order.note !== '' && <Fact name={t('form.note')}>{order.note}</Fact>}
      {order.memo !== null && order.memo !== '' && <Fact name={t('form.memo')}>{order.memo}</Fact>}
    </Box>
  );
}

/** Changes of the order's state, and who made them. */
export function OrderHistory({ order }: { readonly order: OrderWhole }): ReactElement {
  const { t } = useTranslation('trades');
  const format = useFormat();
  const { timeZone } = useReaderDay();
  return (
    <Box component="ol" sx={{ m: 0, p: 0, listStyle: 'none', fontSize: 'var(--text-table)' }}>
      {order.history.map((one, at) => (
        <Box component="li" key={at} sx={{ display: 'flex', flexWrap: 'wrap', columnGap: 2, py: 0.5 }}>
          <Box component="time" dateTime={one.at} sx={{ color: 'text.secondary' }}>
            {format.dateTime(one.at, { timeZone })}
          </Box>
          <span>{one.from === null ? t('order.drafted') : t('order.moved', { from: t(`state.${one.from}`), to: t(`state.${one.to}`) })}</span>
          <Box component="span" sx={{ color: 'text.secondary' }}>
            {one.by === '' ? t('order.system') : one.by}
          </Box>
        </Box>
      ))}
    </Box>
  );
}
