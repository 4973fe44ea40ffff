import { Typography } from '@mui/material';
import { useState } from 'react';
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
import { forgetResult } from '@/store/forgetResult';
import { useAppSelector } from '@/store/hooks';
import { FieldGroup } from '@/ui/form/Field';
import { FormDialog } from '@/ui/form/FormDialog';
import { SelectField } from '@/ui/form/SelectField';
import { TextField } from '@/ui/form/TextField';
import type { ContractForm } from '@/ui/form/useContractForm';
import { useContractForm } from '@/ui/form/useContractForm';
import { useSubmit } from '@/ui/form/useSubmit';
import { GrantRows } from './GrantRows';
import { LinkDialog } from './LinkDialog';
import { useInviteMutation } from './peopleApi';
import type { CreatedInvite } from './peopleApi';

const lifetimes = ['1', '3', '7', '14', '30'] as const;
const { shape } = InviteInput;
const Input = z.object({
  email: shape.email.unwrap(),
  role: shape.role.unwrap(),
  grants: shape.grants.unwrap(),
  message: shape.message.unwrap(),
  days: z.enum(lifetimes),
});
type Input = z.input<typeof Input>;
const start: Input = { email: null, role: 'member', grants: [], message: '', days: '7' };

/** The sites of the person, unless their role sees every site. */
function GrantsField({ form }: { readonly form: ContractForm<Input> }): ReactElement {
  const { t } = useTranslation('people');
  const sites = useAppSelector(selectSites);
  const role = useWatch({ control: form.control, name: 'role' });
  const { field } = useController({ control: form.control, name: 'grants' });
  const seesAll = may(role, 'site.seeAll');
  return (
    <FieldGroup label={t('grants.title')} help={seesAll ? undefined : t('invite.grantsHelp')}>
      {seesAll ? (
        <Typography variant="body2" sx={{ color: 'text.secondary' }}>
          {t('grants.seesAll', { role: t(`role.${role}`) })}
        </Typography>
      ) : (
        <GrantRows value={field.value} sites={sites} onChange={field.onChange} />
      )}
    </FieldGroup>
  );
}

function InviteFields({ form }: { readonly form: ContractForm<Input> }): ReactElement {
  const { t } = useTranslation('people');
  const actor = useAppSelector(selectSession)?.role ?? 'member';
  const { data: security } = useSecurityQuery();
  const role = useWatch({ control: form.control, name: 'role' });
  return (
    <>
      <TextField
        control={form.control}
        name="email"
        label={t('invite.email')}
        help={security && t(security.mail ? 'invite.emailHelp' : 'invite.emailHelpOff')}
        messages={{ taken: t('invite.emailTaken'), duplicate: t('invite.emailOpen') }}
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
        help={t(`roleDetail.${role}`)}
        choices={instanceRoles.filter((one) => mayAssign(actor, one)).map((one) => ({ value: one, label: t(`role.${one}`) }))}
      />
      <GrantsField form={form} />
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
        choices={lifetimes.map((days) => ({ value: days, label: t('invite.lifetime', { count: Number(days) }) }))}
      />
    </>
  );
}

/** Invites somebody: their role, then a link to pass on. The input is stored as a draft until it is sent or discarded. */
export function InviteDialog({ onClose }: { readonly onClose: () => void }): ReactElement {
  const { t } = useTranslation('people');
  const [invite] = useInviteMutation();
  const [created, setCreated] = useState<CreatedInvite | null>(null);
  const form = useContractForm(Input, { defaultValues: start });
  const { drop } = useDraft('people.invite');
  useFormDraft(form, 'people.invite');
  const { submit, busy, failure } = useSubmit(form, {
    // A link gives access to an account: it must not stay in the store.
    send: (input: z.output<typeof Input>) =>
      forgetResult(invite({ body: { ...input, grants: may(input.role, 'site.seeAll') ? [] : input.grants, days: Number(input.days) } })),
    onSuccess: (data) => {
      setCreated(data);
      drop();
    },
  });
  if (created) {
    const { invite: one, url, mailed } = created;
    return (
      <LinkDialog title={t('invite.madeTitle')} url={url} expiresAt={one.expiresAt} onClose={onClose}>
        <Typography variant="body2">
          {one.email === null ? t('invite.hand') : mailed ? t('invite.mailed', { email: one.email }) : t('invite.notMailed', { email: one.email })}
        </Typography>
      </LinkDialog>
    );
  }
  const cancel = () => {
    drop();
    onClose();
  };
  return (
    <FormDialog
      form={form}
      title={t('invite.title')}
      submitLabel={t('invite.send')}
      cancelLabel={t('cancel')}
      busy={busy}
      failure={failure}
      failureTitle={t('invite.failed')}
      width="sm"
      confirmsDiscard={false}
      onSubmit={submit}
      onClose={onClose}
      onCancel={cancel}
    >
      <InviteFields form={form} />
    </FormDialog>
  );
}
