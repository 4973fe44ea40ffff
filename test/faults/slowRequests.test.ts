import { connect } from 'node:net';
import type { Socket } from 'node:net';
import type { AddressInfo } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { jest } from '@jest/globals';
import type { FastifyInstance } from 'fastify';
import { startCollector } from '../../server/collect';
import type { Collector } from '../../server/collect';
import { createCollectApp } from '../../server/collect/listener';
import { createDelivery } from '../../server/delivery';
import { createApp } from '../../server/http/app';
import type { ArrivalLimits } from '../../server/http/slowRequests';
import { makeFolder } from '../integration/collectSupport';
import { makeTestApp } from '../support/app';
import type { TestApp } from '../support/app';

jest.setTimeout(60_000);

/** A body that pauses for a second is ended; without a minimum rate a moving one may take any time. */
const patient: ArrivalLimits = { headers: 1000, idle: 1000, grace: 60_000, leastRate: 500, checkEvery: 100 };
/** After half a second every body needs a hundred bytes a second, even if it arrives evenly. */
const strict: ArrivalLimits = { headers: 60_000, idle: 60_000, grace: 500, leastRate: 100, checkEvery: 100 };

let program: TestApp;
let folder: Awaited<ReturnType<typeof makeFolder>>;
let collector: Collector;
const apps: FastifyInstance[] = [];
const sockets: Socket[] = [];

beforeAll(async () => {
  folder = await makeFolder();
  program = await makeTestApp({ config: { dataDir: folder.dataDir } });
  collector = await startCollector(program.ctx);
});
afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.destroy();
  for (const app of apps.splice(0)) await app.close();
});
afterAll(async () => {
  await collector.close();
  await program.close();
  await folder.remove();
});

const listeners = {
  console: (limits: ArrivalLimits) => createApp(program.ctx, { arrival: limits }),
  collector: (limits: ArrivalLimits) => createCollectApp(program.ctx, collector, limits),
  delivery: (limits: ArrivalLimits) => createDelivery(program.ctx, collector, limits),
};

async function open(listener: keyof typeof listeners, limits: ArrivalLimits, prepare: (app: FastifyInstance) => void = () => undefined): Promise<() => Sender> {
  const app = await listeners[listener](limits);
  prepare(app);
  apps.push(app);
  await app.listen({ port: 0, host: '127.0.0.1' });
  const { port } = app.server.address() as AddressInfo;
  return () => sender(port);
}

type Sender = { readonly send: (text: string) => void; readonly received: () => string; readonly closed: Promise<string> };

function sender(port: number): Sender {
  const socket = connect(port, '127.0.0.1');
  sockets.push(socket);
  let received = '';
  socket.on('data', (chunk: Buffer) => (received += chunk.toString()));
  socket.on('error', () => undefined);
  return {
    send: (text) => void socket.write(text),
    received: () => received,
    closed: new Promise((resolve) => socket.once('close', () => resolve(received))),
  };
}

const head = (path: string, length: number) =>
  `POST ${path} HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nSec-Fetch-Site: same-origin\r\nX-Requested-With: console\r\nContent-Length: ${length}\r\n\r\n`;

describe.each([
  ['console', '/api/acc/sign/in'],
  ['console', '/collect'],
  ['collector', '/collect'],
  ['delivery', '/_a/collect'],
] as const)('the listener of the %s, at %s', (listener, path) => {
  it('answers 408 to a stalled body and closes the connection', async () => {
    const begin = await open(listener, patient);
    const stalled = Array.from({ length: 20 }, begin);
    for (const one of stalled) one.send(`${head(path, 1000)}{"`);
    for (const one of stalled) {
      const said = await one.closed;
      // A host without a site is answered at once; its connection is closed nevertheless.
      expect(said).toMatch(listener === 'delivery' ? /^HTTP\/1\.1 404/ : /^HTTP\/1\.1 408[^]*"code":"request_timeout"/);
    }
  });

  it('closes connections that send no request or an unfinished one', async () => {
    const begin = await open(listener, patient);
    const [silent, half] = [begin(), begin()];
    half.send(`POST ${path} HTTP/1.1\r\nHost: lo`);
    expect(await silent.closed).toMatch(/^(HTTP\/1\.1 408|$)/);
    expect(await half.closed).toMatch(/^HTTP\/1\.1 408/);
  });
});

it('ends a stalled body without a declared length the same way', async () => {
  const one = (await open('collector', patient))();
  one.send('POST /collect HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n2\r\n{"\r\n');
  expect(await one.closed).toMatch(/^HTTP\/1\.1 408/);
});

it('ends a body that arrives a byte at a time', async () => {
  const one = (await open('collector', strict))();
  one.send(head('/collect', 1000));
  const dripping = setInterval(() => one.send('x'), 50);
  expect(await one.closed).toMatch(/^HTTP\/1\.1 408/);
  clearInterval(dripping);
});

it('accepts a slow body that never pauses too long', async () => {
  const one = (await open('collector', patient))();
  const chunkCount = 25;
  one.send(head('/collect', chunkCount * 10));
  for (let i = 0; i < chunkCount; i += 1) {
    one.send('x'.repeat(10));
    await delay(100);
  }
  while (!one.received().includes('\r\n\r\n')) await delay(20);
  expect(one.received()).toMatch(/^HTTP\/1\.1 400/);
});

it('limits neither slow responses nor idle kept-alive connections', async () => {
  const one = (
    await open('collector', patient, (app) => {
      app.get('/slow', async () => {
        await delay(2500);
        return 'whole';
      });
      app.post('/slow', async (_request, reply) => {
        reply.hijack();
        reply.raw.writeHead(200, { 'content-length': '3' });
        for (const letter of 'abc') {
          reply.raw.write(letter);
          await delay(1500);
        }
        reply.raw.end();
      });
    })
  )();
  one.send('GET /slow HTTP/1.1\r\nHost: localhost\r\n\r\n');
  while (!one.received().includes('whole')) await delay(20);
  await delay(1500);
  one.send(`${head('/slow', 2)}{}`);
  while (!one.received().endsWith('abc')) await delay(20);
  expect(one.received()).not.toContain('408');
});
