import { Box, Button, Typography } from '@mui/material';
import { useState } from 'react';
import type { ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import { z } from 'zod';
import type { Security } from '@contract/account/factors';
import { LoginName } from '@contract/session/schemas';
import type { User } from '@contract/session/schemas';
import { noticeShown } from '@/features/notices/noticesSlice';
import { useFormDraft } from '@/features/session/useFormDraft';
import { useFormat } from '@/lib/format';
import { isFailure } from '@/lib/failure';
import type { ApiFailure } from '@/lib/failure';
import { useAppDispatch } from '@/store/hooks';
import { ErrorPanel } from '@/ui/ErrorPanel';
import { Form } from '@/ui/form/Form';
import { FormSection } from '@/ui/form/FormSection';
import { TextField } from '@/ui/form/TextField';
import { setServerErrors, resetForm, useContractForm } from '@/ui/form/useContractForm';
import { useRenameMutation } from '../accountApi';

const Rename = z.object({ loginName: LoginName });
type Props = { readonly user: User; readonly security: Security };

function RenameForm({ user }: Pick<Props, 'user'>): ReactElement {
  const { t } = useTranslation('security');
  const dispatch = useAppDispatch();
  const [rename, { isLoading }] = useRenameMutation();
  const [failure, setFailure] = useState<ApiFailure | null>(null);
  const form = useContractForm(Rename, { defaultValues: { loginName: user.loginName }, values: { loginName: user.loginName } });
  useFormDraft(form, 'account.loginName');

  const submit = async (body: z.output<typeof Rename>) => {
    setFailure(null);
    if (body.loginName === user.loginName) return resetForm(form, { loginName: user.loginName });
    const { data, error } = await rename({ body });
    if (data) {
      resetForm(form, { loginName: data.loginName });
      dispatch(noticeShown({ tone: 'good', message: { key: 'security:loginName.renamed', values: { name: data.loginName } } }));
    } else if (isFailure(error) && !setServerErrors(form, error)) setFailure(error);
    return undefined;
  };
  return (
    <Form form={form} onSubmit={submit} label={t('loginName.label')}>
      <Box sx={{ display: 'grid', gap: 2 }}>
        {failure && <ErrorPanel failure={failure} title={t('factors.failed')} />}
        <TextField
          control={form.control}
          name="loginName"
          label={t('loginName.label')}
          help={
            <>
              {t('loginName.help')}
              <br />
              {t(user.role === 'owner' ? 'loginName.ownerRule' : 'loginName.rule')}
            </>
          }
          messages={{ pattern: t('loginName.pattern') }}
          verbatim
          autoComplete="username"
        />
        <Box>
          <Button type="submit" variant="outlined" aria-busy={isLoading}>
            {t('loginName.rename')}
          </Button>
        </Box>
      </Box>
    </Form>
  );
}

/** The login name; read-only if it may not be changed, or not yet. The input is preserved during the proof of identity. */
export function LoginNameSection({ user, security }: Props): ReactElement {
  const { t } = useTranslation('security');
  const format = useFormat();
  const fixed = !security.selfRename
    ? t('loginName.off')
    : security.renameFrom === null
      ? null
      : t('loginName.later', { date: format.date(security.renameFrom, { weekday: false }) });
  return (
    <FormSection title={t('loginName.title')} lead={t('loginName.lead')}>
      {fixed === null ? (
        <RenameForm user={user} />
      ) : (
        <Box>
          <Typography variant="body2" sx={{ fontWeight: 500, overflowWrap: 'anywhere' }}>
            {user.loginName}
          </Typography>
          <Typography variant="caption" component="p" sx={{ mt: 0.5, color: 'text.secondary' }}>
            {fixed}
          </Typography>
        </Box>
      )}
    </FormSection>
  );
}
