import { RenderingBusy } from '../../kit/templates/renderPool';
import { pageData } from '../content/pageData';
import { findTarget } from '../content/target';
import type { Edition } from '../edition';
import { languagePath } from '../paths';
import { globalsOf, openPageContext } from '../render';
import { etagOf, plainResponse } from '../response';
import type { DeliveryResponse } from '../response';
import { decodedPath } from '../router';
import { drawnCard } from '../seo/drawnCards';
import { pageSeo } from '../seo/pageSeo';
import { storedResponse } from '../stored';
import type { Delivery, EditionStep } from '../step';

const png = (card: Buffer): DeliveryResponse => ({
  status: 200,
  // Another title has another address.
  headers: { 'content-type': 'image/png', 'cache-control': 'public, max-age=31536000, immutable', etag: etagOf(card) },
  body: card,
});

type Located = { readonly language: string; readonly path: string; readonly possible: ReturnType<Edition['release']['router']> };

/** The page of an address; null if no route has it. */
function locate({ host }: Delivery, edition: Edition, path: string): Located | null {
  const decoded = decodedPath(path);
  if (decoded === null || decoded.length > 600 || decoded.includes('//')) return null;
  const { language, path: own, isCanonical } = languagePath(edition, host, decoded);
  const possible = edition.release.router(own);
  return isCanonical && possible.length > 0 ? { language, path: own, possible } : null;
}

/** The card of a page as it is now; null if there is no such page, or it has none. */
async function cardOf({ services }: Delivery, edition: Edition, { language, possible }: Located): Promise<ReturnType<typeof drawnCard>> {
  const context = await openPageContext(services, edition, language);
  const target = await findTarget(services, context, possible);
  if (!target) return null;
  const globals = await globalsOf(services, context);
  const { facts } = await pageData(context, target, globals);
  return drawnCard(context, facts, globals, pageSeo(context, facts, globals).shareTitle);
}

/**
 * `/_card/<hash>/<page>.png`: the drawn card of a page. An address of an earlier title leads to the present one, which is stored like pages, so that addresses without a
 * card cost no more than unknown paths.
 */
export const card: EditionStep = (delivery, edition) => {
  const { path } = delivery;
  if (!path.startsWith('/_card/')) return null;
  const [, page] = /^\/_card\/[\da-f]{16}(\/.{0,1900})\.png$/s.exec(path) ?? [];
  return page === undefined || edition.preview ? plainResponse(404, '') : cardAt(delivery, edition, page);
};

async function cardAt(delivery: Delivery, edition: Edition, page: string): Promise<DeliveryResponse> {
  const { path, services, site } = delivery;
  const stored = services.cards.stored(site.id, path);
  if (stored) return png(stored);
  const located = locate(delivery, edition, page);
  if (!located) return plainResponse(404, '');
  const present = await storedResponse(delivery, edition, { path: `card ${located.path}`, language: located.language }, async () => {
    const found = await cardOf(delivery, edition, located);
    return found && { status: 302, headers: { location: found.path, 'cache-control': 'no-store' }, text: '' };
  });
  if (!present) return plainResponse(404, '');
  if (present.headers.location !== path) return present;
  const found = await cardOf(delivery, edition, located);
  if (found?.path !== path) return plainResponse(404, '');
  try {
    return png(await services.cards.draw(site.id, path, found.texts));
  } catch (error) {
    if (!(error instanceof RenderingBusy)) throw error;
    return plainResponse(503, '', { 'retry-after': '5' });
  }
}
