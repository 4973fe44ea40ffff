import fc from 'fast-check';
import { caseCounts } from '../../test/support/caseCounts';
import { compileRedirectPattern, isPatternTarget, redirectPatternLimits } from './redirectPattern';
import { createRedirects } from './redirects';

const groupsOf = (source: string, path: string): readonly (string | undefined)[] | null =>
  compileRedirectPattern(source)?.match(path, { left: redirectPatternLimits.steps }) ?? null;

const unit = fc.tuple(
  fc.constantFrom('a', 'b', '[ab]', '.', '/', '(?:ab|a)', '(?:a|ab)'),
  fc.constantFrom('', '', '*', '+', '?', '*?', '+?', '??', '{1,2}', '{1,2}?'),
);
const part = fc.tuple(fc.array(unit, { minLength: 1, maxLength: 3 }), fc.boolean()).map(([units, isGroup]) => {
  const text = units.map((one) => one.join('')).join('');
  return isGroup ? `(${text})` : text;
});

test('groups have the same texts as in JavaScript', () => {
  const cases = caseCounts();
  fc.assert(
    fc.property(fc.array(part, { minLength: 1, maxLength: 4 }), fc.array(fc.constantFrom('a', 'b', '/', '茶'), { maxLength: 7 }), (parts, letters) => {
      const [source, path] = [`/${parts.join('')}`, `/${letters.join('')}`];
      const expected = new RegExp(`^(?:${source})$`, 'u').exec(path);
      if (expected) cases.count();
      expect([source, path, groupsOf(source, path)]).toEqual([source, path, expected && [...expected]]);
    }),
    { numRuns: 1500 },
  );
  cases.expectAtLeast(50);
});

test.each(['(?=a)', '/(a)\\1', '', '/(', `/${'a'.repeat(300)}`, '/a{301}', '/(?:(?:){9999}){9999}'])('%s is no pattern', (source) => {
  expect(compileRedirectPattern(source)).toBeNull();
});

test.each([
  ['^/blog/(\\d{4})/([a-z-]+)$', '/blog/1111/a'],
  ['.*\\.php', '/a.php'],
  ['/(?:old|former)/?', '/old/'],
  ['old', null],
])('%s matches the example %j', (source, example) => {
  expect(compileRedirectPattern(source)?.example() ?? null).toBe(example);
});

test.each([
  ['/new/$1', 1, true],
  ['https://shop.example/$1?b=$2', 2, true],
  ['/new/$2', 1, false],
  ['https://$1.example/', 1, false],
  ['https://shop.example$1', 1, false],
  ['$1', 1, false],
])('the target %s of %d groups: %s', (to, groups, valid) => {
  expect(isPatternTarget(to, groups)).toBe(valid);
});

const redirects = createRedirects([
  { from: '~ /blog/(\\d{4})/(\\d\\d)/(.+)', to: '/news/$3?on=$1-$2', status: 301 },
  { from: '~^/(?:blog|diary)/(.*)$', to: '/news/$1', status: 302 },
  { from: '~/(.*)/茶', to: 'https://tea.example/$1#$1', status: 308 },
  { from: '~/ended/.*', to: '/late', status: 301, expiresOn: '2026-01-31' },
  { from: '~/away(.*)', to: '/$1', status: 301 },
  { from: '~/gone/.*\\.php', to: '', status: 410 },
  { from: '~/bad/(', to: '/never', status: 301 },
  { from: '~/host/(.*)', to: 'https://$1', status: 301 },
  { from: '/blog/exact', to: '/exact', status: 301 },
  { from: '/diary/kept/*', to: '/kept/:splat', status: 301 },
]);

test.each([
  ['/blog/2020/05/spring', '', '301 /news/spring?on=2020-05'],
  ['/blog/2020/spring', 'q=1', '302 /news/2020/spring?q=1'],
  ['/blog/exact', '', '301 /exact'],
  ['/diary/kept/a', '', '301 /kept/a'],
  ['/BLOG/a', '', null],
  ['/旧/茶', '', '308 https://tea.example/%E6%97%A7#%E6%97%A7'],
  ['/ended/x', '', null],
  ['/away//evil.example', '', '301 /evil.example'],
  ['/away/\r\nset-cookie: a', '', null],
  ['/gone/a.php', '', '410 '],
  ['/bad/(', '', null],
  ['/host/evil.example', '', null],
  [`/blog/${'a'.repeat(500)}`, '', null],
])('%j with the query %j leads to %j', (path, query, expected) => {
  // A path that no pattern matched is remembered, which changes nothing.
  for (let time = 0; time < 2; time += 1) {
    const found = redirects(path, query, () => '2026-11-27');
    expect(found && `${String(found.status)} ${found.location}`).toBe(expected);
  }
});

test('all patterns of a request share its steps, whatever they are', () => {
  const pattern = compileRedirectPattern('/(?:(?:a?){30}){4}(a*)*[c]');
  const budget = { left: redirectPatternLimits.steps };
  for (let time = 0; time < redirectPatternLimits.patterns; time += 1) expect(pattern?.match(`/${'a'.repeat(400)}`, budget)).toBeNull();
  // The last step may add everything that it reaches.
  expect(budget.left).toBeGreaterThan(-redirectPatternLimits.instructions * 2);
});
