import { useEffect } from 'react';
import type { ReactElement } from 'react';
import type { Site } from '@contract/sites/schemas';
import { noticeShown } from '@/features/notices/noticesSlice';
import { withMessages } from '@/i18n';
import { useTexts } from '@/lib/useTexts';
import { useAppDispatch } from '@/store/hooks';
import { withMui } from '@/theme/mui';
import { Icon } from '@/ui/Icon';
import { lazyPart } from '@/ui/lazyPart';
import { IconButton } from '@/ui/PlainButton';
import { useMenu } from '@/ui/useMenu';
import type { SiteDialog, SiteMenuProps } from './SiteMenuPanel';

/** The menu's code did not arrive: a notice says so. */
function MenuFailed({ onClose }: SiteMenuProps): null {
  const dispatch = useAppDispatch();
  useEffect(() => {
    dispatch(noticeShown({ tone: 'bad', message: { key: 'shell:partFailed' } }));
    onClose();
  }, [dispatch, onClose]);
  return null;
}

const loadPanel = () => withMui(withMessages(import(/* webpackChunkName: "site-changes" */ './SiteMenuPanel'), ['siteChanges']));
const Panel = lazyPart(() => loadPanel().then((part) => part.default), MenuFailed);
const preload = () => void loadPanel().catch(() => undefined);

/** The button of a site's menu, whose code loads when the button is pointed at. */
export function SiteMenu({ site, onDialog }: { readonly site: Site; readonly onDialog: (dialog: SiteDialog) => void }): ReactElement {
  const t = useTexts('sites');
  const { anchor, toggle, close } = useMenu();
  return (
    <>
      <IconButton
        label={t('menu.label', { name: site.name })}
        aria-haspopup="menu"
        aria-expanded={anchor !== null}
        onPointerEnter={preload}
        onFocus={preload}
        onClick={toggle}
      >
        <Icon name="more" />
      </IconButton>
      {anchor && <Panel site={site} anchor={anchor} onClose={close} onDialog={onDialog} />}
    </>
  );
}
