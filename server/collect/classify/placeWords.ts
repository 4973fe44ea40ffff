import { cityName, countryName, provinceName } from '../../../contract/places';
import { isNear } from '../../net/publicAddress';
import { deviceOf } from './device';
import { placeOf } from './place';

const near = { 'zh-CN': '本机或内网', en: 'Local network' } as const;

/** Where an address is, in the reader's words: `中国 浙江 杭州`. '' where nothing is known. */
export function placeWords(address: string, locale: 'zh-CN' | 'en'): string {
  if (isNear(address)) return near[locale];
  const { country, province, city } = placeOf(address);
  return [countryName(country, locale), provinceName(province, locale), cityName(city, locale)]
    .filter((part, i, parts) => part !== '' && part !== parts[i - 1])
    .join(' ');
}

/** What a user agent says it is: `Chrome · Windows`. '' where nothing is known. */
export function deviceWords(userAgent: string): string {
  const { browser, os } = deviceOf(userAgent);
  return [browser, os].filter((part) => part !== '').join(' · ');
}
