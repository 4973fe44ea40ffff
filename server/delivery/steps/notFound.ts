import type { Edition } from '../edition';
import { policyOf } from '../head';
import { languagePath } from '../paths';
import { lostPage } from '../pages';
import { openPageContext, renderPage } from '../render';
import { pageResponse } from '../response';
import type { DeliveryResponse } from '../response';
import { decodedPath } from '../router';
import { storedResponse } from '../stored';
import type { Delivery } from '../step';

export const notFound = ({ site, filings }: Delivery): DeliveryResponse => pageResponse(404, lostPage(site, filings));

/** The page `not_found` of the theme. It is the same for all addresses of a language, so it is stored once. */
export async function notFoundPage(delivery: Delivery, edition: Edition): Promise<DeliveryResponse> {
  if (!edition.preview) delivery.services.counters.notFound(edition.site.id, delivery.path, delivery.request);
  if (!edition.release.theme?.manifest.templates.not_found) return notFound(delivery);
  const { language } = languagePath(edition, delivery.host, decodedPath(delivery.path) ?? '/');
  const response = await storedResponse(delivery, edition, { path: 'not_found', language }, async () => {
    const context = await openPageContext(delivery.services, edition, language);
    const rendered = await renderPage(delivery.services, context, { kind: 'not_found', template: 'not_found' });
    return {
      status: 404,
      headers: {
        'content-type': 'text/html; charset=utf-8',
        'content-security-policy': policyOf(context, rendered),
        'cache-control': 'no-cache',
        'x-robots-tag': 'noindex',
      },
      text: rendered.html,
    };
  });
  // A page that says that there is none must not become an error of the server because its template fails.
  return response === null || response.status === 500 ? notFound(delivery) : response;
}
