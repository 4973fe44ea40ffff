import { makeHit } from '../../test/oracle/traffic';
import { createSiteQueue } from './siteQueue';

const hitsOf = (site_id: string, count: number, props = '') => Array.from({ length: count }, (_, seq) => makeHit({ site_id, seq, props }));
const kilobytes = (count: number): string => 'x'.repeat(count * 512);

it("a small site is not delayed by another site's flood", () => {
  const queue = createSiteQueue();
  queue.push(hitsOf('site-a', 1000, kilobytes(20)));
  queue.push(hitsOf('site-b', 2));
  const turn = queue.next(1024 * 1024);
  expect(turn?.hits.filter((hit) => hit.site_id === 'site-b')).toHaveLength(2);
  expect(turn?.hits.length).toBeLessThan(100);
});

it('the hits of a site keep their order', () => {
  const queue = createSiteQueue();
  queue.push(hitsOf('site-a', 500, kilobytes(1)));
  const order: number[] = [];
  for (let turn = queue.next(64 * 1024); turn !== null; turn = queue.next(64 * 1024)) order.push(...turn.hits.map((hit) => hit.seq));
  expect(order).toEqual(Array.from({ length: 500 }, (_, seq) => seq));
});

it('a push finishes when all its hits are finished', () => {
  const queue = createSiteQueue();
  const first = queue.push([...hitsOf('site-a', 200, kilobytes(2)), ...hitsOf('site-b', 1)]);
  const second = queue.push(hitsOf('site-b', 1));
  const turn = queue.next(1);
  expect(queue.finishedBelow()).toBe(first);
  queue.finish(turn!);
  expect(queue.finishedBelow()).toBe(first);
  const rest = queue.next(Number.POSITIVE_INFINITY);
  queue.finish(rest!);
  expect(second).toBeGreaterThan(first);
  expect(queue.finishedBelow()).toBe(Number.POSITIVE_INFINITY);
});

it('bytes count until their hits are processed', () => {
  const queue = createSiteQueue();
  queue.push(hitsOf('site-a', 10, kilobytes(10)));
  expect(queue.bytes()).toBeGreaterThan(100_000);
  const turn = queue.next(Number.POSITIVE_INFINITY);
  expect(queue.bytes()).toBeGreaterThan(100_000);
  queue.finish(turn!);
  expect(queue.bytes()).toBe(0);
});
