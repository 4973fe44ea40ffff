import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { OrderWhole, Payment, Refund } from '@contract/trades/ledger';
import { defineUndo } from '@/features/notices/undoListeners';
import { useAppDispatch } from '@/store/hooks';
import { useConfirm } from '@/ui/confirmContext';
import type { Question } from '@/ui/confirmContext';
import {
  tradesApi,
  useMoveOrderMutation,
  useMovePaymentMutation,
  useMoveRefundMutation,
  useOrderQuery,
  useRemoveOrderMutation,
  useRenewMutation,
} from '../tradesApi';
import { useMoney, useTradeNotices } from '../useTrades';

const notifyOrderRemoved = defineUndo<{ readonly id: string }>('trades/orderRemovalUndone', (dispatch, order) =>
  dispatch(tradesApi.endpoints.restoreOrder.initiate(order)),
);

type Confirmed = 'send' | 'cancel' | 'fulfil' | 'remove' | 'confirm' | 'fail' | 'reverse' | 'approve' | 'finish' | 'reject';

/** Runs one call at a time, after confirmation if there is a question. A failure is reported, and the order refetched. */
function useRunner(order: OrderWhole) {
  const confirm = useConfirm();
  const notify = useTradeNotices();
  const { refetch } = useOrderQuery({ id: order.id });
  const [busy, setBusy] = useState<string | null>(null);
  const run = async (name: string, question: Question | null, call: () => Promise<{ data?: unknown; error?: unknown }>): Promise<boolean> => {
    if (busy !== null || (question && !(await confirm(question)))) return false;
    setBusy(name);
    const { error } = await call();
    setBusy(null);
    if (error === undefined) return true;
    notify.bad(error);
    void refetch();
    return false;
  };
  return { run, busy, refresh: () => void refetch() };
}

/** The question before an action that others see or that cannot be undone; `danger` says so. */
function useQuestion(order: OrderWhole) {
  const { t } = useTranslation('trades');
  const money = useMoney();
  return (act: Confirmed, amount: number, danger: boolean): Question => {
    const values = { amount: money(amount, order.currency) };
    return {
      title: t(`ask.${act}`, values),
      body: t(`ask.${act}Text`, values),
      confirm: t(`step.${act}`, values),
      ...(danger && { cancel: t('ask.back'), danger }),
    };
  };
}

/** Actions of an order that call the server; `busy` is the name of the one in progress, with the id of its payment or refund. */
export function useOrderCommands(order: OrderWhole, { onOpen, onGone }: { readonly onOpen: (id: string) => void; readonly onGone: () => void }) {
  const dispatch = useAppDispatch();
  const notify = useTradeNotices();
  const money = useMoney();
  const { run, busy, refresh } = useRunner(order);
  const questionOf = useQuestion(order);
  const [moveOrder] = useMoveOrderMutation();
  const [movePayment] = useMovePaymentMutation();
  const [moveRefund] = useMoveRefundMutation();
  const [removeOrder] = useRemoveOrderMutation();
  const [renewOrder] = useRenewMutation();
  const { id, revision, number } = order;
  const amountOf = (of: Payment | Refund) => ({ amount: money(of.amount, order.currency) });

  const changeOrderState = async (act: 'send' | 'cancel' | 'fulfil'): Promise<void> => {
    const to = ({ send: 'pending', cancel: 'cancelled', fulfil: 'fulfilled' } as const)[act];
    const question = questionOf(act, order.total, act === 'cancel');
    if (await run(act, question, () => moveOrder({ id, revision, body: { to } }))) notify.good(`did.${act}`, { number });
  };
  const remove = async (): Promise<void> => {
    if (!(await run('remove', questionOf('remove', 0, true), () => removeOrder({ id })))) return;
    notifyOrderRemoved(dispatch, { key: 'trades:did.remove', values: { number } }, { id });
    onGone();
  };
  const renew = async (): Promise<void> => {
    let next = '';
    const call = async () => {
      const result = await renewOrder({ id });
      next = result.data?.id ?? '';
      return result;
    };
    if (!(await run('renew', null, call))) return;
    notify.good('did.renew');
    onOpen(next);
  };
  const changePaymentState = async (act: 'confirm' | 'fail' | 'reverse', payment: Payment): Promise<void> => {
    const to = ({ confirm: 'confirmed', fail: 'failed', reverse: 'reversed' } as const)[act];
    const question = questionOf(act, payment.amount, act !== 'confirm');
    if (await run(`${act}-${payment.id}`, question, () => movePayment({ id: payment.id, body: { to } }))) notify.good(`did.${act}`, amountOf(payment));
  };
  const changeRefundState = async (act: 'approve' | 'finish' | 'reject', refund: Refund): Promise<void> => {
    const to = ({ approve: 'approved', finish: 'done', reject: 'rejected' } as const)[act];
    const question = questionOf(act, refund.amount, act === 'reject');
    if (await run(`${act}-${refund.id}`, question, () => moveRefund({ id: refund.id, body: { to } }))) notify.good(`did.${act}`, amountOf(refund));
  };
  return { changeOrderState, remove, renew, changePaymentState, changeRefundState, busy, refresh };
}
