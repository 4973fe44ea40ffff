import { cityName, countryName, provinceName } from '../../../contract/places';
import { isNear } from '../../net/publicAddress';
import { deviceOf } from './device';
import { placeOf } from './place';

const near = { 'zh-CN': '本机或内网', en: 'Local network' } as const;

/** The location of an address in the reader's language: `中国 浙江 杭州`. '' if unknown. */
export function placeTextOf(address: string, locale: 'zh-CN' | 'en'): string {
  if (isNear(address)) return near[locale];
  const { country, province, city } = placeOf(address);
  return [countryName(country, locale), provinceName(province, locale), cityName(city, locale)]
    .filter((part, i, parts) => part !== '' && part !== parts[i - 1])
    .join(' ');
}

/** Browser and system of a user agent: `Chrome · Windows`. '' if unknown. */
export function deviceTextOf(userAgent: string): string {
  const { browser, os } = deviceOf(userAgent);
  return [browser, os].filter((part) => part !== '').join(' · ');
}
