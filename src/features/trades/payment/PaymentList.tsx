import { Box, Button, Typography } from '@mui/material';
import type { ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import type { OrderWhole, Payment } from '@contract/trades/ledger';
import { useFormat } from '@/lib/format';
import { fileSize } from '@/ui/form/FileField';
import type { PaymentAct } from '../order/useOrderActs';
import { leftToRefund, paymentTones, settledStates } from '../standing';
import type { Step } from '../standing';
import { StateMark } from '../StateMark';
import { receiptFile } from '../tradesApi';
import { useMoney } from '../useTrades';

type Props = {
  readonly order: OrderWhole;
  readonly mayWrite: boolean;
  readonly busy: string | null;
  readonly onAct: (step: Step | PaymentAct) => void;
};

/** Payments, each with its possible actions. */
export function PaymentList({ order, mayWrite, busy, onAct }: Props): ReactElement {
  const { t } = useTranslation('trades');
  const money = useMoney();
  const { number } = useFormat();
  if (order.payments.length === 0)
    return (
      <Typography variant="body2" sx={{ color: 'text.secondary' }}>
        {t('payment.none')}
      </Typography>
    );

  const settled = (settledStates as readonly string[]).includes(order.state);
  const actsOf = (payment: Payment): readonly (Step | PaymentAct)[] => {
    if (!mayWrite) return [];
    if (order.state === 'cancelled' || order.state === 'expired') return [];
    if (payment.state === 'recorded')
      return [
        { do: 'confirm', payment },
        { do: 'fail', payment },
      ];
    if (payment.state !== 'confirmed') return [];
    const untouched = leftToRefund(order, payment) === payment.amount;
    return [
      ...(settled && leftToRefund(order, payment) > 0 ? [{ do: 'refund', payment } as const] : []),
      ...(untouched ? [{ do: 'reverse', payment } as const] : []),
    ];
  };
  return (
    <Box component="ul" sx={{ m: 0, p: 0, listStyle: 'none', borderTop: 1, borderColor: 'divider' }}>
      {order.payments.map((payment) => (
        <Box component="li" key={payment.id} sx={{ py: 1.25, borderBottom: 1, borderColor: 'divider' }}>
          <Box sx={{ display: 'flex', justifyContent: 'space-between', gap: 2 }}>
            <Box sx={{ display: 'flex', flexWrap: 'wrap', columnGap: 2, fontSize: 13, minWidth: 0 }}>
              <Box component="span" sx={{ fontWeight: 500, fontSize: 14 }}>
                {t(`method.${payment.method}`)}
              </Box>
              <StateMark tone={paymentTones[payment.state]}>{t(`paymentState.${payment.state}`)}</StateMark>
              <span>{payment.paidAt}</span>
            </Box>
            <Box
              component="span"
              sx={{
                fontWeight: 500,
                whiteSpace: 'nowrap',
                ...(payment.state === 'failed' || payment.state === 'reversed' ? { color: 'text.secondary', textDecoration: 'line-through' } : {}),
              }}
            >
              {money(payment.amount, order.currency)}
            </Box>
          </Box>
          <Typography variant="caption" component="div" sx={{ color: 'text.secondary', overflowWrap: 'anywhere' }}>
            {[
              ...(payment.reference === '' ? [] : [t('payment.referenceIs', { reference: payment.reference })]),
              t('payment.by', { name: payment.createdBy.name }),
            ].join(' · ')}
          </Typography>
          {payment.sameReference && (
            <Typography variant="caption" component="div" sx={{ color: 'warning.main' }}>
              ⚠ {t('payment.sameReference')}
            </Typography>
          )}
          {(payment.receipt || actsOf(payment).length > 0) && (
            <Box sx={{ display: 'flex', flexWrap: 'wrap', gap: 1, mt: 0.75 }}>
              {payment.receipt && (
                <Button variant="outlined" component="a" href={receiptFile(payment.id)} download={payment.receipt.name} title={payment.receipt.name}>
                  {t('payment.receiptFile', { size: fileSize(payment.receipt.bytes, number) })}
                </Button>
              )}
              {actsOf(payment).map((step) => (
                <Button
                  key={step.do}
                  variant={step.do === 'confirm' ? 'outlined' : 'text'}
                  disabled={busy !== null}
                  aria-busy={busy === `${step.do}-${payment.id}`}
                  onClick={() => onAct(step)}
                >
                  {t(`act.${step.do as 'confirm' | 'fail' | 'refund' | 'reverse'}`)}
                </Button>
              ))}
            </Box>
          )}
        </Box>
      ))}
    </Box>
  );
}
