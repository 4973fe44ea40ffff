import fc from 'fast-check';
import { orderMoves, orderStates } from '@contract/trades/ledger';
import type { OrderState } from '@contract/trades/ledger';
import { order, payment, refund } from '../../../test/support/ledger';
import { leftToInvoice, leftToPay, leftToRefund, orderSituation, stepsOf } from './orderStatus';
import type { Rights, Step } from './orderStatus';
import { caseCounts } from '../../../test/support/caseCounts';

const amount = fc.oneof(fc.constant(0), fc.integer({ min: 0, max: 500_000 }));
const stepKinds: readonly Step['do'][] = [
  'send',
  'edit',
  'remove',
  'pay',
  'upload',
  'cancel',
  'fulfil',
  'invoice',
  'renew',
  'notes',
  'confirm',
  'refund',
  'approve',
  'finish',
  'reject',
];
const anyOrder = fc
  .record({
    state: fc.constantFrom<OrderState>(...orderStates),
    paid: amount,
    refunded: amount,
    invoiced: amount,
    waits: fc.boolean(),
    period: fc.boolean(),
    refunds: fc.constantFrom('requested' as const, 'approved' as const, 'done' as const, 'rejected' as const),
  })
  .map(({ waits, period, refunds, ...rest }) =>
    order({
      ...rest,
      period: period ? { from: '2026-01-01', to: '2026-12-31' } : null,
      payments: [payment({ state: waits ? 'recorded' : 'confirmed' })],
      refunds: [refund({ state: refunds })],
    }),
  );
const targets: Partial<Record<Step['do'], OrderState>> = { send: 'pending', cancel: 'cancelled', fulfil: 'fulfilled' };
const all = (value: ReturnType<typeof stepsOf>): readonly Step[] => [...(value.primary ? [value.primary] : []), ...value.others];

test('every step is allowed by the contract and offered once', () => {
  const cases = caseCounts<Step['do']>(...stepKinds);
  fc.assert(
    fc.property(anyOrder, fc.boolean(), fc.boolean(), (one, write, own) => {
      const steps = all(stepsOf(one, { write, own }));
      expect(new Set(steps.map((step) => step.do)).size).toBe(steps.length);
      for (const step of steps) {
        cases.count(step.do);
        const to = targets[step.do];
        if (to) expect(orderMoves.some((move) => move.from === one.state && move.to === to && move.by === 'person')).toBe(true);
        if (step.do === 'edit' || step.do === 'remove') expect(one.state).toBe('draft');
        if (step.do === 'pay' || step.do === 'upload') expect(one.state).toBe('pending');
        if (step.do === 'refund') expect(leftToRefund(one, step.payment)).toBeGreaterThan(0);
        if (step.do === 'invoice') expect(leftToInvoice(one)).toBeGreaterThan(0);
      }
    }),
    { numRuns: 1000 },
  );
  cases.expectAtLeast(1);
});

test('read-only users are offered receipts and invoices of their own orders', () => {
  fc.assert(
    fc.property(anyOrder, (one) => {
      expect(all(stepsOf(one, { write: false, own: false }))).toEqual([]);
      for (const step of all(stepsOf(one, { write: false, own: true }))) expect(['upload', 'invoice']).toContain(step.do);
    }),
  );
});

test('the remainder is never negative, and invoices exclude refunds', () => {
  fc.assert(
    fc.property(anyOrder, (one) => {
      expect(leftToPay(one)).toBeGreaterThanOrEqual(0);
      expect(leftToInvoice(one)).toBeGreaterThanOrEqual(0);
      expect(leftToInvoice(one) + one.invoiced).toBeLessThanOrEqual(Math.max(one.invoiced, one.paid - one.refunded));
    }),
  );
});

const finance: Rights = { write: true, own: false };
test.each([
  [order(), 'send', 'draft'],
  [order({ state: 'pending' }), 'pay', 'pending'],
  [order({ state: 'pending', dueAt: '2026-11-19' }), 'pay', 'overdue'],
  [order({ state: 'pending', dueAt: '2026-11-20' }), 'pay', 'pendingDue'],
  [order({ state: 'pending', payments: [payment()] }), 'confirm', 'waiting'],
  [order({ state: 'paid', paid: order().total }), 'fulfil', 'paid'],
  [order({ state: 'paid', paid: order().total + 1 }), 'fulfil', 'credit'],
  [order({ state: 'fulfilled', paid: order().total }), 'invoice', 'fulfilled'],
  [order({ state: 'fulfilled', paid: order().total, invoiced: order().total }), undefined, 'fulfilled'],
  [order({ state: 'refunding', refunds: [refund()] }), 'approve', 'refundAsked'],
  [order({ state: 'refunding', refunds: [refund({ state: 'approved' })] }), 'finish', 'refundApproved'],
  [order({ state: 'cancelled' }), undefined, 'cancelled'],
])('the next step of %j', (one, step, stands) => {
  expect(stepsOf(one, finance).primary?.do).toBe(step);
  expect(orderSituation(one, '2026-11-20').key).toBe(stands);
});
