import type { ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import { mayOnSite } from '@contract/permissions';
import type { SiteParts } from '@contract/publishing/schemas';
import type { Site } from '@contract/sites/schemas';
import { PartForm } from '@/features/publishing/PartForm';
import { useSitePartsQuery } from '@/features/publishing/publishingApi';
import { usePartDraft } from '@/features/publishing/usePartDraft';
import { FormSection } from '@/ui/form/FormSection';
import { ResultState } from '@/ui/ResultState';
import { RowsSkeleton } from '@/ui/skeletons';
import { Toggles } from '@/ui/Toggles';

const separators = ['·', '-', '|', '–', '_'] as const;

function Settings({ site, stored }: { readonly site: Site; readonly stored: SiteParts['seo'] }): ReactElement {
  const { t } = useTranslation('seo');
  const draft = usePartDraft(site.id, 'seo', stored);
  const { content, change } = draft;
  return (
    <PartForm
      label={t('tabs.settings')}
      draft={draft}
      readOnly={!mayOnSite(site.role, 'site.compose')}
      differences={(mine, theirs) => [{ label: t('settings.separator'), mine: mine.separator, theirs: theirs.separator }]}
    >
      <FormSection title={t('settings.titles')}>
        <Toggles
          label={t('settings.separator')}
          value={content.separator}
          choices={separators.map((value) => ({ value: value as string, label: value }))}
          onChoose={(separator) => change({ ...content, separator })}
        />
      </FormSection>
    </PartForm>
  );
}

/** Rules of titles, indexing, cards and sitemaps, which a release publishes. */
export default function SettingsTab({ site }: { readonly site: Site }): ReactElement {
  const result = useSitePartsQuery({ siteId: site.id });
  return (
    <ResultState result={result} skeleton={<RowsSkeleton rows={8} />}>
      {({ seo }) => <Settings site={site} stored={seo} />}
    </ResultState>
  );
}
