import type { VisitRow } from '@contract/analytics/schemas';
import { noVisits, prependNewest, appendOlder } from './visitList';

const visit = (visitId: string, last: number, views = 1): VisitRow => ({
  visitId,
  visitor: visitId,
  start: 0,
  last,
  online: false,
  isNew: true,
  visitNo: 1,
  country: '',
  province: '',
  city: '',
  isp: '',
  address: '',
  sourceType: 'direct',
  sourceName: '',
  keyword: '',
  referrer: '',
  deviceType: 'desktop',
  os: '',
  browser: '',
  screen: '',
  language: '',
  entryPath: '/',
  exitPath: '/',
  views,
  events: 0,
  durationMs: 0,
  engagedMs: 0,
  verdict: 'human',
  botReasons: [],
  pages: [],
});
const ids = (list: { rows: readonly VisitRow[] }) => list.rows.map((row) => row.visitId).join('');
const page = (next: string | null, ...rows: VisitRow[]) => ({ rows, next });

test('new visits are marked on top, but not on first load', () => {
  const first = prependNewest(noVisits, page('n', visit('b', 2), visit('a', 1)));
  expect([...first.fresh]).toEqual([]);
  const second = prependNewest(first, page('n', visit('c', 3), visit('b', 2)));
  expect(ids(second)).toBe('cba');
  expect([...second.fresh]).toEqual(['c']);
});

test('a continued visit moves up once, with its latest figures', () => {
  const list = prependNewest(prependNewest(noVisits, page(null, visit('b', 2), visit('a', 1))), page(null, visit('a', 5, 7), visit('b', 2)));
  expect(ids(list)).toBe('ab');
  expect(list.rows[0]?.views).toBe(7);
  expect([...list.fresh]).toEqual([]);
});

test('older pages stay below when the newest page is fetched again', () => {
  const older = appendOlder(prependNewest(noVisits, page('n1', visit('d', 4), visit('c', 3))), page('n2', visit('b', 2), visit('a', 1)));
  const list = prependNewest(older, page('n9', visit('e', 5), visit('d', 4)));
  expect(ids(list)).toBe('edcba');
  expect(list.next).toBe('n2');
});

test('after a gap the list starts anew', () => {
  const list = prependNewest(prependNewest(noVisits, page(null, visit('a', 1))), page('n', visit('z', 9), visit('y', 8)));
  expect(ids(list)).toBe('zy');
  expect(list.next).toBe('n');
});
