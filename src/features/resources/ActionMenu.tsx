import type { ReactElement } from 'react';
import { Caret } from '@/ui/Caret';
import { Icon } from '@/ui/Icon';
import { IconButton, PlainButton } from '@/ui/PlainButton';
import { MenuRow, Popup } from '@/ui/Popup';
import { useMenu } from '@/ui/useMenu';

type MenuAction = { readonly label: string; readonly onChoose: () => void; readonly danger?: boolean };
type MenuProps = { readonly label: string; readonly actions: readonly MenuAction[] };

/** A menu of actions, which closes before the chosen one begins. */
export function ActionPopup({
  anchor,
  label,
  actions,
  align = 'start',
  onClose,
}: MenuProps & { readonly anchor: HTMLElement; readonly align?: 'start' | 'end'; readonly onClose: () => void }): ReactElement {
  return (
    <Popup anchor={anchor} onClose={onClose} label={label} role="menu" align={align} width={220}>
      {actions.map((action) => (
        <MenuRow
          key={action.label}
          role="menuitem"
          {...(action.danger === true ? { style: { color: 'var(--bad)' } } : {})}
          onClick={() => {
            onClose();
            action.onChoose();
          }}
        >
          {action.label}
        </MenuRow>
      ))}
    </Popup>
  );
}

/** A button with a menu of actions: with `text` and a caret, or three dots. `label`: name of the menu, and of a button without text. */
export function ActionMenu({ label, text, actions }: MenuProps & { readonly text?: string }): ReactElement {
  const menu = useMenu();
  const button = { 'aria-haspopup': 'menu', 'aria-expanded': menu.anchor !== null, onClick: menu.toggle } as const;
  return (
    <>
      {text === undefined ? (
        <IconButton label={label} {...button}>
          <Icon name="more" />
        </IconButton>
      ) : (
        <PlainButton data-quiet="" {...button}>
          {text} <Caret to="down" />
        </PlainButton>
      )}
      {menu.anchor && <ActionPopup anchor={menu.anchor} label={label} actions={actions} onClose={menu.close} />}
    </>
  );
}
