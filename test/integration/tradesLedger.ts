import fc from 'fast-check';
import { users } from '../../server/areas/account/schema';
import { systemActor } from '../../server/areas/audit';
import { addInvoice, moveInvoice } from '../../server/areas/trades/invoices';
import { addOrder, moveOrder } from '../../server/areas/trades/orders';
import { addPayment, addRefund, movePayment, moveRefund } from '../../server/areas/trades/payments';
import { Failure } from '../../server/http/failure';
import type { Desk } from './tradesSupport';

const all = { customerId: null, siteIds: null };
/** The day in Shanghai. */
export const dayOf = (ms: number): string => new Date(ms + 8 * 3_600_000).toISOString().slice(0, 10);

let customers = 0;
export async function newCustomer(d: Desk, name: string): Promise<string> {
  const [row] = await d.t.ctx.postgres.db
    .insert(users)
    .values({ loginName: `c-${++customers}`, displayName: name, passwordHash: 'x', role: 'member', createdAt: new Date() })
    .returning();
  return row?.id ?? '';
}

/** An order in a second ledger with independent rules: what is owed for it, what was received, and the result. */
type Money = { id: string; amount: number; state: string; refunds: { id: string; amount: number; state: string }[] };
type Book = {
  id: string;
  number: string;
  total: number;
  owed: number;
  received: number;
  refunded: number;
  state: string;
  payments: Money[];
  invoices: { id: string; amount: number; state: string; revision: number }[];
};
export type StatementLine = { at: string; kind: string; number: string; amount: number };

export const act = fc.record({
  what: fc.constantFrom(
    'order',
    'order',
    'send',
    'send',
    'pay',
    'pay',
    'pay',
    'confirm',
    'confirm',
    'confirm',
    'fail',
    'reverse',
    'refund',
    'refund',
    'approve',
    'approve',
    'done',
    'done',
    'reject',
    'cancel',
    'fulfil',
    'invoice',
    'issue',
    'red',
  ),
  which: fc.nat(50),
  wild: fc.nat(6).map((n) => n === 0),
  /** Quarters of the order's total. */
  share: fc.constantFrom(1, 2, 2, 4, 4, 4, 4, 5),
  wait: fc.nat(20),
});
type Act = { readonly what: string; readonly which: number; readonly wild: boolean; readonly share: number; readonly wait: number };
/** Starts with two orders, one overpaid and one half paid; any actions follow. */
const opening: readonly Act[] = [
  ...['order', 'order', 'send', 'send'].map((what, which) => ({ what, which })),
  ...[0, 1].flatMap((which) => [
    { what: 'pay', which },
    { what: 'confirm', which },
  ]),
].map((one) => ({ ...one, wild: false, share: one.which === 0 ? 5 : 2, wait: 3 }));
/** The payments and refunds that an action applies to. */
const paymentStates: Record<string, string[]> = { confirm: ['recorded'], fail: ['recorded'], reverse: ['confirmed'], refund: ['confirmed'] };
const refundStates: Record<string, string[]> = { approve: ['requested'], done: ['approved'], reject: ['requested', 'approved'] };
const pick = <T>(from: readonly T[], which: number): T | undefined => from[which % Math.max(1, from.length)];

/**
 * Performs actions on a customer's orders, after `opening`, and keeps the second ledger of those that were accepted. Returns its orders, the lines that a
 * statement must have, and the time at the end.
 */
export async function playActs(
  d: Desk,
  customerId: string,
  acts: readonly Act[],
): Promise<{ books: readonly Book[]; lines: readonly StatementLine[]; now: number }> {
  let now = Date.UTC(2026, 0, 5, 1);
  const ctx = { ...d.t.ctx, now: () => now };
  const doer = { actor: systemActor, id: d.finance.userId, name: 'x' };
  const books: Book[] = [];
  const lines: StatementLine[] = [];
  const say = (book: Book, kind: string, amount: number) => amount !== 0 && lines.push({ at: new Date(now).toISOString(), kind, number: book.number, amount });
  const read = async (id: string) =>
    (
      await d.t.ctx.postgres.pool.query<{ number: string; state: string; revision: number }>('select number, state, revision from trade_orders where id = $1', [
        id,
      ])
    ).rows[0];

  for (const { what, which, wild, share, wait } of [...opening, ...acts]) {
    const amount = Math.max(1, Math.round((share * (pick(books, which)?.total ?? 40)) / 4));
    now += wait * 6 * 3_600_000 + 1;
    // Mostly possible actions, occasionally arbitrary ones.
    const fits =
      (...states: readonly string[]) =>
      (one: { state: string }) =>
        wild || states.includes(one.state);
    const payments = books.flatMap((one) => one.payments.map((payment) => ({ book: one, payment })));
    const paid = pick(
      payments.filter(({ payment }) => fits(...(paymentStates[what] ?? []))(payment)),
      which,
    );
    const refunds = payments.flatMap((one) => one.payment.refunds.map((refundEntry) => ({ ...one, refundEntry })));
    const selectedRefund = pick(
      refunds.filter((one) => fits(...(refundStates[what] ?? []))(one.refundEntry)),
      which,
    );
    const invoices = books.flatMap((one) => one.invoices.map((bill) => ({ book: one, bill })));
    const billed = pick(
      invoices.filter(({ bill }) => fits(what === 'issue' ? 'requested' : 'issued')(bill)),
      which,
    );
    const money = paid?.payment;
    const refund = selectedRefund?.refundEntry;
    const invoice = billed?.bill;
    const book =
      (what in paymentStates ? paid?.book : what in refundStates ? selectedRefund?.book : what === 'issue' || what === 'red' ? billed?.book : null) ??
      pick(books, which);
    const row = book && (await read(book.id));
    // `true` when the ledger accepted it; a refusal leaves both books unchanged.
    const done = async (work: Promise<unknown>): Promise<boolean> =>
      work.then(
        () => true,
        (error: unknown) => (error instanceof Failure ? false : Promise.reject(error)),
      );
    if (what === 'order') {
      if (books.length >= 3) continue;
      const id = await addOrder(
        ctx,
        {
          customerId,
          siteId: null,
          kind: 'other',
          title: 't',
          currency: 'CNY',
          items: [{ name: 'i', quantity: '1', unitPrice: 40 + which, discount: 0, taxRate: 0 }],
          period: null,
          renewalNote: '',
          dueAt: null,
          note: '',
          memo: '',
        },
        all,
        doer,
      );
      books.push({
        id,
        number: (await read(id))?.number ?? '',
        total: 40 + which,
        owed: 0,
        received: 0,
        refunded: 0,
        state: 'draft',
        payments: [],
        invoices: [],
      });
    } else if (!book || !row) continue;
    else if (what === 'send') {
      if (await done(moveOrder(ctx, book.id, row.revision, 'pending', all, doer))) {
        book.owed = book.total;
        say(book, 'charge', book.total);
      }
    } else if (what === 'cancel') {
      if (await done(moveOrder(ctx, book.id, row.revision, 'cancelled', all, doer))) {
        say(book, 'cancellation', -book.owed);
        book.owed = 0;
      }
    } else if (what === 'fulfil') await done(moveOrder(ctx, book.id, row.revision, 'fulfilled', all, doer));
    else if (what === 'pay') {
      const input = { method: 'bank' as const, amount, paidAt: dayOf(now), reference: '', receipt: null };
      if (await done(addPayment(ctx, book.id, input, all, doer, () => true))) {
        const { rows } = await d.t.ctx.postgres.pool.query<{ id: string }>(
          'select id from trade_payments where order_id = $1 order by created_at desc, id limit 1',
          [book.id],
        );
        book.payments.push({ id: rows[0]?.id ?? '', amount, state: 'recorded', refunds: [] });
      }
    } else if (what === 'invoice') {
      const input = {
        type: 'normal' as const,
        titleType: 'person' as const,
        title: 't',
        taxNumber: null,
        address: '',
        phone: '',
        bank: '',
        account: '',
        email: null,
        orders: [{ orderId: book.id, amount }],
        saveTitle: false,
      };
      let id = '';
      if (await done(addInvoice(ctx, input, all, doer, () => true).then((invoiceId) => (id = invoiceId))))
        book.invoices.push({ id, amount, state: 'requested', revision: 1 });
    } else if (invoice && (what === 'issue' || what === 'red')) {
      const move = {
        to: what === 'issue' ? ('issued' as const) : ('red' as const),
        number: `${invoice.id.replaceAll('-', '').slice(0, 20)}${what}`,
        reason: '',
        redReason: what === 'red' ? ('mistake' as const) : null,
        file: null,
      };
      if (await done(moveInvoice(ctx, invoice.id, invoice.revision, move, doer))) {
        invoice.state = move.to;
        invoice.revision++;
      }
    } else if (money && what === 'confirm') {
      if (await done(movePayment(ctx, money.id, 'confirmed', all, doer))) {
        money.state = 'confirmed';
        book.received += money.amount;
        say(book, 'payment', -money.amount);
      }
    } else if (money && what === 'fail') {
      if (await done(movePayment(ctx, money.id, 'failed', all, doer))) money.state = 'failed';
    } else if (money && what === 'reverse') {
      if (await done(movePayment(ctx, money.id, 'reversed', all, doer))) {
        money.state = 'reversed';
        book.received -= money.amount;
        say(book, 'reversal', money.amount);
      }
    } else if (money && what === 'refund') {
      if (await done(addRefund(ctx, money.id, { amount, reason: '' }, all, doer))) {
        const { rows } = await d.t.ctx.postgres.pool.query<{ id: string }>(
          'select id from trade_refunds where payment_id = $1 order by created_at desc, id limit 1',
          [money.id],
        );
        money.refunds.push({ id: rows[0]?.id ?? '', amount, state: 'requested' });
      }
    } else if (refund && what === 'approve') {
      if (await done(moveRefund(ctx, refund.id, 'approved', all, doer))) refund.state = 'approved';
    } else if (refund && what === 'reject') {
      if (await done(moveRefund(ctx, refund.id, 'rejected', all, doer))) refund.state = 'rejected';
    } else if (refund && what === 'done' && (await done(moveRefund(ctx, refund.id, 'done', all, doer)))) {
      refund.state = 'done';
      const netReceived = book.received - book.refunded;
      book.refunded += refund.amount;
      // Credit is returned first; without credit, the customer owes that much less.
      const owed = netReceived >= book.owed ? Math.min(book.owed, netReceived - refund.amount) : book.owed - refund.amount;
      say(book, 'cancellation', owed - book.owed);
      say(book, 'refund', refund.amount);
      book.owed = owed;
    }
  }
  return { books, lines, now };
}
