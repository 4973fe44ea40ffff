import type { ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import { Link, useSearchParams } from 'react-router-dom';
import type { CrawlSitemaps } from '@contract/crawler/inventorySchemas';
import { useFormat } from '@/lib/format';
import { EmptyState } from '@/ui/EmptyState';
import { KeyFigure } from '@/ui/KeyFigure';
import { ResultState } from '@/ui/ResultState';
import { Section } from '@/ui/Section';
import { RowsSkeleton } from '@/ui/skeletons';
import { useCrawlSitemapsQuery } from './inventoryApi';
import { pagesWith } from './pageAddress';
import type { RunProps } from './run';
import './inventory.css';

function Row({ name, pages, filter }: { readonly name: string; readonly pages: number; readonly filter: Readonly<Record<string, string>> }): ReactElement {
  const { t } = useTranslation('inventory');
  const format = useFormat();
  const [params] = useSearchParams();
  const text = t('issue.pages', { count: pages, countText: format.number(pages) });
  return (
    <li>
      <div className="inventory-row">
        <span className="inventory-row-main">{name}</span>
        {pages === 0 ? (
          <span className="inventory-quiet">{text}</span>
        ) : (
          <Link className="text-link" to={pagesWith(params, filter)}>
            {text}
          </Link>
        )}
      </div>
    </li>
  );
}

function Content({ sitemaps }: { readonly sitemaps: CrawlSitemaps }): ReactElement {
  const { t } = useTranslation('inventory');
  const format = useFormat();
  if (sitemaps.listed === 0)
    return (
      <EmptyState ghost="rows" title={t('sitemap.none')}>
        {t('sitemap.noneText')}
      </EmptyState>
    );
  return (
    <>
      <div className="inventory-figures">
        <KeyFigure name={t('sitemap.listed')} value={format.number(sitemaps.listed)} />
        <KeyFigure name={t('sitemap.indexable')} value={format.number(sitemaps.indexable)} />
      </div>
      <Section title={t('sitemap.differences')}>
        <ul className="inventory-rows" aria-label={t('sitemap.differences')}>
          <Row name={t('sitemap.missing')} pages={sitemaps.missing} filter={{ indexing: 'indexable', sitemap: '0' }} />
          <Row name={t('sitemap.orphans')} pages={sitemaps.orphans} filter={{ orphan: '1', sitemap: '1' }} />
          {sitemaps.notIndexable.map(({ reason, pages }) => (
            <Row
              key={reason}
              name={t('sitemap.notIndexable', { reason: t(`indexing.${reason}`) })}
              pages={pages}
              filter={{ kind: 'all', indexing: reason, sitemap: '1' }}
            />
          ))}
        </ul>
      </Section>
      {sitemaps.skipped.length > 0 && (
        <Section title={t('sitemap.skipped')}>
          <ul className="inventory-rows" aria-label={t('sitemap.skipped')}>
            {sitemaps.skipped.map(({ reason, pages, examples }) => (
              <li key={reason ?? ''}>
                <div className="inventory-row">
                  <span className="inventory-row-main">
                    {t(`skip.${reason ?? 'ended'}`)}
                    {examples.map((url) => (
                      <small key={url} dir="ltr">
                        {url}
                      </small>
                    ))}
                  </span>
                  <span className="inventory-number">{format.number(pages)}</span>
                </div>
              </li>
            ))}
          </ul>
        </Section>
      )}
    </>
  );
}

/** What sitemaps list, compared with what the crawl found. */
export function SitemapsTab({ runId }: RunProps): ReactElement {
  const result = useCrawlSitemapsQuery({ crawlRunId: runId });
  return (
    <ResultState result={result} skeleton={<RowsSkeleton rows={6} />}>
      {(sitemaps) => <Content sitemaps={sitemaps} />}
    </ResultState>
  );
}
