import { Box, Button, Typography } from '@mui/material';
import type { ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import type { OrderWhole, Payment } from '@contract/trades/ledger';
import { useFormat } from '@/lib/format';
import { fileSize } from '@/ui/form/FileField';
import { RowList } from '@/ui/list/RowList';
import type { PaymentAction } from '../order/useOrderActions';
import { paymentTones } from '../orderStatus';
import type { Step } from '../orderStatus';
import { StateMark } from '../StateMark';
import { receiptFile } from '../tradesApi';
import { useMoney } from '../useTrades';
import { paymentStepsOf } from './paymentSteps';

type Props = {
  readonly order: OrderWhole;
  readonly mayWrite: boolean;
  readonly busy: string | null;
  readonly onAct: (step: Step | PaymentAction) => void;
};

type ItemProps = Props & { readonly payment: Payment };

/** The receipt as a download, and the possible actions. */
function PaymentButtons({ order, payment, mayWrite, busy, onAct }: ItemProps): ReactElement | null {
  const { t } = useTranslation('trades');
  const { number } = useFormat();
  const steps = mayWrite ? paymentStepsOf(order, payment) : [];
  if (!payment.receipt && steps.length === 0) return null;
  return (
    <Box sx={{ display: 'flex', flexWrap: 'wrap', gap: 1, mt: 0.75 }}>
      {payment.receipt && (
        <Button variant="outlined" component="a" href={receiptFile(payment.id)} download={payment.receipt.name} title={payment.receipt.name}>
          {t('payment.receiptFile', { size: fileSize(payment.receipt.bytes, number) })}
        </Button>
      )}
      {steps.map((step) => (
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
  );
}

function PaymentItem(props: ItemProps): ReactElement {
  const { order, payment } = props;
  const { t } = useTranslation('trades');
  const money = useMoney();
  return (
    <Box component="li" sx={{ py: 1.25, borderBottom: 1, borderColor: 'divider' }}>
      <Box sx={{ display: 'flex', justifyContent: 'space-between', gap: 2 }}>
        <Box sx={{ display: 'flex', flexWrap: 'wrap', columnGap: 2, fontSize: 'var(--text-table)', minWidth: 0 }}>
          <Box component="span" sx={{ fontWeight: 500, fontSize: 'var(--text-body)' }}>
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
      <PaymentButtons {...props} />
    </Box>
  );
}

/** Payments, each with its possible actions. */
export function PaymentList(props: Props): ReactElement {
  const { t } = useTranslation('trades');
  const { payments } = props.order;
  if (payments.length === 0)
    return (
      <Typography variant="body2" sx={{ color: 'text.secondary' }}>
        {t('payment.none')}
      </Typography>
    );
  return (
    <RowList>
      {payments.map((payment) => (
        <PaymentItem key={payment.id} payment={payment} {...props} />
      ))}
    </RowList>
  );
}
