import { Chip } from '@mui/material';
import type { ReactElement } from 'react';
import type { Site } from '@contract/sites/schemas';
import { vitalDevices } from '@contract/vitals/terms';
import { addDays, dayCount } from '@/lib/days';
import type { Day } from '@/lib/days';
import { DateRangeField } from '@/ui/DateRangeField';
import { FilterSelect } from '@/ui/FilterSelect';
import { filtersOf, presetRange, presets, rangeOf } from './address';
import type { ChangeVitals, VitalsState } from './address';
import { useVitalLabels } from './useVitalLabels';

/** Longest range of a report in days (server/areas/analytics/range.ts). */
const longestDays = 1096;

type Props = {
  readonly sites: readonly Site[];
  readonly site: Site | undefined;
  readonly state: VitalsState;
  readonly today: Day;
  readonly change: ChangeVitals;
};

/** Site, range, device, and the conditions that rows of tables have set. */
export function Controls({ sites, site, state, today, change }: Props): ReactElement {
  const { t, key } = useVitalLabels();
  const { preset, range } = rangeOf(state.range, today);
  const shift = (direction: -1 | 1): void => {
    const by = direction * dayCount(range);
    const to = addDays(range.to, by) > today ? today : addDays(range.to, by);
    change({ range: `${addDays(to, 1 - dayCount(range))}~${to}`, page: 1 });
  };
  return (
    <div className="vitals-controls" role="group" aria-label={t('controls.label')}>
      <FilterSelect
        label={t('controls.site')}
        value={state.site}
        choices={[{ value: '', label: t('controls.allSites') }, ...sites.map(({ id, name }) => ({ value: id, label: name }))]}
        onChoose={(id) => change({ site: id, page: 1, family: '', path: '', country: '', browser: '', connection: '', navigation: '' })}
      />
      <DateRangeField
        label={t('controls.range')}
        chosen={preset}
        value={range}
        choices={presets.map((id) => ({ id, name: t(`preset.${id}`), ...presetRange(id, today) }))}
        min={addDays(today, 1 - longestDays)}
        max={today}
        onChoose={(id) => change({ range: id, page: 1 })}
        onRange={({ from, to }) => change({ range: `${from}~${to}`, page: 1 })}
        onShift={shift}
      />
      <FilterSelect
        label={t('by.device')}
        value={state.device}
        choices={[{ value: '', label: t('controls.allDevices') }, ...vitalDevices.map((value) => ({ value, label: t(`device.${value}`) }))]}
        onChoose={(device) => change({ device: device as VitalsState['device'], page: 1 })}
      />
      {filtersOf(state)
        .filter(({ by }) => by !== 'device')
        .map(({ by, value }) => (
          <Chip
            key={by}
            size="small"
            label={t('controls.filter', { by: t(`by.${by}`), value: key(by, value) })}
            onDelete={() => change({ [by]: '', page: 1 })}
            sx={{ maxWidth: '100%' }}
          />
        ))}
      {site !== undefined && <span className="zone">{t('controls.zone', { zone: site.timeZone })}</span>}
    </div>
  );
}
