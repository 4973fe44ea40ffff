import { Box, Button, Typography } from '@mui/material';
import type { ReactElement, ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { OrderWhole } from '@contract/trades/ledger';
import { useFormat } from '@/lib/format';
import { Section } from '@/ui/Section';
import { InvoiceDialog } from '../invoice/InvoiceDialog';
import { InvoiceList } from '../invoice/InvoiceList';
import { PaymentDialog } from '../payment/PaymentDialog';
import { PaymentList } from '../payment/PaymentList';
import { RefundDialog } from '../payment/RefundDialog';
import { RefundList } from '../payment/RefundList';
import { isInvoiceInTheWay, orderTones, standingOf, stepsOf } from '../standing';
import type { Step } from '../standing';
import { StateMark } from '../StateMark';
import { useMoney, useReaderDay, useTradeRights } from '../useTrades';
import { ItemsTable } from './ItemsTable';
import { NotesDialog } from './NotesDialog';
import { useOrderActs } from './useOrderActs';

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

const dangerous: readonly Step['do'][] = ['cancel', 'remove', 'reject'];
const nameOf = (step: Step): string => ('payment' in step ? `${step.do}-${step.payment.id}` : 'refund' in step ? `${step.do}-${step.refund.id}` : step.do);

type Props = { readonly order: OrderWhole; readonly onEdit: () => void; readonly onOpen: (id: string) => void; readonly onGone: () => void };

/** One order: its state and the next step first, then its lines, payments, refunds and invoices, and its history. */
export function OrderView({ order, onEdit, onOpen, onGone }: Props): ReactElement {
  const { t } = useTranslation('trades');
  const money = useMoney();
  const format = useFormat();
  const { timeZone, today } = useReaderDay();
  const { write, userId } = useTradeRights();
  const own = order.customer.id === userId;
  const { primary, others } = stepsOf(order, { write, own });
  const { act, busy, dialog, closeDialog, refresh } = useOrderActs(order, { onEdit, onOpen, onGone });
  const { key, amount, day, days } = standingOf(order, today);
  const button = (step: Step, variant: 'contained' | 'outlined' | 'text') => {
    const sum = 'payment' in step ? step.payment.amount : 'refund' in step ? step.refund.amount : 0;
    return (
      <Button
        key={nameOf(step)}
        variant={variant}
        aria-busy={busy === nameOf(step)}
        disabled={busy !== null}
        onClick={() => act(step)}
        {...(dangerous.includes(step.do) && { sx: { color: 'error.main' } })}
      >
        {t(`step.${step.do}`, { amount: money(sum, order.currency) })}
      </Button>
    );
  };
  return (
    <Box sx={{ px: 3, pb: 4 }}>
      <Box sx={{ display: 'flex', flexWrap: 'wrap', justifyContent: 'space-between', alignItems: 'baseline', columnGap: 3, rowGap: 0.5 }}>
        <Typography component="h3" sx={{ fontSize: 18, fontWeight: 600, overflowWrap: 'anywhere', minWidth: 0 }}>
          {order.title}
        </Typography>
        <Typography component="span" sx={{ fontSize: 18, fontWeight: 600, whiteSpace: 'nowrap' }}>
          {money(order.total, order.currency)}
        </Typography>
      </Box>
      <Box sx={{ display: 'flex', flexWrap: 'wrap', gap: 2, fontSize: 13, color: 'text.secondary' }}>
        <span>{order.number}</span>
        <StateMark tone={orderTones[order.state]}>{t(`state.${order.state}`)}</StateMark>
      </Box>
      <Box sx={{ mt: 2, mb: 3, p: 2, borderRadius: 1, bgcolor: 'var(--n-2)' }}>
        <Typography role="status" variant="body2" sx={{ color: key === 'overdue' ? 'error.main' : 'text.primary' }}>
          {t(`stand.${key}`, { amount: money(amount, order.currency), day, n: days, count: days })}
          {own && !write && (key === 'pending' || key === 'pendingDue' || key === 'overdue') && ` ${t('stand.howToPay')}`}
          {write && primary?.do === 'finish' && isInvoiceInTheWay(order, primary.refund) && ` ${t('stand.redFirst')}`}
        </Typography>
        {(primary || others.length > 0) && (
          <Box sx={{ display: 'flex', flexWrap: 'wrap', gap: 1, mt: 1.5 }}>
            {primary && button(primary, 'contained')}
            {others.map((step) => button(step, step.do === 'notes' || dangerous.includes(step.do) ? 'text' : 'outlined'))}
          </Box>
        )}
      </Box>
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
      <Section title={t('items.label')}>
        <ItemsTable order={order} />
      </Section>
      {(order.payments.length > 0 || order.state === 'pending') && (
        <Section
          title={t('payment.title')}
          note={
            order.state === 'draft' ? undefined : t('payment.progress', { paid: money(order.paid, order.currency), total: money(order.total, order.currency) })
          }
        >
          <PaymentList order={order} mayWrite={write} busy={busy} onAct={act} />
        </Section>
      )}
      {order.refunds.length > 0 && (
        <Section title={t('refund.title')}>
          <RefundList order={order} />
        </Section>
      )}
      {order.invoices.length > 0 && (
        <Section title={t('invoice.title')}>
          <InvoiceList invoices={order.invoices} within={order.id} />
        </Section>
      )}
      <Section title={t('order.history')}>
        <Box component="ol" sx={{ m: 0, p: 0, listStyle: 'none', fontSize: 13 }}>
          {order.history.map((one, at) => (
            <Box component="li" key={at} sx={{ display: 'flex', flexWrap: 'wrap', columnGap: 2, py: 0.5 }}>
              <Box component="time" dateTime={one.at} sx={{ color: 'text.secondary' }}>
                {format.dateTime(one.at, { timeZone })}
              </Box>
              <span>{one.from === null ? t('order.made') : t('order.moved', { from: t(`state.${one.from}`), to: t(`state.${one.to}`) })}</span>
              <Box component="span" sx={{ color: 'text.secondary' }}>
                {one.by === '' ? t('order.system') : one.by}
              </Box>
            </Box>
          ))}
        </Box>
      </Section>
      {dialog?.kind === 'pay' && <PaymentDialog order={order} asFinance={write} onClose={closeDialog} />}
      {dialog?.kind === 'refund' && <RefundDialog order={order} payment={dialog.payment} onClose={closeDialog} />}
      {dialog?.kind === 'invoice' && <InvoiceDialog order={order} onStale={refresh} onClose={closeDialog} />}
      {dialog?.kind === 'notes' && <NotesDialog order={order} onClose={closeDialog} />}
    </Box>
  );
}
