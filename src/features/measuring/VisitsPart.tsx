import type { ReactElement } from 'react';
import type { Control } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import { FormSection } from '@/ui/form/FormSection';
import { TextField } from '@/ui/form/TextField';
import { defaultBucketEnds } from '@contract/measuring/buckets';
import { CheckField } from '@/ui/form/CheckField';
import type { SettingsInput } from './settingsInput';

/** The definition of a visit, and how reports show places. */
export function VisitsPart({ control }: { readonly control: Control<SettingsInput, unknown, SettingsInput> }): ReactElement {
  const { t } = useTranslation('measuring');
  return (
    <>
      <FormSection title={t('visits.title')} lead={t('visits.lead')}>
        <TextField control={control} name="gapMinutes" label={t('field.gapMinutes')} help={t('visits.gapHelp')} inputMode="numeric" maxLength={3} />
        <CheckField control={control} name="campaignCuts" label={t('field.campaignCuts')} help={t('visits.campaignHelp')} />
        <TextField
          control={control}
          name="engagedSeconds"
          label={t('field.engagedSeconds')}
          help={t('visits.engagedHelp')}
          inputMode="numeric"
          maxLength={4}
          placeholder={t('visits.engagedNever')}
        />
      </FormSection>
      <FormSection title={t('buckets.title')} lead={t('buckets.lead')}>
        {(
          [
            ['bucketPages', 'pages'],
            ['bucketSeconds', 'seconds'],
            ['bucketDays', 'days'],
            ['bucketVisits', 'visits'],
          ] as const
        ).map(([name, scale]) => (
          <TextField
            key={name}
            control={control}
            name={name}
            label={t(`field.${name}`)}
            help={t('buckets.help', { usual: defaultBucketEnds[scale].join(', ') })}
            messages={{ pattern: t('buckets.invalid'), required: t('buckets.invalid') }}
            verbatim
          />
        ))}
      </FormSection>
      <FormSection title={t('cities.title')} lead={t('cities.lead')}>
        <TextField
          control={control}
          name="cityFloor"
          label={t('field.cityFloor')}
          help={t('cities.help')}
          inputMode="numeric"
          maxLength={4}
          placeholder={t('cities.all')}
        />
      </FormSection>
    </>
  );
}
