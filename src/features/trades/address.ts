import { currencies, invoiceStates, orderKinds } from '@contract/trades/ledger';
import type { OrderState } from '@contract/trades/ledger';
import { flag, oneOf, text, whole } from '@/lib/searchState';

export const tabs = ['orders', 'invoices', 'statement', 'titles'] as const;

/** States as filters: states that mean the same to a reader are grouped. */
export const stateGroups = {
  draft: ['draft'],
  pending: ['pending'],
  paid: ['paid'],
  fulfilled: ['fulfilled'],
  refunds: ['refunding', 'refunded', 'partly_refunded'],
  closed: ['cancelled', 'expired'],
} as const satisfies Record<string, readonly OrderState[]>;
export type StateGroup = keyof typeof stateGroups;
export const groupNames = Object.keys(stateGroups) as StateGroup[];

export const orderSorts = ['createdAt', '-createdAt', 'total', '-total', 'dueAt', '-dueAt', 'number', '-number'] as const;

/** The tab of the page; the order open in the drawer: `new`, or an id, `edit` shows its form; `ask`: the dialog that requests an invoice is open. */
export const pageAddress = { tab: oneOf(tabs, 'orders'), order: text('', 36), edit: flag(), ask: flag() };

export const orderAddress = {
  q: text('', 100),
  state: oneOf(['all', ...groupNames], 'all'),
  kind: oneOf(['all', ...orderKinds], 'all'),
  customer: text('', 36),
  site: text('', 20),
  from: text('', 10),
  to: text('', 10),
  sort: oneOf(orderSorts, '-createdAt'),
  page: whole(1, 1, 100_000),
  size: whole(20, 1, 100),
};

export const invoiceAddress = {
  q: text('', 100),
  state: oneOf(['all', ...invoiceStates], 'all'),
  customer: text('', 36),
  page: whole(1, 1, 100_000),
  size: whole(20, 1, 100),
};

export const statementAddress = { customer: text('', 36), currency: oneOf(currencies, 'CNY'), from: text('', 10), to: text('', 10) };
