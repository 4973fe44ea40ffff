import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { createSecureContext } from 'node:tls';
import { callbackify } from 'node:util';
import type { SecureContext } from 'node:tls';
import type { FastifyInstance } from 'fastify';
import type { Context } from '../../../context';
import { headerLimits } from '../../../http/slowRequests';
import * as queries from '../queries';

/** The purpose for which keys of certificates are sealed. */
export const keyPurpose = 'hostname certificate';

/** Contexts in memory; names come from clients, so their number is bounded. */
const mostContexts = 10_000;
/** A name without a certificate is looked up again after this time, in milliseconds. */
const missingFor = 10_000;

export type TlsListener = {
  readonly listen: (where: { readonly host: string; readonly port: number }) => Promise<void>;
  readonly port: () => number;
  readonly close: () => Promise<void>;
};

type Known = { readonly context: SecureContext | null; readonly until: number };

/**
 * HTTPS for hostnames whose certificates this program has, chosen by SNI. A name without one gets no certificate at all, so that the handshake fails instead of
 * naming another site. Requests are handled as on the plain listener `app`.
 */
export function createTlsListener(ctx: Context, app: Pick<FastifyInstance, 'ready' | 'routing'>): TlsListener {
  const known = new Map<string, Known>();
  const stop = ctx.live.subscribe((event) => {
    if (event.type === 'hostnames') known.clear();
  });

  /** Names that clients invent must not displace the contexts of hostnames. */
  function makeSpace(): void {
    for (const [name, { context }] of known) if (context === null) known.delete(name);
    if (known.size >= mostContexts) known.clear();
  }

  async function contextFor(host: string): Promise<SecureContext | null> {
    const found = known.get(host);
    if (found && found.until > ctx.now()) return found.context;
    const row = await queries.certificateOf(ctx.postgres.db, host);
    const context = row && createSecureContext({ cert: row.chain, key: ctx.secrets.open(keyPurpose, row.sealedKey), minVersion: 'TLSv1.2' });
    if (known.size >= mostContexts) makeSpace();
    known.set(host, { context, until: row ? row.notAfter.getTime() : ctx.now() + missingFor });
    return context;
  }

  async function answerSni(name: string): Promise<SecureContext> {
    const context = await contextFor(name.toLowerCase());
    if (context === null) throw new Error('no certificate');
    return context;
  }

  const server = createServer({ ...headerLimits(), SNICallback: callbackify(answerSni) }, (request, response) => app.routing(request, response));
  return {
    async listen({ host, port }) {
      await app.ready();
      await new Promise<void>((resolve, reject) => {
        server.once('error', reject);
        server.listen({ host, port }, resolve);
      });
    },
    port: () => (server.address() as AddressInfo).port,
    close: () =>
      new Promise((resolve) => {
        stop();
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
