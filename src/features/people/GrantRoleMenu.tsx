import { Menu, MenuItem } from '@mui/material';
import type { ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import { siteRoles } from '@contract/permissions';
import type { SiteRole } from '@contract/permissions';
import { Kbd } from '@/ui/Kbd';
import { keyOfRole } from './grantGrid';
import { useRoleText } from './grantMatrixContext';

type Props = {
  /** The cell that the menu is at; null: closed. */
  readonly anchor: HTMLElement | null;
  readonly selected: SiteRole | null;
  /** null revokes access. */
  readonly onChoose: (role: SiteRole | null) => void;
  readonly onClose: () => void;
};

const itemStyle = { gap: 3, justifyContent: 'space-between' } as const;

/** The roles of a cell, each with its key. */
export function GrantRoleMenu({ anchor, selected, onChoose, onClose }: Props): ReactElement {
  const { t } = useTranslation('people');
  const roleText = useRoleText();
  return (
    <Menu open={anchor !== null} anchorEl={anchor} onClose={onClose} slotProps={{ list: { 'aria-label': t('grants.chooseRole'), dense: true } }}>
      {siteRoles.map((role) => (
        <MenuItem key={role} selected={selected === role} onClick={() => onChoose(role)} sx={itemStyle}>
          {roleText(role)}
          <Kbd keys={keyOfRole[role]} />
        </MenuItem>
      ))}
      <MenuItem onClick={() => onChoose(null)} sx={{ ...itemStyle, borderTop: 1, borderColor: 'divider' }}>
        {t('grants.take')}
        <Kbd keys="Del" />
      </MenuItem>
    </Menu>
  );
}
