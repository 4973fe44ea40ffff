import { Box, Button } from '@mui/material';
import { useState } from 'react';
import type { ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import { z } from 'zod';
import { ChosenPassword } from '@contract/session/schemas';
import type { User } from '@contract/session/schemas';
import type { Security } from '@contract/account/factors';
import { noticeShown } from '@/features/notices/noticesSlice';
import { useFormat } from '@/lib/format';
import { isFailure } from '@/lib/failure';
import type { ApiFailure } from '@/lib/failure';
import { useAppDispatch } from '@/store/hooks';
import { ErrorPanel } from '@/ui/ErrorPanel';
import { Form } from '@/ui/form/Form';
import { FormSection } from '@/ui/form/FormSection';
import { PasswordField } from '@/ui/form/PasswordField';
import { setServerErrors, useContractForm } from '@/ui/form/useContractForm';
import { useChangePasswordMutation } from '../securityApi';

type Props = {
  readonly user: User;
  readonly security: Pick<Security, 'minLength' | 'passwordChangedAt'>;
  readonly title?: string;
  readonly onChanged?: () => void;
};

const schemaOf = (min: number) => z.object({ current: z.string().min(1).max(128), next: ChosenPassword.min(min) });

/** Sets a new password of the length that this account requires. All other sessions end. */
export function PasswordSection({ user, security, title, onChanged }: Props): ReactElement {
  const { t } = useTranslation('security');
  const dispatch = useAppDispatch();
  const format = useFormat();
  const { minLength, passwordChangedAt } = security;
  const [change, { isLoading }] = useChangePasswordMutation();
  const [failure, setFailure] = useState<ApiFailure | null>(null);
  const form = useContractForm(schemaOf(minLength), { defaultValues: { current: '', next: '' } });
  const submit = async (body: { current: string; next: string }) => {
    setFailure(null);
    const { error } = await change({ body });
    if (isFailure(error)) {
      if (!setServerErrors(form, error)) setFailure(error);
      return;
    }
    form.reset();
    dispatch(noticeShown({ tone: 'good', message: { key: 'security:password.changed' } }));
    onChanged?.();
  };
  return (
    <FormSection
      title={title ?? t('password.title')}
      lead={
        <>
          {t('password.lead')}
          <br />
          <span title={format.dateTime(passwordChangedAt)}>{t('password.since', { date: format.date(passwordChangedAt, { weekday: false }) })}</span>
        </>
      }
    >
      <Form form={form} onSubmit={submit} label={t('password.title')}>
        <Box sx={{ display: 'grid', gap: 2 }}>
          {failure && <ErrorPanel failure={failure} title={t('factors.failed')} />}
          {/* Password managers store the new password under the right name only if the form contains the name. */}
          <input type="text" name="username" autoComplete="username" value={user.loginName} readOnly hidden />
          <PasswordField control={form.control} name="current" label={t('password.current')} autoComplete="current-password" />
          <PasswordField
            control={form.control}
            name="next"
            label={t('password.next')}
            help={t('password.help', { min: minLength })}
            autoComplete="new-password"
          />
          <Box>
            <Button type="submit" variant="outlined" aria-busy={isLoading}>
              {t('password.change')}
            </Button>
          </Box>
        </Box>
      </Form>
    </FormSection>
  );
}
