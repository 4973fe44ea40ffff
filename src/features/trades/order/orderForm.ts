import { OrderInput, lineAmounts, minorDigits, orderAmounts, orderFieldErrors } from '@contract/trades/ledger';
import type { Currency, Order } from '@contract/trades/ledger';
import type { z } from 'zod';
import { fixedText, parseFixed } from '@/lib/money';
import { typedSchema } from '../typed';

/** Per cent with two decimals; a basis point is a hundredth of a per cent. */
const percentDigits = 2;

export type TypedItem = { name: string; quantity: string; unitPrice: string; discount: string; taxRate: string };
/** An order as typed: amounts in major units, per cent, empty strings for absent values. */
export type TypedOrder = {
  customerId: string;
  siteId: string;
  kind: Order['kind'];
  title: string;
  currency: Currency;
  items: TypedItem[];
  from: string;
  to: string;
  renewalNote: string;
  dueAt: string;
  note: string;
  memo: string;
};

export const blankItem = (taxRate = '0'): TypedItem => ({ name: '', quantity: '1', unitPrice: '', discount: '', taxRate });

export const blankOrder = (): TypedOrder => ({
  customerId: '',
  siteId: '',
  kind: 'service',
  title: '',
  currency: 'CNY',
  items: [blankItem()],
  from: '',
  to: '',
  renewalNote: '',
  dueAt: '',
  note: '',
  memo: '',
});

/** `6` for 600 basis points, `6.5` for 650. */
export const percentText = (basisPoints: number): string => fixedText(basisPoints, percentDigits).replace(/\.?0+$/, '');
/** `2` for `2.000`. */
export const quantityText = (quantity: string): string => (quantity.includes('.') ? quantity.replace(/\.?0+$/, '') : quantity);

export function typedOrder(order: Order): TypedOrder {
  const digits = minorDigits(order.currency);
  return {
    customerId: order.customer.id ?? '',
    siteId: order.site?.id ?? '',
    kind: order.kind,
    title: order.title,
    currency: order.currency,
    items: order.items.map((item) => ({
      name: item.name,
      quantity: quantityText(item.quantity),
      unitPrice: fixedText(item.unitPrice, digits, true),
      discount: item.discount === 0 ? '' : fixedText(item.discount, digits, true),
      taxRate: percentText(item.taxRate),
    })),
    from: order.period?.from ?? '',
    to: order.period?.to ?? '',
    renewalNote: order.renewalNote,
    dueAt: order.dueAt ?? '',
    note: order.note,
    memo: order.memo ?? '',
  };
}

/** A quantity as the contract expects it: full-width digits and groups are accepted, more than three decimals are not. Null if invalid. */
export function readQuantity(text: string): string | null {
  const thousandths = parseFixed(text, 3);
  return thousandths === null ? null : quantityText(fixedText(thousandths, 3));
}

const readAmount = (text: string, digits: number): number | null => (text.trim() === '' ? 0 : parseFixed(text, digits));

type ReadItem = { name: string; quantity: string; unitPrice: number; discount: number; taxRate: number };

/** A line as numbers; null if a value cannot be parsed yet. */
export function readItem(item: TypedItem, currency: Currency): ReadItem | null {
  const digits = minorDigits(currency);
  const quantity = readQuantity(item.quantity);
  const [unitPrice, discount, taxRate] = [parseFixed(item.unitPrice, digits), readAmount(item.discount, digits), readAmount(item.taxRate, percentDigits)];
  if (quantity === null || unitPrice === null || discount === null || taxRate === null) return null;
  return { name: item.name, quantity, unitPrice, discount, taxRate };
}

/** A line without any input. */
const isUntouched = (item: TypedItem | undefined): boolean => item === undefined || (item.name === '' && item.unitPrice === '');

/** Amounts of the lines that can be parsed so far. `lines`: null for a line that cannot. */
export function previewAmounts(items: readonly TypedItem[], currency: Currency) {
  const read = items.map((item) => readItem(item, currency));
  const lines = read.map((item) => {
    const line = item && lineAmounts(item);
    return line && line.amount >= 0 ? line : null;
  });
  return {
    lines,
    sums: orderAmounts(read.filter((item, at) => item !== null && lines[at] !== null) as ReadItem[]),
    whole: lines.every((line, at) => line !== null || isUntouched(items[at])),
  };
}

/** Placeholder for a line that cannot be parsed yet: it adds nothing and has no errors of its own. */
const nothing: ReadItem = { name: '', quantity: '1', unitPrice: 0, discount: 0, taxRate: 0 };
const blank = (text: string): boolean => text.trim() === '';

/** Validation of the order form: invalid amounts, negative lines, then the contract. */
export const OrderForm = typedSchema<TypedOrder, z.output<typeof OrderInput>>(
  (typed, report) => {
    const digits = minorDigits(typed.currency);
    const items = typed.items.map((item, at) => {
      const parts = {
        quantity: readQuantity(item.quantity),
        unitPrice: parseFixed(item.unitPrice, digits),
        discount: readAmount(item.discount, digits),
        taxRate: readAmount(item.taxRate, percentDigits),
      };
      for (const [name, value] of Object.entries(parts)) {
        if (value === null) report(['items', at, name], blank(item[name as keyof TypedItem]) ? 'required' : 'pattern');
      }
      return { name: item.name, quantity: parts.quantity ?? '1', unitPrice: parts.unitPrice ?? 0, discount: parts.discount ?? 0, taxRate: parts.taxRate ?? 0 };
    });
    for (const [path, code] of Object.entries(
      orderFieldErrors({ items: typed.items.map((item) => readItem(item, typed.currency) ?? nothing), period: null }),
    )) {
      // The total is too large: reported at the first price, because the form has no field for it.
      report(path === 'items' ? ['items', 0, 'unitPrice'] : path.split('.').map((part) => (/^\d+$/.test(part) ? Number(part) : part)), code);
    }
    const hasPeriod = typed.from !== '' || typed.to !== '';
    if (hasPeriod && typed.from === '') report(['from'], 'required');
    if (hasPeriod && typed.to === '') report(['to'], 'required');
    if (typed.from !== '' && typed.to !== '' && typed.to < typed.from) report(['to'], 'out_of_range');
    return {
      customerId: typed.customerId,
      siteId: typed.siteId === '' ? null : typed.siteId,
      kind: typed.kind,
      title: typed.title,
      currency: typed.currency,
      items,
      period: typed.from !== '' && typed.to !== '' ? { from: typed.from, to: typed.to } : null,
      renewalNote: typed.renewalNote,
      dueAt: typed.dueAt === '' ? null : typed.dueAt,
      note: typed.note,
      memo: typed.memo,
    };
  },
  OrderInput,
  (path) => (path[0] === 'period' ? [path[1] ?? 'to'] : path),
);
