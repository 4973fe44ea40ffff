import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { RequestListener, Server } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { resolve as resolvePath } from 'node:path';
import { gzipSync } from 'node:zlib';
import { chineseOf, htmlOf } from './page';
import { sownAt } from './sown';
import { plantsOf } from './plants';
import type { Planted } from './plants';

const fixture = (name: string): string => readFileSync(resolvePath('test/fixtures/tls', name), 'utf8');
/** The certificate that programs have to trust: for 127.0.0.1. */
export const authorityFile = resolvePath('test/fixtures/tls/local.pem');

const usualHeaders = {
  'content-type': 'text/html; charset=utf-8',
  'strict-transport-security': 'max-age=31536000',
  'content-security-policy': "default-src 'self'; frame-ancestors 'self'",
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'same-origin',
};

const perPage = 25;
/** Pages of the tree that the sitemap has. */
const dated = 30;
/** A page deep in the tree that alone links to the page with visits but few links. */
const weakSource = 900;
/** The page beside page `n`, of those below the same page. */
function beside(n: number, size: number): number {
  if (n <= perPage) return n + 1;
  const first = n - ((n - 1) % perPage);
  return n + 1 < first + perPage && n < size ? n + 1 : first;
}
/** Page `n` of a tree: links to those below it and to the one beside it. Some of the pages have a problem, by the seed. */
function fillerOf(n: number, size: number, seed: string): Planted {
  const below = Array.from({ length: perPage }, (_, at) => n * perPage + at + 1).filter((to) => to <= size);
  const links = [...below, beside(n, size)].map((to) => `<a href="/p/${to}">Page ${to}</a>`);
  if (n === weakSource) links.push('<a href="/f/weak">Weak</a>');
  // Those of the sitemap, and the page that has a task of its own, have none.
  const { rules, main = '', ...options } = n <= dated || n === weakSource ? { rules: [] } : sownAt(seed, n);
  return { path: `/p/${n}`, rules, body: htmlOf(`/p/${n}`, { ...options, main: links.join('') + main }) };
}

export type FaultySite = {
  readonly origin: string;
  readonly otherOrigin: string;
  readonly chineseOrigin: string;
  /** What the second run finds differs. */
  readonly change: () => void;
  /** `rule path` of everything that an audit of the first origin has to find at addresses, sorted. */
  readonly truth: () => string[];
  readonly close: () => Promise<void>;
};

async function listen(server: Server, host: string): Promise<string> {
  await new Promise<void>((resolve) => server.listen(0, host, resolve));
  return `${host}:${(server.address() as AddressInfo).port}`;
}

function send(planted: Planted, response: Parameters<RequestListener>[1], isHead: boolean): void {
  const { status = 200, body = '', size } = planted;
  const headers: Record<string, string | number> = { ...usualHeaders, ...planted.headers };
  for (const name of planted.without ?? []) Reflect.deleteProperty(headers, name);
  const isText = size === undefined && planted.plain !== true && status === 200;
  if (isText) headers['content-encoding'] = 'gzip';
  if (size !== undefined) headers['content-length'] = size;
  response.writeHead(status, headers);
  response.end(isHead ? undefined : size === undefined ? (isText ? gzipSync(body) : body) : Buffer.alloc(size));
}

/** A site of another owner of the same person, over http and without care. */
const sloppy: Readonly<Record<string, Planted>> = {
  '/': { path: '/', rules: [], body: htmlOf('sloppy', { main: '<a href="/tea">Tea</a>' }), headers: { 'set-cookie': 'session=1; Path=/' } },
  '/tea': { path: '/tea', rules: [], body: htmlOf('sloppy tea') },
  '/robots.txt': { path: '/robots.txt', rules: [], headers: { 'content-type': 'text/plain' }, body: 'User-agent: *\nForbid: /x\nDisallow: /y' },
  '/llms.txt': { path: '/llms.txt', rules: [], body: htmlOf('llms') },
  '/.env': { path: '/.env', rules: [], headers: { 'content-type': 'text/plain' }, body: 'SECRET_KEY=1234\n' },
};
const careless = ['content-security-policy', 'x-content-type-options', 'referrer-policy', 'strict-transport-security'];

/** A site in Chinese, without problems but for the sitemap and the programs that robots.txt refuses. */
function chineseSite(origin: string): Readonly<Record<string, Planted>> {
  const page = (path: string, main: string): Planted => ({
    path,
    rules: [],
    body: htmlOf(path, {
      language: 'zh-CN',
      title: chineseOf(`${path} t`, 16),
      description: chineseOf(`${path} d`, 40),
      text: chineseOf(path),
      heading: `<h1>${chineseOf(`${path} h`, 6)}</h1>`,
      main,
    }),
  });
  const text = (path: string, type: string, body: string): Planted => ({ path, rules: [], headers: { 'content-type': type }, body });
  const entry = (path: string): string => `<loc>${origin}${path}</loc>`;
  return {
    '/': page('/', '<a href="/cha">茶</a>'),
    '/cha': page('/cha', ''),
    '/robots.txt': text('/robots.txt', 'text/plain', `User-agent: GPTBot\nDisallow: /\nUser-agent: *\nAllow: /\nSitemap: ${origin}/maps.xml`),
    '/maps.xml': text('/maps.xml', 'application/xml', `<sitemapindex><sitemap>${entry('/map.xml')}</sitemap></sitemapindex>`),
    '/map.xml': text('/map.xml', 'application/xml', `<urlset><url>${entry('/')}</url><url>${entry('/cha')}</url></urlset>`),
    '/llms.txt': text('/llms.txt', 'text/plain', `# 茶\n\n- [茶](${origin}/cha)`),
  };
}

/** One or two pages with each problem, and `size` pages of which the seed gives some a problem. */
export async function startFaultySite(size: number, seed: string): Promise<FaultySite> {
  let pages = new Map<string, Planted>();
  const answerWith =
    (find: (path: string) => Planted | undefined, without: readonly string[] = []): RequestListener =>
    (request, response) => {
      const found = find(request.url ?? '/') ?? { path: '', status: 404, body: htmlOf('/not-found'), rules: [] };
      const answer = (): void => send({ ...found, without: [...without, ...(found.without ?? [])] }, response, request.method === 'HEAD');
      if (found.delay === undefined) answer();
      else setTimeout(answer, found.delay);
    };
  const find = (path: string): Planted | undefined => {
    const n = Number(/^\/p\/(\d+)$/.exec(path)?.[1] ?? 0);
    return n >= 1 && n <= size ? fillerOf(n, size, seed) : pages.get(path);
  };
  let chinese: Readonly<Record<string, Planted>> = {};
  const servers = [
    createSecureServer({ key: fixture('key.pem'), cert: fixture('local.pem') }, answerWith(find)),
    createServer(answerWith((path) => (path === '/fine.png' ? { path, rules: [], headers: { 'content-type': 'image/png' }, size: 100 } : undefined))),
    createServer(answerWith((path) => sloppy[path], careless)),
    createServer(answerWith((path) => chinese[path])),
  ] as const;
  const [main, plain, other, third] = await Promise.all([
    listen(servers[0], '127.0.0.1'),
    listen(servers[1], '127.0.0.1'),
    listen(servers[2], '127.0.0.2'),
    listen(servers[3], '127.0.0.3'),
  ]);
  const origin = `https://${main}`;
  const plants = (isSecond: boolean): Planted[] => plantsOf({ origin, plainOrigin: `http://${plain}`, otherOrigin: `http://${other}`, isSecond });
  let isSecond = false;

  function build(): void {
    const planted = plants(isSecond);
    pages = new Map(planted.map((one) => [one.path, one]));
    const visible = planted.filter(({ hidden }) => hidden !== true);
    const lists = Array.from({ length: Math.ceil(visible.length / 30) }, (_, at) => visible.slice(at * 30, (at + 1) * 30));
    lists.forEach((list, at) => {
      const main_ = list.map(({ path: to }) => `<a href="${to.replaceAll('&', '&amp;')}">Page ${to.replaceAll('&', '&amp;')}</a>`).join('');
      pages.set(`/h/${at}`, { path: `/h/${at}`, rules: [], body: htmlOf(`/h/${at}`, { main: main_ }) });
    });
    const toLists = lists.map((_, at) => `<a href="/h/${at}">List ${at}</a>`).join('');
    const toPages = Array.from({ length: perPage }, (_, at) => `<a href="/p/${at + 1}">Page ${at + 1}</a>`).join('');
    pages.set('/', { path: '/', rules: [], body: htmlOf('/', { main: toPages + toLists }) });
    const robots = `User-agent: *\nDisallow: /blocked/\nSitemap: ${origin}/map.xml\nSitemap: ${origin}/broken.xml`;
    pages.set('/robots.txt', { path: '/robots.txt', rules: [], headers: { 'content-type': 'text/plain' }, body: robots });
    const entries = Array.from(
      { length: dated },
      (_, at) => `<url><loc>${origin}/p/${at + 1}</loc><lastmod>202${isSecond ? 5 : 4}-03-${String(at + 1).padStart(2, '0')}</lastmod></url>`,
    );
    const listed = ['/f/orphan', '/f/listed-noindex'].map((to) => `<url><loc>${origin}${to}</loc></url>`);
    pages.set('/map.xml', {
      path: '/map.xml',
      rules: [],
      headers: { 'content-type': 'application/xml' },
      body: `<urlset>${entries.join('')}${listed.join('')}</urlset>`,
    });
    pages.set('/broken.xml', {
      path: '/broken.xml',
      rules: [],
      headers: { 'content-type': 'application/xml' },
      body: `<urlset><url><loc>${origin}/p/1</loc></urlset>`,
    });
  }
  build();
  chinese = chineseSite(`http://${third}`);

  return {
    origin,
    otherOrigin: `http://${other}`,
    chineseOrigin: `http://${third}`,
    change() {
      isSecond = true;
      build();
    },
    truth: () =>
      [...plants(isSecond), ...Array.from({ length: size }, (_, at) => fillerOf(at + 1, size, seed))]
        .flatMap(({ path: to, rules }) => rules.map((rule) => `${rule} ${to}`))
        .sort(),
    close: () =>
      Promise.all(
        servers.map(
          (server) =>
            new Promise<void>((resolve) => {
              server.close(() => resolve());
              server.closeAllConnections();
            }),
        ),
      ).then(() => undefined),
  };
}
