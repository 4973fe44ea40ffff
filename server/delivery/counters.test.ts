import { createCounts } from './counters';

test('one site fills no more than its share of the counters', () => {
  const counts = createCounts<{ readonly name: string }>();
  const counted = (site: string, n: number): number =>
    Array.from({ length: n }, (_, at) => counts.at(site, `/${String(at)}`, () => ({ name: site }))).filter((one) => one !== null).length;
  expect([counted('scanned', 6000), counted('other', 10)]).toEqual([1000, 10]);
  expect(counts.at('scanned', '/999', () => ({ name: 'new' }))).toEqual({ name: 'scanned' });
  expect([counted('b', 2000), counted('c', 2000), counted('d', 2000), counted('e', 2000)]).toEqual([1000, 1000, 1000, 990]);
  expect(counts.clear()).toHaveLength(5000);
  expect(counted('scanned', 1)).toBe(1);
});
