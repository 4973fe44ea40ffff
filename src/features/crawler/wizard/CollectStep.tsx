import { Alert } from '@mui/material';
import type { ReactElement } from 'react';
import { useWatch } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import { renderModes } from '@contract/crawler/terms';
import { CheckField } from '@/ui/form/CheckField';
import { FormSection } from '@/ui/form/FormSection';
import { SelectField } from '@/ui/form/SelectField';
import { TextField } from '@/ui/form/TextField';
import { Extractions } from './Extractions';
import { RulesEditor } from './RulesEditor';
import type { Target } from './useTarget';
import type { WizardForm } from './wizardForm';

/** Whether a Chromium of the server runs the scripts of pages, and that there is none if so. */
function Scripts({ form: { control }, target }: { readonly form: WizardForm; readonly target: Target }): ReactElement {
  const { t } = useTranslation('crawler');
  const mode = useWatch({ control, name: 'renderMode' });
  return (
    <FormSection title={t('scripts.title')} lead={t('scripts.lead')}>
      <SelectField
        control={control}
        name="renderMode"
        label={t('scripts.mode')}
        choices={renderModes.map((value) => ({ value, label: t(`scripts.modes.${value}`) }))}
      />
      {mode !== 'off' && (
        <TextField control={control} name="renderPages" label={t('scripts.pages')} help={t('scripts.pagesHelp')} inputMode="numeric" maxLength={7} />
      )}
      {mode !== 'off' && target.data?.canRender === false && <Alert severity="warning">{t('scripts.noBrowser')}</Alert>}
    </FormSection>
  );
}

/** What a crawl looks at: kinds of addresses, scripts, rules of the audit, and values to extract. */
export function CollectStep({ form, target }: { readonly form: WizardForm; readonly target: Target }): ReactElement {
  const { t } = useTranslation('crawler');
  const { control } = form;
  const kind = useWatch({ control, name: 'kind' });
  const extraction = (
    <FormSection title={t('extraction.title')} lead={t('extraction.lead')}>
      <Extractions form={form} />
    </FormSection>
  );
  return (
    <>
      {kind === 'extract' && extraction}
      <FormSection title={t('collect.title')} lead={t('collect.lead')}>
        <CheckField control={control} name="sitemaps" label={t('collect.sitemaps')} help={t('collect.sitemapsHelp')} />
        <CheckField control={control} name="external" label={t('collect.external')} help={t('collect.externalHelp')} />
        <CheckField control={control} name="resources" label={t('collect.resources')} help={t('collect.resourcesHelp')} />
        <CheckField control={control} name="bodies" label={t('collect.bodies')} help={t('collect.bodiesHelp')} />
      </FormSection>
      <Scripts form={form} target={target} />
      <FormSection title={t('rules.title')} lead={t('rules.lead')}>
        <RulesEditor form={form} />
      </FormSection>
      {kind !== 'extract' && extraction}
    </>
  );
}
