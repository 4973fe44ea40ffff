import { useMemo } from 'react';
import type { ReactElement } from 'react';
import type { FieldValues } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import { timeZones } from '@/lib/timeZones';
import { ComboField } from './ComboField';
import type { Option } from './ComboField';
import type { BoundProps } from './TextField';

/** A time zone, found by city, by its localized name or by its offset. */
export function TimeZoneField<I extends FieldValues, O>({
  include,
  ...bound
}: BoundProps<I, O> & {
  /** A zone that must be offered even if this browser does not list it. */ readonly include: string;
  /** What null means, if nothing has to be chosen. */ readonly none?: string | undefined;
  /** What was typed before the field had loaded. */ readonly typed?: string | undefined;
}): ReactElement {
  const { t, i18n } = useTranslation('form');
  const names = t('zoneNames');
  const options = useMemo(() => {
    const called = new Map(names.split(';').map((one) => [one.slice(0, one.indexOf(' ')), one.slice(one.indexOf(' '))]));
    return timeZones(i18n.language, [include]).map((zone): Option => ({
      value: zone.id,
      label: zone.id.replaceAll('_', ' '),
      detail: `${zone.name} · ${zone.offset}`,
      keywords: `${zone.offset.replace('UTC', 'GMT')}${called.get(zone.id) ?? ''}`,
    }));
  }, [i18n.language, include, names]);
  return <ComboField {...bound} options={options} />;
}
