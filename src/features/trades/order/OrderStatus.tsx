import { Box, Button, Typography } from '@mui/material';
import type { ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import type { OrderWhole } from '@contract/trades/ledger';
import { isInvoiceInTheWay, orderSituation, stepsOf } from '../orderStatus';
import type { Step } from '../orderStatus';
import { useMoney, useReaderDay, useTradeRights } from '../useTrades';

const dangerous: readonly Step['do'][] = ['cancel', 'remove', 'reject'];
const nameOf = (step: Step): string => ('payment' in step ? `${step.do}-${step.payment.id}` : 'refund' in step ? `${step.do}-${step.refund.id}` : step.do);
const amountOf = (step: Step): number => ('payment' in step ? step.payment.amount : 'refund' in step ? step.refund.amount : 0);

type ActProps = {
  readonly order: OrderWhole;
  /** The name of the action in progress. */
  readonly busy: string | null;
  readonly onAct: (step: Step) => void;
};

function StepButton({ order, step, primary, busy, onAct }: ActProps & { readonly step: Step; readonly primary: boolean }): ReactElement {
  const { t } = useTranslation('trades');
  const money = useMoney();
  return (
    <Button
      variant={primary ? 'contained' : step.do === 'notes' || dangerous.includes(step.do) ? 'text' : 'outlined'}
      aria-busy={busy === nameOf(step)}
      disabled={busy !== null}
      onClick={() => onAct(step)}
      {...(dangerous.includes(step.do) && { sx: { color: 'error.main' } })}
    >
      {t(`step.${step.do}`, { amount: money(amountOf(step), order.currency) })}
    </Button>
  );
}

/** The situation of the order as a sentence, and its actions: the next step first. */
export function OrderStatus(props: ActProps): ReactElement {
  const { order } = props;
  const { t } = useTranslation('trades');
  const money = useMoney();
  const { today } = useReaderDay();
  const { write, userId } = useTradeRights();
  const own = order.customer.id === userId;
  const { primary, others } = stepsOf(order, { write, own });
  const { key, amount, day, days } = orderSituation(order, today);
  return (
    <Box sx={{ mt: 2, mb: 3, p: 2, borderRadius: 1, bgcolor: 'var(--n-2)' }}>
      <Typography role="status" variant="body2" sx={{ color: key === 'overdue' ? 'error.main' : 'text.primary' }}>
        {t(`situation.${key}`, { amount: money(amount, order.currency), day, n: days, count: days })}
        {own && !write && (key === 'pending' || key === 'pendingDue' || key === 'overdue') && ` ${t('situation.howToPay')}`}
        {write && primary?.do === 'finish' && isInvoiceInTheWay(order, primary.refund) && ` ${t('situation.redFirst')}`}
      </Typography>
      {(primary || others.length > 0) && (
        <Box sx={{ display: 'flex', flexWrap: 'wrap', gap: 1, mt: 1.5 }}>
          {primary && <StepButton key={nameOf(primary)} step={primary} primary {...props} />}
          {others.map((step) => (
            <StepButton key={nameOf(step)} step={step} primary={false} {...props} />
          ))}
        </Box>
      )}
    </Box>
  );
}
