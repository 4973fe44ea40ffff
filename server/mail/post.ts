import { createHmac } from 'node:crypto';
import type { Context } from '../context';
import { secretOf, signatureHeaders } from '../kit/webhookSignature';
import { beginningOf } from '../net/beginningOf';
import { ConnectRefused, sendRequest, asRefusal } from '../net/publicAddress';
import { refusedByRobot, robotRequest } from './robots';
import type { Robot, RobotText } from './robots';
import { Undelivered } from './undelivered';

/** Number of bytes of a response that are reported; more is not read. */
const responseLimit = 200;
export const postTimeout = 10_000;

/** `sha256=` and the HMAC-SHA-256 of the body in hex: the signature for receivers set up before Standard Webhooks. Sent until version 1.0. */
export const legacySignatureOf = (secret: string, body: string): string => `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`;

/** The secret of a contact's webhook in the form given to its receiver. Its bytes are the key of both signatures. */
export const contactSecret = (key: string): string => secretOf(Buffer.from(key));

/**
 * Posts a signed JSON body to a webhook and returns its response in one line. Connects to public addresses only (to private ones if the installation allows
 * it), follows no redirects and times out after ten seconds. Throws `Undelivered`.
 */
export async function post(
  { config, now }: Pick<Context, 'config' | 'now'>,
  message: { readonly id: string; readonly url: string; readonly body: string; readonly secret: string; readonly robot?: Robot },
): Promise<string> {
  const { id, secret, robot } = message;
  const signal = AbortSignal.timeout(postTimeout);
  const { url, body } = robot ? robotRequest(robot, JSON.parse(message.body) as RobotText, { url: message.url, secret, now: now() }) : message;
  const headers = {
    'content-type': 'application/json; charset=utf-8',
    'content-length': Buffer.byteLength(body),
    'user-agent': 'Sitewright webhook',
    ...(robot
      ? {}
      : {
          ...signatureHeaders({ id: `msg_${id}`, timestamp: Math.floor(now() / 1000), secrets: [contactSecret(secret)], body }),
          'x-signature': legacySignatureOf(secret, body),
        }),
  };
  try {
    const response = await sendRequest(new URL(url), { method: 'POST', headers, body, signal }, { allowNear: config.privateWebhooks });
    const { statusCode: status = 0, statusMessage = '' } = response;
    const said = `HTTP ${status} ${statusMessage}`.trim();
    const beginning = await beginningOf(response, responseLimit);
    const refused = robot !== undefined && refusedByRobot(beginning);
    if (status >= 200 && status < 300 && !refused) return said;
    // 410: the receiver states that the endpoint is permanently gone. Any other status may be resolved within a day.
    throw new Undelivered(beginning === '' ? said : `${said}: ${beginning}`, status === 410);
  } catch (error) {
    if (error instanceof Undelivered) throw error;
    const refusal = asRefusal(error, signal);
    throw new Undelivered(refusal.message, refusal instanceof ConnectRefused && refusal.code === 'address_refused');
  }
}
