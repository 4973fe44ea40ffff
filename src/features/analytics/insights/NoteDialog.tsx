import { AnnotationInput } from '@contract/insights/schemas';
import type { Annotation } from '@contract/insights/schemas';
import { Box } from '@mui/material';
import type { ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import { useFormDraft } from '@/features/session/useFormDraft';
import { DateField } from '@/ui/form/DateField';
import { TextField } from '@/ui/form/TextField';
import { useContractForm } from '@/ui/form/useContractForm';
import { EditDialog } from './EditDialog';
import { useSaveAnnotationMutation } from './insightsApi';
import { useInsightNotices } from './useConditionLabels';
import { useSaving } from './useSaving';

/** Writes a note for a day, or changes one. */
export const NoteDialog = ({ siteId, note, day, onClose }: { siteId: string; note: Annotation | null; day: string; onClose: () => void }): ReactElement => {
  const { t } = useTranslation('insights');
  const notify = useInsightNotices();
  const [save, { isLoading }] = useSaveAnnotationMutation();
  const form = useContractForm(AnnotationInput, { defaultValues: { day: note?.day ?? day, time: note?.time ?? null, text: note?.text ?? '' } });
  const { drop } = useFormDraft(form, `als.note.${siteId}.${note?.id ?? 'new'}`);
  const { submit, failure } = useSaving(
    form,
    drop,
    (body) => save({ siteId, body, ...(note ? { was: note } : {}) }),
    () => {
      notify.good(note ? 'note.changed' : 'note.added');
      onClose();
    },
  );
  const { control } = form;
  return (
    <EditDialog form={form} title={t(note ? 'note.edit' : 'note.add')} busy={isLoading} failure={failure} onSubmit={submit} onClose={onClose}>
      <TextField control={control} name="text" label={t('note.text')} maxLength={300} multiline minRows={2} autoFocus placeholder={t('note.placeholder')} />
      <Box sx={{ display: 'grid', gap: 2, gridTemplateColumns: { xs: 'minmax(0, 1fr)', sm: 'minmax(0, 1fr) minmax(0, 1fr)' }, alignItems: 'start' }}>
        <DateField control={control} name="day" label={t('note.day')} />
        <DateField control={control} name="time" label={t('note.time')} help={t('note.timeHelp')} kind="time" nullable optional />
      </Box>
    </EditDialog>
  );
};
