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

/** A visitor with unwritten data whose row was written at `writtenAt` (0: never), with the given memory size in bytes. */
function waitingEntry(writtenAt: number, bytes = 2048, draft: Partial<VisitDraft> = {}): VisitorEntry {
  const own = { ...openDraft(hit as HitRow, 1, 0), ...draft };
  return { ...newEntry(newVisitor('', '')), draft: own, unwritten: { since: 1, drafts: new Set([own]), gone: [], urgent: false }, writtenAt, bytes };
}
const many = (count: number, writtenAt: number, bytes: number): VisitorEntry[] => Array.from({ length: count }, () => waitingEntry(writtenAt, bytes));

test('a small row is rewritten at once under low load', () => {
  const entry = waitingEntry(10 * second);
  expect(createWritePace().choose([entry], 10 * second + 1, noLimit)).toEqual([entry]);
});

test('a large row waits up to a minute, depending on size', () => {
  const entry = waitingEntry(100 * second, 20 * 1024, { hitBytes: 12 * 1024 });
  const chosenAfter = (ms: number): number => createWritePace().choose([entry], 100 * second + ms, noLimit).length;
  expect([chosenAfter(8 * second), chosenAfter(12 * second)]).toEqual([0, 1]);
  const largest = waitingEntry(100 * second, mega, { hitBytes: mega });
  expect([59, 60].map((wait) => createWritePace().choose([largest], (100 + wait) * second, noLimit).length)).toEqual([0, 1]);
});

test('rewritten rows share six megabytes per second in waiting order', () => {
  const entries = many(100, 99 * second, mega);
  const pace = createWritePace();
  expect(pace.choose(entries, 100 * second, noLimit)).toEqual(entries.slice(0, 6));
  expect(pace.choose(entries.slice(6), 100 * second + 500, noLimit)).toEqual(entries.slice(6, 9));
});

test('new visits are written regardless of the limit on rewrites', () => {
  const old = many(100, 99 * second, mega);
  const fresh = many(100, 0, mega);
  const chosen = createWritePace().choose([...old, ...fresh], 100 * second, noLimit);
  expect(chosen.filter(({ writtenAt }) => writtenAt === 0)).toEqual(fresh);
});

test('more is written when waiting rows use too much memory', () => {
  const entries = many(100, 99 * second, mega);
  expect(createWritePace().choose(entries, 100 * second, 40 * mega)).toEqual(entries.slice(0, 60));
});

test('required writes count towards the memory to free', () => {
  const entries = [...many(10, 99 * second, mega), ...many(100, 0, mega)];
  const chosen = createWritePace().choose(entries, 100 * second, 10 * mega);
  expect(chosen.filter(({ writtenAt }) => writtenAt > 0)).toHaveLength(6);
});

test('a long overload has no effect after two seconds', () => {
  const pace = createWritePace();
  for (let n = 0; n < 100; n += 1) pace.choose(many(20, second, mega), (100 + n) * second, noLimit);
  const entries = many(1, 201 * second, 2048);
  expect(pace.choose(entries, 202 * second, noLimit)).toEqual(entries);
});
