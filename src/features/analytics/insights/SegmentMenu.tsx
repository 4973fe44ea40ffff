import { SegmentInput } from '@contract/insights/schemas';
import type { Segment } from '@contract/insights/schemas';
import { mayOnSite } from '@contract/permissions';
import DownIcon from '@mui/icons-material/ArrowDropDownOutlined';
import { Box, Button, Checkbox, FormControlLabel, Popover, Typography } from '@mui/material';
import { type ReactElement, useState } from 'react';
import { Controller } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import { useFormDraft } from '@/features/session/useFormDraft';
import { useConfirm } from '@/ui/confirmContext';
import { TextField } from '@/ui/form/TextField';
import { useContractForm } from '@/ui/form/useContractForm';
import { FilterChip } from '../FilterChip';
import { filterText, parseFilter } from '../filters';
import type { SegmentMenuProps } from '../slots';
import { useLabels } from '../useLabels';
import { EditDialog } from './EditDialog';
import { EditTools } from './EditTools';
import { useGoalsQuery, useRemoveSegmentMutation, useSaveSegmentMutation, useSegmentsQuery } from './insightsApi';
import { useTell } from './useConditionLabels';
import { useSaving } from './useSaving';

/** Names a set of filters; `segment`: renames one or changes its visibility. */
const SegmentDialog = ({
  siteId,
  segment,
  filters,
  onSaved,
  onClose,
}: {
  readonly siteId: string;
  readonly segment: Segment | null;
  readonly filters: readonly string[];
  readonly onSaved: (segment: Segment) => void;
  readonly onClose: () => void;
}): ReactElement => {
  const { t } = useTranslation('insights');
  const labels = useLabels();
  const [save, { isLoading }] = useSaveSegmentMutation();
  const form = useContractForm(SegmentInput, { defaultValues: { name: segment?.name ?? '', filters: [...filters], shared: segment?.shared ?? false } });
  const { drop } = useFormDraft(form, `als.segment.${siteId}.${segment?.id ?? 'new'}`);
  // A draft stores the input, not the current filters.
  const { submit, failure } = useSaving(
    form,
    drop,
    (typed) => save({ siteId, body: { ...typed, filters: [...filters] }, ...(segment ? { was: segment } : {}) }),
    onSaved,
  );
  return (
    <EditDialog
      form={form}
      title={t(segment ? 'segment.edit' : 'segment.save')}
      lead={filters
        .map((text) => parseFilter(text))
        .flatMap((one) => (one ? [labels.filter(one)] : []))
        .join(t('list'))}
      busy={isLoading}
      failure={failure}
      onSubmit={submit}
      onClose={onClose}
    >
      <TextField control={form.control} name="name" label={t('edit.name')} maxLength={60} autoFocus autoComplete="off" messages={{ taken: t('edit.taken') }} />
      <Controller
        control={form.control}
        name="shared"
        render={({ field }) => (
          <FormControlLabel
            label={t('segment.shared')}
            disabled={segment !== null && !segment.own}
            control={<Checkbox size="small" checked={field.value} onChange={(_event, on) => field.onChange(on)} />}
          />
        )}
      />
    </EditDialog>
  );
};

/** Saved segments: the active ones are chips; the menu selects, saves, renames and removes segments. */
const SegmentMenu = ({ site, state, change }: SegmentMenuProps): ReactElement | null => {
  const { t } = useTranslation('insights');
  const labels = useLabels();
  const tell = useTell();
  const confirm = useConfirm();
  const mayWrite = mayOnSite(site.role, 'analytics.write');
  const { data: segments } = useSegmentsQuery({ siteId: site.id });
  // For the names of filters and rows, which refer to goals by id.
  useGoalsQuery({ siteId: site.id });
  const [remove] = useRemoveSegmentMutation();
  const [anchor, setAnchor] = useState<HTMLElement | null>(null);
  const [editing, setEditing] = useState<Segment | 'new' | null>(null);
  if (segments === undefined) return null;
  const without = (id: string): readonly string[] => state.segment.filter((one) => one !== id);
  const ask = async (segment: Segment): Promise<void> => {
    setAnchor(null);
    if (
      !(await confirm({
        title: t('segment.removeTitle', { name: segment.name }),
        body: t(segment.shared ? 'segment.removeShared' : 'segment.removeOwn'),
        confirm: t('edit.remove'),
        danger: true,
      }))
    )
      return;
    const done = await remove({ siteId: site.id, id: segment.id });
    if (done.error === undefined) {
      tell.good('segment.removed', { name: segment.name });
      if (state.segment.includes(segment.id)) change({ segment: without(segment.id) }, 'replace');
    } else tell.bad(done.error);
  };
  const filtersOf = (segment: Segment): string =>
    segment.filters
      .map((text) => parseFilter(text))
      .flatMap((one) => (one ? [labels.filter(one)] : []))
      .join(t('list'));
  return (
    <>
      {state.segment.map((id) => {
        const segment = segments.find((one) => one.id === id);
        return (
          <FilterChip
            key={id}
            text={segment ? t('segment.chip', { name: segment.name }) : t('segment.gone')}
            onEdit={(event) => setAnchor(event.currentTarget)}
            onRemove={() => change({ segment: without(id) })}
          />
        );
      })}
      <Button
        size="small"
        endIcon={<DownIcon />}
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
        {segments.length === 0 && (
          <Typography variant="body2" sx={{ color: 'text.secondary', mb: 1 }}>
            {t('segment.empty')}
          </Typography>
        )}
        <Box component="ul" sx={{ listStyle: 'none', p: 0, m: 0 }}>
          {segments.map((segment) => (
            <Box component="li" key={segment.id} sx={{ display: 'flex', alignItems: 'flex-start' }}>
              <FormControlLabel
                sx={{ flex: 1, minWidth: 0, alignItems: 'flex-start', mr: 0 }}
                control={
                  <Checkbox
                    size="small"
                    sx={{ py: 0.25 }}
                    checked={state.segment.includes(segment.id)}
                    disabled={!state.segment.includes(segment.id) && state.segment.length >= 5}
                    onChange={(_event, on) => change({ segment: on ? [...state.segment, segment.id] : without(segment.id) })}
                  />
                }
                label={
                  <Box sx={{ fontSize: 14, overflowWrap: 'anywhere' }}>
                    {segment.name}
                    <Typography variant="caption" component="div" sx={{ color: 'text.secondary' }}>
                      {[filtersOf(segment), segment.shared ? t('segment.sharedBy', { name: segment.author || t('segment.nobody') }) : t('segment.own')].join(
                        ' · ',
                      )}
                    </Typography>
                  </Box>
                }
              />
              {mayWrite && (
                <EditTools
                  name={segment.name}
                  onEdit={() => {
                    setAnchor(null);
                    setEditing(segment);
                  }}
                  onRemove={() => void ask(segment)}
                />
              )}
            </Box>
          ))}
        </Box>
        {mayWrite && (
          <Button
            size="small"
            sx={{ mt: 1 }}
            disabled={state.filters.length === 0}
            onClick={() => {
              setAnchor(null);
              setEditing('new');
            }}
          >
            {t('segment.save')}
          </Button>
        )}
        {mayWrite && state.filters.length === 0 && (
          <Typography variant="caption" component="p" sx={{ color: 'text.secondary', m: 0 }}>
            {t('segment.saveHelp')}
          </Typography>
        )}
      </Popover>
      {editing !== null && (
        <SegmentDialog
          siteId={site.id}
          segment={editing === 'new' ? null : editing}
          filters={editing === 'new' ? state.filters.map(filterText) : editing.filters}
          onClose={() => setEditing(null)}
          onSaved={(segment) => {
            tell.good(editing === 'new' ? 'segment.added' : 'segment.changed', { name: segment.name });
            // The filters now belong to the segment and would otherwise be shown twice.
            if (editing === 'new') change({ filters: [], segment: [...state.segment, segment.id].slice(-5) });
            setEditing(null);
          }}
        />
      )}
    </>
  );
};
export default SegmentMenu;
