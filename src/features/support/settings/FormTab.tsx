import type { ReactElement } from 'react';
import { useState } from 'react';
import { useWatch } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import { prechatFields, prechatTimes, supportFileKinds, supportLimits } from '@contract/support/terms';
import { CheckboxGroup } from '@/ui/form/CheckboxGroup';
import { CheckField } from '@/ui/form/CheckField';
import { FormSection } from '@/ui/form/FormSection';
import { SelectField } from '@/ui/form/SelectField';
import { TextField } from '@/ui/form/TextField';
import type { TabProps } from './SettingsForm';
import { askings } from './settingsInput';
import { TextLanguage } from './TextLanguage';
import { TopicFields } from './TopicFields';

/** Such a question has no usual name. */
const isCustom = (field: string): boolean => field.startsWith('custom');

/** What visitors are asked, what they may send, and how long it is stored. */
export function FormTab({ form, languages, onAddLanguage }: TabProps): ReactElement {
  const { t } = useTranslation('support');
  const [language, setLanguage] = useState(languages[0] ?? 'en');
  const { control } = form;
  const [fields, files] = useWatch({ control, name: ['prechat.fields', 'files.enabled'] });
  return (
    <>
      <FormSection title={t('prechat.title')} lead={t('prechat.lead')}>
        <SelectField
          control={control}
          name="prechat.when"
          label={t('prechat.when')}
          choices={prechatTimes.map((when) => ({ value: when, label: t(`prechat.times.${when}`) }))}
        />
        <TextLanguage languages={languages} value={language} onChoose={setLanguage} onAdd={onAddLanguage} />
        <div className="support-fields">
          {prechatFields.map((field) => (
            <div key={field}>
              <SelectField
                control={control}
                name={`prechat.fields.${field}`}
                label={t(`field.${field}`)}
                choices={askings.map((one) => ({ value: one, label: t(`prechat.asking.${one}`) }))}
              />
              {fields[field] !== 'no' && (
                <TextField
                  key={language}
                  control={control}
                  name={`prechat.labels.${field}.${language}`}
                  label={t('prechat.label')}
                  optional={!isCustom(field)}
                  maxLength={60}
                  {...(!isCustom(field) && { placeholder: t('prechat.usual') })}
                />
              )}
            </div>
          ))}
        </div>
        {fields.topic !== 'no' && <TopicFields control={control} language={language} isMain={language === languages[0]} />}
      </FormSection>
      <FormSection title={t('files.title')} lead={t('files.lead')}>
        <CheckField control={control} name="files.enabled" label={t('files.enabled')} />
        {files && (
          <>
            <TextField
              control={control}
              name="files.megabytes"
              label={t('files.megabytes', { least: supportLimits.fileMegabytes.least, most: supportLimits.fileMegabytes.most })}
              inputMode="numeric"
              maxLength={2}
            />
            <CheckboxGroup
              control={control}
              name="files.kinds"
              label={t('files.kinds')}
              choices={supportFileKinds.map((kind) => ({ value: kind, label: t(`files.kind.${kind}`) }))}
            />
          </>
        )}
        <CheckField control={control} name="rating" label={t('files.rating')} help={t('files.ratingHelp')} />
      </FormSection>
      <FormSection title={t('privacy.title')} lead={t('privacy.lead')}>
        <TextField control={control} name="privacyUrl" label={t('privacy.url')} optional verbatim inputMode="url" placeholder="https://" />
        <TextField
          control={control}
          name="retentionDays"
          label={t('privacy.retention', { least: supportLimits.retentionDays.least, most: supportLimits.retentionDays.most })}
          help={t('privacy.retentionHelp', { days: supportLimits.addressDays })}
          inputMode="numeric"
          maxLength={4}
        />
      </FormSection>
    </>
  );
}
