import { addDays, addMonths, dayCount, isDay, todayIn } from './days';

test('only real calendar days are days', () => {
  expect(['2026-11-20', '2024-02-29'].every(isDay)).toBe(true);
  expect(['2026-02-30', '2026-13-01', '26-11-20', '2026-11-20T00:00', ''].some(isDay)).toBe(false);
});

test('days are counted across months, leap days and clock changes', () => {
  expect(addDays('2024-02-28', 2)).toBe('2024-03-01');
  expect(addDays('2026-01-01', -1)).toBe('2025-12-31');
  expect(dayCount({ from: '2026-03-01', to: '2026-03-31' })).toBe(31);
});

test('adding a month keeps the day or uses the last one', () => {
  expect(addMonths('2026-01-31', 1)).toBe('2026-02-28');
  expect(addMonths('2024-02-29', -12)).toBe('2023-02-28');
});

test("today is the date in the site's zone", () => {
  const late = Date.parse('2026-11-20T20:00:00Z');
  expect(todayIn('Asia/Shanghai', late)).toBe('2026-11-21');
  expect(todayIn('America/Los_Angeles', late)).toBe('2026-11-20');
  expect(todayIn('Nowhere/At_All', late)).toBe('2026-11-20');
});
