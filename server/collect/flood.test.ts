import { limits } from '../../contract/collect/schemas';
import { makeHit, midnight } from '../../test/oracle/traffic';
import { createFloodGuard } from './flood';

const hits = (count: number, more: Parameters<typeof makeHit>[0] = {}) => Array.from({ length: count }, (_, seq) => makeHit({ seq, at: midnight, ...more }));

it('sets aside the hits of a visitor beyond the daily limit', () => {
  const setAside = createFloodGuard();
  const sent = hits(limits.visitorHitsPerDay + 4);
  expect(setAside(sent)).toBe(3);
  expect(sent.filter((hit) => hit.set_aside === 1)).toEqual(sent.slice(-3));
});

it("marks the first hit over the limit as a bot's", () => {
  const sent = hits(limits.visitorHitsPerDay + 2);
  createFloodGuard()(sent);
  const signs = sent.slice(-3).map((hit) => [hit.set_aside, hit.bot_score, hit.bot_reasons]);
  expect(signs).toEqual([
    [0, 0, []],
    [0, 100, ['flood']],
    [1, 100, ['flood']],
  ]);
});

it('sets aside the bytes of a visitor beyond the daily limit', () => {
  const setAside = createFloodGuard();
  const sent = hits(2000, { props: 'x'.repeat(8000) });
  const acceptedCount = sent.length - setAside(sent);
  expect(acceptedCount * 16_000).toBeLessThan(limits.visitorBytesPerDay);
  expect(acceptedCount).toBeGreaterThan(500);
});

it('does not affect other visitors or the next day', () => {
  const setAside = createFloodGuard();
  setAside(hits(limits.visitorHitsPerDay + 1));
  expect(setAside(hits(10, { visitor_id: '00000000000000ff' }))).toBe(0);
  expect(setAside(hits(10, { at: midnight + 24 * 3600 * 1000 }))).toBe(0);
});
