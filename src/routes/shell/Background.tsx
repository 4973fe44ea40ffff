import { Suspense, lazy, useEffect, useState } from 'react';
import { mayOnSite } from '@contract/permissions';
import { selectSite } from '@/features/sites/sitesSlice';
import { withMessages } from '@/i18n';
import { whenUsable } from '@/lib/whenUsable';
import { useAppSelector } from '@/store/hooks';
import { errorPages } from '../errors';
import { useDiscovery } from '../useDiscovery';
import { useTrail } from '../useTrail';
import { loadBanners } from './Banners';
import { PartBoundary } from './PartBoundary';
import { useShellLive } from './useShellLive';
import { useShortcuts } from './useShortcuts';

const SupportWatch = lazy(() => import(/* webpackChunkName: "support-watch" */ '@/features/support/SupportWatch'));
const UploadsPanel = lazy(() => withMessages(import(/* webpackChunkName: "uploads" */ '@/features/resources/uploads/UploadsPanel'), ['resources']));

const nothing = (): void => undefined;

/** Runs behind every page and is not needed for the first render: live changes, prefetching, the keyboard, uploads. */
const Background = ({ onPalette, onHelp }: { onPalette: () => void; onHelp: () => void }) => {
  useShellLive();
  useDiscovery();
  useShortcuts({ onPalette, onHelp });
  const [isUsable, setUsable] = useState(false);
  useEffect(
    () =>
      whenUsable(() => {
        setUsable(true);
        // Loaded before any error or banner: then the connection may be down.
        void Promise.all([errorPages(), loadBanners()]).catch(() => undefined);
      }),
    [],
  );
  const { trail, params } = useTrail();
  const site = useAppSelector((state) => selectSite(state, params['siteId']));
  // Conversations from before it was switched off are only watched where they are read.
  const hasConversations = site?.support === true || trail.at(-1)?.id === 'site.cs';
  const watchesSupport = isUsable && site !== undefined && hasConversations && mayOnSite(site.role, 'support.read');
  const hasUploads = useAppSelector(({ uploads }) => Boolean(uploads?.list.length));
  return (
    <>
      {hasUploads && (
        <Suspense fallback={null}>
          <UploadsPanel />
        </Suspense>
      )}
      {watchesSupport && (
        <PartBoundary onFail={nothing}>
          <Suspense fallback={null}>
            <SupportWatch key={site.id} site={site} />
          </Suspense>
        </PartBoundary>
      )}
    </>
  );
};

export default Background;
