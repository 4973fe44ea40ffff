import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { RequestListener, Server } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import { readConfig } from '../../config';
import type { Config } from '../../config';
import { failureOf, probe, probeLimits } from './probe';
import type { Outcome, ProbeOptions } from './probe';

const local: Config = { ...readConfig({ NODE_ENV: 'test' }, []), privateSites: true };
const never = new AbortController().signal;
const fixture = (name: string): string => readFileSync(path.resolve('test/fixtures/tls', name), 'utf8');
const servers: Server[] = [];

async function listening(server: Server): Promise<number> {
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return (server.address() as AddressInfo).port;
}
const serve = async (listener: RequestListener): Promise<string> => `http://127.0.0.1:${await listening(createServer(listener))}/`;
afterEach(() => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    server.close();
  }
});

type ProbeInput = { expectedStatus?: number | null; keyword?: string; servedHost?: string | null; config?: Config; options?: ProbeOptions };
const ask = (url: string, { expectedStatus = null, keyword = '', servedHost = null, config = local, options = {} }: ProbeInput = {}): Promise<Outcome> =>
  probe(config, { url: new URL(url), servedHost, expectedStatus, keyword }, never, options);
const found = async (url: string, input: ProbeInput = {}): Promise<[Outcome['failure'], string]> => {
  const { failure, detail } = await ask(url, input);
  return [failure, detail];
};

describe('the status', () => {
  test.each([
    [200, null, [null, '']],
    [204, null, [null, '']],
    [404, null, ['status', '404']],
    [503, null, ['status', '503']],
    [401, 401, [null, '']],
    [200, 401, ['status', '200']],
  ])('%d is judged against an expected %p', async (status, expectedStatus, expected) => {
    const url = await serve((_request, response) => response.writeHead(status).end());
    expect(await found(url, { expectedStatus })).toEqual(expected);
  });

  test('after a redirect counts, unless the redirect itself is expected', async () => {
    const url = await serve((request, response) => response.writeHead(request.url === '/' ? 302 : 200, request.url === '/' ? { location: '/home' } : {}).end());
    expect(await found(url)).toEqual([null, '']);
    expect(await found(url, { expectedStatus: 302 })).toEqual([null, '']);
  });

  test('is a failure after more than five redirects', async () => {
    let requests = 0;
    const url = await serve((_request, response) => {
      requests += 1;
      response.writeHead(302, { location: `/${requests}` }).end();
    });
    expect(await found(url)).toEqual(['redirects', '']);
    expect(requests).toBe(probeLimits.redirects + 1);
  });
});

describe('the keyword', () => {
  const page = (head: Record<string, string>, body: string | Buffer): Promise<string> => serve((_request, response) => response.writeHead(200, head).end(body));
  const gbk = Buffer.from([0xbf, 0xcd, 0xb7, 0xfe]);

  test.each([
    ['in plain text', {}, '<h1>Tea house</h1>', 'Tea house', null],
    ['in a packed page', { 'content-encoding': 'gzip' }, gzipSync('<h1>Tea house</h1>'), 'Tea house', null],
    ['in a GBK page that says so in its header', { 'content-type': 'text/html; charset=gbk' }, gbk, '客服', null],
    ['in a GBK page that says so in its head', {}, Buffer.concat([Buffer.from('<meta charset="gb2312">'), gbk]), '客服', null],
    ['missing', {}, '<h1>Tea house</h1>', 'Coffee', 'keyword'],
    ['behind the first 64 kB', {}, `${'x'.repeat(probeLimits.bytes)}Tea house`, 'Tea house', 'keyword'],
  ])('%s', async (_name, head, body, keyword, failure) => {
    expect((await ask(await page(head, body), { keyword })).failure).toBe(failure);
  });

  test('is searched only in the first 64 kB of the response', async () => {
    let sent = 0;
    const url = await serve((_request, response) => {
      const more = (): void => {
        sent += 65_536;
        if (sent < 64 * 1024 * 1024 && !response.destroyed) response.write('x'.repeat(65_536), more);
      };
      more();
    });
    expect((await ask(url, { keyword: 'Tea' })).failure).toBe('keyword');
    expect(sent).toBeLessThan(32 * 1024 * 1024);
  });
});

describe('the connection', () => {
  test('fails when refused', async () => {
    const url = await serve((_request, response) => response.end());
    servers[0]?.close();
    expect(await found(url)).toEqual(['refused', 'ECONNREFUSED']);
  });

  test('fails when it breaks off', async () => {
    const url = await serve((request) => request.socket.destroy());
    expect(await found(url)).toEqual(['network', 'ECONNRESET']);
  });

  test.each([
    ['ENOTFOUND', 'dns'],
    ['EAI_AGAIN', 'dns'],
    ['ETIMEDOUT', 'timeout'],
    ['CERT_HAS_EXPIRED', 'tls'],
    ['ERR_TLS_CERT_ALTNAME_INVALID', 'tls'],
    ['DEPTH_ZERO_SELF_SIGNED_CERT', 'tls'],
    ['EHOSTUNREACH', 'network'],
  ])('%s is reported as %s', (detail, failure) => {
    expect(failureOf({ code: 'not_reachable', detail })).toBe(failure);
  });

  test('throws when stopped, because the state is unknown', async () => {
    const url = await serve(() => undefined);
    const stop = new AbortController();
    const work = probe(local, { url: new URL(url), servedHost: null, expectedStatus: null, keyword: '' }, stop.signal);
    setTimeout(() => stop.abort(), 50);
    await expect(work).rejects.toThrow();
  });
});

describe('a certificate', () => {
  const secure = async (certificate: string): Promise<number> =>
    listening(createTlsServer({ key: fixture('key.pem'), cert: fixture(certificate) }, (_request, response) => response.end('Tea')));
  const options = { authorities: fixture('valid.pem'), resolve: async () => [{ address: '127.0.0.1', family: 4 }] };

  test('reports its expiry when it is valid', async () => {
    const outcome = await ask(`https://shop.test:${await secure('valid.pem')}/`, { options });
    expect(outcome).toMatchObject({ failure: null, certificateExpiresAt: new Date('2099-01-01T00:00:00Z') });
  });

  test('is that of the first encrypted hop after plain http', async () => {
    const port = await secure('valid.pem');
    const url = await serve((_request, response) => response.writeHead(301, { location: `https://shop.test:${port}/` }).end());
    expect(await ask(url, { options })).toMatchObject({ failure: null, certificateExpiresAt: new Date('2099-01-01T00:00:00Z') });
  });

  test.each([
    ['that has expired', 'expired.pem', 'shop.test', fixture('expired.pem'), 'CERT_HAS_EXPIRED'],
    ['of another host', 'valid.pem', 'other.test', fixture('valid.pem'), 'ERR_TLS_CERT_ALTNAME_INVALID'],
    ['that nobody vouches for', 'valid.pem', 'shop.test', undefined, 'DEPTH_ZERO_SELF_SIGNED_CERT'],
  ])('%s is a failure', async (_name, certificate, host, authorities, detail) => {
    const { resolve } = options;
    const trust = authorities === undefined ? { resolve } : { resolve, authorities };
    expect(await found(`https://${host}:${await secure(certificate)}/`, { options: trust })).toEqual(['tls', detail]);
  });
});

describe('an address', () => {
  const outside: Config = { ...local, privateSites: false, roles: new Set(['web', 'worker']), host: '0.0.0.0' };

  test('in a private network is refused, directly and after a redirect', async () => {
    let requests = 0;
    const url = await serve((_request, response) => {
      requests += 1;
      response.end();
    });
    expect(await found(url, { config: outside })).toEqual(['private_address', '']);
    expect(await found('http://shop.test/', { config: outside, options: { resolve: async () => [{ address: '10.0.0.8', family: 4 }] } })).toEqual([
      'private_address',
      '',
    ]);
    expect(requests).toBe(0);
  });

  test('of a site delivered here goes to the delivery listener', async () => {
    const hosts: unknown[] = [];
    const url = new URL(
      await serve((request, response) => {
        hosts.push(request.headers.host);
        response.end();
      }),
    );
    const servedHost = `tea.localhost:${url.port}`;
    const delivering: Config = { ...outside, roles: new Set(['delivery', 'worker']) };
    expect(await found(`http://${servedHost}/`, { config: delivering, servedHost })).toEqual([null, '']);
    expect(hosts).toEqual([servedHost]);
    // A process without the delivery role, in an installation of several machines, does not know the listener's address.
    expect(await found(`http://${servedHost}/`, { config: outside, servedHost })).toEqual(['private_address', '']);
  });
});
