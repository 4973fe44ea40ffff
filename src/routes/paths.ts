import { tree } from './config';
import type { RouteNode } from './types';

type Join<A extends string, B extends string> = A extends '' ? `/${B}` : `${A}/${B}`;
type Flat<N, Prefix extends string> = N extends { readonly id: infer I extends string; readonly path: infer P extends string }
  ? { readonly id: I; readonly path: Join<Prefix, P> } | (N extends { readonly children: readonly (infer C)[] } ? Flat<C, Join<Prefix, P>> : never)
  : never;
type Entry = Flat<(typeof tree)[number], ''>;
export type RouteId = Entry['id'];
type PathOf<I extends RouteId> = Extract<Entry, { id: I }>['path'];
type ParamsIn<P extends string> = P extends `${string}:${infer K}/${infer R}` ? K | ParamsIn<R> : P extends `${string}:${infer K}` ? K : never;
export type RouteParams<I extends RouteId> = { readonly [K in ParamsIn<PathOf<I>>]: string };

/** A node with its full path and its ancestors, outermost first, itself last. */
export type FlatNode = { readonly node: RouteNode; readonly path: string; readonly trail: readonly RouteNode[] };

export const flatten = (nodes: readonly RouteNode[], prefix: string, trail: readonly RouteNode[]): FlatNode[] =>
  nodes.flatMap((node) => {
    const path = `${prefix}/${node.path}`;
    const here = [...trail, node];
    return [{ node, path, trail: here }, ...flatten(node.children ?? [], path, here)];
  });

export const flatTree: readonly FlatNode[] = flatten(tree, '', []);
const byId = new Map(flatTree.map((flat) => [flat.node.id, flat]));

/** Fills `:name` from `params`; null if one is missing. For code that walks the tree; all other code uses `href`. */
export function fill(path: string, params: Readonly<Record<string, string | undefined>>): string | null {
  let missing = false;
  const filled = path.replaceAll(/:(\w+)/g, (_all, name: string) => {
    const value = params[name];
    if (value === undefined) missing = true;
    return encodeURIComponent(value ?? '');
  });
  return missing ? null : filled;
}

/** The address of a route: `href('site.als.trend', { siteId })`. Ids and parameters are checked by the compiler. */
export function href<I extends RouteId>(id: I, ...[params]: keyof RouteParams<I> extends never ? [] : [RouteParams<I>]): string {
  const flat = byId.get(id);
  if (!flat) throw new Error(`No route ${id}`);
  return fill(flat.path, params ?? {}) ?? '/';
}
