import { Box, Typography } from '@mui/material';
import { useState } from 'react';
import type { ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router-dom';
import { z } from 'zod';
import type { Site } from '@contract/sites/schemas';
import { UptimeInput, uptimeIntervals } from '@contract/uptime/schemas';
import type { UptimeSettings } from '@contract/uptime/schemas';
import { noticeShown } from '@/features/notices/noticesSlice';
import { selectMay } from '@/features/session/sessionSlice';
import { useChangeUptimeMutation, useUptimeSettingsQuery } from '@/features/uptime/uptimeApi';
import { useUnsavedGuard } from '@/lib/useUnsavedGuard';
import { href } from '@/routes/paths';
import { isFailure } from '@/lib/failure';
import type { ApiFailure } from '@/lib/failure';
import { useAppDispatch, useAppSelector } from '@/store/hooks';
import { ResultState } from '@/ui/ResultState';
import { ErrorPanel } from '@/ui/ErrorPanel';
import { CheckField } from '@/ui/form/CheckField';
import { Form } from '@/ui/form/Form';
import { SelectField } from '@/ui/form/SelectField';
import { TextField } from '@/ui/form/TextField';
import { setServerErrors, resetForm, useContractForm } from '@/ui/form/useContractForm';
import { LeaveDialog } from '@/ui/LeaveDialog';
import { SaveBar } from '@/ui/SaveBar';
import { RowsSkeleton } from '@/ui/skeletons';

/** The settings as typed: numbers are strings. */
const Input = z.object({
  ...UptimeInput.shape,
  intervalMinutes: z.string().transform(Number).pipe(UptimeInput.shape.intervalMinutes),
  expectedStatus: z
    .string()
    .trim()
    .regex(/^(?:[1-5]\d\d)?$/)
    .transform((text) => (text === '' ? null : Number(text))),
});
const typed = ({ enabled, intervalMinutes, path, expectedStatus, keyword }: UptimeSettings): z.input<typeof Input> => ({
  enabled,
  intervalMinutes: String(intervalMinutes),
  path,
  expectedStatus: expectedStatus === null ? '' : String(expectedStatus),
  keyword,
});

function Recipients({ recipients, people, mail }: Pick<UptimeSettings, 'recipients' | 'people' | 'mail'>): ReactElement {
  const { t } = useTranslation('uptime');
  const mayRead = useAppSelector((state) => selectMay(state, 'contacts.read'));
  return (
    <Typography variant="body2" role="status" sx={{ mb: 2, color: 'text.secondary' }}>
      {t('form.people', { count: people })}
      <br />
      {recipients === 0 ? t('form.nobody') : t('form.recipients', { count: recipients })}
      {!mail && t('form.mailOff')}{' '}
      {mayRead && (
        <Link className="text-link in-text" to={`${href('account.contacts')}?topic=uptime`}>
          {t('form.contacts')}
        </Link>
      )}
    </Typography>
  );
}

function Settings({ siteId, settings }: { readonly siteId: string; readonly settings: UptimeSettings }): ReactElement {
  const { t } = useTranslation('uptime');
  const dispatch = useAppDispatch();
  const [change, { isLoading }] = useChangeUptimeMutation();
  const [failure, setFailure] = useState<ApiFailure | null>(null);
  const form = useContractForm(Input, { defaultValues: typed(settings), values: typed(settings) });
  const { isDirty } = form.formState;
  const blocker = useUnsavedGuard(isDirty && !isLoading);
  const submit = async (input: UptimeInput): Promise<void> => {
    setFailure(null);
    const { data, error } = await change({ siteId, revision: settings.revision, body: input });
    if (data) {
      resetForm(form, typed(data));
      dispatch(noticeShown({ tone: 'good', message: { key: 'uptime:form.saved' } }));
    } else if (isFailure(error) && !setServerErrors(form, error)) setFailure(error);
  };
  return (
    <Form form={form} onSubmit={submit} label={t('form.label')}>
      {failure && <ErrorPanel failure={failure} title={failure.code === 'stale_revision' ? t('form.stale') : t('form.failed')} />}
      <Box sx={{ display: 'grid', gap: 2.5, maxWidth: 560 }}>
        <CheckField control={form.control} name="enabled" label={t('form.enabled')} help={t('form.enabledHelp', { address: settings.address })} />
        <SelectField
          control={form.control}
          name="intervalMinutes"
          label={t('form.interval')}
          choices={uptimeIntervals.map((minutes) => ({ value: String(minutes), label: t('form.minutes', { count: minutes }) }))}
        />
        <TextField
          control={form.control}
          name="path"
          label={t('form.path')}
          help={t('form.pathHelp')}
          messages={{ pattern: t('form.pathFault') }}
          maxLength={1000}
          placeholder="/"
          verbatim
          optional
        />
        <TextField
          control={form.control}
          name="expectedStatus"
          label={t('form.status')}
          help={t('form.statusHelp')}
          inputMode="numeric"
          maxLength={3}
          placeholder="200"
          optional
        />
        <TextField control={form.control} name="keyword" label={t('form.keyword')} help={t('form.keywordHelp')} maxLength={200} optional />
      </Box>
      <SaveBar
        dirty={isDirty}
        saving={isLoading}
        onDiscard={() => {
          setFailure(null);
          resetForm(form, typed(settings));
        }}
      />
      <LeaveDialog blocker={blocker} />
    </Form>
  );
}

/** Whether and how the site is monitored, and who is notified. The results of the checks are on the dashboard. */
export function UptimeTab({ site }: { readonly site: Site }): ReactElement {
  const { t } = useTranslation('uptime');
  const result = useUptimeSettingsQuery({ siteId: site.id }, { refetchOnMountOrArgChange: true });
  return (
    <>
      <Typography variant="body2" sx={{ maxWidth: 640, mb: 2, color: 'text.secondary' }}>
        {t('form.lead')}{' '}
        <Link className="text-link in-text" to={href('site.dashboard', { siteId: site.id })}>
          {t('form.dashboard')}
        </Link>
      </Typography>
      <ResultState result={result} skeleton={<RowsSkeleton rows={5} />}>
        {(settings) => (
          <>
            <Recipients recipients={settings.recipients} people={settings.people} mail={settings.mail} />
            <Settings siteId={site.id} settings={settings} />
          </>
        )}
      </ResultState>
    </>
  );
}
