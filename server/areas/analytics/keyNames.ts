import type { DimensionId, SourceType, deviceTypes } from '../../../contract/analytics';
import { cityName, countryName, productName, provinceName } from '../../../contract/places';
import type { Locale } from '../../http/access';

type Words = { readonly zh: string; readonly en: string };

const sourceWords: Readonly<Record<SourceType, Words>> = {
  direct: { zh: '直接访问', en: 'Direct' },
  search: { zh: '搜索引擎', en: 'Search' },
  external: { zh: '外部链接', en: 'Links' },
  social: { zh: '社交平台', en: 'Social' },
  ai: { zh: 'AI 助手', en: 'AI assistants' },
  ad: { zh: '广告', en: 'Ads' },
  email: { zh: '邮件', en: 'Email' },
  internal: { zh: '站内来源', en: 'Internal' },
};
const deviceWords: Readonly<Record<(typeof deviceTypes)[number], Words>> = {
  desktop: { zh: '电脑', en: 'Desktop' },
  mobile: { zh: '手机', en: 'Phone' },
  tablet: { zh: '平板', en: 'Tablet' },
  tv: { zh: '电视', en: 'TV' },
  bot: { zh: '机器人', en: 'Bot' },
  unknown: { zh: '未知设备', en: 'Unknown device' },
};
const visitorWords: Readonly<Record<string, Words>> = { new: { zh: '新访客', en: 'New visitors' }, returning: { zh: '老访客', en: 'Returning visitors' } };

/** How a stored key is written for a reader, as the console writes it; a key without a name of its own stays. */
export function keyName(by: DimensionId, key: string, locale: Locale): string {
  const lang = locale === 'en' ? 'en' : 'zh';
  const from = (words: Readonly<Record<string, Words>>): string => (Object.hasOwn(words, key) ? (words[key]?.[lang] ?? key) : key);
  switch (by) {
    case 'sourceType':
      return from(sourceWords);
    case 'deviceType':
      return from(deviceWords);
    case 'newReturning':
      return from(visitorWords);
    case 'country':
      return countryName(key, locale);
    case 'province':
      return provinceName(key, locale);
    case 'city':
      return cityName(key, locale);
    case 'sourceName':
    case 'os':
    case 'browser':
      return productName(key, locale);
    default:
      return key;
  }
}
