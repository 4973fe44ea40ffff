import type { Segment } from '@contract/insights/schemas';
import { Button, Popover } from '@mui/material';
import { lazy, type ReactElement, Suspense, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Caret } from '@/ui/Caret';
import { FilterChip } from '../FilterChip';
import { filterText } from '../filters';
import type { SegmentMenuProps } from '../insightSlots';
import { useGoalsQuery, useRemoveSegmentMutation, useSegmentsQuery } from './insightsApi';
import { mostSegments, SegmentList } from './SegmentList';
import { useInsightNotices } from './useConditionLabels';
import { useRemoval } from './useRemoval';

const SegmentDialog = lazy(async () => ({ default: (await import(/* webpackChunkName: "insight-dialogs" */ './SegmentDialog')).SegmentDialog }));

/** Removes a segment after a confirmation, also from the filters of the screen. */
const useRemoveSegment = ({ site, state, change }: SegmentMenuProps): ((segment: Segment) => Promise<void>) => {
  const { t } = useTranslation('insights');
  const [remove] = useRemoveSegmentMutation();
  const confirmAndRemove = useRemoval();
  return async ({ id, name, shared }) => {
    const removed = await confirmAndRemove(
      { title: t('segment.removeTitle', { name }), body: t(shared ? 'segment.removeShared' : 'segment.removeOwn') },
      () => remove({ siteId: site.id, id }),
      ['segment.removed', { name }],
      { kind: 'segment', siteId: site.id, id },
    );
    if (removed && state.segment.includes(id)) change({ segment: state.segment.filter((one) => one !== id) }, 'replace');
  };
};

/** Saved segments: the active ones are chips; the menu selects, saves, renames and removes segments. */
const SegmentMenu = (props: SegmentMenuProps): ReactElement | null => {
  const { site, state, change } = props;
  const { t } = useTranslation('insights');
  const notify = useInsightNotices();
  const { data: segments } = useSegmentsQuery({ siteId: site.id });
  // For the names of filters and rows, which refer to goals by id.
  useGoalsQuery({ siteId: site.id });
  const removeSegment = useRemoveSegment(props);
  const [anchor, setAnchor] = useState<HTMLElement | null>(null);
  const [editing, setEditing] = useState<Segment | 'new' | null>(null);
  if (segments === undefined) return null;
  return (
    <>
      {state.segment.map((id) => {
        const segment = segments.find((one) => one.id === id);
        return (
          <FilterChip
            key={id}
            text={segment ? t('segment.chip', { name: segment.name }) : t('segment.gone')}
            onEdit={(event) => setAnchor(event.currentTarget)}
            onRemove={() => change({ segment: state.segment.filter((one) => one !== id) })}
          />
        );
      })}
      <Button
        size="small"
        endIcon={<Caret />}
        aria-haspopup="dialog"
        aria-expanded={anchor !== null}
        onClick={(event) => setAnchor(event.currentTarget)}
        sx={{ color: 'text.secondary' }}
      >
        {t('segment.menu')}
      </Button>
      <Popover
        open={anchor !== null}
        anchorEl={anchor}
        onClose={() => setAnchor(null)}
        anchorOrigin={{ vertical: 'bottom', horizontal: 'left' }}
        slotProps={{ paper: { role: 'dialog', 'aria-label': t('segment.menu'), sx: { width: 340, maxWidth: 'calc(100vw - 32px)', p: 1.5 } } }}
      >
        <SegmentList
          {...props}
          segments={segments}
          onEdit={(segment) => {
            setAnchor(null);
            setEditing(segment);
          }}
          onRemove={(segment) => {
            setAnchor(null);
            void removeSegment(segment);
          }}
        />
      </Popover>
      {editing !== null && (
        <Suspense fallback={null}>
          <SegmentDialog
            siteId={site.id}
            segment={editing === 'new' ? null : editing}
            filters={editing === 'new' ? state.filters.map(filterText) : editing.filters}
            onClose={() => setEditing(null)}
            onSaved={(segment) => {
              notify.good(editing === 'new' ? 'segment.added' : 'segment.changed', { name: segment.name });
              // The filters now belong to the segment and would otherwise be shown twice.
              if (editing === 'new') change({ filters: [], segment: [...state.segment, segment.id].slice(-mostSegments) });
              setEditing(null);
            }}
          />
        </Suspense>
      )}
    </>
  );
};
export default SegmentMenu;
