import { order, payment, refund } from '../../../../test/support/ledger';
import { paymentStepsOf } from './paymentSteps';

const stepsOf = (...args: Parameters<typeof paymentStepsOf>) => paymentStepsOf(...args).map((step) => step.do);
const confirmed = payment({ state: 'confirmed' });

test('a recorded payment is confirmed or marked as failed, unless its order is closed', () => {
  const recorded = payment();
  expect(stepsOf(order({ state: 'pending', payments: [recorded] }), recorded)).toEqual(['confirm', 'fail']);
  expect(stepsOf(order({ state: 'cancelled', payments: [recorded] }), recorded)).toEqual([]);
});

test('a payment is refunded once its order is paid, and reversed only without refunds', () => {
  expect(stepsOf(order({ state: 'pending', payments: [confirmed] }), confirmed)).toEqual(['reverse']);
  expect(stepsOf(order({ state: 'paid', payments: [confirmed] }), confirmed)).toEqual(['refund', 'reverse']);
  const partly = refund({ paymentId: confirmed.id, amount: 1, state: 'done' });
  expect(stepsOf(order({ state: 'partly_refunded', payments: [confirmed], refunds: [partly] }), confirmed)).toEqual(['refund']);
});
