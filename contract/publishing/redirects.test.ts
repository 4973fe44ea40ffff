import { createRedirects } from './redirects';

const redirects = createRedirects([
  { from: '/old', to: '/new?x=1', status: 301 },
  { from: '/blog/*', to: '/news/:splat', status: 302 },
  { from: '/blog/2020/*', to: 'https://archive.example/:splat', status: 308 },
  { from: '/blog/first', to: '/erste seite', status: 301 },
  { from: '/shop/*', to: 'https://shop.example:splat', status: 301 },
  { from: '/*', to: '/:splat', status: 301 },
]);

test.each([
  ['/old', 'a=2', '/new?x=1'],
  ['/blog/first', '', '/erste%20seite'],
  ['/blog/茶/a', 'q=1', '/news/%E8%8C%B6/a?q=1'],
  ['/blog/2020/x', '', 'https://archive.example/x'],
  ['/shop/.evil.example', '', 'https://shop.example/.evil.example'],
  ['//evil.example', '', '/evil.example'],
  ['/\r\nset-cookie: a', '', '/%0D%0Aset-cookie:%20a'],
])('%s with the query %j leads to %s', (path, query, location) => {
  expect(redirects(path, query)?.location).toBe(location);
});

test('a look-up reads as few rules of 10 000 as of ten', () => {
  const readsWith = (count: number): number => {
    let reads = 0;
    const rules = Array.from({ length: count }, (_, at) => ({
      from: `/old/${String(at)}/*`,
      status: 301 as const,
      get to() {
        reads++;
        return `/new/${String(at)}/:splat`;
      },
    }));
    const find = createRedirects(rules);
    expect([find('/old/7/a/b/c', '')?.location, find('/new/7/a', '')]).toEqual(['/new/7/a/b/c', null]);
    return reads;
  };
  expect([readsWith(10), readsWith(10_000)]).toEqual([1, 1]);
});
