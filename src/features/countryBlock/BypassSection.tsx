import { Box, Button, IconButton, OutlinedInput } from '@mui/material';
import { useState } from 'react';
import type { ReactElement } from 'react';
import { useController, useFieldArray } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import { countryBlockLimits } from '@contract/countryBlock/terms';
import { useFormat } from '@/lib/format';
import { Icon } from '@/ui/Icon';
import { Field } from '@/ui/form/Field';
import { FormSection } from '@/ui/form/FormSection';
import { Segmented } from '@/ui/form/Segmented';
import { TextField } from '@/ui/form/TextField';
import { useFieldErrorMessage } from '@/ui/form/useFieldErrorMessage';
import { FilterSelect } from '@/ui/FilterSelect';
import { PasteDialog } from './PasteDialog';
import type { RuleControl } from './RuleFields';

type Props = { readonly control: RuleControl };
const DAY = 86_400_000;
/** Days for which a network can be left open; '': until it is removed. */
const periods = ['', '1', '7', '30', '90'] as const;

function Expiry({ control, at }: Props & { readonly at: number }): ReactElement {
  const { t } = useTranslation('countryBlock');
  const format = useFormat();
  const { field } = useController({ control, name: `rule.openNetworks.${at}.expiresAt` });
  const set = field.value ?? '';
  const choices = [
    ...(set === '' ? [] : [{ value: set, label: t('networks.until', { date: format.dateTime(set) }) }]),
    ...periods.map((days) => ({ value: days, label: days === '' ? t('networks.forever') : t('networks.days', { count: Number(days) }) })),
  ];
  return (
    <FilterSelect
      label={t('networks.expiry')}
      value={set}
      choices={choices}
      onChoose={(value) => field.onChange(value === '' ? null : /^\d+$/.test(value) ? new Date(Date.now() + Number(value) * DAY).toISOString() : value)}
    />
  );
}

function Networks({ control, siteId }: Props & { readonly siteId: string }): ReactElement {
  const { t } = useTranslation('countryBlock');
  const { fields, append, remove } = useFieldArray({ control, name: 'rule.openNetworks' });
  const [pasting, setPasting] = useState(false);
  const isFull = fields.length >= countryBlockLimits.networks;
  return (
    <Box role="group" aria-label={t('networks.title')}>
      {fields.map((row, at) => (
        <Box
          key={row.id}
          sx={{
            display: 'grid',
            gridTemplateColumns: { xs: '1fr auto', sm: '1fr 1fr auto auto' },
            '& > :nth-child(-n + 2)': { gridColumn: { xs: '1 / -1', sm: 'auto' } },
            gap: 1,
            alignItems: 'end',
            mb: 1.5,
            '& .field-note:empty': { display: 'none' },
          }}
        >
          <TextField
            control={control}
            name={`rule.openNetworks.${at}.network`}
            label={t('networks.network')}
            verbatim
            maxLength={49}
            placeholder="203.0.113.0/24"
          />
          <TextField control={control} name={`rule.openNetworks.${at}.note`} label={t('networks.note')} maxLength={100} />
          <Expiry control={control} at={at} />
          <IconButton sx={{ justifySelf: 'start' }} aria-label={t('networks.remove', { network: row.network })} onClick={() => remove(at)}>
            <Icon name="close" />
          </IconButton>
        </Box>
      ))}
      <Box sx={{ display: 'flex', flexWrap: 'wrap', gap: 1 }}>
        <Button variant="outlined" disabled={isFull} onClick={() => append({ network: '', note: '', expiresAt: null })}>
          {t('networks.add')}
        </Button>
        <Button disabled={isFull} onClick={() => setPasting(true)}>
          {t('networks.paste')}
        </Button>
      </Box>
      {pasting && (
        <PasteDialog
          siteId={siteId}
          onClose={() => setPasting(false)}
          onAdd={(networks) => {
            const known = new Set(fields.map(({ network }) => network));
            append(networks.filter((network) => !known.has(network)).map((network) => ({ network, note: '', expiresAt: null })));
            setPasting(false);
          }}
        />
      )}
    </Box>
  );
}

const linesOf = (text: string): string[] =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');

/** Patterns of paths, one per line. */
function Paths({ control }: Props): ReactElement {
  const { t } = useTranslation('countryBlock');
  const { field, formState } = useController({ control, name: 'rule.openPaths' });
  const messageOf = useFieldErrorMessage();
  const [typed, setTyped] = useState('');
  const value = field.value ?? [];
  const errors = formState.errors.rule?.openPaths;
  // Of the first path that is refused, else of the list.
  const first = (Array.isArray(errors) ? errors.find((one) => one !== undefined && one !== null) : undefined) ?? errors;
  // What somebody types stays as it is, as long as it means what the form has.
  const text = JSON.stringify(linesOf(typed)) === JSON.stringify(value) ? typed : value.join('\n');
  return (
    <Field label={t('field.openPaths')} help={t('field.openPathsHelp')} optional error={messageOf(first?.message, { pattern: t('field.openPathsPattern') })}>
      {({ id, ...aria }) => (
        <OutlinedInput
          id={id}
          fullWidth
          multiline
          minRows={2}
          maxRows={8}
          value={text}
          error={aria['aria-invalid']}
          inputRef={field.ref}
          onBlur={field.onBlur}
          placeholder="/pay/"
          onChange={(event) => {
            setTyped(event.target.value);
            field.onChange(linesOf(event.target.value));
          }}
          slotProps={{ input: { ...aria, spellCheck: false, autoCapitalize: 'off' } }}
        />
      )}
    </Field>
  );
}

/** Who is let in whatever the country is. */
export function BypassSection({ control, siteId }: Props & { readonly siteId: string }): ReactElement {
  const { t } = useTranslation('countryBlock');
  const bots = useController({ control, name: 'rule.bots' });
  return (
    <FormSection title={t('section.bypass')} lead={t('section.bypassLead')}>
      <Networks control={control} siteId={siteId} />
      <Paths control={control} />
      <Segmented
        label={t('field.bots')}
        value={bots.field.value ?? 'off'}
        choices={[
          { value: 'off', label: t('bots.off') },
          { value: 'verified', label: t('bots.verified') },
        ]}
        onChoose={bots.field.onChange}
      />
    </FormSection>
  );
}

/** How long the log is stored, and why the rule changes. */
export function RecordSection({ control }: Props): ReactElement {
  const { t } = useTranslation('countryBlock');
  const days = useController({ control, name: 'rule.logDays' });
  return (
    <FormSection title={t('section.record')} lead={t('section.recordLead')}>
      <Segmented
        label={t('field.logDays')}
        value={String(days.field.value ?? 30)}
        choices={['7', '30', '90'].map((value) => ({ value, label: t('field.days', { count: Number(value) }) }))}
        onChoose={(value) => days.field.onChange(Number(value))}
      />
      <TextField control={control} name="note" label={t('field.note')} help={t('field.noteHelp')} optional maxLength={200} />
    </FormSection>
  );
}
