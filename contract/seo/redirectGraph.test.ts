import fc from 'fast-check';
import { caseCounts } from '../../test/support/caseCounts';
import { createRedirects } from '../publishing/redirects';
import { followRedirects, mostHops, redirectProblems, withoutChains } from './redirectGraph';

const site = {
  primary: 'www.example.com',
  hosts: new Map([
    ['www.example.com', { redirectsTo: null, keepPath: true }],
    ['example.com', { redirectsTo: 'www.example.com', keepPath: true }],
    ['old.example.com', { redirectsTo: 'www.example.com', keepPath: false }],
  ]),
};
const rule = (from: string, to: string, status: 301 | 302 | 410 = 301) => ({ from, to, status });
const follow = (rules: readonly ReturnType<typeof rule>[], address: string) => {
  const { hops, end } = followRedirects(createRedirects(rules), site, address);
  return [...hops.map(({ location }) => location), end].join(' ');
};

test.each([
  [[rule('/a', '/b')], '/a', '/b page'],
  [[rule('/a', '/b')], '/c', 'page'],
  [[rule('/a', '/b'), rule('/b', '/c')], '/a', '/b /c page'],
  [[rule('/a', 'https://elsewhere.example/x')], '/a', 'https://elsewhere.example/x elsewhere'],
  [[rule('/a', '', 410)], '/a', ' gone'],
  [[rule('/a', '/a')], '/a', '/a loop'],
  [[rule('/a', '/b'), rule('/b', '/a')], '/a', '/b /a loop'],
  [[rule('/a', '/b'), rule('/b', 'https://example.com/c'), rule('/c', '/a')], '/a', '/b https://example.com/c https://www.example.com/c /a loop'],
  [[rule('/a', 'https://old.example.com/b'), rule('/', '/a')], '/a', 'https://old.example.com/b https://www.example.com/ /a loop'],
  [[rule('/old/*', '/new/:splat'), rule('/new/*', '/old/:splat')], '/old/x', '/new/x /old/x loop'],
  [[rule('/blog/*', '/news/:splat'), rule('/news/茶', '/tea')], '/blog/%E8%8C%B6', '/news/%E8%8C%B6 /tea page'],
  [[rule('/a', '/b?x=1'), rule('/b', '/c')], '/a', '/b?x=1 /c?x=1 page'],
  [[rule('/a', 'mailto:x@example.com')], '/a', 'mailto:x@example.com elsewhere'],
  [[rule('/x/*', '/:splat')], '/x/x/y', '/x/y /y page'],
  [[rule('/a', '/b')], 'https://example.com/a', 'https://www.example.com/a /b page'],
  [[rule('/a', '/b')], 'https://elsewhere.example/a', 'elsewhere'],
  [[rule('/a', '/b')], '/%E8%8C', 'page'],
] as const)('%j: %s', (rules, address, trail) => {
  expect(follow(rules, address)).toBe(trail);
});

test('a rule that lengthens its own addresses is endless', () => {
  const { hops, end } = followRedirects(createRedirects([rule('/a/*', '/a/b/:splat')]), site, '/a/x');
  expect(end).toBe('endless');
  expect(hops).toHaveLength(mostHops);
});

test('every rule of a loop is reported, and chains with their target', () => {
  const rules = [
    rule('/a', '/b'),
    rule('/b', '/c'),
    rule('/c', '/a'),
    rule('/x/*', '/y/:splat'),
    rule('/y/*', '/z/:splat?s=:splat'),
    rule('/p', '/q'),
    rule('/g', '/h'),
    rule('/h', '', 410),
  ];
  expect(redirectProblems(rules, site).map(({ index, code, target }) => [index, code, target])).toEqual([
    [0, 'loop', null],
    [1, 'loop', null],
    [2, 'loop', null],
    [3, 'chain', '/z/:splat?s=:splat'],
  ]);
});

test('of two rules with the same beginning the first is a duplicate', () => {
  expect(redirectProblems([rule('/a', '/b'), rule('/a', '/c')], site)).toEqual([{ index: 0, code: 'duplicate', locations: [], target: null }]);
});

test('a pattern is followed by an example, and its chains stay as they are', () => {
  const rules = [
    rule('~/a/(\\d+)', '/b/$1'),
    rule('~/b/(.*)', '/a/$1'),
    rule('~/c/(.*)', '/c/d/$1'),
    rule('~/e/(\\w+)', '/f/$1'),
    rule('~/f/(.*)', '/g'),
    rule('/h', '/f/1'),
    rule('/i/*', '/f/:splat'),
    rule('~/i/.*', '/j'),
    rule('~/h/', ''),
  ];
  const found = redirectProblems(rules, site);
  expect(found.map(({ index, code, target }) => `${String(index)} ${code} ${target ?? ''}`.trim())).toEqual([
    '0 loop',
    '2 endless',
    '3 chain',
    '5 chain /g',
    '6 chain',
    '7 covered',
  ]);
  expect(withoutChains(rules, site).map(({ to }) => to)).toEqual(rules.map(({ to }, at) => (at === 5 ? '/g' : to)));
});

test('chains are replaced by one hop', () => {
  expect(withoutChains([rule('/a', '/b'), rule('/b', '/c'), rule('/x/*', '/a')], site).map(({ to }) => to)).toEqual(['/c', '/c', '/c']);
});

const step = fc.constantFrom('/a', '/b', '/c', '/d', '/e');

test('without chains every address ends where it ended before', () => {
  const cases = caseCounts();
  fc.assert(
    fc.property(
      fc.uniqueArray(fc.record({ from: step, to: step, status: fc.constant(301 as const) }), { selector: ({ from }) => from }),
      step,
      (rules, start) => {
        const before = followRedirects(createRedirects(rules), site, start);
        if (before.end !== 'page') return;
        cases.count();
        const after = followRedirects(createRedirects(withoutChains(rules, site)), site, start);
        expect(after.end).toBe('page');
        expect(after.hops.length).toBe(Math.min(1, before.hops.length));
        expect(after.hops.at(-1)?.location).toBe(before.hops.at(-1)?.location);
      },
    ),
  );
  cases.expectAtLeast(20);
});

test('10 000 rules with splats are checked without comparing each with each', () => {
  const rules = Array.from({ length: 10_000 }, (_, at) => rule(`/old/${String(at)}/*`, `/new/${String(at)}/:splat`));
  expect(redirectProblems([...rules, rule('/new/9999/*', '/old/0/:splat')], site).map(({ index, code }) => [index, code])).toEqual([
    [9999, 'chain'],
    [10_000, 'chain'],
  ]);
});
