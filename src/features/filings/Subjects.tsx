import { Box, Button, Typography } from '@mui/material';
import { useState } from 'react';
import type { ReactElement } from 'react';
import { useWatch } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import { numberExamples } from '@contract/filings/numbers';
import { filingProvinces } from '@contract/filings/provinces';
import { SubjectInput } from '@contract/filings/schemas';
import type { Subject } from '@contract/filings/schemas';
import { certificateKinds, subjectNatures } from '@contract/filings/terms';
import { noticeShown, notifyFailure } from '@/features/notices/noticesSlice';
import { whole, useSearchState } from '@/lib/searchState';
import { useAppDispatch } from '@/store/hooks';
import { useConfirm } from '@/ui/confirmContext';
import { DateField } from '@/ui/form/DateField';
import { FormDialog } from '@/ui/form/FormDialog';
import { SelectField } from '@/ui/form/SelectField';
import { TextField } from '@/ui/form/TextField';
import { useContractForm } from '@/ui/form/useContractForm';
import { useSubmit } from '@/ui/form/useSubmit';
import { RowList } from '@/ui/list/RowList';
import { Pager } from '@/ui/Pager';
import { Section } from '@/ui/Section';
import { Tag } from '@/ui/Tag';
import { useAddFilingSubjectMutation, useChangeFilingSubjectMutation, useFilingSubjectsQuery, useRemoveFilingSubjectMutation } from './filingsApi';

const address = { subjects: whole(1), subjectsSize: whole(20, 20, 100) };
const sizes = [20, 50, 100] as const;

const inputOf = (row: Subject | null): SubjectInput => ({
  nature: row?.nature ?? 'company',
  name: row?.name ?? '',
  certificateKind: row?.certificateKind ?? 'credit_code',
  certificateNumber: null,
  certificateExpires: row?.certificateExpires ?? null,
  province: row?.province ?? 'BJ',
  mainNumber: row?.mainNumber ?? '',
  provider: row?.provider ?? '',
  notes: row?.notes ?? '',
});

function SubjectDialog({ row, onClose }: { readonly row: Subject | null; readonly onClose: () => void }): ReactElement {
  const { t } = useTranslation('filings');
  const dispatch = useAppDispatch();
  const [add] = useAddFilingSubjectMutation();
  const [save] = useChangeFilingSubjectMutation();
  const form = useContractForm(SubjectInput, { defaultValues: inputOf(row) });
  const certificateKind = useWatch({ control: form.control, name: 'certificateKind' });
  const { submit, busy, failure } = useSubmit(form, {
    send: (body) => (row === null ? add({ body }) : save({ id: row.id, revision: row.revision, body })),
    onSuccess: ({ name }) => {
      dispatch(noticeShown({ tone: 'good', message: { key: 'filings:done.saved', values: { name } } }));
      onClose();
    },
  });
  return (
    <FormDialog
      form={form}
      title={row === null ? t('subject.add') : t('form.edit', { name: row.name })}
      submitLabel={row === null ? t('form.submitNew') : t('form.submit')}
      busy={busy}
      failure={failure}
      width="sm"
      onSubmit={submit}
      onClose={onClose}
    >
      <SelectField
        control={form.control}
        name="nature"
        label={t('subject.nature')}
        choices={subjectNatures.map((value) => ({ value, label: t(`nature.${value}`) }))}
      />
      <TextField control={form.control} name="name" label={t('subject.name')} help={t('subject.nameHelp')} maxLength={100} autoComplete="off" />
      <SelectField
        control={form.control}
        name="certificateKind"
        label={t('subject.certificateKind')}
        choices={certificateKinds.map((value) => ({ value, label: t(`certificate.${value}`) }))}
      />
      <TextField
        control={form.control}
        name="certificateNumber"
        label={t(`certificate.${certificateKind}`)}
        help={row === null || row.certificateMasked === '' ? t('subject.certificateHelp') : t('subject.certificateStored', { number: row.certificateMasked })}
        maxLength={40}
        autoComplete="off"
        nullable
        optional
        verbatim
      />
      <DateField control={form.control} name="certificateExpires" label={t('subject.certificateExpires')} nullable optional />
      <SelectField
        control={form.control}
        name="province"
        label={t('form.province')}
        choices={filingProvinces.map(({ iso }) => ({ value: iso, label: t(`province.${iso as 'BJ'}`) }))}
      />
      <TextField
        control={form.control}
        name="mainNumber"
        label={t('subject.mainNumber')}
        help={t('subject.mainNumberHelp', { example: numberExamples.icp.replace('-1', '') })}
        maxLength={40}
        verbatim
        optional
      />
      <TextField control={form.control} name="provider" label={t('subject.provider')} help={t('subject.providerHelp')} maxLength={60} optional />
      <TextField control={form.control} name="notes" label={t('subject.notes')} multiline minRows={2} maxRows={6} maxLength={2000} optional />
    </FormDialog>
  );
}

/** Subjects of filings, which all sites share: for people who manage the installation. */
export function Subjects(): ReactElement | null {
  const { t } = useTranslation('filings');
  const dispatch = useAppDispatch();
  const confirm = useConfirm();
  const [{ subjects: page, subjectsSize: size }, change] = useSearchState(address);
  const { data } = useFilingSubjectsQuery({ page, size });
  const [remove] = useRemoveFilingSubjectMutation();
  const [open, setOpen] = useState<Subject | 'new' | null>(null);
  if (data === undefined) return null;
  const removeNow = async ({ id, name }: Subject): Promise<void> => {
    if (!(await confirm({ title: t('subject.removeTitle', { name }), body: t('subject.removeText'), confirm: t('remove'), danger: true }))) return;
    const { error } = await remove({ id });
    if (error !== undefined) notifyFailure(dispatch, error);
  };
  return (
    <Section
      title={t('subject.title')}
      note={t('subject.lead')}
      actions={
        <Button size="small" onClick={() => setOpen('new')}>
          {t('subject.add')}
        </Button>
      }
    >
      {data.total === 0 ? (
        <Typography variant="body2" sx={{ color: 'text.secondary' }}>
          {t('subject.none')}
        </Typography>
      ) : (
        <RowList label={t('subject.title')}>
          {data.rows.map((row) => (
            <Box
              component="li"
              key={row.id}
              sx={{ display: 'flex', flexWrap: 'wrap', alignItems: 'center', gap: 1, py: 1, borderBottom: 1, borderColor: 'divider' }}
            >
              <Box sx={{ flex: '1 1 240px', minWidth: 0, overflowWrap: 'anywhere' }}>
                <Typography variant="body2" component="div">
                  {row.name} {row.mainNumber !== '' && row.active === 0 && <Tag tone="bad">{t('subject.empty')}</Tag>}
                </Typography>
                <Typography variant="caption" component="div" sx={{ color: 'text.secondary' }}>
                  {[t(`nature.${row.nature}`), row.certificateMasked, row.mainNumber, t('subject.filings', { count: row.filings })]
                    .filter((text) => text !== '')
                    .join(' · ')}
                </Typography>
              </Box>
              <Box sx={{ display: 'flex', gap: 1, ml: 'auto' }}>
                <Button size="small" aria-label={t('form.edit', { name: row.name })} onClick={() => setOpen(row)}>
                  {t('form.open')}
                </Button>
                {row.filings === 0 && (
                  <Button size="small" color="error" aria-label={t('subject.removeNamed', { name: row.name })} onClick={() => void removeNow(row)}>
                    {t('remove')}
                  </Button>
                )}
              </Box>
            </Box>
          ))}
        </RowList>
      )}
      <Pager
        page={page}
        size={size}
        count={data.total}
        sizes={sizes}
        onPage={(subjects) => change({ subjects })}
        onSize={(subjectsSize) => change({ subjectsSize, subjects: 1 })}
      />
      {open !== null && <SubjectDialog row={open === 'new' ? null : open} onClose={() => setOpen(null)} />}
    </Section>
  );
}
