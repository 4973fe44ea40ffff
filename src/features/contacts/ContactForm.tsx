import { Alert, Box, Button, Typography } from '@mui/material';
import { useEffect, useState } from 'react';
import type { ReactElement } from 'react';
import { useFormState } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import { ContactInput } from '@contract/contacts/schemas';
import type { Contact } from '@contract/contacts/schemas';
import { noticeShown } from '@/features/notices/noticesSlice';
import { useFormDraft } from '@/features/session/useFormDraft';
import { useUnsavedWork } from '@/features/session/useUnsavedWork';
import { useAppDispatch } from '@/store/hooks';
import { ErrorPanel } from '@/ui/ErrorPanel';
import { conflicts } from '@/ui/form/conflicts';
import { Form } from '@/ui/form/Form';
import { StaleNotice } from '@/ui/form/StaleNotice';
import { TextField } from '@/ui/form/TextField';
import { useContractForm } from '@/ui/form/useContractForm';
import type { ContractForm } from '@/ui/form/useContractForm';
import { LeaveDialog } from '@/ui/LeaveDialog';
import { Part, ChannelsPart, SubscriptionsPart, PersonPart } from './contactParts';
import { blankContact, valuesOf } from './contactValues';
import type { ContactValues } from './contactValues';
import { MergeDialog } from './MergeDialog';
import { useContactSaving } from './useContactSaving';
import { useValueText } from './useValueText';

type Props = {
  /** null: a new one. */
  readonly contact: Contact | null;
  /** `discard` removes the draft. */
  readonly onTyping: (typing: { readonly dirty: boolean; readonly discard: () => void }) => void;
  readonly onDone: () => void;
  readonly onCancel: () => void;
};

type Saving = ReturnType<typeof useContactSaving>;
type FormOfContact = ContractForm<ContactInput, ContactValues>;

/** A version that was stored in the meantime, compared with the input. */
function StaleContact({ form, saving, mine }: { readonly form: FormOfContact; readonly saving: Saving; readonly mine: ContactValues }): ReactElement | null {
  const { t } = useTranslation('contacts');
  const textOf = useValueText();
  const { base, theirs } = saving;
  if (!theirs || !base) return null;
  return (
    <StaleNotice
      differences={conflicts(valuesOf(base), mine, valuesOf(theirs)).map((field) => ({
        label: t(`contacts.${field === 'title' ? 'role' : field === 'locale' ? 'language' : field}`),
        mine: textOf(field, mine),
        theirs: textOf(field, valuesOf(theirs)),
      }))}
      onKeepMine={() => void form.handleSubmit((values) => saving.keepMine(theirs, values))()}
      onTakeTheirs={() => saving.takeTheirs(theirs)}
    />
  );
}

/** Says that another contact has the typed address, and offers to merge the two. */
function DoubleNotice({ form, saving, onMerge }: { readonly form: FormOfContact; readonly saving: Saving; readonly onMerge: () => void }): ReactElement | null {
  const { t } = useTranslation('contacts');
  const { base, double } = saving;
  if (!double) return null;
  return (
    <Alert severity="info" variant="outlined">
      {t('contacts.doubleText', { name: double.name })}
      <Box sx={{ mt: 1 }}>
        <Button
          variant="outlined"
          color="inherit"
          onClick={() => (base ? onMerge() : void form.handleSubmit((values) => saving.intoExisting(double, values))())}
        >
          {t(base ? 'contacts.mergeHere' : 'contacts.mergeThere', { name: double.name })}
        </Button>
      </Box>
    </Alert>
  );
}

type MorePartProps = { readonly form: FormOfContact; readonly canMerge: boolean; readonly isDirty: boolean; readonly onMerge: () => void };

function MorePart({ form, canMerge, isDirty, onMerge }: MorePartProps): ReactElement {
  const { t } = useTranslation('contacts');
  return (
    <Part title={t('part.more')}>
      <TextField control={form.control} name="note" label={t('contacts.note')} optional multiline minRows={2} maxRows={8} maxLength={1000} />
      {canMerge && (
        <Box>
          <Button onClick={onMerge} disabled={isDirty} sx={{ ml: -0.5 }}>
            {t('merge.open')}
          </Button>
          {isDirty && (
            <Typography variant="caption" sx={{ ml: 1, color: 'text.secondary' }}>
              {t('merge.saveFirst')}
            </Typography>
          )}
        </Box>
      )}
    </Part>
  );
}

/** Stays at the lower edge of the drawer while the fields scroll. */
function Buttons({ busy, onCancel }: { readonly busy: boolean; readonly onCancel: () => void }): ReactElement {
  const { t } = useTranslation('contacts');
  return (
    <Box
      sx={{
        position: 'sticky',
        bottom: 0,
        zIndex: 2,
        display: 'flex',
        justifyContent: 'flex-end',
        gap: 1,
        px: 3,
        py: 1.5,
        bgcolor: 'background.paper',
        borderTop: 1,
        borderColor: 'divider',
      }}
    >
      <Button onClick={onCancel}>{t('merge.cancel')}</Button>
      <Button type="submit" variant="contained" aria-busy={busy}>
        {t(busy ? 'contacts.saving' : 'contacts.save')}
      </Button>
    </Box>
  );
}

/** One contact: who it is, how to reach them, and their topics. */
export function ContactForm({ contact, onTyping, onDone, onCancel }: Props): ReactElement {
  const { t, i18n } = useTranslation('contacts');
  const dispatch = useAppDispatch();
  const form = useContractForm(ContactInput, { defaultValues: contact === null ? blankContact(i18n.language) : valuesOf(contact) });
  const [merging, setMerging] = useState(false);
  const saving = useContactSaving(form, {
    contact,
    onSaved: (saved, how) => {
      form.reset(valuesOf(saved));
      dispatch(noticeShown({ tone: 'good', message: { key: `contacts:contacts.${how}`, values: { name: saved.name } } }));
      onDone();
    },
  });
  const { base, double } = saving;
  const start = base === null ? blankContact(i18n.language) : valuesOf(base);
  const { isDirty } = useFormState({ control: form.control });
  const { drop } = useFormDraft(form, `account.contact.${contact?.id ?? 'new'}`);
  const blocker = useUnsavedWork(isDirty);
  useEffect(() => onTyping({ dirty: isDirty, discard: drop }), [isDirty, drop, onTyping]);

  const mine = { ...start, ...form.getValues() } as ContactValues;
  const onMerge = () => setMerging(true);
  const onMerged = (merged: Contact) => {
    setMerging(false);
    if (double) void saving.afterMerge(merged, mine);
    else {
      saving.takeTheirs(merged);
      dispatch(noticeShown({ tone: 'good', message: { key: 'contacts:merge.done', values: { name: merged.name } } }));
    }
  };
  return (
    <Form form={form} onSubmit={saving.submit} label={t(contact ? 'contacts.editTitle' : 'contacts.newTitle')}>
      <Box sx={{ display: 'grid', gridTemplateColumns: 'minmax(0, 1fr)', gap: 4, px: 3, pt: 1, pb: 3 }}>
        <StaleContact form={form} saving={saving} mine={mine} />
        {saving.failure && <ErrorPanel failure={saving.failure} />}
        <PersonPart form={form} isNew={contact === null} />
        <ChannelsPart form={form} contact={base}>
          <DoubleNotice form={form} saving={saving} onMerge={onMerge} />
        </ChannelsPart>
        <SubscriptionsPart form={form} />
        <MorePart form={form} canMerge={base !== null} isDirty={isDirty} onMerge={onMerge} />
      </Box>
      <Buttons busy={saving.busy} onCancel={onCancel} />
      <LeaveDialog blocker={blocker} />
      {merging && base && <MergeDialog target={base} from={double} onClose={() => setMerging(false)} onMerged={onMerged} />}
    </Form>
  );
}
