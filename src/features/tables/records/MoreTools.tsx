import MoreHoriz from '@mui/icons-material/MoreHorizOutlined';
import { Suspense, useState } from 'react';
import type { ReactElement, ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { MenuRow, Popup } from '@/ui/Popup';
import { useMenu } from '@/ui/useMenu';
import { preloadPanels } from './lazyParts';
import { Inside, ToolButton, ToolPanel } from './parts';

type Common = { readonly id: string; readonly name: string; readonly icon: ReactNode };
type PressTool = Common & { readonly keys?: string; readonly disabled?: boolean; readonly onPress: () => void };
type PanelTool = Common & { readonly width: number; readonly panel: () => ReactNode };
/** A less frequently used tool: it acts at once, or has a panel. */
export type Tool = PressTool | PanelTool;

/** The tools under each other with their names, for the sheet of phones. */
export const ToolList = ({ tools }: { readonly tools: readonly Tool[] }): ReactElement => (
  <>
    {tools.map((tool) =>
      'panel' in tool ? (
        <ToolPanel key={tool.id} name={tool.name} icon={tool.icon} width={tool.width}>
          {tool.panel}
        </ToolPanel>
      ) : (
        <ToolButton key={tool.id} name={tool.name} icon={tool.icon} disabled={tool.disabled ?? false} onPress={tool.onPress} />
      ),
    )}
  </>
);

/** A button with a menu of the tools; a panel opens in the place of the menu. */
export const MoreTools = ({ tools }: { readonly tools: readonly Tool[] }): ReactElement => {
  const { t } = useTranslation('tables');
  const menu = useMenu();
  const [button, setButton] = useState<HTMLElement | null>(null);
  const [open, setOpen] = useState<string | null>(null);
  const panel = tools.find((tool): tool is PanelTool => tool.id === open && 'panel' in tool);
  const choose = (tool: Tool): void => {
    menu.close();
    if ('panel' in tool) setOpen(tool.id);
    else tool.onPress();
  };
  return (
    <>
      <ToolButton
        bare
        buttonRef={setButton}
        name={t('tool.more')}
        icon={<MoreHoriz style={{ fontSize: 'var(--text-section)' }} />}
        open={menu.anchor !== null || panel !== undefined}
        onNear={preloadPanels}
        onPress={(event) => (panel ? setOpen(null) : menu.toggle(event))}
      />
      {menu.anchor && (
        <Popup anchor={menu.anchor} onClose={menu.close} label={t('tool.more')} role="menu" align="end" width={220}>
          {tools.map((tool) => (
            <MenuRow key={tool.id} role="menuitem" type="button" disabled={'disabled' in tool && tool.disabled} onClick={() => choose(tool)}>
              {tool.icon}
              <span>{tool.name}</span>
              {'keys' in tool && (
                <kbd className="g-keys" aria-hidden="true">
                  {tool.keys}
                </kbd>
              )}
            </MenuRow>
          ))}
        </Popup>
      )}
      <Suspense fallback={null}>
        {panel && button && (
          <Popup anchor={button} onClose={() => setOpen(null)} label={panel.name} align="end" width={panel.width}>
            <Inside>{panel.panel()}</Inside>
          </Popup>
        )}
      </Suspense>
    </>
  );
};
