import { isIP } from 'node:net';
import type { Certificate, ProbeResult } from '../../../contract/hostnames/schemas';
import type { TlsState } from '../../../contract/hostnames/terms';
import { parseUrl } from '../../../contract/parseUrl';
import type { Secrets } from '../../secrets';
import { asRefusal, ConnectRefused, presentedCertificate, sendRequest } from '../../net/publicAddress';
import type { Resolve } from '../../net/publicAddress';
import { readBody, textOf } from '../../net/readText';
import { certificateOf } from './tls/pem';

export const probePath = '/.well-known/sitecheck/';
const limits = { ms: 5000, bytes: 4096 } as const;

/**
 * The answer to a request for a token of a host: only a delivery listener of this installation can compute it, and it is another one for each `Host`, so that a proxy
 * that changes the header is noticed.
 */
export const probeAnswer = (secrets: Pick<Secrets, 'mac'>, host: string, token: string): string => secrets.mac('hostname probe', `${host} ${token}`);

export type ReachOptions = {
  readonly allowNear: boolean;
  /** Addresses of the host, as the resolvers of the check found them. */
  readonly addresses: readonly string[];
  /** Replaced in tests. */
  readonly ports?: { readonly http: number; readonly https: number };
  /** Certificate authorities (PEM) to trust instead of those of Node. */
  readonly authorities?: string;
};

const headers = { accept: 'text/plain', 'cache-control': 'no-cache', 'user-agent': 'Mozilla/5.0 (compatible; Sitewright hostname check)' };

const resolveTo =
  (addresses: readonly string[]): Resolve =>
  async () =>
    addresses.map((address) => ({ address, family: isIP(address) }));

/** Requests the token of a host: at most five seconds and 4 kB, and one redirect, from http to https of the same host. Throws only when `stop` aborts it. */
export async function probeHost(
  { host, token, expected }: { readonly host: string; readonly token: string; readonly expected: string },
  stop: AbortSignal,
  { allowNear, addresses, ports = { http: 80, https: 443 }, authorities }: ReachOptions,
): Promise<ProbeResult> {
  if (addresses.length === 0) return { state: 'unknown', detail: '' };
  const signal = AbortSignal.any([stop, AbortSignal.timeout(limits.ms)]);
  const options = { allowNear, resolve: resolveTo(addresses), ...(authorities === undefined ? {} : { authorities }) };
  try {
    const url = new URL(`http://${host}:${ports.http}${probePath}${token}`);
    let response = await sendRequest(url, { headers: { ...headers, host }, signal }, options);
    const { location } = response.headers;
    const secure = location === undefined ? null : parseUrl(location, url);
    if (secure?.protocol === 'https:' && secure.hostname === host && secure.pathname === url.pathname) {
      response.destroy();
      secure.port = String(ports.https);
      response = await sendRequest(secure, { headers: { ...headers, host }, signal }, options);
    }
    if (response.statusCode !== 200) {
      response.destroy();
      return { state: 'wrong', detail: String(response.statusCode) };
    }
    const text = textOf(await readBody(response, limits.bytes, signal), response.headers);
    return text.trim() === expected ? { state: 'ok', detail: '' } : { state: 'wrong', detail: '' };
  } catch (error) {
    if (stop.aborted) throw error;
    const { code, detail } = error instanceof ConnectRefused ? error : asRefusal(error, signal);
    return { state: 'unreachable', detail: code === 'address_refused' ? 'private_address' : detail };
  }
}

/** The scheme that the program believes a visitor over https to use; null: no answer. A proxy that it does not trust leaves it at http, and forcing https would never end. */
export async function schemeReceived(
  { host, token }: { readonly host: string; readonly token: string },
  stop: AbortSignal,
  options: ReachOptions,
): Promise<string | null> {
  const { allowNear, addresses, ports = { http: 80, https: 443 }, authorities } = options;
  const signal = AbortSignal.any([stop, AbortSignal.timeout(limits.ms)]);
  const trust = authorities === undefined ? {} : { authorities };
  try {
    const url = new URL(`https://${host}:${ports.https}${probePath}${token}`);
    const response = await sendRequest(url, { headers: { ...headers, host }, signal }, { allowNear, resolve: resolveTo(addresses), ...trust });
    response.destroy();
    const scheme = response.headers['x-sitecheck-scheme'];
    return typeof scheme === 'string' ? scheme : null;
  } catch (error) {
    if (stop.aborted) throw error;
    return null;
  }
}

export type TlsFinding = { readonly tls: TlsState; readonly tlsError: string; readonly certificate: Certificate | null };
const noConnection: ReadonlySet<string> = new Set(['ECONNREFUSED', 'ETIMEDOUT', 'EHOSTUNREACH', 'ENETUNREACH', 'EADDRNOTAVAIL', 'ENOTFOUND']);

/** Shakes hands with port 443 of a host and looks at its certificate. Null: no connection, which says nothing about the certificate. */
export async function inspectTls(host: string, stop: AbortSignal, options: ReachOptions): Promise<TlsFinding | null> {
  const { allowNear, addresses, ports = { http: 80, https: 443 }, authorities } = options;
  const signal = AbortSignal.any([stop, AbortSignal.timeout(limits.ms)]);
  const trust = authorities === undefined ? {} : { authorities };
  try {
    const { certificate, problem } = await presentedCertificate(host, { addresses, port: ports.https, signal }, { allowNear, ...trust });
    const tls: TlsState = problem === '' ? 'active' : problem === 'CERT_HAS_EXPIRED' ? 'expired' : 'failed';
    return { tls, tlsError: problem, certificate: certificateOf(certificate) };
  } catch (error) {
    if (stop.aborted || !(error instanceof ConnectRefused)) throw error;
    const isSilent = error.code === 'address_refused' || noConnection.has(error.detail);
    return isSilent ? null : { tls: 'failed', tlsError: error.detail, certificate: null };
  }
}
