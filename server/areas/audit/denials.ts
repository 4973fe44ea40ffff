import type { Context } from '../../context';
import type { AccessSource } from '../../http/access';
import { actorOf, record } from './record';

/** Repeated denials of the same call by the same caller write at most one entry in this time, in milliseconds. */
const oncePer = 60_000;
const mostRemembered = 10_000;

/** Records denied requests in the audit log (`AccessSource.denied`, OWASP ASVS 16.3.2). Never fails the request, which already has its response. */
export function denialRecorder(ctx: Context): AccessSource['denied'] {
  const written = new Map<string, number>();

  return (request, session, endpoint, code) => {
    const key = `${session.token?.id ?? session.userId} ${endpoint.method} ${endpoint.path} ${code}`;
    const now = ctx.now();
    if (now - (written.get(key) ?? -Infinity) < oncePer) return;
    if (written.size >= mostRemembered) for (const [old, at] of written) if (now - at >= oncePer || written.size >= mostRemembered) written.delete(old);
    written.delete(key);
    written.set(key, now);
    // The entry names the site only if the caller may know of it: `forbidden` is decided after that check.
    const { siteId } = request.params as { siteId?: string };
    record(ctx, ctx.postgres.db, actorOf({ session, request }), {
      action: 'sign.denied',
      result: 'refused',
      ...(siteId !== undefined && code === 'forbidden' ? { siteId } : {}),
      after: { method: endpoint.method, path: endpoint.path, reason: code },
    }).catch((error: unknown) => ctx.log.warn('A refusal could not be written to the audit log', { requestId: request.id, error }));
  };
}
