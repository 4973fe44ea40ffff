import { RoutesPart } from '../../contract/publishing/parts';
import { createRouter, decodedPath, recordPath } from './router';

const collection = (name: string, listPath: string | null, path: string | null) => ({
  kind: 'collection',
  collection: name,
  table: `t_${name}`,
  fields: {},
  listPath,
  recordPath: path,
  slug: 'f_slug',
});
const routes = RoutesPart.parse(
  [
    { kind: 'template', path: '/', template: 'home' },
    collection('pages', null, '/{slug}'),
    collection('articles', '/blog', '/blog/{slug}'),
    collection('产品', '/产品', '/产品/{slug}/详情'),
  ].map((route) => ('collection' in route ? { ...route, collection: route.collection === '产品' ? 'products' : route.collection } : route)),
);
const router = createRouter(routes);
const targetsOf = (path: string): string[] =>
  router(path).map((one) =>
    one.kind === 'template'
      ? one.route.template
      : one.kind === 'list'
        ? `${one.route.collection} ${one.page}`
        : one.kind === 'record'
          ? `${one.route.collection}: ${one.name}`
          : `→ ${one.path}`,
  );

test.each([
  ['/', ['home']],
  ['/about', ['pages: about']],
  ['/blog', ['articles 1', 'pages: blog']],
  ['/blog/page/2', ['articles 2']],
  ['/blog/page/1', ['→ /blog']],
  ['/blog/page/0', []],
  ['/blog/hello', ['articles: hello']],
  ['/blog/hello/', ['→ /blog/hello']],
  ['/blog/hello/more', []],
  ['/产品/手机/详情', ['products: 手机']],
  ['/产品/手机', []],
])('the path %s shows %j', (path, expected) => {
  expect(targetsOf(path)).toEqual(expected);
});

test.each(['/a%2fb', '/a%5cb', '/a\\b', '/%ff', '/a%00b'])('the path %s is refused', (path) => {
  expect(decodedPath(path)).toBeNull();
});

test('a path of another script is decoded and composed', () => {
  expect(decodedPath('/%E4%BA%A7%E5%93%81/caf%65%CC%81')).toBe('/产品/café');
});

test.each(['/_r/x', '/robots.txt', '/.well-known/x', '/sitemap-1.xml'])('the path %s belongs to the program', (path) => {
  expect(RoutesPart.safeParse([{ kind: 'template', path, template: 'home' }]).success).toBe(false);
});

test('two routes cannot have the same path', () => {
  const home = { kind: 'template', path: '/', template: 'home' };
  expect(RoutesPart.safeParse([home, home]).success).toBe(false);
});

test('a slug with replacement patterns is taken as it is', () => {
  expect(recordPath({ recordPath: '/blog/{slug}' }, '$&$1')).toBe('/blog/$&$1');
});
