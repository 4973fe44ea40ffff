import AddIcon from '@mui/icons-material/FilterListOutlined';
import { Button } from '@mui/material';
import { styled } from '@mui/material/styles';
import { lazy, type MouseEvent, type ReactElement, type ReactNode, Suspense, useState } from 'react';
import { addDays, type Day } from '@/lib/days';
import { DateRangeField, rangeText } from '@/ui/DateRangeField';
import type { Site } from '@contract/sites/schemas';
import { sharedSecret } from '@/lib/sharedLink';
import { phone, useMedia } from '@/lib/useMedia';
import { compareModes, populations } from './choices';
import { type Filter, filterText, withFilter } from './filters';
import { FilterChip } from './FilterChip';
import { QuietSelect } from './QuietSelect';
import { compareRange, type Preset, presetRange, presets, shiftRange } from './range';
import type { Change } from './useReportState';
import { slots } from './slots';
import { type ReportState } from './urlState';
import { useLabels } from './useLabels';

const ControlSheet = lazy(() => import(/* webpackChunkName: "filter" */ './ControlSheet'));
const FilterEditor = lazy(() => import(/* webpackChunkName: "filter" */ './FilterEditor'));

const Row = styled('div')({
  position: 'sticky',
  top: 'var(--topbar, 48px)',
  zIndex: 5,
  display: 'flex',
  flexWrap: 'wrap',
  alignItems: 'center',
  gap: '4px 8px',
  padding: '8px 0',
  marginBottom: 16,
  background: 'var(--canvas)',
  borderBottom: '1px solid var(--line)',
  '@media print': { position: 'static' },
  '@media (max-width: 719px)': { position: 'static' },
});
const Zone = styled('span')({ color: 'var(--ink-2)', fontSize: '0.75rem', whiteSpace: 'nowrap' });
const Side = styled('div')({ marginLeft: 'auto', display: 'flex', alignItems: 'center', gap: 8 });

/** Longest range of a report in days: three years (server/areas/analytics/range.ts). */
export const longestDays = 1096;

/** The visitor filter, which has its own control; a filter like any other in the address. */
const VisitorChoice = ({ state, change }: { state: ReportState; change: Change }): ReactElement => {
  const { t } = useLabels();
  const of = state.filters.find(({ by, op, values }) => by === 'newReturning' && op === 'is' && values.length === 1);
  const rest = state.filters.filter((one) => one !== of);
  return (
    <QuietSelect
      label={t('dimension.newReturning')}
      value={of?.values[0] ?? 'all'}
      options={(['all', 'new', 'returning'] as const).map((id) => ({ id, name: id === 'all' ? t('visitors.all') : t(`newReturning.${id}`) }))}
      onChange={(id) => change({ filters: id === 'all' ? rest : withFilter(rest, { by: 'newReturning', op: 'is', values: [id] }) })}
    />
  );
};

/** The conditions of a report: range, comparison, visitors, filters, all of them in the address; on a phone everything but the range is a sheet. */
export const ControlRow = ({
  site,
  today,
  state,
  change,
  ranged = true,
  compares = true,
  children,
}: {
  site: Site;
  today: Day;
  state: ReportState;
  change: Change;
  /** Off for screens without a range, such as the live list. */ ranged?: boolean;
  /** Off for screens without a comparison. */ compares?: boolean;
  children?: ReactNode;
}): ReactElement => {
  const labels = useLabels();
  const { t } = labels;
  const { timeZone } = site;
  const small = useMedia(phone);
  const [open, setOpen] = useState(false);
  const [editing, setEditing] = useState<{ anchor: HTMLElement; filter: Filter | null } | null>(null);
  const compared = compareRange(state.range, state.compare, state.compareTo);
  const oldest = addDays(today, 1 - longestDays);
  const { SegmentMenu } = slots;
  const put = (next: Filter, before: Filter | null): void => {
    const others = state.filters.filter((one) => before === null || filterText(one) !== filterText(before));
    change({ filters: [...others, next] });
    setEditing(null);
  };
  const set = state.filters.length + state.segment.length + (state.who === 'humans' ? 0 : 1);
  const range = ranged && (
    <DateRangeField
      label={t('explain.range')}
      chosen={state.preset}
      value={state.range}
      choices={presets.map((id) => ({ id, name: t(`preset.${id}`), ...presetRange(id, today) }))}
      min={oldest}
      max={today}
      onChoose={(id) => change({ preset: id as Preset, range: presetRange(id as Preset, today), gran: null })}
      onRange={(chosen) => change({ preset: 'custom', range: chosen, gran: null })}
      onShift={(direction) => {
        const next = shiftRange(state.range, direction);
        change({ preset: 'custom', range: { from: next.from, to: next.to > today ? today : next.to }, gran: null });
      }}
    >
      {t('controls.zone', { zone: timeZone })}
    </DateRangeField>
  );
  const rest = (
    <>
      {ranged && (
        <>
          {!small && <Zone title={t('controls.zone', { zone: timeZone })}>{timeZone}</Zone>}
          {compares && (
            <>
              <QuietSelect
                label={t('compare.label')}
                value={state.compare}
                options={compareModes.map((id) => ({ id, name: t(`compare.${id}`) }))}
                onChange={(compare) => change({ compare, compareTo: compare === 'custom' ? (compared ?? compareRange(state.range, 'previous', null)) : null })}
              />
              {state.compare === 'custom' && state.compareTo !== null ? (
                <DateRangeField
                  label={t('compare.custom')}
                  chosen="custom"
                  value={state.compareTo}
                  choices={[]}
                  min={oldest}
                  max={today}
                  onChoose={() => undefined}
                  onRange={(chosen) => change({ compareTo: chosen })}
                />
              ) : (
                compared !== null && <Zone>{rangeText(compared, today, t('range.to'))}</Zone>
              )}
            </>
          )}
        </>
      )}
      <QuietSelect
        label={t('who.label')}
        value={state.who}
        options={populations.map((id) => ({ id, name: t(`who.${id}`) }))}
        onChange={(who) => change({ who })}
      />
      <VisitorChoice state={state} change={change} />
      {SegmentMenu !== undefined && sharedSecret === null && (
        <Suspense fallback={null}>
          <SegmentMenu site={site} state={state} change={change} />
        </Suspense>
      )}
      {state.filters.map((filter) => (
        <FilterChip
          key={filterText(filter)}
          text={labels.filter(filter)}
          onEdit={(event: MouseEvent<HTMLElement>) => setEditing({ anchor: event.currentTarget, filter })}
          onRemove={() => change({ filters: state.filters.filter((one) => one !== filter) })}
        />
      ))}
      <Button
        size="small"
        startIcon={<AddIcon />}
        aria-haspopup="dialog"
        onClick={(event) => setEditing({ anchor: event.currentTarget, filter: null })}
        sx={{ color: 'text.secondary' }}
      >
        {t('filter.add')}
      </Button>
      {state.filters.length > 1 && (
        <Button size="small" onClick={() => change({ filters: [] })} sx={{ color: 'text.secondary' }}>
          {t('filter.clear')}
        </Button>
      )}
      {editing !== null && (
        <Suspense fallback={null}>
          <FilterEditor
            siteId={site.id}
            range={state.range}
            anchor={editing.anchor}
            filter={editing.filter}
            onApply={(next) => put(next, editing.filter)}
            onClose={() => setEditing(null)}
          />
        </Suspense>
      )}
    </>
  );
  return (
    <Row role="group" aria-label={t('controls.label')}>
      {range}
      {small ? (
        <>
          <Button size="small" startIcon={<AddIcon />} aria-haspopup="dialog" onClick={() => setOpen(true)} sx={{ color: 'text.secondary' }}>
            {set === 0 ? t('controls.more') : t('controls.moreSet', { count: set })}
          </Button>
          {open && (
            <Suspense fallback={null}>
              <ControlSheet label={t('controls.label')} closeLabel={t('controls.done')} onClose={() => setOpen(false)}>
                {rest}
              </ControlSheet>
            </Suspense>
          )}
        </>
      ) : (
        rest
      )}
      {children !== undefined && <Side>{children}</Side>}
    </Row>
  );
};
