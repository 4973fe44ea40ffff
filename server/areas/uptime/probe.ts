import type { IncomingMessage } from 'node:http';
import { isIP } from 'node:net';
import type { UptimeFailure } from '../../../contract/uptime/schemas';
import { parseUrl } from '../../../contract/parseUrl';
import type { Config } from '../../config';
import { isLoopback } from '../../loopback';
import { ConnectRefused, sendRequest, certificateExpiryOf, resolveAll } from '../../net/publicAddress';
import type { AddressOptions, Resolve } from '../../net/publicAddress';
import { readBody, textOf } from '../../net/readText';

export const probeLimits = { ms: 10_000, bytes: 64 * 1024, redirects: 5 } as const;

/** Expected result of a check. `expectedStatus` null: any from 200 to 299, after redirects. `keyword` empty: any text. */
export type Expectation = { readonly expectedStatus: number | null; readonly keyword: string };

export type Outcome = {
  /** Null: the site responds as expected. `private_address`: no request was sent, so the state is unknown. */
  readonly failure: UptimeFailure | 'private_address' | null;
  readonly detail: string;
  readonly ms: number;
  /** Of the first certificate in the redirect chain; null without TLS or without a connection. */
  readonly certificateExpiresAt: Date | null;
};

/** Allowed addresses and trusted certificates. Overridden in tests. */
export type ProbeOptions = Partial<Omit<AddressOptions, 'allowNear'>>;

const headers = {
  accept: '*/*',
  'accept-encoding': 'identity',
  'cache-control': 'no-cache',
  'user-agent': 'Mozilla/5.0 (compatible; Sitewright uptime check)',
};

/** The delivery listener's address as seen from this process; null if it may run on another machine. */
function deliveryAddress({ host, roles }: Pick<Config, 'host' | 'roles'>): string | null {
  if (!roles.has('delivery') && !isLoopback(host === '::1' ? '[::1]' : host)) return null;
  return host === '0.0.0.0' ? '127.0.0.1' : host === '::' ? '::1' : host;
}

/**
 * Connection options of a hop. A delivered site has a host name that only this machine resolves, so its listener is requested directly, with the site's host
 * name. All other addresses are checked against private networks.
 */
function addressOptions(config: Config, delivered: boolean, options: ProbeOptions): AddressOptions {
  if (!delivered) return { ...options, allowNear: config.privateSites };
  const listener = deliveryAddress(config);
  if (listener === null) throw new ConnectRefused('address_refused', 'delivery');
  const resolve: Resolve = async () => (isIP(listener) ? [{ address: listener, family: isIP(listener) }] : resolveAll(listener));
  return { ...options, allowNear: true, resolve };
}

const refusedCodes: ReadonlySet<string> = new Set(['ECONNREFUSED', 'EADDRNOTAVAIL']);
const dnsCodes: ReadonlySet<string> = new Set(['ENOTFOUND', 'ENODATA']);
const tlsCode = /^(?:CERT_|CRL_|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO_|HOSTNAME_MISMATCH|ERR_TLS|ERR_SSL|EPROTO|INVALID_CA|PATH_LENGTH)/;

/** Maps a network error code to a kind of failure. */
export function failureOf({ code, detail }: Pick<ConnectRefused, 'code' | 'detail'>): UptimeFailure | 'private_address' {
  if (code === 'address_refused') return 'private_address';
  if (dnsCodes.has(detail) || detail.startsWith('EAI_')) return 'dns';
  if (refusedCodes.has(detail)) return 'refused';
  if (detail === 'ETIMEDOUT') return 'timeout';
  return tlsCode.test(detail) ? 'tls' : 'network';
}

type Finding = Pick<Outcome, 'failure' | 'detail'>;
const asExpected: Finding = { failure: null, detail: '' };

async function judge(response: IncomingMessage, { expectedStatus, keyword }: Expectation, signal: AbortSignal): Promise<Finding> {
  const status = response.statusCode ?? 0;
  if (expectedStatus === null ? status < 200 || status > 299 : status !== expectedStatus) {
    response.destroy();
    return { failure: 'status', detail: String(status) };
  }
  if (keyword === '') {
    response.destroy();
    return asExpected;
  }
  const text = textOf(await readBody(response, probeLimits.bytes, signal), response.headers);
  return text.includes(keyword) ? asExpected : { failure: 'keyword', detail: '' };
}

/**
 * Sends one check to a site: at most ten seconds, 64 kB and five redirects; each hop's address is checked before the request. `stop` aborts it, which throws.
 * `servedHost`: the host name and port under which this program delivers the site.
 */
export async function probe(
  config: Config,
  { url: start, servedHost, ...expectation }: Expectation & { readonly url: URL; readonly servedHost: string | null },
  stop: AbortSignal,
  options: ProbeOptions = {},
): Promise<Outcome> {
  const began = performance.now();
  const signal = AbortSignal.any([stop, AbortSignal.timeout(probeLimits.ms)]);
  let certificateExpiresAt: Date | null = null;
  const outcome = ({ failure, detail }: Finding): Outcome => ({
    failure,
    detail: detail.slice(0, 100),
    ms: Math.round(performance.now() - began),
    certificateExpiresAt,
  });
  try {
    let url = start;
    for (let hop = 0; hop <= probeLimits.redirects; hop += 1) {
      const response = await sendRequest(url, { headers, signal }, addressOptions(config, url.host === servedHost, options));
      certificateExpiresAt ??= certificateExpiryOf(response);
      const { statusCode: status = 0 } = response;
      const { location } = response.headers;
      if (status < 300 || status > 399 || location === undefined || status === expectation.expectedStatus)
        return outcome(await judge(response, expectation, signal));
      response.destroy();
      const target = parseUrl(location, url);
      if (target === null) break;
      url = target;
    }
    return outcome({ failure: 'redirects', detail: '' });
  } catch (error) {
    if (!(error instanceof ConnectRefused) || stop.aborted) throw error;
    return outcome({ failure: failureOf(error), detail: error.code === 'address_refused' ? '' : error.detail });
  }
}
