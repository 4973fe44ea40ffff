import { bucketKeys } from '../../contract/analytics/schemas';
import type { DimensionId, Population } from '../../contract/analytics/schemas';
import { dayOf } from './calendar';
import type { About } from './reportFixture';
import type { OracleView, OracleVisit } from './visits';

/** The values of a visit and its page views under each dimension, and how filters and populations apply to them. */

export type Visit = OracleVisit<About & { ip: number }>;
export type OracleFilter = { dimension: DimensionId; op: 'is' | 'not' | 'contains' | 'excludes'; values: string[] };

export const viewLevel: readonly DimensionId[] = ['path', 'title', 'host', 'siteSearch', 'directory'];

/** The part up to the second slash, including both slashes. */
export function directoryOf(path: string): string {
  const parts = path.split('/');
  return path.startsWith('/') && parts.length > 2 && parts[1] !== '' ? `/${parts[1]}/` : '/';
}

export function viewValue(view: OracleView, dimension: DimensionId): string {
  switch (dimension) {
    case 'path':
      return view.path;
    case 'title':
      return view.title;
    case 'host':
      return view.host;
    case 'siteSearch':
      return view.search;
    case 'directory':
      return directoryOf(view.path);
    default:
      throw new Error(`${dimension} belongs to visits`);
  }
}

/** The key of the bucket of a whole number: `7`, `6-10`, `>100`. */
export function countKey(keys: readonly string[], n: number): string {
  const found = keys.find((key) => {
    const [least, most] = key.split('-').map(Number) as [number, number?];
    return key.startsWith('>') ? n > Number(key.slice(1)) : most === undefined ? n === least : n >= least && n <= most;
  });
  return found ?? 'none';
}
/** A visit of only events has no page; its bucket is the lowest. */
export const pagesKey = (n: number): string => countKey(bucketKeys.pages, Math.max(1, n));
/** The key of the bucket of a duration: the first number of seconds inclusive, the second exclusive. */
function timeKey(ms: number): string {
  const found = bucketKeys.duration.find((key) => {
    const [least, end] = key.split('-').map(Number) as [number, number?];
    return key.startsWith('>=') ? ms >= Number(key.slice(2)) * 1000 : ms >= least * 1000 && ms < (end ?? 0) * 1000;
  });
  return found ?? 'none';
}
const daysBetween = (a: string, b: string): number => Math.round((Date.parse(`${b}T00:00:00Z`) - Date.parse(`${a}T00:00:00Z`)) / 86_400_000);
const agoKey = (visit: Visit, zone: string): string =>
  visit.number === 1 ? 'first' : countKey(bucketKeys.ago.slice(1), daysBetween(dayOf(visit.previous, zone), dayOf(visit.start, zone)));

const withVersion = (name: string, version: string): string => (version === '' ? name : `${name} ${version}`);

/** Dimensions determined by one attribute of the visit. */
const plain = {
  sourceName: 'sourceName',
  keyword: 'keyword',
  keywordFrom: 'keywordFrom',
  referrerHost: 'refHost',
  referrerUrl: 'refUrl',
  campaign: 'campaign',
  utmSource: 'utmSource',
  utmMedium: 'utmMedium',
  utmTerm: 'utmTerm',
  utmContent: 'utmContent',
  clickId: 'clickId',
  country: 'country',
  province: 'province',
  city: 'city',
  isp: 'isp',
  deviceType: 'deviceType',
  os: 'os',
  browser: 'browser',
  language: 'lang',
} as const satisfies Partial<Record<DimensionId, keyof About>>;

export function visitValue(visit: Visit, dimension: DimensionId, zone: string): string {
  const { about } = visit;
  if (Object.hasOwn(plain, dimension)) return about[plain[dimension as keyof typeof plain]];
  switch (dimension) {
    case 'sourceType':
      return visit.source;
    case 'entryPath':
      return visit.entry;
    case 'exitPath':
      return visit.exit;
    case 'screen':
      return about.screenW === 0 ? '' : `${about.screenW}x${about.screenH}`;
    case 'newReturning':
      return visit.number === 1 ? 'new' : 'returning';
    case 'referrerPath':
      // A site's front page says no more than its host.
      return about.refHost === '' || about.refPath === '' || about.refPath === '/' ? '' : about.refHost + about.refPath;
    case 'osVersion':
      return about.os === '' && about.osVersion === '' ? '' : withVersion(about.os, about.osVersion);
    case 'browserVersion':
      return withVersion(about.browser, about.browserVersion);
    case 'origin':
      return visit.origin;
    case 'pages':
      return pagesKey(visit.views.length);
    case 'distinctPages':
      return pagesKey(visit.paths);
    case 'duration':
      return timeKey(visit.last - visit.start);
    case 'engagedTime':
      return timeKey(visit.engaged);
    case 'ago':
      return agoKey(visit, zone);
    case 'visitNumber':
      return countKey(bucketKeys.visitNumber, visit.number);
    default:
      throw new Error(`${dimension} belongs to views or events`);
  }
}

export function holds(filter: OracleFilter, value: string): boolean {
  const has = (part: string) => value.toLowerCase().includes(part.toLowerCase());
  switch (filter.op) {
    case 'is':
      return filter.values.includes(value);
    case 'not':
      return !filter.values.includes(value);
    case 'contains':
      return filter.values.some(has);
    case 'excludes':
      return !filter.values.some(has);
  }
}

/** Visits that only a compared log contains are in no report. */
export const inPopulation = (visit: Visit, who: Population): boolean => {
  const score = visit.botScore;
  return visit.origin !== 'audit' && (who === 'all' || (who === 'humans' ? score < 50 : who === 'bots' ? score >= 90 : score >= 50 && score < 90));
};
