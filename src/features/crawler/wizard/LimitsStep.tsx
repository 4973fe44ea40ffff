import { Alert, Button, Checkbox, FormControlLabel, OutlinedInput } from '@mui/material';
import type { ReactElement } from 'react';
import { useController } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import { crawlLimits } from '@contract/crawler/terms';
import { CheckField } from '@/ui/form/CheckField';
import { FieldGroup } from '@/ui/form/Field';
import { FormSection } from '@/ui/form/FormSection';
import { TextField } from '@/ui/form/TextField';
import { useFieldErrorMessage } from '@/ui/form/useFieldErrorMessage';
import type { Header } from './draft';
import type { WizardForm } from './wizardForm';

/** Further headers of the requests. The values of secret ones are never shown again. */
function Headers({ form }: { readonly form: WizardForm }): ReactElement {
  const { t } = useTranslation('crawler');
  const { field, fieldState } = useController({ control: form.control, name: 'headers' });
  const say = useFieldErrorMessage();
  const rows = field.value;
  const change = (at: number, changes: Partial<Header>): void => field.onChange(rows.map((row, index) => (index === at ? { ...row, ...changes } : row)));
  return (
    <FieldGroup label={t('limits.headers')} help={t('limits.headersHelp')} error={say(fieldState.error?.message)}>
      {rows.map((row, at) => (
        // Rows have no identity but their place.
        // oxlint-disable-next-line react/no-array-index-key
        <div key={at} className="crawl-header">
          <OutlinedInput
            value={row.name}
            disabled={row.stored}
            placeholder="Authorization"
            onChange={(event) => change(at, { name: event.target.value })}
            slotProps={{ input: { 'aria-label': t('limits.headerName'), spellCheck: false, maxLength: 60 } }}
          />
          <OutlinedInput
            value={row.value}
            type={row.secret ? 'password' : 'text'}
            placeholder={row.stored ? t('limits.stored') : ''}
            onChange={(event) => change(at, { value: event.target.value })}
            slotProps={{ input: { 'aria-label': t('limits.headerValue'), spellCheck: false, autoComplete: 'off', maxLength: row.secret ? 2000 : 500 } }}
          />
          <FormControlLabel
            disabled={row.stored}
            control={<Checkbox size="small" checked={row.secret} onChange={(_event, secret) => change(at, { secret })} />}
            label={t('limits.secret')}
          />
          <Button size="small" onClick={() => field.onChange(rows.filter((_, index) => index !== at))}>
            {t('limits.removeHeader')}
          </Button>
        </div>
      ))}
      <div>
        <Button size="small" onClick={() => field.onChange([...rows, { name: '', value: '', secret: true, stored: false }])}>
          {t('limits.addHeader')}
        </Button>
      </div>
    </FieldGroup>
  );
}

/** How far a crawl goes, and how gently. */
export function LimitsStep({ form, verified }: { readonly form: WizardForm; readonly verified: boolean }): ReactElement {
  const { t } = useTranslation('crawler');
  const { control } = form;
  const whole = { inputMode: 'numeric', maxLength: 7 } as const;
  return (
    <>
      {!verified && <Alert severity="info">{t('limits.foreign', { ...crawlLimits.foreign })}</Alert>}
      <FormSection title={t('limits.title')} lead={t('limits.lead')}>
        <TextField control={control} name="pages" label={t('limits.pages')} {...whole} />
        <TextField control={control} name="minutes" label={t('limits.minutes')} {...whole} />
        <TextField control={control} name="megabytes" label={t('limits.megabytes')} {...whole} />
        <TextField control={control} name="familyPercent" label={t('limits.family')} help={t('limits.familyHelp')} {...whole} />
      </FormSection>
      <FormSection title={t('limits.politeness')} lead={t('limits.politenessLead')}>
        <TextField control={control} name="connections" label={t('limits.connections')} help={t('limits.connectionsHelp')} {...whole} />
        <TextField control={control} name="requestsPerSecond" label={t('limits.rate')} inputMode="numeric" maxLength={7} />
        <CheckField
          control={control}
          name="obeyRobots"
          label={t('limits.robots')}
          help={t(verified ? 'limits.robotsHelp' : 'limits.robotsForeign')}
          disabled={!verified}
        />
        <TextField control={control} name="userAgent" label={t('limits.userAgent')} help={t('limits.userAgentHelp')} maxLength={200} verbatim optional />
        <Headers form={form} />
      </FormSection>
    </>
  );
}
