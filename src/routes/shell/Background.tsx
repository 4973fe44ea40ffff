import { useEffect } from 'react';
import { whenUsable } from '@/lib/whenUsable';
import { errorPages } from '../errors';
import { useDiscovery } from '../useDiscovery';
import { useShellLive } from './useShellLive';
import { useShortcuts } from './useShortcuts';

/** Runs behind every page and is not needed for the first render: live changes, prefetching, the keyboard. */
const Background = ({ onPalette, onHelp }: { onPalette: () => void; onHelp: () => void }) => {
  useShellLive();
  useDiscovery();
  useShortcuts({ onPalette, onHelp });
  // Loaded before any error: then the connection may be down.
  useEffect(() => whenUsable(() => void errorPages().catch(() => undefined)), []);
  return null;
};

export default Background;
