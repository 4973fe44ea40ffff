import type { ReactElement } from 'react';
import { useWatch } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import { awayPolicies } from '@contract/support/terms';
import { CheckField } from '@/ui/form/CheckField';
import { FormSection } from '@/ui/form/FormSection';
import { RadioCards } from '@/ui/form/RadioCards';
import { TextField } from '@/ui/form/TextField';
import { TimeZoneField } from '@/ui/form/TimeZoneField';
import type { TabProps } from './SettingsForm';
import { weekdays } from './settingsInput';

/** When visitors are answered, and what they get otherwise. */
export function HoursTab({ form }: TabProps): ReactElement {
  const { t } = useTranslation('support');
  const { control } = form;
  const [always, zone] = useWatch({ control, name: ['hours.always', 'hours.timeZone'] });
  return (
    <>
      <FormSection title={t('hours.title')} lead={t('hours.lead')}>
        <CheckField control={control} name="hours.always" label={t('hours.always')} />
        {!always && (
          <>
            <div className="support-week">
              {weekdays.map((day, at) => (
                <TextField
                  key={day}
                  control={control}
                  name={`hours.week.${at}` as 'hours.week.0'}
                  label={t(`weekday.${day}`)}
                  placeholder={t('hours.closed')}
                  messages={{ pattern: t('hours.pattern') }}
                  verbatim
                />
              ))}
            </div>
            <p className="support-quiet">{t('hours.weekHelp')}</p>
          </>
        )}
        <TimeZoneField control={control} name="hours.timeZone" label={t('hours.timeZone')} include={zone} />
        <TextField
          control={control}
          name="hours.holidays"
          label={t('hours.holidays')}
          help={t('hours.holidaysHelp')}
          messages={{ pattern: t('hours.holidayPattern') }}
          optional
          multiline
          minRows={3}
        />
        <CheckField control={control} name="needsAgent" label={t('hours.needsAgent')} help={t('hours.needsAgentHelp')} />
      </FormSection>
      <FormSection title={t('away.title')} lead={t('away.lead')}>
        <RadioCards
          control={control}
          name="awayPolicy"
          label={t('away.policy')}
          choices={awayPolicies.map((policy) => ({ value: policy, label: t(`away.${policy}.name`), detail: t(`away.${policy}.text`) }))}
        />
      </FormSection>
    </>
  );
}
