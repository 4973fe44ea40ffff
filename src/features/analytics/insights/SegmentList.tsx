import type { Segment } from '@contract/insights/schemas';
import { mayOnSite } from '@contract/permissions';
import { Box, Button, Checkbox, FormControlLabel, Typography } from '@mui/material';
import type { ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import type { SegmentMenuProps } from '../insightSlots';
import { useFilterLabels } from '../useFilterLabels';
import { EditTools } from './EditTools';

/** At most this many segments apply at once. */
export const mostSegments = 5;

type ListProps = SegmentMenuProps & {
  readonly segments: readonly Segment[];
  readonly onEdit: (segment: Segment | 'new') => void;
  readonly onRemove: (segment: Segment) => void;
};

/** The content of the menu: all segments with a check mark each, and a way to save the current filters as one. */
export const SegmentList = ({ segments, ...props }: ListProps): ReactElement => {
  const { site, state, onEdit } = props;
  const { t } = useTranslation('insights');
  const mayWrite = mayOnSite(site.role, 'analytics.write');
  return (
    <>
      {segments.length === 0 && (
        <Typography variant="body2" sx={{ color: 'text.secondary', mb: 1 }}>
          {t('segment.empty')}
        </Typography>
      )}
      <Box component="ul" sx={{ listStyle: 'none', p: 0, m: 0 }}>
        {segments.map((segment) => (
          <SegmentRow key={segment.id} segment={segment} mayWrite={mayWrite} {...props} />
        ))}
      </Box>
      {mayWrite && (
        <Button sx={{ mt: 1 }} disabled={state.filters.length === 0} onClick={() => onEdit('new')}>
          {t('segment.save')}
        </Button>
      )}
      {mayWrite && state.filters.length === 0 && (
        <Typography variant="caption" component="p" sx={{ color: 'text.secondary', m: 0 }}>
          {t('segment.saveHelp')}
        </Typography>
      )}
    </>
  );
};

const SegmentRow = ({
  segment,
  mayWrite,
  state,
  change,
  onEdit,
  onRemove,
}: Omit<ListProps, 'segments'> & { readonly segment: Segment; readonly mayWrite: boolean }): ReactElement => {
  const { t } = useTranslation('insights');
  const filterLabels = useFilterLabels();
  const active = state.segment.includes(segment.id);
  return (
    <Box component="li" sx={{ display: 'flex', alignItems: 'flex-start' }}>
      <FormControlLabel
        sx={{ flex: 1, minWidth: 0, alignItems: 'flex-start', mr: 0 }}
        control={
          <Checkbox
            sx={{ py: 0.25 }}
            checked={active}
            disabled={!active && state.segment.length >= mostSegments}
            onChange={(_event, on) => change({ segment: on ? [...state.segment, segment.id] : state.segment.filter((id) => id !== segment.id) })}
          />
        }
        label={
          <Box sx={{ fontSize: 'var(--text-body)', overflowWrap: 'anywhere' }}>
            {segment.name}
            <Typography variant="caption" component="div" sx={{ color: 'text.secondary' }}>
              {[
                filterLabels(segment.filters).join(t('list')),
                segment.shared ? t('segment.sharedBy', { name: segment.author || t('segment.nobody') }) : t('segment.own'),
              ].join(' · ')}
            </Typography>
          </Box>
        }
      />
      {mayWrite && <EditTools name={segment.name} onEdit={() => onEdit(segment)} onRemove={() => onRemove(segment)} />}
    </Box>
  );
};
