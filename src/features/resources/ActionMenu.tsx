import type { ReactElement } from 'react';
import { Caret } from '@/ui/Caret';
import { Icon } from '@/ui/Icon';
import { IconButton, PlainButton } from '@/ui/PlainButton';
import { MenuRow, Popup } from '@/ui/Popup';
import { useMenu } from '@/ui/useMenu';

export type MenuAction = { readonly label: string; readonly onChoose: () => void; readonly danger?: boolean };

/** A button with a menu of actions: with `text` and a caret, or three dots. `label`: name of the menu, and of a button without text. */
export function ActionMenu({
  label,
  text,
  actions,
}: {
  readonly label: string;
  readonly text?: string;
  readonly actions: readonly MenuAction[];
}): ReactElement {
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
      {menu.anchor && (
        <Popup anchor={menu.anchor} onClose={menu.close} label={label} role="menu" width={220}>
          {actions.map((action) => (
            <MenuRow
              key={action.label}
              role="menuitem"
              {...(action.danger === true ? { style: { color: 'var(--bad)' } } : {})}
              onClick={() => {
                menu.close();
                action.onChoose();
              }}
            >
              {action.label}
            </MenuRow>
          ))}
        </Popup>
      )}
    </>
  );
}
