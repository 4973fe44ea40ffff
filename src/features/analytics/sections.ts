import type messages from './messages.zh-CN';
import type { bucketKeys, DimensionId, MeasureId } from '@contract/analytics/schemas';

/** One of the lists of a card. */
export type ListTab = {
  readonly by: DimensionId;
  /** Its name; the dimension's without one. */
  readonly name?: keyof (typeof messages)['overview']['tabs'];
  /** The first one sorts and has the share. */ readonly measures: readonly [MeasureId, ...MeasureId[]];
  /** Filters of the list itself, beside the reader's; they apply to its links too. */
  readonly filters?: readonly string[];
  /** Shown instead of rows, a key of `empty`. */
  readonly empty?: EmptyKey;
  /** Drawn as a map. */
  readonly map?: true;
};
/** A card with the most frequent values of one dimension; tabs appear if there are several lists. */
export type ListSpec = { readonly id: keyof (typeof messages)['overview']['lists']; readonly tabs: readonly [ListTab, ...ListTab[]] };

/** How visitors, or visits, are distributed over the buckets of one dimension; `perVisitor` is recomputed for the range by `distribution`. */
export type HistogramOf = { readonly by: keyof typeof bucketKeys } | { readonly perVisitor: 'visits' | 'views' };
type Columns = {
  /** Default columns; the first one sorts. */ readonly measures: readonly [MeasureId, ...MeasureId[]];
  /** Offered in the column menu. */ readonly more: readonly MeasureId[];
};
type Choices = readonly [DimensionId, ...DimensionId[]];

/** The blocks of a report screen, in the order shown. Those of `blocks.ts`' `LazyBlock` are lazy parts (`lazyBlocks.ts`). */
export type Block =
  /** `drives`: the figures choose the line of the chart below. */
  | { readonly kind: 'figures'; readonly measures: readonly MeasureId[]; readonly drives?: true }
  /** `driven`: the figures above choose the line. */
  | { readonly kind: 'series'; readonly measures: readonly MeasureId[]; readonly driven?: true }
  /** One row per bucket of the time axis, with a totals row. */
  | (Columns & { readonly kind: 'buckets'; readonly charted: readonly MeasureId[] })
  | { readonly kind: 'lists'; readonly lists: readonly ListSpec[] }
  /** The top five rows of the table below over time, one line each. */
  | { readonly kind: 'topLines'; readonly by: Choices; readonly measure: MeasureId }
  /**
   * A full table by one of several dimensions: sorting, paging, columns, export. `whenAsked`: only if the address contains `by`. `next`: what a click
   * on a row opens, besides filtering by it. `leads`: dimensions, of this screen or another, that a row can be split by.
   */
  | (Columns & {
      readonly kind: 'rows';
      readonly by: Choices;
      readonly whenAsked?: true;
      readonly next?: Readonly<Partial<Record<DimensionId, DimensionId>>>;
      readonly leads?: readonly DimensionId[];
      /** Whether a column says how much of the sorted measure a row has. */ readonly share?: true;
      /** Why there are no rows, a key of `empty`. */ readonly empty?: EmptyKey;
    })
  /** New and returning visitors side by side. */
  | { readonly kind: 'sides'; readonly measures: readonly MeasureId[]; readonly lists: readonly ListSpec[] }
  /** Sets of blocks of which one is shown, chosen by `view` in the address. */
  | { readonly kind: 'pageTabs'; readonly tabs: readonly PageTab[] }
  | { readonly kind: 'histogram'; readonly of: readonly [HistogramOf, ...HistogramOf[]] }
  | {
      readonly kind: 'map';
      readonly by: 'province' | 'country';
      /** Beside lists: smaller, and hidden while a full table is shown. */ readonly small?: true;
      /** Inside a card: no heading, no notes. */ readonly card?: true;
    }
  /** What came before and after one page, which is `at` in the address. */
  | { readonly kind: 'flow' }
  /** Pages by directory; the open one is `at` in the address. */
  | { readonly kind: 'tree' }
  /** For which share of the visits this is known at all. */
  | { readonly kind: 'coverage'; readonly of: 'keyword' | 'referrerPath' }
  | { readonly kind: 'movers'; readonly by: DimensionId; readonly measure: 'visits' | 'visitors' | 'views' }
  /** Days before the first visit measured here, as counted by another program; absent if there are none. */
  | { readonly kind: 'imported' }
  /** Keywords as reported by search engines, which are imported; never mixed with those of visits. */
  | { readonly kind: 'reportedKeywords' };
export type BlockOf<K extends Block['kind']> = Extract<Block, { readonly kind: K }>;

export type PageTab = {
  /** In the address, and a key of `tab`. */ readonly id: TabKey;
  /** Like those of a screen. */ readonly filters?: readonly string[];
  readonly blocks: readonly Block[];
};
type TabKey = keyof (typeof messages)['tab'];
type EmptyKey = keyof (typeof messages)['empty']['kind'];

export type Screen = {
  readonly id: string;
  /** Apply to the whole screen beside the reader's own, which alone are in the address. */
  readonly filters?: readonly string[];
  /** Has no data if the site recognises visitors within one day only (cookieless). */
  readonly identity?: true;
  /** Why a screen with such filters can be empty, a key of `empty.kind`. */
  readonly empty?: EmptyKey;
  readonly blocks: readonly Block[];
};

const quality = ['newRatio', 'bounceRate', 'avgDuration'] as const;
/** Further columns of any table of visits. */
const rest = ['ips', 'newVisitors', 'avgPages', 'avgEngaged', 'visitorDays', 'conversions', 'conversionRate', 'conversionValue', 'events'] as const;
/** The usual table of visits by one dimension. */
const usual = { kind: 'rows', measures: ['visits', 'visitors', 'views', ...quality], more: rest } as const;
const usualFigures = { kind: 'figures', measures: ['visits', 'visitors', 'views', ...quality, 'avgPages'] } as const;
const fromSearch = 'sourceType:is:search';
const fromElsewhere = 'sourceType:is:external|social|ai|email';
const histogramOf = (...of: BlockOf<'histogram'>['of']): readonly Block[] => [usualFigures, { kind: 'histogram', of }];
/** Pages by path, title or host under one aspect (受访页面). */
const pageTab = (id: TabKey, measures: Columns['measures'], more: readonly MeasureId[]): PageTab => ({
  id,
  blocks: [
    usualFigures,
    {
      kind: 'rows',
      by: ['path', 'title', 'directory', 'host'],
      measures,
      more,
      next: { directory: 'path', host: 'path' },
      leads: ['sourceName', 'entryPath', 'province'],
    },
  ],
});
const deviceTab = (id: DimensionId & TabKey): PageTab => ({
  id,
  blocks: [
    { kind: 'topLines', by: [id], measure: 'visits' },
    { ...usual, by: [id], leads: ['entryPath', 'sourceName', 'province'], share: true },
  ],
});

/** Visits from advertisements, by one campaign parameter, and what they did. */
const campaignTab = (id: DimensionId & TabKey): PageTab => ({
  id,
  filters: [`${id}:not:`],
  blocks: [
    usualFigures,
    { kind: 'topLines', by: [id], measure: 'visits' },
    {
      kind: 'rows',
      by: [id],
      measures: ['visits', 'visitors', 'views', 'bounceRate', 'avgDuration', 'conversions', 'conversionRate', 'conversionValue'],
      more: ['ips', 'newVisitors', 'newRatio', 'avgPages', 'avgEngaged', 'visitorDays', 'events'],
      leads: ['entryPath', 'utmContent', 'province', 'deviceType'],
    },
  ],
});

/** Report screens: one row each, named like their node `site.als.<id>` in the route tree. A new report is a row here and a route. */
export const screens: readonly Screen[] = [
  {
    id: 'overview',
    blocks: [
      { kind: 'figures', drives: true, measures: ['visitors', 'visits', 'views', 'bounceRate', 'avgDuration', 'avgPages'] },
      { kind: 'series', driven: true, measures: ['visitors'] },
      { kind: 'imported' },
      {
        kind: 'rows',
        by: ['sourceName', 'sourceType', 'campaign', 'path', 'entryPath', 'exitPath', 'province', 'city', 'country', 'deviceType', 'browser', 'os'],
        measures: ['visitors', 'visits', 'views', ...quality],
        more: rest,
        whenAsked: true,
      },
      {
        kind: 'lists',
        lists: [
          {
            id: 'source',
            tabs: [
              { by: 'sourceName', name: 'sources', measures: ['visitors'] },
              { by: 'sourceName', name: 'engines', measures: ['visitors'], filters: [fromSearch], empty: 'search' },
              { by: 'campaign', name: 'campaigns', measures: ['visitors'], filters: ['campaign:not:'] },
            ],
          },
          {
            id: 'path',
            tabs: [
              { by: 'path', name: 'pages', measures: ['views'] },
              { by: 'entryPath', name: 'entries', measures: ['visits'] },
              { by: 'exitPath', name: 'exits', measures: ['visits'] },
            ],
          },
          {
            id: 'place',
            tabs: [
              { by: 'province', name: 'map', measures: ['visits'], map: true },
              { by: 'city', measures: ['visitors'] },
              { by: 'country', measures: ['visitors'] },
            ],
          },
          {
            id: 'device',
            tabs: [
              { by: 'deviceType', name: 'devices', measures: ['visitors'] },
              { by: 'browser', measures: ['visitors'] },
              { by: 'os', name: 'systems', measures: ['visitors'] },
            ],
          },
        ],
      },
    ],
  },
  {
    id: 'trend',
    blocks: [
      { kind: 'figures', measures: ['visitors', 'views', 'visits', 'ips', 'bounceRate', 'avgDuration', 'avgPages'] },
      { kind: 'series', measures: ['visitors', 'views'] },
      { kind: 'imported' },
      {
        kind: 'buckets',
        measures: ['views', 'visitors', 'visits', 'newVisitors', 'ips', 'bounceRate', 'avgDuration', 'avgPages'],
        charted: ['visitors', 'views'],
        more: ['newRatio', 'avgEngaged', 'visitorDays', 'conversions', 'conversionRate', 'conversionValue', 'events'],
      },
    ],
  },
  {
    id: 'source',
    blocks: [
      usualFigures,
      { kind: 'topLines', by: ['sourceName', 'sourceType', 'campaign'], measure: 'visits' },
      {
        ...usual,
        by: ['sourceName', 'sourceType', 'campaign'],
        next: { sourceType: 'sourceName', sourceName: 'entryPath', campaign: 'utmContent' },
        leads: ['sourceName', 'entryPath', 'keyword', 'province', 'deviceType', 'newReturning'],
      },
    ],
  },
  {
    id: 'engine',
    filters: [fromSearch],
    empty: 'search',
    blocks: [
      usualFigures,
      { kind: 'topLines', by: ['sourceName'], measure: 'visits' },
      {
        ...usual,
        by: ['sourceName', 'keyword', 'entryPath'],
        next: { sourceName: 'keyword', keyword: 'entryPath' },
        leads: ['keyword', 'entryPath', 'province', 'deviceType'],
        empty: 'search',
      },
    ],
  },
  {
    id: 'keyword',
    filters: [fromSearch],
    empty: 'search',
    blocks: [
      { kind: 'coverage', of: 'keyword' },
      usualFigures,
      {
        ...usual,
        by: ['keyword', 'sourceName', 'entryPath', 'keywordFrom'],
        next: { keyword: 'sourceName', sourceName: 'keyword', keywordFrom: 'keyword' },
        leads: ['sourceName', 'entryPath', 'province'],
        empty: 'keyword',
      },
      { kind: 'reportedKeywords' },
    ],
  },
  {
    id: 'external.so',
    filters: [fromElsewhere],
    empty: 'external',
    blocks: [
      usualFigures,
      { kind: 'topLines', by: ['referrerHost'], measure: 'visits' },
      { kind: 'movers', by: 'referrerHost', measure: 'visits' },
      { ...usual, by: ['referrerHost', 'sourceType'], next: { sourceType: 'referrerHost' }, leads: ['referrerPath', 'entryPath', 'province'] },
    ],
  },
  {
    id: 'external.sp',
    filters: [fromElsewhere],
    empty: 'external',
    blocks: [
      { kind: 'coverage', of: 'referrerPath' },
      usualFigures,
      { kind: 'movers', by: 'referrerPath', measure: 'visits' },
      { ...usual, by: ['referrerPath'], leads: ['referrerUrl', 'entryPath', 'province'] },
    ],
  },
  {
    id: 'external.url',
    filters: [fromElsewhere],
    empty: 'external',
    blocks: [{ kind: 'coverage', of: 'referrerPath' }, usualFigures, { ...usual, by: ['referrerUrl'], leads: ['entryPath', 'province'] }],
  },
  {
    id: 'entry',
    blocks: [
      usualFigures,
      { kind: 'topLines', by: ['entryPath'], measure: 'visits' },
      {
        kind: 'rows',
        by: ['entryPath'],
        measures: ['visits', 'visitors', 'newVisitors', 'ips', 'views', 'bounceRate', 'avgDuration', 'avgPages', 'conversions'],
        more: ['newRatio', 'avgEngaged', 'visitorDays', 'conversionRate', 'conversionValue', 'events'],
        leads: ['sourceName', 'keyword', 'exitPath', 'province', 'deviceType'],
      },
    ],
  },
  {
    id: 'path',
    blocks: [
      {
        kind: 'pageTabs',
        tabs: [
          pageTab(
            'pageSummary',
            ['views', 'visitors', 'ips', 'avgTimeOnPage', 'avgScroll', 'bounceRate', 'exitRate'],
            ['visits', 'newRatio', 'entries', 'exits'],
          ),
          pageTab(
            'pageValue',
            ['views', 'downstream', 'entries', 'exits', 'conversions', 'conversionRate', 'conversionValue'],
            ['visitors', 'visits', 'events'],
          ),
          {
            id: 'pageEntry',
            blocks: [
              usualFigures,
              {
                kind: 'rows',
                by: ['entryPath'],
                measures: ['visits', 'visitors', 'newVisitors', 'newRatio', 'bounceRate', 'avgDuration', 'avgPages', 'conversions'],
                more: ['views', 'ips', 'avgEngaged', 'conversionRate', 'conversionValue', 'events'],
                leads: ['sourceName', 'keyword', 'exitPath'],
              },
            ],
          },
          pageTab('pageExit', ['exits', 'exitRate', 'views', 'visitors', 'avgTimeOnPage', 'avgScroll'], ['visits', 'entries', 'downstream']),
          { id: 'tree', blocks: [{ kind: 'tree' }] },
          { id: 'flow', blocks: [{ kind: 'flow' }] },
        ],
      },
    ],
  },
  {
    id: 'campaign',
    blocks: [
      {
        kind: 'pageTabs',
        tabs: (['utmSource', 'utmMedium', 'campaign', 'utmTerm', 'utmContent', 'clickId'] as const).map(campaignTab),
      },
    ],
  },
  {
    id: 'loc.provinces',
    filters: ['country:is:CN'],
    blocks: [usualFigures, { kind: 'map', by: 'province' }, { ...usual, by: ['province'], leads: ['city', 'sourceName', 'entryPath'] }],
  },
  { id: 'loc.cities', blocks: [usualFigures, { kind: 'map', by: 'province', small: true }, { ...usual, by: ['city'], leads: ['sourceName', 'entryPath'] }] },
  {
    id: 'loc.countries',
    blocks: [usualFigures, { kind: 'map', by: 'country' }, { ...usual, by: ['country'], leads: ['sourceName', 'entryPath', 'language'] }],
  },
  {
    id: 'device',
    blocks: [
      usualFigures,
      {
        kind: 'pageTabs',
        tabs: (['deviceType', 'os', 'osVersion', 'browser', 'browserVersion', 'screen', 'language', 'isp'] as const).map(deviceTab),
      },
    ],
  },
  {
    id: 'visitor',
    identity: true,
    blocks: [
      {
        kind: 'sides',
        measures: ['visitors', 'visits', 'views', 'ips', 'bounceRate', 'avgDuration', 'avgEngaged', 'avgPages', 'conversions', 'conversionRate'],
        lists: [
          {
            id: 'source',
            tabs: [
              { by: 'sourceName', measures: ['visits'] },
              { by: 'sourceType', measures: ['visits'] },
            ],
          },
          {
            id: 'path',
            tabs: [
              { by: 'path', measures: ['views'] },
              { by: 'entryPath', measures: ['views'] },
            ],
          },
        ],
      },
    ],
  },
  { id: 'character.pv', blocks: histogramOf({ by: 'pages' }) },
  { id: 'character.upv', blocks: histogramOf({ by: 'distinctPages' }, { perVisitor: 'views' }) },
  { id: 'character.ssr', blocks: histogramOf({ by: 'duration' }, { by: 'engagedTime' }) },
  { id: 'character.ago', identity: true, blocks: histogramOf({ by: 'ago' }) },
  { id: 'character.fr', blocks: histogramOf({ perVisitor: 'visits' }, { by: 'visitNumber' }) },
];

export const screenOf = (id: string): Screen | undefined => screens.find((one) => one.id === id);
