import { useState } from 'react';
import type { KeyboardEvent } from 'react';
import { useTranslation } from 'react-i18next';
import { readDay, readTime } from '@/lib/calendar';
import DayCalendar from '@/ui/date/DayCalendar';
import { ariaOf, useTypedDraft } from './editorProps';
import type { EditorProps } from './editorProps';
import { useFieldEnv } from './env';
import { instantOf, wallClockOf } from '@/lib/zoned';

const bound = (value: unknown, other: string): string => (typeof value === 'string' ? value : other);

/** Editor of date and datetime: typed, or chosen from a calendar. Points in time are in the site's time zone, which is shown. */
export const DateEditor = (props: EditorProps) => {
  const { field, value, onChange, onDone, typed } = props;
  const { t } = useTranslation('tableFields');
  const env = useFieldEnv();
  const timed = field.type === 'datetime';
  const before = typeof value === 'string' && value !== '' ? (timed ? wallClockOf(value, env.timeZone) : { day: value.slice(0, 10), time: '' }) : null;
  const [day, setDay] = useState(typed ?? before?.day ?? '');
  const [time, setTime] = useState(before ? before.time.replace(/:00$/, '') : '');
  const [today] = useState(() => wallClockOf(new Date().toISOString(), env.timeZone)?.day ?? '2000-01-01');

  const valueOf = (d: string, h: string): { readonly value: unknown; readonly error?: string } => {
    if (d.trim() === '') return { value: null };
    const iso = readDay(d);
    if (iso === null) return { value, error: t('dateFault') };
    if (!timed) return { value: iso };
    const clock = h.trim() === '' ? '00:00:00' : readTime(h);
    const at = clock === null ? null : instantOf(iso, clock, env.timeZone);
    return at === null ? { value, error: t('timeFault') } : { value: at };
  };
  const change = (d: string, h: string): void => {
    setDay(d);
    setTime(h);
    const next = valueOf(d, h);
    onChange(next.value, next.error);
  };
  const enter = (event: KeyboardEvent<HTMLInputElement>): void => {
    if (event.key !== 'Enter' || !onDone) return;
    event.preventDefault();
    const next = valueOf(day, time);
    if (next.error === undefined) return onDone('down', { value: next.value });
    // An invalid value is reported with its reason, and the editor stays open.
    onChange(next.value, next.error);
    onDone('down');
  };
  useTypedDraft(typed, (text) => change(text, time));
  return (
    <div className="f-date">
      <div className="f-fields">
        <input
          {...ariaOf(props)}
          type="text"
          inputMode="numeric"
          placeholder="2026-11-20"
          value={day}
          onChange={(event) => change(event.currentTarget.value, time)}
          onKeyDown={enter}
        />
        {timed && (
          <input
            type="text"
            inputMode="numeric"
            aria-label={t('time')}
            placeholder="08:30"
            value={time}
            onChange={(event) => change(day, event.currentTarget.value)}
            onKeyDown={enter}
          />
        )}
        <button type="button" className="f-plain" onClick={() => change(today, time)}>
          {t('today')}
        </button>
      </div>
      <DayCalendar
        day={readDay(day) ?? ''}
        today={today}
        min={bound(field.options.min, '0001-01-01')}
        max={bound(field.options.max, '9999-12-31')}
        onDay={(one) => {
          change(one, time);
          if (!timed) onDone?.('down', { value: one });
        }}
      />
      {timed && <p className="f-note">{t('zone', { zone: env.timeZone })}</p>}
    </div>
  );
};
