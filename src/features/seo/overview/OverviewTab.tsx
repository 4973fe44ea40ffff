import { Alert } from '@mui/material';
import type { ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router-dom';
import { mayOnSite } from '@contract/permissions';
import type { SeoOverview } from '@contract/seo/schemas';
import type { Site } from '@contract/sites/schemas';
import { href } from '@/routes/paths';
import { useFormat } from '@/lib/format';
import { EmptyState } from '@/ui/EmptyState';
import { KeyFigure } from '@/ui/KeyFigure';
import { ResultState } from '@/ui/ResultState';
import { Section } from '@/ui/Section';
import { RowsSkeleton } from '@/ui/skeletons';
import { useSeoOverviewQuery } from '../seoApi';

/** What is wrong, each with the number of pages and a way to them. */
function Problems({ overview }: { readonly overview: SeoOverview }): ReactElement {
  const { t } = useTranslation('seo');
  const format = useFormat();
  if (overview.problems.length === 0) return <p className="seo-quiet">{t('overview.nothing')}</p>;
  return (
    <ul className="seo-problems" aria-label={t('overview.problems')}>
      {overview.problems.map(({ problem, pages }) => (
        <li key={problem}>
          <span>
            <b>{t(`problem.${problem}`)}</b>
            <small>{t(`advice.${problem}`)}</small>
          </span>
          <Link className="text-link" to={`?tab=pages&problem=${problem}`}>
            {t('overview.pages', { count: pages, countText: format.number(pages) })}
          </Link>
        </li>
      ))}
    </ul>
  );
}

/** Texts that people wrote for addresses that have no page. */
function Unused({ paths }: { readonly paths: readonly string[] }): ReactElement | null {
  const { t } = useTranslation('seo');
  if (paths.length === 0) return null;
  return (
    <Section title={t('overview.unused')} note={t('overview.unusedText')}>
      <ul className="seo-unused">
        {paths.map((path) => (
          <li key={path}>
            <code>{path}</code>
          </li>
        ))}
      </ul>
    </Section>
  );
}

/** What the last crawl says; without one, a way to the first. Readers without the right see neither. */
function SearchHealth({ site, crawl }: { readonly site: Site; readonly crawl: SeoOverview['crawl'] }): ReactElement | null {
  const { t } = useTranslation('seo');
  const format = useFormat();
  if (!mayOnSite(site.role, 'crawler.read')) return null;
  const to = href('developer.crawler.site', { siteId: site.id });
  return (
    <Section
      title={t('overview.health')}
      note={crawl?.finishedAt ? t('overview.crawledAt', { time: format.relative(crawl.finishedAt) }) : undefined}
      actions={
        <Link className="text-link" to={to}>
          {t(crawl === null ? 'overview.toFirstCrawl' : 'overview.toCrawl')}
        </Link>
      }
    >
      {crawl === null ? (
        <p className="seo-quiet">{t('overview.notCrawled')}</p>
      ) : (
        <div className="seo-figures">
          <KeyFigure
            name={t('overview.indexablePages')}
            value={format.number(crawl.indexable)}
            below={t('overview.ofPages', { count: crawl.pages, countText: format.number(crawl.pages) })}
          />
          {(['error', 'warning', 'notice'] as const).map((severity) => (
            <KeyFigure key={severity} name={t(`overview.issues.${severity}`)} value={format.number(crawl.issues[severity])} />
          ))}
        </div>
      )}
    </Section>
  );
}

/** Where somebody changes what keeps search engines away. */
function closingPlace({ id }: Site, closed: NonNullable<SeoOverview['closed']>): string {
  if (closed === 'robots') return '?tab=robots';
  return closed === 'rules' ? '?tab=settings' : href('site.setting.base', { siteId: id });
}

function Content({ site, overview }: { readonly site: Site; readonly overview: SeoOverview }): ReactElement {
  const { t } = useTranslation('seo');
  const format = useFormat();
  if (overview.pages === 0)
    return (
      <EmptyState ghost="rows" title={t('pages.none')}>
        {t('pages.noneText')}
      </EmptyState>
    );
  return (
    <>
      {overview.closed !== null && (
        <Alert severity="warning" variant="outlined" sx={{ mb: 2 }}>
          {t(`overview.closed.${overview.closed}`)}{' '}
          <Link className="text-link in-text" to={closingPlace(site, overview.closed)}>
            {t(`overview.open.${overview.closed}`)}
          </Link>
        </Alert>
      )}
      <div className="seo-figures">
        <KeyFigure name={t('overview.all')} value={format.number(overview.pages)} />
        <KeyFigure name={t('overview.indexable')} value={format.number(overview.indexable)} />
      </div>
      {overview.more && <p className="seo-quiet">{t('overview.more', { countText: format.number(overview.pages) })}</p>}
      <Section title={t('overview.problems')}>
        <Problems overview={overview} />
      </Section>
      <Unused paths={overview.unused} />
      <SearchHealth site={site} crawl={overview.crawl} />
    </>
  );
}

/** What is wrong with the pages of a site for search engines. */
export default function OverviewTab({ site }: { readonly site: Site }): ReactElement {
  const result = useSeoOverviewQuery({ siteId: site.id });
  return (
    <ResultState result={result} skeleton={<RowsSkeleton rows={6} />}>
      {(overview) => <Content site={site} overview={overview} />}
    </ResultState>
  );
}
