import { randomUUID } from 'node:crypto';
import { invoiceMoves, orderMoves, paymentMoves, refundMoves } from '../../contract/trades/ledger';
import type { Invoice, OrderWhole } from '../../contract/trades/ledger';
import { dataOf, openDesk } from './tradesSupport';
import type { Desk } from './tradesSupport';

/** A direct connection to the database, without the program. */
let d: Desk;
beforeAll(async () => {
  d = await openDesk();
});
afterAll(() => d.t.close());

type Refused = { readonly code: string; readonly constraint: string };
/** Runs SQL in one transaction that is rolled back, and returns why it was refused, otherwise null. */
async function attempt(...statements: readonly string[]): Promise<Refused | null> {
  const client = await d.t.ctx.postgres.pool.connect();
  try {
    await client.query('BEGIN');
    for (const statement of statements) await client.query(statement);
    await client.query('SET CONSTRAINTS ALL IMMEDIATE');
    return null;
  } catch (error) {
    const { code = '', constraint = '' } = error as { code?: string; constraint?: string };
    return { code, constraint };
  } finally {
    await client.query('ROLLBACK');
    client.release();
  }
}
const refused = async (...statements: readonly string[]) => (await attempt(...statements))?.constraint ?? 'allowed';
const first = (order: OrderWhole) => order.payments[0]?.id ?? '';

test('the database allows exactly the transitions of the contract', async () => {
  const { rows } = await d.t.ctx.postgres.pool.query<{ kind: string; from_state: string; to_state: string }>(
    'select kind, from_state, to_state from trade_moves',
  );
  const written = [
    ...orderMoves.map(({ from, to }) => `order ${from} ${to}`),
    ...paymentMoves.map(({ from, to }) => `payment ${from} ${to}`),
    ...refundMoves.map(({ from, to }) => `refund ${from} ${to}`),
    ...invoiceMoves.map(({ from, to }) => `invoice ${from} ${to}`),
  ];
  expect(rows.map(({ kind, from_state, to_state }) => `${kind} ${from_state} ${to_state}`).toSorted()).toEqual(written.toSorted());
});

describe('orders', () => {
  test('start as drafts and follow only known transitions', async () => {
    const draft = await d.draft();
    const sent = await d.pending();
    const set = (id: string, state: string, more = '') => `update trade_orders set state = '${state}'${more} where id = '${id}'`;
    expect(await refused(set(draft.id, 'paid', ', charged_at = now()'))).toBe('trade_move_known');
    expect(await refused(set(draft.id, 'cancelled', ', charged_at = now(), ended_at = now()'))).toBe('trade_move_known');
    expect(await refused(set(sent.id, 'draft', ', charged_at = null'))).toBe('trade_move_known');
    expect(await refused(set(sent.id, 'refunding'))).toBe('trade_move_known');
    expect(await refused(set(sent.id, 'nonsense'))).toBe('trade_move_known');
    expect(await refused(set(draft.id, 'pending', ', charged_at = now()'))).toBe('allowed');
    expect(
      await refused(
        `insert into trade_orders (number, customer_id, kind, title, currency, subtotal, discount, tax, total, renewal_note, note, memo, created_by, created_at, state, charged_at)
         select 'T1', customer_id, kind, title, currency, subtotal, discount, tax, total, '', '', '', created_by, now(), 'paid', now() from trade_orders where id = '${sent.id}'`,
      ),
    ).toBe('trade_move_known');
  });

  test('are paid only by actual payments', async () => {
    const sent = await d.pending();
    expect(await refused(`update trade_orders set state = 'paid' where id = '${sent.id}'`)).toBe('trade_order_follows');
    const paid = await d.paid();
    expect(await refused(`update trade_orders set state = 'pending' where id = '${paid.id}'`)).toBe('trade_order_follows');
    expect(await refused(`update trade_orders set state = 'refunding' where id = '${paid.id}'`)).toBe('trade_order_follows');
    // A payment that changes without its order is refused as well.
    expect(await refused(`update trade_payments set state = 'reversed', reversed_at = now() where id = '${first(paid)}'`)).toBe('trade_order_follows');
  });

  test.each([
    `total = total + 100, subtotal = subtotal + 100`,
    `customer_id = (select id from users where login_name = 'sheng.stranger')`,
    `currency = 'USD'`,
    `title = 'another'`,
    `number = 'T20000101-0001'`,
    `charged_at = now() - interval '1 year'`,
    `due_at = '2099-01-01'`,
    `created_at = now()`,
    `period_from = '2026-01-01', period_to = '2026-12-31'`,
  ])('keep their data after the draft: %s', async (change) => {
    const sent = await d.pending();
    expect(await refused(`update trade_orders set ${change} where id = '${sent.id}'`)).toBe('trade_order_immutable');
  });

  test('keep their lines, and lines keep their sums', async () => {
    const sent = await d.pending();
    const draft = await d.draft();
    const line = (change: string, id: string) => `update trade_order_items set ${change} where order_id = '${id}'`;
    expect(await refused(line('unit_price = 1, amount = 1', sent.id))).toBe('trade_order_immutable');
    expect(await refused(line(`name = 'x'`, sent.id))).toBe('trade_order_immutable');
    expect(await refused(`delete from trade_order_items where order_id = '${sent.id}'`)).toBe('trade_order_immutable');
    expect(await refused(line(`order_id = '${sent.id}', position = 9`, draft.id))).toBe('trade_order_immutable');
    expect(
      await refused(
        `insert into trade_order_items (order_id, position, name, quantity, unit_price, discount, tax_rate, amount, tax) values ('${sent.id}', 5, 'x', 1, 0, 0, 0, 0, 0)`,
      ),
    ).toBe('trade_order_immutable');
    expect(await refused(line('amount = 9999', draft.id))).toBe('trade_order_items_amount');
    expect(await refused(line('tax = 1', draft.id))).toBe('trade_order_items_tax');
    expect(await refused(line('unit_price = -1, amount = -1', draft.id))).toBe('trade_order_items_amount');
    expect(await refused(line('discount = -5, amount = 10005', draft.id))).toBe('trade_order_items_positive');
    expect(await refused(line('quantity = -1, amount = -10000', draft.id))).not.toBe('allowed');
    // An order whose sums differ from its lines cannot be sent.
    const send = `update trade_orders set state = 'pending', charged_at = now() where id = '${draft.id}'`;
    expect(await refused(line('unit_price = 1, amount = 1', draft.id), send)).toBe('trade_order_sums');
    expect(await refused(`delete from trade_order_items where order_id = '${draft.id}'`, send)).toBe('trade_order_sums');
    expect(await refused(`update trade_orders set total = 1 where id = '${draft.id}'`)).toBe('trade_orders_total');
    expect(await refused(`update trade_orders set discount = -1, total = subtotal + 1 where id = '${draft.id}'`)).toBe('trade_orders_amounts');
  });

  test('are deleted only as drafts, and never truncated', async () => {
    const sent = await d.pending();
    const draft = await d.draft();
    expect(await refused(`delete from trade_orders where id = '${draft.id}'`)).toBe('allowed');
    expect(await refused(`delete from trade_orders where id = '${sent.id}'`)).toBe('trade_order_kept');
    expect(await refused(`delete from trade_history where order_id = '${sent.id}'`)).toBe('trade_kept');
    expect(await refused(`update trade_history set by_name = 'x' where order_id = '${sent.id}'`)).toBe('trade_kept');
    expect(await refused('truncate trade_orders cascade')).toBe('trade_kept');
    expect(await refused('truncate trade_history')).toBe('trade_kept');
  });

  test('cannot end while a payment is open or confirmed', async () => {
    const sent = await d.pending();
    await d.pay(sent.id, 1);
    for (const state of ['cancelled', 'expired'])
      expect(await refused(`update trade_orders set state = '${state}', ended_at = now() where id = '${sent.id}'`)).toBe('trade_order_unpaid');
  });

  test('lose a deleted site and get no other', async () => {
    const site = await d.t.makeSite(d.owner);
    const sent = await d.pending({ siteId: site.id });
    const other = await d.t.makeSite(d.owner, { name: 'Other' });
    expect(await refused(`update trade_orders set site_id = '${other.id}' where id = '${sent.id}'`)).toBe('trade_order_immutable');
    expect(await refused(`delete from sites where id = '${site.id}'`)).toBe('allowed');
  });
});

describe('payments', () => {
  const insert = (orderId: string, state = 'recorded', amount = 1) =>
    `insert into trade_payments (order_id, method, amount, paid_at, reference, state, created_by, created_at, confirmed_at)
     values ('${orderId}', 'bank', ${amount}, '2026-11-20', '', '${state}', '${d.finance.userId}', now(), ${state === 'confirmed' ? 'now()' : 'null'})`;
  test('start as recorded for a pending order and never change', async () => {
    const sent = await d.pending();
    const paid = await d.paid();
    const draft = await d.draft();
    expect(await refused(insert(sent.id, 'confirmed'))).toBe('trade_move_known');
    for (const id of [paid.id, draft.id]) expect(await refused(insert(id))).toBe('trade_payment_awaited');
    expect(await refused(insert(sent.id, 'recorded', -1))).toBe('trade_payments_amount');
    expect(await refused(insert(sent.id, 'recorded', 0))).toBe('trade_payments_amount');
    expect(await refused(insert(sent.id))).toBe('allowed');
    for (const change of ['amount = 1', `method = 'cash'`, `paid_at = '2020-01-01'`, `reference = 'x'`, `order_id = '${sent.id}'`])
      expect([change, await refused(`update trade_payments set ${change} where id = '${first(paid)}'`)]).toEqual([change, 'trade_payment_immutable']);
    expect(await refused(`update trade_payments set state = 'recorded', confirmed_at = null where id = '${first(paid)}'`)).toBe('trade_move_known');
    expect(await refused(`update trade_payments set state = 'failed', confirmed_at = null where id = '${first(paid)}'`)).toBe('trade_move_known');
    expect(await refused(`delete from trade_payments where id = '${first(paid)}'`)).toBe('trade_kept');
  });
});

describe('refunds', () => {
  const insert = (order: OrderWhole, amount: number, state = 'requested') =>
    `insert into trade_refunds (order_id, payment_id, amount, reason, state, created_by, created_at, done_at)
     values ('${order.id}', '${first(order)}', ${amount}, '', '${state}', '${d.finance.userId}', now(), ${state === 'done' ? 'now()' : 'null'})`;
  const follow = (order: OrderWhole) => `update trade_orders set state = 'refunding' where id = '${order.id}'`;
  test('never exceed their payment', async () => {
    const paid = await d.paid();
    expect(await refused(insert(paid, 10_001), follow(paid))).toBe('trade_refund_within');
    expect(await refused(insert(paid, 6000), insert(paid, 4001), follow(paid))).toBe('trade_refund_within');
    expect(await refused(insert(paid, 6000), insert(paid, 4000), follow(paid))).toBe('allowed');
    expect(await refused(insert(paid, 6000))).toBe('trade_order_follows');
    expect(await refused(insert(paid, -1))).toBe('trade_refunds_amount');
    expect(await refused(insert(paid, 1, 'done'))).toBe('trade_move_known');
  });
  test('of two connections the second waits and is refused', async () => {
    const paid = await d.paid();
    const { pool } = d.t.ctx.postgres;
    const [a, b] = [await pool.connect(), await pool.connect()];
    try {
      await Promise.all([a.query('BEGIN'), b.query('BEGIN')]);
      await a.query(insert(paid, 6000));
      await a.query(follow(paid));
      const second = b.query(insert(paid, 6000)).then(
        () => 'allowed',
        (error: { constraint?: string }) => error.constraint,
      );
      await a.query('COMMIT');
      expect(await second).toBe('trade_refund_within');
    } finally {
      await b.query('ROLLBACK');
      a.release();
      b.release();
    }
  });
  test('follow their transitions, keep their amount and reduce the charge', async () => {
    const refundingOrder = dataOf<OrderWhole>(await d.refund(first(await d.paid()), 3000));
    const id = refundingOrder.refunds[0]?.id ?? '';
    const set = (change: string) => `update trade_refunds set ${change} where id = '${id}'`;
    expect(await refused(set(`state = 'done', done_at = now(), waived = 3000`))).toBe('trade_move_known');
    expect(await refused(set('amount = 1'))).toBe('trade_refund_immutable');
    await d.moveRefund(id, 'approved');
    expect(await refused(set(`state = 'done', done_at = now(), waived = 0`))).toBe('trade_refund_waived');
    await d.moveRefund(id, 'done');
    expect(await refused(set(`state = 'rejected', done_at = null`))).toBe('trade_move_known');
    expect(await refused(set('waived = 1'))).toBe('trade_refund_immutable');
    expect(await refused(`delete from trade_refunds where id = '${id}'`)).toBe('trade_kept');
  });
});

describe('invoices', () => {
  const insert = (
    covers: readonly { order: OrderWhole; amount: number }[],
    amount = covers.reduce((sum, one) => sum + one.amount, 0),
    change: Record<string, string> = {},
  ) => {
    const id = randomUUID();
    const values: Record<string, string> = {
      type: 'normal',
      title_type: 'person',
      title: 'x',
      address: '',
      phone: '',
      bank: '',
      account: '',
      currency: 'CNY',
      state: 'requested',
      ...change,
    };
    return [
      `insert into trade_invoices (id, customer_id, amount, created_by, created_at, ${Object.keys(values).join()})
       values ('${id}', '${d.customer.userId}', ${amount}, '${d.finance.userId}', now(), ${Object.values(values)
         .map((value) => `'${value}'`)
         .join()})`,
      ...covers.map((one) => `insert into trade_invoice_orders values ('${id}', '${one.order.id}', ${one.amount})`),
    ];
  };
  test('never exceed what was paid and kept', async () => {
    const order = await d.paid();
    expect(await refused(...insert([{ order, amount: 10_000 }]))).toBe('allowed');
    expect(await refused(...insert([{ order, amount: 10_001 }]))).toBe('trade_invoice_within');
    expect(await refused(...insert([{ order, amount: 6000 }]), ...insert([{ order, amount: 4001 }]))).toBe('trade_invoice_within');
    expect(await refused(...insert([{ order, amount: 5000 }], 6000))).toBe('trade_invoice_sum');
    expect(await refused(...insert([], 1))).toBe('trade_invoice_sum');
    expect(await refused(...insert([{ order, amount: -5 }], 5))).not.toBe('allowed');
    const back = await d.giveBack(first(order), 4000);
    expect(await refused(...insert([{ order: back, amount: 6001 }]))).toBe('trade_invoice_within');
    expect(await refused(...insert([{ order: back, amount: 6000 }]))).toBe('allowed');
  });
  test('cover paid orders of one customer in one currency', async () => {
    const waiting = await d.pending();
    const foreign = await d.paid({ currency: 'USD' });
    const strange = await d.paid({ customerId: d.stranger.userId });
    for (const order of [waiting, foreign, strange]) expect(await refused(...insert([{ order, amount: 1 }]))).toBe('trade_invoice_of_order');
  });
  test('have what their kind requires', async () => {
    const order = await d.paid();
    const covers = [{ order, amount: 1 }];
    expect(await refused(...insert(covers, 1, { title_type: 'company' }))).toBe('trade_invoices_company');
    expect(await refused(...insert(covers, 1, { type: 'special', tax_number: '91350100M000100Y43' }))).toBe('trade_invoices_special');
    expect(await refused(...insert(covers, 1, { state: 'issued' }))).toBe('trade_move_known');
  });
  test('prevent refunds and reversals of covered payments and never change', async () => {
    const order = await d.paid();
    const invoice = dataOf<Invoice>(await d.ask([{ orderId: order.id, amount: 10_000 }]));
    const refundingOrder = dataOf<OrderWhole>(await d.refund(first(order), 1));
    const id = refundingOrder.refunds[0]?.id ?? '';
    await d.moveRefund(id, 'approved');
    expect(await refused(`update trade_refunds set state = 'done', done_at = now(), waived = 1 where id = '${id}'`)).toBe('trade_invoice_within');
    await d.moveRefund(id, 'rejected');
    expect(await refused(`update trade_payments set state = 'reversed', reversed_at = now() where id = '${first(order)}'`)).toBe('trade_invoice_within');
    const set = (change: string) => `update trade_invoices set ${change} where id = '${invoice.id}'`;
    for (const change of ['amount = 1', `title = 'y'`, `customer_id = '${d.stranger.userId}'`, `tax_number = '123456789012345'`])
      expect([change, await refused(set(change))]).toEqual([change, 'trade_invoice_immutable']);
    expect(await refused(set(`state = 'red', red_reason = 'mistake', number = '1', issued_at = now()`))).toBe('trade_move_known');
    expect(await refused(set(`state = 'issued'`))).toBe('trade_invoices_issued');
    await d.moveInvoice(invoice, { to: 'issued', number: '26332000000012345678' });
    expect(await refused(set(`number = '2'`))).toBe('trade_invoice_immutable');
    expect(await refused(set(`state = 'red'`))).toBe('trade_invoices_red');
    expect(await refused(`delete from trade_invoices where id = '${invoice.id}'`)).toBe('trade_kept');
    expect(await refused(`update trade_invoice_orders set amount = 1 where invoice_id = '${invoice.id}'`)).toBe('trade_kept');
    expect(await refused(`delete from trade_invoice_orders where invoice_id = '${invoice.id}'`)).toBe('trade_kept');
  });
});

test('files keep their content and size', async () => {
  const insert = (size: number, says = size) =>
    `insert into trade_files (name, type, bytes, content, created_at) values ('a.pdf', 'application/pdf', ${says}, decode(repeat('00', ${size}), 'hex'), now())`;
  expect(await refused(insert(10))).toBe('allowed');
  expect(await refused(insert(10, 11))).toBe('trade_files_size');
  expect(await refused(insert(2_097_153))).toBe('trade_files_size');
  expect(await refused(insert(10), `update trade_files set content = decode('ff', 'hex'), bytes = 1`)).toBe('trade_kept');
});
