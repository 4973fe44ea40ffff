import { isIndexed } from '../../../contract/sites/terms';
import { openPageContext } from '../render';
import { sitemapIndex, sitemapOf, sitemapParts, sitemapPath } from '../sitemap';
import { storedResponse } from '../stored';
import type { EditionStep } from '../step';

const headers = { 'content-type': 'application/xml; charset=utf-8', 'cache-control': 'public, max-age=3600' };

/** `/sitemap.xml` and the files that it names. A site that search engines may not index has none. */
export const sitemap: EditionStep = (delivery, edition) => {
  const { path } = delivery;
  if (!/^\/sitemap[\w-]{0,60}\.xml$/.test(path) || edition.release.settings.robots === 'closed' || !isIndexed(edition.site)) return null;
  const [language = 'en'] = edition.release.languages;
  return storedResponse(delivery, edition, { path, language }, async () => {
    const context = await openPageContext(delivery.services, edition, language);
    if (path === '/sitemap.xml') {
      const text = await sitemapIndex(context);
      return text === null ? null : { status: 200, headers, text };
    }
    const part = (await sitemapParts(context)).find((one) => sitemapPath(one) === path);
    return part ? { status: 200, headers, text: await sitemapOf(context, part) } : null;
  });
};
