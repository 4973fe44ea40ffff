import { Box } from '@mui/material';
import type { ReactElement } from 'react';
import { useWatch } from 'react-hook-form';
import type { Control, FieldPath } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import { useFormat } from '@/lib/format';
import { CheckField } from '../form/CheckField';
import { PasswordField } from '../form/PasswordField';
import { SelectField } from '../form/SelectField';
import { lifetimes, type LinkInput } from './linkInput';

type Props<I extends LinkInput, O> = {
  readonly control: Control<I, unknown, O>;
  /** null: a new link. */
  readonly link: { readonly expiresAt: string | null; readonly hasPassword: boolean } | null;
};

/** Expiry and password of a link; the password of an existing one can be removed. */
export function LinkAccessFields<I extends LinkInput, O>({ control, link }: Props<I, O>): ReactElement {
  const { t } = useTranslation('form');
  const format = useFormat();
  const field = (name: keyof LinkInput) => name as FieldPath<I>;
  const password: unknown = useWatch({ control, name: field('password') });
  const hasPassword = link?.hasPassword === true;
  return (
    <>
      <SelectField
        control={control}
        name={field('lifetime')}
        label={t('link.expires')}
        choices={lifetimes
          .filter((id) => id !== 'keep' || link?.expiresAt != null)
          .map((id) => ({
            value: id,
            label: id === 'keep' ? t('link.lifetimes.keep', { date: format.date(link?.expiresAt ?? '', { weekday: false }) }) : t(`link.lifetimes.${id}`),
          }))}
      />
      <Box>
        <PasswordField
          control={control}
          name={field('password')}
          label={t('link.password')}
          help={t(hasPassword ? 'link.passwordKept' : 'link.passwordHelp')}
          messages={{ pattern: t('link.passwordHelp'), too_short: t('link.passwordHelp') }}
          optional
          autoComplete="new-password"
        />
        {hasPassword && password === '' && <CheckField control={control} name={field('drop')} label={t('link.dropPassword')} />}
      </Box>
    </>
  );
}
