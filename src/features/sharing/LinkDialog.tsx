import { Box, Button, Checkbox, Dialog, DialogActions, DialogContent, DialogTitle, FormControlLabel, Typography } from '@mui/material';
import { useId, useState } from 'react';
import type { ReactElement } from 'react';
import { Controller, useWatch } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import { z } from 'zod';
import { sharedPresets, sharedScreens } from '@contract/shares/schemas';
import type { Share } from '@contract/shares/schemas';
import type { Site } from '@contract/sites/schemas';
import { safeName } from '@contract/text';
import { noticeShown } from '@/features/notices/noticesSlice';
import { useFormat } from '@/lib/format';
import { isFailure } from '@/store/failure';
import type { ApiFailure } from '@/store/failure';
import { useAppDispatch } from '@/store/hooks';
import { ErrorPanel } from '@/ui/ErrorPanel';
import { CheckboxGroup } from '@/ui/form/CheckboxGroup';
import { Form } from '@/ui/form/Form';
import { lifetimes, linkChange, linkShape, linkStart, newLink } from '@/ui/form/linkInput';
import { PasswordField } from '@/ui/form/PasswordField';
import { SelectField } from '@/ui/form/SelectField';
import { TextField } from '@/ui/form/TextField';
import { setServerErrors, useContractForm } from '@/ui/form/useContractForm';
import { useScreenName } from './screens';
import { useAddShareMutation, useChangeShareMutation } from './sharingApi';

const Input = z.object({
  name: safeName(60),
  screens: z.array(z.enum(sharedScreens)).min(1),
  preset: z.enum(sharedPresets),
  ...linkShape,
  card: z.boolean(),
});
type Input = z.input<typeof Input>;

const startOf = (share: Share | null): Input => ({
  name: share?.name ?? '',
  screens: share?.screens ?? ['overview'],
  preset: share?.preset ?? 'last30',
  ...linkStart(share),
  card: share?.card != null,
});

/** Makes a link, or changes one: its address stays. */
export function LinkDialog({ site, share, onClose }: { readonly site: Site; readonly share: Share | null; readonly onClose: () => void }): ReactElement {
  const { t } = useTranslation('sharing');
  const format = useFormat();
  const dispatch = useAppDispatch();
  const screenName = useScreenName();
  const titleId = useId();
  const [add, adding] = useAddShareMutation();
  const [change, changing] = useChangeShareMutation();
  const [failure, setFailure] = useState<ApiFailure | null>(null);
  const form = useContractForm(Input, { defaultValues: startOf(share) });
  const [password, drop, card, chosen] = useWatch({ control: form.control, name: ['password', 'drop', 'card', 'screens'] });
  const locked = password !== '' || (share?.hasPassword === true && !drop);

  const submit = async (input: z.output<typeof Input>) => {
    setFailure(null);
    const fields = { name: input.name, screens: input.screens, preset: input.preset, card: input.card && !locked };
    const { data, error } =
      share === null
        ? await add({ siteId: site.id, body: { ...fields, ...newLink(input) } })
        : await change({
            siteId: site.id,
            id: share.id,
            revision: share.revision,
            body: { ...fields, ...linkChange(input) },
          });
    if (data) {
      dispatch(noticeShown({ words: { key: 'sharing:links.saved', values: { name: data.name } } }));
      onClose();
    } else if (isFailure(error) && !setServerErrors(form, error)) setFailure(error);
  };
  const busy = adding.isLoading || changing.isLoading;
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
        <DialogTitle id={titleId}>{t(share === null ? 'links.newTitle' : 'links.editTitle')}</DialogTitle>
        <DialogContent sx={{ display: 'grid', gap: 2.5 }}>
          {failure && <ErrorPanel failure={failure} title={failure.code === 'stale_revision' ? t('links.stale') : t('links.failed')} />}
          <TextField control={form.control} name="name" label={t('links.name')} help={t('links.nameHelp')} maxLength={60} autoFocus />
          <Box>
            <CheckboxGroup
              control={form.control}
              name="screens"
              label={t('links.screens')}
              words={{ too_short: t('links.oneScreen'), out_of_range: t('links.oneScreen') }}
              choices={sharedScreens.map((screen) => ({ value: screen, label: screenName(screen) }))}
            />
            <Button
              size="small"
              onClick={() => form.setValue('screens', chosen.length === sharedScreens.length ? [] : [...sharedScreens], { shouldDirty: true })}
            >
              {t(chosen.length === sharedScreens.length ? 'links.none' : 'links.all')}
            </Button>
          </Box>
          <SelectField
            control={form.control}
            name="preset"
            label={t('links.preset')}
            choices={sharedPresets.map((id) => ({ value: id, label: t(`links.presets.${id}`) }))}
          />
          <SelectField
            control={form.control}
            name="lifetime"
            label={t('links.expires')}
            choices={lifetimes
              .filter((id) => id !== 'keep' || share?.expiresAt != null)
              .map((id) => ({
                value: id,
                label:
                  id === 'keep' ? t('links.lifetimes.keep', { date: format.date(share?.expiresAt ?? '', { weekday: false }) }) : t(`links.lifetimes.${id}`),
              }))}
          />
          <Box>
            <PasswordField
              control={form.control}
              name="password"
              label={t('links.password')}
              help={t(share?.hasPassword === true ? 'links.passwordKept' : 'links.passwordHelp')}
              words={{ pattern: t('links.passwordHelp'), too_short: t('links.passwordHelp') }}
              optional
              autoComplete="new-password"
            />
            {share?.hasPassword === true && password === '' && (
              <Controller
                control={form.control}
                name="drop"
                render={({ field }) => (
                  <FormControlLabel
                    control={<Checkbox size="small" checked={field.value} onChange={(_event, on) => field.onChange(on)} onBlur={field.onBlur} />}
                    label={<Typography variant="body2">{t('links.dropPassword')}</Typography>}
                  />
                )}
              />
            )}
          </Box>
          <Controller
            control={form.control}
            name="card"
            render={({ field }) => (
              <Box>
                <FormControlLabel
                  disabled={locked}
                  control={<Checkbox size="small" checked={card && !locked} onChange={(_event, on) => field.onChange(on)} onBlur={field.onBlur} />}
                  label={<Typography variant="body2">{t('links.cardField')}</Typography>}
                />
                <Typography variant="caption" component="p" sx={{ m: 0, pl: 3.5, color: 'text.secondary' }}>
                  {t('links.cardHelp')}
                </Typography>
              </Box>
            )}
          />
        </DialogContent>
        <DialogActions sx={{ padding: '8px 24px 16px' }}>
          <Button onClick={onClose}>{t('links.cancel')}</Button>
          <Button type="submit" variant="contained" aria-busy={busy}>
            {t('links.save')}
          </Button>
        </DialogActions>
      </Form>
    </Dialog>
  );
}
