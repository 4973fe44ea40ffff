import { keyframes, styled } from '@mui/material/styles';
import { Suspense, lazy, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Outlet, ScrollRestoration, useLocation, useNavigation } from 'react-router-dom';
import { NoticeHost } from '@/features/notices/NoticeHost';
import { noticeShown } from '@/features/notices/noticesSlice';
import { selectLoad } from '@/features/sites/sitesSlice';
import { narrow, phone, useMedia } from '@/lib/useMedia';
import { useDelayed } from '@/lib/useDelayed';
import { useAppDispatch, useAppSelector } from '@/store/hooks';
import { Icon } from '@/ui/Icon';
import { IconButton } from '@/ui/PlainButton';
import { PageSkeleton } from '@/ui/skeletons';
import { useDiscovery } from '../useDiscovery';
import { nodeAt } from '../useTrail';
import { Banners } from './Banners';
import { PartBoundary } from './PartBoundary';
import { Rail } from './Rail';
import { TopBar } from './TopBar';
import { usePageArrival } from './usePageArrival';
import { useShellLive } from './useShellLive';
import { useShortcuts } from './useShortcuts';

const PaletteHost = lazy(() => import(/* webpackChunkName: "palette" */ './PaletteHost'));
const ShortcutsHelp = lazy(() => import(/* webpackChunkName: "palette" */ './ShortcutsHelp'));
const Drawer = lazy(() => import(/* webpackChunkName: "drawer" */ './Drawer'));

const Frame = styled('div')({ display: 'grid', gridTemplateColumns: 'auto minmax(0, 1fr)', minHeight: '100dvh' });
const Side = styled('aside')({
  position: 'sticky', top: 0, height: '100dvh', width: 232, background: 'var(--rail)', borderRight: '1px solid var(--line)', display: 'flex', flexDirection: 'column', transition: 'width 160ms var(--ease)',
  '&[data-folded]': { width: 64 },
  '& > nav': { flex: 1, minHeight: 0 },
  '@media print': { display: 'none' },
});
const Fold = styled('div')({ display: 'flex', justifyContent: 'flex-end', padding: '0 12px 12px', '[data-folded] > &': { justifyContent: 'center' } });
const Main = styled('main')({ padding: '24px 32px 48px', maxWidth: 1440 + 64, minWidth: 0, outline: 'none', '@media (max-width: 1099px)': { padding: '20px 24px 40px' }, '@media (max-width: 719px)': { padding: '16px 16px 40px' } });
const Column = styled('div')({ '&[data-width="form"]': { maxWidth: 720 } });
const Skip = styled('a')({ position: 'fixed', left: 8, top: -60, zIndex: 90, padding: '8px 16px', background: 'var(--canvas)', border: '1px solid var(--line)', borderRadius: 4, '&:focus': { top: 8 } });
const run = keyframes({ from: { transform: 'translateX(-100%)' }, to: { transform: 'translateX(100%)' } });
const Progress = styled('div')({ position: 'fixed', inset: '0 0 auto', height: 2, zIndex: 80, overflow: 'hidden', pointerEvents: 'none', '&::after': { content: '""', position: 'absolute', inset: 0, background: 'var(--primary)', animation: `${run} 900ms ease-in-out infinite` } });

/** The page that is on its way: the message, in the shape of the page. */
const Arriving = ({ pathname }: { pathname: string }) => {
  const { t } = useTranslation(['shell', 'nav', 'ui']);
  const node = nodeAt(pathname)?.node;
  const message = node?.title === undefined ? t('shell:loadingPart') : t('ui:loadingPart', { name: t(`nav:${node.title}`) });
  return <PageSkeleton message={message} {...(node?.skeleton === undefined ? {} : { kind: node.skeleton })} />;
};

/** Stands in the page's place until its part has arrived for the first time. */
export const FirstPart = () => <Arriving pathname={useLocation().pathname} />;

const foldKey = 'console:railFolded';
const wasFolded = (): boolean => {
  try {
    return localStorage.getItem(foldKey) === '1';
  } catch {
    return false;
  }
};

/** The frame of every page: rail, top bar, and the page in between. */
export const Shell = () => {
  const { t } = useTranslation('shell');
  const dispatch = useAppDispatch();
  const navigation = useNavigation();
  const { pathname } = useLocation();
  const onPhone = useMedia(phone);
  const onNarrow = useMedia(narrow);
  const [folded, setFolded] = useState(wasFolded);
  const [over, setOver] = useState<'palette' | 'help' | 'drawer' | null>(null);
  const started = useAppSelector(selectLoad).status === 'ready';
  const said = usePageArrival();
  const waiting = useDelayed(navigation.state === 'loading', 120, 300);
  const target = navigation.location?.pathname ?? pathname;
  const elsewhere = waiting && navigation.state === 'loading' && target !== pathname;
  useShellLive();
  useDiscovery();
  useShortcuts({ onPalette: () => setOver('palette'), onHelp: () => setOver('help') });

  const small = folded || onNarrow;
  const fold = () => {
    setFolded(!folded);
    try {
      localStorage.setItem(foldKey, folded ? '0' : '1');
    } catch {
      // Until the page is left, then.
    }
  };
  const close = () => setOver(null);
  const failed = () => {
    close();
    dispatch(noticeShown({ tone: 'bad', words: { key: 'shell:partFailed' } }));
  };

  return (
    <Frame style={onPhone ? { gridTemplateColumns: 'minmax(0, 1fr)' } : undefined}>
      <Skip href="#content">{t('skip')}</Skip>
      {waiting && <Progress aria-hidden="true" />}
      {!onPhone && (
        <Side {...(small ? { 'data-folded': '' } : {})}>
          <Rail />
          {!onNarrow && (
            <Fold>
              <IconButton type="button" aria-label={folded ? t('unfoldRail') : t('foldRail')} title={folded ? t('unfoldRail') : t('foldRail')} aria-pressed={folded} onClick={fold}>
                <Icon name="fold" />
              </IconButton>
            </Fold>
          )}
        </Side>
      )}
      <div style={{ minWidth: 0 }}>
        <TopBar onMenu={onPhone ? () => setOver('drawer') : null} menuOpen={over === 'drawer'} onFind={() => setOver('palette')} />
        <Banners />
        <Main id="content" tabIndex={-1}>
          {(elsewhere || !started) && <Arriving pathname={target} />}
          {started && (
            <Column hidden={elsewhere} data-width={nodeAt(pathname)?.node.width ?? 'wide'}>
              <Outlet />
            </Column>
          )}
        </Main>
      </div>
      <NoticeHost />
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
      <ScrollRestoration />
    </Frame>
  );
};
