import { useState } from 'react';
import type { KeyboardEvent } from 'react';
import { useTranslation } from 'react-i18next';
import { spaceBesideHan } from '@/lib/format';
import { Caret } from '@/ui/Caret';
import { ariaOf, useTypedDraft } from './editorProps';
import type { EditorProps } from './editorProps';
import { useFieldEnv } from './env';
import { addDays, addMonth, instantOf, readDay, readTime, wallClockOf, weeksOf } from './zoned';

/** The days of a month. Arrows move by days and weeks, PageUp and PageDown by months; Enter chooses. */
const Calendar = ({
  day,
  today,
  locale,
  min,
  max,
  onDay,
}: {
  day: string;
  today: string;
  locale: string;
  min: string;
  max: string;
  onDay: (day: string) => void;
}) => {
  const { t } = useTranslation('tableFields');
  const [month, setMonth] = useState((day === '' ? today : day).slice(0, 7));
  const [focus, setFocus] = useState(day === '' ? today : day);
  const days = weeksOf(month);
  const name = (iso: string, options: Intl.DateTimeFormatOptions): string =>
    new Intl.DateTimeFormat(locale, { ...options, timeZone: 'UTC' }).format(Date.parse(`${iso}T00:00:00Z`));
  const go = (to: string, list: HTMLElement | null): void => {
    setFocus(to);
    setMonth(to.slice(0, 7));
    requestAnimationFrame(() => list?.querySelector<HTMLElement>(`[data-day="${to}"]`)?.focus());
  };
  const press = (event: KeyboardEvent<HTMLElement>): void => {
    const step = { ArrowLeft: -1, ArrowRight: 1, ArrowUp: -7, ArrowDown: 7 }[event.key];
    const months = { PageUp: -1, PageDown: 1 }[event.key];
    if (step === undefined && months === undefined) return;
    event.preventDefault();
    const [year, number] = focus.split('-');
    const moved = months === undefined ? addDays(focus, step ?? 0) : `${addMonth(`${year ?? ''}-${number ?? ''}`, months)}-01`;
    go(moved, event.currentTarget);
  };
  return (
    <div className="f-calendar">
      <div className="f-month">
        <button type="button" className="icon-button" aria-label={t('monthBefore')} onClick={() => setMonth(addMonth(month, -1))}>
          <Caret to="right" />
        </button>
        <span aria-live="polite">{spaceBesideHan(name(`${month}-01`, { year: 'numeric', month: 'long' }))}</span>
        <button type="button" className="icon-button" aria-label={t('monthAfter')} onClick={() => setMonth(addMonth(month, 1))}>
          <Caret to="right" />
        </button>
      </div>
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- arrows walk through its buttons */}
      <div role="group" aria-label={t('date')} className="f-days" onKeyDown={press}>
        {days.slice(0, 7).map((one) => (
          <span key={one} className="f-weekday" aria-hidden="true">
            {name(one, { weekday: 'narrow' })}
          </span>
        ))}
        {days.map((one) => (
          <button
            key={one}
            type="button"
            data-day={one}
            tabIndex={one === focus ? 0 : -1}
            disabled={one < min || one > max}
            aria-pressed={one === day}
            {...(one === today ? { 'aria-current': 'date' as const } : {})}
            aria-label={name(one, { dateStyle: 'full' })}
            className={one.startsWith(month) ? 'f-day' : 'f-day f-far'}
            onClick={() => onDay(one)}
          >
            {Number(one.slice(8))}
          </button>
        ))}
      </div>
    </div>
  );
};

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
      <Calendar
        key={readDay(day)?.slice(0, 7) ?? ''}
        day={readDay(day) ?? ''}
        today={today}
        locale={env.format.locale}
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
