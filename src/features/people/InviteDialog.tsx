import { Button, Dialog, DialogActions, DialogContent, DialogTitle, Typography } from '@mui/material';
import { useId, useState } from 'react';
import type { ReactElement } from 'react';
import { useController, useWatch } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import { z } from 'zod';
import { InviteInput } from '@contract/people/schemas';
import { instanceRoles, may, mayAssign } from '@contract/permissions';
import { useSecurityQuery } from '@/features/account/securityApi';
import { selectSession } from '@/features/session/sessionSlice';
import { useDraft } from '@/features/session/useDraft';
import { useFormDraft } from '@/features/session/useFormDraft';
import { selectSites } from '@/features/sites/sitesSlice';
import { isFailure } from '@/store/failure';
import type { ApiFailure } from '@/store/failure';
import { useAppSelector } from '@/store/hooks';
import { ErrorPanel } from '@/ui/ErrorPanel';
import { FieldGroup } from '@/ui/form/Field';
import { Form } from '@/ui/form/Form';
import { SelectField } from '@/ui/form/SelectField';
import { TextField } from '@/ui/form/TextField';
import { setServerErrors, useContractForm } from '@/ui/form/useContractForm';
import { GrantRows } from './GrantRows';
import { LinkDialog } from './LinkDialog';
import { useInviteMutation } from './peopleApi';
import type { InviteMade } from './peopleApi';

const lifetimes = ['1', '3', '7', '14', '30'] as const;
const { email, role, grants, message } = InviteInput.shape;
const Input = z.object({ email: email.unwrap(), role: role.unwrap(), grants: grants.unwrap(), message: message.unwrap(), days: z.enum(lifetimes) });
type Input = z.input<typeof Input>;
const start: Input = { email: null, role: 'member', grants: [], message: '', days: '7' };

/** Invites somebody: what they may do, then a link to hand over. What was typed waits until it was sent or thrown away. */
export function InviteDialog({ onClose }: { readonly onClose: () => void }): ReactElement {
  const { t } = useTranslation('people');
  const titleId = useId();
  const actor = useAppSelector(selectSession)?.role ?? 'member';
  const sites = useAppSelector(selectSites);
  const { data: security } = useSecurityQuery();
  const [invite, { isLoading }] = useInviteMutation();
  const [failure, setFailure] = useState<ApiFailure | null>(null);
  const [made, setMade] = useState<InviteMade | null>(null);
  const form = useContractForm(Input, { defaultValues: start });
  const { drop } = useDraft('people.invite');
  useFormDraft(form, 'people.invite');
  const chosen = useWatch({ control: form.control, name: 'role' });
  const { field: given } = useController({ control: form.control, name: 'grants' });
  const seesAll = may(chosen, 'site.seeAll');

  const submit = async (input: z.output<typeof Input>) => {
    setFailure(null);
    const call = invite({ body: { ...input, grants: seesAll ? [] : input.grants, days: Number(input.days) } });
    const { data, error } = await call;
    // A link opens an account: it stays on the screen only.
    call.reset();
    if (data) {
      setMade(data);
      drop();
    } else if (isFailure(error) && !setServerErrors(form, error)) setFailure(error);
  };
  if (made) {
    const { invite: one, url, mailed } = made;
    return (
      <LinkDialog title={t('invite.madeTitle')} url={url} expiresAt={one.expiresAt} onClose={onClose}>
        <Typography variant="body2">
          {one.email === null ? t('invite.hand') : mailed ? t('invite.mailed', { email: one.email }) : t('invite.notMailed', { email: one.email })}
        </Typography>
      </LinkDialog>
    );
  }
  return (
    <Dialog
      open
      onClose={onClose}
      aria-labelledby={titleId}
      fullWidth
      maxWidth="sm"
      slotProps={{ paper: { sx: { '& > form': { display: 'flex', flexDirection: 'column', minHeight: 0 } } } }}
    >
      <Form form={form} onSubmit={submit}>
        <DialogTitle id={titleId}>{t('invite.title')}</DialogTitle>
        <DialogContent sx={{ display: 'grid', gap: 2.5 }}>
          {failure && <ErrorPanel failure={failure} title={t('invite.failed')} />}
          <TextField
            control={form.control}
            name="email"
            label={t('invite.email')}
            help={security && t(security.mail ? 'invite.emailHelp' : 'invite.emailHelpOff')}
            words={{ taken: t('invite.emailTaken'), duplicate: t('invite.emailOpen') }}
            optional
            nullable
            maxLength={254}
            inputMode="email"
            verbatim
            autoFocus
          />
          <SelectField
            control={form.control}
            name="role"
            label={t('column.role')}
            help={t(`roleDetail.${chosen}`)}
            choices={instanceRoles.filter((one) => mayAssign(actor, one)).map((one) => ({ value: one, label: t(`role.${one}`) }))}
          />
          <FieldGroup label={t('grants.title')} help={seesAll ? undefined : t('invite.grantsHelp')}>
            {seesAll ? (
              <Typography variant="body2" sx={{ color: 'text.secondary' }}>
                {t('grants.seesAll', { role: t(`role.${chosen}`) })}
              </Typography>
            ) : (
              <GrantRows value={given.value} sites={sites} onChange={given.onChange} />
            )}
          </FieldGroup>
          <TextField
            control={form.control}
            name="message"
            label={t('invite.message')}
            placeholder={t('invite.messagePlaceholder')}
            optional
            multiline
            minRows={2}
            maxRows={6}
            maxLength={500}
          />
          <SelectField
            control={form.control}
            name="days"
            label={t('invite.days')}
            choices={lifetimes.map((one) => ({ value: one, label: t('invite.lifetime', { count: Number(one) }) }))}
          />
        </DialogContent>
        <DialogActions sx={{ padding: '8px 24px 16px' }}>
          <Button
            onClick={() => {
              drop();
              onClose();
            }}
          >
            {t('cancel')}
          </Button>
          <Button type="submit" variant="contained" aria-busy={isLoading}>
            {t('invite.send')}
          </Button>
        </DialogActions>
      </Form>
    </Dialog>
  );
}
