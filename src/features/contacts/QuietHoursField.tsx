import { Box, Checkbox, FormControlLabel, Typography } from '@mui/material';
import { useState } from 'react';
import type { ReactElement } from 'react';
import { useWatch } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import type { ContactInput, QuietHours } from '@contract/contacts/schemas';
import { guessTimeZone } from '@/lib/timeZones';
import { TextField } from '@/ui/form/TextField';
import { TimeZoneField } from '@/ui/form/TimeZoneField';
import type { ContractForm } from '@/ui/form/useContractForm';
import type { ContactValues } from './contactValues';

/** A typical night, in the contact's likely time zone. */
const usual = (): QuietHours => ({ timeZone: guessTimeZone(), from: '22:00', to: '08:00' });

/** Off (null), or the start, end and time zone. */
export function QuietHoursField({ form }: { readonly form: ContractForm<ContactInput, ContactValues> }): ReactElement {
  const { t } = useTranslation('contacts');
  const { control, setValue } = form;
  const hours = useWatch({ control, name: 'quietHours' }) ?? null;
  const [last, setLast] = useState(() => hours ?? usual());
  const toggle = (on: boolean) => {
    if (hours) setLast(hours);
    setValue('quietHours', on ? last : null, { shouldDirty: true });
  };
  const time = { type: 'time', messages: { required: t('contacts.timeNeeded'), pattern: t('contacts.timeNeeded') } } as const;
  return (
    <Box role="group" aria-label={t('contacts.quietHours')}>
      <FormControlLabel
        sx={{ mr: 0, alignItems: 'flex-start' }}
        control={<Checkbox checked={hours !== null} onChange={(_event, on) => toggle(on)} sx={{ py: 0.75 }} />}
        label={
          <Box sx={{ py: 0.625 }}>
            <Typography variant="body2">{t('contacts.quietHours')}</Typography>
            <Typography variant="caption" sx={{ display: 'block', color: 'text.secondary' }}>
              {t('contacts.quietHelp')}
            </Typography>
          </Box>
        }
      />
      {hours && (
        <Box sx={{ display: 'grid', gridTemplateColumns: { xs: '1fr 1fr', sm: '120px 120px 1fr' }, gap: 2, mt: 1 }}>
          <TextField control={control} name="quietHours.from" label={t('contacts.quietFrom')} {...time} />
          <TextField control={control} name="quietHours.to" label={t('contacts.quietTo')} {...time} />
          <Box sx={{ gridColumn: { xs: '1 / -1', sm: 'auto' }, minWidth: 0 }}>
            <TimeZoneField control={control} name="quietHours.timeZone" label={t('contacts.quietZone')} include={hours.timeZone} />
          </Box>
        </Box>
      )}
    </Box>
  );
}
