import { useEffect, useRef, useState } from 'react';
import type { KeyboardEvent, ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import { addMonth, weeksOf } from '@/lib/calendar';
import { addDays } from '@/lib/days';
import { spaceBesideHan } from '@/lib/format';
import { Caret } from '../Caret';
import './date.css';

type Props = {
  /** The chosen day; '' for none. */
  readonly day: string;
  readonly today: string;
  readonly min: string;
  readonly max: string;
  /** Moves the focus to the chosen day when the calendar appears. */
  readonly focused?: boolean;
  readonly onDay: (day: string) => void;
};

/** The days of a month, of which one is chosen. Arrows move by days and weeks, PageUp and PageDown by months; Enter chooses. */
const DayCalendar = ({ day, today, min, max, focused = false, onDay }: Props): ReactElement => {
  const { t, i18n } = useTranslation('form');
  const inBounds = (one: string): string => (one < min ? min : one > max ? max : one);
  const start = inBounds(day === '' ? today : day);
  const [month, setMonth] = useState(start.slice(0, 7));
  const [focus, setFocus] = useState(start);
  const [shownDay, setShownDay] = useState(day);
  const grid = useRef<HTMLDivElement>(null);
  const show = (to: string): void => {
    setFocus(to);
    setMonth(to.slice(0, 7));
  };
  const showMonth = (to: string): void => {
    setMonth(to);
    setFocus(inBounds(`${to}-01`));
  };
  // A day that was typed beside the calendar.
  if (day !== shownDay) {
    setShownDay(day);
    show(start);
  }
  const days = weeksOf(month);
  const name = (iso: string, options: Intl.DateTimeFormatOptions): string =>
    new Intl.DateTimeFormat(i18n.language, { ...options, timeZone: 'UTC' }).format(Date.parse(`${iso}T00:00:00Z`));
  const focusDay = (to: string): void => grid.current?.querySelector<HTMLElement>(`[data-day="${to}"]`)?.focus();
  useEffect(() => {
    if (focused) grid.current?.querySelector<HTMLElement>('[tabindex="0"]')?.focus();
  }, [focused]);
  const press = (event: KeyboardEvent<HTMLElement>): void => {
    const step = { ArrowLeft: -1, ArrowRight: 1, ArrowUp: -7, ArrowDown: 7 }[event.key];
    const months = { PageUp: -1, PageDown: 1 }[event.key];
    if (step === undefined && months === undefined) return;
    event.preventDefault();
    const moved = inBounds(months === undefined ? addDays(focus, step ?? 0) : `${addMonth(focus.slice(0, 7), months)}-01`);
    show(moved);
    requestAnimationFrame(() => focusDay(moved));
  };
  return (
    <div className="day-calendar">
      <div className="day-month">
        <button type="button" className="icon-button" aria-label={t('date.monthBefore')} onClick={() => showMonth(addMonth(month, -1))}>
          <Caret to="left" />
        </button>
        <span aria-live="polite">{spaceBesideHan(name(`${month}-01`, { year: 'numeric', month: 'long' }))}</span>
        <button type="button" className="icon-button" aria-label={t('date.monthAfter')} onClick={() => showMonth(addMonth(month, 1))}>
          <Caret to="right" />
        </button>
      </div>
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- arrows walk through its buttons */}
      <div ref={grid} role="group" aria-label={t('date.days')} className="day-grid" onKeyDown={press}>
        {days.slice(0, 7).map((one) => (
          <span key={one} className="day-weekday" aria-hidden="true">
            {name(one, { weekday: 'narrow' })}
          </span>
        ))}
        {days.map((one) => (
          <button
            key={one}
            type="button"
            data-day={one}
            tabIndex={one === focus ? 0 : -1}
            {...(focused && one === focus ? { 'data-autofocus': true } : {})}
            disabled={one < min || one > max}
            aria-pressed={one === day}
            {...(one === today ? { 'aria-current': 'date' as const } : {})}
            aria-label={name(one, { dateStyle: 'full' })}
            className={one.startsWith(month) ? 'day' : 'day day-far'}
            onFocus={() => setFocus(one)}
            onClick={() => onDay(one)}
          >
            {Number(one.slice(8))}
          </button>
        ))}
      </div>
    </div>
  );
};

export default DayCalendar;
