import { MINUTE } from '../../../zone';
import { addressOf } from './ledger';
import type { PushEngineRow } from './queries';
import { afterCall, nextCall } from './sender';

const now = Date.parse('2026-11-26T10:00:00Z');
const row = (change: Partial<PushEngineRow> = {}): PushEngineRow => ({
  siteId: 'abc',
  engine: 'baidu',
  problem: null,
  stopped: false,
  pausedUntil: null,
  failures: 0,
  remaining: null,
  remainingOn: null,
  batch: null,
  leaseId: null,
  leaseUntil: null,
  ...change,
});
const outcome = { status: 200, refused: new Map(), failure: null, retryAfter: null, remaining: null };

test('failed calls are repeated after growing intervals of at most a day', () => {
  const minutes = Array.from({ length: 10 }, (_, at) => (nextCall(at + 1, now, null, 0).getTime() - now) / MINUTE);
  expect(minutes).toEqual([1, 5, 15, 60, 180, 360, 720, 1440, 1440, 1440]);
  expect(nextCall(1, now, 10 * MINUTE, 0).getTime()).toBe(now + 10 * MINUTE);
});

test('half of a call that exceeds the quota is tried next', () => {
  const quota = { ...outcome, status: 400, failure: 'quota' } as const;
  expect(afterCall(row(), quota, 9, now)).toMatchObject({ batch: 4, pausedUntil: null, problem: null });
  // The day of Baidu ends at 16:00 UTC.
  expect(afterCall(row({ batch: 1 }), quota, 1, now)).toMatchObject({ problem: 'quota', remaining: 0, pausedUntil: new Date('2026-11-26T16:00:00Z') });
});

test('an engine that has no quota left waits for its next day', () => {
  expect(afterCall(row(), { ...outcome, remaining: 0 }, 5, now)).toMatchObject({ problem: 'quota', pausedUntil: new Date('2026-11-26T16:00:00Z') });
  expect(afterCall(row({ problem: 'too_often', failures: 3 }), { ...outcome, remaining: 7 }, 5, now)).toMatchObject({
    problem: null,
    failures: 0,
    remaining: 7,
  });
});

test('a refused key stops the engine', () => {
  const change = afterCall(row(), { ...outcome, status: 403, failure: 'key_refused' }, 5, now);
  expect(change).toMatchObject({ stopped: true, problem: 'key_refused', pausedUntil: null });
});

test('only addresses of the site are pushed', () => {
  const hosts = new Set(['tea.example', 'www.tea.example']);
  const read = (text: string) => addressOf(text, 'https://tea.example', hosts);
  expect(read('/a b?x=1#top')).toBe('https://tea.example/a%20b?x=1');
  expect(read('https://www.tea.example/a')).toBe('https://www.tea.example/a');
  for (const text of ['https://elsewhere.example/', '//elsewhere.example/', 'javascript:alert(1)', 'https://a:b@tea.example/', 'https://'])
    expect(read(text)).toBeNull();
});
