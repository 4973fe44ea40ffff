import { addressIn, hidesLanguage, movedPrefixes } from '../../../../contract/languages/addresses';
import { pathOfRecord } from '../../../../contract/publishing/recordPath';
import type { AddressRules } from '../../../../contract/languages/addresses';
import type { LanguagesPart } from '../../../../contract/languages/part';
import type { RoutesPart } from '../../../../contract/publishing/parts';
import type { LanguagePlan, SiteParts } from '../../../../contract/publishing/schemas';
import type { Context } from '../../../context';
import { activeRule } from '../../countryBlock';
import { countWithTexts } from '../../resources';
import { findSite } from '../../sites';
import type { IndexedSite } from '../../sites';
import { hasSupportTexts } from '../../support';
import { openSiteContent, translatedRecords } from '../../tables';
import type { SiteContent } from '../../tables';
import { addressRulesOf } from './rules';
import { countTexts } from './texts';

const mostExamples = 20;
/** Records of each collection among the examples. */
const exampleRecords = 3;

type CollectionRoute = Extract<RoutesPart[number], { kind: 'collection' }>;

/** Paths of pages that begin with the address of a language, which hides them. */
export function collisionsOf({ languages }: Pick<LanguagesPart, 'languages'>, routes: RoutesPart): LanguagePlan['collisions'] {
  const paths = routes.flatMap((route) => (route.kind === 'template' ? [route.path] : [route.listPath, route.recordPath])).filter((path) => path !== null);
  return languages.flatMap(({ tag, path }) =>
    paths.filter((one) => one.split('/', 2)[1]?.toLowerCase() === path.toLowerCase()).map((one) => ({ tag, path: one })),
  );
}

type LanguageTexts = Pick<LanguagePlan['removed'][number], 'records' | 'texts' | 'resources'>;

/** How many messages to visitors are in a language: during maintenance, for refused countries, of customer service. */
async function countMessages(ctx: Context, siteId: string, tag: string): Promise<number> {
  const [site, active, ofSupport] = await Promise.all([findSite(ctx, siteId), activeRule(ctx, siteId), hasSupportTexts(ctx, siteId, tag)]);
  const has = (texts: Readonly<Record<string, string>> | undefined): boolean => (texts?.[tag] ?? '') !== '';
  return [has(site?.maintenance.message), has(active?.rule.message), ofSupport].filter(Boolean).length;
}

/** How much of a site is written in a language. */
export async function textsIn(ctx: Context, siteId: string, { settings, menus, routes, seo }: SiteParts, tag: string): Promise<LanguageTexts> {
  const parts = { settings: settings.content, menus: menus.content, routes: routes.content, seo: seo.content };
  const [records, found, messages] = await Promise.all([
    translatedRecords(ctx, siteId, tag),
    countWithTexts(ctx.postgres.db, siteId, tag),
    countMessages(ctx, siteId, tag),
  ]);
  return { records, texts: countTexts(parts, tag) + messages, resources: found };
}
export const hasTexts = ({ records, texts, resources }: LanguageTexts): boolean => records + texts + resources > 0;

const slugOf = (route: CollectionRoute, { id, values }: { readonly id: string; readonly values: Readonly<Record<string, unknown>> }): string | null => {
  if (route.slug === null) return id;
  const slug = values.slug as { readonly kind: string; readonly value?: unknown } | undefined;
  return slug?.kind === 'plain' && typeof slug.value === 'string' ? slug.value : null;
};

/** Pages of the records of a collection in a language: how many there are, and paths of the first. */
async function recordPages(content: SiteContent, route: CollectionRoute, tag: string): Promise<{ readonly total: number; readonly paths: string[] }> {
  const { recordPath, table, slug } = route;
  if (recordPath === null) return { total: 0, paths: [] };
  const fields = slug === null ? {} : { slug };
  const { rows, total } = await content.records({ table, fields, locale: tag, existsIn: tag, limit: exampleRecords, count: 'exact' });
  const slugs = rows.map((row) => slugOf(route, row)).filter((one) => one !== null);
  return { total, paths: slugs.map((one) => pathOfRecord(recordPath, one)) };
}

/** Pages of the working copy in a language. */
async function pagesIn(content: SiteContent, routes: RoutesPart, tag: string): Promise<{ readonly total: number; readonly paths: string[] }> {
  const fixed = [...new Set(['/', ...routes.map((route) => (route.kind === 'template' ? route.path : route.listPath)).filter((path) => path !== null)])];
  const records = await Promise.all(routes.filter((route) => route.kind === 'collection').map((route) => recordPages(content, route, tag)));
  return { total: fixed.length + records.reduce((sum, one) => sum + one.total, 0), paths: [...fixed, ...records.flatMap(({ paths }) => paths)] };
}

/** Redirects of the working copy after a change of languages, and what is different about them. */
export function redirectsAfter(before: AddressRules, after: AddressRules, stored: SiteParts['redirects']['content']) {
  const redirects = movedPrefixes(before, after);
  const isReplaced = (from: string): boolean => hidesLanguage(after, from) || redirects.some((one) => one.from === from);
  const removed = stored.filter(({ from }) => hidesLanguage(after, from)).map(({ from }) => from);
  return {
    redirects,
    removed,
    content: [
      ...redirects.map((one) => ({ ...one, status: 301, origin: 'languages', note: '', expiresOn: null }) as const),
      ...stored.filter(({ from }) => !isReplaced(from)),
    ],
  };
}

/** What a change of languages would do to addresses, redirects and translations. */
export async function planLanguages(ctx: Context, site: IndexedSite, working: SiteParts, content: LanguagesPart): Promise<LanguagePlan> {
  const [before, after] = [addressRulesOf(site, working.languages.content), addressRulesOf(site, content)];
  const routes = working.routes.content;
  const pages = await openSiteContent(ctx, { id: site.id, timeZone: site.timeZone, working: true });
  const moved = { addresses: 0, examples: [] as { from: string; to: string }[] };
  for (const { tag } of before.languages) {
    if (!after.languages.some((one) => one.tag === tag)) continue;
    const addressOf = (rules: AddressRules, path: string): string => Object.values(addressIn(rules, path, tag)).join('');
    if (addressOf(before, '/') === addressOf(after, '/')) continue;
    const { total, paths } = await pagesIn(pages, routes, tag);
    moved.addresses += total;
    moved.examples.push(...paths.map((path) => ({ from: addressOf(before, path), to: addressOf(after, path) })));
  }
  const { redirects, removed } = redirectsAfter(before, after, working.redirects.content);
  const gone = before.languages.map(({ tag }) => tag).filter((tag) => !after.languages.some((one) => one.tag === tag));
  return {
    addresses: moved.addresses,
    examples: moved.examples.slice(0, mostExamples),
    redirects,
    removedRedirects: removed,
    collisions: collisionsOf(content, routes),
    removed: await Promise.all(gone.map(async (tag) => ({ tag, ...(await textsIn(ctx, site.id, working, tag)) }))),
  };
}
