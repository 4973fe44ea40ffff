import fc from 'fast-check';
import {
  InvoiceInput,
  OrderInput,
  OrderItemInput,
  PaymentInput,
  invoiceMoves,
  invoiceStates,
  isTaxNumber,
  lineAmounts,
  minorDigits,
  mostAmount,
  orderAmounts,
  orderFieldErrors,
  orderMoves,
  orderStates,
  paymentMoves,
  paymentStates,
  refundMoves,
  refundStates,
} from './ledger';

/** A reduced fraction of integers, rounded half up by comparing twice the remainder with the divisor: a different method from the code under test. */
type Fraction = { readonly n: bigint; readonly d: bigint };
const gcd = (a: bigint, b: bigint): bigint => (b === 0n ? a : gcd(b, a % b));
const fraction = (n: bigint, d: bigint): Fraction => {
  const g = gcd(n < 0n ? -n : n, d);
  return g === 0n ? { n: 0n, d: 1n } : { n: n / g, d: d / g };
};
const times = (a: Fraction, b: Fraction): Fraction => fraction(a.n * b.n, a.d * b.d);
function halfUp({ n, d }: Fraction): bigint {
  const whole = n / d;
  return (n - whole * d) * 2n >= d ? whole + 1n : whole;
}
const decimalFraction = (text: string): Fraction => {
  const places = text.includes('.') ? text.length - text.indexOf('.') - 1 : 0;
  return fraction(BigInt(text.replace('.', '')), 10n ** BigInt(places));
};

const quantity = fc
  .tuple(fc.nat(9_999_999), fc.option(fc.tuple(fc.nat(999), fc.integer({ min: 1, max: 3 }))))
  .map(([whole, part]) => (part ? `${whole}.${String(part[0]).padStart(3, '0').slice(0, part[1])}` : String(whole)))
  .filter((text) => !/^0+(\.0+)?$/.test(text));
const itemUpTo = (mostPrice: number) =>
  fc
    .record({
      quantity,
      unitPrice: fc.nat(mostPrice),
      share: fc.nat(100),
      taxRate: fc.oneof(fc.constantFrom(0, 100, 300, 600, 900, 1300, 10_000), fc.nat(10_000)),
    })
    .map(({ share, ...rest }) => {
      const gross = halfUp(times(decimalFraction(rest.quantity), fraction(BigInt(rest.unitPrice), 1n)));
      return { ...rest, discount: Number((gross * BigInt(share)) / 100n), gross };
    });

test('a line is quantity times price less discount, rounded half up', () => {
  fc.assert(
    fc.property(itemUpTo(100_000), ({ gross, ...line }) => {
      const net = gross - BigInt(line.discount);
      expect(lineAmounts(line)).toEqual({ amount: Number(net), tax: Number(halfUp(times(fraction(net, 1n), fraction(BigInt(line.taxRate), 10_000n)))) });
    }),
    { numRuns: 2000 },
  );
});

test('an order’s total is subtotal minus discount plus tax of its lines', () => {
  fc.assert(
    fc.property(fc.array(itemUpTo(1000), { minLength: 1, maxLength: 20 }), (items) => {
      const sums = orderAmounts(items);
      expect(sums.subtotal).toBe(Number(items.reduce((sum, { gross }) => sum + gross, 0n)));
      expect(sums.discount).toBe(items.reduce((sum, { discount }) => sum + discount, 0));
      expect(sums.tax).toBe(items.reduce((sum, one) => sum + lineAmounts(one).tax, 0));
      expect(sums.total).toBe(sums.subtotal - sums.discount + sums.tax);
    }),
  );
});

const line = (change: object = {}) => ({ name: 'Hosting', quantity: '1', unitPrice: 100, discount: 0, taxRate: 0, ...change });

test.each([
  ['a third of a cent is dropped', { quantity: '0.333', unitPrice: 1 }, { amount: 0, tax: 0 }],
  ['half a cent goes up', { quantity: '0.5', unitPrice: 1 }, { amount: 1, tax: 0 }],
  ['just below half goes down', { quantity: '0.499', unitPrice: 1 }, { amount: 0, tax: 0 }],
  ['6 % of 0.25 is 0.015: 2 cents', { quantity: '1', unitPrice: 25, taxRate: 600 }, { amount: 25, tax: 2 }],
  ['1.1 times 5 is 5.5, which is 6', { quantity: '1.1', unitPrice: 5 }, { amount: 6, tax: 0 }],
  ['yen have no decimals: 1.005 hours of 1000 yen', { quantity: '1.005', unitPrice: 1000, taxRate: 1000 }, { amount: 1005, tax: 101 }],
  ['the discount comes before tax', { unitPrice: 1000, discount: 100, taxRate: 1300 }, { amount: 900, tax: 117 }],
  ['a discount of everything', { unitPrice: 1000, discount: 1000, taxRate: 1300 }, { amount: 0, tax: 0 }],
  ['a discount of more than everything', { unitPrice: 1000, discount: 1001 }, { amount: -1, tax: 0 }],
])('%s', (_name, change, amounts) => {
  expect(lineAmounts(line(change))).toEqual(amounts);
});

test('minor units: yen have none, other currencies two', () => {
  expect([minorDigits('JPY'), minorDigits('CNY'), minorDigits('USD'), minorDigits('TWD')]).toEqual([0, 2, 2, 2]);
});

test('excessive discounts, sums and reversed periods are refused', () => {
  const order = (items: ReturnType<typeof line>[], period: { from: string; to: string } | null = null) => orderFieldErrors({ items, period });
  expect(order([line()])).toEqual({});
  expect(order([line(), line({ discount: 101 })])).toEqual({ 'items.1.discount': 'out_of_range' });
  expect(order([line({ quantity: '9999999.999', unitPrice: mostAmount })])).toEqual({ 'items.0.unitPrice': 'out_of_range' });
  expect(order([line({ unitPrice: mostAmount }), line({ unitPrice: 1 })])).toEqual({ items: 'out_of_range' });
  expect(order([line({ unitPrice: mostAmount, taxRate: 1 })])).toEqual({ items: 'out_of_range' });
  expect(order([line({ unitPrice: mostAmount })])).toEqual({});
  expect(order([line()], { from: '2026-11-20', to: '2026-11-19' })).toEqual({ 'period.to': 'out_of_range' });
  expect(order([line()], { from: '2026-11-20', to: '2026-11-20' })).toEqual({});
});

test.each([
  ['0', false],
  ['0.000', false],
  ['1', true],
  ['0.001', true],
  ['9999999.999', true],
  ['10000000', false],
  ['1.0001', false],
  ['-1', false],
  ['1e3', false],
  ['.5', false],
  ['１', false],
  [' 1', false],
])('quantity %s: %s', (text, fine) => {
  expect(OrderItemInput.safeParse(line({ quantity: text })).success).toBe(fine);
});

test.each([
  ['unitPrice', -1],
  ['unitPrice', 0.5],
  ['unitPrice', mostAmount + 1],
  ['unitPrice', Number.NaN],
  ['unitPrice', Number.POSITIVE_INFINITY],
  ['unitPrice', '100'],
  ['discount', -1],
  ['taxRate', 10_001],
  ['taxRate', -1],
  ['name', ''],
  ['name', 'a\u202eb'],
  ['surplus', 1],
])('a line with %s = %s is refused', (key, value) => {
  expect(OrderItemInput.safeParse(line({ [key]: value })).success).toBe(false);
});

test('an order has one currency and one to a hundred lines', () => {
  const order = { customerId: '7b1e9c52-4f0a-4c7e-9a57-0c5a4a6a1f01', title: 'Hosting', items: [line()] };
  expect(OrderInput.safeParse(order).success).toBe(true);
  expect(OrderInput.safeParse({ ...order, items: [line({ currency: 'USD' })] }).success).toBe(false);
  expect(OrderInput.safeParse({ ...order, currency: 'XXX' }).success).toBe(false);
  expect(OrderInput.safeParse({ ...order, items: [] }).success).toBe(false);
  expect(OrderInput.safeParse({ ...order, items: Array.from({ length: 101 }, () => line()) }).success).toBe(false);
  expect(OrderInput.safeParse({ ...order, dueAt: '2026-02-30' }).success).toBe(false);
});

test('a payment amount is a positive integer up to the maximum', () => {
  const payment = { method: 'bank', amount: 1, paidAt: '2026-11-20' };
  const results = [1, mostAmount, 0, -1, mostAmount + 1, 1.5].map((amount) => PaymentInput.safeParse({ ...payment, amount }).success);
  expect(results).toEqual([true, true, false, false, false, false]);
});

describe('tax numbers', () => {
  test.each([
    ['91330106MA2CFRJ49P', false],
    ['91350100M000100Y43', true],
    ['91350100M000100Y44', false],
    ['91350100m000100y43', false],
    ['91350100M000100I43', false],
    ['123456789012345', true],
    ['12345678901234', false],
    ['12345678901234567890', true],
    ['123456789012345678901', false],
    ['１２３４５６７８９０１２３４５', false],
    ['', false],
  ])('%s: %s', (text, fine) => {
    expect(isTaxNumber(text)).toBe(fine);
  });
  test('any wrong character or swapped neighbours are detected', () => {
    const right = '91350100M000100Y43';
    for (let i = 0; i < 18; i++) {
      for (const c of '0123456789ABCDEFGHJKLMNPQRTUWXY') if (c !== right[i]) expect(isTaxNumber(right.slice(0, i) + c + right.slice(i + 1))).toBe(false);
      const swapped = right.slice(0, i) + (right[i + 1] ?? '') + (right[i] ?? '') + right.slice(i + 2);
      if (i < 17 && right[i] !== right[i + 1]) expect([swapped, isTaxNumber(swapped)]).toEqual([swapped, false]);
    }
  });
  test('are stored in capitals', () => {
    const input = {
      titleType: 'company',
      title: '某公司',
      taxNumber: ' 91350100m000100y43 ',
      orders: [{ orderId: '7b1e9c52-4f0a-4c7e-9a57-0c5a4a6a1f01', amount: 1 }],
    };
    expect(InvoiceInput.parse(input)).toMatchObject({ taxNumber: '91350100M000100Y43', type: 'normal', saveTitle: false });
    expect(InvoiceInput.safeParse({ ...input, taxNumber: '91350100M000100Y44' }).error?.issues[0]).toMatchObject({
      path: ['taxNumber'],
      message: 'not_a_tax_number',
    });
  });
});

test('every state is reachable, and no transition is listed twice', () => {
  const tables = [
    { states: orderStates, moves: orderMoves, first: 'draft' },
    { states: paymentStates, moves: paymentMoves, first: 'recorded' },
    { states: refundStates, moves: refundMoves, first: 'requested' },
    { states: invoiceStates, moves: invoiceMoves, first: 'requested' },
  ] as const;
  for (const { states, moves, first } of tables) {
    const reached = new Set<string>([first]);
    for (let size = 0; size < reached.size;) {
      size = reached.size;
      for (const { from, to } of moves) if (reached.has(from)) reached.add(to);
    }
    expect([...reached].toSorted()).toEqual([...states].toSorted());
    expect(new Set(moves.map(({ from, to }) => `${from} ${to}`)).size).toBe(moves.length);
  }
});
