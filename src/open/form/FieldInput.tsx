import type { ChangeEvent, ReactElement } from 'react';
import type { OpenField } from '@contract/tables/forms';
import { fill, useLocale } from '../useMessages';
import { FilesInput } from './FilesInput';
import { choicesIn } from './typed';
import type { Typed } from './typed';
import { boundsOf, filesHint, useFormMessages } from './useFormMessages';

type Props = {
  readonly id: string;
  readonly field: OpenField;
  readonly width: 'full' | 'half' | 'third';
  readonly required: boolean;
  readonly typed: Typed;
  /** The error message of the field. */ readonly error: string | null;
  readonly timeZone: string;
  readonly onChange: (typed: Typed) => void;
};
type Aria = { readonly 'aria-invalid': boolean; readonly 'aria-describedby': string | undefined; readonly 'aria-required': boolean };

const textOf = (typed: Typed): string => (typeof typed === 'string' ? typed : '');
/** More choices than this are shown as a select instead of radio buttons. */
const mostRadios = 6;
const digits = /^#[\da-f]{6}$/i;

const lines = { text: 'text', email: 'email', url: 'url', phone: 'tel' } as const;
const autoComplete = { email: 'email', phone: 'tel', url: 'url' } as const;
const modes: Partial<Record<OpenField['type'], 'decimal' | 'numeric'>> = { integer: 'numeric', number: 'decimal', currency: 'decimal', percent: 'decimal' };
const dates = { date: 'date', time: 'time', datetime: 'datetime-local' } as const;
const has = <T extends object>(map: T, key: string): key is Extract<keyof T, string> => Object.hasOwn(map, key);

/** Radio buttons for a few choices, or for stars. An optional field can also be left without a choice. */
const Radios = ({
  id,
  list,
  value,
  required,
  onChange,
}: {
  readonly id: string;
  readonly list: readonly { readonly id: string; readonly title: string; readonly symbol?: string }[];
  readonly value: string;
  readonly required: boolean;
  readonly onChange: (typed: string) => void;
}): ReactElement => {
  const messages = useFormMessages();
  return (
    <>
      {list.map((choice) => (
        <label key={choice.id} className="pick">
          <input
            type="radio"
            name={id}
            checked={value === choice.id}
            onChange={() => onChange(choice.id)}
            {...(choice.symbol ? { 'aria-label': choice.title } : {})}
          />
          <span>{choice.symbol ?? choice.title}</span>
        </label>
      ))}
      {value !== '' && !required && (
        <button type="button" className="quiet" onClick={() => onChange('')}>
          {messages.clearChoice}
        </button>
      )}
    </>
  );
};

type InputProps = Pick<Props, 'id' | 'field' | 'required' | 'typed' | 'onChange'> & { readonly aria: Aria };
const placeholderOf = ({ options: { placeholder } }: OpenField) => (placeholder === undefined ? {} : { placeholder });

const ChoiceInput = ({ id, field, required, typed, onChange, aria }: InputProps): ReactElement => {
  const messages = useFormMessages();
  const choices = field.options.choices ?? [];
  const value = textOf(typed);
  return choices.length <= mostRadios ? (
    <Radios id={id} list={choices} value={value} required={required} onChange={onChange} />
  ) : (
    <select {...aria} id={id} value={value} onChange={(event) => onChange(event.target.value)}>
      <option value="">{messages.noValue}</option>
      {choices.map((choice) => (
        <option key={choice.id} value={choice.id}>
          {choice.title}
        </option>
      ))}
    </select>
  );
};

const ChecksInput = ({ field, typed, onChange, aria }: InputProps): ReactElement => {
  const list = choicesIn(typed);
  return (
    <>
      {(field.options.choices ?? []).map((choice) => {
        const on = list.includes(choice.id);
        return (
          <label key={choice.id} className="pick">
            <input
              type="checkbox"
              aria-invalid={aria['aria-invalid']}
              checked={on}
              onChange={() => onChange(on ? list.filter((one) => one !== choice.id) : [...list, choice.id])}
            />
            <span>{choice.title}</span>
          </label>
        );
      })}
    </>
  );
};

const RatingInput = ({ id, field, required, typed, onChange }: InputProps): ReactElement => {
  const messages = useFormMessages();
  const { max } = field.options;
  const of = typeof max === 'number' ? max : 5;
  const value = textOf(typed);
  const stars = Array.from({ length: of }, (_, at) => ({
    id: String(at + 1),
    title: fill(messages.stars, { n: at + 1, of }),
    symbol: at < Number(value) ? '★' : '☆',
  }));
  return <Radios id={id} list={stars} value={value} required={required} onChange={onChange} />;
};

const ColorInput = ({ id, field, typed, onChange, aria }: InputProps): ReactElement => {
  const messages = useFormMessages();
  const value = textOf(typed);
  return (
    <span className="beside">
      <input
        type="color"
        tabIndex={-1}
        data-empty={value === ''}
        aria-label={messages.pickColor}
        value={digits.test(value) ? value : '#808080'}
        onChange={(event) => onChange(event.target.value)}
      />
      <input {...placeholderOf(field)} {...aria} id={id} value={value} type="text" autoComplete="off" onChange={(event) => onChange(event.target.value)} />
    </span>
  );
};

/** The chosen day in words: the browser's own control writes it in the order of the browser's language, which may not be the page's. Empty for a time of day. */
const DayInWords = ({ id, value }: { readonly id: string; readonly value: string }): ReactElement => {
  const locale = useLocale();
  const at = /^\d{4}-/.test(value) ? Date.parse(value.length === 10 ? value : `${value}Z`) : Number.NaN;
  const options: Intl.DateTimeFormatOptions = { dateStyle: 'full', timeZone: 'UTC', ...(value.length > 10 && { timeStyle: 'short', hourCycle: 'h23' }) };
  return (
    <output className="help" htmlFor={id}>
      {Number.isNaN(at) ? '' : new Intl.DateTimeFormat(locale === 'en' ? 'en-GB' : locale, options).format(at)}
    </output>
  );
};

/** An input with the suggestions, keyboard or picker of its type, and its unit behind it. */
const LineInput = ({ id, field, typed, onChange, aria }: InputProps): ReactElement => {
  const { type, options } = field;
  const { min, max } = options;
  const shared = {
    id,
    ...aria,
    ...placeholderOf(field),
    value: textOf(typed),
    onChange: (event: ChangeEvent<HTMLInputElement>) => onChange(event.target.value),
  };
  if (has(lines, type)) return <input {...shared} type={lines[type]} autoComplete={has(autoComplete, type) ? autoComplete[type] : 'on'} />;
  if (has(dates, type)) {
    const bounds = type === 'date' ? { ...(typeof min === 'string' && { min }), ...(typeof max === 'string' && { max }) } : { step: 60 };
    return (
      <>
        <input {...shared} type={dates[type]} {...bounds} />
        <DayInWords id={id} value={shared.value} />
      </>
    );
  }
  const unit = type === 'percent' ? '%' : (options.unit ?? options.currency);
  const line = <input {...shared} type="text" inputMode={modes[type] ?? 'text'} autoComplete="off" />;
  return unit === undefined ? (
    line
  ) : (
    <span className="beside">
      {line}
      <span className="unit">{unit}</span>
    </span>
  );
};

/** The input for the type of a field. */
const TypeInput = (props: InputProps): ReactElement => {
  const { id, field, required, typed, onChange, aria } = props;
  if (field.files) return <FilesInput {...props} files={field.files} />;
  switch (field.type) {
    case 'longText':
    case 'markdown':
      return <textarea {...placeholderOf(field)} {...aria} id={id} value={textOf(typed)} rows={5} onChange={(event) => onChange(event.target.value)} />;
    case 'select':
      return <ChoiceInput {...props} />;
    case 'multiSelect':
      return <ChecksInput {...props} />;
    case 'rating':
      return <RatingInput {...props} />;
    case 'switch':
      return (
        <label className="pick">
          <input {...aria} id={id} type="checkbox" checked={typed === true} onChange={(event) => onChange(event.target.checked)} />
          <span>
            {field.title}
            {required && <Must />}
          </span>
        </label>
      );
    case 'color':
      return <ColorInput {...props} />;
    default:
      return <LineInput {...props} />;
  }
};

const Must = (): ReactElement => (
  <span className="must" aria-hidden="true">
    *
  </span>
);

/** One field: label, help, input and error. */
export const FieldInput = (props: Props): ReactElement => {
  const { id, field, width, required, error, timeZone } = props;
  const messages = useFormMessages();
  const { type, title, help } = field;
  const hint = {
    tags: messages.tagsHint,
    duration: messages.durationHint,
    geo: messages.geoHint,
    color: messages.colorHint,
    ...(field.files && { [type]: filesHint(messages, field.files) }),
    datetime: fill(messages.zone, { zone: timeZone }),
  } as Readonly<Record<string, string>>;
  const hints = [hint[type] ?? '', boundsOf(messages, field)].filter((part) => part !== '').join(' · ');
  const radios = type === 'rating' || (type === 'select' && (field.options.choices?.length ?? 0) <= mostRadios);
  const group = radios || type === 'multiSelect';
  const described = [help !== '' && `${id}-help`, hints !== '' && `${id}-hint`, error !== null && `${id}-error`].filter((part) => part !== false).join(' ');
  const aria: Aria = { 'aria-invalid': error !== null, 'aria-describedby': described === '' ? undefined : described, 'aria-required': required };
  const name = (
    <>
      {title}
      {required && <Must />}
    </>
  );
  return (
    <div
      className="field"
      data-field={field.id}
      data-width={width}
      data-wrong={error !== null}
      // The group of choices carries the label and description, so that they are read once. Only a radio group can be required or invalid.
      {...(group ? { role: 'group', 'aria-labelledby': `${id}-name`, 'aria-describedby': aria['aria-describedby'] } : {})}
      {...(radios ? { ...aria, role: 'radiogroup' } : {})}
    >
      {type !== 'switch' &&
        (group ? (
          <span className="name" id={`${id}-name`}>
            {name}
            {required && !radios && <span className="unseen">{messages.required}</span>}
          </span>
        ) : (
          <label className="name" htmlFor={id}>
            {name}
          </label>
        ))}
      {help !== '' && (
        <p className="help lines" id={`${id}-help`}>
          {help}
        </p>
      )}
      <div className={group ? `picks picks-${type}` : 'input'}>
        <TypeInput {...props} aria={aria} />
      </div>
      {hints !== '' && (
        <p className="help" id={`${id}-hint`}>
          {hints}
        </p>
      )}
      {error !== null && (
        <p className="error" id={`${id}-error`}>
          {error}
        </p>
      )}
    </div>
  );
};
