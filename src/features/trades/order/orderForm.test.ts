import fc from 'fast-check';
import { OrderInput, currencies, lineAmounts, orderAmounts } from '@contract/trades/ledger';
import type { Currency, Order } from '@contract/trades/ledger';
import { OrderForm, blankOrder, previewAmounts, percentText, quantityText, readQuantity, typedOrder } from './orderForm';
import type { TypedOrder } from './orderForm';

const customerId = '7b1e9c52-4f0a-4c7e-9a57-0c5a4a6a1f01';
const typed = (change: Partial<TypedOrder> = {}): TypedOrder => ({
  ...blankOrder(),
  customerId,
  title: '官网改版',
  items: [{ name: '设计', quantity: '2.5', unitPrice: '1,200.00', discount: '', taxRate: '6' }],
  ...change,
});
const fieldErrorsOf = (value: TypedOrder): Record<string, string> =>
  Object.fromEntries((OrderForm.safeParse(value).error?.issues ?? []).map((one) => [one.path.join('.'), one.message.split('|')[0] ?? '']));

const item = fc
  .record({
    name: fc.constant('x'),
    quantity: fc.integer({ min: 1, max: 9_999_999 }).map((thousandths) => quantityText((thousandths / 1000).toFixed(3))),
    unitPrice: fc.integer({ min: 0, max: 10_000_000 }),
    discount: fc.integer({ min: 0, max: 1000 }),
    taxRate: fc.integer({ min: 0, max: 10_000 }),
  })
  .filter((one) => lineAmounts(one).amount >= 0);

test('an order opened and saved without edits is unchanged', () => {
  fc.assert(
    fc.property(fc.array(item, { minLength: 1, maxLength: 5 }), fc.constantFrom<Currency>(...currencies), (items, currency) => {
      const order = {
        customer: { id: customerId, name: '' },
        site: null,
        kind: 'plan',
        title: 'x',
        currency,
        items,
        period: null,
        renewalNote: '',
        dueAt: null,
        note: '',
        memo: null,
      };
      const read = OrderForm.parse(typedOrder(order as unknown as Order));
      expect(read.items).toEqual(items);
      expect(OrderInput.parse(read)).toEqual(read);
    }),
  );
});

test('the totals beside the form are those of the contract', () => {
  fc.assert(
    fc.property(fc.array(item, { minLength: 1, maxLength: 5 }), (items) => {
      const order = typedOrder({
        ...({} as Order),
        customer: { id: customerId, name: '' },
        site: null,
        kind: 'plan',
        title: 'x',
        currency: 'CNY',
        items,
        period: null,
        renewalNote: '',
        dueAt: null,
        note: '',
        memo: null,
      } as unknown as Order);
      expect(previewAmounts(order.items, 'CNY').sums).toEqual(orderAmounts(items));
    }),
  );
});

test('full-width, grouped and per cent input is parsed, empty as zero', () => {
  const read = OrderForm.parse(
    typed({
      items: [{ name: ' 证书 ', quantity: '１，０００．５', unitPrice: '￥１２．５', discount: '', taxRate: '６．５' }],
      from: '2026-01-01',
      to: '2026-12-31',
    }),
  );
  expect(read.items).toEqual([{ name: '证书', quantity: '1000.5', unitPrice: 1250, discount: 0, taxRate: 650 }]);
  expect(read.period).toEqual({ from: '2026-01-01', to: '2026-12-31' });
  expect([percentText(0), percentText(600), percentText(650), percentText(1000), percentText(10_000)]).toEqual(['0', '6', '6.5', '10', '100']);
  expect(readQuantity('0.0004')).toBeNull();
});

test('every error is shown at once, each at its field', () => {
  expect(
    fieldErrorsOf(
      typed({
        customerId: '',
        title: ' ',
        items: [
          { name: '', quantity: '0', unitPrice: '', discount: '', taxRate: '' },
          { name: 'a', quantity: '1', unitPrice: '12,50', discount: '1', taxRate: '101' },
          { name: 'b', quantity: '1', unitPrice: '5', discount: '5.01', taxRate: '0' },
        ],
        from: '2026-02-01',
        to: '2026-01-31',
        dueAt: 'soon',
      }),
    ),
  ).toEqual({
    customerId: 'required',
    title: 'required',
    'items.0.name': 'required',
    'items.0.quantity': 'pattern',
    'items.0.unitPrice': 'required',
    'items.1.unitPrice': 'pattern',
    'items.1.taxRate': 'out_of_range',
    'items.2.discount': 'out_of_range',
    to: 'out_of_range',
    dueAt: 'pattern',
  });
});

test('incomplete periods, invalid decimals and amounts over the limit are refused', () => {
  expect(fieldErrorsOf(typed({ from: '2026-02-01' }))).toEqual({ to: 'required' });
  expect(fieldErrorsOf(typed({ currency: 'JPY', items: [{ name: 'a', quantity: '1', unitPrice: '12.5', discount: '', taxRate: '' }] }))).toEqual({
    'items.0.unitPrice': 'pattern',
  });
  expect(fieldErrorsOf(typed({ items: [{ name: 'a', quantity: '9999999', unitPrice: '9,999,999', discount: '', taxRate: '' }] }))).toEqual({
    'items.0.unitPrice': 'out_of_range',
  });
});
