import { randomBytes } from 'node:crypto';
import { isIP } from 'node:net';
import type { HostObservation } from '../../../../contract/crawler/observations';
import { presentedCertificate, resolveAll } from '../../../net/publicAddress';
import type { CrawlState } from './crawlState';
import { decode } from './decode';
import { splitUrl } from './normalize';
import { isHtml, mimeOf } from './pageRow';
import { parsePage } from './parse';
import { requestInTurn } from './requests';
import type { RobotsState } from './robotsFiles';
import type { Fetched, FetchOptions } from './terms';
import { cut } from './textMeasures';

const mostHosts = 10;
const timeout = 10_000;

/** What the files contain if they are real: servers often answer every address with a page. */
const sensitive: readonly { readonly path: string; readonly kind: 'git' | 'environment' | 'backup'; readonly fits: (body: Buffer) => boolean }[] = [
  { path: '/.git/HEAD', kind: 'git', fits: (body) => /^(?:ref: refs\/|[\da-f]{40}\s*$)/.test(body.toString('latin1', 0, 60)) },
  { path: '/.env', kind: 'environment', fits: (body) => /^[A-Z][A-Z\d_]*\s*=/m.test(body.toString('latin1', 0, 4000)) && !body.includes('<') },
  { path: '/backup.zip', kind: 'backup', fits: (body) => body.toString('latin1', 0, 4) === 'PK\u0003\u0004' },
  { path: '/backup.sql', kind: 'backup', fits: (body) => /^(?:-- |\/\*|CREATE |INSERT |DROP )/m.test(body.toString('latin1', 0, 4000)) },
];

type Get = (url: string, options?: FetchOptions) => Promise<Fetched | null>;

/** A page that cannot exist: what the site answers to wrong addresses. */
async function probeOf(origin: string, get: Get): Promise<HostObservation['probe']> {
  let response = await get(`${origin}/${randomBytes(12).toString('hex')}`);
  for (let hop = 0; hop < 3 && response !== null && response.location !== null; hop += 1) response = await get(response.location);
  if (response === null || response.status === 0) return undefined;
  if (!isHtml(mimeOf(response.headers), response.body)) return { status: response.status, textHash: '', simhash: '0', title: '' };
  const { textHash, simhash, facts } = parsePage({ url: response.url, headers: response.headers, body: response.body });
  return { status: response.status, textHash, simhash: BigInt.asUintN(64, simhash).toString(16), title: facts.titles[0] ?? '' };
}

async function certificateOf({ start: { allowNear, authorities } }: CrawlState, url: URL): Promise<HostObservation['certificate']> {
  const host = url.hostname.replace(/^\[|\]$/g, '');
  try {
    const addresses = isIP(host) === 0 ? (await resolveAll(host)).map(({ address }) => address) : [host];
    const handshake = { addresses, port: Number(url.port || 443), signal: AbortSignal.timeout(timeout) };
    const { certificate, protocol, problem } = await presentedCertificate(host, handshake, {
      allowNear,
      ...(authorities === undefined ? {} : { authorities }),
    });
    return { validTo: new Date(certificate.validTo).toISOString(), protocol, error: problem === '' ? null : problem };
  } catch {
    return undefined;
  }
}

async function sensitiveOf(origin: string, get: Get): Promise<NonNullable<HostObservation['sensitive']>> {
  const found: { path: string; kind: 'git' | 'environment' | 'backup' }[] = [];
  for (const { path, kind, fits } of sensitive) {
    const response = await get(origin + path, { headers: { range: 'bytes=0-4095' }, maxBytes: 1024 * 1024 });
    if (response !== null && (response.status === 200 || response.status === 206) && fits(Buffer.from(response.body))) found.push({ path, kind });
  }
  return found;
}

/** Requests one after the other, as fast as the host may be requested; those that robots.txt forbids are left out. */
async function observeHost(state: CrawlState, origin: string, mark: boolean, mayRequest: (url: string) => boolean): Promise<HostObservation> {
  const { host } = splitUrl(`${origin}/`);
  const isSecure = origin.startsWith('https:');
  const inTurn: Get = (url, options) => requestInTurn(state, url, { timeout, ...options });
  const get: Get = (url, options) => (splitUrl(url).origin === origin && !mayRequest(url) ? Promise.resolve(null) : inTurn(url, options));
  const probe = await probeOf(origin, get);
  const certificate = isSecure ? await certificateOf(state, new URL(origin)) : undefined;
  const insecure = isSecure && mayRequest(`${origin}/`) ? await inTurn(`http://${host.replace(/:\d+$/, '')}/`, { method: 'HEAD' }) : null;
  const llms = await get(`${origin}/llms.txt`, { maxBytes: 1024 * 1024 });
  return {
    host,
    robotsMark: mark,
    ...(probe === undefined ? {} : { probe }),
    ...(certificate === undefined ? {} : { certificate }),
    ...(insecure === null ? {} : { insecure: { status: insecure.status, location: insecure.location } }),
    ...(llms === null || llms.status === 0
      ? {}
      : { llms: { status: llms.status, mime: mimeOf(llms.headers), body: cut(decode(llms.body, llms.headers['content-type'] ?? '').text, 20_000) } }),
    ...(state.isVerified(host) ? { sensitive: await sensitiveOf(origin, inTurn) } : {}),
  };
}

/** What rules of the whole site need to know about the hosts that were crawled. */
export async function observeHosts(
  state: CrawlState,
  robots: ReadonlyMap<string, RobotsState>,
  mayRequest: (url: string) => boolean,
): Promise<HostObservation[]> {
  const origins = [...robots].filter(([, file]) => file.kind === 'ready').map(([origin]) => origin);
  const all = origins.length > 0 ? origins : [...state.seedOrigins];
  const observed: HostObservation[] = [];
  for (const origin of all.filter((one) => state.scope.isInternal(`${one}/`)).slice(0, mostHosts)) {
    const file = robots.get(origin);
    observed.push(await observeHost(state, origin, file?.kind === 'ready' && file.mark, mayRequest));
  }
  return observed;
}
