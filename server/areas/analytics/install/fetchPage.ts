import type { IncomingHttpHeaders } from 'node:http';
import { parseUrl } from '../../../../contract/parseUrl';
import { ConnectRefused, sendRequest } from '../../../net/publicAddress';
import type { AddressOptions } from '../../../net/publicAddress';
import { readBody, textOf } from '../../../net/readText';

export const fetchLimits = { ms: 10_000, bytes: 2 * 1024 * 1024, redirects: 5 } as const;

export type Page = {
  readonly url: URL;
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly policies: readonly string[];
  readonly text: string;
};

const asBrowser = {
  accept: 'text/html,application/xhtml+xml;q=0.9,*/*;q=0.5',
  'accept-encoding': 'gzip, br',
  'user-agent': 'Mozilla/5.0 (compatible; Sitewright page check)',
};

/**
 * Fetches a page as a browser would, without running scripts: at most five redirects, ten seconds, two megabytes. The address of every hop is checked before
 * the request (`net/publicAddress`). Throws `ConnectRefused`.
 */
export async function fetchPage(start: URL, options: AddressOptions): Promise<Page> {
  const signal = AbortSignal.timeout(fetchLimits.ms);
  let url = start;
  for (let hop = 0; hop <= fetchLimits.redirects; hop += 1) {
    const response = await sendRequest(url, { headers: asBrowser, signal }, options);
    const { statusCode: status = 0, headers } = response;
    if (status >= 300 && status < 400 && headers.location !== undefined && status !== 304) {
      response.destroy();
      const target = parseUrl(headers.location, url);
      if (target === null) throw new ConnectRefused('not_reachable', 'bad redirect');
      url = target;
      continue;
    }
    const policies = response.headersDistinct['content-security-policy'] ?? [];
    return { url, status, headers, policies, text: textOf(await readBody(response, fetchLimits.bytes, signal), headers) };
  }
  throw new ConnectRefused('not_reachable', 'too many redirects');
}
