import type { Invoice, InvoiceTitle, OrderWhole } from '../../contract/trades/ledger';
import { api, dataOf, openDesk, pdfOf, refusal, statusesOf, taxNumber } from './tradesSupport';
import type { Desk } from './tradesSupport';

let d: Desk;
beforeEach(async () => {
  d = await openDesk();
});
afterEach(() => d.t.close());

const number = '26332000000012345678';
const file = (name: string, type: 'application/pdf' | 'application/ofd' | 'application/xml', content: string | Buffer) => ({
  name,
  type,
  content: Buffer.from(content).toString('base64'),
});
/** A ZIP with one empty file `OFD.xml`. */
function ofd(): Buffer {
  const [local, central, end] = [Buffer.alloc(37), Buffer.alloc(53), Buffer.alloc(22)];
  local.write('PK\u0003\u0004', 'latin1');
  local.writeUInt16LE(7, 26);
  local.write('OFD.xml', 30);
  central.write('PK\u0001\u0002', 'latin1');
  central.writeUInt16LE(7, 28);
  central.write('OFD.xml', 46);
  end.write('PK\u0005\u0006', 'latin1');
  end.writeUInt16LE(1, 8);
  end.writeUInt16LE(1, 10);
  end.writeUInt32LE(central.length, 12);
  end.writeUInt32LE(local.length, 16);
  return Buffer.concat([local, central, end]);
}
const invoices = async (who: Desk['customer'], query = '') => dataOf<{ rows: Invoice[]; total: number }>(await who.get(`${api}/invoices${query}`));
const full = { address: '西湖区 1 号', phone: '0571-88888888', bank: '工商银行西湖支行', account: '1202020209900000001' };

test('a customer requests an invoice, which finance issues as a file', async () => {
  const [one, two] = [await d.paid(), await d.paid({ items: [{ name: 'x', quantity: '1', unitPrice: 500 }] })];
  const requestedInvoice = dataOf<Invoice>(
    await d.ask([
      { orderId: one.id, amount: 10_000 },
      { orderId: two.id.toUpperCase(), amount: 300 },
    ]),
  );
  expect(requestedInvoice).toMatchObject({
    customer: { name: 'ke.customer' },
    type: 'normal',
    title: '杭州茶叶有限公司',
    taxNumber,
    amount: 10_300,
    currency: 'CNY',
    state: 'requested',
    orders: [
      { number: one.number, amount: 10_000 },
      { number: two.number, amount: 300 },
    ],
    revision: 1,
  });
  expect([(await d.read(one.id)).invoiced, (await d.read(two.id)).invoiced]).toEqual([10_000, 300]);
  const issuing = dataOf<Invoice>(await d.moveInvoice(requestedInvoice, { to: 'issuing' }));
  expect(issuing).toMatchObject({ state: 'issuing', revision: 2 });
  const issued = dataOf<Invoice>(await d.moveInvoice(issuing, { to: 'issued', number, file: file('发票.ofd', 'application/ofd', ofd()) }));
  expect(issued).toMatchObject({ state: 'issued', number, file: { name: '发票.ofd', bytes: ofd().length } });
  expect(issued.issuedAt).not.toBeNull();
  const fetched = await d.customer.get(`${api}/invoices/${issued.id}/file`);
  expect(fetched.headers).toMatchObject({
    'content-type': 'application/ofd',
    'x-content-type-options': 'nosniff',
    'content-disposition': `attachment; filename="__.ofd"; filename*=UTF-8''%E5%8F%91%E7%A5%A8.ofd`,
  });
  expect(fetched.rawPayload.equals(ofd())).toBe(true);
  expect((await d.stranger.get(`${api}/invoices/${issued.id}/file`)).statusCode).toBe(404);
  expect((await d.read(one.id, d.customer)).invoices.map(({ id }) => id)).toEqual([issued.id]);
});

test.each<[string, object, Record<string, string>]>([
  ['a company without a tax number', { taxNumber: null }, { taxNumber: 'required' }],
  ['a tax number that cannot be one', { taxNumber: '91350100M000100Y44' }, { taxNumber: 'not_a_tax_number' }],
  [
    '专票 with nothing',
    { type: 'special', taxNumber: null },
    { taxNumber: 'required', address: 'required', phone: 'required', bank: 'required', account: 'required' },
  ],
  ['专票 without an account', { type: 'special', ...full, account: '' }, { account: 'required' }],
  ['no title', { title: ' ' }, { title: 'required' }],
  ['an address that is none', { email: 'nobody' }, { email: 'not_an_email' }],
])('refuses %s', async (_name, change, fields) => {
  const order = await d.paid();
  expect(refusal(await d.ask([{ orderId: order.id, amount: 1 }], change))).toEqual({ status: 422, code: 'invalid_fields', fields });
  expect((await invoices(d.finance)).total).toBe(0);
});

test('专票 needs all details, and a person needs no tax number', async () => {
  const order = await d.paid();
  expect(dataOf<Invoice>(await d.ask([{ orderId: order.id, amount: 1 }], { type: 'special', ...full }))).toMatchObject({ type: 'special', bank: full.bank });
  expect(dataOf<Invoice>(await d.ask([{ orderId: order.id, amount: 1 }], { titleType: 'person', title: '柯', taxNumber: null }))).toMatchObject({
    taxNumber: null,
  });
});

test('never exceeds the payments, even concurrently, and rejection frees them', async () => {
  const order = await d.paid();
  const ask = (amount: number) => d.ask([{ orderId: order.id, amount }]);
  expect(refusal(await ask(10_001))).toEqual({ status: 409, code: 'amount_exceeded', fields: { 'orders.0.amount': 'out_of_range' } });
  const answers = await Promise.all([ask(6000), ask(6000)]);
  expect(statusesOf(answers)).toEqual([200, 409]);
  const [first] = (await invoices(d.customer)).rows;
  if (!first) throw new Error('no invoice');
  expect(refusal(await d.moveInvoice(first, { to: 'rejected' })).fields).toEqual({ reason: 'required' });
  const rejected = dataOf<Invoice>(await d.moveInvoice(first, { to: 'rejected', reason: '抬头有误' }));
  expect(rejected).toMatchObject({ state: 'rejected', reason: '抬头有误' });
  expect(refusal(await d.moveInvoice(rejected, { to: 'issued', number })).code).toBe('bad_transition');

  const issued = dataOf<Invoice>(await d.moveInvoice(dataOf<Invoice>(await ask(10_000)), { to: 'issued', number }));
  expect(refusal(await ask(1)).code).toBe('amount_exceeded');
  // Amounts covered by an invoice cannot be refunded.
  const payment = order.payments[0]?.id ?? '';
  expect(refusal(await d.movePayment(payment, 'reversed')).code).toBe('amount_exceeded');
  const refund = dataOf<OrderWhole>(await d.refund(payment, 1000)).refunds[0]?.id ?? '';
  await d.moveRefund(refund, 'approved');
  expect(refusal(await d.moveRefund(refund, 'done')).code).toBe('amount_exceeded');
  expect(refusal(await d.moveInvoice(issued, { to: 'red' })).fields).toEqual({ number: 'required', redReason: 'required' });
  const red = dataOf<Invoice>(await d.moveInvoice(issued, { to: 'red', number: '26332000000099999999', redReason: 'returned' }));
  expect(red).toMatchObject({ state: 'red', number, redNumber: '26332000000099999999', redReason: 'returned' });
  expect(dataOf<OrderWhole>(await d.moveRefund(refund, 'done'))).toMatchObject({ state: 'partly_refunded', invoiced: 0 });
  expect(refusal(await ask(9001)).code).toBe('amount_exceeded');
  expect((await ask(9000)).statusCode).toBe(200);
});

test('orders must be paid, of one currency and customer, and distinct', async () => {
  const paid = await d.paid();
  const open = await d.pending();
  const dollars = await d.paid({ currency: 'USD' });
  const theirs = await d.paid({ customerId: d.stranger.userId });
  const ask = async (ids: string[], who = d.finance) =>
    refusal(
      await d.ask(
        ids.map((orderId) => ({ orderId, amount: 1 })),
        {},
        who,
      ),
    );
  expect(await ask([open.id])).toMatchObject({ status: 409, code: 'bad_transition' });
  expect(await ask([paid.id, dollars.id])).toEqual({ status: 422, code: 'currency_mixed', fields: { 'orders.1.orderId': 'pattern' } });
  expect(await ask([paid.id, theirs.id])).toEqual({ status: 422, code: 'invalid_fields', fields: { 'orders.1.orderId': 'unknown' } });
  expect(await ask([paid.id, paid.id.toUpperCase()])).toMatchObject({ status: 422, fields: { 'orders.1.orderId': 'duplicate' } });
  expect(await ask([])).toMatchObject({ status: 422 });
  expect(await ask([theirs.id], d.customer)).toMatchObject({ status: 422, fields: { 'orders.0.orderId': 'unknown' } });
  // An overpaid order cannot be over-invoiced.
  const over = await d.settle((await d.pending()).id, 20_000);
  expect(refusal(await d.ask([{ orderId: over.id, amount: 10_001 }])).code).toBe('amount_exceeded');
});

test('transitions need revision, role, unique number and a valid file', async () => {
  const order = await d.paid();
  const [one, two] = [dataOf<Invoice>(await d.ask([{ orderId: order.id, amount: 1 }])), dataOf<Invoice>(await d.ask([{ orderId: order.id, amount: 1 }]))];
  for (const who of [d.customer, d.manager]) expect((await d.moveInvoice(one, { to: 'issued', number }, who)).statusCode).toBe(403);
  expect(refusal(await d.moveInvoice(one, { to: 'issued' })).fields).toEqual({ number: 'required' });
  expect(refusal(await d.moveInvoice(one, { to: 'issued', number: '1-2' })).fields).toEqual({ number: 'pattern' });
  expect(refusal(await d.moveInvoice(one, { to: 'requested' })).status).toBe(422);
  expect(refusal(await d.moveInvoice(one, { to: 'red', number, redReason: 'mistake' })).code).toBe('bad_transition');
  for (const wrong of [
    file('a.pdf', 'application/pdf', '<html>'),
    file('a.pdf', 'application/pdf', '%PDF-1.4\n%%EOF\n'),
    file('a.pdf', 'application/pdf', pdfOf().subarray(0, -8)),
    file('a.ofd', 'application/ofd', '%PDF-1.7'),
    file('a.ofd', 'application/ofd', 'PK\u0003\u0004rest'),
    file('a.ofd', 'application/ofd', ofd().subarray(0, -1)),
    file('a.xml', 'application/xml', '<?xml version="1.0"?>'),
    file('a.xml', 'application/xml', '<?xml version="1.0"?><EInvoice><No>1</No>'),
    file('a.xml', 'application/xml', '<!doctype html><script>'),
    file('a.xml', 'application/xml', '<HTML><script>'),
    file('a.xml', 'application/xml', Buffer.from([0xff, 0xfe, 0x3c])),
  ])
    expect(refusal(await d.moveInvoice(one, { to: 'issued', number, file: wrong })).fields).toEqual({ file: 'pattern' });
  const issued = dataOf<Invoice>(
    await d.moveInvoice(one, { to: 'issued', number, file: file('a', 'application/xml', '\uFEFF<?xml version="1.0"?><EInvoice/>') }),
  );
  expect(issued.file?.name).toBe('a.xml');
  expect(refusal(await d.moveInvoice(two, { to: 'issued', number })).fields).toEqual({ number: 'taken' });
  const stale = await d.moveInvoice(one, { to: 'red', number: '1', redReason: 'mistake' });
  expect([stale.statusCode, stale.json()]).toMatchObject([409, { code: 'stale_revision', current: { state: 'issued', revision: 2 } }]);
  const [a, b] = await Promise.all([d.moveInvoice(two, { to: 'issuing' }), d.moveInvoice(two, { to: 'rejected', reason: 'x' })]);
  expect(statusesOf([a, b])).toEqual([200, 409]);
});

test.each([
  ['zh-CN', '发票 26332000000012345678 已开具', '登录控制台即可下载发票文件'],
  ['en', 'Invoice 26332000000012345678 has been issued', 'Sign in to the console to download its file'],
])('the requesting address is notified of the issue once, in %s', async (locale, subject, text) => {
  await d.t.close();
  d = await openDesk({ config: { smtpUrl: 'smtp://127.0.0.1:9', mailFrom: 'Sitewright <console@example.com>' } });
  const { pool } = d.t.ctx.postgres;
  await pool.query('update users set locale = $1 where id = $2', [locale, d.customer.userId]);
  const { id: orderId } = await d.paid();
  const letters = async () =>
    (await pool.query<{ message: string }>(`select message from outbox where kind = 'trade.invoice_issued'`)).rows.map(
      ({ message }) => JSON.parse(d.t.ctx.secrets.open('outbox', message)) as object,
    );
  const one = dataOf<Invoice>(await d.ask([{ orderId, amount: 1234 }], { email: 'books@example.cn' }));
  const without = dataOf<Invoice>(await d.ask([{ orderId, amount: 1 }]));
  dataOf(await d.moveInvoice(without, { to: 'issued', number: '1' }));
  expect(refusal(await d.moveInvoice(one, { to: 'issued', number: '1' })).fields).toEqual({ number: 'taken' });
  expect(await letters()).toEqual([]);
  dataOf(await d.moveInvoice(one, { to: 'issued', number, file: file('a.pdf', 'application/pdf', pdfOf()) }));
  expect((await d.moveInvoice(one, { to: 'issued', number })).statusCode).toBe(409);
  expect(await letters()).toMatchObject([
    {
      to: 'books@example.cn',
      locale,
      subject,
      paragraphs: [expect.stringContaining(text)],
      facts: [{ value: number }, { value: '杭州茶叶有限公司' }, { value: 'CNY 12.34' }],
      action: { url: `${d.t.ctx.config.publicUrl}/account/trades/account_trades?tab=invoices` },
    },
  ]);
});

test('lists: own or all, by state, customer and text', async () => {
  const mine = dataOf<Invoice>(await d.ask([{ orderId: (await d.paid()).id, amount: 1 }]));
  const order = await d.paid({ customerId: d.stranger.userId });
  const theirs = dataOf<Invoice>(await d.ask([{ orderId: order.id, amount: 1 }], { title: '陌生人有限公司' }, d.stranger));
  const ids = async (who: Desk['customer'], query = '') => (await invoices(who, query)).rows.map(({ id }) => id);
  expect([await ids(d.customer), await ids(d.stranger)]).toEqual([[mine.id], [theirs.id]]);
  expect([await ids(d.finance), await ids(d.manager)]).toEqual([
    [theirs.id, mine.id],
    [theirs.id, mine.id],
  ]);
  expect(await ids(d.finance, '?q=陌生')).toEqual([theirs.id]);
  expect(await ids(d.finance, `?q=${order.number}`)).toEqual([theirs.id]);
  expect(await ids(d.finance, `?customerId=${d.customer.userId}`)).toEqual([mine.id]);
  expect(await ids(d.finance, '?state=issued')).toEqual([]);
  expect(await ids(d.finance, '?page=2&size=1')).toEqual([mine.id]);
});

test('titles are personal: stored, changed, deleted and unique', async () => {
  const title = { titleType: 'company', title: '杭州茶叶有限公司', taxNumber };
  const storedTitle = dataOf<InvoiceTitle>(await d.send(d.customer, '/titles', title));
  expect(refusal(await d.send(d.customer, '/titles', title))).toMatchObject({ status: 409, code: 'conflict' });
  expect(refusal(await d.send(d.customer, '/titles', { ...title, taxNumber: null })).fields).toEqual({ taxNumber: 'required' });
  const other = dataOf<InvoiceTitle>(await d.send(d.customer, '/titles', { titleType: 'person', title: '柯' }));
  const put = (id: string, body: object, who = d.customer) => who.send('PUT', `${api}/titles/${id}`, body);
  expect(dataOf<InvoiceTitle>(await put(storedTitle.id, { ...title, bank: '工商银行' }))).toMatchObject({ bank: '工商银行' });
  expect(refusal(await put(other.id, title)).fields).toEqual({ title: 'duplicate' });
  for (const who of [d.stranger, d.finance]) {
    expect((await put(storedTitle.id, title, who)).statusCode).toBe(404);
    expect((await who.send('DELETE', `${api}/titles/${storedTitle.id}`)).statusCode).toBe(404);
    expect(dataOf<InvoiceTitle[]>(await who.get(`${api}/titles`))).toEqual([]);
  }
  // Requesting an invoice stores its title once.
  const order = await d.paid();
  for (const amount of [1, 2]) await d.ask([{ orderId: order.id, amount }], { title: '新公司', saveTitle: true });
  await d.ask([{ orderId: order.id, amount: 3 }], { title: '不保存' });
  expect(dataOf<InvoiceTitle[]>(await d.customer.get(`${api}/titles`)).map((one) => one.title)).toEqual(['新公司', '柯', '杭州茶叶有限公司']);
  expect((await d.customer.send('DELETE', `${api}/titles/${storedTitle.id}`)).statusCode).toBe(204);
  expect((await d.customer.send('DELETE', `${api}/titles/${storedTitle.id}`)).statusCode).toBe(404);
  const restore = (who: Desk['finance']) => who.send('POST', `${api}/titles/${storedTitle.id}/restore`);
  expect((await restore(d.finance)).statusCode).toBe(404);
  expect(dataOf<InvoiceTitle>(await restore(d.customer))).toMatchObject({ id: storedTitle.id, bank: '工商银行' });
});
