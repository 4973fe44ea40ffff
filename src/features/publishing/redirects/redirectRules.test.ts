import { putRedirects, readRedirects, problemsOf, siteOf } from './redirectRules';
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
    redirect('/gone', '', 410),
  ]);
  expect(skipped.map(({ line }) => line)).toEqual([8, 9, 10]);
});

test('a path has one redirect', () => {
  expect(putRedirects([redirect('/a', '/b'), redirect('/c', '/d')], [redirect('/a', '/e')])).toEqual([redirect('/a', '/e'), redirect('/c', '/d')]);
});
