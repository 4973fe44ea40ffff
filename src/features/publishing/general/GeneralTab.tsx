import type { ReactElement } from 'react';
import { useWatch } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import { tagsOf } from '@contract/languages/tags';
import type { SiteParts } from '@contract/publishing/schemas';
import { mayOnSite } from '@contract/permissions';
import type { Site } from '@contract/sites/schemas';
import { useUnsavedWork } from '@/features/session/useUnsavedWork';
import { ErrorPanel } from '@/ui/ErrorPanel';
import { Form } from '@/ui/form/Form';
import { StaleNotice } from '@/ui/form/StaleNotice';
import { LeaveDialog } from '@/ui/LeaveDialog';
import { ResultState } from '@/ui/ResultState';
import { SaveBar } from '@/ui/SaveBar';
import { RowsSkeleton } from '@/ui/skeletons';
import { AtOnceSection } from '../atOnce/AtOnceSection';
import { LanguagesSection } from '../languages/LanguagesSection';
import { useSitePartsQuery } from '../publishingApi';
import { ReadOnlyNote } from '../ReadOnlyNote';
import { ExportSection } from './ExportSection';
import { inputOf } from './generalValues';
import type { GeneralInput } from './generalValues';
import { CodeSection, ContactSection, PicturesSection, TextsSection, VisibilitySection } from './sections';
import { useGeneralForm } from './useGeneralForm';
import { useSettingDifferences } from './useSettingDifferences';

type FormOfSettings = ReturnType<typeof useGeneralForm>;

/** What the form holds beside what somebody else has saved meanwhile. */
function StaleSettings({ editing, theirs, languages }: { editing: FormOfSettings; theirs: SiteParts['settings']; languages: readonly string[] }): ReactElement {
  const differencesOf = useSettingDifferences();
  // What is typed while the comparison is visible belongs to it.
  useWatch({ control: editing.form.control });
  const mine: GeneralInput = editing.form.getValues();
  return (
    <StaleNotice
      differences={differencesOf(mine, inputOf(theirs.content, languages))}
      onKeepMine={() => void editing.form.handleSubmit((values) => editing.saveOnto(theirs, values))()}
      onTakeTheirs={() => editing.startAgain(theirs)}
    />
  );
}

function SettingsForm({ site, parts }: { readonly site: Site; readonly parts: SiteParts }): ReactElement {
  const { t } = useTranslation('publishing');
  const readOnly = !mayOnSite(site.role, 'site.compose');
  const languages = tagsOf(parts.languages.content);
  const editing = useGeneralForm(site.id, parts.settings, languages);
  const { form, base, theirs, failure, hasFailed, isDirty, busy, saveOnto, startAgain } = editing;
  const blocker = useUnsavedWork(isDirty);
  const section = { site, form, readOnly } as const;
  return (
    <Form form={form} onSubmit={(values) => saveOnto(theirs ?? base, values)} label={t('tabs.general')}>
      {readOnly && <ReadOnlyNote />}
      {theirs && <StaleSettings editing={editing} theirs={theirs} languages={languages} />}
      {hasFailed && <ErrorPanel failure={failure} title={t('saveFailed')} />}
      <fieldset className="publishing-form" disabled={readOnly}>
        <TextsSection {...section} languages={languages} />
        <PicturesSection {...section} />
        <ContactSection {...section} />
        <VisibilitySection {...section} />
        <CodeSection {...section} />
      </fieldset>
      {!readOnly && <SaveBar dirty={isDirty} saving={busy} onDiscard={() => startAgain(parts.settings)} />}
      <LeaveDialog blocker={blocker} />
    </Form>
  );
}

/** Texts, pictures, contact, search engines, own code and languages of a site, and what takes effect without a release. */
export function GeneralTab({ site }: { readonly site: Site }): ReactElement {
  const mayCompose = mayOnSite(site.role, 'site.compose');
  const result = useSitePartsQuery({ siteId: site.id });
  return (
    <ResultState result={result} skeleton={<RowsSkeleton rows={8} />}>
      {(parts) => (
        <>
          <SettingsForm site={site} parts={parts} />
          <LanguagesSection siteId={site.id} stored={parts.languages} readOnly={!mayCompose} />
          {mayCompose && <AtOnceSection site={site} languages={tagsOf(parts.languages.content)} />}
          {mayCompose && (
            <div className="publishing-form">
              <ExportSection site={site} />
            </div>
          )}
        </>
      )}
    </ResultState>
  );
}
