import { refusedOrders } from './useInvoiceRequest';

test('an amount that the server refuses belongs to the order at its position in the request', () => {
  const failure = { kind: 'api', method: 'POST', url: '', status: 422, message: '', fields: { 'orders.1.amount': { code: 'out_of_range' } } } as const;
  expect(refusedOrders(failure, [{ orderId: 'a' }, { orderId: 'b' }])).toEqual(['b']);
  expect(refusedOrders({ ...failure, fields: { orders: { code: 'wrong_type' } } }, [{ orderId: 'a' }])).toEqual([]);
});
