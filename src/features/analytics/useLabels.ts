import type { DimensionId, MeasureId } from '@contract/analytics/schemas';
import type { TFunction } from 'i18next';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { useParams } from 'react-router-dom';
import { type Format, useFormat } from '@/lib/format';
import { shortMeasure, unitOf, writeMeasure } from '@/lib/measureText';
import type { UiLocale } from '@/lib/preferences';
import { usePlaces } from '@/lib/usePlaces';
import { useAppSelector } from '@/store/hooks';
import { bucketName, isAxis } from './buckets';
import type { Filter } from './filters';

type Places = ReturnType<typeof usePlaces>;
type Named = { readonly id: string; readonly name: string };

/** Dimensions whose missing value has a name of its own. */
const unknownNames = {
  keyword: 'keyword',
  sourceName: 'sourceName',
  referrerHost: 'referrerHost',
  campaign: 'campaign',
  utmSource: 'campaign',
  utmMedium: 'campaign',
  utmTerm: 'campaign',
  utmContent: 'campaign',
  clickId: 'campaign',
  title: 'title',
  province: 'province',
  city: 'city',
} as const satisfies Partial<Record<DimensionId, string>>;
const unknownName = (by: DimensionId): (typeof unknownNames)[keyof typeof unknownNames] | 'value' =>
  by in unknownNames ? unknownNames[by as keyof typeof unknownNames] : 'value';

/** Names of what is counted, which is stored as codes. */
const namesOf = (t: TFunction<'analytics'>, places: Places, locale: UiLocale, goals: readonly Named[] | undefined) => {
  /** A search engine, network, browser, system or operator in the reader's language. */
  const product = (stored: string): string => places?.productName(stored, locale) ?? stored;
  /** The name of a row, from the stored code; a code without a name is shown as it is. */
  const nameOf = (by: DimensionId, key: string): string => {
    if (key === '') return t(`unknown.${unknownName(by)}`);
    switch (by) {
      case 'sourceType':
        return t(`sourceType.${key as 'direct'}`, { defaultValue: key });
      case 'deviceType':
        return t(`deviceType.${key as 'desktop'}`, { defaultValue: key });
      case 'newReturning':
        return t(`newReturning.${key as 'new'}`, { defaultValue: key });
      case 'country':
        return places?.countryName(key, locale) ?? key;
      case 'province':
        return places?.provinceName(key, locale) ?? key;
      case 'city':
        return places?.cityName(key, locale) ?? key;
      case 'sourceName':
      case 'os':
      case 'browser':
      case 'osVersion':
      case 'browserVersion':
      case 'isp':
        return product(key);
      case 'goal':
        return goals === undefined ? key : (goals.find((one) => one.id === key)?.name ?? t('unknown.goal'));
      default:
        return isAxis(by) ? bucketName(t, by, key) : key;
    }
  };
  return { product, nameOf };
};

/** All text of an analytics screen: values of measures, names of rows, filters as text. */
export const makeLabels = (t: TFunction<'analytics'>, format: Format, places: Places, locale: UiLocale, goals?: readonly Named[]) => {
  const value = (id: MeasureId, amount: number | null): string => writeMeasure(format, id, amount, t('unit.lessThanSecond'));
  const short = (id: MeasureId, amount: number | null): string => shortMeasure(format, id, amount, t('unit.lessThanSecond'));
  const tick = (id: MeasureId, amount: number): string => {
    const unit = unitOf(id);
    if (unit === 'seconds') return format.duration(amount);
    return unit === 'ratio' ? format.percentTick(amount) : format.compact(amount);
  };
  const { product, nameOf } = namesOf(t, places, locale, goals);
  /** "iOS 18.1 · 微信 8.0": system and browser of a visit, omitting what is unknown. */
  const device = (visit: { readonly os: string; readonly browser: string }): string =>
    [visit.os, visit.browser]
      .filter((name) => name !== '')
      .map(product)
      .join(' · ');
  const filter = (one: Filter): string =>
    t('filter.text', {
      dimension: t(`dimension.${one.by}`),
      op: t(`op.${one.op}`),
      values: one.values.map((key) => nameOf(one.by, key)).join(t('filter.or')),
    });
  /** "广东 深圳", "Shenzhen, Guangdong", without repeating a name (municipalities) and omitting what is unknown. */
  const place = (country: string, province: string, city: string): string => {
    const names = [
      country === 'CN' && province !== '' ? '' : nameOf('country', country),
      province === '' ? '' : nameOf('province', province),
      city === '' ? '' : nameOf('city', city),
    ];
    const known = [...new Set(names.filter((name) => name !== ''))];
    return locale === 'en' ? known.reverse().join(', ') : known.join(' ');
  };
  return {
    t,
    hasGoals: goals === undefined || goals.length > 0,
    format,
    value,
    short,
    tick,
    nameOf,
    filter,
    place,
    device,
    product,
    measure: (id: MeasureId): string => t(`measure.${id}.name`),
  };
};

export type Labels = ReturnType<typeof makeLabels>;

/** Goals as fetched by `insights/insightsApi.ts`, which loads later than these messages. */
const useGoalNames = (): readonly Named[] | undefined => {
  const { siteId } = useParams();
  return useAppSelector((state) => state.api.queries[`goals(${JSON.stringify({ siteId })})`]?.data as readonly Named[] | undefined);
};

export const useLabels = (): Labels => {
  const goals = useGoalNames();
  const { t, i18n } = useTranslation('analytics');
  const format = useFormat();
  const places = usePlaces();
  return useMemo(() => makeLabels(t, format, places, i18n.language === 'en' ? 'en' : 'zh-CN', goals), [t, format, places, i18n.language, goals]);
};
