import { useTranslation } from 'react-i18next';
import { matchPath, useMatches, useParams } from 'react-router-dom';
import type { Params } from 'react-router-dom';
import { selectSite } from '@/features/sites/sitesSlice';
import { useAppSelector } from '@/store/hooks';
import { fill, flatTree } from './paths';
import type { FlatNode } from './paths';
import type { RouteNode } from './types';

const isNode = (handle: unknown): handle is RouteNode => typeof handle === 'object' && handle !== null && 'id' in handle && 'path' in handle;

/** The nodes of the current address, outermost first. */
export function useTrail(): { readonly trail: readonly RouteNode[]; readonly params: Readonly<Params> } {
  const matches = useMatches();
  const params = useParams();
  return { trail: matches.map((match) => match.handle).filter(isNode), params: matches.at(-1)?.params ?? params };
}

/** The node that matches a path; a literal segment takes precedence over a parameter. */
export function nodeAt(pathname: string): FlatNode | undefined {
  const found = flatTree.filter(({ path }) => matchPath(path, pathname) !== null);
  return found.sort((a, b) => a.path.split(':').length - b.path.split(':').length)[0];
}

export type Crumb = { readonly id: string; readonly label: string; readonly to: string | null };

/** Account › site › section › item. The last one is the page itself. */
export function useCrumbs(): readonly Crumb[] {
  const { t } = useTranslation('nav');
  const { trail, params } = useTrail();
  const site = useAppSelector((state) => selectSite(state, params['siteId']));
  const crumbs: Crumb[] = [];
  let path = '';
  for (const node of trail) {
    path += `/${node.path}`;
    if (node.id === 'site') crumbs.push({ id: 'home', label: t('home'), to: '/home' });
    // Nothing below a missing site has a name.
    if (node.id === 'site' && !site) break;
    if (node.title === undefined) continue;
    const label = node.id === 'site' && site ? site.name : t(node.title);
    crumbs.push({ id: node.id, label, to: fill(path, params) });
  }
  return crumbs;
}
