import { Box, Typography } from '@mui/material';
import type { ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import type { OrderWhole } from '@contract/trades/ledger';
import { Section } from '@/ui/Section';
import { InvoiceDialog } from '../invoice/InvoiceDialog';
import { InvoiceList } from '../invoice/InvoiceList';
import { PaymentDialog } from '../payment/PaymentDialog';
import { PaymentList } from '../payment/PaymentList';
import { RefundDialog } from '../payment/RefundDialog';
import { RefundList } from '../payment/RefundList';
import { orderTones } from '../orderStatus';
import { StateMark } from '../StateMark';
import { useMoney, useTradeRights } from '../useTrades';
import { ItemsTable } from './ItemsTable';
import { NotesDialog } from './NotesDialog';
import { OrderFacts, OrderHistory } from './OrderFacts';
import { OrderStatus } from './OrderStatus';
import { useOrderActions } from './useOrderActions';

function OrderTitle({ order }: { readonly order: OrderWhole }): ReactElement {
  const { t } = useTranslation('trades');
  const money = useMoney();
  return (
    <>
      <Box sx={{ display: 'flex', flexWrap: 'wrap', justifyContent: 'space-between', alignItems: 'baseline', columnGap: 3, rowGap: 0.5 }}>
        <Typography component="h3" sx={{ fontSize: 'var(--text-section)', fontWeight: 600, overflowWrap: 'anywhere', minWidth: 0 }}>
          {order.title}
        </Typography>
        <Typography component="span" sx={{ fontSize: 'var(--text-section)', fontWeight: 600, whiteSpace: 'nowrap' }}>
          {money(order.total, order.currency)}
        </Typography>
      </Box>
      <Box sx={{ display: 'flex', flexWrap: 'wrap', gap: 2, fontSize: 'var(--text-table)', color: 'text.secondary' }}>
        <span>{order.number}</span>
        <StateMark tone={orderTones[order.state]}>{t(`state.${order.state}`)}</StateMark>
      </Box>
    </>
  );
}

type Props = { readonly order: OrderWhole; readonly onEdit: () => void; readonly onOpen: (id: string) => void; readonly onGone: () => void };

/** One order: its state and the next step first, then its lines, payments, refunds and invoices, and its history. */
export function OrderView({ order, onEdit, onOpen, onGone }: Props): ReactElement {
  const { t } = useTranslation('trades');
  const money = useMoney();
  const { write } = useTradeRights();
  const { act, busy, dialog, closeDialog, refresh } = useOrderActions(order, { onEdit, onOpen, onGone });
  return (
    <Box sx={{ px: 3, pb: 4 }}>
      <OrderTitle order={order} />
      <OrderStatus order={order} busy={busy} onAct={act} />
      <OrderFacts order={order} />
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
        <OrderHistory order={order} />
      </Section>
      {dialog?.kind === 'pay' && <PaymentDialog order={order} asFinance={write} onClose={closeDialog} />}
      {dialog?.kind === 'refund' && <RefundDialog order={order} payment={dialog.payment} onClose={closeDialog} />}
      {dialog?.kind === 'invoice' && <InvoiceDialog order={order} onStale={refresh} onClose={closeDialog} />}
      {dialog?.kind === 'notes' && <NotesDialog order={order} onClose={closeDialog} />}
    </Box>
  );
}
