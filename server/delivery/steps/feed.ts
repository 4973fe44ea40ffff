import { feedRoutes } from '../content/globals';
import type { CollectionRoute } from '../content/records';
import type { Edition } from '../edition';
import { feedOf } from '../feed';
import { languagePath } from '../paths';
import { openPageContext } from '../render';
import { decodedPath } from '../router';
import { storedResponse } from '../stored';
import type { EditionStep } from '../step';

const name = '/feed.xml';

/** Collections of a feed, and the page that it belongs to: `/feed.xml` has all of them, `/blog/feed.xml` those whose list is `/blog`. */
function feedAt(edition: Edition, path: string): { readonly routes: readonly CollectionRoute[]; readonly page: string } | null {
  const page = path.slice(0, -name.length) || '/';
  const all = feedRoutes(edition);
  const routes = page === '/' ? all : all.filter(({ listPath }) => listPath === page);
  return routes.length === 0 ? null : { routes, page };
}

export const feed: EditionStep = (delivery, edition) => {
  if (!delivery.path.endsWith(name)) return null;
  const { language, path } = languagePath(edition, delivery.host, decodedPath(delivery.path) ?? '/');
  const found = path.endsWith(name) ? feedAt(edition, path) : null;
  if (!found) return null;
  return storedResponse(delivery, edition, { path, language }, async () => ({
    status: 200,
    headers: { 'content-type': 'application/atom+xml; charset=utf-8', 'cache-control': 'public, max-age=600' },
    text: await feedOf(await openPageContext(delivery.services, edition, language), found.routes, path, found.page),
  }));
};
