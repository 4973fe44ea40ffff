import MoreHoriz from '@mui/icons-material/MoreHoriz';
import { Divider, IconButton, Menu, MenuItem } from '@mui/material';
import { useState } from 'react';
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

/** All actions on one site of the list; forbidden ones are hidden. */
export function SiteMenu({ site, onDialog }: { readonly site: Site; readonly onDialog: (dialog: SiteDialog) => void }): ReactElement {
  const { t } = useTranslation('sites');
  const dispatch = useAppDispatch();
  const [pin] = usePinSiteMutation();
  const [anchor, setAnchor] = useState<HTMLElement | null>(null);
  const label = t('menu.label', { name: site.name });
  const address = webAddress(site.url ?? site.systemHost);
  const close = () => setAnchor(null);
  const choose = (act: () => void) => () => {
    close();
    act();
  };
  const may = { rename: mayOnSite(site.role, 'site.rename'), archive: mayOnSite(site.role, 'site.archive'), delete: mayOnSite(site.role, 'site.delete') };
  return (
    <>
      <IconButton aria-label={label} title={label} aria-haspopup="menu" aria-expanded={anchor !== null} onClick={(event) => setAnchor(event.currentTarget)}>
        <MoreHoriz fontSize="small" />
      </IconButton>
      <Menu
        anchorEl={anchor}
        open={anchor !== null}
        onClose={close}
        anchorOrigin={{ vertical: 'bottom', horizontal: 'right' }}
        transformOrigin={{ vertical: 'top', horizontal: 'right' }}
        slotProps={{ list: { 'aria-label': label } }}
      >
        <MenuItem component={Link} to={href('site', { siteId: site.id })}>
          {t('menu.open')}
        </MenuItem>
        {address !== null && (
          <MenuItem component="a" href={address} target="_blank" rel="noopener noreferrer" onClick={close}>
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
    </>
  );
}
