import { stringify } from 'csv-stringify/sync';
import type { Order, Statement } from '../../../contract/trades/ledger';
import { safeCell } from '../../csv';
import type { Locale } from '../../http/access';
import { dayAt } from '../../zone';
import { ledgerZone } from './days';
import { decimal, exportTexts } from './exportTexts';

/** RFC 4180 with a byte order mark, without which Excel misreads Chinese text. */
const csv = (rows: readonly (readonly string[])[]): string =>
  stringify(
    rows.map((row) => [...row]),
    { bom: true, record_delimiter: '\r\n' },
  );

/** A statement as a table: opening balance, each event, then the sums and the issuer (`issuer`). */
export function statementCsv(statement: Statement, locale: Locale, issuer: string): string {
  const w = exportTexts[locale];
  const { currency, lines } = statement;
  const money = (minor: number): string => decimal(minor, currency);
  return csv([
    [w.date, w.kind, w.number, w.title, `${w.amount} (${currency})`, `${w.balance} (${currency})`],
    [statement.from, w.opening, '', safeCell(statement.customer.name), '', money(statement.opening)],
    ...lines.map((line) => [
      dayAt(Date.parse(line.at), ledgerZone),
      w.kinds[line.kind],
      line.number,
      safeCell(line.title),
      money(line.amount),
      money(line.balance),
    ]),
    ['', w.charges, '', '', money(statement.charges), ''],
    ['', w.payments, '', '', money(statement.payments), ''],
    ['', w.refunds, '', '', money(statement.refunds), ''],
    [statement.to, w.closing, '', '', '', money(statement.closing)],
    ['', w.issuer, '', safeCell(issuer), '', ''],
    ['', w.explain, '', '', '', ''],
  ]);
}

/** Orders as a table; `timeZone` determines the days of creation. */
export function ordersCsv(orders: readonly Order[], locale: Locale, timeZone: string): string {
  const w = exportTexts[locale];
  return csv([
    Object.values(w.orders),
    ...orders.map((order) => {
      const money = (minor: number): string => decimal(minor, order.currency);
      return [
        order.number,
        dayAt(Date.parse(order.createdAt), timeZone),
        safeCell(order.customer.name),
        safeCell(order.site?.name ?? ''),
        w.orderKinds[order.kind],
        safeCell(order.title),
        w.states[order.state],
        order.currency,
        money(order.subtotal),
        money(order.discount),
        money(order.tax),
        money(order.total),
        money(order.paid),
        money(order.refunded),
        money(order.invoiced),
        order.dueAt ?? '',
        order.period?.from ?? '',
        order.period?.to ?? '',
        safeCell(order.note),
      ];
    }),
  ]);
}
