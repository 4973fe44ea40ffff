import type { Statement } from '../../../contract/trades/ledger';
import type { Locale } from '../../http/access';
import { dayAt, labelAt } from '../../zone';
import { ledgerZone } from './days';
import { ink, inner, lineOf, openPaper, page } from './paper';
import type { Paper } from './paper';
import { grouped, exportTexts } from './exportTexts';

const digits = '0123456789.,-−+:/() …?';
/** Where the rows end on a page. */
const lastY = page.height - page.bottom;

type Column = { readonly label: string; readonly x: number; readonly width: number; readonly align: 'left' | 'right' };
type Pair = readonly [label: string, value: string];
type Texts = (typeof exportTexts)[Locale];

/** A statement on paper: sums on top, each event, totals, page numbers. `issuer`: whose books these are; `now`: epoch milliseconds. Answers the whole file. */
export async function statementPdf(statement: Statement, locale: Locale, issuer: string, now: number): Promise<Buffer> {
  const w = exportTexts[locale];
  const { currency } = statement;
  const facts = factsOf(statement, w, issuer, now);
  const sums = sumsOf(statement, w);
  const rows = rowsOf(statement, w);
  const labels = [w.date, w.kind, w.number, w.title, `${w.amount} (${currency})`, `${w.balance} (${currency})`];
  const texts = [digits, w.statement, w.total, w.nothing, w.explain, w.honest, w.page(0, 0), ...labels, ...facts.flat(), ...sums.flat(), ...rows.flat()];
  const paper = await openPaper({ title: `${w.statement} ${statement.from} – ${statement.to}`, locale, now, texts });
  const columns = columnsOf(labels);

  const y = putTop(paper, w, facts, sums);
  putTotal(paper, w, columns, statement, putRows(paper, w, columns, rows, putHead(paper, columns, y)));
  return paper.finish((number, count) => {
    const foot = page.height - 38;
    paper.put(w.honest, page.side, foot, inner - 120, { size: 7.5, color: ink.soft });
    paper.put(w.page(number, count), page.side + inner - 120, foot, 120, { size: 7.5, color: ink.soft, align: 'right' });
  });
}

const factsOf = ({ customer, from, to, currency }: Statement, w: Texts, issuer: string, now: number): Pair[] => [
  [w.issuer, issuer],
  [w.customer, customer.name],
  [w.period, `${from} – ${to}`],
  [w.currency, currency],
  [w.createdAt, `${labelAt(now, ledgerZone).replace('T', ' ')} (${ledgerZone})`],
];

function sumsOf({ currency, opening, charges, payments, refunds, closing }: Statement, w: Texts): Pair[] {
  const named = (minor: number): string => `${currency} ${grouped(minor, currency)}`;
  return [
    [w.opening, named(opening)],
    [w.charges, named(charges)],
    [w.payments, named(payments)],
    [w.refunds, named(refunds)],
    [w.closing, named(closing)],
  ];
}

const rowsOf = ({ lines, currency }: Statement, w: Texts): string[][] =>
  lines.map((line) => [
    dayAt(Date.parse(line.at), ledgerZone),
    w.kinds[line.kind],
    line.number,
    line.title,
    grouped(line.amount, currency),
    grouped(line.balance, currency),
  ]);

function columnsOf(labels: readonly string[]): readonly Column[] {
  const widths = [60, 60, 94, 0, 84, 84];
  return widths.with(3, inner - widths.reduce((sum, one) => sum + one, 0)).map((width, i, all) => ({
    label: labels[i] ?? '',
    x: page.side + all.slice(0, i).reduce((sum, one) => sum + one, 0),
    width: width - 8,
    align: i >= 4 ? 'right' : 'left',
  }));
}

/** Title, facts and sums; answers where the rows begin, as the parts below do. */
function putTop({ put, band }: Paper, w: Texts, facts: readonly Pair[], sums: readonly Pair[]): number {
  put(w.statement, page.side, page.top, inner, { font: 'strong', size: 20 });
  let y = page.top + 40;
  for (const [label, value] of facts) {
    put(label, page.side, y, 80, { color: ink.soft });
    put(value, page.side + 84, y, inner - 84);
    y += 17;
  }
  y += 10;
  const share = inner / sums.length;
  band(y, 46);
  for (const [i, [label, value]] of sums.entries()) {
    put(label, page.side + i * share + 8, y + 7, share - 12, { size: 8, color: ink.soft });
    put(value, page.side + i * share + 8, y + 22, share - 12, { font: 'strong', size: 10, whole: true });
  }
  put(w.explain, page.side, y + 52, inner, { size: 7.5, color: ink.soft });
  return y + 72;
}

function putHead({ put, band }: Paper, columns: readonly Column[], y: number): number {
  band(y, 22);
  for (const { label, x, width, align } of columns) put(label, x + 4, y + 5, width, { font: 'strong', size: 8.5, align });
  return y + 22;
}

/** Where something of this height goes: here, or below the head of a new page. */
function placeFor(paper: Paper, columns: readonly Column[], y: number, height: number): number {
  if (y + height <= lastY) return y;
  paper.addPage();
  return putHead(paper, columns, page.top);
}

function putRows(paper: Paper, w: Texts, columns: readonly Column[], rows: readonly string[][], start: number): number {
  const { put, rule } = paper;
  let y = start;
  for (const row of rows) {
    const title = columns[3];
    const lines = title && paper.widthOf(row[3] ?? '') > title.width ? 2 : 1;
    const height = lineOf(9) * lines + 8;
    y = placeFor(paper, columns, y, height);
    for (const [i, { x, width, align }] of columns.entries()) put(row[i] ?? '', x + 4, y + 4, width, { align, lines: i === 3 ? lines : 1, whole: i !== 3 });
    y += height;
    rule(y);
  }
  if (rows.length === 0) {
    put(w.nothing, page.side + 4, y + 6, inner, { color: ink.soft });
    y += 28;
    rule(y);
  }
  return y;
}

function putTotal(paper: Paper, w: Texts, columns: readonly Column[], { opening, closing, currency }: Statement, end: number): void {
  const { put, rule } = paper;
  const y = placeFor(paper, columns, end, 24);
  put(w.total, page.side + 4, y + 6, 120, { font: 'strong' });
  const [amount, balance] = [columns[4], columns[5]];
  if (amount) put(grouped(closing - opening, currency), amount.x + 4, y + 6, amount.width, { font: 'strong', align: 'right', whole: true });
  if (balance) put(grouped(closing, currency), balance.x + 4, y + 6, balance.width, { font: 'strong', align: 'right', whole: true });
  rule(y + 24, ink.text);
}
