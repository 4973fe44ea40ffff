import { isIndexed } from '../../../contract/sites/terms';
import { openPageContext } from '../render';
import { llmsText } from '../seo/llms';
import { storedResponse } from '../stored';
import type { EditionStep } from '../step';

const headers = { 'content-type': 'text/plain; charset=utf-8', 'cache-control': 'public, max-age=3600' };

/** `/llms.txt`, if the site has one. A site that search engines may not index has none. */
export const llms: EditionStep = (delivery, edition) => {
  const { path } = delivery;
  const { seo, settings, languages } = edition.release;
  if (path !== '/llms.txt' || seo.agents.llms === 'off' || settings.robots === 'closed' || !isIndexed(edition.site)) return null;
  const [language = 'en'] = languages;
  return storedResponse(delivery, edition, { path, language }, async () => {
    const text = seo.agents.llms === 'text' ? seo.agents.text : await llmsText(await openPageContext(delivery.services, edition, language));
    return { status: 200, headers, text };
  });
};
