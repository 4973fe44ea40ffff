import { recordPath } from '../router';
import { pathOf, readRecords } from '../content/records';
import type { CollectionRoute } from '../content/records';
import type { PageContext } from '../edition';
import { languagePath, pathIn } from '../paths';
import { openPageContext } from '../render';
import { decodedPath } from '../router';
import { storedResponse } from '../stored';
import type { EditionStep } from '../step';

/** A redirect of a page that has moved may be forgotten after an hour, as other redirects. */
const oneHour = 'public, max-age=3600';
const longestPath = 600;

/** The present path of the record that had a slug before. */
async function movedTo(context: PageContext, route: CollectionRoute, slug: string): Promise<string | null> {
  const id = route.slug === null ? null : await context.content.formerOwner(route.table, route.slug, slug);
  const [found] = id === null ? [] : (await readRecords(context, route, { ids: [id], limit: 1 })).rows;
  const path = found && pathOf(found);
  return path === undefined || path === recordPath(route, slug) ? null : path;
}

/** Where nothing was found: a record that had this address before leads to its present one. It names the record, so that there are neither chains nor loops. */
export const formerSlugs: EditionStep = async (delivery, edition) => {
  const decoded = decodedPath(delivery.path);
  if (edition.preview || decoded === null || decoded.length > longestPath || decoded.includes('//')) return null;
  const { language, path } = languagePath(edition, delivery.host, decoded);
  const records = edition.release.router(path).flatMap((one) => (one.kind === 'record' && one.route.slug !== null ? [one] : []));
  if (records.length === 0) return null;
  const response = await storedResponse(delivery, edition, { path: `moved ${path}`, language }, async () => {
    const context = await openPageContext(delivery.services, edition, language);
    for (const { route, name } of records) {
      const target = await movedTo(context, route, name);
      if (target !== null) return { status: 301, headers: { location: pathIn(edition, target, language), 'cache-control': oneHour }, text: '' };
    }
    return null;
  });
  if (response?.status !== 301 || delivery.query === '') return response;
  return { ...response, headers: { ...response.headers, location: `${response.headers.location ?? ''}?${delivery.query}` } };
};
