import { Box } from '@mui/material';
import { useState } from 'react';
import type { ReactElement } from 'react';
import { useWatch } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import { addressesOf } from '@/lib/addressesOf';
import { z } from 'zod';
import { tokenScopes } from '@contract/permissions';
import { safeName } from '@contract/text';
import type { ApiToken } from '@contract/tokens/schemas';
import { useDraft } from '@/features/session/useDraft';
import { useFormDraft } from '@/features/session/useFormDraft';
import { selectSites } from '@/features/sites/sitesSlice';
import { useFormat } from '@/lib/format';
import { forgetResult } from '@/store/forgetResult';
import { useAppSelector } from '@/store/hooks';
import { CheckboxGroup } from '@/ui/form/CheckboxGroup';
import { FormDialog } from '@/ui/form/FormDialog';
import { RadioCards } from '@/ui/form/RadioCards';
import { SelectField } from '@/ui/form/SelectField';
import { TextField } from '@/ui/form/TextField';
import type { ContractForm } from '@/ui/form/useContractForm';
import { useContractForm } from '@/ui/form/useContractForm';
import { useSubmit } from '@/ui/form/useSubmit';
import { useAddTokenMutation } from './centerApi';
import { scopeKey } from './scopes';
import { TokenCreated } from './TokenCreated';

const lifetimes = ['7', '30', '90', '180', '365'] as const;
const Input = z
  .object({
    name: safeName(60),
    scopes: z.array(z.enum(tokenScopes)).min(1),
    reach: z.enum(['all', 'some']),
    siteIds: z.array(z.string()).max(200),
    addresses: z.string().max(1200),
    days: z.enum(lifetimes),
  })
  .refine((input) => input.reach === 'all' || input.siteIds.length > 0, { path: ['siteIds'] });
type Input = z.input<typeof Input>;
const empty: Input = { name: '', scopes: [], reach: 'all', siteIds: [], addresses: '', days: '90' };

/** Initial values of a new token. `key` separates its draft from those of other places. */
export type TokenStart = Pick<Input, 'scopes' | 'siteIds'> & { readonly key: string };

/** The sites of a token: all sites of its owner, or some. */
function ReachFields({ form }: { readonly form: ContractForm<Input, z.output<typeof Input>> }): ReactElement {
  const { t } = useTranslation('account');
  const sites = useAppSelector(selectSites);
  const reach = useWatch({ control: form.control, name: 'reach' });
  return (
    <>
      <RadioCards
        control={form.control}
        name="reach"
        label={t('tokens.sites')}
        choices={[
          { value: 'all', label: t('tokens.allSites'), detail: t('tokens.allSitesDetail') },
          { value: 'some', label: t('tokens.someSites'), detail: t('tokens.someSitesDetail') },
        ]}
      />
      {reach === 'some' && (
        // The outer box is needed: a scrolling row of the dialog's grid would shrink to nothing.
        <Box>
          <Box sx={{ maxHeight: 220, overflow: 'auto', pl: 1, borderLeft: 2, borderColor: 'divider' }}>
            <CheckboxGroup
              control={form.control}
              name="siteIds"
              label={t('tokens.chooseSites')}
              messages={{ pattern: t('tokens.oneSite'), unknown: t('tokens.goneSite') }}
              choices={sites.map((site) => ({ value: site.id, label: site.name }))}
            />
          </Box>
        </Box>
      )}
    </>
  );
}

function LifetimeField({ form }: { readonly form: ContractForm<Input, z.output<typeof Input>> }): ReactElement {
  const { t } = useTranslation('account');
  const format = useFormat();
  const days = useWatch({ control: form.control, name: 'days' });
  const [today] = useState(() => Date.now());
  return (
    <SelectField
      control={form.control}
      name="days"
      label={t('tokens.days')}
      help={t('tokens.endsOn', { date: format.date(today + Number(days) * 86_400_000, { weekday: false }) })}
      choices={lifetimes.map((one) => ({ value: one, label: t('tokens.lifetime', { n: Number(one) }) }))}
    />
  );
}

function TokenFields({ form }: { readonly form: ContractForm<Input, z.output<typeof Input>> }): ReactElement {
  const { t } = useTranslation('account');
  return (
    <>
      <TextField control={form.control} name="name" label={t('tokens.name')} help={t('tokens.nameHelp')} maxLength={60} autoFocus />
      <CheckboxGroup
        control={form.control}
        name="scopes"
        label={t('tokens.scopes')}
        help={t('tokens.scopesHelp')}
        messages={{ out_of_range: t('tokens.oneScope') }}
        choices={tokenScopes.map((scope) => ({
          value: scope,
          label: t(`tokens.scope.${scopeKey[scope]}`),
          detail: t(`tokens.scopeDetail.${scopeKey[scope]}`),
        }))}
      />
      <ReachFields form={form} />
      <LifetimeField form={form} />
      <TextField
        control={form.control}
        name="addresses"
        label={t('tokens.addresses')}
        help={t('tokens.addressesHelp')}
        placeholder="203.0.113.7"
        optional
        multiline
        minRows={2}
        maxRows={6}
        verbatim
      />
    </>
  );
}

/** Creates a token. Its value is shown only once, and the dialog stays open until the person confirms that it is saved. */
export function TokenDialog({ start, onClose }: { readonly start?: TokenStart; readonly onClose: () => void }): ReactElement {
  const { t } = useTranslation('account');
  const [add] = useAddTokenMutation();
  const [created, setCreated] = useState<{ readonly token: ApiToken; readonly value: string } | null>(null);
  const defaultValues: Input = start ? { ...empty, scopes: start.scopes, reach: 'some', siteIds: start.siteIds } : empty;
  const form = useContractForm<Input, z.output<typeof Input>>(Input, { defaultValues });
  const draftKey = start?.key ?? 'account.token';
  const { drop } = useDraft(draftKey);
  useFormDraft(form, draftKey);
  const { submit, busy, failure } = useSubmit(form, {
    // Secrets must not stay in the store.
    send: ({ reach, addresses, days, ...input }: z.output<typeof Input>) =>
      forgetResult(
        add({
          body: {
            name: input.name,
            scopes: input.scopes,
            siteIds: reach === 'all' ? null : input.siteIds,
            addresses: addressesOf(addresses),
            days: Number(days),
          },
        }),
      ),
    onSuccess: (data) => {
      setCreated(data);
      drop();
    },
  });
  const cancel = () => {
    drop();
    onClose();
  };
  if (created) return <TokenCreated token={created.token} value={created.value} onClose={onClose} />;
  return (
    <FormDialog
      form={form}
      title={t('tokens.newTitle')}
      submitLabel={t('tokens.make')}
      cancelLabel={t('tokens.cancel')}
      busy={busy}
      failure={failure}
      failureTitle={t('tokens.failed')}
      width="sm"
      confirmsDiscard={false}
      onSubmit={submit}
      onClose={onClose}
      onCancel={cancel}
    >
      <TokenFields form={form} />
    </FormDialog>
  );
}
