import { fireEvent, screen, within } from '@testing-library/react';
import type { OrderWhole } from '../../contract/trades/ledger';
import { instanceActions, may } from '../../contract/permissions';
import type { InstanceRole } from '../../contract/permissions';
import { session, user } from './factories';
import type { Answer } from './fakeServer';
import { customer, invoice, order, payment, refund } from './ledger';
import { renderApp } from './renderApp';

export const root = '/api/acc/trades';
export const one = `${root}/orders/${order().id}`;

export const found = (...rows: OrderWhole[]) => ({
  rows,
  total: rows.length,
  sums:
    rows.length === 0
      ? []
      : [{ currency: 'CNY', total: rows.reduce((sum, row) => sum + row.total, 0), paid: rows.reduce((sum, row) => sum + row.paid, 0), refunded: 0 }],
});
/** A session with another role. */
export const as = (role: InstanceRole) =>
  ({ 'GET /api/acc/token/session': { data: session({ role, can: instanceActions.filter((action) => may(role, action)) }) } }) satisfies Record<string, Answer>;

/** The ledger screen over a fake server with one draft. */
export async function openTrades(search: string, answers: Record<string, Answer>) {
  const app = await renderApp(`/account/trades/account_trades${search}`, {
    answers: {
      [`GET ${root}/orders`]: { data: found(order()) },
      [`GET ${root}/renewals`]: { data: [] },
      [`GET ${root}/titles`]: { data: [] },
      [`GET ${root}/invoices`]: { data: { rows: [], total: 0 } },
      [`GET ${root}/customers`]: { data: { people: [customer, { id: user().id, name: '陈晓' }], sites: [{ id: 'abcdefghijkl', name: 'Tea House' }] } },
      [`GET ${one}`]: { data: order() },
      ...answers,
    },
  });
  await screen.findByRole('heading', { level: 1, name: '订单与发票', hidden: true });
  return app;
}

export const drawer = (name: string) => screen.findByRole('dialog', { name });
export const field = (dialog: HTMLElement, name: string | RegExp) => within(dialog).findByLabelText(name);
/** Replaces the text of a field and blurs it. */
export const rewrite = (box: HTMLElement, text: string): void => {
  fireEvent.change(box, { target: { value: text } });
  fireEvent.blur(box);
};

/** An order that changes state as on the server. */
export function ledger(start: OrderWhole) {
  let now = start;
  const step = (change: Partial<OrderWhole>): Answer => {
    now = { ...now, ...change, revision: now.revision + 1 };
    return { data: now };
  };
  return {
    [`GET ${one}`]: () => ({ data: now }),
    [`GET ${root}/orders`]: () => ({ data: found(now) }),
    [`POST ${one}/state`]: async (request: Request) => step({ state: ((await request.json()) as { to: 'pending' }).to }),
    [`POST ${one}/payments`]: () => step({ payments: [payment()] }),
    [`POST ${root}/payments/${payment().id}/state`]: () => step({ payments: [payment({ state: 'confirmed' })], paid: now.total, state: 'paid' }),
    [`POST ${root}/payments/${payment().id}/refunds`]: () => step({ refunds: [refund()], state: 'refunding' }),
    [`POST ${root}/refunds/${refund().id}/state`]: async (request: Request) => {
      const { to } = (await request.json()) as { to: 'approved' | 'done' };
      return step({ refunds: [refund({ state: to })], ...(to === 'done' && { state: 'partly_refunded', refunded: refund().amount }) });
    },
    [`POST ${root}/invoices`]: () => {
      now = { ...now, invoices: [invoice()], invoiced: now.total };
      return { data: invoice() };
    },
    [`POST ${root}/invoices/${invoice().id}/state`]: () => {
      const issued = invoice({ state: 'issued', number: '25322000000012345678', issuedAt: '2026-11-22T02:00:00.000Z', revision: 2 });
      now = { ...now, invoices: [issued] };
      return { data: issued };
    },
  } satisfies Record<string, Answer>;
}
