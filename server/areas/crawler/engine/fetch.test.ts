import { createServer } from 'node:http';
import type { RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createServer as createTcpServer } from 'node:net';
import type { Server } from 'node:net';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { createFetcher, decompress, tokenOfAgent } from './fetch';
import type { Fetcher } from './fetch';

const userAgent = 'TestBot/1.0';
let server: Server;
let origin: string;
let answer: RequestListener;
let count = 0;
let fetcher: Fetcher;
beforeAll(async () => {
  server = createServer((request, response) => {
    count += 1;
    answer(request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  fetcher = createFetcher({ allowNear: true, userAgent });
});
afterAll(async () => {
  await fetcher.close();
  server.close();
});

test('a body that decodes to far more than it is ends as too large', async () => {
  const zeros = Buffer.alloc(64 * 2 ** 20);
  const bombs: Record<string, Buffer> = { gzip: gzipSync(zeros), br: brotliCompressSync(zeros.subarray(0, 2 ** 24)), 'gzip, gzip': gzipSync(gzipSync(zeros)) };
  for (const [encoding, body] of Object.entries(bombs)) {
    answer = (_request, response) => void response.writeHead(200, { 'content-encoding': encoding }).end(body);
    const { error, body: received } = await fetcher.send(origin);
    expect([encoding, error, received.byteLength]).toEqual([encoding, 'too_large', 0]);
  }
  expect(() => decompress(gzipSync('x'), 'gzip, gzip, gzip', 1000)).toThrow();
});

test.each([
  ['endless headers', 'bad_response', `HTTP/1.1 200 OK\r\n${'x-a: b\r\n'.repeat(20_000)}`],
  ['a body that ends early', 'network', 'HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\nshort'],
] as const)('%s end as %s', async (_name, error, text) => {
  const raw = createTcpServer((socket) => void socket.on('error', () => undefined).once('data', () => socket.end(text))).listen(0, '127.0.0.1');
  await new Promise((resolve) => raw.once('listening', resolve));
  const found = await fetcher.send(`http://127.0.0.1:${(raw.address() as AddressInfo).port}/`);
  raw.close();
  expect(found).toMatchObject({ error });
});

test('a body that drips ends at the deadline', async () => {
  let timer: NodeJS.Timeout | undefined;
  answer = (_request, response) => {
    response.writeHead(200);
    timer = setInterval(() => response.write('a'), 50);
  };
  const { error, totalMs } = await fetcher.send(origin, { timeout: 300 });
  clearInterval(timer);
  expect(error).toBe('timeout');
  expect(totalMs).toBeLessThan(5000);
});

test('redirects are returned, not followed, and repeated headers are joined', async () => {
  answer = (_request, response) =>
    void response.writeHead(302, { location: '/next?a=1', 'set-cookie': ['a=1', 'b=2'], link: ['<a>; rel=x', '<b>; rel=y'] }).end();
  const { location, headers, status } = await fetcher.send(`${origin}/from`);
  expect({ location, status, cookies: headers['set-cookie'], link: headers['link'] }).toEqual({
    location: `${origin}/next?a=1`,
    status: 302,
    cookies: 'a=1\nb=2',
    link: '<a>; rel=x, <b>; rel=y',
  });
});

test('no request reaches this machine or a private network in any written form', async () => {
  answer = (_request, response) => void response.end('secret');
  const { port } = server.address() as AddressInfo;
  const guarded = createFetcher({ allowNear: false, userAgent, ports: new Set([String(port)]) });
  const before = count;
  const hosts = [
    '127.0.0.1',
    '127.1',
    '0x7f.1',
    '0x7f000001',
    '2130706433',
    '017700000001',
    '0',
    '0.0.0.0',
    'localhost',
    'LOCALHOST.',
    'a.localhost',
    '[::1]',
    '[::]',
    '[::ffff:127.0.0.1]',
    '[::ffff:7f00:1]',
    '[0:0:0:0:0:0:0:1]',
    '10.0.0.1',
    '172.16.0.1',
    '172.31.255.255',
    '192.168.1.1',
    '100.64.0.1',
    '169.254.169.254',
    '198.18.0.1',
    '224.0.0.1',
    '255.255.255.255',
    '[fc00::1]',
    '[fe80::1]',
    '[64:ff9b::7f00:1]',
    '[2002:7f00:1::]',
    '①②⑦.0.0.1',
  ];
  for (const host of hosts) expect([host, (await guarded.send(`http://${host}:${port}/`)).error]).toEqual([host, 'address_refused']);
  for (const url of ['ftp://example.com/', 'file:///etc/passwd', 'http://user:pass@example.com/', 'http://example.com:25/'])
    expect([url, (await guarded.send(url)).error]).toEqual([url, 'address_refused']);
  await guarded.close();

  // A name that leads to a public address first and to this machine afterwards, and one that has both.
  let lookups = 0;
  const rebinding = createFetcher({
    allowNear: false,
    userAgent,
    ports: new Set([String(port)]),
    resolve: () =>
      Promise.resolve(
        lookups++ === 0
          ? [
              { address: '203.0.114.1', family: 4 },
              { address: '127.0.0.1', family: 4 },
            ]
          : [{ address: '127.0.0.1', family: 4 }],
      ),
  });
  for (let attempt = 0; attempt < 2; attempt += 1) expect((await rebinding.send(`http://rebind.example:${port}/`)).error).toBe('address_refused');
  await rebinding.close();
  expect(count).toBe(before);
});

test('of this machine, only an origin that the program delivers is requested', async () => {
  answer = (_request, response) => void response.end('own');
  const { port } = server.address() as AddressInfo;
  const own = createFetcher({ allowNear: false, userAgent, ports: new Set([String(port)]), ownOrigins: new Set([`http://blog.localhost:${port}`]) });
  expect(Buffer.from((await own.send(`http://blog.localhost:${port}/`)).body).toString()).toBe('own');
  for (const host of [`other.localhost:${port}`, `127.0.0.1:${port}`, 'blog.localhost:1'])
    expect([host, (await own.send(`http://${host}/`)).error]).toEqual([host, 'address_refused']);
  await own.close();
});

test.each([
  ['Mozilla/5.0 (compatible; SitewrightBot/1.0)', 'SitewrightBot'],
  ['Mozilla/5.0 (X11) AppleWebKit/537.36 Chrome/120.0 Safari/537.36 MyBot/2.0', 'MyBot'],
  ['my-bot', 'my-bot'],
])('robots.txt knows %s as %s', (agent, token) => expect(tokenOfAgent(agent)).toBe(token));
