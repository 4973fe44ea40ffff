import { decide, warningStep } from './state';
import type { MonitorState } from './state';

const at = (seconds: number): Date => new Date(Date.UTC(2026, 10, 20) + seconds * 1000);
const unknown: MonitorState = { state: 'unknown', since: null, failingSince: null };
const up: MonitorState = { state: 'up', since: at(0), failingSince: null };
const ok = { failure: null };
const failed = { failure: 'timeout' } as const;

describe('what a check means', () => {
  test('a first success brings the site up without a message', () => {
    expect(decide(unknown, ok, at(5))).toEqual({ next: { state: 'up', since: at(5), failingSince: null }, change: { kind: 'none' }, confirm: false });
  });

  test.each([
    ['an unknown site', unknown],
    ['a site that is up', up],
  ])('%s is down only after a second failure, since the first one', (_name, before) => {
    const first = decide(before, failed, at(60));
    expect(first).toEqual({ next: { ...before, failingSince: at(60) }, change: { kind: 'none' }, confirm: true });
    expect(decide(first.next, failed, at(84))).toEqual({
      next: { state: 'down', since: at(60), failingSince: null },
      change: { kind: 'down', startedAt: at(60), reason: 'timeout' },
      confirm: false,
    });
  });

  test('a success between two failures resets the count', () => {
    const { next } = decide(decide(up, failed, at(60)).next, ok, at(84));
    expect(next).toEqual(up);
    expect(decide(next, failed, at(120)).confirm).toBe(true);
  });

  test('a failure before a long pause is not confirmed by one after', () => {
    const { next } = decide(up, failed, at(60));
    expect(decide(next, failed, at(3600))).toEqual({ next: { ...up, failingSince: at(3600) }, change: { kind: 'none' }, confirm: true });
  });

  test('a site that is down stays silent until its first success', () => {
    const down: MonitorState = { state: 'down', since: at(0), failingSince: null };
    expect(decide(down, failed, at(60))).toEqual({ next: down, change: { kind: 'none' }, confirm: false });
    expect(decide(down, ok, at(120))).toEqual({
      next: { state: 'up', since: at(120), failingSince: null },
      change: { kind: 'recovered' },
      confirm: false,
    });
  });

  test('a refused address leaves the state unknown', () => {
    expect(decide(up, { failure: 'private_address' }, at(60))).toEqual({ next: unknown, change: { kind: 'none' }, confirm: false });
  });
});

describe('the warning level of a certificate', () => {
  const day = 86_400;
  test.each([
    [22 * day, null],
    [21 * day, 21],
    [7 * day + 1, 21],
    [7 * day, 7],
    [day, 1],
    [1, 1],
    [0, null],
    [-day, null],
  ])('with %d seconds left is %p', (left, step) => {
    expect(warningStep(at(left), at(0))).toBe(step);
  });
});
