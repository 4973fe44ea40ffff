import { Typography } from '@mui/material';
import type { ReactElement } from 'react';
import { useWatch } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import { z } from 'zod';
import type { Hostname, HostnameChange } from '@contract/hostnames/schemas';
import { hstsSteps, preloadSeconds, redirectCodes } from '@contract/hostnames/terms';
import { noticeShown } from '@/features/notices/noticesSlice';
import { useAppDispatch } from '@/store/hooks';
import { CheckField } from '@/ui/form/CheckField';
import { FormDialog } from '@/ui/form/FormDialog';
import { SelectField } from '@/ui/form/SelectField';
import { TextField } from '@/ui/form/TextField';
import type { ContractForm } from '@/ui/form/useContractForm';
import { useContractForm } from '@/ui/form/useContractForm';
import { useSubmit } from '@/ui/form/useSubmit';
import { useChangeHostnameMutation } from './hostnamesApi';

const toPrimary = 'primary';
const Input = z.object({
  role: z.enum(['primary', 'serve', 'redirect']),
  redirectTo: z.string(),
  redirectCode: z.string(),
  keepPath: z.boolean(),
  forceHttps: z.boolean(),
  hsts: z.string(),
  subdomains: z.boolean(),
  preload: z.boolean(),
  confirm: z.string(),
});
type Input = z.infer<typeof Input>;

const inputOf = (row: Hostname): Input => ({
  role: row.role,
  redirectTo: row.redirectTo ?? toPrimary,
  redirectCode: String(row.redirectCode),
  keepPath: row.keepPath,
  forceHttps: row.forceHttps,
  hsts: String(row.hsts.maxAge),
  subdomains: row.hsts.subdomains,
  preload: row.hsts.preload,
  confirm: '',
});

function bodyOf(input: Input, row: Hostname): HostnameChange {
  const maxAge = input.forceHttps ? (hstsSteps.find((one) => String(one) === input.hsts) ?? 0) : 0;
  const subdomains = maxAge > 0 && input.subdomains;
  return {
    ...(input.role !== 'primary' && row.role !== 'primary' && { role: input.role }),
    redirectTo: input.role !== 'redirect' || input.redirectTo === toPrimary ? null : input.redirectTo,
    redirectCode: redirectCodes.find((one) => String(one) === input.redirectCode) ?? 308,
    keepPath: input.keepPath,
    forceHttps: input.forceHttps,
    hsts: { maxAge, subdomains, preload: subdomains && maxAge === preloadSeconds && input.preload },
    confirm: input.confirm,
  };
}

function RedirectFields({ form, row, rows }: { readonly form: ContractForm<Input>; readonly row: Hostname; readonly rows: readonly Hostname[] }): ReactElement {
  const { t } = useTranslation('hostnames');
  const targets = rows.filter(({ id, role }) => id !== row.id && role !== 'redirect');
  return (
    <>
      <SelectField
        control={form.control}
        name="redirectTo"
        label={t('settings.redirectTo')}
        choices={[{ value: toPrimary, label: t('settings.toPrimary') }, ...targets.map(({ id, unicode }) => ({ value: id, label: unicode }))]}
      />
      <SelectField
        control={form.control}
        name="redirectCode"
        label={t('settings.redirectCode')}
        choices={redirectCodes.map((code) => ({ value: String(code), label: t(`settings.code.status${code}`) }))}
      />
      <CheckField control={form.control} name="keepPath" label={t('settings.keepPath')} />
    </>
  );
}

function HttpsFields({ form, row }: { readonly form: ContractForm<Input>; readonly row: Hostname }): ReactElement {
  const { t } = useTranslation('hostnames');
  const [forceHttps, hsts, subdomains, preload] = useWatch({ control: form.control, name: ['forceHttps', 'hsts', 'subdomains', 'preload'] });
  const isOffered = row.forceHttps || (row.tls === 'active' && row.tlsError === '');
  const mayPreload = subdomains && hsts === String(preloadSeconds);
  return (
    <>
      <CheckField
        control={form.control}
        name="forceHttps"
        label={t('settings.forceHttps')}
        help={isOffered ? t('settings.forceHttpsHelp') : t('settings.forceHttpsNot')}
        disabled={!isOffered}
      />
      {forceHttps && (
        <SelectField
          control={form.control}
          name="hsts"
          label={t('settings.hsts')}
          help={t('settings.hstsHelp')}
          choices={hstsSteps.map((seconds) => ({ value: String(seconds), label: t(`settings.hstsStep.seconds${seconds}`) }))}
        />
      )}
      {forceHttps && hsts !== '0' && (
        <CheckField control={form.control} name="subdomains" label={t('settings.subdomains')} help={t('settings.subdomainsHelp', { host: row.unicode })} />
      )}
      {forceHttps && mayPreload && <CheckField control={form.control} name="preload" label={t('settings.preload')} help={t('settings.preloadHelp')} />}
      {forceHttps && mayPreload && preload && !row.hsts.preload && (
        <TextField control={form.control} name="confirm" label={t('settings.confirm', { host: row.host })} autoComplete="off" verbatim />
      )}
    </>
  );
}

/** What a hostname does, and how strictly it insists on HTTPS. */
export function SettingsDialog({
  siteId,
  row,
  rows,
  onClose,
}: {
  readonly siteId: string;
  readonly row: Hostname;
  readonly rows: readonly Hostname[];
  readonly onClose: () => void;
}): ReactElement {
  const { t } = useTranslation('hostnames');
  const dispatch = useAppDispatch();
  const [save] = useChangeHostnameMutation();
  const form = useContractForm(Input, { defaultValues: inputOf(row) });
  const role = useWatch({ control: form.control, name: 'role' });
  const { submit, busy, failure } = useSubmit(form, {
    send: (input) => save({ siteId, id: row.id, revision: row.revision, body: bodyOf(input, row) }),
    onSuccess: () => {
      dispatch(noticeShown({ tone: 'good', message: { key: 'hostnames:done.saved', values: { host: row.unicode } } }));
      onClose();
    },
  });
  return (
    <FormDialog
      form={form}
      title={t('settings.title', { host: row.unicode })}
      submitLabel={t('settings.save')}
      busy={busy}
      failure={failure}
      onSubmit={submit}
      onClose={onClose}
    >
      {row.role === 'primary' ? (
        <Typography variant="body2">{t('settings.isPrimary')}</Typography>
      ) : (
        <SelectField
          control={form.control}
          name="role"
          label={t('settings.role')}
          choices={(['serve', 'redirect'] as const).map((value) => ({ value, label: t(`settings.roles.${value}`) }))}
        />
      )}
      {role === 'redirect' && <RedirectFields form={form} row={row} rows={rows} />}
      <HttpsFields form={form} row={row} />
    </FormDialog>
  );
}
