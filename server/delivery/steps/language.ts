import { preferredLanguage } from '../../../contract/languages/tags';
import { parseUrl } from '../../../contract/parseUrl';
import type { Edition } from '../edition';
import { readHost } from '../host';
import { isMainHost, languagePath, linkFrom } from '../paths';
import { plainResponse } from '../response';
import type { DeliveryResponse } from '../response';
import type { Delivery, EditionStep } from '../step';

/** Whether the language of a visitor decides what `/` is. */
const isNegotiated = ({ path }: Delivery, { release, preview }: Edition): boolean =>
  path === '/' && !preview && release.languageRules.suggestion === 'redirect';

/** Whether a request comes from a page of the site, where the visitor has chosen a language. */
function isFromSite({ site, request }: Delivery): boolean {
  const { referer } = request.headers;
  const from = referer === undefined ? null : parseUrl(referer);
  const host = from === null ? null : readHost(from.hostname);
  return host !== null && (host === site.servedHost || site.hostnames.has(host));
}

/**
 * Leads from `/` to the start page in the language of the browser. Only there: crawlers send no `Accept-Language`, and who follows a link to a page wants that page. A hostname of a
 * language is a choice of its own.
 */
export const language: EditionStep = (delivery, edition) => {
  if (!isNegotiated(delivery, edition)) return null;
  const { query, request, host } = delivery;
  const { release } = edition;
  const located = languagePath(edition, host, '/');
  if (!isMainHost(edition, located)) return null;
  const preferred = isFromSite(delivery) ? null : preferredLanguage(request.headers['accept-language'] ?? '', release.languages);
  const location = linkFrom(edition, located.host, '/', preferred ?? located.language);
  if (location === '/') return null;
  return plainResponse(302, '', { location: query === '' ? location : `${location}?${query}`, 'cache-control': 'no-store', vary: 'Accept-Language' });
};

/** Tells caches that `/` depends on the language of the browser, also where it was the page itself. */
export function withLanguageVary(delivery: Delivery, edition: Edition, response: DeliveryResponse): DeliveryResponse {
  const { vary } = response.headers;
  if (!isNegotiated(delivery, edition) || vary === 'Accept-Language') return response;
  return { ...response, headers: { ...response.headers, vary: vary === undefined ? 'Accept-Language' : `${vary}, Accept-Language` } };
}
