import { createHash } from 'node:crypto';
import type { ScannedPage } from '../areas/seo';
import { machineLanguages } from './content/machineTexts';
import { collectionOf, pathOf, readRecords } from './content/records';
import type { CollectionRoute, RouteRecord } from './content/records';
import { findTarget } from './content/target';
import type { PageContext } from './edition';
import { canonicalAddress } from './paths';
import type { Services } from './services';
import { listedPages, listedRoutes } from './sitemap';

/** Pages that are compared at most. */
const mostPages = 200_000;
const readAtOnce = 500;

const hashOf = (...parts: readonly unknown[]): string => createHash('sha256').update(JSON.stringify(parts)).digest('base64url');

/** What a page shows of a record: the fields that the theme reads, without the times at which they were stored. Files count by what is stored, as their addresses expire. */
function contentOf(context: PageContext, { route, record }: RouteRecord): unknown[] {
  const fields = Object.entries(collectionOf(context, route.collection)?.fields ?? {});
  return fields.map(([key, { type }]) => {
    const value = record.values[key];
    if (type === 'rich_text') return record.html(key);
    return value?.kind === 'files' ? record.stored[key] : (value ?? null);
  });
}

type Report = (address: string, hash: string, changedAt: Date | null) => void;

/** Hashes of the pages of a collection's records in one language. */
async function recordHashes(context: PageContext, route: CollectionRoute, report: Report): Promise<void> {
  const [initial] = context.release.languages;
  for (let offset = 0; offset < mostPages; offset += readAtOnce) {
    const { rows } = await readRecords(context, route, { sort: '$publishedAt', offset, limit: readAtOnce });
    const machine = await machineLanguages(
      context,
      route,
      rows.map(({ record }) => record.id),
    );
    for (const one of rows) {
      const { id, locales } = one.record;
      // A table may lack the languages of the site: its pages are known in the first one.
      const isHere = locales.includes(context.language) || (context.language === initial && !locales.some((tag) => context.release.languages.includes(tag)));
      const path = isHere ? pathOf(one) : null;
      if (path === null || machine.get(id)?.has(context.language) || !context.release.pageRules.isListed(path)) continue;
      report(
        canonicalAddress(context, path, context.language),
        hashOf(contentOf(context, one), context.release.pageRules.override(path)),
        new Date(one.record.updatedAt),
      );
    }
    if (rows.length < readAtOnce) return;
  }
}

/** Hash of a page of its own or of the first page of a list: its template and the records that it shows. Null if there is no such page. */
async function pageHash(services: Pick<Services, 'versions'>, context: PageContext, path: string): Promise<string | null> {
  const target = await findTarget(services, context, context.release.router(path));
  if (!target || target.kind === 'not_found' || target.kind === 'search') return null;
  if (target.kind === 'record') return hashOf(contentOf(context, target.found));
  const { theme } = context.release;
  const template = theme?.files[`templates/${target.template}.liquid`] ?? target.template;
  if (target.kind === 'template') return hashOf(template);
  return hashOf(target.records.rows.map((one) => [one.record.id, contentOf(context, one)]));
}

/**
 * Hashes of the contents of all pages that sitemaps name, by address, in every language. A change of the theme alone changes no record's page. `open` returns the
 * content in a language; `progress` is called with the number of pages and may interrupt.
 */
export async function hashPages(
  services: Pick<Services, 'versions'>,
  languages: readonly string[],
  open: (language: string) => Promise<PageContext>,
  progress: (pages: number) => Promise<void>,
): Promise<Map<string, ScannedPage>> {
  const hashes = new Map<string, ScannedPage>();
  const report: Report = (address, hash, changedAt) => {
    if (hashes.size < mostPages) hashes.set(address, { hash, changedAt });
  };
  for (const language of languages) {
    const context = await open(language);
    for (const path of listedPages(context)) {
      const hash = await pageHash(services, context, path);
      if (hash !== null) report(canonicalAddress(context, path, language), hashOf(hash, context.release.pageRules.override(path)), null);
    }
    for (const route of listedRoutes(context)) {
      await recordHashes(context, route, report);
      await progress(hashes.size);
    }
  }
  return hashes;
}
