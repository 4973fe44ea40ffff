import type { Route, RoutesPart } from '../../contract/publishing/parts';
import { pathOfRecord } from '../../contract/publishing/recordPath';

type CollectionRoute = Extract<Route, { kind: 'collection' }>;

/** What a path shows. `page` counts from 1. */
export type Routed =
  | { readonly kind: 'template'; readonly route: Extract<Route, { kind: 'template' }> }
  | { readonly kind: 'list'; readonly route: CollectionRoute; readonly page: number }
  | { readonly kind: 'record'; readonly route: CollectionRoute; readonly name: string }
  /** The same page at its canonical path. */
  | { readonly kind: 'redirect'; readonly path: string };

export type Router = (path: string) => readonly Routed[];

const escapePattern = (text: string): string => text.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`);

/** A path that is decoded already. */
const plain = /^[\w/.~-]*$/;

/** Decodes a path once; null if it is not UTF-8 or hides a separator. */
export function decodedPath(path: string): string | null {
  if (plain.test(path)) return path;
  try {
    const decoded = decodeURI(path).normalize('NFC');
    return /%(?:2f|5c)/i.test(path) || decoded.includes('\\') || decoded.includes('\u0000') ? null : decoded;
  } catch {
    return null;
  }
}

type Pattern = { readonly route: CollectionRoute; readonly pattern: RegExp; readonly fixed: number };

/** Record paths, the most specific first: `/blog/{slug}` before `/{slug}`. */
function patternsOf(routes: RoutesPart): Pattern[] {
  return routes
    .flatMap((route): Pattern[] => {
      if (route.kind !== 'collection' || route.recordPath === null) return [];
      const [before = '', after = ''] = route.recordPath.split('{slug}');
      return [{ route, pattern: new RegExp(`^${escapePattern(before)}([^/]+)${escapePattern(after)}$`, 'u'), fixed: before.length + after.length }];
    })
    .toSorted((a, b) => b.fixed - a.fixed);
}

/**
 * Reads the routes of a release. The router returns what may be at a decoded path, the first that exists wins: several record paths may fit the same path, and only the
 * records tell. `/list/page/2` continues a list.
 */
export function createRouter(routes: RoutesPart): Router {
  const templates = new Map(routes.flatMap((route) => (route.kind === 'template' ? [[route.path, route] as const] : [])));
  const lists = new Map(routes.flatMap((route) => (route.kind === 'collection' && route.listPath !== null ? [[route.listPath, route] as const] : [])));
  const patterns = patternsOf(routes);

  function listAt(path: string): Routed | null {
    const [, base = '', digits] = /^(.*?)(?:\/page\/([1-9]\d{0,5}))?$/.exec(path) ?? [];
    const route = lists.get(base === '' ? '/' : base);
    if (!route) return null;
    const page = digits === undefined ? 1 : Number(digits);
    return digits === '1' ? { kind: 'redirect', path: base === '' ? '/' : base } : { kind: 'list', route, page };
  }

  return (path) => {
    if (path.length > 1 && path.endsWith('/')) return [{ kind: 'redirect', path: path.replace(/\/+$/, '') || '/' }];
    const template = templates.get(path);
    if (template) return [{ kind: 'template', route: template }];
    const list = listAt(path);
    const records = patterns.flatMap(({ route, pattern }): Routed[] => {
      const name = pattern.exec(path)?.[1];
      return name === undefined ? [] : [{ kind: 'record', route, name }];
    });
    return list ? [list, ...records] : records;
  };
}

/** Path of a record. */
export const recordPath = ({ recordPath: pattern }: Pick<CollectionRoute, 'recordPath'>, slug: string): string | null =>
  pattern === null ? null : pathOfRecord(pattern, slug);
