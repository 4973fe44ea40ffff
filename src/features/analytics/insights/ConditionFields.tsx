import { pageMatches, propertyOps } from '@contract/insights/schemas';
import { Box, FormControlLabel, Checkbox } from '@mui/material';
import type { ReactElement } from 'react';
import { type Control, Controller, type FieldPath, type FieldValues, useWatch } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import { SelectField } from '@/ui/form/SelectField';
import { TextField } from '@/ui/form/TextField';
import type { TypedCondition } from './conditionForm';

const pair = { display: 'grid', gap: 2, gridTemplateColumns: { xs: 'minmax(0, 1fr)', sm: '180px minmax(0, 1fr)' }, alignItems: 'start' } as const;

/** Fields of the condition of a goal or step. `at`: the path of the condition in the form. */
export function ConditionFields<I extends FieldValues, O>({ control, at }: { readonly control: Control<I, unknown, O>; readonly at: string }): ReactElement {
  const { t } = useTranslation('insights');
  const name = (field: string): FieldPath<I> => `${at}.${field}` as FieldPath<I>;
  const condition = useWatch({ control, name: at as FieldPath<I> }) as TypedCondition;
  return (
    <Box sx={{ display: 'grid', gap: 2, gridTemplateColumns: 'minmax(0, 1fr)' }}>
      <Box sx={pair}>
        <SelectField
          control={control}
          name={name('kind')}
          label={t('condition.kind')}
          choices={(['page', 'event'] as const).map((value) => ({ value, label: t(`condition.${value}`) }))}
        />
        {condition.kind === 'event' && (
          <TextField control={control} name={name('event')} label={t('condition.eventName')} placeholder="signup" verbatim autoComplete="off" maxLength={100} />
        )}
        {condition.kind === 'page' && (
          <SelectField
            control={control}
            name={name('match')}
            label={t('condition.match')}
            choices={pageMatches.map((value) => ({ value, label: t(`match.${value}`) }))}
          />
        )}
      </Box>
      {condition.kind === 'page' ? (
        <TextField
          control={control}
          name={name('path')}
          label={t('condition.path')}
          help={t(condition.match === 'glob' ? 'condition.globHelp' : 'condition.pathHelp')}
          placeholder={condition.match === 'glob' ? '/docs/**' : '/thanks'}
          verbatim
          autoComplete="off"
          maxLength={500}
        />
      ) : (
        <>
          <Controller
            control={control}
            name={name('withProperty')}
            render={({ field }) => (
              <FormControlLabel
                label={t('condition.withProperty')}
                control={<Checkbox checked={field.value === true} onChange={(_event, on) => field.onChange(on)} />}
              />
            )}
          />
          {condition.withProperty && (
            <Box sx={{ ...pair, gridTemplateColumns: { xs: 'minmax(0, 1fr)', sm: 'minmax(0, 1fr) 120px minmax(0, 1fr)' } }}>
              <TextField control={control} name={name('property.name')} label={t('condition.property')} placeholder="plan" verbatim autoComplete="off" />
              <SelectField
                control={control}
                name={name('property.op')}
                label={t('condition.op')}
                choices={propertyOps.map((value) => ({ value, label: t(`op.${value}`) }))}
              />
              <TextField
                control={control}
                name={name('property.value')}
                label={t('condition.value')}
                placeholder="pro"
                verbatim
                autoComplete="off"
                messages={{ wrong_type: t('condition.numberNeeded') }}
              />
            </Box>
          )}
        </>
      )}
    </Box>
  );
}
