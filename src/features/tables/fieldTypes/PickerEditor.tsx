import { useState } from 'react';
import type { ChangeEvent, ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import type { FieldType } from '@contract/tables/terms';
import { ariaOf } from './editorProps';
import type { EditorProps } from './editorProps';
import { useFieldEnv } from './env';
import { isoOf, localOf } from './zoned';

const inputTypes: Partial<Record<FieldType, 'date' | 'datetime-local' | 'time'>> = { date: 'date', datetime: 'datetime-local', time: 'time' };

/** Whether the devices that are operated by touch have a picker for values of this type. */
export const hasPicker = (type: FieldType): boolean => inputTypes[type] !== undefined;

/** Dates and times on touch screens, chosen with the picker of the device. Points in time are in the site's time zone, which is shown. */
export const PickerEditor = (props: EditorProps): ReactElement => {
  const { field, value, onChange } = props;
  const { t } = useTranslation('tableFields');
  const { timeZone } = useFieldEnv();
  const isTimed = field.type === 'datetime';
  const [text, setText] = useState(() => (typeof value !== 'string' ? '' : isTimed ? localOf(value, timeZone) : value));
  const { min, max } = field.options;
  const bounds = field.type === 'date' ? { ...(typeof min === 'string' && { min }), ...(typeof max === 'string' && { max }) } : {};
  const change = ({ currentTarget: { value: next, validity } }: ChangeEvent<HTMLInputElement>): void => {
    setText(next);
    // A half-typed date has no value.
    if (validity.badInput) return onChange(value, t(field.type === 'time' ? 'timeFault' : 'dateFault'));
    if (next === '') return onChange(null);
    if (isTimed) return onChange(isoOf(next, timeZone));
    return onChange(field.type === 'time' && next.length === 5 ? `${next}:00` : next);
  };
  return (
    <div className="f-picker">
      <input {...ariaOf(props)} type={inputTypes[field.type] ?? 'text'} {...bounds} value={text} onChange={change} />
      {isTimed && <p className="f-note">{t('zone', { zone: timeZone })}</p>}
    </div>
  );
};
