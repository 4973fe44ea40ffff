import { Box, Checkbox, FormControlLabel, Radio, RadioGroup, Typography } from '@mui/material';
import { useState } from 'react';
import type { ReactElement } from 'react';
import { useController } from 'react-hook-form';
import type { FieldValues } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import { selectSites } from '@/features/sites/sitesSlice';
import { useAppSelector } from '@/store/hooks';
import { FieldGroup } from '@/ui/form/Field';
import type { BoundProps } from '@/ui/form/TextField';
import { useFieldErrorMessage } from '@/ui/form/useFieldErrorMessage';

/** All sites (null), or some. Sites that this person cannot see stay selected until they are removed explicitly. */
export function SitesField<I extends FieldValues, O>({ control, name, messages, label, help }: BoundProps<I, O>): ReactElement {
  const { t } = useTranslation('contacts');
  const { field, fieldState } = useController({ control, name });
  const sites = useAppSelector(selectSites);
  const say = useFieldErrorMessage();
  const value = field.value as readonly string[] | null;
  // Restores the selection after "all sites" was chosen and unchosen.
  const [last, setLast] = useState<readonly string[]>(value ?? []);
  const unseen = (value ?? []).filter((id) => !sites.some((site) => site.id === id));
  const choose = (ids: readonly string[]) => {
    setLast(ids);
    field.onChange(ids);
  };
  const toggle = (id: string, on: boolean) => choose(on ? [...(value ?? []), id] : (value ?? []).filter((one) => one !== id));
  return (
    <FieldGroup label={label} help={help} error={say(fieldState.error?.message, messages)}>
      <RadioGroup
        row
        name={name}
        aria-label={label}
        value={value === null ? 'all' : 'some'}
        onChange={(_event, next) => field.onChange(next === 'all' ? null : last)}
        onBlur={field.onBlur}
      >
        <FormControlLabel
          value="all"
          control={<Radio slotProps={{ input: { ref: field.ref } }} />}
          label={t('contacts.allSites')}
          slotProps={{ typography: { variant: 'body2' } }}
        />
        <FormControlLabel value="some" control={<Radio />} label={t('contacts.someSites')} slotProps={{ typography: { variant: 'body2' } }} />
      </RadioGroup>
      {value !== null && (
        <Box sx={{ display: 'grid', gap: 0, maxHeight: 220, overflowY: 'auto', border: 1, borderColor: 'divider', borderRadius: 1, px: 1.5, py: 0.5, mt: 0.5 }}>
          {sites.map((site) => (
            <FormControlLabel
              key={site.id}
              sx={{ mr: 0, minWidth: 0, '& .MuiFormControlLabel-label': { minWidth: 0 } }}
              control={<Checkbox checked={value.includes(site.id)} onChange={(_event, on) => toggle(site.id, on)} />}
              label={
                <Typography variant="body2" noWrap>
                  {site.name}
                </Typography>
              }
            />
          ))}
          {unseen.length > 0 && (
            <FormControlLabel
              sx={{ mr: 0 }}
              control={<Checkbox checked onChange={() => choose(value.filter((id) => !unseen.includes(id)))} />}
              label={
                <Typography variant="body2" sx={{ color: 'text.secondary' }}>
                  {t('contacts.unseenSites', { count: unseen.length })}
                </Typography>
              }
            />
          )}
          {sites.length === 0 && unseen.length === 0 && (
            <Typography variant="body2" sx={{ py: 0.75, color: 'text.secondary' }}>
              {t('contacts.noSites')}
            </Typography>
          )}
        </Box>
      )}
    </FieldGroup>
  );
}
