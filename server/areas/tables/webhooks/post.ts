import { createHmac } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { hookLimits } from '../../../../contract/tables/webhooks';
import type { DeliveryFault } from '../../../../contract/tables/webhooks';
import type { Context } from '../../../context';
import { beginningOf } from '../../../net/beginningOf';
import { sendRequest, asRefusal } from '../../../net/publicAddress';
import type { AddressOptions } from '../../../net/publicAddress';
import { messageId } from './message';
import type { DeliveryRecord, HookRecord } from './queries';

const sealPurpose = 'tableHook';
export const secretPrefix = 'whsec_';
/** As it is kept. */
export const sealSecret = (ctx: Pick<Context, 'secrets'>, secret: string): string => ctx.secrets.seal(sealPurpose, secret);

/** `v1,` and the HMAC-SHA-256 of `id.timestamp.body` in Base64, by the key that follows the prefix of the secret (Standard Webhooks 1.0.0). */
export const signatureOf = (secret: string, id: string, timestamp: number, body: string): string =>
  `v1,${createHmac('sha256', Buffer.from(secret.slice(secretPrefix.length), 'base64'))
    .update(`${id}.${timestamp}.${body}`)
    .digest('base64')}`;

/** What came of one attempt. */
export type Outcome = {
  readonly ok: boolean;
  readonly status: number | null;
  readonly fault: DeliveryFault | null;
  /** A code of the network. */
  readonly detail: string;
  readonly reply: string | null;
  readonly ms: number;
  /** When the receiver asks to be tried again, in milliseconds from now. */
  readonly retryAfter: number | null;
};

/** Headers of a delivery but the signature; `timestamp` in seconds. */
export const headersOf = (delivery: DeliveryRecord, timestamp: number): Record<string, string> => ({
  'content-type': 'application/json; charset=utf-8',
  'user-agent': 'Sitewright-Webhooks/1',
  'webhook-id': messageId(delivery),
  'webhook-timestamp': String(timestamp),
  'x-sitewright-event': delivery.event,
});

/** Secrets that sign now: the present one, and the one before while it still does. */
function secretsOf(ctx: Context, hook: HookRecord): string[] {
  const old = hook.oldSecret !== null && hook.oldSecretUntil !== null && hook.oldSecretUntil.getTime() > ctx.now() ? [hook.oldSecret] : [];
  return [hook.secret, ...old].map((sealed) => ctx.secrets.open(sealPurpose, sealed));
}

/**
 * Posts a message once. To public addresses only (private ones where `PRIVATE_WEBHOOKS` allows them), without following redirects, ten seconds at most.
 * Never throws.
 */
export async function post(
  ctx: Context,
  hook: HookRecord,
  delivery: DeliveryRecord,
  body: string,
  {
    timeout = hookLimits.timeoutMs,
    stop,
    resolve,
  }: { readonly timeout?: number; readonly stop?: AbortSignal; readonly resolve?: AddressOptions['resolve'] } = {},
): Promise<Outcome> {
  const begun = performance.now();
  const timestamp = Math.floor(ctx.now() / 1000);
  const signal = AbortSignal.any([AbortSignal.timeout(timeout), ...(stop ? [stop] : [])]);
  const ended = (outcome: Partial<Outcome>): Outcome => ({
    ok: false,
    status: null,
    fault: null,
    detail: '',
    reply: null,
    retryAfter: null,
    ...outcome,
    ms: Math.round(performance.now() - begun),
  });
  try {
    const headers = {
      ...headersOf(delivery, timestamp),
      'webhook-signature': secretsOf(ctx, hook)
        .map((secret) => signatureOf(secret, messageId(delivery), timestamp, body))
        .join(' '),
      'content-length': Buffer.byteLength(body),
    };
    const response = await sendRequest(
      new URL(hook.url),
      { method: 'POST', headers, body, signal },
      { allowNear: ctx.config.privateWebhooks, ...(resolve ? { resolve } : {}) },
    );
    const status = response.statusCode ?? 0;
    const reply = await beginningOf(response, hookLimits.replyBytes);
    const outcome = { status, reply, retryAfter: retryAfterOf(response) };
    if (status >= 200 && status < 300) return ended({ ...outcome, ok: true });
    return ended({ ...outcome, fault: status === 410 ? 'gone' : status >= 300 && status < 400 ? 'redirected' : 'answered' });
  } catch (error) {
    const { code, detail } = asRefusal(error, signal);
    return ended(detail === 'ETIMEDOUT' ? { fault: 'timed_out' } : { fault: code, detail: code === 'not_reachable' ? detail : '' });
  }
}

/** Seconds, as `Retry-After` may say them; dates are not read. */
function retryAfterOf({ headers }: IncomingMessage): number | null {
  const said = headers['retry-after'];
  return said !== undefined && /^\d{1,6}$/.test(said) ? Number(said) * 1000 : null;
}
