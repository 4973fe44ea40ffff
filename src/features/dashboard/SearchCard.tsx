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

const shownCrawlers = 3;

/** What the last crawl found, and which search engines asked for pages lately. */
export const SearchCard = ({ site, dashboard }: { site: Site; dashboard: Dashboard }): ReactElement | null => {
  const { t } = useTranslation('dashboard');
  const { number, relative, list } = useFormat();
  const crawlers = href('developer.crawler.site', { siteId: site.id });
  const name = t('card.search');
  return (
    <CardSection
      id="search"
      dashboard={dashboard}
      title={name}
      more={href('site.seo', { siteId: site.id })}
      columns={4}
      empty={
        <Quiet>
          {t('search.empty')} <Link to={crawlers}>{t('search.start')}</Link>
        </Quiet>
      }
    >
      {({ crawl, crawlers: visits }) => {
        const named = (visits ?? [])
          .slice(0, shownCrawlers)
          .map((one) => `${t(`crawler.${one.name as 'google'}`, { defaultValue: one.name })} ${number(one.requests)}`);
        const rows: Fact[] = crawl
          ? [
              { id: 'indexable', name: t('search.indexable'), value: t('search.of', { some: number(crawl.indexable), all: number(crawl.pages) }) },
              {
                id: 'issues',
                name: t('search.issues'),
                value: (
                  <span style={crawl.issues.error > 0 ? { color: 'var(--bad)' } : {}}>
                    {t('search.severities', { error: number(crawl.issues.error), warning: number(crawl.issues.warning), notice: number(crawl.issues.notice) })}
                  </span>
                ),
              },
              { id: 'fresh', name: t('search.fresh'), value: number(crawl.fresh) },
              {
                id: 'last',
                name: t('search.last'),
                value: <Link to={crawlers}>{crawl.finishedAt === null ? '–' : relative(crawl.finishedAt)}</Link>,
              },
            ]
          : [{ id: 'last', name: t('search.last'), value: <Link to={crawlers}>{t('search.never')}</Link> }];
        return (
          <Facts
            rows={[
              ...rows,
              ...(visits === null ? [] : [{ id: 'crawlers', name: t('search.crawlers'), value: named.length === 0 ? t('search.noCrawlers') : list(named) }]),
            ]}
          />
        );
      }}
    </CardSection>
  );
};
