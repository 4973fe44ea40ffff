import { Suspense, lazy, useCallback, useState } from 'react';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Outlet, ScrollRestoration, useLocation, useNavigation } from 'react-router-dom';
import { withMessages } from '@/i18n';
import { noticeShown } from '@/features/notices/noticesSlice';
import { selectLoad } from '@/features/sites/sitesSlice';
import { narrowScreen, phone, useMedia } from '@/lib/useMedia';
import { useDelayed } from '@/lib/useDelayed';
import { useAppDispatch, useAppSelector } from '@/store/hooks';
import { withMui } from '@/theme/mui';
import { Icon } from '@/ui/Icon';
import { IconButton } from '@/ui/PlainButton';
import { PageSkeleton } from '@/ui/skeletons';
import { nodeAt } from '../useTrail';
import { PaletteContext } from './paletteContext';
import { PartBoundary } from './PartBoundary';
import { Rail } from './Rail';
import { ReportTabs } from './ReportTabs';
import { TopBar } from './TopBar';
import { usePageArrival } from './usePageArrival';

const Banners = lazy(() => import(/* webpackChunkName: "background" */ './Banners'));
const Background = lazy(() => import(/* webpackChunkName: "background" */ './Background'));
const PaletteHost = lazy(() => withMui(withMessages(import(/* webpackChunkName: "palette" */ './PaletteHost'), ['frame'])));
const ShortcutsHelp = lazy(() => withMui(withMessages(import(/* webpackChunkName: "palette" */ './ShortcutsHelp'), ['frame'])));
const NoticeHost = lazy(() => import(/* webpackChunkName: "background" */ '@/features/notices/NoticeHost').then((part) => ({ default: part.NoticeHost })));
const Drawer = lazy(() => withMui(import(/* webpackChunkName: "drawer" */ './Drawer')));

/** The page that is loading: its message and skeleton. */
const Arriving = ({ pathname }: { pathname: string }) => {
  const { t } = useTranslation(['shell', 'nav', 'ui']);
  const node = nodeAt(pathname)?.node;
  const message = node?.title === undefined ? t('shell:loadingPart') : t('ui:loadingPart', { name: t(`nav:${node.title}`) });
  return <PageSkeleton message={message} kind={node?.skeleton} />;
};

/** Replaces the page until its part has loaded for the first time. */
export const FirstPart = () => <Arriving pathname={useLocation().pathname} />;

const foldKey = 'console:railFolded';
const wasFolded = (): boolean => {
  try {
    return localStorage.getItem(foldKey) === '1';
  } catch {
    return false;
  }
};

/** Whether the rail is collapsed, and a toggle. Stored in this browser. */
function useFolded(): [folded: boolean, toggle: () => void] {
  const [folded, setFolded] = useState(wasFolded);
  const toggle = () => {
    setFolded(!folded);
    try {
      localStorage.setItem(foldKey, folded ? '0' : '1');
    } catch {
      // The choice lasts until the page is left.
    }
  };
  return [folded, toggle];
}

/** What lies over the page: the palette, the help with shortcuts, or on a phone the drawer. */
function useOver() {
  const [over, setOver] = useState<'palette' | 'help' | 'drawer' | null>(null);
  const openPalette = useCallback(() => setOver('palette'), []);
  return { over, setOver, openPalette, close: () => setOver(null) };
}

/** A part that the first render does not need. The console works without it, so a failure to load it is only logged. */
const Quietly = ({ children }: { readonly children: ReactNode }) => (
  <PartBoundary onFail={console.error}>
    <Suspense fallback={null}>{children}</Suspense>
  </PartBoundary>
);

/** The frame of every page: rail, top bar, and the page. */
export const Shell = () => {
  const { t } = useTranslation('shell');
  const dispatch = useAppDispatch();
  const navigation = useNavigation();
  const { pathname } = useLocation();
  const onPhone = useMedia(phone);
  const onNarrow = useMedia(narrowScreen);
  const [folded, fold] = useFolded();
  const { over, setOver, close, openPalette } = useOver();
  const started = useAppSelector(selectLoad).status === 'ready';
  const said = usePageArrival();
  const waiting = useDelayed(navigation.state === 'loading', 120, 300);
  const target = navigation.location?.pathname ?? pathname;
  const elsewhere = waiting && navigation.state === 'loading' && target !== pathname;

  const small = folded || onNarrow;
  const failed = () => {
    close();
    dispatch(noticeShown({ tone: 'bad', message: { key: 'shell:partFailed' } }));
  };

  return (
    <div className="frame">
      <a className="skip" href="#content">
        {t('skip')}
      </a>
      {waiting && <div className="progress" aria-hidden="true" />}
      {!onPhone && (
        <aside {...(small ? { 'data-folded': '' } : {})}>
          <Rail />
          {!onNarrow && (
            <div className="fold">
              <IconButton label={folded ? t('unfoldRail') : t('foldRail')} aria-pressed={folded} onClick={fold}>
                <Icon name="fold" />
              </IconButton>
            </div>
          )}
        </aside>
      )}
      <div className="page">
        <TopBar onMenu={onPhone ? () => setOver('drawer') : null} menuOpen={over === 'drawer'} onFind={openPalette} />
        <Quietly>
          <Banners />
        </Quietly>
        <main id="content" tabIndex={-1}>
          {started && <ReportTabs />}
          {(elsewhere || !started) && <Arriving pathname={target} />}
          {started && (
            <div hidden={elsewhere} data-width={nodeAt(pathname)?.node.width ?? 'wide'}>
              <PaletteContext value={openPalette}>
                <Outlet />
              </PaletteContext>
            </div>
          )}
        </main>
      </div>
      <p role="status" className="only-read">
        {said}
      </p>
      {over && (
        <PartBoundary key={over} onFail={failed}>
          <Suspense fallback={null}>
            {over === 'palette' && <PaletteHost onClose={close} onHelp={() => setOver('help')} />}
            {over === 'help' && <ShortcutsHelp onClose={close} />}
            {over === 'drawer' && <Drawer onClose={close} />}
          </Suspense>
        </PartBoundary>
      )}
      <Quietly>
        <NoticeHost />
      </Quietly>
      <Quietly>
        <Background onPalette={openPalette} onHelp={() => setOver('help')} />
      </Quietly>
      <ScrollRestoration />
    </div>
  );
};
