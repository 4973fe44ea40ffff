import { refusedOrders } from './useInvoiceRequest';

test('a refused amount belongs to the order at its position', () => {
  const failure = { kind: 'api', method: 'POST', url: '', status: 422, message: '', fields: { 'orders.1.amount': { code: 'out_of_range' } } } as const;
  expect(refusedOrders(failure, [{ orderId: 'a' }, { orderId: 'b' }])).toEqual(['b']);
  expect(refusedOrders({ ...failure, fields: { orders: { code: 'wrong_type' } } }, [{ orderId: 'a' }])).toEqual([]);
});
