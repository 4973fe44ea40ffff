import type { MeasureId } from '@contract/analytics';

/** How a value of a measure is written: a whole number, 0…1 as per cent, seconds as a duration, or one decimal. */
export type MeasureUnit = 'count' | 'ratio' | 'seconds' | 'decimal';

export type MeasureInfo = {
  readonly id: MeasureId;
  readonly unit: MeasureUnit;
  /** Which direction is good news; decides the colour of a difference. */
  readonly better: 'more' | 'less' | 'neither';
  /** Rows of it add up to the total, so a share of the total means something. */
  readonly additive: boolean;
};

/** In the order in which columns and menus offer them. Their words are `measure.<id>` in the messages. */
export const measureList: readonly MeasureInfo[] = [
  { id: 'views', unit: 'count', better: 'more', additive: true },
  { id: 'visitors', unit: 'count', better: 'more', additive: false },
  { id: 'visits', unit: 'count', better: 'more', additive: true },
  { id: 'ips', unit: 'count', better: 'more', additive: false },
  { id: 'newVisitors', unit: 'count', better: 'more', additive: true },
  { id: 'newRatio', unit: 'ratio', better: 'neither', additive: false },
  { id: 'bounceRate', unit: 'ratio', better: 'less', additive: false },
  { id: 'avgDuration', unit: 'seconds', better: 'more', additive: false },
  { id: 'avgPages', unit: 'decimal', better: 'more', additive: false },
  { id: 'avgEngaged', unit: 'seconds', better: 'more', additive: false },
  { id: 'visitorDays', unit: 'count', better: 'more', additive: true },
  { id: 'entries', unit: 'count', better: 'more', additive: true },
  { id: 'exits', unit: 'count', better: 'neither', additive: true },
  { id: 'exitRate', unit: 'ratio', better: 'less', additive: false },
  { id: 'downstream', unit: 'count', better: 'more', additive: true },
  { id: 'avgTimeOnPage', unit: 'seconds', better: 'more', additive: false },
  { id: 'avgScroll', unit: 'ratio', better: 'more', additive: false },
  { id: 'events', unit: 'count', better: 'more', additive: true },
  { id: 'conversions', unit: 'count', better: 'more', additive: true },
  { id: 'conversionRate', unit: 'ratio', better: 'more', additive: false },
  { id: 'conversionValue', unit: 'decimal', better: 'more', additive: true },
];

const byId = new Map(measureList.map((one) => [one.id, one]));

/** Facts about one measure. */
export const measureInfo = (id: MeasureId): MeasureInfo => {
  const info = byId.get(id);
  if (info === undefined) throw new Error(`Unknown measure ${id}`);
  return info;
};

export const isMeasure = (text: string): text is MeasureId => byId.has(text as MeasureId);
