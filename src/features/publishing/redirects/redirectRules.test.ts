import { putRedirects, readRedirects, warningsOf } from './redirectRules';
import type { Redirect } from './redirectRules';

const redirect = (from: string, to: string, status: Redirect['status'] = 301): Redirect => ({ from, to, status });

test('chains and loops are found', () => {
  const warnings = warningsOf([
    redirect('/a', '/b?x=1'),
    redirect('/b', '/c'),
    redirect('/l', '/m'),
    redirect('/m', '/l#top'),
    redirect('/self', '/self'),
    redirect('/out', 'https://example.com/a'),
    redirect('/to-loop', '/l'),
  ]);
  expect([...warnings]).toEqual([
    [0, 'chain'],
    [2, 'loop'],
    [3, 'loop'],
    [4, 'loop'],
    [6, 'loop'],
  ]);
});

test('the rest of a path is followed', () => {
  expect([...warningsOf([redirect('/old/*', '/new/:splat'), redirect('/new/*', '/old/:splat')])]).toEqual([
    [0, 'loop'],
    [1, 'loop'],
  ]);
  expect([...warningsOf([redirect('/old/*', '/old/all')])]).toEqual([[0, 'loop']]);
  // The exact path wins over the rest.
  expect([...warningsOf([redirect('/old/*', '/old/x'), redirect('/old/x', '/new')])]).toEqual([[0, 'chain']]);
});

test('an address that is gone ends a chain', () => {
  expect([...warningsOf([redirect('/a', '/b'), redirect('/b', '', 410)])]).toEqual([]);
});

test('lines are read as people write them', () => {
  const { redirects, errors } = readRedirects(
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
  expect(errors.map(({ line }) => line)).toEqual([8, 9, 10]);
});

test('a path has one redirect', () => {
  expect(putRedirects([redirect('/a', '/b'), redirect('/c', '/d')], [redirect('/a', '/e')])).toEqual([redirect('/a', '/e'), redirect('/c', '/d')]);
});
