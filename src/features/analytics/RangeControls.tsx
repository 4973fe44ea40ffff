import { styled } from '@mui/material/styles';
import type { ReactElement } from 'react';
import { addDays, type Day } from '@/lib/days';
import { DateRangeField } from '@/ui/DateRangeField';
import { compareModes } from './choices';
import { QuietSelect } from './QuietSelect';
import { compareRange, type Preset, presetRange, presets, shiftRange } from './range';
import type { ReportState } from './urlState';
import { useLabels } from './useLabels';
import type { Change } from './useReportState';

export const Zone = styled('span')({ color: 'var(--ink-2)', fontSize: 'var(--text-secondary)', whiteSpace: 'nowrap' });

/** Longest range of a report in days: three years (server/areas/analytics/range.ts). */
const longestDays = 1096;

const oldestDay = (today: Day): Day => addDays(today, 1 - longestDays);

type RangeProps = { readonly today: Day; readonly state: ReportState; readonly change: Change };

/** The days of a report; the next period never goes beyond today. */
export const RangeChoice = ({ today, state, change, timeZone }: RangeProps & { readonly timeZone: string }): ReactElement => {
  const { t } = useLabels();
  return (
    <DateRangeField
      label={t('explain.range')}
      chosen={state.preset}
      value={state.range}
      choices={presets.map((id) => ({ id, name: t(`preset.${id}`), ...presetRange(id, today) }))}
      min={oldestDay(today)}
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
};

/** The comparison period: its rule, and its days, which only the custom rule lets the reader choose. */
export const CompareChoice = ({ today, state, change }: RangeProps): ReactElement => {
  const { t, format } = useLabels();
  const compared = compareRange(state);
  return (
    <>
      <QuietSelect
        label={t('compare.label')}
        value={state.compare}
        options={compareModes.map((id) => ({ id, name: t(`compare.${id}`) }))}
        onChange={(compare) => change({ compare, compareTo: compare === 'custom' ? (compared ?? compareRange({ ...state, compare: 'previous' })) : null })}
      />
      {state.compare === 'custom' && state.compareTo !== null ? (
        <DateRangeField
          label={t('compare.custom')}
          chosen="custom"
          value={state.compareTo}
          choices={[]}
          min={oldestDay(today)}
          max={today}
          onChoose={() => undefined}
          onRange={(chosen) => change({ compareTo: chosen })}
        />
      ) : (
        compared !== null && <Zone>{format.days(compared, today)}</Zone>
      )}
    </>
  );
};
