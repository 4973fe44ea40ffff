import { RenderingBusy, TemplateError } from '../kit/templates/renderPool';
import { Failure } from '../http/failure';
import type { Edition } from './edition';
import type { CompiledRelease } from './release';
import { encodePage, encodingFor } from './pageCache';
import type { CachedPage, Encoding, PageKey } from './pageCache';
import { neutralPage } from './pages';
import { etagOf, pageResponse, plainResponse } from './response';
import type { DeliveryResponse } from './response';
import type { Services } from './services';
import type { Delivery } from './step';

/** What is stored for an address: a page, a feed, a style sheet. */
export type Produced = { readonly status: number; readonly headers: Readonly<Record<string, string>>; readonly text: string };
export type Producer = () => Promise<Produced | null>;

/** What is being produced, by name, so that requests for the same page wait for one rendering. */
const running = new WeakMap<Services, Map<string, Promise<CachedPage | null>>>();

/** Addresses without a page, so that requests for them do not reach the database again and again. */
const missing = new WeakMap<Services, Map<string, number>>();
const mostMissing = 5000;
const longestMissing = 600;

/** Pages whose template exceeded a limit, by name: each attempt costs a thread, so that visitors who reload one must not occupy them all. */
const overLimit = new WeakMap<Services, Map<string, { readonly error: TemplateError; readonly until: number }>>();
const mostOverLimit = 1000;
/** In milliseconds of this machine. */
const retryAfter = 5000;

function rememberOverLimit(services: Services, name: string, error: unknown): void {
  if (!(error instanceof TemplateError) || error.failure.reason !== 'limit') return;
  const recent = overLimit.get(services) ?? new Map<string, { readonly error: TemplateError; readonly until: number }>();
  overLimit.set(services, recent);
  if (recent.size >= mostOverLimit) recent.clear();
  recent.set(name, { error, until: performance.now() + retryAfter });
}

async function encoded(produced: Produced | null): Promise<CachedPage | null> {
  return produced && encodePage(produced.status, produced.text, produced.headers);
}

/** Produces what a key stands for, once for all requests that wait for it, and stores it unless the content has changed meanwhile. */
function produceOnce(services: Services, key: PageKey, version: number, produce: Producer): Promise<CachedPage | null> {
  const works = running.get(services) ?? new Map<string, Promise<CachedPage | null>>();
  running.set(services, works);
  const name = JSON.stringify([key, version]);
  const known = works.get(name);
  if (known) return known;
  const recent = overLimit.get(services)?.get(name);
  if (recent && recent.until > performance.now()) return Promise.reject(recent.error);
  const work = (async () => {
    try {
      const page = await encoded(await produce());
      if (page && services.versions.of(key.siteId) === version) services.pages.put(key, version, page);
      return page;
    } catch (error) {
      rememberOverLimit(services, name, error);
      throw error;
    } finally {
      works.delete(name);
    }
  })();
  works.set(name, work);
  return work;
}

const responses = new WeakMap<CachedPage, Partial<Record<Encoding, DeliveryResponse>>>();

/** The response of a stored page, in the encoding that the request prefers. */
export function responseOf({ request }: Pick<Delivery, 'request'>, page: CachedPage): DeliveryResponse {
  const encoding = encodingFor(request.headers['accept-encoding']);
  const known = responses.get(page) ?? {};
  const response = known[encoding] ?? encodedResponse(page, encoding);
  if (known[encoding] === undefined) responses.set(page, { ...known, [encoding]: response });
  return response;
}

function encodedResponse(page: CachedPage, encoding: Encoding): DeliveryResponse {
  const body = page.body[encoding];
  const isEncoded = body !== page.body.identity;
  return {
    status: page.status,
    headers: {
      ...page.headers,
      vary: 'accept-encoding',
      etag: page.etag[isEncoded ? encoding : 'identity'],
      ...(isEncoded ? { 'content-encoding': encoding } : {}),
    },
    body,
  };
}

/** The last good copy of a page: the one in memory, else the one that was stored before a restart. */
async function lastGoodOf({ pages, copies }: Services, key: PageKey): Promise<CachedPage | null> {
  const known = pages.lastGood(key);
  if (known) return known;
  const copy = await copies.find(key);
  // No content has this version, so that the copy is never mistaken for the page.
  if (copy) pages.put(key, -1, copy);
  return copy;
}

/** What visitors get when a page cannot be produced: the last good copy, else an error page that reveals nothing. */
async function failed(delivery: Delivery, edition: Edition, key: PageKey, error: unknown): Promise<DeliveryResponse> {
  const { services } = delivery;
  const isBusy = error instanceof RenderingBusy || error instanceof Failure;
  if (error instanceof TemplateError) services.reportFailure(edition.site.id, error.failure, key.path);
  if (!isBusy && !(error instanceof TemplateError)) throw error;
  const lastGood = edition.preview ? null : await lastGoodOf(services, key);
  if (lastGood) return responseOf(delivery, lastGood);
  if (isBusy) return plainResponse(503, '', { 'retry-after': '5' });
  return pageResponse(500, neutralPage(500), 'no-store');
}

type Common = Pick<PageKey, 'siteId' | 'release' | 'host'>;
const commons = new WeakMap<CompiledRelease, Common & Pick<Edition, 'site' | 'origin' | 'filings' | 'support'>>();

/** What the keys of all pages of an edition have in common. */
function commonKey({ site, release, origin, filings, support }: Edition): Common {
  const known = commons.get(release);
  if (known?.site === site && known.filings === filings && known.support === support && known.origin === origin) return known;
  // The index of sites may learn of a change later than the version of the content grows.
  const facts = JSON.stringify([site.name, site.timeZone, site.identity, site.state, site.visibility, filings.version, support?.version ?? '']);
  // Domains of one site may have numbers of their own, which their pages show.
  const host = filings.domain === '' ? origin : `${origin} ${filings.domain}`;
  const common = { siteId: site.id, release: `${release.id} ${facts}`, host, site, origin, filings, ...(support && { support }) };
  commons.set(release, common);
  return common;
}

/**
 * What is stored under a path of an edition, or produced now; null if there is nothing. `path` is one that exists or a constant, so that visitors cannot fill the
 * cache with addresses of their own. Previews are produced each time.
 */
export async function storedResponse(
  delivery: Delivery,
  edition: Edition,
  { path, language }: { readonly path: string; readonly language: string },
  produce: Producer,
): Promise<DeliveryResponse | null> {
  const { services } = delivery;
  const { site, release } = edition;
  const common = commonKey(edition);
  const key: PageKey = { siteId: common.siteId, release: common.release, host: common.host, path, language };
  try {
    if (edition.preview || edition.isStored === false) {
      const produced = await produce();
      return produced && { status: produced.status, headers: { ...produced.headers, etag: etagOf(produced.text) }, body: produced.text };
    }
    const version = services.versions.of(site.id);
    const stored = services.pages.get(key, version);
    if (stored) return responseOf(delivery, stored);
    const absent = missing.get(services) ?? new Map<string, number>();
    missing.set(services, absent);
    const name = JSON.stringify(key);
    if (absent.get(name) === version) return null;
    const page = await produceOnce(services, key, version, produce);
    if (page) {
      services.copies.put(key, release.id, page);
      return responseOf(delivery, page);
    }
    services.copies.remove(key);
    if (absent.size >= mostMissing) absent.clear();
    if (name.length <= longestMissing) absent.set(name, version);
    return null;
  } catch (error) {
    return failed(delivery, edition, key, error);
  }
}
