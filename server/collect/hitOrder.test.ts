import { makeHit } from '../../test/oracle/traffic';
import { createHitOrder } from './hitOrder';

/** A request that arrives at a time with hits of given ages; all in ms. */
const request = (receivedAt: number, ages: readonly number[], visitor = 'a'.repeat(16)) =>
  ages.map((age, seq) => makeHit({ visitor_id: visitor, seq, received_at: receivedAt, at: receivedAt - age }));
const times = (rows: readonly { readonly at: number }[]): number[] => rows.map(({ at }) => at);

test('a page opened after a slow request stays behind the page before it', () => {
  const inOrder = createHitOrder();
  // Made at 0, sent at 100, received at 600.
  expect(times(inOrder(request(600, [100]), 100))).toEqual([500]);
  // Made at 300 and 310, sent at 400, received at 420.
  expect(times(inOrder(request(420, [100, 90]), 400))).toEqual([501, 502]);
  // Made at 1000, sent at 1100.
  expect(times(inOrder(request(1120, [100]), 1100))).toEqual([1020]);
});

test('hits of one moment stay together behind a slow request', () => {
  const inOrder = createHitOrder();
  inOrder(request(600, [100]), 100);
  expect(times(inOrder(request(420, [100, 100]), 400))).toEqual([501, 501]);
  expect(times(inOrder(request(510, [100]), 490))).toEqual([502]);
});

test('a clock that is put right again orders hits as before', () => {
  const inOrder = createHitOrder();
  inOrder(request(1000, [100]), 1e12);
  inOrder(request(2600, [100]), 2100);
  expect(times(inOrder(request(2420, [100]), 2400))).toEqual([2501]);
});

test('a hit that was made earlier keeps its time', () => {
  const inOrder = createHitOrder();
  inOrder(request(10_100, [100]), 10_100);
  expect(times(inOrder(request(10_200, [5000]), 10_200))).toEqual([5200]);
});

test('hits of other visitors, or without a clock, keep their times', () => {
  const inOrder = createHitOrder();
  inOrder(request(600, [100]), 100);
  expect(times(inOrder(request(420, [100], 'b'.repeat(16)), 400))).toEqual([320]);
  expect(times(inOrder(request(420, [100]), null))).toEqual([320]);
});

test('a clock that was set moves nothing', () => {
  const inOrder = createHitOrder();
  inOrder(request(1_000_000, [0]), 1_000_000);
  expect(times(inOrder(request(1_001_000, [500_000]), 3_001_000))).toEqual([501_000]);
});

test('only the latest visitors are remembered', () => {
  const inOrder = createHitOrder(1);
  inOrder(request(600, [100]), 100);
  inOrder(request(600, [100], 'b'.repeat(16)), 100);
  expect(times(inOrder(request(420, [100]), 400))).toEqual([320]);
});
