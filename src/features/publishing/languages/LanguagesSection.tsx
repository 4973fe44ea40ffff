import { Button } from '@mui/material';
import { useState } from 'react';
import type { ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import type { SiteParts } from '@contract/publishing/schemas';
import { FormSection } from '@/ui/form/FormSection';
import { SettingRow } from '../SettingRow';
import { LanguagesDialog } from './LanguagesDialog';
import { RemovedLanguages } from './RemovedLanguages';
import { useLanguageRow } from './useLanguageRow';

/** The languages of a site. They are edited in a dialog, outside the form of the settings, whose fields depend on them. */
export function LanguagesSection({
  siteId,
  stored,
  readOnly,
}: {
  readonly siteId: string;
  readonly stored: SiteParts['languages'];
  readonly readOnly: boolean;
}): ReactElement {
  const { t } = useTranslation('publishing');
  const rowOf = useLanguageRow();
  const [isEditing, setEditing] = useState(false);
  return (
    <div className="publishing-form">
      <FormSection title={t('languages.title')} lead={t('languages.lead')}>
        <ol className="address-list" aria-label={t('languages.list')}>
          {stored.content.languages.map(({ tag }, at) => (
            <SettingRow key={tag} {...rowOf(stored.content, at)} />
          ))}
        </ol>
        <RemovedLanguages siteId={siteId} readOnly={readOnly} />
        {!readOnly && (
          <div>
            <Button variant="outlined" onClick={() => setEditing(true)}>
              {t('languages.edit')}
            </Button>
          </div>
        )}
      </FormSection>
      {isEditing && <LanguagesDialog siteId={siteId} stored={stored} onClose={() => setEditing(false)} />}
    </div>
  );
}
