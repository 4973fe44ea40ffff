import type { InstanceAction, SiteAction } from '@contract/permissions';
import { fill, type FlatNode, flatten, flatTree } from './paths';
import type { NavGroup, ReportGroup, RouteNode, TitleKey } from './types';

/** The title of an entry: a route's own, or that of its group of reports. */
export type RailTitle = { readonly key: TitleKey } | { readonly reports: ReportGroup };
export type RailItem = {
  /** The node that the entry opens, or the first of its group. */ readonly node: RouteNode;
  readonly title: RailTitle;
  readonly to: string;
  /** The entry is active inside these nodes. */ readonly ids: readonly string[];
  readonly below: readonly RailItem[];
};
export type RailGroup = { readonly group: NavGroup; readonly items: readonly RailItem[] };
export type Rights = {
  readonly instance: (action: InstanceAction) => boolean;
  readonly site: (action: SiteAction) => boolean;
  readonly anySite: (action: SiteAction) => boolean;
};

export const mayOpen = ({ needs }: RouteNode, rights: Rights): boolean =>
  !needs || ('instance' in needs ? rights.instance(needs.instance) : 'site' in needs ? rights.site(needs.site) : rights.anySite(needs.anySite));
export const allowed = (trail: readonly RouteNode[], rights: Rights): boolean => trail.every((node) => mayOpen(node, rights));

/** Where the index of `node` redirects, relative to it: to its `redirect`, or else the first child page that the person may open. */
export function landingPath(node: RouteNode, rights: Rights): string {
  const open = flatten(node.children ?? [], '', []).filter((one) => one.node.load !== undefined && !one.path.includes(':') && allowed(one.trail, rights));
  const paths = open.map(({ path }) => path.slice(1));
  return paths.find((path) => path === node.redirect) ?? paths[0] ?? node.redirect ?? '';
}

const order: readonly NavGroup[] = ['main', 'data', 'content', 'manage', 'developer', 'account'];

/** One entry for all nodes of a group of reports; it opens the first of them. */
function joinGroups(items: readonly RailItem[]): RailItem[] {
  const joined: RailItem[] = [];
  for (const item of items) {
    const reports = item.node.nav?.tabs;
    const index = reports === undefined ? -1 : joined.findIndex(({ node }) => node.nav?.tabs === reports);
    const first = joined[index];
    if (first === undefined) joined.push(reports === undefined ? item : { ...item, title: { reports } });
    else joined[index] = { ...first, ids: [...first.ids, ...item.ids] };
  }
  return joined;
}

/** The entries of the rail: existing routes that the person may open and whose parameters are known here. */
export function railModel(params: Readonly<Record<string, string | undefined>>, rights: Rights): readonly RailGroup[] {
  const visibleNodes = flatTree.filter(({ node, trail }) => node.nav && allowed(trail, rights));
  const item = ({ node, path }: FlatNode): RailItem[] => {
    const to = fill(path, params);
    if (to === null || node.title === undefined) return [];
    const below = visibleNodes.filter((one) => one.node.nav?.level === 2 && one.trail.at(-2) === node).flatMap(item);
    return [{ node, title: { key: node.title }, to, ids: [node.id], below: joinGroups(below) }];
  };
  return order
    .map((group) => ({ group, items: visibleNodes.filter(({ node }) => node.nav?.group === group && node.nav.level !== 2).flatMap(item) }))
    .filter(({ items }) => items.length > 0);
}

export type ReportTab = { readonly node: RouteNode; readonly to: string };

/** The reports that share the rail entry of the current page, as tabs; none if it is the only one. */
export function reportTabs(
  trail: readonly RouteNode[],
  params: Readonly<Record<string, string | undefined>>,
  rights: Rights,
): { readonly group: ReportGroup; readonly tabs: readonly ReportTab[] } | null {
  const group = trail.find(({ nav }) => nav?.tabs !== undefined)?.nav?.tabs;
  if (group === undefined) return null;
  const tabs = flatTree
    .filter((one) => one.node.load !== undefined && one.trail.some(({ nav }) => nav?.tabs === group) && allowed(one.trail, rights))
    .flatMap(({ node, path, trail: nodes }) => {
      // A page about one item, below a report, is no report of the group.
      const to = nodes.some((above) => above !== node && above.load !== undefined) ? null : fill(path, params);
      return to === null ? [] : [{ node, to }];
    });
  return tabs.length > 1 ? { group, tabs } : null;
}

/** Parameters of one report: its table layout. Range, filters and the like carry over to other reports. */
const own = ['by', 'sort', 'order', 'page', 'cols', 'show', 'view', 'at'];
export function carriedQuery(search: string): string {
  const params = new URLSearchParams(search);
  for (const name of own) params.delete(name);
  return params.toString();
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
