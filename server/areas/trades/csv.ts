import { stringify } from 'csv-stringify/sync';
import type { Order, Statement } from '../../../contract/ledger';
import type { Locale } from '../../http/access';
import { dayAt } from '../../zone';
import { ledgerZone } from './days';
import { decimal, words } from './words';

/** A text that a spreadsheet program would run as a formula gets an apostrophe in front (OWASP, CSV injection). Amounts are ours and stay numbers. */
const safe = (text: string): string => (/^[=+\-@\t\r\n＝＋－＠]/.test(text) ? `'${text}` : text);

/** RFC 4180 with the byte order mark, without which Excel reads Chinese as something else. */
const csv = (rows: readonly (readonly string[])[]): string =>
  stringify(
    rows.map((row) => [...row]),
    { bom: true, record_delimiter: '\r\n' },
  );

/** A statement as a table: what was owed before, each event, the sums and whose books these are (`issuer`) below. */
export function statementCsv(statement: Statement, locale: Locale, issuer: string): string {
  const w = words[locale];
  const { currency, lines } = statement;
  const money = (minor: number): string => decimal(minor, currency);
  return csv([
    [w.date, w.kind, w.number, w.title, `${w.amount} (${currency})`, `${w.balance} (${currency})`],
    [statement.from, w.opening, '', safe(statement.customer.name), '', money(statement.opening)],
    ...lines.map((line) => [
      dayAt(Date.parse(line.at), ledgerZone),
      w.kinds[line.kind],
      line.number,
      safe(line.title),
      money(line.amount),
      money(line.balance),
    ]),
    ['', w.charges, '', '', money(statement.charges), ''],
    ['', w.payments, '', '', money(statement.payments), ''],
    ['', w.refunds, '', '', money(statement.refunds), ''],
    [statement.to, w.closing, '', '', '', money(statement.closing)],
    ['', w.issuer, '', safe(issuer), '', ''],
    ['', w.explain, '', '', '', ''],
  ]);
}

/** Orders as a table; `timeZone` says which days they were made on. */
export function ordersCsv(orders: readonly Order[], locale: Locale, timeZone: string): string {
  const w = words[locale];
  return csv([
    Object.values(w.orders),
    ...orders.map((order) => {
      const money = (minor: number): string => decimal(minor, order.currency);
      return [
        order.number,
        dayAt(Date.parse(order.createdAt), timeZone),
        safe(order.customer.name),
        safe(order.site?.name ?? ''),
        w.orderKinds[order.kind],
        safe(order.title),
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
        safe(order.note),
      ];
    }),
  ]);
}
