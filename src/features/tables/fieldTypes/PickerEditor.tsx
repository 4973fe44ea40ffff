import { useState } from 'react';
import type { ChangeEvent, ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import type { FieldType } from '@contract/tables/terms';
import { readDay } from '@/lib/calendar';
import { ariaOf } from './editorProps';
import type { EditorProps } from './editorProps';
import { useFieldEnv } from './env';
import { isoOf, localOf } from '@/lib/zoned';

const inputTypes: Partial<Record<FieldType, 'date' | 'datetime-local' | 'time'>> = { date: 'date', datetime: 'datetime-local', time: 'time' };

/** Whether the devices that are operated by touch have a picker for values of this type. */
export const hasPicker = (type: FieldType): boolean => inputTypes[type] !== undefined;

/** The value of a field from that of its input; null if it is not valid, as with a year of five digits. Seconds remain while hour and minute do. */
function valueOf(type: FieldType, local: string, stored: string | null, timeZone: string): string | null {
  if (type === 'datetime') return isoOf(local, timeZone, stored);
  if (type === 'date') return readDay(local);
  if (stored?.startsWith(local)) return stored;
  return local.length === 5 ? `${local}:00` : local;
}

/** Dates and times on touch screens, chosen with the picker of the device. Points in time are in the site's time zone, which is shown. */
export const PickerEditor = (props: EditorProps): ReactElement => {
  const { field, value, onChange } = props;
  const { t } = useTranslation('tableFields');
  const { timeZone } = useFieldEnv();
  const isTimed = field.type === 'datetime';
  const [stored] = useState(() => (typeof value === 'string' ? value : null));
  const [text, setText] = useState(() => (isTimed ? localOf(stored, timeZone) : (stored ?? '')));
  const { min, max } = field.options;
  const bounds = field.type === 'date' ? { ...(typeof min === 'string' && { min }), ...(typeof max === 'string' && { max }) } : {};
  const change = ({ currentTarget: { value: next, validity } }: ChangeEvent<HTMLInputElement>): void => {
    setText(next);
    if (next === '' && !validity.badInput) return onChange(null);
    // A half-typed date has no value.
    const valid = validity.badInput ? null : valueOf(field.type, next, stored, timeZone);
    return valid === null ? onChange(value, t(field.type === 'time' ? 'timeFault' : 'dateFault')) : onChange(valid);
  };
  return (
    <div className="f-picker">
      <input {...ariaOf(props)} type={inputTypes[field.type] ?? 'text'} {...bounds} value={text} onChange={change} />
      {isTimed && <p className="f-note">{t('zone', { zone: timeZone })}</p>}
    </div>
  );
};
