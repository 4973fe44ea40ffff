import { Box, Button } from '@mui/material';
import { useState } from 'react';
import type { ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import { z } from 'zod';
import { LoginName, NewPassword } from '@contract/session';
import type { User } from '@contract/session';
import { noticeShown } from '@/features/notices/noticesSlice';
import { useFormDraft } from '@/features/session/useFormDraft';
import { isFailure } from '@/store/failure';
import type { ApiFailure } from '@/store/failure';
import { useAppDispatch } from '@/store/hooks';
import { ErrorPanel } from '@/ui/ErrorPanel';
import { Form } from '@/ui/form/Form';
import { FormSection } from '@/ui/form/FormSection';
import { PasswordField } from '@/ui/form/PasswordField';
import { TextField } from '@/ui/form/TextField';
import { setServerErrors, startFrom, useContractForm } from '@/ui/form/useContractForm';
import { useChangePasswordMutation, useRenameMutation } from '../accountApi';

const Rename = z.object({ loginName: LoginName });
const Password = z.object({ current: z.string().min(1).max(128), next: NewPassword });

/** The name one signs in with. What was typed waits while the person proves who they are. */
export function LoginNameSection({ user }: { readonly user: User }): ReactElement {
  const { t } = useTranslation('account');
  const dispatch = useAppDispatch();
  const [rename, { isLoading }] = useRenameMutation();
  const [failure, setFailure] = useState<ApiFailure | null>(null);
  const form = useContractForm(Rename, { defaultValues: { loginName: user.loginName }, values: { loginName: user.loginName } });
  useFormDraft(form, 'account.loginName');

  const submit = async (body: z.output<typeof Rename>) => {
    setFailure(null);
    if (body.loginName === user.loginName) return;
    const { data, error } = await rename(body);
    if (data) {
      startFrom(form, { loginName: data.loginName });
      dispatch(noticeShown({ tone: 'good', words: { key: 'account:center.renamed', values: { name: data.loginName } } }));
    } else if (isFailure(error) && !setServerErrors(form, error)) setFailure(error);
  };
  return (
    <FormSection title={t('center.signIn')} lead={t('center.signInLead')}>
      <Form form={form} onSubmit={submit} label={t('center.loginName')}>
        <Box sx={{ display: 'grid', gap: 2 }}>
          {failure && <ErrorPanel failure={failure} />}
          <TextField
            control={form.control}
            name="loginName"
            label={t('center.loginName')}
            help={t('center.loginNameHelp')}
            words={{ pattern: t('center.loginNamePattern') }}
            verbatim
            autoComplete="username"
          />
          <Box>
            <Button type="submit" variant="outlined" aria-busy={isLoading}>
              {t('center.rename')}
            </Button>
          </Box>
        </Box>
      </Form>
    </FormSection>
  );
}

/** A new password. Every other session ends with it. */
export function PasswordSection({ user }: { readonly user: User }): ReactElement {
  const { t } = useTranslation('account');
  const dispatch = useAppDispatch();
  const [change, { isLoading }] = useChangePasswordMutation();
  const [failure, setFailure] = useState<ApiFailure | null>(null);
  const form = useContractForm(Password, { defaultValues: { current: '', next: '' } });
  const submit = async (body: z.output<typeof Password>) => {
    setFailure(null);
    const { error } = await change(body);
    if (isFailure(error)) {
      if (!setServerErrors(form, error)) setFailure(error);
      return;
    }
    form.reset();
    dispatch(noticeShown({ tone: 'good', words: { key: 'account:center.passwordChanged' } }));
  };
  return (
    <FormSection title={t('center.password')} lead={t('center.passwordLead')}>
      <Form form={form} onSubmit={submit} label={t('center.password')}>
        <Box sx={{ display: 'grid', gap: 2 }}>
          {failure && <ErrorPanel failure={failure} />}
          {/* Managers keep the new password under the right name only if the name stands in the form. */}
          <input type="text" name="username" autoComplete="username" value={user.loginName} readOnly hidden />
          <PasswordField control={form.control} name="current" label={t('center.current')} autoComplete="current-password" />
          <PasswordField control={form.control} name="next" label={t('center.next')} help={t('center.nextHelp')} autoComplete="new-password" />
          <Box>
            <Button type="submit" variant="outlined" aria-busy={isLoading}>
              {t('center.changePassword')}
            </Button>
          </Box>
        </Box>
      </Form>
    </FormSection>
  );
}
