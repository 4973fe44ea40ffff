import type { DimensionId, MeasureId } from '@contract/analytics';

/** A top-ten list; more than one dimension gives it a switch. */
export type ListSpec = {
  readonly id: 'source' | 'keyword' | 'entryPath' | 'path' | 'place' | 'newReturning';
  readonly by: readonly [DimensionId, ...DimensionId[]];
  /** The first one sorts and carries the share. */ readonly measures: readonly [MeasureId, ...MeasureId[]];
  /** Filters of the list itself, beside the reader's; they go along where the list leads. */
  readonly filters?: readonly string[];
  /** What stands instead of rows, a word of `empty`. */
  readonly empty?: 'search';
};

/** The parts a report screen is put together from, in the order in which they stand on it. */
export type Block =
  /** Today beside yesterday, up to this time and whole. */
  | { readonly kind: 'today'; readonly measures: readonly MeasureId[] }
  | { readonly kind: 'figures'; readonly measures: readonly MeasureId[] }
  | { readonly kind: 'series'; readonly measures: readonly MeasureId[] }
  /** One row per step of the time axis, with a totals row. */
  | { readonly kind: 'buckets'; readonly measures: readonly MeasureId[]; readonly charted: readonly MeasureId[]; readonly more: readonly MeasureId[] }
  | { readonly kind: 'lists'; readonly lists: readonly ListSpec[] }
  /** A whole table by one of several dimensions: sorting, paging, columns, export. `whenAsked`: only when the address says `by`. */
  | {
      readonly kind: 'rows';
      readonly by: readonly [DimensionId, ...DimensionId[]];
      readonly measures: readonly MeasureId[];
      readonly more: readonly MeasureId[];
      readonly whenAsked?: true;
    };

export type Screen = { readonly id: string; readonly blocks: readonly Block[] };

/** Report screens: one row each, named like their node `site.als.<id>` in the route object. A new report is a row here. */
export const screens: readonly Screen[] = [
  {
    id: 'overview',
    blocks: [
      { kind: 'today', measures: ['views', 'visitors', 'visits', 'ips', 'bounceRate', 'avgDuration'] },
      { kind: 'figures', measures: ['visitors', 'views', 'visits', 'newRatio', 'bounceRate', 'avgDuration', 'avgPages'] },
      { kind: 'series', measures: ['visitors'] },
      {
        kind: 'rows',
        by: ['sourceName', 'sourceType', 'keyword', 'entryPath', 'path', 'province', 'country', 'city', 'newReturning'],
        measures: ['visitors', 'visits', 'views', 'newRatio', 'bounceRate', 'avgDuration'],
        more: ['ips', 'newVisitors', 'avgPages', 'avgEngaged', 'visitorDays'],
        whenAsked: true,
      },
      {
        kind: 'lists',
        lists: [
          { id: 'source', by: ['sourceName', 'sourceType'], measures: ['visitors'] },
          { id: 'path', by: ['path'], measures: ['views'] },
          { id: 'entryPath', by: ['entryPath'], measures: ['visits'] },
          { id: 'place', by: ['province', 'country'], measures: ['visitors'] },
          { id: 'keyword', by: ['keyword'], measures: ['visits'], filters: ['sourceType:is:search'], empty: 'search' },
          { id: 'newReturning', by: ['newReturning'], measures: ['visits', 'avgPages', 'avgDuration'] },
        ],
      },
    ],
  },
  {
    id: 'trend',
    blocks: [
      { kind: 'figures', measures: ['visitors', 'views', 'visits', 'ips', 'bounceRate', 'avgDuration', 'avgPages'] },
      { kind: 'series', measures: ['visitors', 'views'] },
      {
        kind: 'buckets',
        measures: ['views', 'visitors', 'visits', 'newVisitors', 'ips', 'bounceRate', 'avgDuration', 'avgPages'],
        charted: ['visitors', 'views'],
        more: ['newRatio', 'avgEngaged', 'visitorDays'],
      },
    ],
  },
];

export const screenOf = (id: string): Screen | undefined => screens.find((one) => one.id === id);
