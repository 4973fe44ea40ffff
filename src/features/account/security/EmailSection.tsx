import { Box, Button, Typography } from '@mui/material';
import { useState } from 'react';
import type { ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import { z } from 'zod';
import type { Security } from '@contract/account/factors';
import type { User } from '@contract/session/schemas';
import { failureMessage, noticeShown } from '@/features/notices/noticesSlice';
import { useFormDraft } from '@/features/session/useFormDraft';
import { isFailure } from '@/lib/failure';
import type { ApiFailure } from '@/lib/failure';
import { selectMay } from '@/features/session/sessionSlice';
import { useAppDispatch, useAppSelector } from '@/store/hooks';
import { useConfirm } from '@/ui/confirmContext';
import { ErrorPanel } from '@/ui/ErrorPanel';
import { Form } from '@/ui/form/Form';
import { FormSection } from '@/ui/form/FormSection';
import { TextField } from '@/ui/form/TextField';
import { setServerErrors, resetForm, useContractForm } from '@/ui/form/useContractForm';
import { useAskForEmailMutation, useRemoveEmailMutation } from '../securityApi';
import { OwnEmailLink } from './OwnEmailLink';

const Email = z.object({ email: z.string().trim().toLowerCase().max(254).pipe(z.email()) });

/** Changes the e-mail address. It takes effect once its owner has opened the link. */
function EmailForm({
  change,
  mail,
  mayLink,
  onCancel,
  onAsked,
}: {
  readonly change: boolean;
  readonly mail: boolean;
  /** Owners create the link themselves if no mail is sent. */
  readonly mayLink: boolean;
  readonly onCancel: () => void;
  readonly onAsked: () => void;
}): ReactElement {
  const { t } = useTranslation('security');
  const dispatch = useAppDispatch();
  const [ask, { isLoading }] = useAskForEmailMutation();
  const [failure, setFailure] = useState<ApiFailure | null>(null);
  const form = useContractForm(Email, { defaultValues: { email: '' } });
  useFormDraft(form, 'account.email');
  const submit = async (body: z.output<typeof Email>) => {
    setFailure(null);
    const { data, error } = await ask({ body });
    if (data) {
      resetForm(form, { email: '' });
      const message = data.mailed ? { key: 'security:email.sent', values: { email: body.email } } : { key: 'security:email.savedUnconfirmed' };
      dispatch(noticeShown({ tone: 'good', message }));
      onAsked();
    } else if (isFailure(error) && !setServerErrors(form, error)) setFailure(error);
  };
  return (
    <Form form={form} onSubmit={submit} label={t('email.title')}>
      <Box sx={{ display: 'grid', gap: 2 }}>
        {failure && <ErrorPanel failure={failure} title={t('factors.failed')} />}
        <TextField
          control={form.control}
          name="email"
          label={t(change ? 'email.newLabel' : 'email.label')}
          help={t(mail ? 'email.help' : mayLink ? 'email.helpOwn' : 'email.helpOff')}
          messages={{ duplicate: t('email.same'), taken: t('email.inUse') }}
          type="email"
          inputMode="email"
          autoComplete="email"
          maxLength={254}
          verbatim
          autoFocus={change}
        />
        <Box sx={{ display: 'flex', gap: 1 }}>
          <Button type="submit" variant="outlined" aria-busy={isLoading}>
            {t(mail ? 'email.ask' : 'email.askOff')}
          </Button>
          {change && <Button onClick={onCancel}>{t('email.cancel')}</Button>}
        </Box>
      </Box>
    </Form>
  );
}

/** The confirmed e-mail address, and the one awaiting confirmation. */
export function EmailSection({ user, security }: { readonly user: User; readonly security: Security }): ReactElement {
  const { t } = useTranslation('security');
  const dispatch = useAppDispatch();
  const confirm = useConfirm();
  const [ask, { isLoading: asking }] = useAskForEmailMutation();
  const [remove, { isLoading: removing }] = useRemoveEmailMutation();
  const [changing, setChanging] = useState(false);
  const { mail, pendingEmail } = security;
  const mayLink = useAppSelector((state) => selectMay(state, 'people.reset'));

  const say = (error: unknown, key: string, values: Readonly<Record<string, string>> = {}) => {
    if (isFailure(error)) dispatch(noticeShown({ tone: 'bad', message: failureMessage(error), requestId: error.requestId }));
    else dispatch(noticeShown({ message: { key, values } }));
  };
  const resend = async (email: string) => say((await ask({ body: { email } })).error, 'security:email.sent', { email });
  const withdraw = async (email: string) => say((await remove({ pending: 'true' })).error, 'security:email.withdrawn', { email });
  const giveUp = async (email: string) => {
    if (!(await confirm({ title: t('email.removeTitle', { email }), body: t('email.removeText'), confirm: t('email.remove'), danger: true }))) return;
    say((await remove({})).error, 'security:email.removed');
  };

  return (
    <FormSection title={t('email.title')} lead={t('email.lead')}>
      {user.email !== null && (
        <Box sx={{ display: 'flex', flexWrap: 'wrap', alignItems: 'center', gap: 1 }}>
          <Typography variant="body2" sx={{ flex: '1 1 200px', minWidth: 0, overflowWrap: 'anywhere' }}>
            <Box component="span" sx={{ fontWeight: 500 }}>
              {user.email}
            </Box>
            <Typography component="span" variant="caption" sx={{ ml: 1, color: 'success.main', whiteSpace: 'nowrap' }}>
              ✓ {t('email.verified')}
            </Typography>
          </Typography>
          {!changing && pendingEmail === null && (
            <Button variant="outlined" onClick={() => setChanging(true)}>
              {t('email.change')}
            </Button>
          )}
          <Button aria-busy={removing} onClick={() => void giveUp(user.email ?? '')}>
            {t('email.remove')}
          </Button>
        </Box>
      )}
      {pendingEmail !== null && (
        <Box sx={{ p: 1.5, border: 1, borderColor: 'divider', borderRadius: 1, bgcolor: 'var(--n-1)' }}>
          <Typography variant="body2" sx={{ fontWeight: 500, overflowWrap: 'anywhere' }}>
            {t('email.pending', { email: pendingEmail })}
          </Typography>
          <Typography variant="caption" component="p" sx={{ mt: 0.5, color: 'text.secondary' }}>
            {t(mail ? 'email.pendingText' : mayLink ? 'email.pendingOwn' : 'email.pendingOff')}
          </Typography>
          <Box sx={{ mt: 1, display: 'flex', flexWrap: 'wrap', gap: 1 }}>
            {mail && (
              <Button variant="outlined" aria-busy={asking} onClick={() => void resend(pendingEmail)}>
                {t('email.resend')}
              </Button>
            )}
            {!mail && mayLink && <OwnEmailLink key={pendingEmail} userId={user.id} />}
            <Button aria-busy={removing} onClick={() => void withdraw(pendingEmail)}>
              {t('email.withdraw')}
            </Button>
          </Box>
        </Box>
      )}
      {pendingEmail === null && (user.email === null || changing) && (
        <EmailForm change={user.email !== null} mail={mail} mayLink={mayLink} onCancel={() => setChanging(false)} onAsked={() => setChanging(false)} />
      )}
    </FormSection>
  );
}
