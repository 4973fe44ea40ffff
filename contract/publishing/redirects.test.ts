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
