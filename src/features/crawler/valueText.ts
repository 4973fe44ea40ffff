import { useTranslation } from 'react-i18next';
import type { CrawlRow } from '@contract/crawler/schemas';
import { useFormat } from '@/lib/format';

/** An extracted value as text. */
export function useValueText(): (value: CrawlRow['values'][string]) => string {
  const { t } = useTranslation('crawler');
  const format = useFormat();
  return (value) => {
    if (value === null) return '–';
    if (typeof value === 'boolean') return t(value ? 'rows.yes' : 'rows.no');
    return typeof value === 'number' ? format.number(value) : Array.isArray(value) ? value.join(', ') : value;
  };
}
