import { z } from 'zod';
import { safeName, safeText } from '../text';

/**
 * The ledger of what the operator of this installation sold to its people, or bought for a site: maintained by hand, by owners and finance. It transfers no
 * money. Amounts are whole minor units (fen, cents) of the order's ISO 4217 currency.
 */
export const orderKinds = ['plan', 'domain', 'certificate', 'filing', 'service', 'other'] as const;
export const orderStates = ['draft', 'pending', 'paid', 'fulfilled', 'cancelled', 'expired', 'refunding', 'refunded', 'partly_refunded'] as const;
export type OrderState = (typeof orderStates)[number];

/**
 * State transitions of orders. `by`: made by a person, or by the system as a consequence of confirmed payments and refunds. The database has the same table and
 * refuses all other transitions by trigger; a test compares the two.
 */
export const orderMoves = [
  { from: 'draft', to: 'pending', by: 'person' },
  { from: 'pending', to: 'cancelled', by: 'person' },
  { from: 'pending', to: 'expired', by: 'system' },
  { from: 'pending', to: 'paid', by: 'system' },
  { from: 'paid', to: 'pending', by: 'system' },
  { from: 'fulfilled', to: 'pending', by: 'system' },
  { from: 'partly_refunded', to: 'pending', by: 'system' },
  { from: 'refunding', to: 'pending', by: 'system' },
  { from: 'pending', to: 'partly_refunded', by: 'system' },
  { from: 'paid', to: 'fulfilled', by: 'person' },
  { from: 'paid', to: 'refunding', by: 'system' },
  { from: 'fulfilled', to: 'refunding', by: 'system' },
  { from: 'refunding', to: 'paid', by: 'system' },
  { from: 'refunding', to: 'fulfilled', by: 'system' },
  { from: 'refunding', to: 'refunded', by: 'system' },
  { from: 'refunding', to: 'partly_refunded', by: 'system' },
  { from: 'partly_refunded', to: 'refunding', by: 'system' },
] as const satisfies readonly { from: OrderState; to: OrderState; by: 'person' | 'system' }[];

export const paymentMethods = ['bank', 'wechat', 'alipay', 'cash', 'stripe', 'offset', 'other'] as const;
export const paymentStates = ['recorded', 'confirmed', 'failed', 'reversed'] as const;
export type PaymentState = (typeof paymentStates)[number];
export const paymentMoves = [
  { from: 'recorded', to: 'confirmed' },
  { from: 'recorded', to: 'failed' },
  { from: 'confirmed', to: 'reversed' },
] as const satisfies readonly { from: PaymentState; to: PaymentState }[];

export const refundStates = ['requested', 'approved', 'done', 'rejected'] as const;
export type RefundState = (typeof refundStates)[number];
export const refundMoves = [
  { from: 'requested', to: 'approved' },
  { from: 'requested', to: 'rejected' },
  { from: 'approved', to: 'done' },
  { from: 'approved', to: 'rejected' },
] as const satisfies readonly { from: RefundState; to: RefundState }[];

/** 普票 | 专票. */
export const invoiceTypes = ['normal', 'special'] as const;
export const titleTypes = ['person', 'company'] as const;
export const invoiceStates = ['requested', 'issuing', 'issued', 'rejected', 'red'] as const;
export type InvoiceState = (typeof invoiceStates)[number];
export const invoiceMoves = [
  { from: 'requested', to: 'issuing' },
  { from: 'requested', to: 'issued' },
  { from: 'requested', to: 'rejected' },
  { from: 'issuing', to: 'issued' },
  { from: 'issuing', to: 'rejected' },
  { from: 'issued', to: 'red' },
] as const satisfies readonly { from: InvoiceState; to: InvoiceState }[];
/** 开票有误 | 销货退回 | 服务终止 | 销售折让 (reasons of a red invoice, as the tax platform names them). */
export const redReasons = ['mistake', 'returned', 'ended', 'allowance'] as const;

export const currencies = ['CNY', 'USD', 'EUR', 'HKD', 'JPY', 'GBP', 'TWD', 'SGD'] as const;
export type Currency = (typeof currencies)[number];
/** Decimal places of the minor unit (ISO 4217). */
export const minorDigits = (currency: Currency): number => (currency === 'JPY' ? 0 : 2);

/** Maximum of every amount, line and order: 10 billion major units, far below the point where doubles lose integer precision. */
export const mostAmount = 1_000_000_000_000;
const amount = z.int().min(0, 'negative').max(mostAmount);
export const positiveAmount = z.int().min(1).max(mostAmount);

export const OrderItemInput = z.strictObject({
  name: safeName(100),
  /** Up to three decimals, as text to avoid rounding. */
  quantity: z.string().regex(/^(?!0+(\.0+)?$)\d{1,7}(\.\d{1,3})?$/),
  unitPrice: amount,
  /** Subtracted from the line before tax. */
  discount: amount.default(0),
  /** Basis points: 600 is 6 %. Tax is added to the line. */
  taxRate: z.int().min(0).max(10_000).default(0),
});
export type OrderItemInput = z.input<typeof OrderItemInput>;

/** Divides non-negative integers, rounding half up. */
const divideRounded = (n: bigint, d: bigint): bigint => (n * 2n + d) / (d * 2n);

type LineItem = { readonly quantity: string; readonly unitPrice: number; readonly discount: number; readonly taxRate: number };

/**
 * Returns the amount of a line before tax, and its tax, in minor units. Halves are rounded up (as is usual for money), once for the amount and once for the
 * tax. `amount` is -1 when the discount exceeds the line. Exact up to `mostAmount`, the limit that `orderFieldErrors` enforces.
 */
export function lineAmounts(item: LineItem): { amount: number; tax: number } {
  const [whole = '0', fraction = ''] = item.quantity.split('.');
  const thousandths = BigInt(whole) * 1000n + BigInt(fraction.padEnd(3, '0'));
  const gross = divideRounded(thousandths * BigInt(item.unitPrice), 1000n);
  const net = gross - BigInt(item.discount);
  if (net < 0n) return { amount: -1, tax: 0 };
  return { amount: Number(net), tax: Number(divideRounded(net * BigInt(item.taxRate), 10_000n)) };
}

/**
 * Returns the errors of an order whose individual fields are valid: dotted paths with their codes. The server refuses such orders, and a form may show the
 * errors.
 */
export function orderFieldErrors(order: {
  readonly items: readonly LineItem[];
  readonly period: { readonly from: string; readonly to: string } | null;
}): Record<string, 'out_of_range'> {
  const errors: Record<string, 'out_of_range'> = {};
  order.items.forEach((item, i) => {
    const { amount: net } = lineAmounts(item);
    if (net < 0) errors[`items.${i}.discount`] = 'out_of_range';
    else if (net + item.discount > mostAmount) errors[`items.${i}.unitPrice`] = 'out_of_range';
  });
  if (Object.keys(errors).length === 0) {
    const { subtotal, total } = orderAmounts(order.items);
    if (subtotal > mostAmount || total > mostAmount) errors.items = 'out_of_range';
  }
  if (order.period && order.period.to < order.period.from) errors['period.to'] = 'out_of_range';
  return errors;
}

/** Computes the sums of an order. `subtotal` is before discounts and tax. */
export function orderAmounts(items: readonly LineItem[]) {
  let [subtotal, discount, tax] = [0, 0, 0];
  for (const item of items) {
    const line = lineAmounts(item);
    subtotal += line.amount + item.discount;
    discount += item.discount;
    tax += line.tax;
  }
  return { subtotal, discount, tax, total: subtotal - discount + tax };
}

const period = z.strictObject({ from: z.iso.date(), to: z.iso.date() });

export const OrderInput = z.strictObject({
  /** The buyer. */
  customerId: z.uuid(),
  siteId: z.string().max(20).nullable().default(null),
  kind: z.enum(orderKinds).default('other'),
  title: safeName(100),
  currency: z.enum(currencies).default('CNY'),
  items: z.array(OrderItemInput).min(1).max(100),
  /** The term of the order; its end determines the renewal. */
  period: period.nullable().default(null),
  renewalNote: safeText(200).default(''),
  dueAt: z.iso.date().nullable().default(null),
  /** Note, visible to the customer. */
  note: safeText(1000).default(''),
  /** Note, visible to the operator only. */
  memo: safeText(1000).default(''),
});
export type OrderInput = z.input<typeof OrderInput>;

export const OrderItem = z.object({
  name: z.string(),
  quantity: z.string(),
  unitPrice: z.int(),
  discount: z.int(),
  taxRate: z.int(),
  amount: z.int(),
  tax: z.int(),
});

export const TradeParty = z.object({ id: z.uuid().nullable(), name: z.string() });

export const Order = z.object({
  id: z.uuid(),
  /** `T20261120-0001`. */
  number: z.string(),
  customer: TradeParty,
  site: z.object({ id: z.string(), name: z.string() }).nullable(),
  kind: z.enum(orderKinds),
  title: z.string(),
  currency: z.enum(currencies),
  items: z.array(OrderItem),
  subtotal: z.int(),
  discount: z.int(),
  tax: z.int(),
  total: z.int(),
  /** Sums of confirmed payments, of completed refunds, and of what issued or requested invoices cover. */
  paid: z.int(),
  refunded: z.int(),
  invoiced: z.int(),
  period: z.object({ from: z.iso.date(), to: z.iso.date() }).nullable(),
  renewalNote: z.string(),
  dueAt: z.iso.date().nullable(),
  state: z.enum(orderStates),
  note: z.string(),
  /** null for readers who may not write trades. */
  memo: z.string().nullable(),
  createdBy: TradeParty,
  createdAt: z.iso.datetime(),
  revision: z.int(),
});
export type Order = z.infer<typeof Order>;

export const Payment = z.object({
  id: z.uuid(),
  orderId: z.uuid(),
  method: z.enum(paymentMethods),
  amount: z.int(),
  paidAt: z.iso.date(),
  reference: z.string(),
  receipt: z.object({ name: z.string(), bytes: z.int() }).nullable(),
  state: z.enum(paymentStates),
  /** Another payment has the same reference, so this may be a duplicate entry. */
  sameReference: z.boolean(),
  createdBy: TradeParty,
  createdAt: z.iso.datetime(),
});
export type Payment = z.infer<typeof Payment>;

export const receiptTypes = ['application/pdf', 'image/png', 'image/jpeg'] as const;
const File = z.strictObject({ name: safeName(120), type: z.enum(receiptTypes), /** base64, 2 MB at most */ content: z.base64().max(2_800_000) });

export const PaymentInput = z.strictObject({
  method: z.enum(paymentMethods),
  amount: positiveAmount,
  paidAt: z.iso.date(),
  reference: safeText(80).default(''),
  receipt: File.nullable().default(null),
});
export type PaymentInput = z.input<typeof PaymentInput>;

export const Refund = z.object({
  id: z.uuid(),
  orderId: z.uuid(),
  paymentId: z.uuid(),
  amount: z.int(),
  reason: z.string(),
  state: z.enum(refundStates),
  createdBy: TradeParty,
  createdAt: z.iso.datetime(),
});
export type Refund = z.infer<typeof Refund>;

/** Characters of a unified social credit code (GB 32100-2015: no I, O, S, V, Z). */
const creditCodeLetters = '0123456789ABCDEFGHJKLMNPQRTUWXY';
const weights = [1, 3, 9, 27, 19, 26, 16, 17, 20, 29, 25, 13, 8, 24, 10, 30, 28];
/** Whether a tax number is plausible: 15–20 upper-case letters and digits; with 18 characters, the check character must be correct (GB 32100-2015). */
export function isTaxNumber(text: string): boolean {
  if (!/^[0-9A-Z]{15,20}$/.test(text)) return false;
  if (text.length !== 18) return true;
  let sum = 0;
  for (let i = 0; i < 17; i++) {
    const value = creditCodeLetters.indexOf(text[i] ?? '');
    if (value < 0) return false;
    sum += value * (weights[i] ?? 0);
  }
  return creditCodeLetters[(31 - (sum % 31)) % 31] === text[17];
}

const titleFields = {
  titleType: z.enum(titleTypes),
  title: safeName(100),
  taxNumber: z.string().trim().toUpperCase().refine(isTaxNumber, 'not_a_tax_number').nullable().default(null),
  address: safeText(200).default(''),
  phone: safeText(30).default(''),
  bank: safeText(100).default(''),
  account: safeText(40).default(''),
  email: z.string().trim().max(254).pipe(z.email()).nullable().default(null),
};
/**
 * Billing details of an invoice (发票抬头): whom it names as the buyer. A company needs a tax number; 专票 needs all other fields too (checked when the
 * invoice is requested).
 */
export const InvoiceTitleInput = z.strictObject(titleFields);
export type InvoiceTitleInput = z.input<typeof InvoiceTitleInput>;
export const InvoiceTitle = z.object({
  id: z.uuid(),
  titleType: z.enum(titleTypes),
  title: z.string(),
  taxNumber: z.string().nullable(),
  address: z.string(),
  phone: z.string(),
  bank: z.string(),
  account: z.string(),
  email: z.string().nullable(),
});
export type InvoiceTitle = z.infer<typeof InvoiceTitle>;

export const InvoiceInput = z.strictObject({
  type: z.enum(invoiceTypes).default('normal'),
  ...titleFields,
  /** Orders that the invoice covers: paid orders of one customer in one currency, each with at most the amount that is paid and not invoiced yet. */
  orders: z
    .array(z.strictObject({ orderId: z.uuid(), amount: positiveAmount }))
    .min(1)
    .max(50),
  /** Whether to save the title for later invoices. */
  saveTitle: z.boolean().default(false),
});
export type InvoiceInput = z.input<typeof InvoiceInput>;

export const Invoice = z.object({
  id: z.uuid(),
  customer: TradeParty,
  type: z.enum(invoiceTypes),
  ...InvoiceTitle.omit({ id: true }).shape,
  orders: z.array(z.object({ orderId: z.uuid(), number: z.string(), amount: z.int() })),
  amount: z.int(),
  currency: z.enum(currencies),
  state: z.enum(invoiceStates),
  /** Number of the issued invoice, and of the red invoice that reverses it. */
  number: z.string(),
  redNumber: z.string(),
  redReason: z.enum(redReasons).nullable(),
  reason: z.string(),
  file: z.object({ name: z.string(), bytes: z.int() }).nullable(),
  issuedAt: z.iso.datetime().nullable(),
  createdAt: z.iso.datetime(),
  revision: z.int(),
});
export type Invoice = z.infer<typeof Invoice>;

/**
 * One line of a statement, in chronological order. Charges count when an order becomes pending, payments when they are confirmed, refunds when they are
 * completed; so a statement of past days never changes. Days are those of Asia/Shanghai, as in order numbers. A `cancellation` reverses a charge: that of an
 * order that was cancelled or expired, or the part of it that was refunded (a refund of what had been paid beyond the total reverses nothing).
 */
export const StatementLine = z.object({
  at: z.iso.datetime(),
  kind: z.enum(['charge', 'cancellation', 'payment', 'reversal', 'refund']),
  number: z.string(),
  title: z.string(),
  /** Positive: owed; negative: settled. */
  amount: z.int(),
  /** Balance owed after the line; negative: credit. */
  balance: z.int(),
});
export const Statement = z.object({
  customer: TradeParty,
  currency: z.enum(currencies),
  from: z.iso.date(),
  to: z.iso.date(),
  opening: z.int(),
  /** Charges minus cancellations. */
  charges: z.int(),
  /** Payments minus reversals. */
  payments: z.int(),
  refunds: z.int(),
  /** opening + charges − payments + refunds; negative: credit. */
  closing: z.int(),
  lines: z.array(StatementLine),
});
export type Statement = z.infer<typeof Statement>;

/** An order with its payments, refunds, invoices and history. */
export const OrderWhole = Order.extend({
  payments: z.array(Payment),
  refunds: z.array(Refund),
  invoices: z.array(Invoice),
  history: z.array(z.object({ at: z.iso.datetime(), from: z.enum(orderStates).nullable(), to: z.enum(orderStates), by: z.string() })),
});
export type OrderWhole = z.infer<typeof OrderWhole>;
