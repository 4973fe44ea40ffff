import { once } from 'node:events';
import { createServer } from 'node:http';
import type { RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';
import { download } from './download';

let answer: RequestListener;
const server = createServer((request, response) => answer(request, response));
let origin: string;
beforeAll(async () => {
  await once(server.listen(0, '127.0.0.1'), 'listening');
  origin = `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`;
});
afterAll(() => void server.close());

const fetched = async (bytes = 1000) => (await download(`${origin}/file`, { bytes, signal: AbortSignal.timeout(10_000) }))?.body.toString();

test('a redirect on the same server is followed, and gzip unpacked', async () => {
  answer = ({ url }, response) => (url === '/file' ? response.writeHead(302, { location: '/other' }).end() : response.end(gzipSync(gzipSync('tea'))));
  expect(await fetched()).toBe('tea');
});

test.each<[string, RequestListener, string]>([
  ['to a private address', (_, response) => response.writeHead(302, { location: 'http://10.0.0.1/' }).end(), 'private'],
  ['to a name of this machine', (_, response) => response.writeHead(307, { location: 'http://localhost:9/' }).end(), 'private'],
  ['without end', (_, response) => response.writeHead(302, { location: '/file' }).end(), 'refused'],
  ['to what is no web address', (_, response) => response.writeHead(302, { location: 'file:///etc/passwd' }).end(), 'private'],
])('a redirect %s is refused', async (_, redirecting, problem) => {
  answer = redirecting;
  await expect(fetched()).rejects.toMatchObject({ problem });
});

test.each([
  ['large', 'tea'.repeat(1000)],
  ['packed', gzipSync('t'.repeat(100_000))],
])('a %s body beyond the limit is refused', async (_, body) => {
  answer = (_request, response) => void response.end(body);
  await expect(fetched()).rejects.toMatchObject({ problem: 'too_large' });
});
