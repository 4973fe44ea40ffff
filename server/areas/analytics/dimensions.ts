import { bucketKeys, deviceTypes, dimensions, sourceTypes } from '../../../contract/analytics/schemas';
import type { DimensionId } from '../../../contract/analytics/schemas';

/**
 * The properties that reports group and filter by. A new report over stored columns needs one row here and one term in the contract.
 *
 * `visit`: `sql` is an expression over the columns of `visits` that returns a String.
 * `view`: `sql` is an array column of `visits` with one element per page view.
 * `event`: something that happened in a visit, possibly several times; see `events.ts`.
 */
export type Dimension = {
  readonly level: 'visit' | 'view' | 'event';
  readonly sql: string;
  /** For level `event`: which kind. */
  readonly of?: 'event' | 'goal';
  /** For level `view`: a second array of the same length, which slices carry as `detail`. */
  readonly detail?: string;
  /** The complete list of values; absent if any text is possible. */
  readonly values?: readonly string[];
  /** Labels used in exports, the same as in the console: the column header, and the row whose key is ''. */
  readonly label: { readonly zh: string; readonly en: string };
  readonly unknown: { readonly zh: string; readonly en: string };
};

const unknown = { zh: '未知', en: 'Unknown' };
const none = { zh: '无', en: 'None' };

/** Buckets. Their keys are those of `bucketKeys`, in the same order. */
const countBucket = (n: string): string =>
  `multiIf(${n} <= 5, toString(greatest(${n}, 1)), ${n} <= 10, '6-10', ${n} <= 20, '11-20', ${n} <= 50, '21-50', ${n} <= 100, '51-100', '>100')`;
const numberBucket = (n: string): string =>
  `multiIf(${n} <= 10, toString(${n}), ${n} <= 15, '11-15', ${n} <= 50, '16-50', ${n} <= 100, '51-100', ${n} <= 200, '101-200', ${n} <= 300, '201-300', '>300')`;
const timeBucket = (ms: string): string =>
  `multiIf(${[10, 30, 60, 120, 180, 240, 300, 600, 1800, 3600].map((end, index) => `${ms} < ${end * 1000}, '${bucketKeys.duration[index] ?? ''}'`).join(', ')}, '>=3600')`;
/** Days between the starts of a visit and the previous one, in the site's time zone. Fixed when the visit is written, never relative to today. */
const days = '(toDate(start, {zone:String}) - toDate(prev_start, {zone:String}))';
const agoBucket = `multiIf(visit_no = 1, 'first', ${days} <= 2, toString(greatest(${days}, 0)), ${days} <= 7, '3-7', ${days} <= 15, '8-15', ${days} <= 30, '16-30', ${days} <= 90, '31-90', ${days} <= 365, '91-365', '>365')`;

/**
 * The directory directly below `under` (SQL of a text ending with `/`) that contains a path, such as `/docs/`; `under` itself for a page directly in it. An
 * empty path segment (`//x`) is not a directory.
 */
export const directoryIn = (path: string, under: string): string =>
  `concat(${under}, if(startsWith(${path}, ${under}) AND position(substring(${path}, length(${under}) + 1), '/') > 1, substring(${path}, length(${under}) + 1, position(substring(${path}, length(${under}) + 1), '/')), ''))`;

export const dimensionTable: Readonly<Record<DimensionId, Dimension>> = {
  sourceType: { level: 'visit', sql: 'toString(source_type)', values: sourceTypes, label: { zh: '来源类型', en: 'Source type' }, unknown },
  sourceName: { level: 'visit', sql: 'toString(source_name)', label: { zh: '来源', en: 'Source' }, unknown: { zh: '直接访问', en: 'Direct' } },
  keyword: { level: 'visit', sql: 'keyword', label: { zh: '搜索词', en: 'Search term' }, unknown: { zh: '未提供', en: 'Not provided' } },
  referrerHost: { level: 'visit', sql: 'toString(ref_host)', label: { zh: '来源网站', en: 'Referring site' }, unknown: { zh: '无来源页', en: 'No referrer' } },
  entryPath: { level: 'visit', sql: 'entry_path', label: { zh: '入口页面', en: 'Entry page' }, unknown },
  exitPath: { level: 'visit', sql: 'exit_path', label: { zh: '退出页面', en: 'Exit page' }, unknown },
  path: { level: 'view', sql: 'view_path', label: { zh: '受访页面', en: 'Page' }, unknown },
  title: { level: 'view', sql: 'view_title', label: { zh: '页面标题', en: 'Page title' }, unknown: { zh: '（无标题）', en: '(no title)' } },
  host: { level: 'view', sql: 'view_host', label: { zh: '访问域名', en: 'Host' }, unknown },
  country: { level: 'visit', sql: 'toString(country)', label: { zh: '国家/地区', en: 'Country/region' }, unknown },
  province: { level: 'visit', sql: 'toString(province)', label: { zh: '省份', en: 'Province' }, unknown },
  city: { level: 'visit', sql: 'toString(city)', label: { zh: '城市', en: 'City' }, unknown },
  deviceType: { level: 'visit', sql: 'toString(device_type)', values: deviceTypes, label: { zh: '设备类型', en: 'Device type' }, unknown },
  os: { level: 'visit', sql: 'toString(os)', label: { zh: '操作系统', en: 'Operating system' }, unknown },
  browser: { level: 'visit', sql: 'toString(browser)', label: { zh: '浏览器', en: 'Browser' }, unknown },
  screen: {
    level: 'visit',
    sql: "if(screen_w = 0, '', concat(toString(screen_w), 'x', toString(screen_h)))",
    label: { zh: '屏幕分辨率', en: 'Screen size' },
    unknown,
  },
  language: { level: 'visit', sql: 'toString(lang)', label: { zh: '语言', en: 'Language' }, unknown },
  newReturning: {
    level: 'visit',
    sql: "if(is_new = 1, 'new', 'returning')",
    values: ['new', 'returning'],
    label: { zh: '新老访客', en: 'New or returning' },
    unknown,
  },
  campaign: { level: 'visit', sql: 'toString(utm_campaign)', label: { zh: '推广活动', en: 'Campaign' }, unknown: none },
  keywordFrom: {
    level: 'visit',
    sql: 'toString(keyword_from)',
    label: { zh: '搜索词来自', en: 'Search term from' },
    unknown: { zh: '未提供', en: 'Not provided' },
  },
  referrerPath: {
    level: 'visit',
    sql: "if(ref_host = '' OR ref_path IN ('', '/'), '', concat(toString(ref_host), ref_path))",
    label: { zh: '来源页面', en: 'Referring page' },
    unknown,
  },
  referrerUrl: { level: 'visit', sql: 'ref_url', label: { zh: '来源网址', en: 'Referring address' }, unknown: { zh: '无来源页', en: 'No referrer' } },
  utmSource: { level: 'visit', sql: 'toString(utm_source)', label: { zh: '广告来源 (utm_source)', en: 'UTM source' }, unknown: none },
  utmMedium: { level: 'visit', sql: 'toString(utm_medium)', label: { zh: '广告媒介 (utm_medium)', en: 'UTM medium' }, unknown: none },
  utmTerm: { level: 'visit', sql: 'utm_term', label: { zh: '广告关键词 (utm_term)', en: 'UTM term' }, unknown: none },
  utmContent: { level: 'visit', sql: 'utm_content', label: { zh: '广告创意 (utm_content)', en: 'UTM content' }, unknown: none },
  clickId: { level: 'visit', sql: 'toString(click_id)', label: { zh: '广告点击标识', en: 'Ad click id' }, unknown: none },
  osVersion: { level: 'visit', sql: "trimRight(concat(toString(os), ' ', toString(os_version)))", label: { zh: '系统版本', en: 'OS version' }, unknown },
  browserVersion: {
    level: 'visit',
    sql: "trimRight(concat(toString(browser), ' ', toString(browser_version)))",
    label: { zh: '浏览器版本', en: 'Browser version' },
    unknown,
  },
  isp: { level: 'visit', sql: 'toString(isp)', label: { zh: '网络运营商', en: 'Network' }, unknown },
  origin: { level: 'visit', sql: 'toString(origin)', values: ['script', 'server', 'log', 'import'], label: { zh: '数据来源', en: 'Recorded by' }, unknown },
  pages: { level: 'visit', sql: countBucket('length(view_at)'), values: bucketKeys.pages, label: { zh: '访问页数', en: 'Pages per visit' }, unknown },
  distinctPages: {
    level: 'visit',
    sql: countBucket('upv'),
    values: bucketKeys.distinctPages,
    label: { zh: '不重复页数', en: 'Distinct pages per visit' },
    unknown,
  },
  duration: {
    level: 'visit',
    sql: timeBucket("dateDiff('millisecond', start, last)"),
    values: bucketKeys.duration,
    label: { zh: '访问时长', en: 'Visit duration' },
    unknown,
  },
  engagedTime: { level: 'visit', sql: timeBucket('engaged_ms'), values: bucketKeys.engagedTime, label: { zh: '有效停留时长', en: 'Engaged time' }, unknown },
  ago: { level: 'visit', sql: agoBucket, values: bucketKeys.ago, label: { zh: '距上次访问', en: 'Days since last visit' }, unknown },
  visitNumber: { level: 'visit', sql: numberBucket('visit_no'), values: bucketKeys.visitNumber, label: { zh: '第几次访问', en: 'Visit number' }, unknown },
  siteSearch: { level: 'view', sql: 'view_search', label: { zh: '站内搜索词', en: 'Site search term' }, unknown: { zh: '未搜索', en: 'No search' } },
  directory: {
    level: 'view',
    sql: `arrayMap(p -> ${directoryIn('p', "'/'")}, view_path)`,
    label: { zh: '目录', en: 'Directory' },
    unknown,
  },
  event: { level: 'event', of: 'event', sql: '', label: { zh: '事件', en: 'Event' }, unknown: none },
  goal: { level: 'event', of: 'goal', sql: '', label: { zh: '目标', en: 'Goal' }, unknown: none },
};

const fewKeys: ReadonlySet<DimensionId> = new Set(['country', 'province', 'os', 'browser', 'language', 'isp', 'keywordFrom']);
/** Dimensions with so few distinct values that counting all rows while showing one page costs nothing noticeable. */
export const hasFewKeys = (id: DimensionId): boolean => dimensionTable[id].values !== undefined || fewKeys.has(id);

export const isDimension = (text: string): text is DimensionId => (dimensions as readonly string[]).includes(text);
