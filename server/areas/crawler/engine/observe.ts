import { connect } from 'node:tls';
import { randomBytes } from 'node:crypto';
import type { HostObservation } from '../../../../contract/crawler/observations';
import { guardedLookup, literalRefusal, mayConnect } from '../../../net/publicAddress';
import type { CrawlState } from './crawlState';
import { decode } from './decode';
import { splitUrl } from './normalize';
import { isHtml, mimeOf } from './pageRow';
import { parsePage } from './parse';
import type { RobotsState } from './robotsFiles';
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

/** A page that cannot exist: what the site answers to wrong addresses. */
async function probeOf(state: CrawlState, origin: string): Promise<HostObservation['probe']> {
  const url = `${origin}/${randomBytes(12).toString('hex')}`;
  let response = await state.fetcher.send(url, { timeout });
  for (let hop = 0; hop < 3 && response.location !== null; hop += 1) response = await state.fetcher.send(response.location, { timeout });
  if (response.status === 0) return undefined;
  if (!isHtml(mimeOf(response.headers), response.body)) return { status: response.status, textHash: '', simhash: '0', title: '' };
  const { textHash, simhash, facts } = parsePage({ url: response.url, headers: response.headers, body: response.body });
  return { status: response.status, textHash, simhash: BigInt.asUintN(64, simhash).toString(16), title: facts.titles[0] ?? '' };
}

function certificateOf(state: CrawlState, url: URL): Promise<HostObservation['certificate']> {
  const { allowNear } = state.start;
  if (literalRefusal(url, { allowNear }) !== null) return Promise.resolve(undefined);
  const host = url.hostname.replace(/^\[|\]$/g, '');
  const trust = state.start.authorities === undefined ? {} : { ca: state.start.authorities };
  return new Promise((resolve) => {
    const socket = connect({
      host,
      port: Number(url.port || 443),
      servername: host,
      rejectUnauthorized: false,
      lookup: guardedLookup({ allowNear }),
      timeout,
      ...trust,
    });
    socket.once('timeout', () => socket.destroy());
    socket.once('error', () => resolve(undefined));
    socket.once('close', () => resolve(undefined));
    socket.once('secureConnect', () => {
      const { valid_to: end } = socket.getPeerCertificate();
      const at = new Date(end ?? Number.NaN);
      if (mayConnect(socket.remoteAddress ?? '', allowNear) && !Number.isNaN(at.getTime()))
        resolve({ validTo: at.toISOString(), protocol: socket.getProtocol() ?? '', error: socket.authorized ? null : String(socket.authorizationError) });
      socket.destroy();
    });
  });
}

async function observeHost(state: CrawlState, origin: string, mark: boolean): Promise<HostObservation> {
  const { host } = splitUrl(`${origin}/`);
  const { fetcher, start } = state;
  const isSecure = origin.startsWith('https:');
  const [probe, certificate, insecure, llms] = await Promise.all([
    probeOf(state, origin),
    isSecure ? certificateOf(state, new URL(origin)) : undefined,
    isSecure ? fetcher.send(`http://${host.replace(/:\d+$/, '')}/`, { timeout, method: 'HEAD' }) : undefined,
    fetcher.send(`${origin}/llms.txt`, { timeout, maxBytes: 1024 * 1024 }),
  ]);
  const found: { path: string; kind: 'git' | 'environment' | 'backup' }[] = [];
  if (start.verified)
    for (const { path, kind, fits } of sensitive) {
      const { status, body } = await fetcher.send(origin + path, { timeout, headers: { range: 'bytes=0-4095' }, maxBytes: 1024 * 1024 });
      if ((status === 200 || status === 206) && fits(Buffer.from(body))) found.push({ path, kind });
    }
  return {
    host,
    robotsMark: mark,
    ...(probe === undefined ? {} : { probe }),
    ...(certificate === undefined ? {} : { certificate }),
    ...(insecure === undefined ? {} : { insecure: { status: insecure.status, location: insecure.location } }),
    ...(llms.status === 0
      ? {}
      : { llms: { status: llms.status, mime: mimeOf(llms.headers), body: cut(decode(llms.body, llms.headers['content-type'] ?? '').text, 20_000) } }),
    ...(start.verified ? { sensitive: found } : {}),
  };
}

/** What rules of the whole site need to know about the hosts that were crawled. */
export async function observeHosts(state: CrawlState, robots: ReadonlyMap<string, RobotsState>): Promise<HostObservation[]> {
  const origins = [...robots].filter(([, file]) => file.kind === 'ready').map(([origin]) => origin);
  const all = origins.length > 0 ? origins : [...state.seedOrigins];
  const observed: HostObservation[] = [];
  for (const origin of all.filter((one) => state.scope.isInternal(`${one}/`)).slice(0, mostHosts)) {
    const file = robots.get(origin);
    observed.push(await observeHost(state, origin, file?.kind === 'ready' && file.mark));
  }
  return observed;
}
