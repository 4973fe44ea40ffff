import { isIndexed } from '../../../contract/sites/terms';
import { openPageContext } from '../render';
import { sitemapAt, sitemapIndex } from '../sitemap';
import { storedResponse } from '../stored';
import type { EditionStep } from '../step';

const types = { xml: 'application/xml; charset=utf-8', txt: 'text/plain; charset=utf-8' } as const;

/** `/sitemap.xml`, the files that it names, and flat ones for engines that read no index. A site that search engines may not index has none. */
export const sitemap: EditionStep = (delivery, edition) => {
  const { path } = delivery;
  if (!path.startsWith('/sitemap')) return null;
  const extension = /^\/sitemap[\w-]{0,60}\.(xml|txt)$/.exec(path)?.[1];
  if (extension === undefined || edition.release.settings.robots === 'closed' || !isIndexed(edition.site)) return null;
  const [language = 'en'] = edition.release.languages;
  return storedResponse(delivery, edition, { path, language }, async () => {
    const context = await openPageContext(delivery.services, edition, language);
    const text = await (path === '/sitemap.xml' ? sitemapIndex(context) : sitemapAt(context, path));
    const headers = { 'content-type': types[extension as keyof typeof types], 'cache-control': 'public, max-age=3600' };
    return text === null ? null : { status: 200, headers, text };
  });
};
