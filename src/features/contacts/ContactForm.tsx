import { Box, Button } from '@mui/material';
import { useEffect, useState } from 'react';
import type { ReactElement } from 'react';
import { useFormState } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import { ContactInput, contactTitles, contactTopics } from '@contract/contacts';
import type { Contact } from '@contract/contacts';
import { noticeShown } from '@/features/notices/noticesSlice';
import { useFormDraft } from '@/features/session/useFormDraft';
import { useUnsavedWork } from '@/features/session/useUnsavedWork';
import { isFailure, isStale } from '@/store/failure';
import type { ApiFailure } from '@/store/failure';
import { useAppDispatch } from '@/store/hooks';
import { ErrorPanel } from '@/ui/ErrorPanel';
import { changes, conflicts } from '@/ui/form/conflicts';
import { Form } from '@/ui/form/Form';
import { SelectField } from '@/ui/form/SelectField';
import { StaleNotice } from '@/ui/form/StaleNotice';
import { TextField } from '@/ui/form/TextField';
import { setServerErrors, startFrom, useContractForm } from '@/ui/form/useContractForm';
import { LeaveDialog } from '@/ui/LeaveDialog';
import { blankContact, valuesOf } from './contactValues';
import type { ContactValues as Values } from './contactValues';
import { SubscriptionsField } from './SubscriptionsField';
import { useAddContactMutation, useChangeContactMutation, useReplaceContactMutation } from './contactsApi';

/** One value in words, for comparing two versions. */
function useValueWords(): (field: keyof Values, values: Values) => string {
  const { t } = useTranslation('contacts');
  return (field, values) => {
    if (field === 'title') return t(`title.${values.title}`);
    if (field === 'subscriptions')
      return contactTopics
        .flatMap((topic) => {
          const by = values.subscriptions[topic]?.map((channel) => t(`channel.${channel}`)).join('、') ?? '';
          return by === '' ? [] : [t('contacts.topicBy', { topic: t(`topic.${topic}`), channel: by })];
        })
        .join(' · ');
    if (field === 'locale') return t(values.locale === 'en' ? 'en' : 'zh');
    if (field === 'kinds' || field === 'siteIds') return values[field]?.join(' · ') ?? '';
    if (field === 'quietHours') return values.quietHours ? `${values.quietHours.from}–${values.quietHours.to}` : '';
    return values[field] ?? '';
  };
}

type Props = {
  /** null: a new one. */
  readonly contact: Contact | null;
  readonly onDirty: (dirty: boolean) => void;
  readonly onDone: () => void;
  readonly onCancel: () => void;
};

/**
 * Adds a contact, or changes one: a PATCH of what was changed. After a conflict that needs a decision, "mine" replaces the contact whole (PUT)
 * on top of the revision that was compared with.
 */
export function ContactForm({ contact, onDirty, onDone, onCancel }: Props): ReactElement {
  const { t, i18n } = useTranslation('contacts');
  const dispatch = useAppDispatch();
  const words = useValueWords();
  const [add, adding] = useAddContactMutation();
  const [change, changing] = useChangeContactMutation();
  const [replace, replacing] = useReplaceContactMutation();
  const [base, setBase] = useState(contact);
  const [theirs, setTheirs] = useState<Contact | null>(null);
  const [failure, setFailure] = useState<ApiFailure | null>(null);
  const start = base === null ? blankContact(i18n.language) : valuesOf(base);
  const form = useContractForm(ContactInput, { defaultValues: start });
  const { isDirty } = useFormState({ control: form.control });
  useFormDraft(form, `account.contact.${contact?.id ?? 'new'}`);
  const blocker = useUnsavedWork(isDirty);
  useEffect(() => onDirty(isDirty), [isDirty, onDirty]);

  const done = (saved: Contact, key: 'saved' | 'added') => {
    form.reset(valuesOf(saved));
    dispatch(noticeShown({ tone: 'good', words: { key: `contacts:contacts.${key}`, values: { name: saved.name } } }));
    onDone();
  };
  const fail = (error: unknown) => {
    if (isFailure(error) && !setServerErrors(form, error)) setFailure(error);
  };

  const saveOnto = async (onto: Contact, before: Contact, values: Values): Promise<void> => {
    const { data, error } = await change({ id: onto.id, revision: onto.revision, change: changes(valuesOf(before), values) });
    if (data) return done(data, 'saved');
    const current = isFailure(error) && isStale(error) ? (error.current as Contact | undefined) : undefined;
    if (!current) return fail(error);
    if (conflicts(valuesOf(before), values, valuesOf(current)).length > 0) return setTheirs(current);
    return current.revision === onto.revision ? fail(error) : saveOnto(current, before, values);
  };
  const submit = async (values: Values) => {
    setFailure(null);
    if (base !== null) return saveOnto(base, base, values);
    const { data, error } = await add(values);
    return data ? done(data, 'added') : fail(error);
  };
  const keepMine = async (current: Contact, values: Values) => {
    const { data, error } = await replace({ id: current.id, revision: current.revision, contact: values });
    if (data) return done(data, 'saved');
    if (isFailure(error) && isStale(error) && error.current) return setTheirs(error.current as Contact);
    return fail(error);
  };
  const takeTheirs = (current: Contact) => {
    setTheirs(null);
    setBase(current);
    startFrom(form, valuesOf(current));
    // The button that was pressed is gone with the notice; the focus must not be.
    form.setFocus('name');
  };

  const busy = adding.isLoading || changing.isLoading || replacing.isLoading;
  const mine = { ...start, ...form.getValues() } as Values;
  const { control } = form;
  return (
    <Form form={form} onSubmit={submit} label={t(contact ? 'contacts.editTitle' : 'contacts.newTitle')}>
      <Box sx={{ display: 'grid', gap: 2.5, p: 3, pt: 1 }}>
        {theirs && base && (
          <StaleNotice
            differences={conflicts(valuesOf(base), mine, valuesOf(theirs)).map((field) => ({
              label: t(`contacts.${field === 'title' ? 'role' : field === 'locale' ? 'language' : field}`),
              mine: words(field, mine),
              theirs: words(field, valuesOf(theirs)),
            }))}
            onKeepMine={() => void form.handleSubmit((values) => keepMine(theirs, values))()}
            onTakeTheirs={() => takeTheirs(theirs)}
          />
        )}
        {failure && <ErrorPanel failure={failure} />}
        <TextField control={control} name="name" label={t('contacts.name')} maxLength={40} autoFocus={contact === null} autoComplete="off" />
        <TextField control={control} name="company" label={t('contacts.company')} maxLength={100} optional autoComplete="off" />
        <SelectField
          control={control}
          name="title"
          label={t('contacts.role')}
          choices={contactTitles.map((title) => ({ value: title, label: t(`title.${title}`) }))}
        />
        <TextField
          control={control}
          name="email"
          label={t('contacts.email')}
          nullable
          optional
          type="email"
          inputMode="email"
          verbatim
          words={{ taken: t('contacts.emailTaken') }}
          autoComplete="off"
        />
        <TextField
          control={control}
          name="phone"
          label={t('contacts.phone')}
          help={t('contacts.phoneHelp')}
          nullable
          optional
          type="tel"
          inputMode="tel"
          words={{ pattern: t('contacts.phonePattern') }}
          autoComplete="off"
        />
        <SubscriptionsField control={control} name="subscriptions" label={t('contacts.subscriptions')} />
        <SelectField
          control={control}
          name="locale"
          label={t('contacts.language')}
          choices={[
            { value: 'zh-CN', label: t('zh') },
            { value: 'en', label: t('en') },
          ]}
        />
        <TextField control={control} name="note" label={t('contacts.note')} optional multiline minRows={2} maxRows={8} maxLength={1000} />
      </Box>
      <Box
        sx={{
          position: 'sticky',
          bottom: 0,
          zIndex: 1,
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
        <Button onClick={onCancel}>{t('contacts.close')}</Button>
        <Button type="submit" variant="contained" aria-busy={busy}>
          {t(busy ? 'contacts.saving' : 'contacts.save')}
        </Button>
      </Box>
      <LeaveDialog blocker={blocker} />
    </Form>
  );
}
