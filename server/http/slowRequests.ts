import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';

/** How slowly a request may arrive; all times in milliseconds. */
export type ArrivalLimits = {
  /** From the first byte, or from the opening of the connection, to the end of the headers. */
  readonly headers: number;
  /** Between two bytes of the body. */
  readonly idle: number;
  /** Before the rate counts: whoever is slow at first may catch up. */
  readonly grace: number;
  /** Bytes per second that a body has to come to on average. A connection of the second generation of mobile phones is ten times as fast. */
  readonly leastRate: number;
  readonly checkEvery: number;
};

const arrivalLimits: ArrivalLimits = { headers: 30_000, idle: 30_000, grace: 60_000, leastRate: 500, checkEvery: 5000 };

/** For `http` of Fastify's options: the part that Node watches itself, on every address that is listened on. */
export const headerLimits = ({ headers, checkEvery } = arrivalLimits) => ({ headersTimeout: headers, connectionsCheckingInterval: checkEvery });

type Arriving = {
  readonly reply: FastifyReply;
  /** Bytes that the connection had brought when the body began. */ readonly before: number;
  since: number;
  bytes: number;
  movedAt: number;
};

/**
 * Ends requests whose bodies stop coming, or come too slowly to be meant: `answer` tells the sender with 408 and the connection is closed. Answers, event streams and exports
 * take as long as their readers like, and so does a body that waits for us. Node's own limit for whole requests stays off: it would end long uploads that go on.
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
      // What has come and is not taken yet waits for us, not for the sender.
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
  // Answered before its body was there: nothing more is to be said.
  if (reply.sent || reply.raw.headersSent) {
    request.socket.destroy();
    return;
  }
  void reply.header('connection', 'close');
  reply.raw.once('finish', () => request.socket.destroySoon());
  respond(reply.request, reply);
}
