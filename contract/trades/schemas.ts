import { z } from 'zod';
import { tradeCalls } from './calls';
import { endpoint } from '../endpoint';
import {
  Invoice,
  InvoiceInput,
  InvoiceTitle,
  InvoiceTitleInput,
  Order,
  OrderInput,
  OrderWhole,
  PaymentInput,
  Statement,
  TradeParty,
  currencies,
  invoiceStates,
  orderKinds,
  orderStates,
  paymentStates,
  positiveAmount,
  redReasons,
  refundStates,
} from './ledger';
import { Page, pageQuery } from '../page';
import { rowId, safeName, safeText } from '../text';

const IdParams = z.object({ id: rowId });
const read = { instance: 'trades.read' } as const;
const write = { instance: 'trades.write' } as const;
const scopes = { token: 'account:read' } as const;
const filters = {
  q: z.string().max(100).optional(),
  state: z.union([z.enum(orderStates), z.array(z.enum(orderStates)).max(orderStates.length)]).optional(),
  kind: z.enum(orderKinds).optional(),
  customerId: z.uuid().optional(),
  siteId: z.string().max(20).optional(),
  currency: z.enum(currencies).optional(),
  /** First and last day of creation, in the reader's time zone. */
  from: z.iso.date().optional(),
  to: z.iso.date().optional(),
  sort: z.enum(['createdAt', '-createdAt', 'total', '-total', 'dueAt', '-dueAt', 'number', '-number']).default('-createdAt'),
};
const statementQuery = { customerId: z.uuid().optional(), currency: z.enum(currencies).default('CNY'), from: z.iso.date(), to: z.iso.date() };
const orderErrors = ['not_found', 'stale_revision', 'invalid_fields', 'immutable'] as const;

export const tradeEndpoints = {
  orders: endpoint(tradeCalls.orders, {
    access: read,
    ...scopes,
    summary: 'Orders: one’s own, or everybody’s for those who may',
    query: z.object({ ...pageQuery, ...filters }),
    /** `sums`: sums of all matching orders, by currency. */
    response: Page(Order).extend({ sums: z.array(z.object({ currency: z.enum(currencies), total: z.int(), paid: z.int(), refunded: z.int() })) }),
  }),
  exportOrders: endpoint(tradeCalls.exportOrders, {
    access: read,
    ...scopes,
    summary: 'The same as a file, whole',
    query: z.object({ ...filters, format: z.enum(['csv', 'json']).default('csv') }),
    kind: 'file',
  }),
  order: endpoint(tradeCalls.order, {
    access: read,
    ...scopes,
    summary: 'One order with payments, refunds and invoices',
    params: IdParams,
    response: OrderWhole,
    errors: ['not_found'],
  }),
  addOrder: endpoint(tradeCalls.addOrder, {
    access: write,
    token: 'account:write',
    summary: 'Draft an order',
    body: OrderInput,
    response: OrderWhole,
    errors: ['invalid_fields'],
  }),
  changeOrder: endpoint(tradeCalls.changeOrder, {
    ifMatch: 'required',
    access: write,
    token: 'account:write',
    summary: 'Replace a draft (If-Match: revision); the note and memo of any order',
    params: IdParams,
    body: OrderInput,
    response: OrderWhole,
    errors: orderErrors,
  }),
  removeOrder: endpoint(tradeCalls.removeOrder, {
    access: write,
    summary: 'Delete a draft; it can be restored for an hour',
    params: IdParams,
    errors: ['not_found', 'immutable'],
  }),
  restoreOrder: endpoint(tradeCalls.restoreOrder, {
    access: write,
    summary: 'Restore a deleted draft, with its number',
    params: IdParams,
    response: OrderWhole,
    errors: ['not_found', 'place_taken', 'parent_gone'],
  }),
  moveOrder: endpoint(tradeCalls.moveOrder, {
    ifMatch: 'required',
    access: write,
    token: 'account:write',
    summary: 'Move an order on (If-Match: revision): ask for payment, cancel, mark as fulfilled',
    params: IdParams,
    body: z.strictObject({ to: z.enum(['pending', 'cancelled', 'fulfilled']) }),
    response: OrderWhole,
    errors: ['not_found', 'stale_revision', 'bad_transition'],
  }),
  addPayment: endpoint(tradeCalls.addPayment, {
    access: read,
    summary:
      'Record a payment of a pending order: by finance, or by the customer, who then waits for its confirmation. What is paid beyond the total stays as credit',
    params: IdParams,
    body: PaymentInput,
    response: OrderWhole,
    errors: ['not_found', 'invalid_fields', 'bad_transition', 'conflict', 'too_large'],
    bodyLimit: 2_900_000,
  }),
  movePayment: endpoint(tradeCalls.movePayment, {
    access: write,
    summary: 'Confirm, fail or reverse a payment; the order follows',
    params: IdParams,
    body: z.strictObject({ to: z.enum(paymentStates) }),
    response: OrderWhole,
    errors: ['not_found', 'bad_transition', 'amount_exceeded'],
  }),
  receipt: endpoint(tradeCalls.receipt, {
    access: read,
    summary: 'The receipt of a payment',
    params: IdParams,
    kind: 'file',
    errors: ['not_found'],
  }),
  addRefund: endpoint(tradeCalls.addRefund, {
    access: write,
    summary: 'Ask for a refund of a confirmed payment, up to what was not refunded yet',
    params: IdParams,
    body: z.strictObject({ amount: positiveAmount, reason: safeText(200) }),
    response: OrderWhole,
    errors: ['not_found', 'invalid_fields', 'amount_exceeded', 'bad_transition'],
  }),
  moveRefund: endpoint(tradeCalls.moveRefund, {
    access: write,
    summary: 'Approve, reject or finish a refund; the order follows',
    params: IdParams,
    body: z.strictObject({ to: z.enum(refundStates) }),
    response: OrderWhole,
    errors: ['not_found', 'bad_transition', 'amount_exceeded'],
  }),
  invoices: endpoint(tradeCalls.invoices, {
    access: read,
    ...scopes,
    summary: 'Invoices (发票): one’s own, or everybody’s for those who may',
    query: z.object({ ...pageQuery, q: z.string().max(100).optional(), state: z.enum(invoiceStates).optional(), customerId: z.uuid().optional() }),
    response: Page(Invoice),
  }),
  addInvoice: endpoint(tradeCalls.addInvoice, {
    access: read,
    summary: 'Ask for an invoice of paid orders',
    body: InvoiceInput,
    response: Invoice,
    errors: ['invalid_fields', 'amount_exceeded', 'currency_mixed', 'bad_transition'],
  }),
  moveInvoice: endpoint(tradeCalls.moveInvoice, {
    ifMatch: 'required',
    access: write,
    summary: 'Issue an invoice (number, file), reject it (reason), or cancel an issued one by a red one (If-Match: revision)',
    params: IdParams,
    body: z.strictObject({
      to: z.enum(['issuing', 'issued', 'rejected', 'red']),
      number: z
        .string()
        .trim()
        .max(30)
        .regex(/^[0-9A-Za-z]*$/)
        .default(''),
      reason: safeText(200).default(''),
      redReason: z.enum(redReasons).nullable().default(null),
      file: z
        .strictObject({ name: safeName(120), type: z.enum(['application/pdf', 'application/ofd', 'application/xml']), content: z.base64().max(2_800_000) })
        .nullable()
        .default(null),
    }),
    response: Invoice,
    errors: ['not_found', 'stale_revision', 'bad_transition', 'invalid_fields', 'too_large'],
    bodyLimit: 2_900_000,
  }),
  invoiceFile: endpoint(tradeCalls.invoiceFile, {
    access: read,
    summary: 'The file of an issued invoice',
    params: IdParams,
    kind: 'file',
    errors: ['not_found'],
  }),
  titles: endpoint(tradeCalls.titles, {
    access: read,
    summary: 'The own billing details for invoices',
    response: z.array(InvoiceTitle),
  }),
  addTitle: endpoint(tradeCalls.addTitle, {
    access: read,
    summary: 'Save billing details',
    body: InvoiceTitleInput,
    response: InvoiceTitle,
    errors: ['invalid_fields', 'conflict'],
  }),
  changeTitle: endpoint(tradeCalls.changeTitle, {
    access: read,
    summary: 'Change billing details',
    params: IdParams,
    body: InvoiceTitleInput,
    response: InvoiceTitle,
    errors: ['not_found', 'invalid_fields'],
  }),
  removeTitle: endpoint(tradeCalls.removeTitle, {
    access: read,
    summary: 'Delete billing details; they can be restored for an hour',
    params: IdParams,
    errors: ['not_found'],
  }),
  restoreTitle: endpoint(tradeCalls.restoreTitle, {
    access: read,
    summary: 'Restore deleted billing details',
    params: IdParams,
    response: InvoiceTitle,
    errors: ['not_found', 'conflict', 'place_taken'],
  }),
  statement: endpoint(tradeCalls.statement, {
    access: read,
    ...scopes,
    summary: 'What one customer was charged, paid and owes over some days (own, without `customerId`)',
    query: z.object(statementQuery),
    response: Statement,
    errors: ['not_found', 'invalid_fields', 'range_not_allowed'],
  }),
  statementFile: endpoint(tradeCalls.statementFile, {
    access: read,
    ...scopes,
    summary: 'The same as CSV or PDF',
    query: z.object({ ...statementQuery, format: z.enum(['csv', 'pdf']) }),
    kind: 'file',
    errors: ['not_found', 'invalid_fields', 'range_not_allowed'],
    ratePerMinute: 60,
  }),
  renewals: endpoint(tradeCalls.renewals, {
    access: read,
    summary: 'Paid orders whose period ends within 30 days or ended within the last 7',
    response: z.array(
      z.object({
        orderId: z.uuid(),
        number: z.string(),
        title: z.string(),
        customer: TradeParty,
        site: z.object({ id: z.string(), name: z.string() }).nullable(),
        endsOn: z.iso.date(),
        days: z.int(),
        renewalOrderId: z.uuid().nullable(),
      }),
    ),
  }),
  renew: endpoint(tradeCalls.renew, {
    access: write,
    summary: 'Draft the order that follows this one: same items, the next period of the same length',
    params: IdParams,
    response: OrderWhole,
    errors: ['not_found', 'bad_transition', 'conflict'],
  }),
  customers: endpoint(tradeCalls.customers, {
    access: { instance: 'trades.readAll' },
    summary: 'People and sites that an order can be for',
    response: z.object({ people: z.array(z.object({ id: z.uuid(), name: z.string() })), sites: z.array(z.object({ id: z.string(), name: z.string() })) }),
  }),
} as const;
