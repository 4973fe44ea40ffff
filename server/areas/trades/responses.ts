import type { Invoice, InvoiceTitle, Order, OrderWhole } from '../../../contract/trades/ledger';
import { coveredBy, invoicesOfOrder } from './invoiceQueries';
import type { InvoiceRow, TitleRecord } from './invoiceQueries';
import { historyOf, itemsOf, paymentsOf, refundsOf } from './queries';
import type { Db, ItemRecord, OrderRow } from './queries';

/** What a reader may see of an order. */
export type Reader = {
  /** May edit the ledger; sees memos. */
  readonly writes: boolean;
  /** Sees the orders of all customers. */
  readonly readsAll: boolean;
};

/** The canonical form of a quantity: `02.500` is `2.5`, `2.000` is `2`. */
export const plainQuantity = (quantity: string): string => (quantity.includes('.') ? quantity.replace(/\.?0+$/, '') : quantity).replace(/^0+(?=\d)/, '');
const file = (name: string | null, bytes: number | null) => (name === null ? null : { name, bytes: bytes ?? 0 });

function orderResponse(row: OrderRow, items: readonly ItemRecord[], reader: Reader): Order {
  const { order } = row;
  return {
    id: order.id,
    number: order.number,
    customer: { id: order.customerId, name: row.customerName },
    site: order.siteId === null ? null : { id: order.siteId, name: row.siteName ?? '' },
    kind: order.kind,
    title: order.title,
    currency: order.currency,
    items: items.map(({ name, quantity, unitPrice, discount, taxRate, amount, tax }) => ({
      name,
      quantity: plainQuantity(quantity),
      unitPrice,
      discount,
      taxRate,
      amount,
      tax,
    })),
    subtotal: order.subtotal,
    discount: order.discount,
    tax: order.tax,
    total: order.total,
    paid: row.paid,
    refunded: row.refunded,
    invoiced: row.invoiced,
    period: order.periodFrom === null || order.periodTo === null ? null : { from: order.periodFrom, to: order.periodTo },
    renewalNote: order.renewalNote,
    dueAt: order.dueAt,
    state: order.state,
    note: order.note,
    memo: reader.writes ? order.memo : null,
    createdBy: { id: order.createdBy, name: row.makerName },
    createdAt: order.createdAt.toISOString(),
    revision: order.revision,
  };
}

/** Orders with their items. */
export async function orderResponses(db: Db, rows: readonly OrderRow[], reader: Reader): Promise<Order[]> {
  if (rows.length === 0) return [];
  const items = new Map<string, ItemRecord[]>();
  for (const item of await itemsOf(
    db,
    rows.map(({ order }) => order.id),
  ))
    items.set(item.orderId, [...(items.get(item.orderId) ?? []), item]);
  return rows.map((row) => orderResponse(row, items.get(row.order.id) ?? [], reader));
}

/** An order with its items, payments, refunds and history. */
export async function orderDetailsResponse(db: Db, row: OrderRow, reader: Reader): Promise<OrderWhole> {
  const { order } = row;
  const items = await itemsOf(db, [order.id]);
  const payments = await paymentsOf(db, order.id, reader.readsAll ? null : order.customerId);
  const refunds = await refundsOf(db, order.id);
  const history = await historyOf(db, order.id);
  return {
    ...orderResponse(row, items, reader),
    payments: payments.map(({ payment, makerName, fileName, fileBytes, sameReference }) => ({
      id: payment.id,
      orderId: payment.orderId,
      method: payment.method,
      amount: payment.amount,
      paidAt: payment.paidAt,
      reference: payment.reference,
      receipt: file(fileName, fileBytes),
      state: payment.state,
      sameReference,
      createdBy: { id: payment.createdBy, name: makerName },
      createdAt: payment.createdAt.toISOString(),
    })),
    refunds: refunds.map(({ refund, makerName }) => ({
      id: refund.id,
      orderId: refund.orderId,
      paymentId: refund.paymentId,
      amount: refund.amount,
      reason: refund.reason,
      state: refund.state,
      createdBy: { id: refund.createdBy, name: makerName },
      createdAt: refund.createdAt.toISOString(),
    })),
    invoices: await invoiceResponses(db, await invoicesOfOrder(db, order.id)),
    history: history.map(({ at, fromState, toState, byName }) => ({ at: at.toISOString(), from: fromState, to: toState, by: byName })),
  };
}

export const invoiceTitleResponse = ({ id, titleType, title, taxNumber, address, phone, bank, account, email }: TitleRecord): InvoiceTitle => ({
  id,
  titleType,
  title,
  taxNumber,
  address,
  phone,
  bank,
  account,
  email,
});

/** Invoices with the orders that they cover. */
export async function invoiceResponses(db: Db, rows: readonly InvoiceRow[]): Promise<Invoice[]> {
  if (rows.length === 0) return [];
  const covers = await coveredBy(
    db,
    rows.map(({ invoice }) => invoice.id),
  );
  return rows.map(({ invoice, customerName, fileName, fileBytes }) => ({
    id: invoice.id,
    customer: { id: invoice.customerId, name: customerName },
    type: invoice.type,
    titleType: invoice.titleType,
    title: invoice.title,
    taxNumber: invoice.taxNumber,
    address: invoice.address,
    phone: invoice.phone,
    bank: invoice.bank,
    account: invoice.account,
    email: invoice.email,
    orders: covers.filter(({ invoiceId }) => invoiceId === invoice.id).map(({ orderId, number, amount }) => ({ orderId, number, amount })),
    amount: invoice.amount,
    currency: invoice.currency,
    state: invoice.state,
    number: invoice.number,
    redNumber: invoice.redNumber,
    redReason: invoice.redReason,
    reason: invoice.reason,
    file: file(fileName, fileBytes),
    issuedAt: invoice.issuedAt?.toISOString() ?? null,
    createdAt: invoice.createdAt.toISOString(),
    revision: invoice.revision,
  }));
}
