import type { InstanceAction, SiteAction } from '@contract/permissions';
import { fill, flatten, flatTree } from './paths';
import type { NavGroup, RouteNode } from './types';

export type RailItem = { readonly node: RouteNode; readonly to: string; readonly below: readonly RailItem[] };
export type RailGroup = { readonly group: NavGroup; readonly items: readonly RailItem[] };
export type Rights = { readonly instance: (action: InstanceAction) => boolean; readonly site: (action: SiteAction) => boolean };

export const mayOpen = ({ needs }: RouteNode, rights: Rights): boolean =>
  !needs || ('instance' in needs ? rights.instance(needs.instance) : rights.site(needs.site));
export const allowed = (trail: readonly RouteNode[], rights: Rights): boolean => trail.every((node) => mayOpen(node, rights));

/** Where the index of `node` redirects, relative to it: to its `redirect`, or else the first child page that the person may open. */
export function landingPath(node: RouteNode, rights: Rights): string {
  const open = flatten(node.children ?? [], '', []).filter((one) => one.node.load !== undefined && !one.path.includes(':') && allowed(one.trail, rights));
  const paths = open.map(({ path }) => path.slice(1));
  return paths.find((path) => path === node.redirect) ?? paths[0] ?? node.redirect ?? '';
}

const order: readonly NavGroup[] = ['main', 'look', 'make', 'manage', 'account'];

/** The entries of the rail: existing routes that the person may open and whose parameters are known here. */
export function railModel(params: Readonly<Record<string, string | undefined>>, rights: Rights): readonly RailGroup[] {
  const visibleNodes = flatTree.filter(({ node, trail }) => node.nav && allowed(trail, rights));
  const item = (node: RouteNode, path: string): RailItem[] => {
    const to = fill(path, params);
    if (to === null) return [];
    const below = visibleNodes.filter((one) => one.node.nav?.level === 2 && one.trail.at(-2) === node).flatMap((one) => item(one.node, one.path));
    return [{ node, to, below }];
  };
  return order
    .map((group) => ({
      group,
      items: visibleNodes.filter(({ node }) => node.nav?.group === group && node.nav.level !== 2).flatMap(({ node, path }) => item(node, path)),
    }))
    .filter(({ items }) => items.length > 0);
}

/** The same section of another site, as far as `rights` on that site allow; parameters that belong to the old site (an event's page) are dropped. */
export function sameSection(trail: readonly RouteNode[], siteId: string, rights: Rights): string {
  let path = '';
  let best = `/site/${siteId}`;
  for (const node of trail) {
    path += `/${node.path}`;
    const filled = fill(path, { siteId });
    if (filled === null || !mayOpen(node, rights)) break;
    if (node.title !== undefined && path.startsWith('/site/')) best = filled;
  }
  return best;
}
