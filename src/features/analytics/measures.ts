import type { MeasureId, measureGroupIds } from '@contract/analytics/schemas';
import { type MeasureUnit, unitOf } from '@/lib/measureText';

export type MeasureInfo = {
  readonly id: MeasureId;
  /** Which direction is good; decides the colour of a difference. */
  readonly better: 'more' | 'less' | 'neither';
  /** Its rows add up to the total, so that a share of the total is meaningful. */
  readonly additive: boolean;
  /** Counted only if the query requests the group (`with`). */
  readonly group?: MeasureGroup;
};
export type MeasureGroup = (typeof measureGroupIds)[number];

/** In the order of columns and menus. Their messages are `measure.<id>`. */
export const measureList: readonly MeasureInfo[] = [
  { id: 'views', better: 'more', additive: true },
  { id: 'visitors', better: 'more', additive: false },
  { id: 'visits', better: 'more', additive: true },
  { id: 'ips', better: 'more', additive: false },
  { id: 'newVisitors', better: 'more', additive: true },
  { id: 'newRatio', better: 'neither', additive: false },
  { id: 'bounceRate', better: 'less', additive: false },
  { id: 'avgDuration', better: 'more', additive: false },
  { id: 'avgPages', better: 'more', additive: false },
  { id: 'avgEngaged', better: 'more', additive: false },
  { id: 'visitorDays', better: 'more', additive: true },
  { id: 'entries', better: 'more', additive: true, group: 'pages' },
  { id: 'exits', better: 'neither', additive: true, group: 'pages' },
  { id: 'exitRate', better: 'less', additive: false, group: 'pages' },
  { id: 'downstream', better: 'more', additive: true, group: 'pages' },
  { id: 'avgTimeOnPage', better: 'more', additive: false, group: 'pages' },
  { id: 'avgScroll', better: 'more', additive: false, group: 'pages' },
  { id: 'events', better: 'more', additive: true, group: 'goals' },
  { id: 'conversions', better: 'more', additive: true, group: 'goals' },
  { id: 'conversionRate', better: 'more', additive: false, group: 'goals' },
  { id: 'conversionValue', better: 'more', additive: true, group: 'goals' },
];

const byId = new Map(measureList.map((one) => [one.id, one]));

export const measureInfo = (id: MeasureId): MeasureInfo & { readonly unit: MeasureUnit } => {
  const info = byId.get(id);
  if (info === undefined) throw new Error(`Unknown measure ${id}`);
  return { ...info, unit: unitOf(id) };
};

export const isMeasure = (text: string): text is MeasureId => byId.has(text as MeasureId);

/** The groups that a query must request to have these measures counted. */
export const groupsOf = (ids: readonly MeasureId[]): readonly MeasureGroup[] => [...new Set(ids.flatMap((id) => measureInfo(id).group ?? []))].toSorted();
/** One measure of each of these groups. */
export const inGroups = (groups: readonly MeasureGroup[]): readonly MeasureId[] => groups.map((group) => (group === 'pages' ? 'entries' : 'conversions'));
