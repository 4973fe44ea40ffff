import type { ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import { tagsOf } from '@contract/languages/tags';
import { mayOnSite } from '@contract/permissions';
import type { SiteParts } from '@contract/publishing/schemas';
import type { Site } from '@contract/sites/schemas';
import { PartForm } from '@/features/publishing/PartForm';
import { useSitePartsQuery } from '@/features/publishing/publishingApi';
import { usePartDraft } from '@/features/publishing/usePartDraft';
import type { Difference } from '@/ui/form/StaleNotice';
import { ResultState } from '@/ui/ResultState';
import { RowsSkeleton } from '@/ui/skeletons';
import { useCollectionTitle } from '../useCollectionTitle';
import { EntitiesSection } from './EntitiesSection';
import { RulesSection, SitemapSection } from './RulesSection';
import type { SeoContent } from './sectionProps';
import { AgentsSection, SocialSection } from './SharingSection';
import { TitlesSection } from './TitlesSection';

const sections = ['separator', 'templates', 'overrides', 'indexing', 'entities', 'social', 'sitemap', 'agents'] as const;

/** Sections that differ between two versions; each is compared as a whole. */
function useDifferences(): (mine: SeoContent, theirs: SeoContent) => readonly Difference[] {
  const { t } = useTranslation('seo');
  const textOf = (value: unknown): string => (Array.isArray(value) ? t('settings.entries', { count: value.length }) : typeof value === 'string' ? value : '…');
  return (mine, theirs) =>
    sections
      .filter((name) => JSON.stringify(mine[name]) !== JSON.stringify(theirs[name]))
      .map((name) => ({ label: t(`settings.section.${name}`), mine: textOf(mine[name]), theirs: textOf(theirs[name]) }));
}

function Settings({ site, parts }: { readonly site: Site; readonly parts: SiteParts }): ReactElement {
  const { t } = useTranslation('seo');
  const draft = usePartDraft(site.id, 'seo', parts.seo);
  const differences = useDifferences();
  const titleOf = useCollectionTitle(site.id);
  const readOnly = !mayOnSite(site.role, 'site.compose');
  const section = { content: draft.content, onChange: draft.change, readOnly };
  const routes = parts.routes.content.filter((route) => route.kind === 'collection');
  const collections = routes.map(({ collection, fields }) => ({ key: collection, title: titleOf(collection), fields: Object.keys(fields) }));
  return (
    <PartForm label={t('tabs.settings')} draft={draft} readOnly={readOnly} differences={differences}>
      <TitlesSection {...section} languages={tagsOf(parts.languages.content)} collections={collections} siteName={site.name} />
      <RulesSection {...section} />
      <SocialSection {...section} />
      <EntitiesSection {...section} collections={collections} />
      <SitemapSection {...section} />
      <AgentsSection {...section} />
    </PartForm>
  );
}

/** Rules of titles, indexing, cards and sitemaps, which a release publishes. */
export default function SettingsTab({ site }: { readonly site: Site }): ReactElement {
  const result = useSitePartsQuery({ siteId: site.id });
  return (
    <ResultState result={result} skeleton={<RowsSkeleton rows={8} />}>
      {(parts) => <Settings site={site} parts={parts} />}
    </ResultState>
  );
}
