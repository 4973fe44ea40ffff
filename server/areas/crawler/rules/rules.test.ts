import { ruleGroups, ruleIds, ruleOf } from '../../../../contract/crawler/rules';
import { fingerprintOf } from './issues';
import { pageRuleIds } from './run';
import { siteRuleIds } from './site';
import { llmsProblem } from './site/hosts';
import { followRedirects } from './site/redirects';
import { hamming, nearPairs, simhashOf } from './site/simhash';
import { scoreOf } from './weights';

test('every rule is evaluated for pages or for the site', () => {
  expect(ruleIds.filter((id) => !pageRuleIds.includes(id) && !siteRuleIds.includes(id))).toEqual([]);
  expect(ruleGroups.filter((group) => !ruleIds.some((id) => ruleOf(id).group === group))).toEqual([]);
});

test('redirects are followed to their end, and no further than ten times', () => {
  const chain = new Map(Array.from({ length: 30 }, (_, at) => [at, at + 1]));
  expect(
    followRedirects(
      new Map([
        [1, 2],
        [2, 3],
      ]),
      1,
    ),
  ).toEqual({ hops: 2, end: 3 });
  expect(
    followRedirects(
      new Map([
        [1, 2],
        [2, 1],
      ]),
      1,
    ).end,
  ).toBeNull();
  expect(followRedirects(chain, 0).end).toBeNull();
  expect(followRedirects(chain, 20)).toEqual({ hops: 10, end: 30 });
});

test('texts are near each other by the bits in which their hashes differ', async () => {
  const hashes = [0n, 0b111n, 0b1111n << 40n, -1n].map(simhashOf);
  expect(hashes.map((one) => hamming(hashes[0] ?? one, one))).toEqual([0, 3, 4, 64]);
  expect([...(await nearPairs(hashes, 3))]).toEqual([
    [0, { count: 1, other: 1 }],
    [1, { count: 1, other: 0 }],
  ]);
  // Against a comparison of all with all.
  const many = Array.from({ length: 300 }, (_, at) => simhashOf(BigInt(at % 7) << BigInt((at * 5) % 61)));
  const expected = many.flatMap((one, at) => (many.some((other, to) => to !== at && hamming(one, other) <= 2) ? [at] : []));
  expect([...(await nearPairs(many, 2)).keys()].sort((one, other) => one - other)).toEqual(expected);
});

test('the score falls with the share of pages that have an issue', () => {
  expect(scoreOf([], 0)).toBe(100);
  expect(scoreOf([{ severity: 'error', pages: 50, isSiteWide: false }], 100)).toBe(95);
  expect(scoreOf([{ severity: 'warning', pages: 500, isSiteWide: false }], 100)).toBe(97);
  expect(scoreOf([{ severity: 'notice', pages: 0, isSiteWide: true }], 100)).toBe(99.5);
  expect(
    scoreOf(
      Array.from({ length: 20 }, () => ({ severity: 'error', pages: 9, isSiteWide: false }) as const),
      9,
    ),
  ).toBe(0);
});

test('a hundred thousand texts that are nearly the same are compared within bounds', async () => {
  const alike = await nearPairs(
    Array.from({ length: 100_000 }, () => simhashOf(5n)),
    3,
  );
  expect([alike.size, alike.get(50_000)?.count]).toEqual([100_000, 398]);
}, 30_000);

test('an issue is identified by rule, address and subject', () => {
  const one = { rule: 'title_missing', urlId: 1, subject: '' } as const;
  const all = [one, { ...one, urlId: 2 }, { ...one, urlId: null }, { ...one, subject: 'a' }, { ...one, rule: 'url_case' as const }].map(fingerprintOf);
  expect(new Set(all).size).toBe(5);
  expect(all[0]).toMatch(/^[0-9a-f]{32}$/);
});

test('llms.txt is Markdown with a heading and links', () => {
  const problem = (body: string, mime = 'text/plain') => llmsProblem({ mime, body });
  expect([
    problem('# Tea\n- [Kinds](https://a.example/b)'),
    problem('# Tea'),
    problem('Tea'),
    problem('<!doctype html>'),
    problem('# Tea', 'text/html'),
  ]).toEqual([null, 'links', 'heading', 'html', 'html']);
});
