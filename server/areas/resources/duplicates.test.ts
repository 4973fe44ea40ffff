import { groupsOf } from './duplicates';
import type { Comparable } from './duplicates';

const one = (id: string, hash: string | null, sha256 = id, more: Partial<Comparable> = {}): Comparable => ({
  id,
  hash,
  sha256,
  thumbhash: null,
  ratio: 1.5,
  ...more,
});

test('images whose hashes differ in few bits form a group', async () => {
  const groups = await groupsOf([
    one('a', 'f0f0f0f0f0f0f0f0'),
    one('b', '0123456789abcdef'),
    one('c', 'f0f0f0f0f0f0f0ff'),
    one('d', '1123456789abcdcc'),
    one('e', 'f1f1f0f0f0f1f1f1'),
    one('f', 'f1f1f1f0f0f1f1f1'),
  ]);
  expect(groups).toEqual([
    { exact: false, ids: ['a', 'c', 'e'] },
    { exact: false, ids: ['b', 'd'] },
  ]);
});

test('other colours or proportions make another picture', async () => {
  const hash = 'f0f0f0f0f0f0f0f0';
  const [red, blue] = ['3PcNNYSFeXh/d3eld0iHZoZgVwh2', '1QcSHQRnh493V4dIh4eXh1h4kJUI'];
  const groups = await groupsOf([
    one('a', hash, 'a', { thumbhash: red }),
    one('b', hash, 'b', { thumbhash: blue }),
    one('c', hash, 'c', { thumbhash: red, ratio: 1.51 }),
    one('d', hash, 'd', { thumbhash: red, ratio: 0.7 }),
  ]);
  expect(groups.map(({ ids }) => ids)).toEqual([['a', 'c']]);
});

test('the same content is a group without a hash', async () => {
  expect(await groupsOf([one('a', null, 'x'), one('b', null), one('c', null, 'x')])).toEqual([{ exact: true, ids: ['a', 'c'] }]);
});

test('a group does not grow from one image to the next', async () => {
  const step = ['0000000000000001', '000000000000001f', '00000000000001ff'];
  expect(await groupsOf(step.map((hash, at) => one(String(at), hash)))).toEqual([{ exact: false, ids: ['0', '1'] }]);
});

test('a hundred thousand images that look much the same are compared in seconds', async () => {
  // All differ in the last bits only, so that most bands are equal.
  const many = Array.from({ length: 100_000 }, (_, at) => one(String(at), `00000000${(Math.imul(at, 2_654_435_761) >>> 0).toString(16).padStart(8, '0')}`));
  const started = performance.now();
  expect((await groupsOf(many)).length).toBeGreaterThan(0);
  expect(performance.now() - started).toBeLessThan(15_000);
});
