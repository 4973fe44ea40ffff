import type { Annotation } from '@contract/insights/schemas';
import { mayOnSite } from '@contract/permissions';
import NoteIcon from '@mui/icons-material/FlagOutlined';
import { Button, Popover } from '@mui/material';
import { lazy, type ReactElement, Suspense, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useToday } from '@/lib/useToday';
import type { AnnotationMarksProps } from '../insightSlots';
import { bucketOf } from './annotationNotes';
import { useAnnotationsQuery, useRemoveAnnotationMutation } from './insightsApi';
import { NoteList } from './NoteList';
import { useAnnotationLabels } from './useAnnotationLabels';
import { useRemoval } from './useRemoval';

/** With its form and schemas it is ten times the size of the marks, and rarely opened. */
const NoteDialog = lazy(async () => ({ default: (await import(/* webpackChunkName: "insight-dialogs" */ './NoteDialog')).NoteDialog }));

/** Flags of a chart, and the list behind its “notes” button. */
const AnnotationMarks = ({ site, report, children }: AnnotationMarksProps): ReactElement => {
  const { t } = useTranslation('insights');
  const say = useAnnotationLabels();
  const confirmAndRemove = useRemoval();
  const today = useToday(site.timeZone);
  const { data: notes = [] } = useAnnotationsQuery({ siteId: site.id, from: report.from, to: report.to });
  const [remove] = useRemoveAnnotationMutation();
  const [anchor, setAnchor] = useState<HTMLElement | null>(null);
  const [editing, setEditing] = useState<Annotation | 'new' | null>(null);
  const series = report.series ?? [];
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
        <NoteList
          notes={notes}
          mayWrite={mayOnSite(site.role, 'analytics.write')}
          onEdit={(note) => {
            setAnchor(null);
            setEditing(note);
          }}
          onRemove={({ id, text }) => {
            setAnchor(null);
            void confirmAndRemove({ title: t('note.removeTitle'), body: text }, () => remove({ siteId: site.id, id }), ['note.removed'], {
              kind: 'annotation',
              siteId: site.id,
              id,
            });
          }}
        />
      </Popover>
      {editing !== null && (
        <Suspense fallback={null}>
          <NoteDialog siteId={site.id} note={editing === 'new' ? null : editing} day={report.to < today ? report.to : today} onClose={() => setEditing(null)} />
        </Suspense>
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
