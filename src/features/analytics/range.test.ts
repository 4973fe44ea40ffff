import { addDays } from '@/lib/days';
import { compareRange, granularitiesFor, orderedRange, presetRange, shiftRange } from './range';

const today = '2026-11-20';

test.each([
  ['today', '2026-11-20', '2026-11-20'],
  ['yesterday', '2026-11-19', '2026-11-19'],
  ['last7', '2026-11-14', '2026-11-20'],
  ['last30', '2026-10-22', '2026-11-20'],
  ['last90', '2026-08-23', '2026-11-20'],
  ['thisMonth', '2026-11-01', '2026-11-20'],
  ['lastMonth', '2026-10-01', '2026-10-31'],
  ['last14', '2026-11-07', '2026-11-20'],
  ['thisWeek', '2026-11-16', '2026-11-20'],
  ['lastWeek', '2026-11-09', '2026-11-15'],
  ['thisYear', '2026-01-01', '2026-11-20'],
  ['lastYear', '2025-01-01', '2025-12-31'],
] as const)('%s is %s to %s', (preset, from, to) => expect(presetRange(preset, today)).toEqual({ from, to }));

test('two days chosen in any order form a range', () => expect(orderedRange('2026-11-20', '2026-11-02')).toEqual({ from: '2026-11-02', to: '2026-11-20' }));

test('the period before a whole month is the previous whole month', () => {
  expect(shiftRange({ from: '2026-03-01', to: '2026-03-31' }, -1)).toEqual({ from: '2026-02-01', to: '2026-02-28' });
  expect(shiftRange({ from: '2026-02-01', to: '2026-02-28' }, 1)).toEqual({ from: '2026-03-01', to: '2026-03-31' });
  expect(shiftRange({ from: '2026-01-01', to: '2026-03-31' }, -1)).toEqual({ from: '2025-10-01', to: '2025-12-31' });
  expect(shiftRange({ from: '2026-11-14', to: '2026-11-20' }, -1)).toEqual({ from: '2026-11-07', to: '2026-11-13' });
});

test('comparison periods', () => {
  const week = { from: '2026-11-14', to: '2026-11-20' };
  const nine = { from: '2026-11-12', to: '2026-11-20' };
  expect(compareRange(week, 'none', null)).toBeNull();
  expect(compareRange(week, 'previous', null)).toEqual({ from: '2026-11-07', to: '2026-11-13' });
  expect(compareRange(nine, 'previous', null)).toEqual({ from: '2026-11-03', to: '2026-11-11' });
  // Whole weeks back, so that a Thursday meets a Thursday.
  expect(compareRange(nine, 'weekday', null)).toEqual({ from: '2026-10-29', to: '2026-11-06' });
  expect(compareRange({ from: '2024-02-29', to: '2024-02-29' }, 'year', null)).toEqual({ from: '2023-02-28', to: '2023-02-28' });
  expect(compareRange(week, 'custom', { from: '2026-01-01', to: '2026-01-07' })).toEqual({ from: '2026-01-01', to: '2026-01-07' });
});

test('a range offers only readable steps, its default first', () => {
  const last = (days: number, to = today) => granularitiesFor({ from: addDays(to, 1 - days), to }, today);
  expect(last(1)).toEqual(['hour', 'minute']);
  expect(last(1, '2026-11-19')).toEqual(['hour']);
  expect(last(7)[0]).toBe('day');
  expect(last(31)).toContain('hour');
  expect(last(32)).not.toContain('hour');
  expect(last(366)[0]).toBe('week');
  expect(last(900)[0]).toBe('month');
});
