import { connect } from 'node:net';
import type { AddressInfo } from 'node:net';
import fastify from 'fastify';
import { until } from '../../test/support/until';
import { openEventStream } from './sse';
import type { EventStream } from './sse';

test('a client that receives nothing between two heartbeats is disconnected', async () => {
  const app = fastify();
  const streams: EventStream[] = [];
  app.get('/', (request, reply) => {
    streams.push(openEventStream(request, reply, { heartbeatEvery: 25, mostWaiting: Infinity }));
    return reply;
  });
  await app.listen({ host: '127.0.0.1', port: 0 });
  const open = () => {
    const socket = connect((app.server.address() as AddressInfo).port, '127.0.0.1');
    socket.on('error', () => undefined).write('GET / HTTP/1.1\r\nhost: a\r\n\r\n');
    return socket;
  };
  const reading = open();
  let received = '';
  reading.on('data', (part) => (received = `${received}${String(part)}`.slice(-1000)));
  await until(() => streams.length === 1);
  const asleep = open();
  asleep.pause();
  await until(() => streams.length === 2);
  const text = 'x'.repeat(1_000_000);
  // The buffers of the system take much, and how much depends on the machine.
  await until(() => {
    streams[1]?.send({ text });
    return streams[1]?.isClosed() === true;
  });
  await until(() => (received.match(/: ping/g) ?? []).length > 3);
  expect(streams[0]?.isClosed()).toBe(false);
  reading.destroy();
  asleep.destroy();
  await until(() => streams.every((stream) => stream.isClosed()));
  await app.close();
});
