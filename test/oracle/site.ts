import { makeHits } from './reportFixture';

/** The site of every comparison: its hits, and the time zones of its reports. */
export { makeHits } from './reportFixture';
export const zones = ['Asia/Shanghai', 'America/New_York', 'Asia/Kathmandu'] as const;
export const from = Date.parse('2026-10-20T00:00:00Z');
export const to = Date.parse('2026-11-12T00:00:00Z');
/** Midnights of the zones around the requested ranges, and New York's clock change on 1 November at 06:00 UTC. */
export const edges = [
  '2026-10-28T16:00:00Z',
  '2026-10-29T04:00:00Z',
  '2026-10-28T18:15:00Z',
  '2026-11-01T05:00:00Z',
  '2026-11-01T06:00:00Z',
  '2026-11-01T07:00:00Z',
  '2026-11-03T05:00:00Z',
  '2026-11-04T16:00:00Z',
  '2026-11-05T05:00:00Z',
  '2026-11-04T18:15:00Z',
].map((t) => Date.parse(t));
export const hits = makeHits(20261120, 230, from, to, edges);
