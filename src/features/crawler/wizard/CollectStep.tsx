import type { ReactElement } from 'react';
import { useWatch } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import { CheckField } from '@/ui/form/CheckField';
import { FormSection } from '@/ui/form/FormSection';
import { Extractions } from './Extractions';
import { RulesEditor } from './RulesEditor';
import type { WizardForm } from './wizardForm';

/** What a crawl looks at: kinds of addresses, rules of the audit, and values to extract. */
export function CollectStep({ form }: { readonly form: WizardForm }): ReactElement {
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
      <FormSection title={t('rules.title')} lead={t('rules.lead')}>
        <RulesEditor form={form} />
      </FormSection>
      {kind !== 'extract' && extraction}
    </>
  );
}
