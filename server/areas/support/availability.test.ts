import { defaultSettings } from './settings';
import { availabilityOf } from './availability';

const zone = 'Asia/Shanghai';
const week = [1, 2, 3, 4, 5].map((day) => ({ day, open: '09:00', close: '18:00' }));
/** A moment of Shanghai's clock. 2026-11-27 is a Friday. */
const at = (text: string): number => Date.parse(`${text}:00+08:00`);
const clock = (ms: number | null) => ms && new Date(ms + 8 * 3_600_000).toISOString().slice(0, 16);
type Hours = Partial<ReturnType<typeof defaultSettings>['hours']>;

function availability(text: string, hours: Hours = {}, others: { needsAgent?: boolean; agentsOnline?: number; pausedUntil?: string } = {}) {
  const { needsAgent = false, agentsOnline = 0, pausedUntil } = others;
  const settings = { needsAgent, hours: { ...defaultSettings(zone).hours, always: false, week, ...hours } };
  const { open, reason, changesAt } = availabilityOf(settings, {
    now: at(text),
    agentsOnline,
    pausedUntil: pausedUntil === undefined ? null : new Date(at(pausedUntil)),
  });
  return [open, reason, clock(changesAt)];
}

test.each([
  ['2026-11-27T08:59', false, 'hours', '2026-11-27T09:00'],
  ['2026-11-27T09:00', true, null, '2026-11-27T18:00'],
  ['2026-11-27T18:00', false, 'hours', '2026-11-30T09:00'],
])('hours apply in the time zone of the site: %s', (text, ...expected) => {
  expect(availability(text)).toEqual(expected);
});

test('overnight hours are two rows that are open as one', () => {
  const night = [
    { day: 5, open: '22:00', close: '24:00' },
    { day: 6, open: '00:00', close: '06:00' },
  ];
  expect(availability('2026-11-27T23:30', { week: night })).toEqual([true, null, '2026-11-28T06:00']);
  expect(availability('2026-11-28T05:59', { week: night })).toEqual([true, null, '2026-11-28T06:00']);
  expect(availability('2026-11-28T06:00', { week: night })).toEqual([false, 'hours', '2026-12-04T22:00']);
});

test('holidays close the day, even where it is always open', () => {
  const holidays = ['2026-11-27', '2026-11-28'].map((date) => ({ date, label: '' }));
  expect(availability('2026-11-27T10:00', { holidays })).toEqual([false, 'holiday', '2026-11-30T09:00']);
  expect(availability('2026-11-27T10:00', { always: true, holidays })).toEqual([false, 'holiday', '2026-11-29T00:00']);
  expect(availability('2026-11-29T10:00', { always: true, holidays })).toEqual([true, null, null]);
});

test('hours follow a change to summer time', () => {
  const hours = { ...defaultSettings('Europe/Berlin').hours, always: false, week: [{ day: 7, open: '02:30', close: '04:00' }] };
  const open = (text: string) => availabilityOf({ hours, needsAgent: false }, { now: Date.parse(text), agentsOnline: 0, pausedUntil: null }).open;
  expect(['2026-03-29T00:59:00Z', '2026-03-29T01:30:00Z', '2026-03-29T01:59:00Z', '2026-03-29T02:00:00Z'].map(open)).toEqual([false, true, true, false]);
});

test('a pause and missing agents close it within the hours', () => {
  expect(availability('2026-11-27T10:00', {}, { pausedUntil: '2026-11-27T11:00' })).toEqual([false, 'paused', '2026-11-27T11:00']);
  expect(availability('2026-11-27T11:00', {}, { pausedUntil: '2026-11-27T11:00' })[0]).toBe(true);
  expect(availability('2026-11-27T10:00', {}, { needsAgent: true })).toEqual([false, 'agents', null]);
  expect(availability('2026-11-27T10:00', {}, { needsAgent: true, agentsOnline: 1 })[0]).toBe(true);
});
