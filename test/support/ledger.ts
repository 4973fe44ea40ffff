import type { Invoice, OrderWhole, Payment, Refund } from '../../contract/trades/ledger';
import { orderAmounts } from '../../contract/trades/ledger';
import { user } from './factories';

const at = '2026-11-20T08:00:00.000Z';
export const customer = { id: '3c9a1f10-8c5e-4d2b-9a57-0c5a4a6a1f11', name: '海港茶业' } as const;

/** Rows of the ledger as the server sends them; a test sets only what it is about. */
export const order = (change: Partial<OrderWhole> = {}): OrderWhole => {
  const items = change.items ?? [
    { name: '官网设计', quantity: '2.5', unitPrice: 120_000, discount: 20_000, taxRate: 600, amount: 280_000, tax: 16_800 },
    { name: '域名 tea.example', quantity: '1', unitPrice: 7_900, discount: 0, taxRate: 0, amount: 7_900, tax: 0 },
  ];
  return {
    id: '5f6a7b80-1111-4222-8333-944455566601',
    number: 'T20261120-0001',
    customer,
    site: { id: 'abcdefghijkl', name: 'Tea House' },
    kind: 'service',
    title: '官网改版',
    currency: 'CNY',
    items,
    ...orderAmounts(items),
    paid: 0,
    refunded: 0,
    invoiced: 0,
    period: null,
    renewalNote: '',
    dueAt: null,
    state: 'draft',
    note: '',
    memo: '',
    createdBy: { id: user().id, name: user().displayName },
    createdAt: at,
    revision: 1,
    payments: [],
    refunds: [],
    invoices: [],
    history: [{ at, from: null, to: 'draft', by: 'Chen Xiao' }],
    ...change,
  };
};

export const payment = (change: Partial<Payment> = {}): Payment => ({
  id: '5f6a7b80-1111-4222-8333-944455566602',
  orderId: order().id,
  method: 'bank',
  amount: order().total,
  paidAt: '2026-11-21',
  reference: 'B20261121',
  receipt: null,
  state: 'recorded',
  sameReference: false,
  createdBy: customer,
  createdAt: at,
  ...change,
});

export const refund = (change: Partial<Refund> = {}): Refund => ({
  id: '5f6a7b80-1111-4222-8333-944455566603',
  orderId: order().id,
  paymentId: payment().id,
  amount: 100_000,
  reason: '少做一页',
  state: 'requested',
  createdBy: { id: user().id, name: user().displayName },
  createdAt: at,
  ...change,
});

export const invoice = (change: Partial<Invoice> = {}): Invoice => ({
  id: '5f6a7b80-1111-4222-8333-944455566604',
  customer,
  type: 'normal',
  titleType: 'company',
  title: '海港茶业有限公司',
  taxNumber: '91350211M000100Y46',
  address: '',
  phone: '',
  bank: '',
  account: '',
  email: null,
  orders: [{ orderId: order().id, number: order().number, amount: order().total }],
  amount: order().total,
  currency: 'CNY',
  state: 'requested',
  number: '',
  redNumber: '',
  redReason: null,
  reason: '',
  file: null,
  issuedAt: null,
  createdAt: at,
  revision: 1,
  ...change,
});
