import { Alert } from '@mui/material';
import { useState } from 'react';
import type { ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import type { WidthTarget } from '@contract/seo/textWidth';
import type { CrawledPageDetail } from '@contract/crawler/inventorySchemas';
import type { Site } from '@contract/sites/schemas';
import { mayOnSite } from '@contract/permissions';
import { ResultPreview } from '@/features/seo/pages/ResultPreview';
import { PageVitals } from '@/features/vitals/PageVitals';
import { bytesText } from '@/lib/bytes';
import { useFormat } from '@/lib/format';
import { readableUrl } from '@/lib/readableUrl';
import { KeyFigure } from '@/ui/KeyFigure';
import { Section } from '@/ui/Section';
import { IssueRows } from '../issues/IssueRows';
import { PageLink } from '../parts';
import type { RunProps } from '../run';
import { SocialPreview } from './SocialPreview';

type Props = RunProps & { readonly page: CrawledPageDetail; readonly site: Site | undefined; readonly mayChange: boolean };

function Figures({ page }: Pick<Props, 'page'>): ReactElement {
  const { t } = useTranslation('inventory');
  const format = useFormat();
  return (
    <div className="inventory-figures">
      <KeyFigure name={t('column.issues')} value={format.number(page.issues)} />
      <KeyFigure name={t('column.links_in')} value={format.number(page.linksIn)} />
      <KeyFigure name={t('column.page_rank')} value={page.pageRank === null ? '—' : format.percent(page.pageRank, 2)} />
      <KeyFigure name={t('page.visits')} value={page.visits === null ? '—' : format.compact(page.visits.visits)} />
    </div>
  );
}

function Facts({ page }: Pick<Props, 'page'>): ReactElement {
  const { t } = useTranslation('inventory');
  const format = useFormat();
  const { facts } = page;
  const raw = facts.rendering?.raw ?? null;
  const robots = facts.robots.map(({ source, agent, directives }) => `${source}: ${agent === '*' ? '' : `${agent} `}${directives.join(', ')}`);
  const rows: readonly (readonly [string, ReactElement | string])[] = [
    [t('column.title'), page.title ?? '—'],
    [t('column.description'), page.description ?? '—'],
    [t('column.h1'), page.h1 ?? '—'],
    ...(page.redirectTo === null ? [] : [[t('page.redirectTo'), <PageLink key="to" page={page.redirectTo} />] as const]),
    [t('page.canonical'), page.canonical === null ? '—' : <PageLink key="canonical" page={page.canonical} />],
    [t('page.robots'), robots.length === 0 ? '—' : robots.join(' · ')],
    [t('column.language'), [page.language ?? '—', facts.script].filter((one) => one !== null).join(' · ')],
    [t('page.charset'), facts.charset.used === '' ? '—' : facts.charset.used],
    [t('column.mime'), page.mime],
    [t('column.depth'), format.number(page.depth)],
    [t('column.units'), format.number(page.units)],
    [t('page.size'), t('page.sizes', { bytes: bytesText(page.bytes, format), wire: bytesText(page.wireBytes, format) })],
    [t('page.times'), t('page.timesOf', { first: format.number(page.firstByteMs), total: format.number(page.totalMs) })],
    [t('page.outLinks'), t('page.outLinksOf', { internal: format.number(page.linksInternal), external: format.number(page.linksExternal) })],
    ...(raw === null
      ? []
      : [
          [
            t('page.withoutScripts'),
            t('page.withoutScriptsOf', { title: raw.title ?? '—', units: format.number(raw.units), links: format.number(raw.links) }),
          ] as const,
        ]),
    [t('column.sitemap'), t(page.inSitemap ? 'yes' : 'no')],
    [t('page.structuredData'), facts.jsonLd.flatMap(({ types }) => types).join(', ') || '—'],
    [t('column.fetched_at'), format.dateTime(page.fetchedAt)],
  ];
  return (
    <dl className="inspector-facts">
      {rows.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd dir="auto">{value}</dd>
        </div>
      ))}
    </dl>
  );
}

/** Issues, previews and facts of a page. */
export function PageSummary({ page, site, crawlerId, mayChange }: Props): ReactElement {
  const { t } = useTranslation('inventory');
  const [target, setTarget] = useState<WidthTarget>('desktop');
  const problem = page.facts.rendering?.problem ?? null;
  const refused = page.facts.rendering?.refused ?? [];
  const { list } = useFormat();
  return (
    <>
      <Figures page={page} />
      {problem && <Alert severity="warning">{t(`page.renderProblem.${problem}`)}</Alert>}
      {refused.length > 0 && <Alert severity="info">{t('page.refused', { requests: list(refused.map((one) => t(`page.refusedRequests.${one}`))) })}</Alert>}
      <Section title={t('column.issues')}>
        {page.found.length === 0 ? (
          <p className="inventory-quiet">{t('page.noIssues')}</p>
        ) : (
          <IssueRows rows={page.found} crawlerId={crawlerId} site={site} mayChange={mayChange} isOnePage />
        )}
      </Section>
      {page.kind === 'page' && page.status === 200 && (
        <Section title={t('page.previews')}>
          <ResultPreview title={page.title ?? ''} description={page.description ?? ''} address={readableUrl(page.url)} target={target} onTarget={setTarget} />
          <SocialPreview page={page} />
        </Section>
      )}
      {page.kind === 'page' && site !== undefined && mayOnSite(site.role, 'analytics.read') && <PageVitals site={site} url={page.url} />}
      <Section title={t('page.facts')}>
        <Facts page={page} />
      </Section>
      {Object.keys(page.facts.headers).length > 0 && (
        <Section title={t('page.headers')}>
          <dl className="inspector-facts">
            {Object.entries(page.facts.headers).map(([name, value]) => (
              <div key={name}>
                <dt>{name}</dt>
                <dd dir="ltr">{value}</dd>
              </div>
            ))}
          </dl>
        </Section>
      )}
    </>
  );
}
