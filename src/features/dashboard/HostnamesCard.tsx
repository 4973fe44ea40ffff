import type { CardData } from '@contract/dashboard/schemas';
import type { Site } from '@contract/sites/schemas';
import type { ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router-dom';
import { useFormat } from '@/lib/format';
import { href } from '@/routes/paths';
import { Tag } from '@/ui/Tag';
import { CardSection, Quiet } from './CardSection';
import { Facts } from './Facts';
import type { Fact } from './Facts';
import type { Dashboard } from './useDashboard';

const tones = { setting_up: 'info', active: 'good', attention: 'warning', error: 'bad', paused: 'warning' } as const;
type Filings = CardData<'hostnames'>['filings'];

/** Hostnames with their certificates, and the filings of the site. */
export const HostnamesCard = ({ site, dashboard }: { site: Site; dashboard: Dashboard }): ReactElement | null => {
  const { t } = useTranslation('dashboard');
  const { date } = useFormat();
  const beian = href('site.beian', { siteId: site.id });
  const hostnames = href('site.setting.hostname', { siteId: site.id });
  const filingRows = ({ icp, mps, footer }: Filings): Fact[] => [
    { id: 'icp', name: t('filing.icp'), value: <Link to={beian}>{t(icp === null ? 'filing.none' : `filing.state.${icp}`)}</Link> },
    { id: 'mps', name: t('filing.mps'), value: <Link to={beian}>{t(mps === null ? 'filing.none' : `filing.state.${mps}`)}</Link> },
    ...(footer === null ? [] : [{ id: 'footer', name: t('filing.footer'), value: <Link to={beian}>{t(`filing.footerState.${footer}`)}</Link> }]),
  ];
  const isChinese = site.defaultLang.startsWith('zh');
  return (
    <CardSection
      id="hostnames"
      dashboard={dashboard}
      title={t('card.hostnames')}
      more={site.purpose === 'built' ? hostnames : beian}
      columns={6}
      empty={
        <Quiet>
          {site.purpose === 'built' ? (
            <>
              {t('hostname.empty')} <Link to={hostnames}>{t('hostname.add')}</Link>
            </>
          ) : (
            t('hostname.emptyExternal')
          )}
        </Quiet>
      }
    >
      {({ rows, more, filings }) => (
        <>
          <Facts
            rows={[
              ...rows.map(({ host, health, tls, expiresAt, primary }) => ({
                id: host,
                name: (
                  <>
                    <span style={{ color: 'var(--ink)' }}>{host}</span> {primary && rows.length > 1 && <span>{t('hostname.primary')}</span>}
                  </>
                ),
                value: (
                  <>
                    <span style={{ color: 'var(--ink-2)', marginInlineEnd: 8 }}>
                      {expiresAt === null
                        ? t(`hostname.tls.${tls}`)
                        : t('hostname.expires', { date: date(expiresAt, { timeZone: site.timeZone, weekday: false }) })}
                    </span>
                    <Tag tone={tones[health]}>{t(`hostname.health.${health}`)}</Tag>
                  </>
                ),
              })),
              ...(isChinese || filings.icp !== null || filings.mps !== null ? filingRows(filings) : []),
            ]}
          />
          {more > 0 && <Quiet>{t('hostname.more', { count: more })}</Quiet>}
        </>
      )}
    </CardSection>
  );
};
