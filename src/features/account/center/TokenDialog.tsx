import { Box, Button, Dialog, DialogActions, DialogContent, DialogTitle } from '@mui/material';
import { useId, useState } from 'react';
import type { ReactElement } from 'react';
import { useWatch } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import { z } from 'zod';
import { tokenScopes } from '@contract/permissions';
import { safeName } from '@contract/text';
import type { ApiToken } from '@contract/tokens/schemas';
import { useDraft } from '@/features/session/useDraft';
import { useFormDraft } from '@/features/session/useFormDraft';
import { selectSites } from '@/features/sites/sitesSlice';
import { useFormat } from '@/lib/format';
import { isFailure } from '@/store/failure';
import type { ApiFailure } from '@/store/failure';
import { useAppSelector } from '@/store/hooks';
import { ErrorPanel } from '@/ui/ErrorPanel';
import { CheckboxGroup } from '@/ui/form/CheckboxGroup';
import { Form } from '@/ui/form/Form';
import { RadioCards } from '@/ui/form/RadioCards';
import { SelectField } from '@/ui/form/SelectField';
import { TextField } from '@/ui/form/TextField';
import { setServerErrors, useContractForm } from '@/ui/form/useContractForm';
import { useAddTokenMutation } from './centerApi';
import { scopeWord } from './scopes';
import { TokenMade } from './TokenMade';

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

/** One address or range a line; commas and spaces part them too. */
const linesOf = (text: string): string[] => text.split(/[\s,，、;；]+/u).filter((line) => line !== '');

/** What a new token begins with. `key` keeps what was typed apart from what was typed elsewhere. */
export type TokenStart = Pick<Input, 'scopes' | 'siteIds'> & { readonly key: string };

/** Makes a token. Its value is shown this once, and the dialog stays until it was put away. */
export function TokenDialog({ start, onClose }: { readonly start?: TokenStart; readonly onClose: () => void }): ReactElement {
  const { t } = useTranslation('account');
  const format = useFormat();
  const titleId = useId();
  const sites = useAppSelector(selectSites);
  const [add, { isLoading }] = useAddTokenMutation();
  const [failure, setFailure] = useState<ApiFailure | null>(null);
  const [made, setMade] = useState<{ readonly token: ApiToken; readonly value: string } | null>(null);
  const form = useContractForm(Input, { defaultValues: start ? { ...empty, scopes: start.scopes, reach: 'some', siteIds: start.siteIds } : empty });
  const draftKey = start?.key ?? 'account.token';
  const { drop } = useDraft(draftKey);
  useFormDraft(form, draftKey);
  const reach = useWatch({ control: form.control, name: 'reach' });
  const days = useWatch({ control: form.control, name: 'days' });
  const [today] = useState(() => Date.now());

  const submit = async (input: z.output<typeof Input>) => {
    setFailure(null);
    const call = add({
      body: {
        name: input.name,
        scopes: input.scopes,
        siteIds: input.reach === 'all' ? null : input.siteIds,
        addresses: linesOf(input.addresses),
        days: Number(input.days),
      },
    });
    const { data, error } = await call;
    // Nothing that opens the account stays in the store.
    call.reset();
    if (data) {
      setMade(data);
      drop();
    } else if (isFailure(error) && !setServerErrors(form, error)) setFailure(error);
  };
  if (made) return <TokenMade token={made.token} value={made.value} onClose={onClose} />;
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
        <DialogTitle id={titleId}>{t('tokens.newTitle')}</DialogTitle>
        <DialogContent sx={{ display: 'grid', gap: 2.5 }}>
          {failure && <ErrorPanel failure={failure} title={t('tokens.failed')} />}
          <TextField control={form.control} name="name" label={t('tokens.name')} help={t('tokens.nameHelp')} maxLength={60} autoFocus />
          <CheckboxGroup
            control={form.control}
            name="scopes"
            label={t('tokens.scopes')}
            help={t('tokens.scopesHelp')}
            words={{ out_of_range: t('tokens.oneScope') }}
            choices={tokenScopes.map((scope) => ({
              value: scope,
              label: t(`tokens.scope.${scopeWord[scope]}`),
              detail: t(`tokens.scopeDetail.${scopeWord[scope]}`),
            }))}
          />
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
            // A row of the dialog's grid would shrink what scrolls to nothing.
            <Box>
              <Box sx={{ maxHeight: 220, overflow: 'auto', pl: 1, borderLeft: 2, borderColor: 'divider' }}>
                <CheckboxGroup
                  control={form.control}
                  name="siteIds"
                  label={t('tokens.chooseSites')}
                  words={{ pattern: t('tokens.oneSite'), unknown: t('tokens.goneSite') }}
                  choices={sites.map((site) => ({ value: site.id, label: site.name }))}
                />
              </Box>
            </Box>
          )}
          <SelectField
            control={form.control}
            name="days"
            label={t('tokens.days')}
            help={t('tokens.endsOn', { date: format.date(today + Number(days) * 86_400_000, { weekday: false }) })}
            choices={lifetimes.map((one) => ({ value: one, label: t('tokens.lifetime', { n: Number(one) }) }))}
          />
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
        </DialogContent>
        <DialogActions sx={{ padding: '8px 24px 16px' }}>
          <Button
            onClick={() => {
              drop();
              onClose();
            }}
          >
            {t('tokens.cancel')}
          </Button>
          <Button type="submit" variant="contained" aria-busy={isLoading}>
            {t('tokens.make')}
          </Button>
        </DialogActions>
      </Form>
    </Dialog>
  );
}
