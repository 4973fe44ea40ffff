import { Box, Button } from '@mui/material';
import type { ReactElement } from 'react';
import { useWatch } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import { z } from 'zod';
import { publicLinkPresets, publicScreens } from '@contract/publicLinks/schemas';
import type { PublicLink } from '@contract/publicLinks/schemas';
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
import { useAddPublicLinkMutation, useChangePublicLinkMutation } from './publicLinksApi';

/** What a link begins with: days, or the view that it was created from. */
const asLinkedView = 'view';
const Input = z.object({
  name: safeName(60),
  screens: z.array(z.enum(publicScreens)).min(1),
  preset: z.enum([...publicLinkPresets, asLinkedView]),
  ...linkShape,
  card: z.boolean(),
});
type Input = z.input<typeof Input>;

const startOf = (publicLink: PublicLink | null): Input => ({
  name: publicLink?.name ?? '',
  screens: publicLink?.screens ?? ['overview'],
  preset: publicLink === null ? 'last30' : publicLink.view === '' ? publicLink.preset : asLinkedView,
  ...initialLinkInput(publicLink),
  card: publicLink?.card != null,
});

/** Which reports the link shows, and for which days. */
function ContentFields({ form, publicLink }: { readonly form: ContractForm<Input>; readonly publicLink: PublicLink | null }): ReactElement {
  const { t } = useTranslation('sharing');
  const screenName = useScreenName();
  const screens = useWatch({ control: form.control, name: 'screens' });
  const all = screens.length === publicScreens.length;
  return (
    <>
      <TextField control={form.control} name="name" label={t('publicLinks.name')} help={t('publicLinks.nameHelp')} maxLength={60} autoFocus />
      <Box>
        <CheckboxGroup
          control={form.control}
          name="screens"
          label={t('publicLinks.screens')}
          messages={{ too_short: t('publicLinks.oneScreen'), out_of_range: t('publicLinks.oneScreen') }}
          choices={publicScreens.map((screen) => ({ value: screen, label: screenName(screen) }))}
        />
        <Button sx={{ minWidth: 0, ml: -1.5 }} onClick={() => form.setValue('screens', all ? [] : [...publicScreens], { shouldDirty: true })}>
          {t(all ? 'publicLinks.none' : 'publicLinks.all')}
        </Button>
      </Box>
      <SelectField
        control={form.control}
        name="preset"
        label={t('publicLinks.preset')}
        choices={[...(publicLink === null || publicLink.view === '' ? [] : ([asLinkedView] as const)), ...publicLinkPresets].map((id) => ({
          value: id,
          label: t(`publicLinks.presets.${id}`),
        }))}
      />
    </>
  );
}

/** An image of the figures for other pages; not for a link with a password. */
function CardField({ form, locked }: { readonly form: ContractForm<Input>; readonly locked: boolean }): ReactElement {
  const { t } = useTranslation('sharing');
  return <CheckField control={form.control} name="card" label={t('publicLinks.cardField')} help={t('publicLinks.cardHelp')} disabled={locked} />;
}

/** Creates a link, or changes one, whose address stays the same. */
export function PublicLinkDialog({
  site,
  publicLink,
  onClose,
}: {
  readonly site: Site;
  readonly publicLink: PublicLink | null;
  readonly onClose: () => void;
}): ReactElement {
  const { t } = useTranslation('sharing');
  const { t: ofLinks } = useTranslation('form');
  const dispatch = useAppDispatch();
  const [add] = useAddPublicLinkMutation();
  const [change] = useChangePublicLinkMutation();
  const form = useContractForm(Input, { defaultValues: startOf(publicLink) });
  const [password, drop] = useWatch({ control: form.control, name: ['password', 'drop'] });
  const locked = password !== '' || (publicLink?.hasPassword === true && !drop);
  const { submit, busy, failure } = useSubmit(form, {
    send: (input: z.output<typeof Input>): Promise<SubmitResult<PublicLink>> => {
      const begins = input.preset === asLinkedView ? {} : { preset: input.preset, view: '' };
      const fields = { name: input.name, screens: input.screens, ...begins, card: input.card && !locked };
      if (publicLink === null) return add({ siteId: site.id, body: { ...fields, ...newLinkBody(input) } });
      return change({ siteId: site.id, id: publicLink.id, revision: publicLink.revision, body: { ...fields, ...changedLinkBody(input) } });
    },
    onSuccess: ({ name }) => {
      dispatch(noticeShown({ message: { key: 'sharing:publicLinks.saved', values: { name } } }));
      onClose();
    },
  });
  return (
    <FormDialog
      form={form}
      title={t(publicLink === null ? 'publicLinks.newTitle' : 'publicLinks.editTitle')}
      submitLabel={t('publicLinks.save')}
      cancelLabel={t('publicLinks.cancel')}
      busy={busy}
      failure={failure}
      failureTitle={ofLinks(failure?.code === 'stale_revision' ? 'link.stale' : 'link.failed')}
      width="sm"
      onSubmit={submit}
      onClose={onClose}
    >
      <ContentFields form={form} publicLink={publicLink} />
      <LinkAccessFields control={form.control} link={publicLink} />
      <CardField form={form} locked={locked} />
    </FormDialog>
  );
}
