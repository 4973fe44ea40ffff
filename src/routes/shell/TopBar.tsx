import { Suspense, lazy } from 'react';
import type { ComponentType, ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { selectUser } from '@/features/account/userSlice';
import { selectRunningJobs, selectUnviewedJobs } from '@/features/jobs/jobsSlice';
import { selectUnread } from '@/features/notices/noticesSlice';
import { useAppSelector } from '@/store/hooks';
import { withMui } from '@/theme/mui';
import { Icon } from '@/ui/Icon';
import type { IconName } from '@/ui/Icon';
import { withMessages } from '@/i18n';
import { Kbd } from '@/ui/Kbd';
import { Avatar } from '@/ui/Avatar';
import { IconButton } from '@/ui/PlainButton';
import { SearchIcon } from '@/ui/SearchIcon';
import { useMenu } from '@/ui/useMenu';
import { Crumbs } from './Crumbs';
import { PartBoundary } from './PartBoundary';

type Panel = () => Promise<{ default: ComponentType<{ anchor: HTMLElement; onClose: () => void }> }>;
const loadPerson: Panel = () => withMui(withMessages(import(/* webpackChunkName: "shell-menus" */ './PersonMenu'), ['frame']));
const loadJobs: Panel = () => withMui(withMessages(import(/* webpackChunkName: "shell-menus" */ '@/features/jobs/JobsPanel'), ['jobs']));
const loadNotices: Panel = () => withMui(withMessages(import(/* webpackChunkName: "shell-menus" */ '@/features/notices/NoticesPanel'), ['frame']));
const PersonMenu = lazy(loadPerson);
const JobsPanel = lazy(loadJobs);
const NoticesPanel = lazy(loadNotices);

type Slot = {
  label: string;
  icon?: IconName;
  load: Panel;
  Panel: ComponentType<{ anchor: HTMLElement; onClose: () => void }>;
  popup: 'menu' | 'dialog';
  badge?: number;
  face?: ReactNode;
};

/** A button of the bar whose panel loads on first use. */
const BarMenu = ({ label, icon, load, Panel, popup, badge = 0, face }: Slot) => {
  const { anchor, toggle, close } = useMenu();
  const preload = () => void load().catch(() => undefined);
  const count = badge > 9 ? '9+' : badge;
  return (
    <>
      <IconButton
        label={badge > 0 ? `${label} ${String(count)}` : label}
        aria-haspopup={popup}
        aria-expanded={anchor !== null}
        onClick={toggle}
        onPointerEnter={preload}
        onFocus={preload}
      >
        {face ?? (icon && <Icon name={icon} />)}
        {badge > 0 && (
          <span className="badge" aria-hidden="true">
            {count}
          </span>
        )}
      </IconButton>
      {anchor && (
        <PartBoundary onFail={close}>
          <Suspense fallback={null}>
            <Panel anchor={anchor} onClose={close} />
          </Suspense>
        </PartBoundary>
      )}
    </>
  );
};

export const TopBar = ({
  onMenu,
  onFind,
  menuOpen,
}: {
  /** On a phone: opens the drawer. */ onMenu: (() => void) | null;
  onFind: () => void;
  menuOpen: boolean;
}) => {
  const { t } = useTranslation('shell');
  const user = useAppSelector(selectUser);
  const running = useAppSelector(selectRunningJobs).length;
  const unseen = useAppSelector(selectUnviewedJobs).length;
  const unread = useAppSelector(selectUnread);
  const name = user?.displayName ?? '';
  return (
    <header className="top-bar">
      {onMenu && (
        <IconButton label={t('openMenu')} aria-expanded={menuOpen} onClick={onMenu}>
          <Icon name="menu" />
        </IconButton>
      )}
      <Crumbs />
      <button type="button" className="find" onClick={onFind}>
        <SearchIcon />
        <span>{t('find')}</span>
        <Kbd keys="mod+k" />
      </button>
      {running + unseen > 0 && <BarMenu label={t('jobs')} icon="tasks" load={loadJobs} Panel={JobsPanel} popup="dialog" badge={running} />}
      <BarMenu label={t('notices')} icon="bell" load={loadNotices} Panel={NoticesPanel} popup="dialog" badge={unread} />
      <BarMenu
        label={name === '' ? t('me') : t('meNamed', { name })}
        face={<Avatar name={name} picture={user?.avatar ?? null} size={24} />}
        load={loadPerson}
        Panel={PersonMenu}
        popup="menu"
      />
    </header>
  );
};
