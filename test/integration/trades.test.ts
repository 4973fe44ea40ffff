import { runSchedule } from '../support/schedules';
import type { Order, OrderWhole } from '../../contract/trades/ledger';
import { api, dataOf, openDesk, refusal, statusesOf } from './tradesSupport';
import type { Desk } from './tradesSupport';

const hour = 3_600_000;
const day = 24 * hour;
let d: Desk;
beforeEach(async () => {
  d = await openDesk();
});
afterEach(() => d.t.close());

type List = { rows: Order[]; total: number; sums: { currency: string; total: number; paid: number; refunded: number }[] };
const list = async (who = d.finance, query: Record<string, string> = {}) => dataOf<List>(await who.get(`${api}/orders?${new URLSearchParams(query)}`));
const replace = (one: OrderWhole, body: object, revision = one.revision, who = d.finance) =>
  who.send('PUT', `${api}/orders/${one.id}`, body, { 'if-match': `"${revision}"` });
const audited = async () =>
  (await d.t.ctx.postgres.pool.query<{ action: string }>(`select action from audit_log where action like 'trade.%' order by id`)).rows.map((row) => row.action);
const today = () => new Intl.DateTimeFormat('en-CA', { timeZone: 'Asia/Shanghai' }).format(d.t.ctx.now());

describe('drafting', () => {
  test('sums are computed exactly and a number is assigned', async () => {
    const site = await d.t.makeSite(d.owner);
    const draftOrder = await d.draft({
      siteId: site.id,
      kind: 'plan',
      items: [
        { name: '套餐', quantity: '02.50', unitPrice: 9999, discount: 8, taxRate: 600 },
        { name: '域名', quantity: '1', unitPrice: 6500 },
      ],
      period: { from: '2026-11-20', to: '2027-11-19' },
      memo: '老客户',
    });
    // 2.5 × 99.99 = 249.975 → 249.98; less 0.08 = 249.90; 6 % = 14.994 → 14.99
    expect(draftOrder).toMatchObject({
      number: `T${today().replaceAll('-', '')}-0001`,
      customer: { id: d.customer.userId, name: 'ke.customer' },
      site: { id: site.id, name: 'Tea house' },
      items: [
        { name: '套餐', quantity: '2.5', unitPrice: 9999, discount: 8, taxRate: 600, amount: 24_990, tax: 1499 },
        { amount: 6500, tax: 0 },
      ],
      subtotal: 31_498,
      discount: 8,
      tax: 1499,
      total: 32_989,
      paid: 0,
      state: 'draft',
      currency: 'CNY',
      memo: '老客户',
      createdBy: { name: 'fang.finance' },
      revision: 1,
      history: [{ from: null, to: 'draft', by: 'fang.finance' }],
    });
    expect(await audited()).toEqual(['trade.order_made']);
  });

  test('twenty concurrent orders get twenty consecutive numbers', async () => {
    const draftOrders = await Promise.all(Array.from({ length: 20 }, () => d.draft()));
    const stem = `T${today().replaceAll('-', '')}-`;
    expect(draftOrders.map(({ number }) => number).toSorted()).toEqual(Array.from({ length: 20 }, (_, i) => `${stem}${String(i + 1).padStart(4, '0')}`));
  });

  test('the number’s date is that of Shanghai', async () => {
    // After 16:00 UTC it is the next day there.
    const intoDay = d.t.ctx.now() % day;
    // In steps: a session ends after twelve hours, and the test may run at any time of day.
    for (let left = (16.5 * hour - intoDay + day) % day; left > 0; left -= 8 * hour) {
      d.t.pass(Math.min(left, 8 * hour));
      expect((await d.finance.get('/api/acc/token/session')).statusCode).toBe(200);
    }
    const tomorrow = new Date(d.t.ctx.now() + 8 * 3_600_000).toISOString().slice(0, 10);
    expect(tomorrow).not.toBe(new Date(d.t.ctx.now()).toISOString().slice(0, 10));
    expect((await d.draft()).number).toBe(`T${tomorrow.replaceAll('-', '')}-0001`);
  });

  test.each<[string, object, Record<string, string>]>([
    ['a price below nothing', { items: [{ name: 'a', quantity: '1', unitPrice: -1 }] }, { 'items.0.unitPrice': 'negative' }],
    ['a price without end', { items: [{ name: 'a', quantity: '1', unitPrice: 1e15 }] }, { 'items.0.unitPrice': 'out_of_range' }],
    ['a quantity without end', { items: [{ name: 'a', quantity: '123456789', unitPrice: 1 }] }, { 'items.0.quantity': 'pattern' }],
    ['sums without end', { items: [{ name: 'a', quantity: '9999999', unitPrice: 1e12 }] }, { 'items.0.unitPrice': 'out_of_range' }],
    ['a discount of more than the line', { items: [{ name: 'a', quantity: '1', unitPrice: 5, discount: 6 }] }, { 'items.0.discount': 'out_of_range' }],
    ['two currencies', { items: [{ name: 'a', quantity: '1', unitPrice: 5, currency: 'USD' }] }, { 'items.0.currency': 'unknown_field' }],
    ['no lines', { items: [] }, { items: 'too_short' }],
    ['nobody', { customerId: '7b1e9c52-4f0a-4c7e-9a57-0c5a4a6a1f01' }, { customerId: 'unknown' }],
    ['a site that is none', { siteId: 'aaaaaaaaaaaa' }, { siteId: 'unknown' }],
    ['a period backwards', { period: { from: '2026-12-01', to: '2026-11-30' } }, { 'period.to': 'out_of_range' }],
    ['a total of its own', { total: 1 }, { total: 'unknown_field' }],
  ])('refuses %s', async (_name, change, fields) => {
    expect(refusal(await d.send(d.finance, '/orders', { ...d.order(), ...change }))).toEqual({ status: 422, code: 'invalid_fields', fields });
    expect((await list()).total).toBe(0);
  });

  test('a draft can be changed, deleted and restored, unless stale', async () => {
    const draftOrder = await d.draft();
    const changed = dataOf<OrderWhole>(await replace(draftOrder, d.order({ title: '新标题', items: [{ name: 'b', quantity: '3', unitPrice: 7 }] })));
    expect(changed).toMatchObject({ title: '新标题', total: 21, revision: 2, number: draftOrder.number, items: [{ name: 'b', quantity: '3' }] });
    const stale = await replace(draftOrder, d.order({ title: '更旧的' }));
    expect([stale.statusCode, stale.json()]).toMatchObject([409, { code: 'stale_revision', current: { title: '新标题', revision: 2 } }]);
    expect((await d.finance.send('DELETE', `${api}/orders/${draftOrder.id}`)).statusCode).toBe(204);
    expect((await d.finance.get(`${api}/orders/${draftOrder.id}`)).statusCode).toBe(404);
    const restore = (who = d.finance) => who.send('POST', `${api}/orders/${draftOrder.id}/restore`);
    expect((await restore(d.customer)).statusCode).toBe(403);
    expect(dataOf<OrderWhole>(await restore())).toEqual(changed);
    expect((await restore()).statusCode).toBe(404);
    expect(await audited()).toEqual(['trade.order_made', 'trade.order_changed', 'trade.order_removed', 'trade.order_restored']);
  });

  test('after the draft only note and memo change', async () => {
    const sent = await d.pending();
    const { memo: _, ...same } = d.order();
    const orderWithNote = dataOf<OrderWhole>(await replace(sent, { ...same, note: '请备注订单号', memo: '已电话联系' }));
    expect(orderWithNote).toMatchObject({ note: '请备注订单号', memo: '已电话联系', total: sent.total, state: 'pending' });
    for (const change of [
      { title: '别的' },
      { currency: 'USD' },
      { customerId: d.stranger.userId },
      { dueAt: '2027-01-01' },
      { items: [{ name: '套餐', quantity: '1', unitPrice: 9999 }] },
      { items: [...d.order().items, ...d.order().items] },
      { period: { from: '2026-01-01', to: '2026-01-31' } },
    ])
      expect([change, refusal(await replace(orderWithNote, { ...d.order(), ...change })).code]).toEqual([change, 'immutable']);
    expect(refusal(await d.finance.send('DELETE', `${api}/orders/${sent.id}`))).toMatchObject({ status: 409, code: 'immutable' });
  });
});

describe('states', () => {
  test('draft → pending → paid → fulfilled, each step in the history', async () => {
    const sent = await d.pending();
    expect(sent.state).toBe('pending');
    const part = await d.settle(sent.id, 4000);
    expect(part).toMatchObject({ state: 'pending', paid: 4000 });
    const whole = await d.settle(sent.id, 6000);
    expect(whole).toMatchObject({ state: 'paid', paid: 10_000 });
    const done = dataOf<OrderWhole>(await d.move(whole, 'fulfilled'));
    expect(done.history.map(({ from, to, by }) => [from, to, by])).toEqual([
      [null, 'draft', 'fang.finance'],
      ['draft', 'pending', 'fang.finance'],
      ['pending', 'paid', 'fang.finance'],
      ['paid', 'fulfilled', 'fang.finance'],
    ]);
  });

  test('every transition not open to people is refused', async () => {
    const draft = await d.draft();
    for (const to of ['fulfilled', 'cancelled']) expect(refusal(await d.move(draft, to)).code).toBe('bad_transition');
    for (const to of ['paid', 'expired', 'refunded', 'draft']) expect((await d.move(draft, to)).statusCode).toBe(422);
    const gone = dataOf<OrderWhole>(await d.move(dataOf<OrderWhole>(await d.move(draft, 'pending')), 'cancelled'));
    for (const to of ['pending', 'cancelled', 'fulfilled']) expect(refusal(await d.move(gone, to)).code).toBe('bad_transition');
    expect(refusal(await d.pay(gone.id, 100))).toMatchObject({ status: 409, code: 'bad_transition' });
    expect(refusal(await d.move(draft, 'pending')).code).toBe('stale_revision');
  });

  test('an order for nothing is paid at once', async () => {
    expect(await d.pending({ items: [{ name: '赠送', quantity: '1', unitPrice: 500, discount: 500 }] })).toMatchObject({ total: 0, state: 'paid' });
  });

  test('of two concurrent confirmations one counts, and it is paid once', async () => {
    const sent = await d.pending();
    const recorded = dataOf<OrderWhole>(await d.pay(sent.id, 10_000));
    const id = recorded.payments[0]?.id ?? '';
    const answers = await Promise.all([d.movePayment(id, 'confirmed'), d.movePayment(id, 'confirmed', d.owner), d.movePayment(id, 'failed', d.owner)]);
    expect(statusesOf(answers)).toEqual([200, 409, 409]);
    const after = await d.read(sent.id);
    expect([after.state, after.paid]).toEqual(after.payments[0]?.state === 'failed' ? ['pending', 0] : ['paid', 10_000]);
  });

  test('two halves confirmed concurrently pay the order', async () => {
    const sent = await d.pending();
    await d.pay(sent.id, 5000);
    const ids = dataOf<OrderWhole>(await d.pay(sent.id, 5000)).payments.map(({ id }) => id);
    await Promise.all(ids.map((id) => d.movePayment(id, 'confirmed')));
    const after = await d.read(sent.id);
    expect([after.state, after.paid, after.history.filter(({ to }) => to === 'paid').length]).toEqual(['paid', 10_000, 1]);
  });

  test('a reversed payment makes the order pending again, even if fulfilled', async () => {
    const done = dataOf<OrderWhole>(await d.move(await d.paid(), 'fulfilled'));
    const again = dataOf<OrderWhole>(await d.movePayment(done.payments[0]?.id ?? '', 'reversed'));
    expect(again).toMatchObject({ state: 'pending', paid: 0 });
    expect(await d.settle(done.id, 10_000)).toMatchObject({ state: 'paid', paid: 10_000 });
    expect(refusal(await d.movePayment(done.payments[0]?.id ?? '', 'confirmed')).code).toBe('bad_transition');
  });

  test('an overpayment is credit, and refunding it leaves the order paid', async () => {
    const sent = await d.pending();
    const over = await d.settle(sent.id, 15_000);
    expect(over).toMatchObject({ state: 'paid', paid: 15_000 });
    expect((await d.statement(d.customer)).closing).toBe(-5000);
    expect(await d.giveBack(over.payments[0]?.id ?? '', 5000)).toMatchObject({ state: 'paid', refunded: 5000 });
    expect((await d.statement(d.customer)).closing).toBe(0);
  });

  test('an order with an open or confirmed payment cannot be cancelled', async () => {
    const sent = await d.pending();
    const recorded = dataOf<OrderWhole>(await d.pay(sent.id, 100));
    expect(refusal(await d.move(recorded, 'cancelled')).code).toBe('bad_transition');
    const failed = dataOf<OrderWhole>(await d.movePayment(recorded.payments[0]?.id ?? '', 'failed'));
    expect(dataOf<OrderWhole>(await d.move(failed, 'cancelled')).state).toBe('cancelled');
  });

  test('it expires after its due day, unless a payment was reported', async () => {
    const due = await d.pending({ dueAt: today() });
    const reported = await d.pending({ dueAt: today() });
    const later = await d.pending({ dueAt: '2099-01-01' });
    const open = await d.pending();
    await d.pay(reported.id, 100);
    await runSchedule(d.t.ctx, 'trades.expiry');
    expect((await d.read(due.id)).state).toBe('pending');
    const tomorrow = { ...d.t.ctx, now: () => d.t.ctx.now() + day };
    await Promise.all([runSchedule(tomorrow, 'trades.expiry'), runSchedule(tomorrow, 'trades.expiry')]);
    const states = await Promise.all([due, reported, later, open].map(async ({ id }) => (await d.read(id)).state));
    expect(states).toEqual(['expired', 'pending', 'pending', 'pending']);
    expect((await d.read(due.id)).history.at(-1)).toMatchObject({ from: 'pending', to: 'expired', by: '' });
    expect((await d.read(due.id)).history.length).toBe(3);
  });
});

describe('refunds', () => {
  const first = (order: OrderWhole) => order.payments[0]?.id ?? '';

  test('in part and then in full; the charge follows', async () => {
    const order = await d.paid();
    const refundingOrder = dataOf<OrderWhole>(await d.refund(first(order), 3000));
    expect(refundingOrder).toMatchObject({ state: 'refunding', refunded: 0, refunds: [{ amount: 3000, state: 'requested', reason: '客户取消' }] });
    const id = refundingOrder.refunds[0]?.id ?? '';
    expect(refusal(await d.moveRefund(id, 'done')).code).toBe('bad_transition');
    expect(dataOf<OrderWhole>(await d.moveRefund(id, 'approved')).state).toBe('refunding');
    expect(dataOf<OrderWhole>(await d.moveRefund(id, 'done'))).toMatchObject({ state: 'partly_refunded', refunded: 3000 });
    expect((await d.statement(d.customer)).closing).toBe(0);
    expect(await d.giveBack(first(order), 7000)).toMatchObject({ state: 'refunded', refunded: 10_000 });
    expect((await d.statement(d.customer)).closing).toBe(0);
    expect(refusal(await d.refund(first(order), 1)).code).toBe('bad_transition');
  });

  test.each(['paid', 'fulfilled'] as const)('rejected: back to %s', async (before) => {
    const paid = await d.paid();
    const order = before === 'paid' ? paid : dataOf<OrderWhole>(await d.move(paid, 'fulfilled'));
    const refundingOrder = dataOf<OrderWhole>(await d.refund(first(order), 3000));
    expect(refundingOrder.state).toBe('refunding');
    expect(dataOf<OrderWhole>(await d.moveRefund(refundingOrder.refunds[0]?.id ?? '', 'rejected')).state).toBe(before);
  });

  test('never exceed the payment, even concurrently', async () => {
    const order = await d.paid();
    expect(refusal(await d.refund(first(order), 10_001))).toEqual({ status: 409, code: 'amount_exceeded', fields: { amount: 'out_of_range' } });
    expect((await d.refund(first(order), -1)).statusCode).toBe(422);
    expect((await d.refund(first(order), 0)).statusCode).toBe(422);
    const answers = await Promise.all([d.refund(first(order), 6000), d.refund(first(order), 6000, d.owner)]);
    expect(statusesOf(answers)).toEqual([200, 409]);
    expect(answers.map((answer) => answer.json<{ code?: string }>().code)).toContain('amount_exceeded');
    // A rejected refund releases its amount.
    const refundId = (await d.read(order.id)).refunds[0]?.id ?? '';
    await d.moveRefund(refundId, 'rejected');
    expect((await d.refund(first(order), 10_000)).statusCode).toBe(200);
  });

  test('of an unconfirmed payment are refused', async () => {
    const sent = await d.pending();
    const recorded = dataOf<OrderWhole>(await d.pay(sent.id, 10_000));
    expect(refusal(await d.refund(first(recorded), 1)).code).toBe('bad_transition');
  });

  test('a payment with a refund cannot be reversed', async () => {
    const order = await d.paid();
    const refundingOrder = dataOf<OrderWhole>(await d.refund(first(order), 1));
    expect(refusal(await d.movePayment(first(order), 'reversed')).code).toBe('amount_exceeded');
    await d.moveRefund(refundingOrder.refunds[0]?.id ?? '', 'rejected');
    expect(dataOf<OrderWhole>(await d.movePayment(first(order), 'reversed')).state).toBe('pending');
  });

  test('complete after another payment was reversed and repaid', async () => {
    const sent = await d.pending();
    const one = await d.settle(sent.id, 4000);
    const two = await d.settle(sent.id, 6000);
    const [a = '', b = ''] = two.payments.map(({ id }) => id);
    expect(one.state).toBe('pending');
    await d.giveBack(a, 1000);
    expect(dataOf<OrderWhole>(await d.movePayment(b, 'reversed'))).toMatchObject({ state: 'pending', paid: 4000, refunded: 1000 });
    expect((await d.statement(d.customer)).closing).toBe(6000);
    expect(await d.settle(sent.id, 6000)).toMatchObject({ state: 'partly_refunded' });
    expect((await d.statement(d.customer)).closing).toBe(0);
  });
});

describe('finding', () => {
  test('by text, state, kind, customer, site, currency and days, with sums', async () => {
    const site = await d.t.makeSite(d.owner);
    const plan = await d.paid({ title: '年度套餐_100%', kind: 'plan', siteId: site.id });
    const yen = await d.draft({
      currency: 'JPY',
      customerId: d.stranger.userId,
      items: [{ name: '域名 tea.jp', quantity: '1', unitPrice: 1500 }],
      dueAt: '2027-01-01',
    });
    const numbers = async (query: Record<string, string>) => (await list(d.finance, query)).rows.map(({ number }) => number);
    expect(await numbers({})).toEqual([yen.number, plan.number]);
    expect(await numbers({ sort: 'number' })).toEqual([plan.number, yen.number]);
    expect(await numbers({ sort: 'total' })).toEqual([yen.number, plan.number]);
    expect(await numbers({ sort: 'dueAt' })).toEqual([yen.number, plan.number]);
    expect(await numbers({ sort: '-dueAt' })).toEqual([yen.number, plan.number]);
    expect(await numbers({ q: '_100%' })).toEqual([plan.number]);
    expect(await numbers({ q: '%' })).toEqual([plan.number]);
    expect(await numbers({ q: 'TEA.jp' })).toEqual([yen.number]);
    expect(await numbers({ q: 'stranger' })).toEqual([yen.number]);
    expect(await numbers({ q: plan.number })).toEqual([plan.number]);
    expect(await numbers({ state: 'paid' })).toEqual([plan.number]);
    expect((await list(d.finance, { state: 'paid' })).rows[0]).toMatchObject({ id: plan.id, paid: 10_000, items: [{ name: '套餐' }] });
    expect(await numbers({ kind: 'plan' })).toEqual([plan.number]);
    expect(await numbers({ siteId: site.id })).toEqual([plan.number]);
    expect(await numbers({ currency: 'JPY' })).toEqual([yen.number]);
    expect(await numbers({ customerId: d.stranger.userId })).toEqual([yen.number]);
    expect(await numbers({ from: today(), to: today() })).toHaveLength(2);
    expect(await numbers({ to: '2020-01-01' })).toEqual([]);
    expect(await numbers({ page: '2', size: '1' })).toEqual([plan.number]);
    expect(await list(d.finance, { size: '1' })).toMatchObject({
      total: 2,
      sums: [
        { currency: 'CNY', total: 10_000, paid: 10_000, refunded: 0 },
        { currency: 'JPY', total: 1500, paid: 0, refunded: 0 },
      ],
    });
    expect((await d.finance.get(`${api}/orders?state=paid&state=draft`)).json<{ data: List }>().data.total).toBe(2);
  });

  test('as complete CSV and JSON without spreadsheet formulas', async () => {
    await d.paid({ title: '=HYPERLINK("http://evil","x")', note: '第一行\n"第二行"' });
    await d.draft({ currency: 'JPY', items: [{ name: 'a', quantity: '1', unitPrice: 1500 }], title: '＋1' });
    const csv = await d.finance.get(`${api}/orders/export?format=csv&sort=number`);
    expect(csv.headers).toMatchObject({ 'content-type': 'text/csv; charset=utf-8', 'x-content-type-options': 'nosniff' });
    expect(csv.headers['content-disposition']).toMatch(/^attachment; filename="orders-\d{4}-\d\d-\d\d\.csv"/);
    expect(csv.body.startsWith('\uFEFF订单号,创建日期,客户,')).toBe(true);
    const [, first = '', ...rest] = csv.body.split('\r\n');
    expect(first).toContain(`"'=HYPERLINK(""http://evil"",""x"")",已付款,CNY,100.00,0.00,0.00,100.00,100.00,0.00,0.00,`);
    expect(first).toContain('"第一行\n""第二行"""');
    expect(rest[0]).toContain(`'＋1,草稿,JPY,1500,0,0,1500,0,0,0,`);
    const json = await d.finance.get(`${api}/orders/export?format=json&sort=number`);
    expect(json.json<Order[]>().map(({ title, total }) => [title, total])).toEqual([
      ['=HYPERLINK("http://evil","x")', 10_000],
      ['＋1', 1500],
    ]);
    expect((await d.customer.get(`${api}/orders/export?format=json`)).json<Order[]>()).toHaveLength(1);
  });
});
