import { MenuRow, Popup } from '@/ui/Popup';
import type { GridMenuItem } from './types';

export type GridMenuState = { readonly anchor: HTMLElement; readonly label: string; readonly items: readonly GridMenuItem[] };

/** A menu of the grid. `onClose` is called on Escape and on presses elsewhere; `onChosen` is called before an item's action runs. */
export const GridMenu = ({ open, onClose, onChosen }: { readonly open: GridMenuState; readonly onClose: () => void; readonly onChosen: () => void }) => (
  <Popup anchor={open.anchor} label={open.label} role="menu" width={232} onClose={onClose}>
    {open.items.map((item) => (
      <MenuRow
        key={item.id}
        type="button"
        role="menuitem"
        className={`g-item${item.apart ? ' g-apart' : ''}${item.danger ? ' g-danger' : ''}`}
        disabled={item.disabled === true}
        onClick={() => {
          onChosen();
          item.onChoose();
        }}
      >
        <span>{item.name}</span>
        {item.keys !== undefined && (
          <kbd className="g-keys" aria-hidden="true">
            {item.keys}
          </kbd>
        )}
      </MenuRow>
    ))}
  </Popup>
);
