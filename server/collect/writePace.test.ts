import { newEntry } from './visitorCache';
import type { VisitorEntry } from './visitorCache';
import { openDraft } from './visitDraft';
import type { VisitDraft } from './visitDraft';
import { newVisitor } from './visitor';
import { createWritePace } from './writePace';
import { decodeHits, encodeHits, hitColumns } from './row';
import type { HitRow } from './row';

const second = 1000;
const mega = 1024 * 1024;
const noLimit = Number.POSITIVE_INFINITY;
const [hit] = decodeHits(encodeHits([Object.fromEntries(hitColumns.map((column) => [column, column === 'bot_reasons' ? [] : ''])) as unknown as HitRow]));

/** A visitor with something unwritten whose row was written at `writtenAt` (0: never), and that takes so many bytes in memory. */
function waitingEntry(writtenAt: number, bytes = 2048, draft: Partial<VisitDraft> = {}): VisitorEntry {
  const own = { ...openDraft(hit as HitRow, 1, 0), ...draft };
  return { ...newEntry(newVisitor('', '')), draft: own, unwritten: { since: 1, drafts: new Set([own]), gone: [], urgent: false }, writtenAt, bytes };
}
const many = (count: number, writtenAt: number, bytes: number): VisitorEntry[] => Array.from({ length: count }, () => waitingEntry(writtenAt, bytes));

test('a small row is written again at once while there is little to write', () => {
  const entry = waitingEntry(10 * second);
  expect(createWritePace().choose([entry], 10 * second + 1, noLimit)).toEqual([entry]);
});

test('a large row waits a second per kilobyte above four, at most a minute', () => {
  const entry = waitingEntry(100 * second, 20 * 1024, { hitBytes: 12 * 1024 });
  const chosenAfter = (ms: number): number => createWritePace().choose([entry], 100 * second + ms, noLimit).length;
  expect([chosenAfter(8 * second), chosenAfter(12 * second)]).toEqual([0, 1]);
  const largest = waitingEntry(100 * second, mega, { hitBytes: mega });
  expect([59, 60].map((wait) => createWritePace().choose([largest], (100 + wait) * second, noLimit).length)).toEqual([0, 1]);
});

test('rows written before share six megabytes a second, the first to wait first', () => {
  const entries = many(100, 99 * second, mega);
  const pace = createWritePace();
  expect(pace.choose(entries, 100 * second, noLimit)).toEqual(entries.slice(0, 6));
  expect(pace.choose(entries.slice(6), 100 * second + 500, noLimit)).toEqual(entries.slice(6, 9));
});

test('new visits do not wait for the share of others', () => {
  const old = many(100, 99 * second, mega);
  const fresh = many(100, 0, mega);
  const chosen = createWritePace().choose([...old, ...fresh], 100 * second, noLimit);
  expect(chosen.filter(({ writtenAt }) => writtenAt === 0)).toEqual(fresh);
});

test('more is written where what waits takes too much memory', () => {
  const entries = many(100, 99 * second, mega);
  expect(createWritePace().choose(entries, 100 * second, 40 * mega)).toEqual(entries.slice(0, 60));
});

test('what must be written first counts towards the memory that has to be freed', () => {
  const entries = [...many(10, 99 * second, mega), ...many(100, 0, mega)];
  const chosen = createWritePace().choose(entries, 100 * second, 10 * mega);
  expect(chosen.filter(({ writtenAt }) => writtenAt > 0)).toHaveLength(6);
});

test('a long overload is forgotten within two seconds', () => {
  const pace = createWritePace();
  for (let n = 0; n < 100; n += 1) pace.choose(many(20, second, mega), (100 + n) * second, noLimit);
  const entries = many(1, 201 * second, 2048);
  expect(pace.choose(entries, 202 * second, noLimit)).toEqual(entries);
});
