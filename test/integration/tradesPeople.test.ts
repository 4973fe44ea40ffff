import type { Order, OrderWhole, Statement } from '../../contract/trades/ledger';
import { api, dataOf, openDesk, pdfOf, refusal } from './tradesSupport';
import type { Desk } from './tradesSupport';

let d: Desk;
beforeEach(async () => {
  d = await openDesk();
});
afterEach(() => d.t.close());

const pdf = pdfOf().toString('base64');
const png = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0]).toString('base64');
const numbers = async (who: Desk['customer']) => dataOf<{ rows: Order[] }>(await who.get(`${api}/orders`)).rows.map(({ number }) => number);

test('members see only their own sent orders, without the memo', async () => {
  const mine = await d.paid({ memo: '内部备注', note: '给客户' });
  const draft = await d.draft();
  const theirs = await d.paid({ customerId: d.stranger.userId });
  expect(await numbers(d.customer)).toEqual([mine.number]);
  expect(await d.read(mine.id, d.customer)).toMatchObject({ memo: null, note: '给客户', state: 'paid' });
  expect(JSON.stringify(dataOf(await d.customer.get(`${api}/orders`)))).not.toContain('内部备注');
  for (const id of [draft.id, theirs.id]) expect((await d.customer.get(`${api}/orders/${id}`)).statusCode).toBe(404);
  const payment = theirs.payments[0]?.id ?? '';
  expect(refusal(await d.pay(theirs.id, 1, {}, d.customer)).code).toBe('not_found');
  expect((await d.customer.get(`${api}/payments/${payment}/receipt`)).statusCode).toBe(404);
  expect(refusal(await d.ask([{ orderId: theirs.id, amount: 1 }]))).toMatchObject({ status: 422, fields: { 'orders.0.orderId': 'unknown' } });
  expect((await d.customer.get(`${api}/statement?customerId=${d.stranger.userId}&from=2026-01-01&to=2026-12-31`)).statusCode).toBe(404);
  expect((await d.customer.get(`${api}/statement/file?format=csv&customerId=${d.stranger.userId}&from=2026-01-01&to=2026-12-31`)).statusCode).toBe(404);
  expect((await d.customer.get(`${api}/customers`)).statusCode).toBe(403);
  expect(dataOf<Statement>(await d.customer.get(`${api}/statement?customerId=${d.customer.userId}&from=2026-01-01&to=2026-12-31`)).charges).toBe(10_000);
});

test('managers read everything, and neither they nor members write', async () => {
  const paid = await d.paid({ memo: '内部备注' });
  const open = await d.pending();
  const draft = await d.draft();
  expect(await numbers(d.manager)).toHaveLength(3);
  expect((await d.read(paid.id, d.manager)).memo).toBeNull();
  const payment = paid.payments[0]?.id ?? '';
  for (const who of [d.manager, d.customer]) {
    const answers = await Promise.all([
      d.send(who, '/orders', d.order()),
      who.send('PUT', `${api}/orders/${draft.id}`, d.order(), { 'if-match': '"1"' }),
      who.send('DELETE', `${api}/orders/${draft.id}`),
      d.move(open, 'cancelled', who),
      d.movePayment(payment, 'reversed', who),
      d.refund(payment, 1, who),
      d.send(who, `/orders/${paid.id}/renew`, {}),
    ]);
    expect(answers.map((answer) => answer.statusCode)).toEqual(answers.map(() => 403));
  }
  expect(refusal(await d.pay(open.id, 100, {}, d.manager))).toMatchObject({ status: 403, code: 'forbidden' });
  expect(refusal(await d.ask([{ orderId: paid.id, amount: 1 }], {}, d.manager))).toMatchObject({ status: 403, code: 'forbidden' });
  expect((await d.read(open.id)).payments).toEqual([]);
  expect(dataOf<Statement>(await d.manager.get(`${api}/statement?customerId=${d.customer.userId}&from=2026-01-01&to=2026-12-31`)).charges).toBe(20_000);
  // A manager can be a customer, too.
  const own = await d.pending({ customerId: d.manager.userId });
  expect((await d.pay(own.id, 100, {}, d.manager)).statusCode).toBe(200);
});

test('a reported payment with receipt counts once finance confirms it', async () => {
  const open = await d.pending();
  const reported = dataOf<OrderWhole>(
    await d.pay(
      open.id,
      10_000,
      { method: 'alipay', reference: 'A-77', receipt: { name: '转账 回单.pdf', type: 'application/pdf', content: pdf } },
      d.customer,
    ),
  );
  expect(reported).toMatchObject({
    state: 'pending',
    paid: 0,
    payments: [{ state: 'recorded', method: 'alipay', reference: 'A-77', receipt: { name: '转账 回单.pdf' }, createdBy: { name: 'ke.customer' } }],
  });
  const id = reported.payments[0]?.id ?? '';
  expect(refusal(await d.movePayment(id, 'confirmed', d.customer)).code).toBe('forbidden');
  expect(dataOf<OrderWhole>(await d.movePayment(id, 'confirmed')).state).toBe('paid');
  for (const who of [d.customer, d.finance, d.manager]) {
    const file = await who.get(`${api}/payments/${id}/receipt`);
    expect(file.rawPayload.equals(Buffer.from(pdf, 'base64'))).toBe(true);
    expect(file.headers).toMatchObject({
      'content-type': 'application/pdf',
      'x-content-type-options': 'nosniff',
      'cache-control': 'private, no-store',
      'content-disposition': `attachment; filename="__ __.pdf"; filename*=UTF-8''%E8%BD%AC%E8%B4%A6%20%E5%9B%9E%E5%8D%95.pdf`,
    });
    expect(file.headers['content-security-policy']).toContain("default-src 'none'");
  }
  expect((await d.stranger.get(`${api}/payments/${id}/receipt`)).statusCode).toBe(404);
});

test.each([
  ['a page that says it is a PDF', 'application/pdf', Buffer.from('<html><script>alert(1)</script>').toString('base64')],
  ['a PNG that says it is a JPEG', 'image/jpeg', png],
  ['nothing', 'image/png', ''],
])('an invalid receipt is refused: %s', async (_name, type, content) => {
  const open = await d.pending();
  const answer = await d.pay(open.id, 1, { receipt: { name: 'a.pdf', type: type as 'image/png', content } }, d.customer);
  expect(refusal(answer)).toEqual({ status: 422, code: 'invalid_fields', fields: { receipt: 'pattern' } });
  expect((await d.read(open.id)).payments).toEqual([]);
});

test('a receipt’s type and size are checked and its name cleaned', async () => {
  const open = await d.pending();
  const big = Buffer.concat([Buffer.from('%PDF-'), Buffer.alloc(2 * 1024 * 1024)]).toString('base64');
  expect(refusal(await d.pay(open.id, 1, { receipt: { name: 'a.svg', type: 'image/svg+xml' as 'image/png', content: png } })).status).toBe(422);
  expect([413, 422]).toContain((await d.pay(open.id, 1, { receipt: { name: 'a.pdf', type: 'application/pdf', content: big } })).statusCode);
  const full = pdfOf(2 * 1024 * 1024).toString('base64');
  const updatedOrder = dataOf<OrderWhole>(await d.pay(open.id, 1, { receipt: { name: '../evil".html', type: 'application/pdf', content: full } }));
  expect(updatedOrder.payments[0]?.receipt).toEqual({ name: '__evil_.html.pdf', bytes: 2 * 1024 * 1024 });
});

test('repeated references are reported, except failed and other customers’ ones', async () => {
  const one = await d.pending();
  const two = await d.pending();
  const theirs = await d.pending({ customerId: d.stranger.userId });
  const flags = async (id: string, who = d.finance) => (await d.read(id, who)).payments.map(({ sameReference }) => sameReference);
  await d.pay(one.id, 100, { reference: 'BANK-1' });
  expect(await flags(one.id)).toEqual([false]);
  const again = dataOf<OrderWhole>(await d.pay(two.id, 100, { reference: 'BANK-1' }));
  expect([await flags(one.id), await flags(two.id), await flags(one.id, d.customer)]).toEqual([[true], [true], [true]]);
  await d.movePayment(again.payments[0]?.id ?? '', 'failed');
  expect([await flags(one.id), await flags(two.id)]).toEqual([[false], [false]]);
  await d.pay(theirs.id, 100, { reference: 'BANK-1' });
  expect([await flags(one.id), await flags(one.id, d.customer), await flags(theirs.id, d.stranger)]).toEqual([[true], [false], [false]]);
  await d.pay(one.id, 100);
  await d.pay(one.id, 100);
  expect(await flags(one.id)).toEqual([true, false, false]);
});

test('future, zero and excessive payments are refused', async () => {
  const open = await d.pending();
  const far = new Date(d.t.ctx.now() + 4 * 24 * 3_600_000).toISOString().slice(0, 10);
  expect(refusal(await d.pay(open.id, 1, { paidAt: far })).fields).toEqual({ paidAt: 'out_of_range' });
  expect(refusal(await d.pay(open.id, 0)).fields).toEqual({ amount: 'out_of_range' });
  expect(refusal(await d.pay(open.id, -5)).fields).toEqual({ amount: 'out_of_range' });
  expect(refusal(await d.pay(open.id, 1e13)).fields).toEqual({ amount: 'out_of_range' });
  expect(refusal(await d.pay(open.id, 1, { paidAt: '2026-02-30' })).fields).toEqual({ paidAt: 'pattern' });
});

test('a customer’s open payments are limited', async () => {
  const open = await d.pending();
  for (let i = 0; i < 20; i++) expect((await d.pay(open.id, 1, {}, d.customer)).statusCode).toBe(200);
  expect(refusal(await d.pay(open.id, 1, {}, d.customer)).code).toBe('conflict');
});

test('every action is logged with its actor', async () => {
  const paid = await d.paid();
  await d.giveBack(paid.payments[0]?.id ?? '', 100);
  const { rows } = await d.t.ctx.postgres.pool.query<{ action: string; actor_name: string; target_name: string; after: Record<string, unknown> }>(
    `select action, actor_name, target_name, after from audit_log where action like 'trade.%' order by id`,
  );
  expect(rows.map(({ action }) => action)).toEqual([
    'trade.order_made',
    'trade.order_moved',
    'trade.payment_added',
    'trade.payment_moved',
    'trade.refund_added',
    'trade.refund_moved',
    'trade.refund_moved',
  ]);
  expect(new Set(rows.map((row) => `${row.actor_name} ${row.target_name}`))).toEqual(new Set([`fang.finance ${paid.number}`]));
  expect(rows[3]?.after).toMatchObject({ payment: 'confirmed', order: 'paid', amount: 10_000 });
});

test('people and sites available for an order', async () => {
  const site = await d.t.makeSite(d.owner);
  const found = dataOf<{ people: { id: string; name: string }[]; sites: { id: string }[] }>(await d.finance.get(`${api}/customers`));
  expect(found.people.map(({ name }) => name)).toEqual(expect.arrayContaining(['ke.customer', 'sheng.stranger', '林']));
  expect(found.sites).toEqual([{ id: site.id, name: 'Tea house' }]);
});

test('a token reads within its scope; site tokens see no statement', async () => {
  const site = await d.t.makeSite(d.owner);
  const [here, elsewhere] = [await d.paid({ siteId: site.id }), await d.paid()];
  const token = async (body: object) =>
    dataOf<{ value: string }>(await d.owner.send('POST', '/api/acc/tokens', { name: 'Books', scopes: ['account:read', 'account:write'], ...body })).value;
  const call = (value: string, url: string, method: 'GET' | 'POST' = 'GET', payload?: object) =>
    d.t.app.inject({ method, url: `${api}${url}`, headers: { authorization: `Bearer ${value}` }, ...(payload ? { payload } : {}) });
  const numbersOf = async (value: string) => (await call(value, '/orders')).json<{ data: { rows: Order[] } }>().data.rows.map(({ number }) => number);
  const [all, some] = [await token({}), await token({ siteIds: [site.id] })];
  expect(await numbersOf(all)).toEqual([elsewhere.number, here.number]);
  expect(await numbersOf(some)).toEqual([here.number]);
  expect((await call(some, `/orders/${elsewhere.id}`)).statusCode).toBe(404);
  expect((await call(all, '/statement?from=2026-01-01&to=2026-12-31')).statusCode).toBe(200);
  expect((await call(some, '/statement?from=2026-01-01&to=2026-12-31')).statusCode).toBe(403);
  expect((await call(some, '/orders', 'POST', d.order())).statusCode).toBe(422);
  expect((await call(some, '/orders', 'POST', d.order({ siteId: site.id }))).statusCode).toBe(200);
  // Payments are only moved by people.
  expect((await call(all, `/payments/${here.payments[0]?.id ?? ''}/state`, 'POST', { to: 'reversed' })).json<{ code: string }>().code).toBe('token_scope');
});
