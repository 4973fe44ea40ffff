import { Box, Typography } from '@mui/material';
import type { ReactElement } from 'react';
import { useWatch } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import { FilingPeople } from '@contract/filings/schemas';
import type { Filing } from '@contract/filings/schemas';
import { noticeShown } from '@/features/notices/noticesSlice';
import { isFailure } from '@/lib/failure';
import { useAppDispatch } from '@/store/hooks';
import { DateField } from '@/ui/form/DateField';
import { FormDialog } from '@/ui/form/FormDialog';
import { TextField } from '@/ui/form/TextField';
import { useContractForm } from '@/ui/form/useContractForm';
import { useSubmit } from '@/ui/form/useSubmit';
import { useChangeFilingPeopleMutation, useFilingPeopleQuery } from './filingsApi';
import { nameOf } from './filingStatus';

type Props = { readonly siteId: string; readonly row: Filing; readonly onClose: () => void };
const nobody = { name: '', phone: '', emergencyPhone: '', email: '', certificateExpires: null };

/** Who is responsible for a filing. Opening it needs a proof of identity, and is recorded. */
export function PeopleDialog({ siteId, row, onClose }: Props): ReactElement {
  const { t } = useTranslation('filings');
  const dispatch = useAppDispatch();
  const { data, error, refetch } = useFilingPeopleQuery({ siteId, id: row.id }, { refetchOnMountOrArgChange: true });
  const [save] = useChangeFilingPeopleMutation();
  const form = useContractForm(FilingPeople, { defaultValues: { subject: nobody, service: nobody }, ...(data && { values: data }) });
  const [subject, service] = useWatch({ control: form.control, name: ['subject', 'service'] });
  const isSamePhone = subject.phone !== '' && subject.phone === service.phone && subject.name !== service.name;
  const { submit, busy, failure } = useSubmit(form, {
    send: (body) => save({ siteId, id: row.id, body }),
    onSuccess: () => {
      dispatch(noticeShown({ tone: 'good', message: { key: 'filings:done.people' } }));
      onClose();
    },
  });
  return (
    <FormDialog
      form={form}
      title={t('people.title', { name: nameOf(row, t(`kind.${row.kind}`)) })}
      lead={t('people.lead')}
      submitLabel={data === undefined || row.locked ? null : t('people.submit')}
      busy={busy}
      failure={failure ?? (isFailure(error) ? error : null)}
      onRetry={error === undefined ? undefined : () => void refetch()}
      width="sm"
      onSubmit={submit}
      onClose={onClose}
    >
      {data !== undefined &&
        (['subject', 'service'] as const).map((who) => (
          <Box key={who} component="fieldset" sx={{ display: 'grid', gap: 2.5, minWidth: 0, m: 0, p: 0, border: 0 }}>
            <Typography component="legend" variant="body1" sx={{ p: 0, mb: 1, fontWeight: 600 }}>
              {t(`people.${who}`)}
            </Typography>
            <TextField control={form.control} name={`${who}.name`} label={t('people.name')} maxLength={60} autoComplete="off" optional />
            <TextField control={form.control} name={`${who}.phone`} label={t('people.phone')} inputMode="tel" maxLength={30} autoComplete="off" optional />
            <TextField
              control={form.control}
              name={`${who}.emergencyPhone`}
              label={t('people.emergencyPhone')}
              inputMode="tel"
              maxLength={30}
              autoComplete="off"
              optional
            />
            <TextField control={form.control} name={`${who}.email`} label={t('people.email')} inputMode="email" maxLength={254} autoComplete="off" optional />
            <DateField
              control={form.control}
              name={`${who}.certificateExpires`}
              label={t('people.certificateExpires')}
              help={t('people.certificateExpiresHelp')}
              nullable
              optional
            />
          </Box>
        ))}
      {isSamePhone && (
        <Typography role="status" variant="caption">
          {t('people.samePhone')}
        </Typography>
      )}
    </FormDialog>
  );
}
