import { Box, Button } from '@mui/material';
import type { ReactElement } from 'react';
import { useWatch } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import type { RecordView } from '@contract/tables/views';
import type { ContentTable } from '@contract/tables/schemas';
import type { PublicLink } from '@contract/tables/publicLinks';
import { noticeShown } from '@/features/notices/noticesSlice';
import { isStale } from '@/lib/failure';
import { useAppDispatch } from '@/store/hooks';
import { ErrorPanel } from '@/ui/ErrorPanel';
import { CheckField } from '@/ui/form/CheckField';
import { Form } from '@/ui/form/Form';
import { TextField } from '@/ui/form/TextField';
import { useContractForm } from '@/ui/form/useContractForm';
import { useSubmit } from '@/ui/form/useSubmit';
import { LinkAccessFields } from '@/ui/links/LinkAccessFields';
import { changedLinkBody, initialLinkInput, newLinkBody } from '@/ui/links/linkInput';
import { FormFields, PublicFormSettings, asksForFiles, isFillable } from './PublicFormSettings';
import { useAddViewPublicLinkMutation, useChangeViewPublicLinkMutation } from './publicLinksApi';
import { PublicLinkInput, formOptions, formStart } from './publicLinkInput';

/** Error paths of the server whose fields have other names in this form. */
const serverPaths = { 'form.limit': 'limit', 'form.closedText': 'closedText', 'form.redirect': 'redirect', 'form.embeds': 'embeds' } as const;

type Props = {
  readonly siteId: string;
  readonly table: ContentTable;
  readonly view: RecordView;
  /** null: a new link. */ readonly publicLink: PublicLink | null;
  readonly onSaved: () => void;
};

/** The form of a link, and saving it: for a link to a form, the settings of that form; for any other, which records it shows. */
function usePublicLinkForm({ siteId, table, view, publicLink, onSaved }: Props) {
  const dispatch = useAppDispatch();
  const [add] = useAddViewPublicLinkMutation();
  const [change] = useChangeViewPublicLinkMutation();
  const form = useContractForm(PublicLinkInput, {
    defaultValues: {
      name: publicLink?.name ?? view.title,
      ...initialLinkInput(publicLink),
      drafts: publicLink?.drafts ?? false,
      download: publicLink?.download ?? false,
      ...formStart(publicLink?.form ?? null),
    },
  });
  const { submit, busy, failure } = useSubmit(form, {
    send: async (input: PublicLinkInput) => {
      const { name, drafts, download } = input;
      const fields = view.kind === 'form' ? { name, form: formOptions(input) } : { name, drafts, download };
      return publicLink === null
        ? add({ siteId, table: table.id, view: view.id, body: { ...fields, ...newLinkBody(input) } })
        : change({ siteId, id: publicLink.id, revision: publicLink.revision, body: { ...fields, ...changedLinkBody(input) } });
    },
    onSuccess: ({ name }) => {
      dispatch(noticeShown({ message: { key: 'tableTransfer:publicLink.saved', values: { name } } }));
      onSaved();
    },
    fieldsAt: serverPaths,
  });
  return { form, failure, busy, submit };
}

/** Creates a link to a view, or changes one without changing its URL. */
export const PublicLinkForm = ({ onCancel, ...props }: Props & { readonly onCancel: () => void }): ReactElement => {
  const { t } = useTranslation('tableTransfer');
  const { t: ofLinks } = useTranslation('form');
  const { table, view, publicLink } = props;
  const { form, failure, busy, submit } = usePublicLinkForm(props);
  const { control } = form;
  const isForm = view.kind === 'form';
  const [publish, files] = useWatch({ control, name: ['publish', 'files'] });
  return (
    <Form form={form} onSubmit={submit}>
      <Box sx={{ display: 'grid', gap: 2, pt: 2 }}>
        {isForm && <FormFields table={table} view={view} publish={publish} files={files} />}
        {failure && <ErrorPanel failure={failure} title={ofLinks(isStale(failure) ? 'link.stale' : 'link.failed')} />}
        <TextField
          control={control}
          name="name"
          label={t('publicLink.name')}
          help={t(isForm ? 'publicLink.form.nameHelp' : 'publicLink.nameHelp')}
          maxLength={60}
          autoFocus
        />
        <LinkAccessFields control={control} link={publicLink} />
        {isForm ? (
          <PublicFormSettings control={control} hasDrafts={table.drafts} hasFiles={asksForFiles(table, view)} />
        ) : (
          <>
            {table.drafts && <CheckField control={control} name="drafts" label={t('publicLink.drafts')} help={t('publicLink.draftsHelp')} />}
            <CheckField control={control} name="download" label={t('publicLink.download')} />
          </>
        )}
        <Box sx={{ display: 'flex', justifyContent: 'flex-end', gap: 1 }}>
          <Button onClick={onCancel}>{t('publicLink.cancel')}</Button>
          <Button type="submit" variant="contained" aria-busy={busy} disabled={busy || (isForm && !isFillable(table, view, { publish, files }))}>
            {t(publicLink === null ? 'publicLink.make' : 'publicLink.save')}
          </Button>
        </Box>
      </Box>
    </Form>
  );
};
