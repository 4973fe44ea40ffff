import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';

/** Limits for slow requests; all times in milliseconds. */
export type ArrivalLimits = {
  /** From the first byte, or from the opening of the connection, to the end of the headers. */
  readonly headers: number;
  /** Maximum pause between two bytes of the body. */
  readonly idle: number;
  /** Period before the rate is checked, so that a slow start is tolerated. */
  readonly grace: number;
  /** Minimum average rate of a body in bytes per second. A second-generation mobile connection is ten times as fast. */
  readonly leastRate: number;
  readonly checkEvery: number;
};

const arrivalLimits: ArrivalLimits = { headers: 30_000, idle: 30_000, grace: 60_000, leastRate: 500, checkEvery: 5000 };

/** For `http` of Fastify's options: the limits that Node enforces itself, on every listening address. */
export const headerLimits = ({ headers, checkEvery } = arrivalLimits) => ({ headersTimeout: headers, connectionsCheckingInterval: checkEvery });

type Arriving = {
  readonly reply: FastifyReply;
  /** Bytes received on the connection before the body began. */ readonly before: number;
  since: number;
  bytes: number;
  movedAt: number;
};

/**
 * Ends requests whose bodies stall or arrive too slowly: the sender gets a 408 from `respond`, and the connection is closed. Responses, event streams and
 * exports may take as long as their clients need, and so may a body that waits for this server. Node's own limit for whole requests stays off, because it would
 * end long uploads that are still progressing.
 */
export function limitArrival(
  app: FastifyInstance,
  respond: (request: FastifyRequest, reply: FastifyReply) => unknown,
  limits: ArrivalLimits = arrivalLimits,
): void {
  const arriving = new Map<FastifyRequest['raw'], Arriving>();
  app.addHook('onRequest', async (request, reply) => {
    const { raw } = request;
    const { 'content-length': length, 'transfer-encoding': encoding } = raw.headers;
    // Tests inject requests, which come through no connection.
    if (!('destroySoon' in raw.socket)) return;
    if (encoding === undefined && (length === undefined || Number(length) === 0)) return;
    const now = performance.now();
    arriving.set(raw, { reply, before: raw.socket.bytesRead, since: now, bytes: 0, movedAt: now });
    const forget = () => void arriving.delete(raw);
    raw.once('end', forget);
    raw.once('close', forget);
  });

  const check = () => {
    const now = performance.now();
    for (const [raw, body] of arriving) {
      if (raw.complete || raw.destroyed) {
        arriving.delete(raw);
        continue;
      }
      const bytes = raw.socket.bytesRead - body.before;
      // Received bytes that were not read yet wait for this server, not for the sender.
      if (bytes > body.bytes || raw.readableLength > 0) body.movedAt = now;
      if (raw.readableLength > 0) body.since += limits.checkEvery;
      body.bytes = bytes;
      const age = now - body.since;
      const isSlow = age > limits.grace && bytes < ((age - limits.grace) / 1000) * limits.leastRate;
      if (now - body.movedAt <= limits.idle && !isSlow) continue;
      arriving.delete(raw);
      end(body.reply, respond);
    }
  };
  const timer = setInterval(check, limits.checkEvery);
  timer.unref();
  app.addHook('onClose', async () => clearInterval(timer));
}

function end(reply: FastifyReply, respond: (request: FastifyRequest, reply: FastifyReply) => unknown): void {
  const { raw: request } = reply.request;
  // A response was already sent before the body arrived: nothing more can be sent.
  if (reply.sent || reply.raw.headersSent) {
    request.socket.destroy();
    return;
  }
  void reply.header('connection', 'close');
  reply.raw.once('finish', () => request.socket.destroySoon());
  respond(reply.request, reply);
}
