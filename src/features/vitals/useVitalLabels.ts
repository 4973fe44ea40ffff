import { useTranslation } from 'react-i18next';
import { navigationTypes } from '@contract/vitals/terms';
import type { Rating, VitalDimension, VitalMetric } from '@contract/vitals/terms';
import { useFormat } from '@/lib/format';
import { usePlaces } from '@/lib/usePlaces';

export const toneOf = { good: 'good', needs: 'warning', poor: 'bad' } as const satisfies Record<Rating, string>;

/** Values, metrics and keys of dimensions as text. */
export function useVitalLabels() {
  const { t, i18n } = useTranslation('vitals');
  const format = useFormat();
  const places = usePlaces();
  const locale = i18n.language.startsWith('zh') ? 'zh-CN' : 'en';
  /** `2.45 s`, `180 ms`, `0.08`. */
  const value = (metric: VitalMetric, amount: number | null): string => {
    if (amount === null) return '–';
    if (metric === 'cls') return format.decimal(amount, 2);
    return amount >= 1000
      ? t('unit.seconds', { value: format.decimal(amount / 1000, 2) })
      : t('unit.milliseconds', { value: format.number(Math.round(amount)) });
  };
  const key = (by: VitalDimension, found: string): string => {
    if (found === '') return t('key.unknown');
    if (by === 'country') return places?.countryName(found, locale) ?? found;
    if (by === 'device' && (found === 'desktop' || found === 'mobile' || found === 'tablet')) return t(`device.${found}`);
    const navigation = by === 'navigation' ? navigationTypes.find((one) => one === found) : undefined;
    return navigation === undefined ? found : t(`navigation.${navigation}`);
  };
  return { t, format, value, key };
}
