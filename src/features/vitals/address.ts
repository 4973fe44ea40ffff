import { connectionTypes, navigationTypes, percentiles, vitalDevices, vitalDimensions, vitalMetrics } from '@contract/vitals/terms';
import type { Percentile, VitalDimension } from '@contract/vitals/terms';
import { addDays, isDay } from '@/lib/days';
import type { Day, DayRange } from '@/lib/days';
import { oneOf, text, whole } from '@/lib/searchState';
import type { StateOf } from '@/lib/searchState';

export const presets = ['today', 'last7', 'last28', 'last90'] as const;
export type Preset = (typeof presets)[number];
const days: Readonly<Record<Preset, number>> = { today: 1, last7: 7, last28: 28, last90: 90 };
export const presetRange = (preset: Preset, today: Day): DayRange => ({ from: addDays(today, 1 - days[preset]), to: today });

/** What is shown, in the address: every combination can be linked to. */
export const address = {
  site: text('', 12),
  /** A preset, or `from~to`. 28 days as in the Chrome UX Report. */
  range: text('last28', 30),
  metric: oneOf(vitalMetrics, 'lcp'),
  p: oneOf(percentiles.map(String), '75'),
  by: oneOf(vitalDimensions, 'family'),
  page: whole(1, 1, 1000),
  device: oneOf(['', ...vitalDevices], ''),
  family: text('', 600),
  path: text('', 600),
  country: text('', 10),
  browser: text('', 100),
  connection: oneOf(connectionTypes, ''),
  navigation: oneOf(['', ...navigationTypes], ''),
};
export type VitalsState = StateOf<typeof address>;
export type ChangeVitals = (change: Partial<VitalsState>) => void;

export function rangeOf(written: string, today: Day): { readonly preset: Preset | 'custom'; readonly range: DayRange } {
  const preset = presets.find((one) => one === written);
  if (preset !== undefined) return { preset, range: presetRange(preset, today) };
  const [from = '', to = ''] = written.split('~');
  if (isDay(from) && isDay(to) && from <= to && to <= today) return { preset: 'custom', range: { from, to } };
  return { preset: 'last28', range: presetRange('last28', today) };
}

export const percentileOf = ({ p }: Pick<VitalsState, 'p'>): Percentile => percentiles.find((one) => String(one) === p) ?? 75;

/** The conditions that are set, by dimension. */
export const filtersOf = (state: VitalsState): { readonly by: VitalDimension; readonly value: string }[] =>
  vitalDimensions.flatMap((by) => (state[by] === '' ? [] : [{ by, value: state[by] }]));

/** The arguments that all reports of one site have. */
export function queryOf(state: VitalsState, today: Day) {
  const { connection, navigation, device, family, path, country, browser } = state;
  return {
    siteId: state.site,
    ...rangeOf(state.range, today).range,
    ...(device === '' ? {} : { device }),
    ...(family === '' ? {} : { family }),
    ...(path === '' ? {} : { path }),
    ...(country === '' ? {} : { country }),
    ...(browser === '' ? {} : { browser }),
    ...(connection === '' ? {} : { connection }),
    ...(navigation === '' ? {} : { navigation }),
  };
}
