import { isBucketKey } from '../../../contract/measuring/buckets';
import type { DimensionId, SourceType, deviceTypes } from '../../../contract/analytics/schemas';
import { cityName, countryName, productName, provinceName } from '../../../contract/places';
import type { Locale } from '../../http/access';

type Name = { readonly zh: string; readonly en: string };

const sourceWords: Readonly<Record<SourceType, Name>> = {
  direct: { zh: '直接访问', en: 'Direct' },
  search: { zh: '搜索引擎', en: 'Search' },
  external: { zh: '外部链接', en: 'Links' },
  social: { zh: '社交平台', en: 'Social' },
  ai: { zh: 'AI 助手', en: 'AI assistants' },
  ad: { zh: '广告', en: 'Ads' },
  email: { zh: '邮件', en: 'Email' },
  internal: { zh: '站内来源', en: 'Internal' },
};
const deviceTextOf: Readonly<Record<(typeof deviceTypes)[number], Name>> = {
  desktop: { zh: '电脑', en: 'Desktop' },
  mobile: { zh: '手机', en: 'Phone' },
  tablet: { zh: '平板', en: 'Tablet' },
  tv: { zh: '电视', en: 'TV' },
  bot: { zh: '机器人', en: 'Bot' },
  unknown: { zh: '未知设备', en: 'Unknown device' },
};
const visitorWords: Readonly<Record<string, Name>> = { new: { zh: '新访客', en: 'New visitors' }, returning: { zh: '老访客', en: 'Returning visitors' } };

const originWords: Readonly<Record<string, Name>> = {
  script: { zh: '统计脚本', en: 'Script' },
  server: { zh: '服务端上报', en: 'Server' },
  log: { zh: '访问日志', en: 'Access log' },
  import: { zh: '导入', en: 'Import' },
};
const keywordFromWords: Readonly<Record<string, Name>> = {
  referrer: { zh: '来源页地址', en: 'Referring address' },
  ad_param: { zh: '广告参数', en: 'Ad parameter' },
};

type Unit = { readonly zh: string; readonly en: string; readonly one: string };
const unitWords = {
  pages: { zh: '页', en: 'pages', one: '1 page' },
  times: { zh: '次', en: 'times', one: 'once' },
  days: { zh: '天', en: 'days', one: '1 day' },
} as const satisfies Readonly<Record<string, Unit>>;
const counted =
  (unit: Unit) =>
  (key: string): Name => {
    if (key === '1') return { zh: `1 ${unit.zh}`, en: unit.one };
    const more = key.startsWith('>');
    const n = more ? key.slice(1) : key.replace('-', '–');
    return { zh: `${more ? '超过 ' : ''}${n} ${unit.zh}`, en: `${more ? 'over ' : ''}${n} ${unit.en}` };
  };
/** Values from one minute on are written in minutes, `60-120` seconds for example. */
function timeWord(key: string): Name {
  if (key === '>=3600') return { zh: '1 小时以上', en: '1 hour and more' };
  if (key.startsWith('>=')) {
    const end = Number(key.slice(2));
    return end % 60 === 0 ? { zh: `${end / 60} 分以上`, en: `${end / 60} min and more` } : { zh: `${end} 秒以上`, en: `${end} s and more` };
  }
  const [from = 0, to = 0] = key.split('-').map(Number);
  return to <= 60 || (from % 60) + (to % 60) > 0
    ? { zh: `${from}–${to} 秒`, en: `${from}–${to} s` }
    : { zh: `${from / 60}–${to / 60} 分`, en: `${from / 60}–${to / 60} min` };
}
const agoWord = (key: string): Name =>
  key === 'first' ? { zh: '首次访问', en: 'First visit' } : key === '0' ? { zh: '同一天', en: 'Same day' } : counted(unitWords.days)(key);
const numberWord = (key: string): Name =>
  key.startsWith('>')
    ? { zh: `第 ${key.slice(1)} 次以后`, en: `After no. ${key.slice(1)}` }
    : { zh: `第 ${key.replace('-', '–')} 次`, en: `No. ${key.replace('-', '–')}` };
const pagesWord = counted(unitWords.pages);
const bucketWords = { pages: pagesWord, distinctPages: pagesWord, duration: timeWord, engagedTime: timeWord, ago: agoWord, visitNumber: numberWord } as const;

/** Name of a bucket of a distribution: how many visits, or page views, each visitor had. */
export const spreadName = (of: 'visits' | 'views', key: string, locale: Locale): string =>
  counted(of === 'visits' ? unitWords.times : unitWords.pages)(key)[locale === 'en' ? 'en' : 'zh'];

/** The display name of a stored key, the same as in the console; a key without a name is returned unchanged. */
export function keyName(by: DimensionId, key: string, locale: Locale): string {
  const lang = locale === 'en' ? 'en' : 'zh';
  const from = (names: Readonly<Record<string, Name>>): string => (Object.hasOwn(names, key) ? (names[key]?.[lang] ?? key) : key);
  switch (by) {
    case 'sourceType':
      return from(sourceWords);
    case 'deviceType':
      return from(deviceTextOf);
    case 'newReturning':
      return from(visitorWords);
    case 'origin':
      return from(originWords);
    case 'keywordFrom':
      return from(keywordFromWords);
    case 'pages':
    case 'distinctPages':
    case 'duration':
    case 'engagedTime':
    case 'ago':
    case 'visitNumber':
      return isBucketKey(by, key) ? bucketWords[by](key)[lang] : key;
    case 'country':
      return countryName(key, locale);
    case 'province':
      return provinceName(key, locale);
    case 'city':
      return cityName(key, locale);
    case 'sourceName':
    case 'os':
    case 'browser':
    case 'osVersion':
    case 'browserVersion':
    case 'isp':
      return productName(key, locale);
    default:
      return key;
  }
}
