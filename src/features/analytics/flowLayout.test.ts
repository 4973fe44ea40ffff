import { flowLayout, minBoxHeight, streamsOf } from './flowLayout';
import type { FlowStep } from './flowModel';

const steps = (...shares: number[]): FlowStep[] => shares.map((share, at) => ({ id: String(at), kind: 'page', key: `/${at}`, views: 1, share }));

test('the page is in the middle, between two columns of steps', () => {
  const { column, page } = flowLayout(steps(0.5, 0.5), steps(1), 1000);
  expect(page.x + page.width / 2).toBe(500);
  expect(column).toBeLessThan(page.x);
});

test('many small steps make the drawing taller than the page, which stays centred', () => {
  const { page, height, after } = flowLayout(steps(1), steps(...Array.from({ length: 12 }, () => 0.001)), 1000);
  expect(after.every(({ h }) => h >= minBoxHeight)).toBe(true);
  expect(page.y * 2 + page.height).toBeCloseTo(height);
});

test('every step has a stream, which ends at the page', () => {
  const layout = flowLayout(steps(0.7, 0.3), steps(1), 1000);
  expect(streamsOf(layout, 'before', 1000)).toHaveLength(2);
  expect(streamsOf(layout, 'after', 1000)[0]).toMatch(new RegExp(`^M${(layout.page.x + layout.page.width).toFixed(1)} `));
});
