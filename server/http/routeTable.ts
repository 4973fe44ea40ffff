import type { AnyEndpoint } from './route';

/** All routes of the app, filled during registration. `endpoint` is null for open routes. */
export type RouteTable = { readonly url: string; readonly methods: readonly string[]; readonly endpoint: AnyEndpoint | null }[];

declare module 'fastify' {
  interface FastifyInstance {
    routeTable: RouteTable;
  }
}

const patterns = new Map<string, RegExp>();
function patternOf(url: string): RegExp {
  const known = patterns.get(url);
  if (known) return known;
  const source = url
    .replaceAll(/[.+?^${}()|[\]\\]/g, '\\$&')
    .replaceAll(/:[A-Za-z]+/g, '[^/]+')
    .replaceAll('*', '.*');
  const pattern = new RegExp(`^${source}$`);
  patterns.set(url, pattern);
  return pattern;
}

/** The methods of the routes at `path`; empty if there are none. */
export function methodsOf(table: RouteTable, path: string): string[] {
  const found = new Set<string>();
  for (const { url, methods } of table) if (patternOf(url).test(path)) for (const method of methods) found.add(method);
  return [...found].sort();
}

export const isApi = (url: string): boolean => /^\/api(?:[/?]|$)/.test(url);
