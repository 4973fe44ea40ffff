import { Box, Typography } from '@mui/material';
import type { ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import type { OrderWhole } from '@contract/trades/ledger';
import { useFormat } from '@/lib/format';
import { RowList } from '@/ui/list/RowList';
import { refundTones } from '../orderStatus';
import { StateMark } from '../StateMark';
import { useMoney, useReaderDay } from '../useTrades';

/** Refunds and their state; the next step is at the top of the order. */
export function RefundList({ order }: { readonly order: OrderWhole }): ReactElement {
  const { t } = useTranslation('trades');
  const money = useMoney();
  const format = useFormat();
  const { timeZone } = useReaderDay();
  return (
    <RowList>
      {order.refunds.map((refund) => (
        <Box component="li" key={refund.id} sx={{ py: 1.25, borderBottom: 1, borderColor: 'divider' }}>
          <Box sx={{ display: 'flex', justifyContent: 'space-between', gap: 2, fontSize: 'var(--text-table)' }}>
            <Box sx={{ display: 'flex', flexWrap: 'wrap', columnGap: 2 }}>
              <StateMark tone={refundTones[refund.state]}>{t(`refundState.${refund.state}`)}</StateMark>
              <span>{format.date(refund.createdAt, { timeZone, weekday: false })}</span>
            </Box>
            <Box component="span" sx={{ fontSize: 'var(--text-body)', fontWeight: 500, whiteSpace: 'nowrap' }}>
              {money(refund.amount, order.currency)}
            </Box>
          </Box>
          <Typography variant="caption" component="div" sx={{ color: 'text.secondary', overflowWrap: 'anywhere' }}>
            {[...(refund.reason === '' ? [] : [refund.reason]), t('payment.by', { name: refund.createdBy.name })].join(' · ')}
          </Typography>
        </Box>
      ))}
    </RowList>
  );
}
