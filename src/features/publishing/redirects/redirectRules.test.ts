import { movePattern, putRedirects, readRedirects, problemsOf, replaceRedirect, siteOf, withoutLoops } from './redirectRules';
import type { Redirect } from './redirectRules';

const redirect = (from: string, to: string, status: Redirect['status'] = 301): Redirect => ({ from, to, status, origin: 'person', note: '', expiresOn: null });

test('problems are found by position, also by way of a hostname', () => {
  const site = siteOf({
    primary: 'www.example.com',
    hosts: [
      { host: 'www.example.com', redirectsTo: null, keepPath: true },
      { host: 'example.com', redirectsTo: 'www.example.com', keepPath: true },
    ],
  });
  const rules = [redirect('/a', '/b?x=1'), redirect('/b', '/c'), redirect('/l', 'https://example.com/m'), redirect('/m', '/l')];
  expect([...problemsOf(rules, site)].map(([at, { code }]) => [at, code])).toEqual([
    [0, 'chain'],
    [2, 'loop'],
    [3, 'loop'],
  ]);
  expect([...problemsOf(rules).values()].map(({ index, code }) => [index, code])).toEqual([
    [0, 'chain'],
    [3, 'chain'],
  ]);
});

test('lines are read as people write them', () => {
  const { redirects, skipped } = readRedirects(
    [
      '# moved',
      '/a /b',
      '/c,/d,302',
      'https://old.example/e\thttps://new.example/f',
      '/g -> /h',
      '~ /y/(\\d{1,4}) -> /z/$1 308',
      '/gone 410',
      '',
      '关于 /about',
      '/x',
      '/y //evil.example',
    ].join('\n'),
  );
  expect(redirects).toEqual([
    redirect('/a', '/b'),
    redirect('/c', '/d', 302),
    redirect('/e', 'https://new.example/f'),
    redirect('/g', '/h'),
    redirect('~/y/(\\d{1,4})', '/z/$1', 308),
    redirect('/gone', '', 410),
  ]);
  expect(skipped.map(({ line }) => line)).toEqual([9, 10, 11]);
});

test('a path has one redirect', () => {
  expect(putRedirects([redirect('/a', '/b'), redirect('/c', '/d')], [redirect('/a', '/e')])).toEqual([redirect('/a', '/e'), redirect('/c', '/d')]);
});

test('patterns move among themselves and are replaced in their places', () => {
  const rules = [redirect('~/a', '/1'), redirect('/b', '/2'), redirect('~/c', '/3')];
  expect(movePattern(rules, 2, -1).map(({ from }) => from)).toEqual(['~/c', '/b', '~/a']);
  expect(movePattern(rules, 0, -1)).toBe(rules);
  expect(replaceRedirect(rules, 0, redirect('/b', '/4'))).toEqual([redirect('/b', '/4'), rules[2]]);
});

test('rules that go round are left out of an import, and the others stay', () => {
  const { redirects } = readRedirects('/a /b\n/b /a\n/c /d\n/x /y');
  const present = [...readRedirects('/y /x').redirects];
  const { fitting, loops } = withoutLoops(present, redirects);
  expect([fitting.map(({ from }) => from), loops]).toEqual([['/c'], ['/a', '/b', '/x']]);
});
