import { lazy, Suspense, useState } from 'react';
import type { MouseEventHandler, ReactElement, Ref } from 'react';
import { useTranslation } from 'react-i18next';
import { readDay, readTime } from '@/lib/calendar';
import { todayIn } from '@/lib/days';
import { useMedia } from '@/lib/useMedia';
import { Popup } from '../Popup';
import { useMenu } from '../useMenu';
import './date.css';

const loadCalendar = () => import(/* webpackChunkName: "day-calendar" */ './DayCalendar');
const DayCalendar = lazy(loadCalendar);

type Kind = 'date' | 'datetime' | 'time';

type Props = {
  readonly kind?: Kind;
  /** `2026-11-20`, `2026-11-20T08:30` or `08:30`, as the platform's control has it; '' for none. Any other text is shown as it was typed. */
  readonly value: string;
  /** Receives such a value, '' or, while the text is neither, the text itself: an incomplete date must not count as none. */
  readonly onChange?: (value: string) => void;
  /**
   * Receives a complete value within the bounds when somebody presses Enter, leaves the field or chooses a day, for fields that act at once: while
   * `2026-11-20` is typed, `2026-11-2` is a date too.
   */
  readonly onCommit?: (value: string) => void;
  readonly min?: string;
  readonly max?: string;
  /** A filter of 28 px instead of a control of 32 px. */
  readonly small?: boolean;
  readonly readOnly?: boolean;
  readonly name?: string;
  readonly inputRef?: Ref<HTMLInputElement>;
  readonly onBlur?: () => void;
  readonly id?: string;
  readonly 'aria-label'?: string;
  readonly 'aria-describedby'?: string;
  readonly 'aria-invalid'?: boolean;
};

/** Matches devices operated mainly by touch, where the native date picker is used. */
const touch = '(pointer: coarse)';
const nativeTypes = { date: 'date', datetime: 'datetime-local', time: 'time' } as const;
const samples = { date: '2026-11-20', datetime: '2026-11-20 08:30', time: '08:30' } as const;

/** A time without the seconds that nobody typed. */
const readShortTime = (text: string): string | null => readTime(text)?.replace(/^(\d\d:\d\d):00$/, '$1') ?? null;

/** Parses typed text; null if it is not a valid date or time of this kind. Without a time, a date means midnight. */
export function readMoment(kind: Kind, text: string): string | null {
  if (kind === 'date') return readDay(text);
  if (kind === 'time') return readShortTime(text);
  const [, date = '', clock = ''] = /^(.*?[^T\s])(?:[T\s]+(\S+))?$/.exec(text.trim()) ?? [];
  const [day, time] = [readDay(date), clock === '' ? '00:00' : readShortTime(clock)];
  return day === null || time === null ? null : `${day}T${time}`;
}

const localToday = (): string => todayIn(new Intl.DateTimeFormat().resolvedOptions().timeZone, Date.now());

/** `refused`: when the field was left, the text was no value that may be committed. */
type Typed = { readonly text: string; readonly values: readonly string[]; readonly refused: boolean };

type MomentProps = {
  readonly kind: Kind;
  readonly value: string;
  readonly min: string;
  readonly max: string;
  readonly onChange: Props['onChange'] | undefined;
  readonly onCommit: Props['onCommit'] | undefined;
};

/**
 * What the field shows. While somebody types, it is their text, even where the caller keeps an older value until the text is a date; a value that comes
 * from elsewhere replaces it.
 */
function useTypedMoment({ kind, value, min, max, onChange, onCommit }: MomentProps) {
  const [stored, setTyped] = useState<Typed | null>(null);
  const typed = stored?.values.includes(value) === true ? stored : null;
  const moment = readMoment(kind, value);
  const text = typed?.text ?? moment?.replace('T', ' ') ?? value;
  const isWithin = (one: string): boolean => kind === 'time' || (one.slice(0, 10) >= min && one.slice(0, 10) <= max);
  /** False if the text is not empty and no value that may be committed. */
  const commit = (entered: string): boolean => {
    const next = readMoment(kind, entered);
    if (next === null || !isWithin(next)) return entered.trim() === '';
    if (next !== moment) onCommit?.(next);
    return true;
  };
  return {
    moment,
    text,
    isWrong: typed ? typed.refused : value !== '' && (moment === null || !isWithin(moment)),
    type: (entered: string): void => {
      const next = readMoment(kind, entered) ?? entered.trim();
      setTyped({ text: entered, values: [value, next], refused: false });
      onChange?.(next);
    },
    /** Takes a value that was chosen, not typed. */
    choose: (next: string): void => {
      setTyped(null);
      onChange?.(next);
      commit(next);
    },
    commit: (): void => void commit(text),
    leave: (): void => setTyped(onCommit && typed && !commit(text) ? { ...typed, refused: true } : null),
  };
}

/** A date, a point in time or a time of day: typed in one order in every browser, or chosen from a calendar; on touch screens from the device's picker. */
export function DateInput({
  kind = 'date',
  value,
  onChange,
  onCommit,
  min = '0001-01-01',
  max = '9999-12-31',
  small = false,
  readOnly = false,
  ...rest
}: Props): ReactElement {
  const { inputRef, onBlur, 'aria-invalid': isRefused = false, ...input } = rest;
  const onTouch = useMedia(touch);
  const { moment, text, isWrong, type, choose, commit, leave } = useTypedMoment({ kind, value, min, max, onChange, onCommit });
  const { anchor, toggle, close } = useMenu();
  const shared = { ...input, readOnly, 'aria-invalid': isRefused || isWrong, ...(inputRef === undefined ? {} : { ref: inputRef }) };
  const box = small ? 'date-input small' : 'date-input';
  if (onTouch)
    return (
      <span className={box} data-kind={kind}>
        <input
          {...shared}
          type={nativeTypes[kind]}
          {...(kind === 'date' ? { min, max } : {})}
          value={moment ?? ''}
          onChange={(event) => choose(event.target.value)}
          onBlur={onBlur}
        />
      </span>
    );
  return (
    <span className={box} data-kind={kind}>
      <input
        {...shared}
        type="text"
        autoComplete="off"
        spellCheck={false}
        maxLength={40}
        placeholder={samples[kind]}
        value={text}
        onChange={(event) => type(event.target.value)}
        onKeyDown={(event) => {
          if (event.key === 'Enter' && !event.nativeEvent.isComposing) commit();
        }}
        onBlur={() => {
          leave();
          onBlur?.();
        }}
      />
      {kind !== 'time' && <CalendarButton open={anchor !== null} disabled={readOnly} onPress={toggle} />}
      {anchor !== null && (
        <CalendarPopup
          anchor={anchor}
          day={moment?.slice(0, 10) ?? ''}
          min={min}
          max={max}
          onDay={(day) => {
            choose(kind === 'datetime' ? `${day}T${moment?.slice(11) ?? '00:00'}` : day);
            close();
          }}
          onClose={close}
        />
      )}
    </span>
  );
}

type ButtonProps = { readonly open: boolean; readonly disabled: boolean; readonly onPress: MouseEventHandler<HTMLButtonElement> };

function CalendarButton({ open, disabled, onPress }: ButtonProps): ReactElement {
  const { t } = useTranslation('form');
  return (
    <button
      type="button"
      className="icon-button"
      aria-label={t('date.open')}
      title={t('date.open')}
      aria-haspopup="dialog"
      aria-expanded={open}
      disabled={disabled}
      onPointerEnter={() => void loadCalendar()}
      onFocus={() => void loadCalendar()}
      onClick={onPress}
    >
      <svg className="icon" width={16} height={16} viewBox="0 0 20 20" aria-hidden="true" focusable="false">
        <path d="M3.5 4.5h13v12h-13zM3.5 8.5h13M7 2.5v3M13 2.5v3" />
      </svg>
    </button>
  );
}

type PopupProps = {
  readonly anchor: HTMLElement;
  readonly day: string;
  readonly min: string;
  readonly max: string;
  readonly onDay: (day: string) => void;
  readonly onClose: () => void;
};

function CalendarPopup({ anchor, onClose, ...calendar }: PopupProps): ReactElement {
  const { t } = useTranslation('form');
  return (
    <Popup anchor={anchor} label={t('date.calendar')} align="end" width={264} onClose={onClose}>
      <div className="day-popup">
        <Suspense fallback={null}>
          <DayCalendar {...calendar} today={localToday()} focused />
        </Suspense>
      </div>
    </Popup>
  );
}
