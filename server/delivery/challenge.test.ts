import { createHash } from 'node:crypto';
import { runInNewContext } from 'node:vm';
import { challengeScript } from './challengeScript';
import { createSampler } from './blockedLog';

/** Runs the script of the page as a browser would, and returns the number that it sends. */
function solveInBrowser(task: string, bits: number): { readonly number: string; readonly back: string } {
  const elements = { task: { value: task }, number: { value: '' }, back: { value: '' } };
  let isSent = false;
  const form = { elements, getAttribute: () => String(bits), submit: () => (isSent = true) };
  const timers: (() => void)[] = [];
  runInNewContext(challengeScript, {
    document: { getElementById: () => form },
    location: { pathname: '/tea', search: '?x=1' },
    setTimeout: (step: () => void) => timers.push(step),
  });
  for (let step = timers.shift(); step && !isSent; step = timers.shift()) step();
  return { number: elements.number.value, back: elements.back.value };
}

test.each(['a', '1764192000.abc.def', 'x'.repeat(60), 'y'.repeat(119)])('the script solves the task %s as the server checks it', (task) => {
  const { number, back } = solveInBrowser(task, 12);
  const leading = (text: string): number => createHash('sha256').update(text).digest().readUInt32BE(0) >>> 20;
  expect([leading(`${task}.${number}`), back]).toEqual([0, '/tea?x=1']);
  for (let earlier = 0; earlier < Number(number); earlier += 1) expect(leading(`${task}.${String(earlier)}`)).not.toBe(0);
});

test('a flood gets at most fifty rows a second, whose weights add up', () => {
  const sample = createSampler(50);
  const requests = [10, 500, 5000, 5000, 20];
  const weights = requests.map((count, second) =>
    Array.from({ length: count }, (_, n) => sample(second * 1000 + (n * 1000) / count)).filter((weight) => weight > 0),
  );
  expect(weights[0]).toEqual(Array(10).fill(1));
  expect(weights[3]?.every((weight) => weight >= 100)).toBe(true);
  for (const rows of weights) expect(rows.length).toBeLessThanOrEqual(50);
  const total = requests.reduce((sum, count) => sum + count, 0);
  const logged = weights.flat().reduce((sum, weight) => sum + weight, 0);
  expect(logged).toBeLessThanOrEqual(total);
  expect(total - logged).toBeLessThan(100);
});
