import { remember } from './lru';

it('computes again only entries that were evicted', () => {
  const computedKeys: string[] = [];
  const answer = remember(10, (key) => {
    computedKeys.push(key);
    return key.toUpperCase();
  });
  expect([answer('a'), answer('a'), answer('b')]).toEqual(['A', 'A', 'B']);
  expect(computedKeys).toEqual(['a', 'b']);
  for (let n = 0; n < 10; n += 1) answer(`other ${n}`);
  answer('a');
  expect(computedKeys.filter((key) => key === 'a')).toHaveLength(2);
});

it('never exceeds its size', () => {
  let computedCount = 0;
  const answer = remember(100, () => (computedCount += 1));
  for (let n = 0; n < 1000; n += 1) answer(String(n));
  computedCount = 0;
  for (let n = 0; n < 1000; n += 1) answer(String(n));
  expect(computedCount).toBeGreaterThanOrEqual(900);
});

it('handles very long arguments without storing them', () => {
  let computedCount = 0;
  const answer = remember(100, () => (computedCount += 1));
  const long = 'x'.repeat(10_000);
  expect([answer(long), answer(long)]).toEqual([1, 2]);
});
