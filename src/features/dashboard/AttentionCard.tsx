import type { AttentionItem } from '@contract/dashboard/schemas';
import { snoozeDays } from '@contract/dashboard/terms';
import { mayOnSite } from '@contract/permissions';
import type { Site } from '@contract/sites/schemas';
import { Button, IconButton, ListSubheader, Menu, MenuItem } from '@mui/material';
import { styled } from '@mui/material/styles';
import { type ReactElement, useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router-dom';
import { notifyFailure } from '@/features/notices/noticesSlice';
import { defineUndo } from '@/features/notices/undoListeners';
import { bytesText } from '@/lib/bytes';
import { useFormat } from '@/lib/format';
import { useToday } from '@/lib/useToday';
import { useAppDispatch } from '@/store/hooks';
import { Icon } from '@/ui/Icon';
import { useMenu } from '@/ui/useMenu';
import { attentionText } from './attentionText';
import { targetOf } from './attentionTargets';
import { CardSection, Quiet } from './CardSection';
import { dashboardApi } from './dashboardApi';
import type { Dashboard } from './useDashboard';

const List = styled('ul')({
  listStyle: 'none',
  margin: 0,
  padding: 0,
  '& > li': {
    display: 'grid',
    gridTemplateColumns: '20px minmax(0, 1fr) auto',
    columnGap: 8,
    alignItems: 'center',
    minHeight: 40,
    borderTop: '1px solid var(--line)',
  },
  '& > li:first-of-type': { borderTop: 0 },
  '& > li[data-severity="bad"] > .icon': { color: 'var(--bad)' },
  '& > li[data-severity="warning"] > .icon': { color: 'var(--warning)' },
  '& > li[data-severity="info"] > .icon': { color: 'var(--info)' },
  '& > li > a': { color: 'var(--ink)', textDecoration: 'none', padding: '8px 0', overflowWrap: 'anywhere' },
  '& > li > a:hover': { textDecoration: 'underline' },
  '@media (pointer: coarse)': { '& > li > a': { padding: '12px 0' } },
  '& small': { color: 'var(--ink-2)', fontSize: 'var(--text-secondary)', whiteSpace: 'nowrap' },
});
const Fine = styled('p')({
  display: 'flex',
  alignItems: 'center',
  gap: 8,
  margin: 0,
  '& .icon': { color: 'var(--good)' },
  '& span': { color: 'var(--ink-2)' },
});
const shownAtFirst = 4;

type Snoozing = { readonly siteId: string; readonly key: string; readonly days: 0 | 1 | 7 | 30; readonly forAll: boolean };
const put = ({ siteId, ...body }: Snoozing) => dashboardApi.endpoints.snoozeAttention.initiate({ siteId, body });
const offerUndo = defineUndo<Snoozing>('dashboard/snoozeUndone', (dispatch, args) => dispatch(put({ ...args, days: 0 })));

const SnoozeMenu = ({ site, item, name }: { site: Site; item: AttentionItem; name: string }): ReactElement => {
  const { t } = useTranslation('dashboard');
  const dispatch = useAppDispatch();
  const menu = useMenu();
  const mayForAll = mayOnSite(site.role, 'site.rename');
  const snooze = async (days: (typeof snoozeDays)[number], forAll: boolean): Promise<void> => {
    menu.close();
    const args = { siteId: site.id, key: item.key, days, forAll };
    const { error } = await dispatch(put(args));
    if (error === undefined) offerUndo(dispatch, { key: 'dashboard:attention.snoozed', values: { count: days } }, args);
    else notifyFailure(dispatch, error);
  };
  const choices = (forAll: boolean): ReactElement[] =>
    snoozeDays.map((days) => (
      <MenuItem key={`${String(forAll)} ${days}`} onClick={() => void snooze(days, forAll)}>
        {t('attention.days', { count: days })}
      </MenuItem>
    ));
  return (
    <>
      <IconButton aria-label={t('attention.snooze', { name })} title={t('attention.snoozeShort')} aria-haspopup="menu" onClick={menu.toggle}>
        <Icon name="more" />
      </IconButton>
      <Menu anchorEl={menu.anchor} open={menu.anchor !== null} onClose={menu.close}>
        <ListSubheader sx={{ lineHeight: '32px' }}>{t(mayForAll ? 'attention.forMe' : 'attention.snoozeShort')}</ListSubheader>
        {choices(false)}
        {mayForAll && <ListSubheader sx={{ lineHeight: '32px' }}>{t('attention.forAll')}</ListSubheader>}
        {mayForAll && choices(true)}
      </Menu>
    </>
  );
};

const Item = ({ site, item }: { site: Site; item: AttentionItem }): ReactElement => {
  const { t } = useTranslation(['dashboard', 'jobs']);
  const format = useFormat();
  const dispatch = useAppDispatch();
  const today = useToday(site.timeZone);
  const text = attentionText(t, item, {
    bytes: (bytes) => bytesText(bytes, format),
    number: format.number,
    day: (day) => format.days({ from: day, to: day }, today),
  });
  const { snooze } = item;
  const wake = async (): Promise<void> => {
    const { error } = await dispatch(put({ siteId: site.id, key: item.key, days: 0, forAll: snooze?.forAll ?? false }));
    notifyFailure(dispatch, error);
  };
  return (
    <li data-severity={snooze === null ? item.severity : 'info'}>
      <Icon name={item.severity === 'bad' ? 'failed' : item.severity === 'warning' ? 'warning' : 'info'} size={16} />
      <Link to={targetOf(item, site.id)}>
        <span className="only-read">{t(`severity.${item.severity}`)} </span>
        {text} {item.since !== null && <small title={format.dateTime(item.since, { timeZone: site.timeZone })}>{format.relative(item.since)}</small>}
        {snooze !== null && (
          <small>
            {' '}
            {t(snooze.forAll ? 'attention.untilForAll' : 'attention.until', { date: format.date(snooze.until, { timeZone: site.timeZone, weekday: false }) })}
          </small>
        )}
      </Link>
      {snooze === null ? (
        <SnoozeMenu site={site} item={item} name={text} />
      ) : (
        (!snooze.forAll || mayOnSite(site.role, 'site.rename')) && <Button onClick={() => void wake()}>{t('attention.wake')}</Button>
      )}
    </li>
  );
};

/** When a matter that had the focus leaves the list, the focus goes to what is first in it then. Attributes of the list. */
function useListFocus(count: number) {
  const box = useRef<HTMLDivElement>(null);
  const before = useRef(count);
  const hadFocus = useRef(false);
  useEffect(() => {
    if (count < before.current && hadFocus.current && document.activeElement === document.body) box.current?.querySelector<HTMLElement>('a, button')?.focus();
    before.current = count;
  }, [count]);
  return {
    ref: box,
    onFocus: () => {
      hadFocus.current = true;
    },
    // React reports none of what it removes itself.
    onBlur: () => {
      hadFocus.current = false;
    },
  };
}

/** What somebody has to look into, from every part of the site, the most urgent first. */
export const AttentionCard = ({ site, dashboard }: { site: Site; dashboard: Dashboard }): ReactElement | null => {
  const { t } = useTranslation('dashboard');
  const { time } = useFormat();
  const [isWhole, setWhole] = useState(false);
  const [showsSnoozed, setShowsSnoozed] = useState(false);
  const at = dashboard.cards?.attention?.at;
  const focus = useListFocus(dashboard.cards?.attention?.data?.items.filter(({ snooze }) => snooze === null).length ?? 0);
  return (
    <CardSection id="attention" dashboard={dashboard} title={t('card.attention')} columns={12}>
      {({ items, more, unread }) => {
        const open = items.filter(({ snooze }) => snooze === null);
        const snoozed = items.filter(({ snooze }) => snooze !== null);
        const visible = isWhole ? open : open.slice(0, shownAtFirst);
        return (
          <div {...focus}>
            {open.length === 0 && unread.length === 0 && (
              <Fine role="status">
                <Icon name="passed" />
                {t('attention.fine')}
                {at && <span>{t('attention.checked', { time: time(at) })}</span>}
              </Fine>
            )}
            {visible.length > 0 && (
              <List aria-label={t('card.attention')}>
                {visible.map((item) => (
                  <Item key={item.key} site={site} item={item} />
                ))}
              </List>
            )}
            {unread.length > 0 && <Quiet role="alert">{t('attention.unread')}</Quiet>}
            {open.length > visible.length && <Button onClick={() => setWhole(true)}>{t('attention.more', { count: open.length - visible.length })}</Button>}
            {isWhole && more > 0 && <Quiet>{t('attention.evenMore', { count: more })}</Quiet>}
            {snoozed.length > 0 && (
              <Button aria-expanded={showsSnoozed} onClick={() => setShowsSnoozed((before) => !before)} sx={{ color: 'text.secondary' }}>
                {t('attention.snoozedItems', { count: snoozed.length })}
              </Button>
            )}
            {showsSnoozed && snoozed.length > 0 && (
              <List aria-label={t('attention.snoozedItems', { count: snoozed.length })}>
                {snoozed.map((item) => (
                  <Item key={item.key} site={site} item={item} />
                ))}
              </List>
            )}
          </div>
        );
      }}
    </CardSection>
  );
};
