import { Box, Typography } from '@mui/material';
import type { ReactElement } from 'react';
import { useController, useWatch } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import { isTaxNumber, titleTypes } from '@contract/trades/ledger';
import { Segmented } from '@/ui/form/Segmented';
import { TextField } from '@/ui/form/TextField';
import type { ContractForm } from '@/ui/form/useContractForm';
import { specialFields, tidyTaxNumber } from './titleForm';
import type { ReadTitle, TypedTitle } from './titleForm';

/** Describes a tax number while it is typed: how many characters are missing, that it is valid, or that it is invalid. */
function useTaxNumberHint(): (text: string) => { readonly text: string; readonly colour: string } {
  const { t } = useTranslation('trades');
  return (text) => {
    const number = tidyTaxNumber(text);
    if (number === '') return { text: t('titles.taxHelp'), colour: 'text.secondary' };
    if (/[^0-9A-Z]/.test(number)) return { text: t('titles.taxLetters'), colour: 'error.main' };
    if (number.length < 15) return { text: t('titles.taxShort', { n: number.length }), colour: 'text.secondary' };
    if (isTaxNumber(number)) return { text: `✓ ${t('titles.taxRight')}`, colour: 'success.main' };
    return { text: number.length === 18 ? t('titles.taxCheck') : t('titles.taxLong', { n: number.length }), colour: 'error.main' };
  };
}

type TitleForm = ContractForm<TypedTitle, ReadTitle>;

function TaxNumberField({ form: { control } }: { readonly form: TitleForm }): ReactElement {
  const { t } = useTranslation('trades');
  const { field, fieldState } = useController({ control, name: 'taxNumber' });
  const taxNumberHint = useTaxNumberHint();
  const hint = taxNumberHint(field.value);
  return (
    <TextField
      control={control}
      name="taxNumber"
      label={t('titles.taxNumber')}
      maxLength={30}
      verbatim
      autoComplete="off"
      below={
        fieldState.error ? undefined : (
          <Typography role="status" variant="caption" component="div" sx={{ color: hint.colour }}>
            {hint.text}
          </Typography>
        )
      }
      messages={{ pattern: t('titles.taxLetters'), not_a_tax_number: hint.text }}
    />
  );
}

/** Address, phone, bank and account of a company. */
function SpecialFields({ form, optional }: { readonly form: TitleForm; readonly optional: boolean }): ReactElement {
  const { t } = useTranslation('trades');
  return (
    <Box sx={{ display: 'grid', gap: 2.5, gridTemplateColumns: { xs: 'minmax(0, 1fr)', sm: 'repeat(2, minmax(0, 1fr))' } }}>
      {specialFields.map((name) => (
        <TextField
          key={name}
          control={form.control}
          name={name}
          label={t(`titles.${name}`)}
          optional={optional}
          maxLength={{ address: 200, phone: 30, bank: 100, account: 40 }[name]}
          autoComplete="off"
          {...(name === 'phone' && { type: 'tel', inputMode: 'tel' as const })}
        />
      ))}
    </Box>
  );
}

/** Name and tax number; the other fields of a title if required (专票), or if titles are managed. */
export function TitleFields({
  form,
  whole,
  autoFocus = false,
}: {
  readonly form: TitleForm;
  readonly whole: boolean;
  readonly autoFocus?: boolean;
}): ReactElement {
  const { t } = useTranslation('trades');
  const { control } = form;
  const titleType = useController({ control, name: 'titleType' });
  const special = useWatch({ control, name: 'type' }) === 'special';
  const company = special || titleType.field.value === 'company';
  return (
    <>
      {!special && (
        <Segmented
          label={t('titles.titleType')}
          value={titleType.field.value}
          choices={titleTypes.map((one) => ({ value: one, label: t(`titleType.${one}`) }))}
          onChoose={titleType.field.onChange}
        />
      )}
      <TextField
        control={control}
        name="title"
        label={t(company ? 'titles.company' : 'titles.person')}
        maxLength={100}
        autoFocus={autoFocus}
        autoComplete="off"
      />
      {company && <TaxNumberField form={form} />}
      {(whole || special) && company && <SpecialFields form={form} optional={!special} />}
      <TextField
        control={control}
        name="email"
        label={t('titles.email')}
        optional
        type="email"
        inputMode="email"
        verbatim
        maxLength={254}
        autoComplete="off"
        help={t('titles.emailHelp')}
      />
    </>
  );
}
