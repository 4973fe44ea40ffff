import { useState } from 'react';
import type { ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import type { SupportSettings } from '@contract/support/settings';
import type { SupportOverview } from '@contract/support/conversations';
import type { Site } from '@contract/sites/schemas';
import { prechatFields } from '@contract/support/terms';
import { useUnsavedWork } from '@/features/session/useUnsavedWork';
import { ErrorPanel } from '@/ui/ErrorPanel';
import { Form } from '@/ui/form/Form';
import { StaleNotice } from '@/ui/form/StaleNotice';
import type { ContractForm } from '@/ui/form/useContractForm';
import { LeaveDialog } from '@/ui/LeaveDialog';
import { SaveBar } from '@/ui/SaveBar';
import { CodeTab } from './CodeTab';
import { FormTab } from './FormTab';
import { HoursTab } from './HoursTab';
import { LookTab } from './LookTab';
import { NoticesTab } from './NoticesTab';
import { emptyTexts } from './settingsInput';
import type { SettingsInput } from './settingsInput';
import { useSettingsForm } from './useSettingsForm';

export const formTabs = ['look', 'hours', 'form', 'notices', 'code'] as const;
export type FormTabName = (typeof formTabs)[number];

export type TabProps = {
  readonly form: ContractForm<SettingsInput>;
  readonly settings: SupportSettings;
  readonly siteId: string;
  readonly siteName: string;
  readonly overview: SupportOverview | undefined;
  /** Those whose texts can be written, the default one first. */
  readonly languages: readonly string[];
  readonly onAddLanguage: ((language: string) => void) | null;
  readonly isDirty: boolean;
};

const contents = { look: LookTab, hours: HoursTab, form: FormTab, notices: NoticesTab, code: CodeTab } as const;
/** Tabs of the settings share the form: only leaving all of them loses changes. */
const placeOf = ({ pathname, search }: { readonly pathname: string; readonly search: string }): string =>
  (formTabs as readonly string[]).includes(new URLSearchParams(search).get('settings') ?? '') ? pathname : `${pathname}?`;

type Props = {
  readonly site: Site;
  readonly tab: FormTabName;
  readonly settings: SupportSettings;
  readonly overview: SupportOverview | undefined;
  /** null: the pages are elsewhere, so that texts may be in any language. */
  readonly siteLanguages: readonly string[] | null;
};

/** Languages in which a site elsewhere has texts, labels or pages with the widget. */
const languagesIn = ({ texts, prechat, languages }: SupportSettings): string[] => [
  ...languages,
  ...Object.keys(texts),
  ...[...prechat.fields, ...prechat.topics].flatMap(({ label }) => Object.keys(label)),
];

/** The settings that are saved together. */
export function SettingsForm({ site, tab, settings, overview, siteLanguages }: Props): ReactElement {
  const { t } = useTranslation('support');
  const [added, setAdded] = useState<readonly string[]>([]);
  const languages = [...new Set([site.defaultLang, ...(siteLanguages ?? [...languagesIn(settings), ...added])])];
  const { form, base, theirs, failure, isDirty, isSaving, saveOnto, startFrom } = useSettingsForm(site.id, settings, languages);
  const blocker = useUnsavedWork(isDirty, placeOf);
  const Content = contents[tab];
  const addLanguage = (language: string): void => {
    setAdded([...added, language]);
    form.setValue(`texts.${language}`, { ...emptyTexts });
    for (const field of prechatFields) form.setValue(`prechat.labels.${field}.${language}`, '');
  };
  return (
    <Form form={form} onSubmit={(input) => saveOnto(theirs ?? base, input)} label={t('settings.title')}>
      {theirs && (
        <StaleNotice differences={[]} onKeepMine={() => void form.handleSubmit((input) => saveOnto(theirs, input))()} onTakeTheirs={() => startFrom(theirs)} />
      )}
      {failure && <ErrorPanel failure={failure} title={t('settings.failed')} />}
      <Content
        form={form}
        settings={base}
        siteId={site.id}
        siteName={site.name}
        overview={overview}
        languages={languages}
        onAddLanguage={siteLanguages === null ? addLanguage : null}
        isDirty={isDirty}
      />
      <SaveBar dirty={isDirty && !theirs} saving={isSaving} onDiscard={() => startFrom(settings)} />
      <LeaveDialog blocker={blocker} />
    </Form>
  );
}
