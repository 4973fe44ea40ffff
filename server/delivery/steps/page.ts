import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';
import { addressGroup, clientAddress } from '../../http/address';
import { TemplateError } from '../../kit/templates/renderPool';
import { missingPolicy } from '../content/languages';
import { findTarget, searchTarget } from '../content/target';
import type { Target } from '../content/target';
import type { Edition, PageContext } from '../edition';
import { policyOf } from '../head';
import { languagePath, linkFrom, pathIn } from '../paths';
import { openPageContext, renderPage } from '../render';
import { plainResponse } from '../response';
import type { DeliveryResponse } from '../response';
import { decodedPath } from '../router';
import { storedResponse } from '../stored';
import type { Produced } from '../stored';
import type { Delivery, EditionStep } from '../step';

/** Searches of one address in a minute. */
const searches = new RateLimiterMemory({ points: 60, duration: 60 });
const longestPath = 600;
const revalidate = 'public, max-age=0, must-revalidate';

/** Origins that may frame a page: previews are framed by the console. */
const ancestorsOf = ({ ctx }: Delivery, { preview }: Edition): string => (preview ? new URL(ctx.config.publicUrl).origin : "'self'");

async function produced(delivery: Delivery, context: PageContext, target: Target, cacheControl = revalidate): Promise<Produced> {
  const rendered = await renderPage(delivery.services, context, target);
  const { html, robotsHeader, language } = rendered;
  return {
    status: 200,
    headers: {
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': policyOf(context, rendered, ancestorsOf(delivery, context)),
      'cache-control': cacheControl,
      'content-language': language,
      ...(robotsHeader === null ? {} : { 'x-robots-tag': robotsHeader }),
    },
    text: html,
  };
}

/** Results of a search are rendered each time. The empty search page is like any other. */
async function searchPageOf(
  delivery: Delivery,
  edition: Edition,
  language: string,
  target: Extract<Target, { kind: 'search' }>,
): Promise<DeliveryResponse | null> {
  const render = async (cacheControl?: string) => produced(delivery, await openPageContext(delivery.services, edition, language), target, cacheControl);
  if (target.query === '') return storedResponse(delivery, edition, { path: target.path, language }, render);
  try {
    await searches.consume(`${edition.site.id} ${addressGroup(clientAddress(delivery.request))}`);
  } catch (error) {
    if (!(error instanceof RateLimiterRes)) throw error;
    return plainResponse(429, '', { 'retry-after': String(Math.max(1, Math.ceil(error.msBeforeNext / 1000))) });
  }
  return storedResponse(delivery, { ...edition, isStored: false }, { path: target.path, language }, () => render('private, no-cache'));
}

const redirectTo = (location: string, query: string): DeliveryResponse =>
  plainResponse(301, '', { location: query === '' ? location : `${location}?${query}`, 'cache-control': 'public, max-age=3600' });

/** Leads from a record that does not exist in a language to its page in the language that it falls back to, where the language says so. */
function redirectToFallback(context: PageContext, target: Target): Produced | null {
  if (target.kind !== 'record' || target.found.language === context.language || missingPolicy(context) !== 'redirect') return null;
  const location = pathIn(context, target.path, target.found.language, context.language);
  // Temporary, because the translation may come.
  return { status: 302, headers: { location, 'cache-control': 'no-cache' }, text: '' };
}

/** Pages of the routes of a release. */
export const page: EditionStep = async (delivery, edition) => {
  const { services, query } = delivery;
  const { release } = edition;
  const decoded = decodedPath(delivery.path);
  // An empty segment has no page; with it, a redirect could lead to another host.
  if (decoded === null || decoded.length > longestPath || decoded.includes('//')) return null;
  const { language, path, isCanonical, host } = languagePath(edition, delivery.host, decoded);
  const possible = release.router(path);
  const [first] = possible;
  if (first?.kind === 'redirect') return redirectTo(linkFrom(edition, host, first.path, language), query);
  const search = possible.length === 0 || first?.kind === 'template' ? searchTarget(edition, path, new URLSearchParams(query)) : null;
  if (!isCanonical && (search || possible.length > 0)) return redirectTo(linkFrom(edition, host, path, language), query);
  if (search?.kind === 'search') return searchPageOf(delivery, edition, language, search);
  if (possible.length === 0) return null;
  return storedResponse(delivery, edition, { path, language }, async () => {
    if (!release.theme) throw new TemplateError({ reason: 'template', message: 'theme.json is invalid', file: 'theme.json', line: null, column: null });
    const context = await openPageContext(services, edition, language);
    const target = await findTarget(services, context, possible);
    return target && (redirectToFallback(context, target) ?? produced(delivery, context, target));
  });
};
