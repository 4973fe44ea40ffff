import { remember } from './lru';

it('computes again only entries that were evicted', () => {
  const asked: string[] = [];
  const answer = remember(10, (key) => {
    asked.push(key);
    return key.toUpperCase();
  });
  expect([answer('a'), answer('a'), answer('b')]).toEqual(['A', 'A', 'B']);
  expect(asked).toEqual(['a', 'b']);
  for (let n = 0; n < 10; n += 1) answer(`other ${n}`);
  answer('a');
  expect(asked.filter((key) => key === 'a')).toHaveLength(2);
});

it('never exceeds its size', () => {
  let made = 0;
  const answer = remember(100, () => (made += 1));
  for (let n = 0; n < 1000; n += 1) answer(String(n));
  made = 0;
  for (let n = 0; n < 1000; n += 1) answer(String(n));
  expect(made).toBeGreaterThanOrEqual(900);
});

it('handles very long arguments without storing them', () => {
  let made = 0;
  const answer = remember(100, () => (made += 1));
  const long = 'x'.repeat(10_000);
  expect([answer(long), answer(long)]).toEqual([1, 2]);
});
