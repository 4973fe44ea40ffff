import { Divider, Menu, MenuItem } from '@mui/material';
import type { ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router-dom';
import { mayOnSite } from '@contract/permissions';
import type { Site } from '@contract/sites/schemas';
import { webAddress } from '@/lib/webAddress';
import { href } from '@/routes/paths';
import { useAppDispatch } from '@/store/hooks';
import { usePinSiteMutation } from './sitesApi';
import { siteStateRequested } from './sitesListeners';

export type SiteDialog = { readonly kind: 'rename' | 'delete'; readonly siteId: string };
export type SiteMenuProps = {
  readonly site: Site;
  readonly anchor: HTMLElement;
  readonly onClose: () => void;
  readonly onDialog: (dialog: SiteDialog) => void;
};

/** All actions on one site of the list; forbidden ones are hidden. */
export default function SiteMenuPanel({ site, anchor, onClose, onDialog }: SiteMenuProps): ReactElement {
  const { t } = useTranslation('sites');
  const dispatch = useAppDispatch();
  const [pin] = usePinSiteMutation();
  const address = webAddress(site.url ?? site.systemHost);
  const choose = (act: () => void) => () => {
    onClose();
    act();
  };
  const may = { rename: mayOnSite(site.role, 'site.rename'), archive: mayOnSite(site.role, 'site.archive'), delete: mayOnSite(site.role, 'site.delete') };
  return (
    <Menu
      anchorEl={anchor}
      open
      onClose={onClose}
      anchorOrigin={{ vertical: 'bottom', horizontal: 'right' }}
      transformOrigin={{ vertical: 'top', horizontal: 'right' }}
      slotProps={{ list: { 'aria-label': t('menu.label', { name: site.name }) } }}
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
      {may.archive && (
        <MenuItem onClick={choose(() => void dispatch(siteStateRequested({ id: site.id, to: site.state === 'archived' ? 'active' : 'archived' })))}>
          {t(site.state === 'archived' ? 'menu.unarchive' : 'menu.archive')}
        </MenuItem>
      )}
      {may.delete && <Divider />}
      {may.delete && (
        <MenuItem sx={{ color: 'error.main' }} onClick={choose(() => onDialog({ kind: 'delete', siteId: site.id }))}>
          {t('menu.delete')}
        </MenuItem>
      )}
    </Menu>
  );
}
