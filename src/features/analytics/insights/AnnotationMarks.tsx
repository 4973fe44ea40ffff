import { AnnotationInput } from '@contract/insights/schemas';
import type { Annotation } from '@contract/insights/schemas';
import { mayOnSite } from '@contract/permissions';
import NoteIcon from '@mui/icons-material/FlagOutlined';
import { Box, Button, Popover, Typography } from '@mui/material';
import { type ReactElement, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useFormDraft } from '@/features/session/useFormDraft';
import { useToday } from '@/lib/useToday';
import { DateField } from '@/ui/form/DateField';
import { TextField } from '@/ui/form/TextField';
import { useContractForm } from '@/ui/form/useContractForm';
import { useConfirm } from '@/ui/confirmContext';
import type { AnnotationMarksProps } from '../slots';
import { bucketOf } from './annotationNotes';
import { EditDialog } from './EditDialog';
import { EditTools } from './EditTools';
import { useAnnotationsQuery, useRemoveAnnotationMutation, useSaveAnnotationMutation } from './insightsApi';
import { useTell } from './useConditionLabels';
import { useSaving } from './useSaving';

/** The text of an annotation, or the message of an automatic one. */
const useAnnotationLabels = () => {
  const { t } = useTranslation('insights');
  return ({ kind, text, values }: Annotation): string => {
    if (kind === 'note') return text;
    const written = (value: string | undefined): string =>
      kind === 'identity_changed' ? t(`identity.${value === 'cookieless' ? 'cookieless' : 'first_party'}`) : (value ?? '');
    return t(`note.kind.${kind}`, {
      name: values['name'] ?? '',
      before: written(values['before']) || t('note.nothing'),
      after: written(values['after']) || t('note.nothing'),
    });
  };
};

const NoteDialog = ({ siteId, note, day, onClose }: { siteId: string; note: Annotation | null; day: string; onClose: () => void }): ReactElement => {
  const { t } = useTranslation('insights');
  const tell = useTell();
  const [save, { isLoading }] = useSaveAnnotationMutation();
  const form = useContractForm(AnnotationInput, { defaultValues: { day: note?.day ?? day, time: note?.time ?? null, text: note?.text ?? '' } });
  const { drop } = useFormDraft(form, `als.note.${siteId}.${note?.id ?? 'new'}`);
  const { submit, failure } = useSaving(
    form,
    drop,
    (body) => save({ siteId, body, ...(note ? { was: note } : {}) }),
    () => {
      tell.good(note ? 'note.changed' : 'note.added');
      onClose();
    },
  );
  const { control } = form;
  return (
    <EditDialog form={form} title={t(note ? 'note.edit' : 'note.add')} busy={isLoading} failure={failure} onSubmit={submit} onClose={onClose}>
      <TextField control={control} name="text" label={t('note.text')} maxLength={300} multiline minRows={2} autoFocus placeholder={t('note.placeholder')} />
      <Box sx={{ display: 'grid', gap: 2, gridTemplateColumns: { xs: 'minmax(0, 1fr)', sm: 'minmax(0, 1fr) minmax(0, 1fr)' }, alignItems: 'start' }}>
        <DateField control={control} name="day" label={t('note.day')} />
        <TextField control={control} name="time" label={t('note.time')} help={t('note.timeHelp')} type="time" nullable optional />
      </Box>
    </EditDialog>
  );
};

/** Flags of a chart, and the list behind its “notes” button. */
const AnnotationMarks = ({ site, report, children }: AnnotationMarksProps): ReactElement => {
  const { t } = useTranslation('insights');
  const say = useAnnotationLabels();
  const tell = useTell();
  const confirm = useConfirm();
  const today = useToday(site.timeZone);
  const mayWrite = mayOnSite(site.role, 'analytics.write');
  const { data } = useAnnotationsQuery({ siteId: site.id, from: report.from, to: report.to });
  const [remove] = useRemoveAnnotationMutation();
  const [anchor, setAnchor] = useState<HTMLElement | null>(null);
  const [editing, setEditing] = useState<Annotation | 'new' | null>(null);
  const notes = data ?? [];
  const series = report.series ?? [];
  const ask = async (note: Annotation): Promise<void> => {
    setAnchor(null);
    if (!(await confirm({ title: t('note.removeTitle'), body: note.text, confirm: t('edit.remove'), danger: true }))) return;
    const done = await remove({ siteId: site.id, id: note.id });
    if (done.error === undefined) tell.good('note.removed');
    else tell.bad(done.error);
  };
  const tools = (
    <>
      <Button size="small" startIcon={<NoteIcon />} aria-haspopup="dialog" onClick={(event) => setAnchor(event.currentTarget)} sx={{ color: 'text.secondary' }}>
        {notes.length === 0 ? t('note.title') : t('note.count', { count: notes.length })}
      </Button>
      <Popover
        open={anchor !== null}
        anchorEl={anchor}
        onClose={() => setAnchor(null)}
        anchorOrigin={{ vertical: 'bottom', horizontal: 'right' }}
        transformOrigin={{ vertical: 'top', horizontal: 'right' }}
        slotProps={{ paper: { role: 'dialog', 'aria-label': t('note.title'), sx: { width: 360, maxWidth: 'calc(100vw - 32px)', p: 1.5 } } }}
      >
        {notes.length === 0 && (
          <Typography variant="body2" sx={{ color: 'text.secondary' }}>
            {t('note.empty')}
          </Typography>
        )}
        <Box component="ul" sx={{ listStyle: 'none', p: 0, m: 0, display: 'grid', gap: 1 }}>
          {notes.map((note) => (
            <Box component="li" key={note.id} sx={{ display: 'flex', gap: 1, alignItems: 'flex-start' }}>
              <Box sx={{ flex: 1, minWidth: 0, fontSize: 14, overflowWrap: 'anywhere' }}>
                {say(note)}
                <Typography variant="caption" component="div" sx={{ color: 'text.secondary' }}>
                  {[note.time === null ? note.day : `${note.day} ${note.time}`, note.author].filter((one) => one !== '').join(' · ')}
                </Typography>
              </Box>
              {mayWrite && note.kind === 'note' && (
                <EditTools
                  name={note.text}
                  onEdit={() => {
                    setAnchor(null);
                    setEditing(note);
                  }}
                  onRemove={() => void ask(note)}
                />
              )}
            </Box>
          ))}
        </Box>
        {mayWrite && (
          <Button
            size="small"
            sx={{ mt: 1 }}
            onClick={() => {
              setAnchor(null);
              setEditing('new');
            }}
          >
            {t('note.add')}
          </Button>
        )}
      </Popover>
      {editing !== null && (
        <NoteDialog siteId={site.id} note={editing === 'new' ? null : editing} day={report.to < today ? report.to : today} onClose={() => setEditing(null)} />
      )}
    </>
  );
  const flags = notes.flatMap((note) => {
    const index = bucketOf(series, note);
    return index < 0 ? [] : [{ index, text: say(note) }];
  });
  return children(flags, tools);
};
export default AnnotationMarks;
