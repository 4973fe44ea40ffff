import { createECDH, createHash, createPrivateKey, generateKeyPairSync, sign } from 'node:crypto';
import type { KeyObject } from 'node:crypto';
import { request } from 'node:https';
import type { Secrets } from '../../../secrets';
import { certificateRequest } from './csr';

/** Why a certificate authority refused: the type of its problem (RFC 8555, 6.7) without its prefix, and its sentence. */
export class AcmeFailure extends Error {
  override readonly name = 'AcmeFailure';
  readonly code: string;

  constructor(code: string, detail: string) {
    super(`${code}: ${detail}`);
    this.code = code;
  }
}

export type AcmeAccount = {
  readonly key: KeyObject;
  /** What challenges are answered with, besides their token (RFC 8555, 8.1). */
  readonly thumbprint: string;
};

type Jwk = { readonly crv: 'P-256'; readonly kty: 'EC'; readonly x: string; readonly y: string };

/**
 * The account at a certificate authority. Its key is derived from the key of the installation, so that every process answers challenges without asking, and there is
 * nothing to store.
 */
export function acmeAccount(secrets: Pick<Secrets, 'mac'>, directory: string): AcmeAccount {
  const ecdh = createECDH('prime256v1');
  const secret = Buffer.from(secrets.mac('acme account', directory), 'base64url');
  ecdh.setPrivateKey(secret);
  const point = ecdh.getPublicKey();
  const jwk: Jwk = { crv: 'P-256', kty: 'EC', x: point.subarray(1, 33).toString('base64url'), y: point.subarray(33).toString('base64url') };
  return {
    key: createPrivateKey({ key: { ...jwk, d: secret.toString('base64url') }, format: 'jwk' }),
    thumbprint: createHash('sha256').update(JSON.stringify(jwk)).digest('base64url'),
  };
}

export type AcmeOptions = {
  readonly directory: string;
  readonly account: AcmeAccount;
  readonly signal: AbortSignal;
  /** Certificate authorities (PEM) to trust for the directory itself instead of those of Node. */
  readonly authorities?: string;
  /** Milliseconds between two looks at an order that is being processed. */
  readonly pollEvery?: number;
};

type Answer = { readonly status: number; readonly headers: Readonly<Record<string, string | string[] | undefined>>; readonly text: string };
/** `renewalInfo`: absent if the authority has none (RFC 9773). */
export type Directory = { readonly newNonce: string; readonly newAccount: string; readonly newOrder: string; readonly renewalInfo?: string };
type Order = {
  readonly status: string;
  readonly authorizations: readonly string[];
  readonly finalize: string;
  readonly certificate?: string;
  readonly error?: Problem;
};
type Problem = { readonly type?: string; readonly detail?: string };
type Authorization = { readonly status: string; readonly challenges: readonly { readonly type: string; readonly url: string; readonly error?: Problem }[] };

const mostBytes = 256 * 1024;
const mostPolls = 60;
/** Authorities may refuse any nonce, also several in a row; the refusal brings the next one. */
const mostNonces = 10;

export function send(url: string, body: string | null, { signal, authorities }: Pick<AcmeOptions, 'signal' | 'authorities'>): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const trust = authorities === undefined ? {} : { ca: authorities };
    const headers = {
      'user-agent': 'Sitewright',
      ...(body === null ? {} : { 'content-type': 'application/jose+json', 'content-length': Buffer.byteLength(body) }),
    };
    const sent = request(url, { method: body === null ? 'GET' : 'POST', headers, signal, timeout: 30_000, ...trust }, (response) => {
      const parts: Buffer[] = [];
      let bytes = 0;
      response.on('data', (part: Buffer) => {
        bytes += part.length;
        if (bytes > mostBytes) response.destroy(new Error('the answer is too large'));
        parts.push(part);
      });
      response.on('end', () => resolve({ status: response.statusCode ?? 0, headers: response.headers, text: Buffer.concat(parts).toString('utf8') }));
      response.on('error', reject);
    });
    sent.on('timeout', () => sent.destroy(new Error('no answer within 30 seconds')));
    sent.on('error', reject);
    sent.end(body ?? undefined);
  });
}

const failureOf = ({ type = '', detail = '' }: Problem): AcmeFailure =>
  new AcmeFailure(type.slice(type.lastIndexOf(':') + 1) || 'malformed', detail.slice(0, 300));
/** The object of an answer. Throws `AcmeFailure` for what stands in for the authority, such as a proxy with a page of its own. */
export function bodyOf({ status, text }: Answer): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new AcmeFailure('malformed', `an answer with status ${status} that is not JSON`);
  }
}
const encode = (value: unknown): string => Buffer.from(typeof value === 'string' ? value : JSON.stringify(value)).toString('base64url');
const headerOf = ({ headers }: Answer, name: string): string => String(headers[name] ?? '');

export async function readDirectory(options: Pick<AcmeOptions, 'directory' | 'signal' | 'authorities'>): Promise<Directory> {
  const listed = await send(options.directory, null, options);
  if (listed.status >= 400) throw failureOf(bodyOf(listed) as Problem);
  return bodyOf(listed) as Directory;
}

/** Signed requests of one account, each with a nonce of the answer before (RFC 8555, 6). */
async function connect(options: AcmeOptions) {
  const { account } = options;
  const places = await readDirectory(options);
  let nonce = headerOf(await send(places.newNonce, null, options), 'replay-nonce');
  let kid: string | null = null;
  const { crv, kty, x, y } = account.key.export({ format: 'jwk' });

  async function post(url: string, payload: object | null, tries = mostNonces): Promise<Answer> {
    const signer = kid === null ? { jwk: { crv, kty, x, y } } : { kid };
    const head = encode({ alg: 'ES256', nonce, url, ...signer });
    const content = payload === null ? '' : encode(payload);
    const signature = sign('sha256', Buffer.from(`${head}.${content}`), { key: account.key, dsaEncoding: 'ieee-p1363' }).toString('base64url');
    const answer = await send(url, JSON.stringify({ protected: head, payload: content, signature }), options);
    nonce = headerOf(answer, 'replay-nonce') || nonce;
    if (answer.status < 400) return answer;
    const failure = failureOf(bodyOf(answer) as Problem);
    if (failure.code === 'badNonce' && tries > 1) return post(url, payload, tries - 1);
    throw failure;
  }
  kid = headerOf(await post(places.newAccount, { termsOfServiceAgreed: true }), 'location');
  return { post, places };
}

async function pollUntil<T extends { readonly status: string }>(
  read: () => Promise<T>,
  ends: readonly string[],
  { pollEvery = 2000, signal }: AcmeOptions,
): Promise<T> {
  for (let poll = 0; poll < mostPolls; poll += 1) {
    signal.throwIfAborted();
    const found = await read();
    if (ends.includes(found.status)) return found;
    await new Promise((resolve) => setTimeout(resolve, pollEvery));
  }
  throw new AcmeFailure('timeout', 'the order was not processed in time');
}

/** The authority knows of another replacement, or not of the certificate at all: an order need not name it. */
const notReplaceable: ReadonlySet<string> = new Set(['alreadyReplaced', 'conflict', 'malformed', 'unauthorized']);

/**
 * A certificate chain and its new key, in PEM. Proves control of the host by HTTP-01, which the delivery listener answers. `replaces`: the id of the certificate that it
 * renews, which authorities with renewal information do not count towards their limits (RFC 9773, 5). Throws `AcmeFailure`.
 */
export async function requestCertificate(
  host: string,
  options: AcmeOptions,
  replaces: string | null = null,
): Promise<{ readonly chain: string; readonly key: string }> {
  const { post, places } = await connect(options);
  const terms = { identifiers: [{ type: 'dns', value: host }] };
  const read = async <T>(url: string): Promise<T> => bodyOf(await post(url, null)) as T;
  const isNamed = replaces !== null && places.renewalInfo !== undefined;
  const created = await post(places.newOrder, { ...terms, ...(isNamed && { replaces }) }).catch((error: unknown) => {
    if (!isNamed || !(error instanceof AcmeFailure) || !notReplaceable.has(error.code)) throw error;
    return post(places.newOrder, terms);
  });
  const orderUrl = headerOf(created, 'location');
  const order = bodyOf(created) as Order;
  for (const url of order.authorizations) {
    const authorization = await read<Authorization>(url);
    if (authorization.status === 'valid') continue;
    const challenge = authorization.challenges.find(({ type }) => type === 'http-01');
    if (!challenge) throw new AcmeFailure('malformed', 'no HTTP-01 challenge');
    await post(challenge.url, {});
    const done = await pollUntil(() => read<Authorization>(url), ['valid', 'invalid'], options);
    if (done.status === 'invalid') throw failureOf(done.challenges.find(({ error }) => error)?.error ?? {});
  }
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  await post(order.finalize, { csr: certificateRequest(host, privateKey).toString('base64url') });
  const { status, certificate, error } = await pollUntil(() => read<Order>(orderUrl), ['valid', 'invalid'], options);
  if (status === 'invalid' || certificate === undefined) throw failureOf(error ?? {});
  return { chain: (await post(certificate, null)).text, key: String(privateKey.export({ type: 'pkcs8', format: 'pem' })) };
}
