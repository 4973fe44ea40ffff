import type { ReactElement } from 'react';
import { useWatch } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import { CheckField } from '@/ui/form/CheckField';
import { FormSection } from '@/ui/form/FormSection';
import { SelectField } from '@/ui/form/SelectField';
import { TextField } from '@/ui/form/TextField';
import { TimeZoneField } from '@/ui/form/TimeZoneField';
import { weekdayName } from '../scheduleText';
import { SettingsSummary } from '../SettingsSummary';
import { configOf } from './draft';
import type { WizardForm } from './wizardForm';

const every = ['never', 'day', 'week', 'month', 'custom'] as const;

function Times({ form }: { readonly form: WizardForm }): ReactElement {
  const { t, i18n } = useTranslation('crawler');
  const { control } = form;
  const [chosen, zone] = useWatch({ control, name: ['every', 'timeZone'] });
  return (
    <>
      <SelectField control={control} name="every" label={t('schedule.every')} choices={every.map((value) => ({ value, label: t(`schedule.is.${value}`) }))} />
      {chosen === 'week' && (
        <SelectField
          control={control}
          name="weekday"
          label={t('schedule.weekday')}
          choices={[1, 2, 3, 4, 5, 6, 0].map((day) => ({ value: String(day), label: weekdayName(i18n.language, day) }))}
        />
      )}
      {chosen === 'month' && (
        <SelectField
          control={control}
          name="day"
          label={t('schedule.day')}
          choices={Array.from({ length: 28 }, (_, at) => ({ value: String(at + 1), label: String(at + 1) }))}
        />
      )}
      {(chosen === 'day' || chosen === 'week' || chosen === 'month') && <TextField control={control} name="time" label={t('schedule.time')} type="time" />}
      {chosen === 'custom' && (
        <TextField
          control={control}
          name="expression"
          label={t('schedule.expression')}
          help={t('schedule.expressionHelp')}
          messages={{ pattern: t('schedule.notCron'), out_of_range: t('schedule.tooOften') }}
          maxLength={100}
          verbatim
        />
      )}
      {chosen !== 'never' && (
        <>
          <TimeZoneField control={control} name="timeZone" label={t('schedule.timeZone')} include={zone} />
          <CheckField control={control} name="enabled" label={t('schedule.enabled')} />
        </>
      )}
    </>
  );
}

/** When a crawler runs, who hears of it, and a summary of what will happen. */
export function ScheduleStep({ form, verified }: { readonly form: WizardForm; readonly verified: boolean }): ReactElement {
  const { t } = useTranslation('crawler');
  const { control } = form;
  return (
    <>
      <FormSection title={t('schedule.title')} lead={t('schedule.lead')}>
        <Times form={form} />
        <TextField control={control} name="retainedRuns" label={t('schedule.retained')} help={t('schedule.retainedHelp')} inputMode="numeric" maxLength={2} />
      </FormSection>
      <FormSection title={t('alerts.title')} lead={t('alerts.lead')}>
        <CheckField control={control} name="newErrors" label={t('alerts.newErrors')} />
        <CheckField control={control} name="completed" label={t('alerts.completed')} />
      </FormSection>
      <FormSection title={t('wizard.summary')} lead={t('wizard.summaryLead')}>
        <SettingsSummary config={configOf(form.getValues())} verified={verified} />
      </FormSection>
    </>
  );
}
