import type { MeasureId, measureGroupIds } from '@contract/analytics/schemas';
import { type MeasureUnit, unitOf } from '@/lib/measureText';

export type MeasureInfo = {
  readonly id: MeasureId;
  /** Which direction is good news; decides the colour of a difference. */
  readonly better: 'more' | 'less' | 'neither';
  /** Rows of it add up to the total, so a share of the total means something. */
  readonly additive: boolean;
  /** Counted only when the question asks for the group (`with`). */
  readonly group?: MeasureGroup;
};
export type MeasureGroup = (typeof measureGroupIds)[number];

/** In the order in which columns and menus offer them. Their words are `measure.<id>` in the messages. */
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

/** Facts about one measure. */
export const measureInfo = (id: MeasureId): MeasureInfo & { readonly unit: MeasureUnit } => {
  const info = byId.get(id);
  if (info === undefined) throw new Error(`Unknown measure ${id}`);
  return { ...info, unit: unitOf(id) };
};

export const isMeasure = (text: string): text is MeasureId => byId.has(text as MeasureId);

/** The groups that a question has to ask for so that these measures are counted. */
export const groupsOf = (ids: readonly MeasureId[]): readonly MeasureGroup[] => [...new Set(ids.flatMap((id) => measureInfo(id).group ?? []))].toSorted();
/** One measure of each of these groups. */
export const inGroups = (groups: readonly MeasureGroup[]): readonly MeasureId[] => groups.map((group) => (group === 'pages' ? 'entries' : 'conversions'));
