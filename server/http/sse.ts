import { Readable } from 'node:stream';
import type { FastifyReply, FastifyRequest } from 'fastify';

export type EventStream = {
  /**
   * Sends one object as a `message` event, with `id` as the place from which a client that reconnects resumes (`Last-Event-ID`). A client that is too slow is
   * disconnected; it reconnects and fetches again.
   */
  readonly send: (data: object, id?: number) => void;
  /** Resolves when the client has received what was sent, or is gone: only then is a backlog read on. */
  readonly drained: () => Promise<void>;
  readonly close: () => void;
  readonly isClosed: () => boolean;
  readonly closed: Promise<void>;
};

type Options = {
  /** Milliseconds between two signs of life. */
  readonly heartbeatEvery?: number;
  /** Maximum bytes queued for a client before it is disconnected. */
  readonly mostWaiting?: number;
};

/** Proxies and phones drop connections that are idle for about half a minute. */
const usualHeartbeat = 15_000;
const usualWaiting = 256 * 1024;
/** Milliseconds after which a browser reconnects. */
const retry = 2000;

/** Ends what a client has not begun to receive between two heartbeats: a phone that sleeps answers no more, and nothing says so. */
function watchReader(response: FastifyReply['raw'], end: () => void): () => void {
  let isStuck = false;
  response.on('drain', () => (isStuck = false));
  return () => {
    if (isStuck && response.writableNeedDrain) return end();
    isStuck = response.writableNeedDrain;
  };
}

/**
 * Responds to a request with server-sent events. What is queued for a client is bounded, and so is the time for which nothing of it arrives. Events of the console
 * only say what changed and have no id: after a gap the client fetches what it displays.
 */
export function openEventStream(
  request: FastifyRequest,
  reply: FastifyReply,
  { heartbeatEvery = usualHeartbeat, mostWaiting = usualWaiting }: Options = {},
): EventStream {
  const stream = new Readable({ read() {} });
  const response = reply.raw;
  const write = (text: string): void => {
    if (stream.destroyed) return;
    stream.push(text);
    if (stream.readableLength > mostWaiting) stream.destroy();
  };
  const checkReader = watchReader(response, () => stream.destroy());
  const heartbeat = setInterval(() => {
    checkReader();
    write(': ping\n\n');
  }, heartbeatEvery);
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
    send: (data, id) => write(`${id === undefined ? '' : `id: ${id}\n`}data: ${JSON.stringify(data)}\n\n`),
    async drained() {
      if (stream.destroyed || !response.writableNeedDrain) return;
      await new Promise<void>((resolve) => {
        const end = (): void => {
          response.off('drain', end).off('close', end);
          resolve();
        };
        response.on('drain', end).on('close', end);
      });
    },
    close: () => {
      if (!stream.destroyed) stream.push(null);
    },
    isClosed: () => stream.destroyed,
    closed,
  };
}
