import { createHmac, randomBytes } from 'node:crypto';

/** Webhook signatures as in Standard Webhooks 1.0.0 (https://www.standardwebhooks.com). */

const secretPrefix = 'whsec_';
const keyBytes = 32;

/** A secret in the form given to receivers: the prefix and the key in Base64. */
export const secretOf = (key: Buffer): string => `${secretPrefix}${key.toString('base64')}`;
export const newWebhookSecret = (): string => secretOf(randomBytes(keyBytes));

/** `v1,` and the HMAC-SHA-256 of `id.timestamp.body` in Base64. `timestamp` is in seconds. */
export const signatureOf = (secret: string, id: string, timestamp: number, body: string): string =>
  `v1,${createHmac('sha256', Buffer.from(secret.slice(secretPrefix.length), 'base64'))
    .update(`${id}.${timestamp}.${body}`)
    .digest('base64')}`;

/** The three headers of a signed message. `id` stays the same when a message is resent; several `secrets` are valid at once while one replaces another. */
export const signatureHeaders = ({
  id,
  timestamp,
  secrets,
  body,
}: {
  readonly id: string;
  /** In seconds. */
  readonly timestamp: number;
  readonly secrets: readonly string[];
  readonly body: string;
}) => ({
  'webhook-id': id,
  'webhook-timestamp': String(timestamp),
  'webhook-signature': secrets.map((secret) => signatureOf(secret, id, timestamp, body)).join(' '),
});
