import type { IncomingHttpHeaders } from 'node:http';
import { parseUrl } from '../../../contract/parseUrl';
import type { Context } from '../../context';
import { ConnectRefused, sendRequest } from '../../net/publicAddress';
import { readBody } from '../../net/readText';
import { SourceStop } from './zip';

const agent = 'Sitewright';
const headers = {
  accept: 'text/html,application/xhtml+xml;q=0.9,*/*;q=0.8',
  'accept-encoding': 'gzip, br',
  'user-agent': `Mozilla/5.0 (compatible; ${agent})`,
};
const mostHops = 5;

export type Fetched = { readonly url: URL; readonly status: number; readonly type: string; readonly headers: IncomingHttpHeaders; readonly body: Buffer };
/** What is at an address, behind redirects; the address of every hop is checked before it is connected to. Throws `ConnectRefused`, and `SourceStop` beyond `most` bytes. */
export async function fetched(
  ctx: Context,
  start: URL,
  { most, ms, signal }: { readonly most: number; readonly ms: number; readonly signal: AbortSignal },
): Promise<Fetched> {
  let url = start;
  const within = AbortSignal.any([signal, AbortSignal.timeout(ms)]);
  for (let hop = 0; hop <= mostHops; hop += 1) {
    const response = await sendRequest(url, { headers, signal: within }, { allowNear: ctx.config.privateSites });
    const { statusCode: status = 0, headers: received } = response;
    const target = status >= 300 && status < 400 && received.location !== undefined ? parseUrl(received.location, url) : null;
    if (target !== null) {
      response.destroy();
      url = target;
      continue;
    }
    const body = await readBody(response, most + 1, within);
    if (body.length > most) throw new SourceStop('too_large');
    return { url, status, type: received['content-type'] ?? '', headers: received, body };
  }
  throw new ConnectRefused('not_reachable', 'too many redirects');
}
