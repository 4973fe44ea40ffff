import type { ReactElement } from 'react';
import { useWatch } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import { z } from 'zod';
import type { SiteBase } from '@contract/sites/base';
import { slugPattern } from '@contract/sites/schemas';
import { baseLimits, visibilities } from '@contract/sites/terms';
import { safeName, safeText } from '@contract/text';
import { addressesOf } from '@/lib/addressesOf';
import { useLanguageName } from '@/lib/languageName';
import { encodeFieldError } from '@/ui/form/fieldError';
import { FormDialog } from '@/ui/form/FormDialog';
import { PasswordField } from '@/ui/form/PasswordField';
import { RadioCards } from '@/ui/form/RadioCards';
import { TextField } from '@/ui/form/TextField';
import { TimeZoneField } from '@/ui/form/TimeZoneField';
import { useContractForm } from '@/ui/form/useContractForm';
import { textsFor, withoutEmpty } from '@/lib/languageTexts';
import { useSaveBase } from './useSaveBase';

type Props = { readonly siteId: string; readonly base: SiteBase; readonly onClose: () => void };

const NameValues = z.strictObject({ name: safeName(60), timeZone: z.string() });

/** The name in the console, and the zone that decides what a day is. */
export function NameDialog({ siteId, base, onClose }: Props): ReactElement {
  const { t } = useTranslation('publishing');
  const form = useContractForm(NameValues, { defaultValues: { name: base.name, timeZone: base.timeZone } });
  const { submit, busy, failure } = useSaveBase(siteId, base, form, (values) => values, onClose);
  return (
    <FormDialog form={form} title={t('atOnce.name')} submitLabel={t('atOnce.save')} busy={busy} failure={failure} onSubmit={submit} onClose={onClose}>
      <TextField control={form.control} name="name" label={t('atOnce.siteName')} maxLength={60} autoFocus />
      <TimeZoneField control={form.control} name="timeZone" label={t('atOnce.timeZone')} include={base.timeZone} />
    </FormDialog>
  );
}

const SlugValues = z.strictObject({ slug: z.string().trim().toLowerCase().pipe(z.string().regex(slugPattern)) });

/** The address of the site here. The former one leads to the new one for some time. */
export function SlugDialog({ siteId, base, onClose }: Props): ReactElement {
  const { t } = useTranslation('publishing');
  const form = useContractForm(SlugValues, { defaultValues: { slug: base.slug } });
  const { submit, busy, failure } = useSaveBase(siteId, base, form, (values) => values, onClose);
  return (
    <FormDialog
      form={form}
      title={t('atOnce.slug')}
      lead={t('atOnce.slugLead', { count: baseLimits.redirectDays })}
      submitLabel={t('atOnce.changeSlug')}
      busy={busy}
      failure={failure}
      onSubmit={submit}
      onClose={onClose}
    >
      <TextField
        control={form.control}
        name="slug"
        label={t('atOnce.slugField')}
        help={t('atOnce.slugHelp')}
        verbatim
        autoFocus
        maxLength={40}
        messages={{ pattern: t('atOnce.slugPattern') }}
      />
    </FormDialog>
  );
}

const visibilitySchema = (hasPassword: boolean) =>
  z
    .strictObject({ visibility: z.enum(visibilities), password: z.string().max(baseLimits.password.most) })
    .superRefine(({ visibility, password }, { addIssue }) => {
      if (visibility !== 'password' || (password === '' && hasPassword)) return;
      const { least } = baseLimits.password;
      if (password.length < least)
        addIssue({ code: 'custom', path: ['password'], message: encodeFieldError(password === '' ? { code: 'required' } : { code: 'too_short', min: least }) });
    });

/** Who gets the pages. */
export function VisibilityDialog({ siteId, base, onClose }: Props): ReactElement {
  const { t } = useTranslation('publishing');
  const form = useContractForm(visibilitySchema(base.hasPassword), { defaultValues: { visibility: base.visibility, password: '' } });
  const visibility = useWatch({ control: form.control, name: 'visibility' });
  const { submit, busy, failure } = useSaveBase(
    siteId,
    base,
    form,
    (values) => ({ visibility: values.visibility, ...(values.visibility === 'password' && values.password !== '' ? { password: values.password } : {}) }),
    onClose,
  );
  return (
    <FormDialog
      form={form}
      title={t('atOnce.visibility')}
      submitLabel={t('atOnce.save')}
      busy={busy}
      failure={failure}
      width="sm"
      onSubmit={submit}
      onClose={onClose}
    >
      <RadioCards
        control={form.control}
        name="visibility"
        label={t('atOnce.visibleTo')}
        choices={visibilities.map((value) => ({ value, label: t(`atOnce.visible.${value}`), detail: t(`atOnce.visibleDetail.${value}`) }))}
      />
      {visibility === 'password' && (
        <PasswordField
          control={form.control}
          name="password"
          label={t('atOnce.password')}
          help={t(base.hasPassword ? 'atOnce.passwordStays' : 'atOnce.passwordHelp')}
          optional={base.hasPassword}
          autoComplete="new-password"
        />
      )}
    </FormDialog>
  );
}

const { least, most } = baseLimits.retryAfter;
const MaintenanceValues = z.strictObject({
  message: z.record(z.string(), safeText(baseLimits.message)),
  minutes: z.coerce
    .number<string>()
    .int()
    .min(least / 60)
    .max(most / 60),
  addresses: z.string().max(baseLimits.addresses.text),
});

/** What visitors read, and who gets the site nevertheless, while the site is in maintenance. */
export function MaintenanceDialog({ siteId, base, languages, onClose }: Props & { readonly languages: readonly string[] }): ReactElement {
  const { t } = useTranslation('publishing');
  const languageName = useLanguageName();
  const { message, retryAfter, addresses } = base.maintenance;
  const form = useContractForm(MaintenanceValues, {
    defaultValues: {
      message: textsFor(languages, message),
      minutes: String(Math.round(retryAfter / 60)),
      addresses: addresses.join('\n'),
    },
  });
  const { submit, busy, failure } = useSaveBase(
    siteId,
    base,
    form,
    (values) => ({
      maintenance: { message: withoutEmpty(values.message), retryAfter: values.minutes * 60, addresses: addressesOf(values.addresses) },
    }),
    onClose,
    { 'maintenance.addresses': 'addresses' },
  );
  return (
    <FormDialog
      form={form}
      title={t('atOnce.maintenance')}
      submitLabel={t('atOnce.save')}
      busy={busy}
      failure={failure}
      width="sm"
      onSubmit={submit}
      onClose={onClose}
    >
      {languages.map((language) => (
        <TextField
          key={language}
          control={form.control}
          name={`message.${language}`}
          label={languages.length === 1 ? t('atOnce.message') : t('atOnce.messageIn', { language: languageName(language) })}
          help={t('atOnce.messageHelp')}
          optional
          multiline
          minRows={2}
          maxRows={6}
          maxLength={baseLimits.message}
        />
      ))}
      <TextField control={form.control} name="minutes" label={t('atOnce.minutes')} help={t('atOnce.minutesHelp')} inputMode="numeric" />
      <TextField
        control={form.control}
        name="addresses"
        label={t('atOnce.addresses')}
        help={t('atOnce.addressesHelp')}
        placeholder="203.0.113.7"
        optional
        multiline
        minRows={2}
        maxRows={6}
        verbatim
      />
    </FormDialog>
  );
}
