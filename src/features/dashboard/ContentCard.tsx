import type { CardData } from '@contract/dashboard/schemas';
import { mayOnSite } from '@contract/permissions';
import type { Site } from '@contract/sites/schemas';
import type { ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router-dom';
import { useFormat } from '@/lib/format';
import { href } from '@/routes/paths';
import { CardSection, Quiet } from './CardSection';
import { Facts } from './Facts';
import type { Fact } from './Facts';
import type { Dashboard } from './useDashboard';

const shownLanguages = 3;

/** What is not published yet, what will be, and what was published last. */
export const ContentCard = ({ site, dashboard }: { site: Site; dashboard: Dashboard }): ReactElement | null => {
  const { t } = useTranslation('dashboard');
  const { number, dateTime, relative, locale } = useFormat();
  const releases = href('site.setting.base.releases', { siteId: site.id });
  const languages = new Intl.DisplayNames([locale], { type: 'language' });
  const publishes = site.purpose === 'built';
  const rowsOf = ({ drafts, more, parts, scheduled, last, missing }: CardData<'content'>): Fact[] => [
    {
      id: 'drafts',
      name: t('content.drafts'),
      value: <Link to={publishes ? releases : href('site.table', { siteId: site.id })}>{`${number(drafts)}${more ? '+' : ''}`}</Link>,
    },
    ...(publishes && parts > 0 ? [{ id: 'parts', name: t('content.parts'), value: <Link to={releases}>{number(parts)}</Link> }] : []),
    ...scheduled.slice(0, 2).map(({ number: release, at }) => ({
      id: `scheduled ${release}`,
      name: t('content.scheduled', { number: release }),
      value: dateTime(at, { timeZone: site.timeZone }),
    })),
    ...(publishes
      ? [
          {
            id: 'last',
            name: t('content.last'),
            value:
              last === null ? (
                <Link to={releases}>{t('content.never')}</Link>
              ) : (
                <>
                  <span title={dateTime(last.at, { timeZone: site.timeZone })}>
                    {t('content.lastBy', { number: last.number, when: relative(last.at), who: last.by ?? t('content.nobody') })}
                  </span>
                  {last.canRollBack && mayOnSite(site.role, 'site.publish') && (
                    <>
                      {' · '}
                      <Link to={releases}>{t('content.rollBack')}</Link>
                    </>
                  )}
                </>
              ),
          },
        ]
      : []),
    ...missing.slice(0, shownLanguages).map(({ tag, texts }) => ({
      id: `missing ${tag}`,
      name: t('content.missing', { language: languages.of(tag) ?? tag }),
      value: <Link to={href('site.intl', { siteId: site.id })}>{number(texts)}</Link>,
    })),
  ];
  return (
    <CardSection
      id="content"
      dashboard={dashboard}
      title={t('card.content')}
      more={publishes ? releases : href('site.table', { siteId: site.id })}
      columns={6}
      empty={
        <Quiet>
          {t('content.empty')} <Link to={href('site.table', { siteId: site.id })}>{t('content.start')}</Link>
        </Quiet>
      }
    >
      {(data) => <Facts rows={rowsOf(data)} />}
    </CardSection>
  );
};
