import { sql } from 'drizzle-orm';
import { bigint, check, customType, date, index, integer, numeric, pgTable, primaryKey, text, timestamp, uniqueIndex, uuid } from 'drizzle-orm/pg-core';
import type {
  Currency,
  InvoiceState,
  OrderState,
  PaymentState,
  RefundState,
  invoiceTypes,
  orderKinds,
  paymentMethods,
  redReasons,
  titleTypes,
} from '../../../contract/trades/ledger';
import { users } from '../account/schema';
import { sites } from '../sites/schema';

const bytea = customType<{ data: Buffer }>({ dataType: () => 'bytea' });
const moment = (name: string) => timestamp(name, { withTimezone: true, precision: 3 });
/** Amounts in minor units. */
const money = (name: string) => bigint(name, { mode: 'number' });

/*
 * The database enforces the rules of the ledger: triggers of migration `trades_guard` reject transitions that are not in `trade_moves`, changes of orders that
 * are no longer drafts, deletions, refunds above a payment and invoices above the amount paid and not refunded. The code checks first; the triggers apply to
 * every other writer.
 */

/** The allowed transitions of orders, payments, refunds and invoices; the same as in contract/trades/ledger.ts. */
export const tradeMoves = pgTable(
  'trade_moves',
  {
    kind: text().$type<'order' | 'payment' | 'refund' | 'invoice'>().notNull(),
    fromState: text('from_state').notNull(),
    toState: text('to_state').notNull(),
  },
  (t) => [primaryKey({ columns: [t.kind, t.fromState, t.toState] })],
);

/** The last order number of each day. */
export const tradeNumbers = pgTable('trade_numbers', { day: date().primaryKey(), last: integer().notNull() });

export const tradeOrders = pgTable(
  'trade_orders',
  {
    id: uuid().primaryKey().defaultRandom(),
    number: text().notNull(),
    customerId: uuid('customer_id')
      .notNull()
      .references(() => users.id),
    siteId: text('site_id').references(() => sites.id, { onDelete: 'set null' }),
    kind: text().$type<(typeof orderKinds)[number]>().notNull(),
    title: text().notNull(),
    currency: text().$type<Currency>().notNull(),
    subtotal: money('subtotal').notNull(),
    discount: money('discount').notNull(),
    tax: money('tax').notNull(),
    total: money('total').notNull(),
    periodFrom: date('period_from'),
    periodTo: date('period_to'),
    renewalNote: text('renewal_note').notNull(),
    dueAt: date('due_at'),
    state: text().$type<OrderState>().notNull().default('draft'),
    note: text().notNull(),
    memo: text().notNull(),
    /** The order that this one renews. */
    renewsId: uuid('renews_id'),
    createdBy: uuid('created_by')
      .notNull()
      .references(() => users.id),
    createdAt: moment('created_at').notNull(),
    /** When payment was first requested: the date of the charge in statements. */
    chargedAt: moment('charged_at'),
    /** Since when the order counts as fulfilled, regardless of pending refunds; null again if it awaits payment again. */
    fulfilledAt: moment('fulfilled_at'),
    /** When the order was cancelled or expired. */
    endedAt: moment('ended_at'),
    revision: integer().notNull().default(1),
  },
  (t) => [
    uniqueIndex('trade_orders_number_key').on(t.number),
    uniqueIndex('trade_orders_renews_key')
      .on(t.renewsId)
      .where(sql`${t.state} not in ('cancelled', 'expired')`),
    index('trade_orders_customer_index').on(t.customerId, t.createdAt),
    index('trade_orders_created_at_index').on(t.createdAt),
    index('trade_orders_site_index').on(t.siteId),
    index('trade_orders_period_index').on(t.periodTo),
    check('trade_orders_amounts', sql`${t.subtotal} >= 0 and ${t.discount} >= 0 and ${t.tax} >= 0 and ${t.total} between 0 and 1000000000000`),
    check('trade_orders_total', sql`${t.total} = ${t.subtotal} - ${t.discount} + ${t.tax}`),
    check('trade_orders_period', sql`(${t.periodFrom} is null) = (${t.periodTo} is null) and ${t.periodFrom} <= ${t.periodTo}`),
    check('trade_orders_currency', sql`${t.currency} in ('CNY', 'USD', 'EUR', 'HKD', 'JPY', 'GBP', 'TWD', 'SGD')`),
    check('trade_orders_charged', sql`(${t.state} = 'draft') = (${t.chargedAt} is null)`),
    check('trade_orders_ended', sql`(${t.state} in ('cancelled', 'expired')) = (${t.endedAt} is not null)`),
  ],
);

export const tradeOrderItems = pgTable(
  'trade_order_items',
  {
    orderId: uuid('order_id')
      .notNull()
      .references(() => tradeOrders.id, { onDelete: 'cascade' }),
    position: integer().notNull(),
    name: text().notNull(),
    quantity: numeric({ precision: 10, scale: 3 }).notNull(),
    unitPrice: money('unit_price').notNull(),
    discount: money('discount').notNull(),
    /** Basis points. */
    taxRate: integer('tax_rate').notNull(),
    amount: money('amount').notNull(),
    tax: money('tax').notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.orderId, t.position] }),
    check('trade_order_items_positive', sql`${t.quantity} > 0 and ${t.unitPrice} >= 0 and ${t.discount} >= 0 and ${t.taxRate} between 0 and 10000`),
    // round() of numeric rounds halves away from zero, which is up for these non-negative values.
    check('trade_order_items_amount', sql`${t.amount} >= 0 and ${t.amount} = round(${t.quantity} * ${t.unitPrice}) - ${t.discount}`),
    check('trade_order_items_tax', sql`${t.tax} = round(${t.amount}::numeric * ${t.taxRate} / 10000)`),
  ],
);

/** Receipts of payments and files of invoices. */
export const tradeFiles = pgTable(
  'trade_files',
  {
    id: uuid().primaryKey().defaultRandom(),
    name: text().notNull(),
    type: text().notNull(),
    bytes: integer().notNull(),
    content: bytea().notNull(),
    createdAt: moment('created_at').notNull(),
  },
  (t) => [check('trade_files_size', sql`${t.bytes} = octet_length(${t.content}) and ${t.bytes} between 1 and 2097152`)],
);

export const tradePayments = pgTable(
  'trade_payments',
  {
    id: uuid().primaryKey().defaultRandom(),
    orderId: uuid('order_id')
      .notNull()
      .references(() => tradeOrders.id),
    method: text().$type<(typeof paymentMethods)[number]>().notNull(),
    amount: money('amount').notNull(),
    paidAt: date('paid_at').notNull(),
    reference: text().notNull(),
    fileId: uuid('file_id').references(() => tradeFiles.id),
    state: text().$type<PaymentState>().notNull().default('recorded'),
    createdBy: uuid('created_by')
      .notNull()
      .references(() => users.id),
    createdAt: moment('created_at').notNull(),
    confirmedAt: moment('confirmed_at'),
    reversedAt: moment('reversed_at'),
  },
  (t) => [
    index('trade_payments_order_index').on(t.orderId),
    index('trade_payments_reference_index').on(t.reference),
    check('trade_payments_amount', sql`${t.amount} between 1 and 1000000000000`),
    check('trade_payments_confirmed', sql`(${t.state} in ('confirmed', 'reversed')) = (${t.confirmedAt} is not null)`),
    check('trade_payments_reversed', sql`(${t.state} = 'reversed') = (${t.reversedAt} is not null)`),
  ],
);

export const tradeRefunds = pgTable(
  'trade_refunds',
  {
    id: uuid().primaryKey().defaultRandom(),
    orderId: uuid('order_id')
      .notNull()
      .references(() => tradeOrders.id),
    paymentId: uuid('payment_id')
      .notNull()
      .references(() => tradePayments.id),
    amount: money('amount').notNull(),
    /** The part that reduces the charge; the rest returns overpayment. Set when the refund is completed. */
    waived: money('waived').notNull().default(0),
    reason: text().notNull(),
    state: text().$type<RefundState>().notNull().default('requested'),
    createdBy: uuid('created_by')
      .notNull()
      .references(() => users.id),
    createdAt: moment('created_at').notNull(),
    doneAt: moment('done_at'),
  },
  (t) => [
    index('trade_refunds_order_index').on(t.orderId),
    index('trade_refunds_payment_index').on(t.paymentId),
    check('trade_refunds_amount', sql`${t.amount} between 1 and 1000000000000 and ${t.waived} between 0 and ${t.amount}`),
    check('trade_refunds_done', sql`(${t.state} = 'done') = (${t.doneAt} is not null)`),
  ],
);

const titleColumns = () => ({
  titleType: text('title_type').$type<(typeof titleTypes)[number]>().notNull(),
  title: text().notNull(),
  taxNumber: text('tax_number'),
  address: text().notNull(),
  phone: text().notNull(),
  bank: text().notNull(),
  account: text().notNull(),
  email: text(),
});

export const tradeTitles = pgTable(
  'trade_titles',
  {
    id: uuid().primaryKey().defaultRandom(),
    userId: uuid('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    ...titleColumns(),
    createdAt: moment('created_at').notNull(),
  },
  // Two titles with the same name are distinguished by their tax numbers.
  (t) => [uniqueIndex('trade_titles_key').on(t.userId, t.titleType, t.title, sql`coalesce(${t.taxNumber}, '')`)],
);

export const tradeInvoices = pgTable(
  'trade_invoices',
  {
    id: uuid().primaryKey().defaultRandom(),
    customerId: uuid('customer_id')
      .notNull()
      .references(() => users.id),
    type: text().$type<(typeof invoiceTypes)[number]>().notNull(),
    ...titleColumns(),
    amount: money('amount').notNull(),
    currency: text().$type<Currency>().notNull(),
    state: text().$type<InvoiceState>().notNull().default('requested'),
    number: text().notNull().default(''),
    redNumber: text('red_number').notNull().default(''),
    redReason: text('red_reason').$type<(typeof redReasons)[number]>(),
    reason: text().notNull().default(''),
    fileId: uuid('file_id').references(() => tradeFiles.id),
    issuedAt: moment('issued_at'),
    createdBy: uuid('created_by')
      .notNull()
      .references(() => users.id),
    createdAt: moment('created_at').notNull(),
    revision: integer().notNull().default(1),
  },
  (t) => [
    uniqueIndex('trade_invoices_number_key')
      .on(t.number)
      .where(sql`${t.number} <> ''`),
    index('trade_invoices_customer_index').on(t.customerId, t.createdAt),
    check('trade_invoices_amount', sql`${t.amount} > 0`),
    check('trade_invoices_company', sql`${t.titleType} <> 'company' or ${t.taxNumber} is not null`),
    check(
      'trade_invoices_special',
      sql`${t.type} <> 'special' or (${t.taxNumber} is not null and ${t.address} <> '' and ${t.phone} <> '' and ${t.bank} <> '' and ${t.account} <> '')`,
    ),
    check('trade_invoices_issued', sql`(${t.state} in ('issued', 'red')) = (${t.issuedAt} is not null and ${t.number} <> '')`),
    check('trade_invoices_red', sql`(${t.state} = 'red') = (${t.redReason} is not null)`),
  ],
);

/** The orders that an invoice covers, with the covered amount of each. */
export const tradeInvoiceOrders = pgTable(
  'trade_invoice_orders',
  {
    invoiceId: uuid('invoice_id')
      .notNull()
      .references(() => tradeInvoices.id),
    orderId: uuid('order_id')
      .notNull()
      .references(() => tradeOrders.id),
    amount: money('amount').notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.invoiceId, t.orderId] }),
    index('trade_invoice_orders_order_index').on(t.orderId),
    check('trade_invoice_orders_amount', sql`${t.amount} > 0`),
  ],
);

/** Every state transition of an order. Append-only. */
export const tradeHistory = pgTable(
  'trade_history',
  {
    id: bigint({ mode: 'bigint' }).primaryKey().generatedAlwaysAsIdentity(),
    orderId: uuid('order_id')
      .notNull()
      .references(() => tradeOrders.id, { onDelete: 'cascade' }),
    at: moment('at').notNull(),
    fromState: text('from_state').$type<OrderState>(),
    toState: text('to_state').$type<OrderState>().notNull(),
    byId: uuid('by_id').references(() => users.id),
    /** Empty: the program itself. */
    byName: text('by_name').notNull(),
  },
  (t) => [index('trade_history_order_index').on(t.orderId, t.id)],
);

/** Renewal notices that were sent, once each. */
export const tradeNotices = pgTable(
  'trade_notices',
  {
    orderId: uuid('order_id')
      .notNull()
      .references(() => tradeOrders.id, { onDelete: 'cascade' }),
    /** Days before the end: 30, 7 or 1. */
    days: integer().notNull(),
    sentAt: moment('sent_at').notNull(),
  },
  (t) => [primaryKey({ columns: [t.orderId, t.days] })],
);
