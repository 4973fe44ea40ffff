import fc from 'fast-check';
import { makeStatement } from '../../server/areas/trades/statement';
import type { OrderWhole, Statement } from '../../contract/trades/ledger';
import { pdfText } from '../support/pdfText';
import { act, dayOf, newCustomer, playActs } from './tradesLedger';
import type { StatementLine } from './tradesLedger';
import { api, dataOf, openDesk, refusal } from './tradesSupport';
import type { Desk } from './tradesSupport';

let d: Desk;
beforeAll(async () => {
  d = await openDesk();
});
afterAll(() => d.t.close());

const day = 24 * 3_600_000;

test('after any sequence of actions, statements match an independent ledger', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(act, { minLength: 40, maxLength: 70, size: 'max' }), fc.nat(100), async (acts, cut) => {
      const customerId = await newCustomer(d, '甲');
      const { books, lines, now } = await playActs(d, customerId, acts);
      // No forbidden action has succeeded.
      for (const book of books) {
        for (const { amount, refunds } of book.payments)
          expect(refunds.filter((one) => one.state !== 'rejected').reduce((sum, one) => sum + one.amount, 0)).toBeLessThanOrEqual(amount);
        const invoiced = book.invoices.filter((one) => ['requested', 'issued'].includes(one.state)).reduce((sum, one) => sum + one.amount, 0);
        expect(invoiced).toBeLessThanOrEqual(Math.max(0, book.received - book.refunded));
        const currentOrder = await d.read(book.id);
        expect(currentOrder).toMatchObject({ paid: book.received, refunded: book.refunded, invoiced });
        const open = book.payments.some(({ refunds }) => refunds.some(({ state }) => state === 'requested' || state === 'approved'));
        const isCovered = book.received - book.refunded >= book.owed;
        if (!['draft', 'cancelled'].includes(currentOrder.state))
          expect([currentOrder.state, currentOrder.state === 'refunding', currentOrder.state === 'pending']).toEqual([
            currentOrder.state,
            open,
            !open && !isCovered,
          ]);
      }
      const statement = (from: string, to: string) => makeStatement(d.t.ctx.postgres.db, customerId, 'CNY', from, to);
      const last = dayOf(now);
      const whole = await statement('2026-01-01', last);
      const sum = (some: readonly StatementLine[], ...kinds: string[]) =>
        some.filter(({ kind }) => kinds.length === 0 || kinds.includes(kind)).reduce((total, one) => total + one.amount, 0);
      expect(whole.lines.map(({ at, kind, number, amount }) => ({ at, kind, number, amount }))).toEqual(lines);
      expect(whole.closing).toBe(books.reduce((total, book) => total + book.owed - book.received + book.refunded, 0));
      expect(whole.closing).toBe(whole.lines.at(-1)?.balance ?? 0);
      // Split anywhere, the second part begins where the first ended.
      const at = dayOf(Date.UTC(2026, 0, 5) + Math.floor(((now - Date.UTC(2026, 0, 5)) * cut) / 100));
      const after = dayOf(Date.parse(`${at}T00:00:00+08:00`) + day);
      const [one, two] = [await statement('2026-01-01', at), await statement(after, after > last ? after : last)];
      const late = lines.filter((line) => dayOf(Date.parse(line.at)) > at);
      expect([two.opening, two.closing, two.lines.length]).toEqual([one.closing, whole.closing, late.length]);
      expect([two.charges, two.payments, two.refunds]).toEqual(
        [sum(late, 'charge', 'cancellation'), 0 - sum(late, 'payment', 'reversal'), sum(late, 'refund')].map((n) => n + 0),
      );
      expect(two.opening + two.charges - two.payments + two.refunds).toBe(two.closing);
    }),
    { numRuns: 20, interruptAfterTimeLimit: 120_000 },
  );
}, 240_000);

/** An order overpaid by 20 yuan, of which 30 were refunded: 100 charged, 120 paid, 20 + 10. */
async function story(title: string): Promise<OrderWhole> {
  const sent = await d.pending({ title, items: [{ name: '年费', quantity: '1', unitPrice: 10_000 }] });
  const paid = await d.settle(sent.id, 12_000);
  return d.giveBack(paid.payments[0]?.id ?? '', 3000);
}

test('as JSON, CSV and PDF, in both languages', async () => {
  const order = await story('=网站年度套餐（含“龙井”茶叶站 tea.example）');
  const query = { from: '2026-01-01', to: '2027-12-31' };
  const statement = await d.statement(d.customer);
  expect(statement).toMatchObject({
    customer: { name: 'ke.customer' },
    currency: 'CNY',
    opening: 0,
    charges: 9000,
    payments: 12_000,
    refunds: 3000,
    closing: 0,
  });
  expect(statement.lines.map(({ kind, amount, balance }) => [kind, amount, balance])).toEqual([
    ['charge', 10_000, 10_000],
    ['payment', -12_000, -2000],
    ['cancellation', -1000, -3000],
    ['refund', 3000, 0],
  ]);
  const file = (format: string) => d.customer.get(`${api}/statement/file?${new URLSearchParams({ ...query, format })}`);

  const csv = await file('csv');
  expect(csv.headers).toMatchObject({ 'content-type': 'text/csv; charset=utf-8', 'x-content-type-options': 'nosniff', 'cache-control': 'private, no-store' });
  expect(csv.headers['content-disposition']).toContain('attachment; filename="statement-ke.customer-2026-01-01_2027-12-31-CNY.csv"');
  const today = dayOf(d.t.ctx.now());
  const title = `"'=网站年度套餐（含“龙井”茶叶站 tea.example）"`.replaceAll('"', '');
  expect(csv.body).toBe(
    [
      '\uFEFF日期,类型,订单号,内容,金额 (CNY),余额 (CNY)',
      '2026-01-01,期初余额,,ke.customer,,0.00',
      `${today},应收,${order.number},${title},100.00,100.00`,
      `${today},收款,${order.number},${title},-120.00,-20.00`,
      `${today},冲减,${order.number},${title},-10.00,-30.00`,
      `${today},退款,${order.number},${title},30.00,0.00`,
      ',本期应收,,,90.00,',
      ',本期收款,,,120.00,',
      ',本期退款,,,30.00,',
      '2027-12-31,期末余额,,,,0.00',
      `,出具方,,Sitewright (${new URL(d.t.ctx.config.publicUrl).host}),,`,
      ',正数为应付，负数为余额。,,,,',
      '',
    ].join('\r\n'),
  );

  const pdf = await file('pdf');
  expect(pdf.headers).toMatchObject({ 'content-type': 'application/pdf', 'x-content-type-options': 'nosniff' });
  expect(pdf.headers['content-disposition']).toContain('attachment; filename="statement-ke.customer-2026-01-01_2027-12-31-CNY.pdf"');
  expect(pdf.rawPayload.length).toBeLessThan(300_000);
  const [page = '', ...more] = pdfText(pdf.rawPayload);
  expect(more).toEqual([]);
  for (const expectedText of [
    '对账单',
    'ke.customer',
    '2026-01-01 – 2027-12-31',
    '本期应收\nCNY 90.00',
    '本期收款\nCNY 120.00',
    '本期退款\nCNY 30.00',
    '期末余额\nCNY 0.00',
    '正数为应付，负数为余额。',
    '金额 (CNY)',
    'Sitewright (',
    `冲减\n${order.number}`,
    '合计\n0.00\n0.00',
    '第 1 页，共 1 页',
    '本系统不直接收款；付款状态由财务人员登记。',
  ])
    expect(page).toContain(expectedText);
  expect(page.replaceAll('\n', '')).toContain('=网站年度套餐（含“龙井”茶叶站 tea.example）');
  expect(page).not.toContain('�');

  await d.t.ctx.postgres.pool.query(`update users set locale = 'en' where id = $1`, [d.customer.userId]);
  const english = pdfText((await file('pdf')).rawPayload).join('\n');
  for (const expectedText of [
    'Statement of account',
    'Opening balance\nCNY 0.00',
    'Charges\nCNY 90.00',
    'Payments\nCNY 120.00',
    'Cancellation',
    'Closing balance',
    'Page 1 of 1',
    '网站年度套餐',
  ])
    expect(english).toContain(expectedText);
  expect((await file('csv')).body).toContain('\uFEFFDate,Type,Order,Description,Amount (CNY),Balance (CNY)');
});

test('yen have no decimals, currencies stay separate, and empty statements work', async () => {
  await d.paid({ currency: 'JPY', title: '日元', items: [{ name: 'x', quantity: '1', unitPrice: 150_000 }], customerId: d.stranger.userId });
  expect(await d.statement(d.stranger, { currency: 'JPY' })).toMatchObject({
    charges: 150_000,
    payments: 150_000,
    closing: 0,
    lines: [{ amount: 150_000 }, { amount: -150_000 }],
  });
  expect(await d.statement(d.stranger, { currency: 'CNY' })).toMatchObject({ charges: 0, closing: 0, lines: [] });
  const file = async (query: string) => d.stranger.get(`${api}/statement/file?from=2026-01-01&to=2026-12-31&${query}`);
  expect((await file('currency=JPY&format=csv')).body).toContain(',150000,150000');
  expect(pdfText((await file('currency=JPY&format=pdf')).rawPayload).join()).toContain('-150,000');
  expect(pdfText((await file('currency=EUR&format=pdf')).rawPayload).join()).toContain('本期没有往来。');
});

test('many lines span pages, each with header and number, uncut', async () => {
  const customerId = await newCustomer(d, '𠮷田 😀 Müller 喆堃');
  for (let i = 0; i < 40; i++) await d.paid({ customerId, title: `第 ${i} 次服务` });
  const url = `${api}/statement/file?format=pdf&customerId=${customerId}&from=2026-01-01&to=2027-12-31`;
  const pdf = await d.finance.get(url);
  const pages = pdfText(pdf.rawPayload);
  expect(pages.length).toBeGreaterThan(2);
  pages.forEach((text, i) => expect([text.includes(`第 ${i + 1} 页，共 ${pages.length} 页`), text.includes('类型\n订单号\n内容')]).toEqual([true, true]));
  expect(pdf.headers['content-disposition']).toContain("filename*=UTF-8''statement-%F0%A0%AE%B7%E7%94%B0%20");
  const text = pages.join('\n');
  for (let i = 0; i < 40; i++) expect(text.match(new RegExp(`第 ${i} 次服务`, 'g'))).toHaveLength(2);
  expect(text).toContain('Müller 喆堃');
  expect(pdf.rawPayload.length).toBeLessThan(300_000);
});

test('invalid or too long periods are refused', async () => {
  const ask = async (from: string, to: string) => refusal(await d.finance.get(`${api}/statement?from=${from}&to=${to}`));
  expect(await ask('2026-02-01', '2026-01-31')).toEqual({ status: 422, code: 'invalid_fields', fields: { to: 'out_of_range' } });
  expect(await ask('2020-01-01', '2026-01-31')).toMatchObject({ status: 422, code: 'range_not_allowed' });
  expect(await ask('2026-02-30', '2026-03-01')).toMatchObject({ status: 422, fields: { from: 'pattern' } });
  expect((await d.finance.get(`${api}/statement?from=2026-01-01&to=2026-01-31&customerId=7b1e9c52-4f0a-4c7e-9a57-0c5a4a6a1f01`)).statusCode).toBe(404);
  expect(dataOf<Statement>(await d.finance.get(`${api}/statement?from=2026-01-01&to=2026-01-01`)).lines).toEqual([]);
});
