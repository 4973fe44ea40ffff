import { paramsOf } from '../../../contract/analytics/schemas';
import type { DimensionId } from '../../../contract/analytics/schemas';
import type { PublicScreen } from '../../../contract/publicLinks/schemas';

/**
 * What a screen requests (see the console's `sections.ts`; a test compares the two) in addition to totals and series, which every screen shows: rows by these
 * dimensions, and these other endpoints.
 */
type Opens = { readonly dimensions: readonly DimensionId[]; readonly endpoints?: readonly string[] };

const buckets: readonly DimensionId[] = ['pages', 'distinctPages', 'duration', 'engagedTime', 'ago', 'visitNumber'];
const places: readonly DimensionId[] = ['country', 'province', 'city'];
const character: Opens = { dimensions: buckets, endpoints: ['distribution'] };
const links: readonly DimensionId[] = ['referrerHost', 'referrerPath', 'referrerUrl'];

const table: Readonly<Record<PublicScreen, Opens>> = {
  overview: {
    dimensions: ['sourceName', 'sourceType', 'campaign', 'path', 'entryPath', 'exitPath', 'deviceType', 'browser', 'os', ...places],
    endpoints: ['outlook'],
  },
  trend: { dimensions: [], endpoints: ['outlook'] },
  source: { dimensions: ['sourceType', 'sourceName', 'campaign'] },
  engine: { dimensions: ['sourceType', 'sourceName', 'keyword', 'entryPath'] },
  keyword: { dimensions: ['sourceType', 'sourceName', 'keyword', 'keywordFrom', 'entryPath'], endpoints: ['coverage'] },
  'external/so': { dimensions: ['sourceType', ...links], endpoints: ['coverage', 'movers'] },
  'external/sp': { dimensions: ['sourceType', ...links], endpoints: ['coverage', 'movers'] },
  'external/url': { dimensions: ['sourceType', ...links], endpoints: ['coverage', 'movers'] },
  entry: { dimensions: ['entryPath'] },
  path: { dimensions: ['path', 'title', 'host', 'directory', 'entryPath', 'exitPath'], endpoints: ['tree', 'flow'] },
  'loc/provinces': { dimensions: places },
  'loc/cities': { dimensions: places },
  'loc/countries': { dimensions: places },
  device: { dimensions: ['deviceType', 'os', 'osVersion', 'browser', 'browserVersion', 'screen', 'language', 'isp'] },
  visitor: { dimensions: ['newReturning', 'sourceType', 'sourceName', 'path', 'entryPath'] },
  'character/pv': character,
  'character/upv': character,
  'character/ssr': character,
  'character/ago': character,
  'character/fr': character,
  campaign: { dimensions: ['utmSource', 'utmMedium', 'campaign', 'utmTerm', 'utmContent', 'clickId'] },
};

/** Endpoints open to every public link, within its dimensions. */
const always = new Set(['report', 'values']);
/** Dimensions that every screen may filter by. */
const alwaysBy: readonly DimensionId[] = ['newReturning'];

/** The dimensions that these screens show in this version. */
export const dimensionsOf = (screens: readonly PublicScreen[]): DimensionId[] => [
  ...new Set(screens.flatMap((screen) => [...alwaysBy, ...table[screen].dimensions])),
];

/** The screens of a public link, and the dimensions that they showed when they were chosen. */
type PublicContent = { readonly screens: readonly PublicScreen[]; readonly dimensions: readonly DimensionId[] };

/** The dimensions allowed in rows and filters of a public link: those that its screens show both now and when they were chosen. */
export const reachOf = ({ screens, dimensions }: PublicContent): DimensionId[] => dimensionsOf(screens).filter((dimension) => dimensions.includes(dimension));

/** The dimensions of a public link whose screens are changed: only added screens show what this version shows. */
export function changedDimensions(before: PublicContent, screens: readonly PublicScreen[]): DimensionId[] {
  const remaining = screens.filter((screen) => before.screens.includes(screen));
  const added = screens.filter((screen) => !before.screens.includes(screen));
  return [...new Set([...reachOf({ ...before, screens: remaining }), ...dimensionsOf(added)])];
}

/** Parameters that refer to definitions of the console's own users. */
const own = ['segment', 'goal'];

const listOf = (value: unknown): string[] => (value === undefined ? [] : (Array.isArray(value) ? value : [value]).map(String));

/**
 * Whether a public link may make a request. Rows and filters are limited to its dimensions: with a filter by any other, a count
 * alone would reveal data that the link does not show.
 */
export function mayAsk(content: PublicContent, endpointId: string, query: Readonly<Record<string, unknown>>): boolean {
  if (endpointId === 'reports') return listOf(query['q']).every((one) => mayAsk(content, 'report', paramsOf(one)));
  const reach = new Set<string>(reachOf(content));
  if (!always.has(endpointId) && !content.screens.some((screen) => table[screen].endpoints?.includes(endpointId))) return false;
  if (own.some((name) => query[name] !== undefined)) return false;
  const dimensions = [
    ...(query['host'] === undefined ? [] : ['host']),
    ...listOf(query['by']),
    ...listOf(query['filter']).map((text) => text.split(':', 1)[0] ?? ''),
  ];
  return dimensions.every((dimension) => reach.has(dimension));
}
