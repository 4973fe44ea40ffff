import { Box, Button } from '@mui/material';
import type { ReactElement } from 'react';
import { useWatch } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import { z } from 'zod';
import { sharedPresets, sharedScreens } from '@contract/shares/schemas';
import type { Share } from '@contract/shares/schemas';
import type { Site } from '@contract/sites/schemas';
import { safeName } from '@contract/text';
import { noticeShown } from '@/features/notices/noticesSlice';
import { useAppDispatch } from '@/store/hooks';
import { CheckField } from '@/ui/form/CheckField';
import { CheckboxGroup } from '@/ui/form/CheckboxGroup';
import { FormDialog } from '@/ui/form/FormDialog';
import { SelectField } from '@/ui/form/SelectField';
import { TextField } from '@/ui/form/TextField';
import type { ContractForm } from '@/ui/form/useContractForm';
import { useContractForm } from '@/ui/form/useContractForm';
import { useSubmit } from '@/ui/form/useSubmit';
import type { SubmitResult } from '@/ui/form/useSubmit';
import { LinkAccessFields } from '@/ui/links/LinkAccessFields';
import { changedLinkBody, linkShape, initialLinkInput, newLinkBody } from '@/ui/links/linkInput';
import { useScreenName } from './screens';
import { useAddShareMutation, useChangeShareMutation } from './sharingApi';

/** What a link begins with: days, or the view that it was created from. */
const asShared = 'view';
const Input = z.object({
  name: safeName(60),
  screens: z.array(z.enum(sharedScreens)).min(1),
  preset: z.enum([...sharedPresets, asShared]),
  ...linkShape,
  card: z.boolean(),
});
type Input = z.input<typeof Input>;

const startOf = (share: Share | null): Input => ({
  name: share?.name ?? '',
  screens: share?.screens ?? ['overview'],
  preset: share === null ? 'last30' : share.view === '' ? share.preset : asShared,
  ...initialLinkInput(share),
  card: share?.card != null,
});

/** Which reports the link shows, and for which days. */
function ContentFields({ form, share }: { readonly form: ContractForm<Input>; readonly share: Share | null }): ReactElement {
  const { t } = useTranslation('sharing');
  const screenName = useScreenName();
  const screens = useWatch({ control: form.control, name: 'screens' });
  const all = screens.length === sharedScreens.length;
  return (
    <>
      <TextField control={form.control} name="name" label={t('links.name')} help={t('links.nameHelp')} maxLength={60} autoFocus />
      <Box>
        <CheckboxGroup
          control={form.control}
          name="screens"
          label={t('links.screens')}
          messages={{ too_short: t('links.oneScreen'), out_of_range: t('links.oneScreen') }}
          choices={sharedScreens.map((screen) => ({ value: screen, label: screenName(screen) }))}
        />
        <Button onClick={() => form.setValue('screens', all ? [] : [...sharedScreens], { shouldDirty: true })}>{t(all ? 'links.none' : 'links.all')}</Button>
      </Box>
      <SelectField
        control={form.control}
        name="preset"
        label={t('links.preset')}
        choices={[...(share === null || share.view === '' ? [] : ([asShared] as const)), ...sharedPresets].map((id) => ({
          value: id,
          label: t(`links.presets.${id}`),
        }))}
      />
    </>
  );
}

/** An image of the figures for other pages; not for a link with a password. */
function CardField({ form, locked }: { readonly form: ContractForm<Input>; readonly locked: boolean }): ReactElement {
  const { t } = useTranslation('sharing');
  return <CheckField control={form.control} name="card" label={t('links.cardField')} help={t('links.cardHelp')} disabled={locked} />;
}

/** Creates a link, or changes one, whose address stays the same. */
export function LinkDialog({ site, share, onClose }: { readonly site: Site; readonly share: Share | null; readonly onClose: () => void }): ReactElement {
  const { t } = useTranslation('sharing');
  const { t: ofLinks } = useTranslation('form');
  const dispatch = useAppDispatch();
  const [add] = useAddShareMutation();
  const [change] = useChangeShareMutation();
  const form = useContractForm(Input, { defaultValues: startOf(share) });
  const [password, drop] = useWatch({ control: form.control, name: ['password', 'drop'] });
  const locked = password !== '' || (share?.hasPassword === true && !drop);
  const { submit, busy, failure } = useSubmit(form, {
    send: (input: z.output<typeof Input>): Promise<SubmitResult<Share>> => {
      const begins = input.preset === asShared ? {} : { preset: input.preset, view: '' };
      const fields = { name: input.name, screens: input.screens, ...begins, card: input.card && !locked };
      if (share === null) return add({ siteId: site.id, body: { ...fields, ...newLinkBody(input) } });
      return change({ siteId: site.id, id: share.id, revision: share.revision, body: { ...fields, ...changedLinkBody(input) } });
    },
    onSuccess: ({ name }) => {
      dispatch(noticeShown({ message: { key: 'sharing:links.saved', values: { name } } }));
      onClose();
    },
  });
  return (
    <FormDialog
      form={form}
      title={t(share === null ? 'links.newTitle' : 'links.editTitle')}
      submitLabel={t('links.save')}
      cancelLabel={t('links.cancel')}
      busy={busy}
      failure={failure}
      failureTitle={ofLinks(failure?.code === 'stale_revision' ? 'link.stale' : 'link.failed')}
      width="sm"
      onSubmit={submit}
      onClose={onClose}
    >
      <ContentFields form={form} share={share} />
      <LinkAccessFields control={form.control} link={share} />
      <CardField form={form} locked={locked} />
    </FormDialog>
  );
}
