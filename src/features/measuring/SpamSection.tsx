import type { ReactElement } from 'react';
import type { Control } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import { FormSection } from '@/ui/form/FormSection';
import { TextField } from '@/ui/form/TextField';
import { CheckField } from '@/ui/form/CheckField';
import type { SettingsInput } from './settingsInput';

export function SpamSection({ control }: { readonly control: Control<SettingsInput, unknown, SettingsInput> }): ReactElement {
  const { t } = useTranslation('measuring');
  const list = { control, multiline: true, minRows: 2, maxRows: 8, verbatim: true, optional: true } as const;
  return (
    <FormSection title={t('spam.title')} lead={t('spam.lead')}>
      <CheckField control={control} name="spamOn" label={t('field.spamOn')} help={t('spam.onHelp')} />
      <TextField {...list} name="spamHosts" label={t('field.spamHosts')} help={t('spam.hostsHelp')} />
      <TextField {...list} name="spamExceptions" label={t('field.spamExceptions')} help={t('spam.exceptionsHelp')} />
    </FormSection>
  );
}
