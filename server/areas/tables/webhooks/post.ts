import type { IncomingMessage } from 'node:http';
import { webhookLimits } from '../../../../contract/tables/webhooks';
import type { DeliveryError } from '../../../../contract/tables/webhooks';
import type { Context } from '../../../context';
import { signatureHeaders } from '../../../kit/webhookSignature';
import { beginningOf } from '../../../net/beginningOf';
import { sendRequest, asRefusal } from '../../../net/publicAddress';
import type { AddressOptions } from '../../../net/publicAddress';
import { messageId } from './message';
import type { DeliveryRecord, WebhookRecord } from './queries';

const sealPurpose = 'tableHook';
/** Encrypts a secret for storage. */
export const sealSecret = (ctx: Pick<Context, 'secrets'>, secret: string): string => ctx.secrets.seal(sealPurpose, secret);

/** Result of one attempt. */
export type Outcome = {
  readonly ok: boolean;
  readonly status: number | null;
  readonly error: DeliveryError | null;
  /** A network error code. */
  readonly detail: string;
  readonly reply: string | null;
  readonly ms: number;
  /** Delay that the receiver requests, in milliseconds. */
  readonly retryAfter: number | null;
};

/** Headers of a delivery except the signature; `timestamp` in seconds. */
export const headersOf = (delivery: DeliveryRecord, timestamp: number): Record<string, string> => ({
  'content-type': 'application/json; charset=utf-8',
  'user-agent': 'Sitewright-Webhooks/1',
  'webhook-id': messageId(delivery),
  'webhook-timestamp': String(timestamp),
  'x-sitewright-event': delivery.event,
});

/** Signing secrets: the current one, and the old one while it is valid. */
function secretsOf(ctx: Context, hook: WebhookRecord): string[] {
  const old = hook.oldSecret !== null && hook.oldSecretUntil !== null && hook.oldSecretUntil.getTime() > ctx.now() ? [hook.oldSecret] : [];
  return [hook.secret, ...old].map((sealed) => ctx.secrets.open(sealPurpose, sealed));
}

/**
 * Posts a message once. Only to public addresses (private ones if `PRIVATE_WEBHOOKS` allows them), without following redirects, within ten seconds.
 * Never throws.
 */
export async function post(
  ctx: Context,
  hook: WebhookRecord,
  delivery: DeliveryRecord,
  body: string,
  {
    timeout = webhookLimits.timeoutMs,
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
    error: null,
    detail: '',
    reply: null,
    retryAfter: null,
    ...outcome,
    ms: Math.round(performance.now() - begun),
  });
  try {
    const headers = {
      ...headersOf(delivery, timestamp),
      ...signatureHeaders({ id: messageId(delivery), timestamp, secrets: secretsOf(ctx, hook), body }),
      'content-length': Buffer.byteLength(body),
    };
    const response = await sendRequest(
      new URL(hook.url),
      { method: 'POST', headers, body, signal },
      { allowNear: ctx.config.privateWebhooks, ...(resolve ? { resolve } : {}) },
    );
    const status = response.statusCode ?? 0;
    const reply = await beginningOf(response, webhookLimits.replyBytes);
    const outcome = { status, reply, retryAfter: retryAfterOf(response) };
    if (status >= 200 && status < 300) return ended({ ...outcome, ok: true });
    return ended({ ...outcome, error: status === 410 ? 'gone' : status >= 300 && status < 400 ? 'redirected' : 'answered' });
  } catch (error) {
    const { code, detail } = asRefusal(error, signal);
    return ended(detail === 'ETIMEDOUT' ? { error: 'timed_out' } : { error: code, detail: code === 'not_reachable' ? detail : '' });
  }
}

/** `Retry-After` in seconds; dates are ignored. */
function retryAfterOf({ headers }: IncomingMessage): number | null {
  const said = headers['retry-after'];
  return said !== undefined && /^\d{1,6}$/.test(said) ? Number(said) * 1000 : null;
}
