import { machineLanguages } from '../content/machineTexts';
import { pathOf, readRecords } from '../content/records';
import type { CollectionRoute } from '../content/records';
import { collectionTitle, titleOfSite } from '../content/globals';
import { excerptOf, titleOf } from '../content/search';
import type { PageContext } from '../edition';
import { canonicalAddress } from '../paths';
import { textIn } from '../../../contract/tables/fieldTypes/fileValues';

/** Records of a collection that the file names, the newest first. */
const mostRecords = 100;

/** Text in a line of Markdown: without line breaks, and without what would end a link. */
const inline = (text: string): string =>
  text
    .replaceAll(/\s+/g, ' ')
    .replaceAll(/[\\[\]]/g, String.raw`\$&`)
    .trim();
const link = (title: string, address: string, about: string | null): string =>
  `- [${inline(title)}](${address})${about === null ? '' : `: ${inline(about)}`}\n`;

/** The records of a collection that search engines may index. */
async function linksOf(context: PageContext, route: CollectionRoute): Promise<string> {
  const { rows } = await readRecords(context, route, { limit: mostRecords, sort: '-$publishedAt' });
  const machine = await machineLanguages(
    context,
    route,
    rows.map(({ record }) => record.id),
  );
  return rows
    .flatMap((one) => {
      const [path, title] = [pathOf(one), titleOf(context, one)];
      const isClosed = path === null || machine.get(one.record.id)?.has(one.language) || !context.release.pageRules.isListed(path);
      return isClosed || title === null ? [] : [link(title, canonicalAddress(context, path, context.language), excerptOf(context, one))];
    })
    .join('');
}

/** Pages of their own that have a title. */
function pageLinks(context: PageContext): string {
  const { routes, pageRules } = context.release;
  return routes
    .flatMap((route) => {
      const title = route.kind === 'template' ? textIn(route.title, context.language) : undefined;
      if (route.kind !== 'template' || !title || route.path === '/' || !pageRules.isListed(route.path)) return [];
      return [link(title, canonicalAddress(context, route.path, context.language), null)];
    })
    .join('');
}

/**
 * A description of the site for language models, as llmstxt.org proposes it: title, summary, and links by collection, in the default language. It names only what search engines may index.
 */
export async function llmsText(context: PageContext): Promise<string> {
  const { settings, routes } = context.release;
  const summary = textIn(settings.description, context.language) || textIn(settings.tagline, context.language);
  const sections = [`# ${inline(titleOfSite(context))}\n`, ...(summary ? [`> ${inline(summary)}\n`] : [])];
  const pages = pageLinks(context);
  if (pages !== '') sections.push(pages);
  for (const route of routes) {
    if (route.kind !== 'collection' || route.recordPath === null || !route.sitemap) continue;
    const links = await linksOf(context, route);
    if (links !== '') sections.push(`## ${inline(collectionTitle(context, route.collection))}\n\n${links}`);
  }
  return sections.join('\n');
}
