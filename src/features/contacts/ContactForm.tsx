import { Alert, Box, Button, Typography } from '@mui/material';
import { useEffect, useId, useState } from 'react';
import type { ReactElement, ReactNode } from 'react';
import { useFormState } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import { ContactInput, contactKinds, contactTitles } from '@contract/contacts/schemas';
import type { Contact } from '@contract/contacts/schemas';
import { noticeShown } from '@/features/notices/noticesSlice';
import { useFormDraft } from '@/features/session/useFormDraft';
import { useUnsavedWork } from '@/features/session/useUnsavedWork';
import { useAppDispatch } from '@/store/hooks';
import { ErrorPanel } from '@/ui/ErrorPanel';
import { CheckboxGroup } from '@/ui/form/CheckboxGroup';
import { conflicts } from '@/ui/form/conflicts';
import { Form } from '@/ui/form/Form';
import { SelectField } from '@/ui/form/SelectField';
import { StaleNotice } from '@/ui/form/StaleNotice';
import { TextField } from '@/ui/form/TextField';
import { useContractForm } from '@/ui/form/useContractForm';
import { LeaveDialog } from '@/ui/LeaveDialog';
import { blankContact, valuesOf } from './contactValues';
import type { ContactValues } from './contactValues';
import { MergeDialog } from './MergeDialog';
import { QuietHoursField } from './QuietHoursField';
import { MailState, WebhookState } from './ReachState';
import { SitesField } from './SitesField';
import { SubscriptionsField } from './SubscriptionsField';
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

/** A section of the drawer: a heading and its fields. */
function Part({ title, children }: { readonly title: string; readonly children: ReactNode }): ReactElement {
  const id = useId();
  return (
    <Box component="section" aria-labelledby={id} sx={{ display: 'grid', gap: 2, gridTemplateColumns: 'minmax(0, 1fr)' }}>
      <Typography id={id} component="h3" sx={{ fontSize: 14, fontWeight: 600 }}>
        {title}
      </Typography>
      {children}
    </Box>
  );
}

/** One contact: who it is, how to reach them, and their topics. */
export function ContactForm({ contact, onTyping, onDone, onCancel }: Props): ReactElement {
  const { t, i18n } = useTranslation('contacts');
  const dispatch = useAppDispatch();
  const textOf = useValueText();
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
  const { base, theirs, double, busy } = saving;
  const start = base === null ? blankContact(i18n.language) : valuesOf(base);
  const { isDirty } = useFormState({ control: form.control });
  const { drop } = useFormDraft(form, `account.contact.${contact?.id ?? 'new'}`);
  const blocker = useUnsavedWork(isDirty);
  useEffect(() => onTyping({ dirty: isDirty, discard: drop }), [isDirty, drop, onTyping]);

  const mine = { ...start, ...form.getValues() } as ContactValues;
  const { control } = form;
  return (
    <Form form={form} onSubmit={saving.submit} label={t(contact ? 'contacts.editTitle' : 'contacts.newTitle')}>
      <Box sx={{ display: 'grid', gridTemplateColumns: 'minmax(0, 1fr)', gap: 4, px: 3, pt: 1, pb: 3 }}>
        {theirs && base && (
          <StaleNotice
            differences={conflicts(valuesOf(base), mine, valuesOf(theirs)).map((field) => ({
              label: t(`contacts.${field === 'title' ? 'role' : field === 'locale' ? 'language' : field}`),
              mine: textOf(field, mine),
              theirs: textOf(field, valuesOf(theirs)),
            }))}
            onKeepMine={() => void form.handleSubmit((values) => saving.keepMine(theirs, values))()}
            onTakeTheirs={() => saving.takeTheirs(theirs)}
          />
        )}
        {saving.failure && <ErrorPanel failure={saving.failure} />}
        <Part title={t('part.who')}>
          <TextField control={control} name="name" label={t('contacts.name')} maxLength={40} autoFocus={contact === null} autoComplete="off" />
          <Box sx={{ display: 'grid', gridTemplateColumns: { xs: 'minmax(0, 1fr)', sm: 'minmax(0, 1fr) minmax(0, 1fr)' }, gap: 2 }}>
            <TextField control={control} name="company" label={t('contacts.company')} maxLength={100} optional autoComplete="off" />
            <SelectField
              control={control}
              name="title"
              label={t('contacts.role')}
              choices={contactTitles.map((title) => ({ value: title, label: t(`title.${title}`) }))}
            />
          </Box>
          <CheckboxGroup
            control={control}
            name="kinds"
            label={t('contacts.kinds')}
            help={t('contacts.kindsHelp')}
            choices={contactKinds.map((kind) => ({ value: kind, label: t(`kind.${kind}`) }))}
          />
        </Part>
        <Part title={t('part.reach')}>
          <Box sx={{ display: 'grid', gap: 1 }}>
            <TextField
              control={control}
              name="email"
              label={t('contacts.email')}
              nullable
              optional
              type="email"
              inputMode="email"
              verbatim
              messages={{ taken: t('contacts.emailTaken') }}
              autoComplete="off"
            />
            {double && (
              <Alert severity="info" variant="outlined">
                {t('contacts.doubleText', { name: double.name })}
                <Box sx={{ mt: 1 }}>
                  <Button
                    size="small"
                    variant="outlined"
                    color="inherit"
                    onClick={() => (base ? setMerging(true) : void form.handleSubmit((values) => saving.intoExisting(double, values))())}
                  >
                    {t(base ? 'contacts.mergeHere' : 'contacts.mergeThere', { name: double.name })}
                  </Button>
                </Box>
              </Alert>
            )}
            {base && <MailState contact={base} control={control} />}
          </Box>
          <Box sx={{ display: 'grid', gridTemplateColumns: { xs: 'minmax(0, 1fr)', sm: 'minmax(0, 1fr) minmax(0, 1fr)' }, gap: 2, alignItems: 'start' }}>
            <TextField
              control={control}
              name="phone"
              label={t('contacts.phone')}
              help={t('contacts.phoneHelp')}
              nullable
              optional
              type="tel"
              inputMode="tel"
              messages={{ pattern: t('contacts.phonePattern') }}
              autoComplete="off"
            />
            <TextField control={control} name="wechat" label={t('contacts.wechat')} maxLength={60} optional verbatim autoComplete="off" />
          </Box>
          <TextField control={control} name="address" label={t('contacts.address')} maxLength={200} optional autoComplete="off" />
          <Box sx={{ display: 'grid', gap: 1 }}>
            <TextField
              control={control}
              name="webhook"
              label={t('contacts.webhook')}
              help={t('contacts.webhookHelp')}
              nullable
              optional
              type="url"
              inputMode="url"
              verbatim
              maxLength={500}
              placeholder="https://"
              autoComplete="off"
              messages={{ reserved: t('contacts.webhookReserved') }}
            />
            {base && <WebhookState contact={base} control={control} />}
          </Box>
        </Part>
        <Part title={t('part.tell')}>
          <SubscriptionsField control={control} name="subscriptions" label={t('contacts.subscriptions')} addresses={{ mail: 'email', webhook: 'webhook' }} />
          <SitesField
            control={control}
            name="siteIds"
            label={t('contacts.siteIds')}
            help={t('contacts.sitesHelp')}
            messages={{ too_short: t('contacts.pickSite'), out_of_range: t('contacts.pickSite') }}
          />
          <SelectField
            control={control}
            name="locale"
            label={t('contacts.language')}
            choices={[
              { value: 'zh-CN', label: t('zh') },
              { value: 'en', label: t('en') },
            ]}
          />
          <QuietHoursField form={form} />
        </Part>
        <Part title={t('part.more')}>
          <TextField control={control} name="note" label={t('contacts.note')} optional multiline minRows={2} maxRows={8} maxLength={1000} />
          {base && (
            <Box>
              <Button size="small" onClick={() => setMerging(true)} disabled={isDirty} sx={{ ml: -0.5 }}>
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
      </Box>
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
        <Button onClick={onCancel}>{t('contacts.close')}</Button>
        <Button type="submit" variant="contained" aria-busy={busy}>
          {t(busy ? 'contacts.saving' : 'contacts.save')}
        </Button>
      </Box>
      <LeaveDialog blocker={blocker} />
      {merging && base && (
        <MergeDialog
          kept={base}
          from={double}
          onClose={() => setMerging(false)}
          onMerged={(merged) => {
            setMerging(false);
            if (double) void saving.afterMerge(merged, mine);
            else {
              saving.takeTheirs(merged);
              dispatch(noticeShown({ tone: 'good', message: { key: 'contacts:merge.done', values: { name: merged.name } } }));
            }
          }}
        />
      )}
    </Form>
  );
}
