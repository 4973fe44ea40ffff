import { useDiscovery } from '../useDiscovery';
import { useShellLive } from './useShellLive';
import { useShortcuts } from './useShortcuts';

/** What runs behind every page and is not needed to draw the first one: live changes, fetching ahead, the keyboard. */
const Background = ({ onPalette, onHelp }: { onPalette: () => void; onHelp: () => void }) => {
  useShellLive();
  useDiscovery();
  useShortcuts({ onPalette, onHelp });
  return null;
};

export default Background;
