import type { Statement } from '../../../contract/trades/ledger';
import type { Locale } from '../../http/access';
import { dayAt, labelAt } from '../../zone';
import { ledgerZone } from './days';
import { makeFont } from './font';
import { grouped, words } from './words';

/** A4 in points, with its margins. */
const page = { width: 595.28, height: 841.89, side: 44, top: 48, bottom: 56 };
const inner = page.width - 2 * page.side;
const ink = { text: '#1c1e21', soft: '#5f6670', line: '#d5d9df', band: '#f3f5f7' };
const digits = '0123456789.,-−+:/() …?';

type Column = { readonly label: string; readonly x: number; readonly width: number; readonly align: 'left' | 'right' };

/** A statement on paper: sums on top, each event, totals, page numbers. `issuer`: whose books these are; `now`: epoch milliseconds. Answers the whole file. */
export async function statementPdf(statement: Statement, locale: Locale, issuer: string, now: number): Promise<Buffer> {
  const w = words[locale];
  const { currency } = statement;
  const money = (minor: number): string => grouped(minor, currency);
  const named = (minor: number): string => `${currency} ${money(minor)}`;
  const facts: [string, string][] = [
    [w.issuer, issuer],
    [w.customer, statement.customer.name],
    [w.period, `${statement.from} – ${statement.to}`],
    [w.currency, currency],
    [w.made, `${labelAt(now, ledgerZone).replace('T', ' ')} (${ledgerZone})`],
  ];
  const sums: [string, string][] = [
    [w.opening, named(statement.opening)],
    [w.charges, named(statement.charges)],
    [w.payments, named(statement.payments)],
    [w.refunds, named(statement.refunds)],
    [w.closing, named(statement.closing)],
  ];
  const rows = statement.lines.map((line) => [
    dayAt(Date.parse(line.at), ledgerZone),
    w.kinds[line.kind],
    line.number,
    line.title,
    money(line.amount),
    money(line.balance),
  ]);
  const labels = [w.date, w.kind, w.number, w.title, `${w.amount} (${currency})`, `${w.balance} (${currency})`];
  const texts = [digits, w.statement, w.total, w.nothing, w.explain, w.honest, w.page(0, 0), ...labels, ...facts.flat(), ...sums.flat(), ...rows.flat()];
  const [regular, strong] = await Promise.all([makeFont(texts, 400), makeFont(texts, 600)]);

  const { default: PDFDocument } = await import('pdfkit');
  const doc = new PDFDocument({
    size: 'A4',
    margin: 0,
    bufferPages: true,
    lang: locale,
    displayTitle: true,
    info: { Title: `${w.statement} ${statement.from} – ${statement.to}`, CreationDate: new Date(now) },
    font: '',
  });
  const chunks: Buffer[] = [];
  doc.on('data', (chunk: Buffer) => chunks.push(chunk));
  const ended = new Promise<void>((resolve, reject) => doc.on('end', resolve).on('error', reject));
  doc.registerFont('regular', regular).registerFont('strong', strong);

  type Style = {
    readonly font?: 'regular' | 'strong';
    readonly size?: number;
    readonly color?: string;
    readonly align?: 'left' | 'right';
    readonly lines?: number;
    readonly whole?: boolean;
  };
  const lineOf = (size: number): number => size * 1.448;
  /** Writes into a box of some lines; what does not fit ends in “…”. */
  function put(
    text: string,
    x: number,
    y: number,
    width: number,
    { font = 'regular', size = 9, color = ink.text, align = 'left', lines = 1, whole = false }: Style = {},
  ): void {
    doc.font(font).fontSize(size).fillColor(color);
    // A figure is never cut: a long one gets smaller letters.
    if (whole) doc.fontSize(Math.min(size, (size * width) / doc.widthOfString(text)));
    doc.text(text, x, y, {
      width,
      height: lineOf(size) * lines + 0.5,
      align,
      ellipsis: '…',
      lineBreak: lines > 1 || (!whole && doc.widthOfString(text) > width),
    });
  }
  const rule = (y: number, color = ink.line): void =>
    void doc
      .moveTo(page.side, y)
      .lineTo(page.side + inner, y)
      .lineWidth(0.6)
      .strokeColor(color)
      .stroke();

  const widths = [60, 60, 94, 0, 84, 84];
  const columns: readonly Column[] = widths.with(3, inner - widths.reduce((sum, one) => sum + one, 0)).map((width, i, all) => ({
    label: labels[i] ?? '',
    x: page.side + all.slice(0, i).reduce((sum, one) => sum + one, 0),
    width: width - 8,
    align: i >= 4 ? 'right' : 'left',
  }));

  function head(y: number): number {
    doc.rect(page.side, y, inner, 22).fill(ink.band);
    for (const { label, x, width, align } of columns) put(label, x + 4, y + 5, width, { font: 'strong', size: 8.5, align });
    return y + 22;
  }

  put(w.statement, page.side, page.top, inner, { font: 'strong', size: 20 });
  let y = page.top + 40;
  for (const [label, value] of facts) {
    put(label, page.side, y, 80, { color: ink.soft });
    put(value, page.side + 84, y, inner - 84);
    y += 17;
  }
  y += 10;
  const share = inner / sums.length;
  doc.rect(page.side, y, inner, 46).fill(ink.band);
  for (const [i, [label, value]] of sums.entries()) {
    put(label, page.side + i * share + 8, y + 7, share - 12, { size: 8, color: ink.soft });
    put(value, page.side + i * share + 8, y + 22, share - 12, { font: 'strong', size: 10, whole: true });
  }
  put(w.explain, page.side, y + 52, inner, { size: 7.5, color: ink.soft });
  y = head(y + 72);

  const last = page.height - page.bottom;
  for (const row of rows) {
    const title = columns[3];
    doc.font('regular').fontSize(9);
    const lines = title && doc.widthOfString(row[3] ?? '') > title.width ? 2 : 1;
    const height = lineOf(9) * lines + 8;
    if (y + height > last) {
      doc.addPage();
      y = head(page.top);
    }
    for (const [i, { x, width, align }] of columns.entries()) put(row[i] ?? '', x + 4, y + 4, width, { align, lines: i === 3 ? lines : 1, whole: i !== 3 });
    y += height;
    rule(y);
  }
  if (rows.length === 0) {
    put(w.nothing, page.side + 4, y + 6, inner, { color: ink.soft });
    y += 28;
    rule(y);
  }
  if (y + 24 > last) {
    doc.addPage();
    y = head(page.top);
  }
  put(w.total, page.side + 4, y + 6, 120, { font: 'strong' });
  const [amount, balance] = [columns[4], columns[5]];
  if (amount) put(money(statement.closing - statement.opening), amount.x + 4, y + 6, amount.width, { font: 'strong', align: 'right', whole: true });
  if (balance) put(money(statement.closing), balance.x + 4, y + 6, balance.width, { font: 'strong', align: 'right', whole: true });
  rule(y + 24, ink.text);

  const { count } = doc.bufferedPageRange();
  for (let i = 0; i < count; i++) {
    doc.switchToPage(i);
    const foot = page.height - 38;
    put(w.honest, page.side, foot, inner - 120, { size: 7.5, color: ink.soft });
    put(w.page(i + 1, count), page.side + inner - 120, foot, 120, { size: 7.5, color: ink.soft, align: 'right' });
  }
  doc.end();
  await ended;
  return Buffer.concat(chunks);
}
