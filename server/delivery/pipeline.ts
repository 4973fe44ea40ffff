import { createHash } from 'node:crypto';
import type { IndexedSite } from '../areas/sites';
import { closedPage, lostPage, pagePolicy, startPage } from './pages';

export type DeliveryRequest = { readonly method: string; /** Path of the URL as sent, without its query. */ readonly path: string };
export type DeliveryResponse = { readonly status: number; readonly headers: Readonly<Record<string, string>>; readonly body: string };
/** One step of request handling: a response, or `null` to continue with the next step. */
export type Step = (request: DeliveryRequest, site: IndexedSite) => DeliveryResponse | null;

/** Pages may be cached but are revalidated each time; the ETag makes that cheap and a publication visible at once. */
const revalidate = 'public, max-age=0, must-revalidate';

export const pageResponse = (status: number, html: string, cacheControl = revalidate): DeliveryResponse => ({
  status,
  headers: {
    'content-type': 'text/html; charset=utf-8',
    'content-security-policy': pagePolicy,
    'cache-control': cacheControl,
    etag: `"${createHash('sha256').update(html).digest('base64url').slice(0, 27)}"`,
  },
  body: html,
});
const plain = (status: number, body: string, headers: Record<string, string> = {}): DeliveryResponse => ({
  status,
  headers: { 'content-type': 'text/plain; charset=utf-8', 'cache-control': 'no-store', ...headers },
  body,
});

const state: Step = (_request, site) => {
  if (site.state === 'active') return null;
  const gone = site.state === 'deleted';
  return pageResponse(gone ? 410 : 404, closedPage(site, gone), 'no-store');
};
const methods: Step = ({ method }) => (method === 'GET' || method === 'HEAD' ? null : plain(405, '', { allow: 'GET, HEAD' }));
/** Nothing may be indexed until something is published; cached for five minutes, so that publishing takes effect soon. */
const robots: Step = ({ path }) => (path === '/robots.txt' ? plain(200, 'User-agent: *\nDisallow: /\n', { 'cache-control': 'public, max-age=300' }) : null);
/** Requested automatically by browsers and programs, which need no page. */
const machines: Step = ({ path }) => (path === '/favicon.ico' || path.startsWith('/.well-known/') ? plain(404, '') : null);
const start: Step = ({ path }, site) => (path === '/' ? pageResponse(200, startPage(site)) : null);
const lost: Step = (_request, site) => pageResponse(404, lostPage(site));

/** In order of evaluation; the last step always responds. */
const steps: readonly Step[] = [state, methods, robots, machines, start, lost];

export const deliver = (request: DeliveryRequest, site: IndexedSite): DeliveryResponse => {
  for (const step of steps) {
    const response = step(request, site);
    if (response) return response;
  }
  return lost(request, site) as DeliveryResponse;
};
