import { plotOf } from './plot';
import type { ChartLine, ChartPoint } from './types';

const points: ChartPoint[] = ['11-18', '11-19', '11-20'].map((tick) => ({ name: tick, tick, open: false }));
const line = (id: string, unit: ChartLine['unit'], writeTick: ChartLine['writeTick']): ChartLine => ({
  id,
  name: id,
  unit,
  values: [0, 1000, 500],
  write: String,
  writeTick,
});

test('the plotting area leaves room for the labels of both axes', () => {
  const one = plotOf(points, [line('a', 'count', String)], { width: 720, height: 240 });
  const two = plotOf(points, [line('a', 'count', String), line('b', 'seconds', (value) => `${value} 秒`)], { width: 720, height: 240 });
  expect(one.rightLine).toBeUndefined();
  expect(two.rightLine?.id).toBe('b');
  expect(two.width).toBeLessThan(one.width);
  expect(two.gutter.left + two.width + two.gutter.right).toBeCloseTo(720);
});

test('a label of Han characters needs more room than one of digits', () => {
  const digits = plotOf(points, [line('a', 'count', () => '100')], { width: 720, height: 240 });
  const han = plotOf(points, [line('a', 'count', () => '一百万')], { width: 720, height: 240 });
  expect(han.gutter.left).toBeGreaterThan(digits.gutter.left);
});

test('a per cent sign needs more room than a digit', () => {
  const digits = plotOf(points, [line('a', 'count', () => '100')], { width: 720, height: 240 });
  const percent = plotOf(points, [line('a', 'ratio', () => '10%')], { width: 720, height: 240 });
  expect(percent.gutter.left).toBeGreaterThan(digits.gutter.left);
});

test('a narrow chart still has a plotting area', () => {
  expect(plotOf(points, [line('a', 'count', String)], { width: 20, height: 240 }).width).toBe(40);
});
