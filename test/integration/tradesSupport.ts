import type { LightMyRequestResponse } from 'fastify';
import type { Invoice, InvoiceInput, OrderInput, OrderWhole, PaymentInput, Statement } from '../../contract/trades/ledger';
import { makeTestApp } from '../support/app';
import type { Browser, Person, TestApp, TestAppOptions } from '../support/app';

export const api = '/api/acc/trades';
/** A tax number with a valid check character. */
export const taxNumber = '91350100M000100Y43';

/** A PDF without pages, padded to `bytes`: `%PDF-` header, cross-reference, trailer. */
export function pdfOf(bytes = 200): Buffer {
  const [head, tail] = ['%PDF-1.7\n', '\nxref\n0 1\n0000000000 65535 f \ntrailer\n<</Size 1>>\nstartxref\n9\n%%EOF\n'];
  return Buffer.from(head + ' '.repeat(bytes - head.length - tail.length) + tail, 'latin1');
}

type Answered = { readonly status: number; readonly code: string | undefined; readonly fields: Record<string, string> };
/** The content of a failed response, with the codes of its fields. */
export function refusal(answer: LightMyRequestResponse): Answered {
  const body = answer.json<{ code?: string; fields?: Record<string, { code: string }> }>();
  return { status: answer.statusCode, code: body.code, fields: Object.fromEntries(Object.entries(body.fields ?? {}).map(([key, { code }]) => [key, code])) };
}

/** The data of a response, with the caller's type; throws on a failure. */
// oxlint-disable-next-line typescript/no-unnecessary-type-parameters -- names the shape, as the JSON of an answer does
export function dataOf<T>(answer: LightMyRequestResponse): T {
  if (answer.statusCode >= 300) throw new Error(`${answer.statusCode}: ${answer.body}`);
  return answer.json<{ data: T }>().data;
}

/** The statuses of racing calls, whichever won. */
export const statusesOf = (answers: readonly LightMyRequestResponse[]): number[] => answers.map((answer) => answer.statusCode).toSorted((a, b) => a - b);

export type Desk = Awaited<ReturnType<typeof openDesk>>;

/** An installation with an owner, a person of finance, a manager, and a customer. */
export async function openDesk(options: TestAppOptions = {}) {
  const t: TestApp = await makeTestApp(options);
  const owner = await t.signUpOwner();
  const finance = await t.makePerson('finance', 'fang.finance');
  const manager = await t.makePerson('manager', 'mo.manager');
  const customer = await t.makePerson('member', 'ke.customer');
  const stranger = await t.makePerson('member', 'sheng.stranger');

  const order = (change: Partial<OrderInput> = {}): OrderInput => ({
    customerId: customer.userId,
    title: '网站年度套餐',
    items: [{ name: '套餐', quantity: '1', unitPrice: 10_000 }],
    ...change,
  });
  const send = (who: Browser, url: string, body: object, revision?: number) =>
    who.send('POST', `${api}${url}`, body, revision === undefined ? {} : { 'if-match': `"${revision}"` });
  const draft = async (change: Partial<OrderInput> = {}, who: Browser = finance) => dataOf<OrderWhole>(await send(who, '/orders', order(change)));
  const read = async (id: string, who: Browser = finance) => dataOf<OrderWhole>(await who.get(`${api}/orders/${id}`));
  const move = (one: { id: string; revision: number }, to: string, who: Browser = finance) => send(who, `/orders/${one.id}/state`, { to }, one.revision);
  const pending = async (change: Partial<OrderInput> = {}) => dataOf<OrderWhole>(await move(await draft(change), 'pending'));
  const payment = (amount: number, change: Partial<PaymentInput> = {}): PaymentInput => ({ method: 'bank', amount, paidAt: '2026-11-20', ...change });
  const pay = (id: string, amount: number, change: Partial<PaymentInput> = {}, who: Browser = finance) =>
    send(who, `/orders/${id}/payments`, payment(amount, change));
  const movePayment = (id: string, to: string, who: Browser = finance) => send(who, `/payments/${id}/state`, { to });
  /** Records a payment and confirms it. */
  async function settle(id: string, amount: number): Promise<OrderWhole> {
    const paid = dataOf<OrderWhole>(await pay(id, amount));
    return dataOf<OrderWhole>(await movePayment(paid.payments.at(-1)?.id ?? '', 'confirmed'));
  }
  const paid = async (change: Partial<OrderInput> = {}) => {
    const one = await pending(change);
    return one.total === 0 ? one : settle(one.id, one.total);
  };
  const refund = (paymentId: string, amount: number, who: Browser = finance) => send(who, `/payments/${paymentId}/refunds`, { amount, reason: '客户取消' });
  const moveRefund = (id: string, to: string, who: Browser = finance) => send(who, `/refunds/${id}/state`, { to });
  /** Requests a refund and completes it. */
  async function giveBack(paymentId: string, amount: number): Promise<OrderWhole> {
    const refundingOrder = dataOf<OrderWhole>(await refund(paymentId, amount));
    const id = refundingOrder.refunds.at(-1)?.id ?? '';
    await moveRefund(id, 'approved');
    return dataOf<OrderWhole>(await moveRefund(id, 'done'));
  }
  const invoiceInput = (orders: { orderId: string; amount: number }[], change: Partial<InvoiceInput> = {}): InvoiceInput => ({
    titleType: 'company',
    title: '杭州茶叶有限公司',
    taxNumber,
    orders,
    ...change,
  });
  const ask = (orders: { orderId: string; amount: number }[], change: Partial<InvoiceInput> = {}, who: Browser = customer) =>
    send(who, '/invoices', invoiceInput(orders, change));
  const moveInvoice = (one: Invoice, body: object, who: Browser = finance) => send(who, `/invoices/${one.id}/state`, body, one.revision);
  const statement = async (who: Browser, query: Record<string, string> = {}) =>
    dataOf<Statement>(await who.get(`${api}/statement?${new URLSearchParams({ from: '2026-01-01', to: '2027-12-31', ...query })}`));

  const people = { owner, finance, manager, customer, stranger } satisfies Record<string, Person>;
  return {
    t,
    ...people,
    order,
    send,
    draft,
    read,
    move,
    pending,
    payment,
    pay,
    movePayment,
    settle,
    paid,
    refund,
    moveRefund,
    giveBack,
    ask,
    moveInvoice,
    statement,
  };
}
