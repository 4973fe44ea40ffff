import { createServer, request } from 'node:http';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Writable } from 'node:stream';

/**
 * What happens to a request. `busy`: 503. `cutRequest`, `cutResponse`: the connection breaks after that many bytes of a longer body. `loseResponse`: the server has done what
 * was requested, and the connection breaks.
 */
export type Disturbance = 'busy' | 'loseResponse' | { readonly cutRequest: number } | { readonly cutResponse: number } | null;

export type S3Proxy = {
  readonly endpoint: string;
  /** Decides for each request; `attempt`: counts equal requests from 1. Null: none is disturbed. */
  disturb: ((attempt: number, request: IncomingMessage) => Disturbance) | null;
  readonly stop: () => Promise<void>;
};

const slowDown = '<?xml version="1.0" encoding="UTF-8"?><Error><Code>SlowDown</Code><Message>Please reduce your request rate.</Message></Error>';

/** A proxy before an S3 server on `port` that disturbs requests. The Host header stays the same, because it is signed. */
export async function startS3Proxy(port: number): Promise<S3Proxy> {
  const attempts = new Map<string, number>();
  const handle = (req: IncomingMessage, res: ServerResponse): void => {
    const id = `${req.method} ${req.url} ${req.headers.range ?? ''}`;
    const attempt = (attempts.get(id) ?? 0) + 1;
    attempts.set(id, attempt);
    const disturbance = proxy.disturb?.(attempt, req) ?? null;
    if (disturbance === 'busy') {
      req.resume();
      res.writeHead(503, { 'content-type': 'application/xml', 'content-length': slowDown.length }).end(slowDown);
      return;
    }
    const { cutRequest, cutResponse }: { cutRequest?: number; cutResponse?: number } = disturbance === 'loseResponse' ? {} : (disturbance ?? {});
    const cut = (): void => void req.socket.destroy();
    const onward = request({ host: '127.0.0.1', port, method: req.method, path: req.url, headers: req.headers, agent: false }, (answer) => {
      if (disturbance === 'loseResponse') {
        answer.resume().once('end', cut);
        return;
      }
      res.writeHead(answer.statusCode ?? 500, answer.headers);
      // `setImmediate`: what was written before is sent, and not lost with the connection.
      if (cutResponse !== undefined) passUntil(answer, res, cutResponse, () => setImmediate(cut));
      // Swift sends a body with some responses to HEAD, an error that must not reach the client: here the response has ended before.
      else if (req.method === 'HEAD') res.end();
      else answer.pipe(res);
    });
    onward.on('error', () => void (res.writableEnded || cut()));
    if (cutRequest !== undefined) {
      passUntil(req, onward, cutRequest, () => {
        onward.destroy();
        cut();
      });
    } else req.pipe(onward);
  };
  const server = createServer(handle);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const proxy: S3Proxy = {
    endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    disturb: null,
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
  return proxy;
}

/** Passes the first `limit` bytes and then calls `cut`, or all if there are fewer. */
function passUntil(source: IncomingMessage, target: Writable, limit: number, cut: () => void): void {
  let passed = 0;
  source.on('data', (chunk: Buffer) => {
    if (passed > limit) return;
    target.write(chunk.subarray(0, limit - passed));
    passed += chunk.length;
    if (passed > limit) cut();
  });
  source.once('end', () => {
    if (passed <= limit) target.end();
  });
}
