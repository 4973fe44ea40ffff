import { Divider, Menu, MenuItem } from '@mui/material';
import type { ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router-dom';
import { pathOf } from '@contract/call';
import { mayOnSite } from '@contract/permissions';
import { baseCalls } from '@contract/sites/baseCalls';
import type { Site } from '@contract/sites/schemas';
import type { SiteMove } from '@contract/sites/terms';
import { selectMay } from '@/features/session/sessionSlice';
import { webAddress } from '@/lib/webAddress';
import { href } from '@/routes/paths';
import { useAppDispatch, useAppSelector } from '@/store/hooks';
import { usePinSiteMutation } from './sitesApi';
import { siteStateRequested, useSiteListeners } from './sitesListeners';

export type SiteDialog = { readonly kind: 'rename' | 'suspend' | 'delete' | 'tags'; readonly siteId: string };
export type SiteMenuProps = {
  readonly site: Site;
  readonly anchor: HTMLElement;
  readonly onClose: () => void;
  readonly onDialog: (dialog: SiteDialog) => void;
};

/** Changes of state that are possible now and allowed to the person. */
function movesOf({ state, purpose, role }: Site, maySuspend: boolean): readonly SiteMove[] {
  if (!mayOnSite(role, 'site.archive')) return [];
  const suspend: readonly SiteMove[] = maySuspend ? ['suspended'] : [];
  if (state === 'suspended') return maySuspend ? ['open'] : [];
  if (state === 'archived') return ['open', ...suspend];
  const maintenance: readonly SiteMove[] = state === 'maintenance' ? ['published'] : state === 'published' && purpose === 'built' ? ['maintenance'] : [];
  return [...maintenance, 'archived', ...suspend];
}

/** All actions on one site of the list; forbidden ones are hidden. */
export default function SiteMenuPanel({ site, anchor, onClose, onDialog }: SiteMenuProps): ReactElement {
  useSiteListeners();
  const { t } = useTranslation(['siteChanges', 'sites']);
  const dispatch = useAppDispatch();
  const [pin] = usePinSiteMutation();
  const maySuspend = useAppSelector((state) => selectMay(state, 'site.suspend'));
  // A private site lets people in who come from the console.
  const address = site.visibility === 'private' ? pathOf(baseCalls.visitSite, { siteId: site.id }) : webAddress(site.url ?? site.systemHost);
  const choose = (act: () => void) => () => {
    onClose();
    act();
  };
  const frozen = site.state === 'suspended' && !maySuspend;
  const may = { rename: !frozen && mayOnSite(site.role, 'site.rename'), delete: !frozen && mayOnSite(site.role, 'site.delete') };
  return (
    <Menu
      anchorEl={anchor}
      open
      onClose={onClose}
      anchorOrigin={{ vertical: 'bottom', horizontal: 'right' }}
      transformOrigin={{ vertical: 'top', horizontal: 'right' }}
      slotProps={{ list: { 'aria-label': t('sites:menu.label', { name: site.name }) } }}
    >
      <MenuItem component={Link} to={href('site', { siteId: site.id })}>
        {t('menu.open')}
      </MenuItem>
      {address !== null && (
        <MenuItem component="a" href={address} target="_blank" rel="noopener noreferrer" onClick={onClose}>
          {t('menu.visit')}
        </MenuItem>
      )}
      <MenuItem onClick={choose(() => void pin({ siteId: site.id, body: { pinned: !site.pinned } }))}>{t(site.pinned ? 'menu.unpin' : 'menu.pin')}</MenuItem>
      {may.rename && <MenuItem onClick={choose(() => onDialog({ kind: 'rename', siteId: site.id }))}>{t('menu.rename')}</MenuItem>}
      {may.rename && <MenuItem onClick={choose(() => onDialog({ kind: 'tags', siteId: site.id }))}>{t('menu.tags')}</MenuItem>}
      {movesOf(site, maySuspend).map((to) => (
        <MenuItem
          key={to}
          onClick={choose(() => (to === 'suspended' ? onDialog({ kind: 'suspend', siteId: site.id }) : void dispatch(siteStateRequested({ id: site.id, to }))))}
        >
          {t(`menu.to.${to}`)}
        </MenuItem>
      ))}
      {may.delete && <Divider />}
      {may.delete && (
        <MenuItem sx={{ color: 'error.main' }} onClick={choose(() => onDialog({ kind: 'delete', siteId: site.id }))}>
          {t('menu.delete')}
        </MenuItem>
      )}
    </Menu>
  );
}
