import type { Annotation } from '@contract/insights/schemas';
import { Box, Button, Typography } from '@mui/material';
import type { ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import { EditTools } from './EditTools';
import { useAnnotationLabels } from './useAnnotationLabels';

type ListProps = {
  readonly notes: readonly Annotation[];
  readonly mayWrite: boolean;
  readonly onEdit: (note: Annotation | 'new') => void;
  readonly onRemove: (note: Annotation) => void;
};

/** The annotations of a range; only those written by people can be changed. */
export const NoteList = ({ notes, mayWrite, onEdit, onRemove }: ListProps): ReactElement => {
  const { t } = useTranslation('insights');
  const say = useAnnotationLabels();
  return (
    <>
      {notes.length === 0 && (
        <Typography variant="body2" sx={{ color: 'text.secondary' }}>
          {t('note.empty')}
        </Typography>
      )}
      <Box component="ul" sx={{ listStyle: 'none', p: 0, m: 0, display: 'grid', gap: 1 }}>
        {notes.map((note) => (
          <Box component="li" key={note.id} sx={{ display: 'flex', gap: 1, alignItems: 'flex-start' }}>
            <Box sx={{ flex: 1, minWidth: 0, fontSize: 'var(--text-body)', overflowWrap: 'anywhere' }}>
              {say(note)}
              <Typography variant="caption" component="div" sx={{ color: 'text.secondary' }}>
                {[note.time === null ? note.day : `${note.day} ${note.time}`, note.author].filter((one) => one !== '').join(' · ')}
              </Typography>
            </Box>
            {mayWrite && note.kind === 'note' && <EditTools name={note.text} onEdit={() => onEdit(note)} onRemove={() => onRemove(note)} />}
          </Box>
        ))}
      </Box>
      {mayWrite && (
        <Button sx={{ mt: 1 }} onClick={() => onEdit('new')}>
          {t('note.add')}
        </Button>
      )}
    </>
  );
};
