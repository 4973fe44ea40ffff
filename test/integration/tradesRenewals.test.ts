import { runSchedule } from '../support/schedules';
import { contacts } from '../../server/areas/contacts/schema';
import { outbox } from '../../server/mail/schema';
import type { Order, OrderInput, OrderWhole } from '../../contract/trades/ledger';
import { api, dataOf, openDesk, refusal, statusesOf } from './tradesSupport';
import type { Desk } from './tradesSupport';

const day = 24 * 3_600_000;
let d: Desk;
beforeEach(async () => {
  d = await openDesk({ config: { smtpUrl: 'smtp://127.0.0.1:9', mailFrom: 'console@example.com' } });
});
afterEach(() => d.t.close());

const inDays = (n: number) => new Date(d.t.ctx.now() + n * day + 8 * 3_600_000).toISOString().slice(0, 10);
const ending = (n: number, change: Partial<OrderInput> = {}) => d.paid({ period: { from: inDays(n - 364), to: inDays(n) }, ...change });
type Renewal = { orderId: string; days: number; endsOn: string; renewalOrderId: string | null; customer: { name: string } };
const renewals = async (who: Desk['customer'] = d.finance) => dataOf<Renewal[]>(await who.get(`${api}/renewals`));
const renew = (id: string) => d.send(d.finance, `/orders/${id}/renew`, {});

test('lists paid orders about to end or just ended, soonest first', async () => {
  const [soon, late, gone] = [await ending(30), await ending(0), await ending(-7)];
  await ending(31);
  await ending(-8);
  await d.pending({ period: { from: inDays(-10), to: inDays(10) } });
  const theirs = await ending(5, { customerId: d.stranger.userId });
  expect((await renewals()).map(({ orderId, days }) => [orderId, days])).toEqual([
    [gone.id, -7],
    [late.id, 0],
    [theirs.id, 5],
    [soon.id, 30],
  ]);
  expect((await renewals(d.stranger)).map(({ orderId }) => orderId)).toEqual([theirs.id]);
  expect((await renewals(d.customer)).map(({ orderId }) => orderId)).toEqual([gone.id, late.id, soon.id]);
  expect((await renewals(d.manager)).length).toBe(4);
});

test('renewing drafts the next period with the same lines, once', async () => {
  const order = await d.paid({
    kind: 'plan',
    period: { from: '2026-01-31', to: '2026-02-27' },
    renewalNote: '按月',
    note: '上一期',
    items: [{ name: '套餐', quantity: '1.5', unitPrice: 3333, discount: 10, taxRate: 600 }],
  });
  const answers = await Promise.all([renew(order.id), renew(order.id)]);
  expect(statusesOf(answers)).toEqual([200, 409]);
  const renewalOrder = dataOf<OrderWhole>(answers.find((answer) => answer.statusCode === 200) ?? (await renew(order.id)));
  expect(renewalOrder).toMatchObject({
    state: 'draft',
    kind: 'plan',
    title: order.title,
    items: order.items,
    total: order.total,
    period: { from: '2026-02-28', to: '2026-03-30' },
    renewalNote: '按月',
    note: '',
    customer: order.customer,
  });
  expect(renewalOrder.number).not.toBe(order.number);
  expect(refusal(await renew(order.id))).toMatchObject({ status: 409, code: 'conflict' });
  // A deleted or cancelled renewal allows another.
  await d.finance.send('DELETE', `${api}/orders/${renewalOrder.id}`);
  const second = dataOf<OrderWhole>(await renew(order.id));
  await d.move(dataOf<OrderWhole>(await d.move(second, 'pending')), 'cancelled');
  expect((await renew(order.id)).statusCode).toBe(200);
});

test('only paid orders with a period can be renewed', async () => {
  expect(refusal(await renew((await d.paid()).id)).code).toBe('bad_transition');
  expect(refusal(await renew((await d.pending({ period: { from: '2026-01-01', to: '2026-01-31' } })).id)).code).toBe('bad_transition');
  expect((await renew('7b1e9c52-4f0a-4c7e-9a57-0c5a4a6a1f01')).statusCode).toBe(404);
  const order = await ending(10);
  const renewalOrder = dataOf<Order>(await renew(order.id));
  expect((await renewals())[0]?.renewalOrderId).toBe(renewalOrder.id);
  expect((await renewals(d.customer))[0]?.renewalOrderId).toBeNull();
  await d.move(renewalOrder, 'pending');
  expect((await renewals(d.customer))[0]?.renewalOrderId).toBe(renewalOrder.id);
});

describe('notices', () => {
  const letters = async () =>
    (await d.t.ctx.postgres.db.select().from(outbox).orderBy(outbox.createdAt))
      .filter(({ kind }) => kind === 'contact.billing')
      .map(
        (row) =>
          JSON.parse(d.t.ctx.secrets.open('outbox', row.message)) as {
            to: string;
            subject: string;
            paragraphs: string[];
            facts: { label: string; value: string }[];
          },
      );
  async function contact(email: string, change: object = {}) {
    const answer = await d.finance.send('POST', '/api/acc/contacts', { name: '财务', email, locale: 'zh-CN', subscriptions: { billing: ['mail'] }, ...change });
    expect(answer.statusCode).toBe(200);
    await d.t.ctx.postgres.db.update(contacts).set({ emailVerifiedAt: new Date(d.t.ctx.now()) });
  }
  /** Runs the schedule as of this many days from now. */
  const runIn = (days: number) => runSchedule({ ...d.t.ctx, now: () => d.t.ctx.now() + days * day }, 'trades.renewals');
  const subjects = async () => (await letters()).map(({ subject }) => subject);

  test('are sent 30, 7 and 1 days before, once, to subscribers', async () => {
    await contact('billing@example.com');
    await contact('quiet@example.com', { subscriptions: {} });
    const order = await ending(31, { title: '年度套餐', renewalNote: '续费享九折' });
    await runIn(0);
    expect(await subjects()).toEqual([]);
    await Promise.all([runIn(1), runIn(1)]);
    await runIn(2);
    await runIn(20);
    expect(await subjects()).toEqual(['“年度套餐”将于 30 天后到期']);
    await runIn(24);
    await runIn(25);
    await runIn(30);
    await runIn(31);
    await runIn(32);
    expect(await subjects()).toEqual(['“年度套餐”将于 30 天后到期', '“年度套餐”将于 7 天后到期', '“年度套餐”将于明天到期']);
    const [first] = await letters();
    expect(first).toMatchObject({
      to: 'billing@example.com',
      facts: expect.arrayContaining([
        { label: '订单', value: order.number },
        { label: '上次金额', value: 'CNY 100.00' },
      ]) as unknown,
    });
    expect(first?.paragraphs.join()).toContain('续费享九折');
  });

  test('a missed notice is skipped, and English readers get English', async () => {
    await contact('billing@example.com', { locale: 'en' });
    await ending(5, { title: 'Hosting' });
    await runIn(0);
    await runIn(1);
    expect(await subjects()).toEqual(['“Hosting” ends in 5 days']);
    await runIn(4);
    expect(await subjects()).toEqual(['“Hosting” ends in 5 days', '“Hosting” ends tomorrow']);
  });

  test('renewed orders cause no notice, but draft renewals do not suppress it', async () => {
    await contact('billing@example.com');
    const order = await ending(5);
    const renewalOrder = dataOf<Order>(await renew(order.id));
    await d.move(renewalOrder, 'pending');
    await runIn(0);
    expect(await subjects()).toEqual([]);
    const other = await ending(5, { title: '另一个' });
    await renew(other.id);
    await runIn(0);
    expect(await subjects()).toEqual(['“另一个”将于 5 天后到期']);
  });
});
