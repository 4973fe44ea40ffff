import type { ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import type { Sitemaps } from '@contract/seo/schemas';
import type { Site } from '@contract/sites/schemas';
import { useFormat } from '@/lib/format';
import { CopyButton } from '@/ui/CopyButton';
import { EmptyState } from '@/ui/EmptyState';
import { ResultState } from '@/ui/ResultState';
import { Section } from '@/ui/Section';
import { RowsSkeleton } from '@/ui/skeletons';
import { originOf } from '../originOf';
import { useSitemapsQuery } from '../seoApi';
import { useCollectionTitle } from '../useCollectionTitle';

function FileList({ site, label, rows }: { readonly site: Site; readonly label: string; readonly rows: Sitemaps['rows'] }): ReactElement {
  const { t } = useTranslation('seo');
  const format = useFormat();
  const titleOf = useCollectionTitle(site.id);
  return (
    <ul className="seo-files" aria-label={label}>
      {rows.map(({ path, kind, collection, pages }) => {
        const address = `${originOf(site)}${path}`;
        return (
          <li key={path}>
            <span>
              <a className="text-link" href={address} target="_blank" rel="noreferrer">
                {address}
              </a>
              <small>
                {kind === 'flat'
                  ? ''
                  : `${collection === null ? t(`sitemaps.kind.${kind === 'index' ? 'index' : 'pages'}`) : t('sitemaps.kind.records', { collection: titleOf(collection) })} · `}
                {t('overview.pages', { count: pages, countText: format.number(pages) })}
              </small>
            </span>
            <CopyButton text={address} label={t('sitemaps.copy', { path })} />
          </li>
        );
      })}
    </ul>
  );
}

function Content({ site, files }: { readonly site: Site; readonly files: Sitemaps }): ReactElement {
  const { t } = useTranslation('seo');
  const flat = files.rows.filter(({ kind }) => kind === 'flat');
  if (files.none !== null || files.rows.length === 0)
    return (
      <EmptyState ghost="rows" title={t('sitemaps.none')}>
        {t(`sitemaps.why.${files.none ?? 'not_released'}`)}
      </EmptyState>
    );
  return (
    <>
      <Section title={t('sitemaps.index')} note={t('sitemaps.indexText')}>
        <FileList site={site} label={t('sitemaps.index')} rows={files.rows.filter(({ kind }) => kind !== 'flat')} />
      </Section>
      {flat.length > 0 && (
        <Section title={t('sitemaps.flat')} note={t('sitemaps.flatText')}>
          <FileList site={site} label={t('sitemaps.flat')} rows={flat} />
        </Section>
      )}
    </>
  );
}

/** The sitemaps of the live release, and their addresses to submit. */
export default function SitemapsTab({ site }: { readonly site: Site }): ReactElement {
  const result = useSitemapsQuery({ siteId: site.id });
  return (
    <ResultState result={result} skeleton={<RowsSkeleton rows={6} />}>
      {(files) => <Content site={site} files={files} />}
    </ResultState>
  );
}
