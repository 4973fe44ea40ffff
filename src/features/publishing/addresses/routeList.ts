import type { Route, RoutesPart } from '@contract/publishing/parts';
import { RoutesPart as Routes } from '@contract/publishing/parts';
import type { ThemeManifest } from '@contract/publishing/theme';

export type CollectionRoute = Extract<Route, { kind: 'collection' }>;
export type TemplateRoute = Extract<Route, { kind: 'template' }>;
/** A route at its index in the part. */
export type Indexed<R extends Route> = { readonly at: number; readonly route: R };

const indexed = (routes: RoutesPart): Indexed<Route>[] => routes.map((route, at) => ({ at, route }));
export const collectionRoutes = (routes: RoutesPart): Indexed<CollectionRoute>[] =>
  indexed(routes).filter((one): one is Indexed<CollectionRoute> => one.route.kind === 'collection');
export const templateRoutes = (routes: RoutesPart): Indexed<TemplateRoute>[] =>
  indexed(routes).filter((one): one is Indexed<TemplateRoute> => one.route.kind === 'template');

/** Paths that exist without looking at records, and tables whose records have pages. */
export const destinationsOf = (routes: RoutesPart): { readonly paths: string[]; readonly tables: string[] } => ({
  paths: routes.flatMap((route) => (route.kind === 'template' ? [route.path] : route.listPath === null ? [] : [route.listPath])),
  tables: routes.flatMap((route) => (route.kind === 'collection' && route.recordPath !== null ? [route.table] : [])),
});

/** Replaces the route at an index, or adds one (null). */
export const putRoute = (routes: RoutesPart, at: number | null, route: Route): RoutesPart =>
  at === null ? [...routes, route] : routes.map((one, index) => (index === at ? route : one));
export const removeRoute = (routes: RoutesPart, at: number): RoutesPart => routes.filter((_route, index) => index !== at);

/** Why a route does not fit among the others: it takes an address of the program, or of another route. Null: it does. */
export function conflictOf(routes: RoutesPart, at: number): 'reserved' | 'duplicate' | null {
  const issue = Routes.safeParse(routes).error?.issues.find(({ code, path }) => code === 'custom' && path[0] === at);
  return issue?.message === 'reserved' || issue?.message === 'duplicate' ? issue.message : null;
}

/** Templates for pages of their own; the program itself shows the search and the page for unknown addresses. */
export const pageTemplates = (manifest: ThemeManifest | null): [string, ThemeManifest['templates'][string]][] =>
  Object.entries(manifest?.templates ?? {}).filter(([key, { shows }]) => shows === 'page' && key !== 'search' && key !== 'not_found');

/** Whether the theme has a template for lists, or for single records, of a collection. */
export const hasTemplate = (manifest: ThemeManifest | null, collection: string, shows: 'list' | 'record'): boolean =>
  manifest === null || Object.values(manifest.templates).some((template) => template.for === collection && template.shows === shows);
