import type { Route } from '../../../contract/publishing/parts';
import type { ThemeManifest } from '../../../contract/publishing/theme';
import type { PageContext } from '../edition';
import { listPagePath } from '../paths';
import type { CompiledRelease } from '../release';
import type { Services } from '../services';
import { readRecords, recordAt, routeOf, pathOf } from './records';
import type { CollectionRoute, RouteRecord, RouteRecords } from './records';
import { searchPath } from './globals';
import { visibleIn } from './languages';
import type { Routed } from '../router';

type TemplateRoute = Extract<Route, { kind: 'template' }>;
type Templates = ThemeManifest['templates'];

/** What a page shows, with what was read to find out that it exists. `path`: without its language. */
export type Target =
  | { readonly kind: 'template'; readonly template: string; readonly path: string; readonly route: TemplateRoute | null }
  | {
      readonly kind: 'list';
      readonly template: string;
      readonly path: string;
      readonly page: number;
      readonly route: CollectionRoute;
      readonly records: RouteRecords;
    }
  | { readonly kind: 'record'; readonly template: string; readonly path: string; readonly found: RouteRecord }
  | { readonly kind: 'search'; readonly template: 'search'; readonly path: string; readonly query: string; readonly page: number }
  | { readonly kind: 'not_found'; readonly template: 'not_found' };

const templatesOf = ({ release }: PageContext): Templates => release.theme?.manifest.templates ?? {};
/** The template that shows the records, or the lists, of a collection. */
const templateFor = (context: PageContext, collection: string, shows: 'record' | 'list'): string | null =>
  Object.entries(templatesOf(context)).find(([, template]) => template.for === collection && template.shows === shows)?.[0] ?? null;

type Total = { readonly version: number; readonly total: Promise<number> };
const totals = new WeakMap<CompiledRelease, Map<string, Total>>();

/** Number of records of a list, counted once for each version of the content. */
function totalOf({ versions }: Pick<Services, 'versions'>, context: PageContext, route: CollectionRoute): Promise<number> {
  const { content, language, preview, release, site } = context;
  const count = async (): Promise<number> =>
    (await content.records({ table: route.table, fields: {}, locale: language, limit: 1, count: 'exact', ...visibleIn(context) })).total;
  if (preview) return count();
  const byRoute = totals.get(release) ?? new Map<string, Total>();
  totals.set(release, byRoute);
  const name = JSON.stringify([route.table, language]);
  const version = versions.of(site.id);
  const known = byRoute.get(name);
  if (known?.version === version) return known.total;
  const total = count();
  byRoute.set(name, { version, total });
  total.catch(() => byRoute.delete(name));
  return total;
}

/**
 * A page of a list; null if the list has no such page. The first one exists even if it is empty. Whether a later one exists is known from the number of records: to
 * read far behind the last record would cost as much as to read all of them.
 */
async function listTarget(services: Pick<Services, 'versions'>, context: PageContext, route: CollectionRoute, page: number): Promise<Target | null> {
  const template = templateFor(context, route.collection, 'list');
  if (template === null || route.listPath === null) return null;
  if (page > 1 && (page - 1) * route.perPage >= (await totalOf(services, context, route))) return null;
  const records = await readRecords(context, route, { offset: (page - 1) * route.perPage, limit: route.perPage, count: 'capped' });
  return records.rows.length === 0 && page > 1 ? null : { kind: 'list', template, route, page, records, path: listPagePath(route.listPath, page) };
}

async function recordTarget(context: PageContext, route: CollectionRoute, name: string): Promise<Target | null> {
  const template = templateFor(context, route.collection, 'record');
  const found = template === null ? null : await recordAt(context, route, name);
  const path = found && pathOf(found);
  return template === null || found === null || path === null ? null : { kind: 'record', template, path, found };
}

/** The template of a single page. One that shows a list gets the records of its collection. */
async function templateTarget(context: PageContext, route: TemplateRoute): Promise<Target | null> {
  const template = templatesOf(context)[route.template];
  if (!template || template.shows === 'record') return null;
  const collection = template.shows === 'list' && template.for !== undefined ? routeOf(context, template.for) : null;
  if (!collection) return { kind: 'template', template: route.template, path: route.path, route };
  const records = await readRecords(context, collection, { limit: collection.perPage, count: 'capped' });
  return { kind: 'list', template: route.template, path: route.path, page: 1, route: collection, records };
}

/** Longest search text, and the last page of results. */
const longestQuery = 100;
const mostPages = 10;

/** The search page, if the path is its address. */
export function searchTarget(context: Pick<PageContext, 'release'>, path: string, query: URLSearchParams): Target | null {
  if (searchPath(context) !== path) return null;
  const text = (query.get('q') ?? '')
    .normalize('NFC')
    .replaceAll(/\p{Cc}|\p{Surrogate}/gu, ' ')
    .trim()
    .slice(0, longestQuery);
  const page = Number(/^[1-9]\d?$/.exec(query.get('page') ?? '1')?.[0] ?? 1);
  return { kind: 'search', template: 'search', path, query: text, page: Math.min(page, mostPages) };
}

/** The first of the possible targets that exists; null if none does. */
export async function findTarget(services: Pick<Services, 'versions'>, context: PageContext, possible: readonly Routed[]): Promise<Target | null> {
  for (const one of possible) {
    const target =
      one.kind === 'template'
        ? await templateTarget(context, one.route)
        : one.kind === 'list'
          ? await listTarget(services, context, one.route, one.page)
          : one.kind === 'record'
            ? await recordTarget(context, one.route, one.name)
            : null;
    if (target) return target;
  }
  return null;
}
