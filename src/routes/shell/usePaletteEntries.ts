import { useTranslation } from 'react-i18next';
import { useNavigate } from 'react-router-dom';
import { useSetPreference } from '@/features/account/usePreferences';
import { selectUser } from '@/features/account/userSlice';
import type { PaletteEntry } from '@/features/palette/entries';
import { useSignOutMutation } from '@/features/session/sessionApi';
import { useSessionRefresh } from '@/features/session/useSessionRefresh';
import { selectSites } from '@/features/sites/sitesSlice';
import { hostOf } from '@/lib/hostOf';
import { useAppSelector } from '@/store/hooks';
import { fill, flatTree } from '../paths';
import { allowed, sameSection } from '../railModel';
import { useRights, useRightsOn } from '../useRights';
import { useTrail } from '../useTrail';

/** All palette entries: existing routes that may be opened, the sites, and the frame's own actions. */
export function usePaletteEntries(showShortcuts: () => void): readonly PaletteEntry[] {
  const { t } = useTranslation(['frame', 'nav']);
  const navigate = useNavigate();
  const { trail, params } = useTrail();
  const rights = useRights(params['siteId']);
  const rightsOn = useRightsOn();
  const sites = useAppSelector(selectSites);
  const user = useAppSelector(selectUser);
  const setPreference = useSetPreference();
  const [signOut] = useSignOutMutation();
  const refreshSession = useSessionRefresh();
  const site = sites.find((one) => one.id === params['siteId']);

  const pages = flatTree.flatMap(({ node, path, trail: nodes }): PaletteEntry[] => {
    const to = fill(path, { siteId: params['siteId'] });
    if (!node.load || node.title === undefined || to === null || !allowed(nodes, rights)) return [];
    return [
      {
        id: node.id,
        kind: 'page',
        label: t(`nav:${node.title}`),
        ...(path.startsWith('/site/') && site ? { detail: site.name } : {}),
        icon: node.nav?.icon ?? nodes.findLast((one) => one.nav?.icon)?.nav?.icon ?? 'search',
        keywords: [node.path],
        ...(node.nav?.shortcut === undefined ? {} : { shortcut: node.nav.shortcut }),
        run: () => void navigate(to),
      },
    ];
  });

  const toSites = sites.map((one): PaletteEntry => {
    const detail = hostOf(one);
    return {
      id: `site:${one.id}`,
      kind: 'site',
      label: one.name,
      ...(detail === '' ? {} : { detail }),
      icon: 'dashboard',
      keywords: [one.slug],
      run: () => void navigate(sameSection(trail, one.id, rightsOn(one))),
    };
  });

  const dark = document.documentElement.getAttribute('data-scheme') === 'dark';
  const actions: PaletteEntry[] = [
    {
      id: 'act:scheme',
      kind: 'action',
      label: dark ? t('frame:palette.toLight') : t('frame:palette.toDark'),
      icon: dark ? 'sun' : 'moon',
      keywords: ['theme', 'dark', 'light'],
      run: () => void setPreference({ colorScheme: dark ? 'light' : 'dark' }),
    },
    {
      id: 'act:language',
      kind: 'action',
      label: user?.locale === 'en' ? t('frame:palette.toChinese') : t('frame:palette.toEnglish'),
      icon: 'language',
      keywords: ['language', 'english', 'zhongwen', 'yuyan'],
      run: () => void setPreference({ locale: user?.locale === 'en' ? 'zh-CN' : 'en' }),
    },
    { id: 'act:shortcuts', kind: 'action', label: t('frame:help.title'), icon: 'keyboard', keywords: ['help', 'keyboard'], shortcut: '?', run: showShortcuts },
    { id: 'act:refresh', kind: 'action', label: t('frame:person.refresh'), icon: 'refresh', keywords: ['session'], run: refreshSession },
    { id: 'act:signOut', kind: 'action', label: t('frame:person.signOut'), icon: 'signOut', keywords: ['logout', 'sign out'], run: () => void signOut() },
  ];
  return [...pages, ...actions, ...toSites];
}
