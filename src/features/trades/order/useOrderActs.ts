import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { OrderWhole, Payment } from '@contract/trades/ledger';
import { useConfirm } from '@/ui/confirmContext';
import type { Question } from '@/ui/confirmContext';
import type { Step } from '../standing';
import { useMoveOrderMutation, useMovePaymentMutation, useMoveRefundMutation, useOrderQuery, useRemoveOrderMutation, useRenewMutation } from '../tradesApi';
import { useMoney, useTell } from '../useTrades';

/** Actions with a dialog. */
export type OrderDialog = { readonly kind: 'pay' | 'invoice' | 'notes' } | { readonly kind: 'refund'; readonly payment: Payment };

type Go = { readonly onEdit: () => void; readonly onOpen: (id: string) => void; readonly onGone: () => void };
/** An action on a payment other than confirming it. */
export type PaymentAct = { readonly do: 'fail' | 'reverse'; readonly payment: Payment };

/** Runs an action: asks for confirmation if it cannot be undone, reports the result, and shows the current order after a failure. */
export function useOrderActs(order: OrderWhole, { onEdit, onOpen, onGone }: Go) {
  const { t } = useTranslation('trades');
  const confirm = useConfirm();
  const tell = useTell();
  const money = useMoney();
  const { refetch } = useOrderQuery({ id: order.id });
  const [moveOrder] = useMoveOrderMutation();
  const [movePayment] = useMovePaymentMutation();
  const [moveRefund] = useMoveRefundMutation();
  const [removeOrder] = useRemoveOrderMutation();
  const [renew] = useRenewMutation();
  const [busy, setBusy] = useState<string | null>(null);
  const [dialog, setDialog] = useState<OrderDialog | null>(null);
  const say = (amount: number) => money(amount, order.currency);

  const run = async (name: string, question: Question | null, call: () => Promise<{ data?: unknown; error?: unknown }>): Promise<boolean> => {
    if (busy !== null || (question && !(await confirm(question)))) return false;
    setBusy(name);
    const { error } = await call();
    setBusy(null);
    if (error === undefined) return true;
    tell.bad(error);
    void refetch();
    return false;
  };
  const ask = (
    act: 'send' | 'cancel' | 'fulfil' | 'remove' | 'confirm' | 'fail' | 'reverse' | 'approve' | 'finish' | 'reject',
    amount = 0,
    danger = false,
  ): Question => ({
    title: t(`ask.${act}`, { amount: say(amount) }),
    body: t(`ask.${act}Text`, { amount: say(amount) }),
    confirm: t(`step.${act}`, { amount: say(amount) }),
    ...(danger && { cancel: t('ask.back'), danger }),
  });

  const act = async (step: Step | PaymentAct): Promise<void> => {
    const { id, revision } = order;
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
      case 'fulfil': {
        const to = ({ send: 'pending', cancel: 'cancelled', fulfil: 'fulfilled' } as const)[step.do];
        if (await run(step.do, ask(step.do, order.total, step.do === 'cancel'), () => moveOrder({ id, revision, body: { to } })))
          tell.good(`did.${step.do}`, { number: order.number });
        return;
      }
      case 'remove':
        if (await run('remove', ask('remove', 0, true), () => removeOrder({ id }))) {
          tell.good('did.remove', { number: order.number });
          onGone();
        }
        return;
      case 'renew': {
        let next = '';
        const call = async () => {
          const result = await renew({ id });
          next = result.data?.id ?? '';
          return result;
        };
        if (await run('renew', null, call)) {
          tell.good('did.renew');
          onOpen(next);
        }
        return;
      }
      case 'confirm':
      case 'fail':
      case 'reverse': {
        const to = ({ confirm: 'confirmed', fail: 'failed', reverse: 'reversed' } as const)[step.do];
        const question = ask(step.do, step.payment.amount, step.do !== 'confirm');
        if (await run(`${step.do}-${step.payment.id}`, question, () => movePayment({ id: step.payment.id, body: { to } })))
          tell.good(`did.${step.do}`, { amount: say(step.payment.amount) });
        return;
      }
      case 'approve':
      case 'finish':
      case 'reject': {
        const to = ({ approve: 'approved', finish: 'done', reject: 'rejected' } as const)[step.do];
        const question = ask(step.do, step.refund.amount, step.do === 'reject');
        if (await run(`${step.do}-${step.refund.id}`, question, () => moveRefund({ id: step.refund.id, body: { to } })))
          tell.good(`did.${step.do}`, { amount: say(step.refund.amount) });
      }
    }
  };
  return { act: (step: Step | PaymentAct) => void act(step), busy, dialog, closeDialog: () => setDialog(null), refresh: () => void refetch() };
}
