import { Readable } from 'node:stream';
import type { FastifyReply, FastifyRequest } from 'fastify';

export type EventStream = {
  /** Sends one object as a `message` event. A client that is too slow is disconnected; it reconnects and fetches again. */
  readonly send: (data: object) => void;
  readonly close: () => void;
  readonly closed: Promise<void>;
};

/** Proxies and phones drop connections that are idle for about half a minute. */
const heartbeatEvery = 15_000;
/** Maximum bytes queued for a client before it is disconnected. */
const mostWaiting = 256 * 1024;
/** Milliseconds after which a browser reconnects. */
const retry = 2000;

/**
 * Responds to a request with server-sent events. Events only say what changed and have no history, so `Last-Event-ID` is not supported: after a gap the client
 * fetches what it shows.
 */
export function openEventStream(request: FastifyRequest, reply: FastifyReply): EventStream {
  const stream = new Readable({ read() {} });
  const write = (text: string): void => {
    if (stream.destroyed) return;
    stream.push(text);
    if (stream.readableLength > mostWaiting) stream.destroy();
  };
  const heartbeat = setInterval(() => write(':\n\n'), heartbeatEvery);
  const closed = new Promise<void>((resolve) => {
    stream.once('close', () => {
      clearInterval(heartbeat);
      resolve();
    });
  });
  // Destroying the stream aborts the response; without a listener Node would end the process.
  stream.on('error', () => undefined);
  request.raw.once('close', () => stream.destroy());
  write(`retry: ${retry}\n\n`);
  void reply.header('content-type', 'text/event-stream; charset=utf-8').header('cache-control', 'no-store').header('x-accel-buffering', 'no').send(stream);

  return {
    send: (data) => write(`data: ${JSON.stringify(data)}\n\n`),
    close: () => {
      if (!stream.destroyed) stream.push(null);
    },
    closed,
  };
}
