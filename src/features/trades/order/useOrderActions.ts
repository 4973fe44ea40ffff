import { useState } from 'react';
import type { OrderWhole, Payment } from '@contract/trades/ledger';
import type { Step } from '../orderStatus';
import { useOrderCommands } from './useOrderCommands';

/** Actions with a dialog. */
export type OrderDialog = { readonly kind: 'pay' | 'invoice' | 'notes' } | { readonly kind: 'refund'; readonly payment: Payment };

type Go = { readonly onEdit: () => void; readonly onOpen: (id: string) => void; readonly onGone: () => void };
/** An action on a payment other than confirming it. */
export type PaymentAction = { readonly do: 'fail' | 'reverse'; readonly payment: Payment };

/** Runs an action: asks for confirmation if it cannot be undone, reports the result, and shows the current order after a failure. */
export function useOrderActions(order: OrderWhole, { onEdit, onOpen, onGone }: Go) {
  const { changeOrderState, remove, renew, changePaymentState, changeRefundState, busy, refresh } = useOrderCommands(order, { onOpen, onGone });
  const [dialog, setDialog] = useState<OrderDialog | null>(null);
  const act = (step: Step | PaymentAction): void => {
    switch (step.do) {
      case 'edit':
        return onEdit();
      case 'pay':
      case 'upload':
        return setDialog({ kind: 'pay' });
      case 'invoice':
      case 'notes':
        return setDialog({ kind: step.do });
      case 'refund':
        return setDialog({ kind: 'refund', payment: step.payment });
      case 'send':
      case 'cancel':
      case 'fulfil':
        return void changeOrderState(step.do);
      case 'remove':
        return void remove();
      case 'renew':
        return void renew();
      case 'confirm':
      case 'fail':
      case 'reverse':
        return void changePaymentState(step.do, step.payment);
      case 'approve':
      case 'finish':
      case 'reject':
        return void changeRefundState(step.do, step.refund);
    }
  };
  return { act, busy, dialog, closeDialog: () => setDialog(null), refresh };
}
