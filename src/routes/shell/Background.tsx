import { Suspense, lazy, useEffect } from 'react';
import { withMessages } from '@/i18n';
import { whenUsable } from '@/lib/whenUsable';
import { useAppSelector } from '@/store/hooks';
import { errorPages } from '../errors';
import { useDiscovery } from '../useDiscovery';
import { loadBanners } from './Banners';
import { useShellLive } from './useShellLive';
import { useShortcuts } from './useShortcuts';

const UploadsPanel = lazy(() => withMessages(import(/* webpackChunkName: "uploads" */ '@/features/resources/uploads/UploadsPanel'), ['resources']));

/** Runs behind every page and is not needed for the first render: live changes, prefetching, the keyboard, uploads. */
const Background = ({ onPalette, onHelp }: { onPalette: () => void; onHelp: () => void }) => {
  useShellLive();
  useDiscovery();
  useShortcuts({ onPalette, onHelp });
  // Loaded before any error or banner: then the connection may be down.
  useEffect(() => whenUsable(() => void Promise.all([errorPages(), loadBanners()]).catch(() => undefined)), []);
  const hasUploads = useAppSelector(({ uploads }) => Boolean(uploads?.list.length));
  if (!hasUploads) return null;
  return (
    <Suspense fallback={null}>
      <UploadsPanel />
    </Suspense>
  );
};

export default Background;
