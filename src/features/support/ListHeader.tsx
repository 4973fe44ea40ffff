import type { ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import type { Agent, SupportOverview } from '@contract/support/conversations';
import type { Site } from '@contract/sites/schemas';
import { mayOnSite } from '@contract/permissions';
import { selectSession } from '@/features/session/sessionSlice';
import { notifyFailure } from '@/features/notices/noticesSlice';
import { useFormat } from '@/lib/format';
import { useOnline } from '@/lib/useOnline';
import { useLiveState } from '@/lib/useLive';
import { useDelayed } from '@/lib/useDelayed';
import { useAppDispatch, useAppSelector } from '@/store/hooks';
import { Icon } from '@/ui/Icon';
import { MenuRow, Popup } from '@/ui/Popup';
import { IconButton } from '@/ui/PlainButton';
import { useMenu } from '@/ui/useMenu';
import type { SettingsTab } from './address';
import { usePauseSupportMutation } from './supportApi';
import { useAlerts } from './useAlerts';

type Props = {
  readonly site: Site;
  readonly overview: SupportOverview | undefined;
  readonly agents: readonly Agent[];
  readonly onStatus: (status: 'available' | 'away') => void;
  readonly onSettings: (tab: SettingsTab) => void;
};

/** Whether visitors are answered at once, and why not. */
function useStatusText(): (overview: SupportOverview) => string {
  const { t } = useTranslation('support');
  const format = useFormat();
  return ({ mode, open, awayReason, pausedUntil, changesAt }) => {
    if (mode !== 'builtin') return t(`status.${mode}`);
    if (open) return changesAt === null ? t('status.open') : t('status.openUntil', { time: format.dateTime(changesAt) });
    if (awayReason === 'paused' && pausedUntil !== null) return t('status.pausedUntil', { time: format.dateTime(pausedUntil) });
    if (awayReason === 'agents') return t('status.noAgents');
    return changesAt === null ? t('status.away') : t('status.awayUntil', { time: format.dateTime(changesAt) });
  };
}

const hoursFromNow = (hours: number): string => new Date(Date.now() + hours * 3_600_000).toISOString();

/** Switches: own availability, a pause for everybody, notifications and sound. */
function StatusMenu({
  anchor,
  onClose,
  site,
  overview,
  agents,
  onStatus,
}: Omit<Props, 'onSettings'> & { readonly anchor: HTMLElement; readonly onClose: () => void }): ReactElement {
  const { t } = useTranslation('support');
  const dispatch = useAppDispatch();
  const me = useAppSelector(selectSession)?.userId;
  const alerts = useAlerts();
  const [pause] = usePauseSupportMutation();
  const own = agents.find(({ id }) => id === me);
  const setPause = async (until: string | null): Promise<void> => {
    onClose();
    const { error } = await pause({ siteId: site.id, body: { until } });
    notifyFailure(dispatch, error);
  };
  const isPaused = overview?.pausedUntil !== null && overview?.pausedUntil !== undefined;
  return (
    <Popup anchor={anchor} onClose={onClose} label={t('status.menu')} role="menu" align="end" width={280}>
      {own && (
        <MenuRow role="menuitemcheckbox" aria-checked={own.status === 'available'} onClick={() => onStatus(own.status === 'available' ? 'away' : 'available')}>
          <span style={{ flex: 1 }}>{t('status.me')}</span>
          {own.status === 'available' && <Icon name="check" size={16} />}
        </MenuRow>
      )}
      <MenuRow
        role="menuitemcheckbox"
        aria-checked={alerts.isNotifying}
        disabled={alerts.permission === 'unsupported' || alerts.permission === 'denied'}
        onClick={() => void alerts.switchNotify(!alerts.isNotifying)}
      >
        <span style={{ flex: 1 }}>{t(alerts.permission === 'denied' ? 'status.notifyDenied' : 'status.notify')}</span>
        {alerts.isNotifying && <Icon name="check" size={16} />}
      </MenuRow>
      <MenuRow role="menuitemcheckbox" aria-checked={alerts.isSounding} onClick={() => alerts.switchSound(!alerts.isSounding)}>
        <span style={{ flex: 1 }}>{t('status.sound')}</span>
        {alerts.isSounding && <Icon name="check" size={16} />}
      </MenuRow>
      {overview?.mode === 'builtin' && (
        <div role="group" className="support-menu-group">
          {isPaused ? (
            <MenuRow role="menuitem" onClick={() => void setPause(null)}>
              {t('status.resume')}
            </MenuRow>
          ) : (
            ([1, 4, 24] as const).map((hours) => (
              <MenuRow key={hours} role="menuitem" onClick={() => void setPause(hoursFromNow(hours))}>
                {t('status.pauseFor', { count: hours })}
              </MenuRow>
            ))
          )}
        </div>
      )}
    </Popup>
  );
}

/** Heading of the screen: who is there, whether visitors are answered, and the settings. */
export function ListHeader(props: Props): ReactElement {
  const { site, overview, agents, onSettings } = props;
  const { t } = useTranslation('support');
  const textOf = useStatusText();
  const menu = useMenu();
  const online = useOnline();
  const live = useLiveState();
  const isCutOff = useDelayed(!online || live !== 'open', 3000);
  // Nobody answers here while the widget is off or another program's.
  const present = overview?.mode === 'builtin' ? agents.filter((agent) => agent.online && agent.status === 'available') : [];
  const mayReply = mayOnSite(site.role, 'support.reply');
  return (
    <header className="support-list-head">
      <h1 tabIndex={-1} data-page-heading="">
        {t('title')}
      </h1>
      <div className="support-list-tools">
        {mayReply && (
          <IconButton label={t('status.menu')} aria-haspopup="menu" aria-expanded={menu.anchor !== null} onClick={menu.toggle}>
            <Icon name="bell" />
          </IconButton>
        )}
        <IconButton label={t('statistics.open')} onClick={() => onSettings('statistics')}>
          <Icon name="analytics" />
        </IconButton>
        <IconButton label={t('settings.open')} onClick={() => onSettings(mayOnSite(site.role, 'support.configure') ? 'look' : 'canned')}>
          <Icon name="settings" />
        </IconButton>
      </div>
      {isCutOff ? (
        <p role="status" data-tone="warning">
          {t('status.cutOff')}
        </p>
      ) : (
        <p role="status" data-open={(overview?.open === true && overview.mode === 'builtin') || undefined}>
          {overview && (
            <>
              <i aria-hidden="true" />
              {textOf(overview)}
              {present.length > 0 && <span title={present.map(({ name }) => name).join('\n')}>{t('status.agents', { count: present.length })}</span>}
            </>
          )}
        </p>
      )}
      {menu.anchor && <StatusMenu {...props} anchor={menu.anchor} onClose={menu.close} />}
    </header>
  );
}
