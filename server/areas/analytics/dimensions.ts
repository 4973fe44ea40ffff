import { deviceTypes, dimensions, sourceTypes } from '../../../contract/analytics';
import type { DimensionId } from '../../../contract/analytics';

/**
 * What reports can be grouped and filtered by. A new screen over stored signals is one row here and one word in the contract.
 *
 * `visit`: `sql` is an expression over the columns of `visits`, giving a String.
 * `view`: `sql` is an array column of `visits` with one element a page view.
 */
export type Dimension = {
  readonly level: 'visit' | 'view';
  readonly sql: string;
  /** The only values there are; absent where any text can be. */
  readonly values?: readonly string[];
  /** Words of an export, those of the console: the column, and the row whose key is ''. */
  readonly label: { readonly zh: string; readonly en: string };
  readonly unknown: { readonly zh: string; readonly en: string };
};

const unknown = { zh: '未知', en: 'Unknown' };

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
  campaign: { level: 'visit', sql: 'toString(utm_campaign)', label: { zh: '推广活动', en: 'Campaign' }, unknown: { zh: '无', en: 'None' } },
};

export const isDimension = (text: string): text is DimensionId => (dimensions as readonly string[]).includes(text);
