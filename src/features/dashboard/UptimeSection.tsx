import DownIcon from '@mui/icons-material/ErrorOutlineOutlined';
import UnknownIcon from '@mui/icons-material/HelpOutlineOutlined';
import UpIcon from '@mui/icons-material/CheckCircleOutlined';
import { mayOnSite } from '@contract/permissions';
import type { Site } from '@contract/sites/schemas';
import type { UptimeIncident, UptimeStatus } from '@contract/uptime/schemas';
import { Button } from '@mui/material';
import { styled } from '@mui/material/styles';
import { type ReactElement, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router-dom';
import { uptimeApi, useUptimeIncidentsQuery, useUptimeQuery } from '@/features/uptime/uptimeApi';
import { useFormat } from '@/lib/format';
import { useLive } from '@/lib/useLive';
import { href } from '@/routes/paths';
import { useAppDispatch } from '@/store/hooks';
import { Section } from '@/ui/Section';
import { Bone } from '@/ui/skeletons';
import { SectionState } from './SectionState';

const State = styled('div')({
  display: 'flex',
  alignItems: 'center',
  flexWrap: 'wrap',
  gap: '4px 8px',
  '& svg': { fontSize: 'var(--text-page)' },
  '& strong': { fontWeight: 600 },
  '&[data-state="up"] svg': { color: 'var(--good)' },
  '&[data-state="down"] :is(svg, strong)': { color: 'var(--bad)' },
  '&[data-state="unknown"] svg': { color: 'var(--ink-2)' },
});
const Facts = styled('ul')({
  margin: '4px 0 0',
  padding: 0,
  listStyle: 'none',
  display: 'flex',
  flexWrap: 'wrap',
  gap: '2px 16px',
  color: 'var(--ink-2)',
  fontSize: 'var(--text-table)',
  '& [data-soon]': { color: 'var(--warning)' },
});
const Incidents = styled('ul')({
  margin: '12px 0 0',
  padding: 0,
  listStyle: 'none',
  fontSize: 'var(--text-table)',
  '& > li': { display: 'flex', flexWrap: 'wrap', gap: '0 16px', padding: '6px 0', borderTop: '1px solid var(--line)' },
  '& time': { minWidth: 130, fontVariantNumeric: 'tabular-nums' },
});
const Quiet = styled('p')({ margin: 0, color: 'var(--ink-2)', fontSize: 'var(--text-table)' });
const icons = { up: UpIcon, down: DownIcon, unknown: UnknownIcon } as const;
const topics = ['sites'];
const pollMs = 60_000;
const day = 86_400_000;
/** A certificate that expires within this many days is highlighted. */
const soon = 21;
const pageSize = 5;
const mostShown = 100;

const useReason = (): ((found: Pick<UptimeIncident | UptimeStatus, 'reason' | 'detail'>) => string) => {
  const { t } = useTranslation('uptime');
  return ({ reason, detail }) => {
    if (reason === null) return '';
    const said = t(`reason.${reason}`, { detail });
    return detail !== '' && (reason === 'tls' || reason === 'network') ? t('withDetail', { reason: said, detail }) : said;
  };
};

const Certificate = ({ status, timeZone }: { status: UptimeStatus; timeZone: string }): ReactElement | null => {
  const { t } = useTranslation('uptime');
  const { date } = useFormat();
  const { certificateExpiresAt, checkedAt } = status;
  if (certificateExpiresAt === null || checkedAt === null) return null;
  const left = (Date.parse(certificateExpiresAt) - Date.parse(checkedAt)) / day;
  const on = date(certificateExpiresAt, { timeZone, weekday: false });
  if (left > soon) return <li>{t('certificate', { date: on })}</li>;
  return (
    <li data-soon="" title={on}>
      {left <= 0 ? t('certificateExpired', { date: on }) : t('certificateSoon', { count: Math.ceil(left) })}
    </li>
  );
};

const History = ({ site }: { site: Site }): ReactElement => {
  const { t } = useTranslation('uptime');
  const { dateTime, duration } = useFormat();
  const reasonOf = useReason();
  const [size, setSize] = useState(pageSize);
  const result = useUptimeIncidentsQuery({ siteId: site.id, size }, { refetchOnMountOrArgChange: true });
  return (
    <SectionState name={t('incidents.title')} result={result} skeleton={<Bone h={60} />}>
      {({ rows, next }) =>
        rows.length === 0 ? (
          <Quiet style={{ marginTop: 8 }}>{t('incidents.empty')}</Quiet>
        ) : (
          <>
            <Incidents aria-label={t('incidents.title')}>
              {rows.map((incident) => (
                <li key={incident.id}>
                  <time dateTime={incident.startedAt}>{dateTime(incident.startedAt, { timeZone: site.timeZone })}</time>
                  <span>
                    {incident.endedAt === null
                      ? t('incidents.open')
                      : t('incidents.lasted', { duration: duration((Date.parse(incident.endedAt) - Date.parse(incident.startedAt)) / 1000) })}
                  </span>
                  <span>{reasonOf(incident)}</span>
                </li>
              ))}
            </Incidents>
            {next !== null && size < mostShown && <Button onClick={() => setSize((now) => Math.min(now * 4, mostShown))}>{t('incidents.more')}</Button>}
          </>
        )
      }
    </SectionState>
  );
};

/** Whether the site is reachable, since when, and past incidents. Hidden if it is off and the person may not switch it on. */
export const UptimeSection = ({ site }: { site: Site }): ReactElement | null => {
  const { t } = useTranslation('uptime');
  const dispatch = useAppDispatch();
  const { dateTime, relative, number } = useFormat();
  const reasonOf = useReason();
  const result = useUptimeQuery({ siteId: site.id }, { pollingInterval: pollMs, skipPollingIfUnfocused: true, refetchOnMountOrArgChange: true });
  useLive(topics, (signal) => {
    if ((signal.type === 'site' && signal.siteId === site.id) || signal.type === 'resync') dispatch(uptimeApi.util.invalidateTags(['Uptime']));
  });
  const manages = mayOnSite(site.role, 'site.rename');
  if (result.currentData === undefined ? result.error === undefined : !result.currentData.enabled && !manages) return null;
  const enabled = result.currentData?.enabled ?? false;
  const settings = manages && (
    <Button component={Link} to={`${href('site.setting.share', { siteId: site.id })}?tab=uptime`} sx={{ color: 'text.secondary', mr: -1.5 }}>
      {enabled ? t('settings') : t('set')}
    </Button>
  );
  return (
    <Section title={t('title')} actions={settings}>
      <SectionState name={t('title')} result={result} skeleton={<Bone h={44} />}>
        {(status) => {
          if (!status.enabled) return <Quiet>{t('off')}</Quiet>;
          const { state, since, reason, checkedAt, responseMs } = status;
          const Icon = icons[state];
          return (
            <>
              <State data-state={state} role="status">
                <Icon aria-hidden />
                <strong>{t(`state.${state}`)}</strong> {since !== null && <span>{t('since', { when: dateTime(since, { timeZone: site.timeZone }) })}</span>}{' '}
                {reason !== null && <span>{reasonOf(status)}</span>}
              </State>
              <Facts>
                {checkedAt !== null && <li>{t('checked', { when: relative(checkedAt) })}</li>}
                {responseMs !== null && state === 'up' && <li>{t('response', { ms: number(responseMs) })}</li>}
                <Certificate status={status} timeZone={site.timeZone} />
              </Facts>
              <History site={site} />
            </>
          );
        }}
      </SectionState>
    </Section>
  );
};
