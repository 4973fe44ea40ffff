import { createHash, createHmac } from 'node:crypto';

/** Signatures of requests to cloud services, as their documentation describes them. */

export type AccessKey = { readonly id: string; readonly secret: string };

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');
const hmac = (key: string | Buffer, text: string): Buffer => createHmac('sha256', key).update(text).digest();

/** Names and values of headers in their canonical form, sorted by name. */
function canonical(headers: Readonly<Record<string, string>>): { readonly text: string; readonly names: string } {
  const sorted = Object.entries(headers)
    .map(([name, value]) => [name.toLowerCase(), value.trim()] as const)
    .toSorted(([a], [b]) => (a < b ? -1 : 1));
  return { text: sorted.map(([name, value]) => `${name}:${value}\n`).join(''), names: sorted.map(([name]) => name).join(';') };
}

/**
 * `Authorization` of Alibaba Cloud: “Request syntax and signature method V3”, ACS3-HMAC-SHA256. `headers`: all that are signed, among them `host` and those that begin with `x-acs-`.
 *
 * @param query In its canonical form: encoded, sorted by name.
 */
export function acs3Authorization(
  { id, secret }: AccessKey,
  { headers, query = '', body }: { readonly headers: Readonly<Record<string, string>>; readonly query?: string; readonly body: string },
): string {
  const { text, names } = canonical(headers);
  const request = ['POST', '/', query, text, names, sha256(body)].join('\n');
  const signature = hmac(secret, `ACS3-HMAC-SHA256\n${sha256(request)}`).toString('hex');
  return `ACS3-HMAC-SHA256 Credential=${id},SignedHeaders=${names},Signature=${signature}`;
}

/** `Authorization` of Tencent Cloud: “Signature v3”, TC3-HMAC-SHA256. `seconds`: Unix time, as `X-TC-Timestamp` has it. */
export function tc3Authorization(
  { id, secret }: AccessKey,
  {
    service,
    headers,
    body,
    seconds,
  }: { readonly service: string; readonly headers: Readonly<Record<string, string>>; readonly body: string; readonly seconds: number },
): string {
  const { text, names } = canonical(headers);
  const day = new Date(seconds * 1000).toISOString().slice(0, 10);
  const scope = `${day}/${service}/tc3_request`;
  const request = ['POST', '/', '', text, names, sha256(body)].join('\n');
  const key = hmac(hmac(hmac(`TC3${secret}`, day), service), 'tc3_request');
  const signature = hmac(key, ['TC3-HMAC-SHA256', String(seconds), scope, sha256(request)].join('\n')).toString('hex');
  return `TC3-HMAC-SHA256 Credential=${id}/${scope}, SignedHeaders=${names}, Signature=${signature}`;
}
