import type { ReactElement } from 'react';
import type { OpenField } from '@contract/tables/forms';
import { fill } from '../useMessages';
import type { Typed } from './typed';
import { boundsOf, useFormMessages } from './useFormMessages';

type Props = {
  readonly id: string;
  readonly field: OpenField;
  readonly width: 'full' | 'half' | 'third';
  readonly required: boolean;
  readonly typed: Typed;
  /** The error message of the field. */ readonly fault: string | null;
  readonly timeZone: string;
  readonly onChange: (typed: Typed) => void;
};
type Aria = { readonly 'aria-invalid': boolean; readonly 'aria-describedby': string | undefined; readonly 'aria-required': boolean };

const textOf = (typed: Typed): string => (typeof typed === 'string' ? typed : '');
const listOf = (typed: Typed): readonly string[] => (typeof typed === 'string' || typeof typed === 'boolean' ? [] : typed);
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
  readonly list: readonly { readonly id: string; readonly title: string; readonly shown?: string }[];
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
            {...(choice.shown ? { 'aria-label': choice.title } : {})}
          />
          <span>{choice.shown ?? choice.title}</span>
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

function inputOf({ id, field, required, typed, onChange }: Props, aria: Aria, messages: ReturnType<typeof useFormMessages>): ReactElement {
  const { type, options } = field;
  const { placeholder } = options;
  const value = textOf(typed);
  const shared = { id, ...aria, value, ...(placeholder === undefined ? {} : { placeholder }) };
  const choices = options.choices ?? [];
  if (has(lines, type))
    return (
      <input
        {...shared}
        type={lines[type]}
        autoComplete={has(autoComplete, type) ? autoComplete[type] : 'on'}
        onChange={(event) => onChange(event.target.value)}
      />
    );
  if (has(dates, type))
    return (
      <input
        {...shared}
        type={dates[type]}
        {...(type === 'date' && typeof options.min === 'string' ? { min: options.min } : {})}
        {...(type === 'date' && typeof options.max === 'string' ? { max: options.max } : {})}
        {...(type === 'date' ? {} : { step: 60 })}
        onChange={(event) => onChange(event.target.value)}
      />
    );
  switch (type) {
    case 'longText':
    case 'markdown':
      return <textarea {...shared} rows={5} onChange={(event) => onChange(event.target.value)} />;
    case 'select':
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
    case 'multiSelect':
      return (
        <>
          {choices.map((choice) => {
            const list = listOf(typed);
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
    case 'rating': {
      const of = typeof options.max === 'number' ? options.max : 5;
      const stars = Array.from({ length: of }, (_, at) => ({
        id: String(at + 1),
        title: fill(messages.stars, { n: at + 1, of }),
        shown: at < Number(value) ? '★' : '☆',
      }));
      return <Radios id={id} list={stars} value={value} required={required} onChange={onChange} />;
    }
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
          <input {...shared} type="text" autoComplete="off" onChange={(event) => onChange(event.target.value)} />
        </span>
      );
    default: {
      const unit = type === 'percent' ? '%' : (options.unit ?? options.currency);
      const line = <input {...shared} type="text" inputMode={modes[type] ?? 'text'} autoComplete="off" onChange={(event) => onChange(event.target.value)} />;
      return unit === undefined ? (
        line
      ) : (
        <span className="beside">
          {line}
          <span className="unit">{unit}</span>
        </span>
      );
    }
  }
}

const Must = (): ReactElement => (
  <span className="must" aria-hidden="true">
    *
  </span>
);

/** One field: label, help, input and error. */
export const FieldInput = (props: Props): ReactElement => {
  const { id, field, width, required, fault, timeZone } = props;
  const messages = useFormMessages();
  const { type, title, help } = field;
  const hint = {
    tags: messages.tagsHint,
    duration: messages.durationHint,
    geo: messages.geoHint,
    color: messages.colorHint,
    datetime: fill(messages.zone, { zone: timeZone }),
  } as Readonly<Record<string, string>>;
  const hints = [hint[type] ?? '', boundsOf(messages, field)].filter((part) => part !== '').join(' · ');
  const radios = type === 'rating' || (type === 'select' && (field.options.choices?.length ?? 0) <= mostRadios);
  const group = radios || type === 'multiSelect';
  const described = [help !== '' && `${id}-help`, hints !== '' && `${id}-hint`, fault !== null && `${id}-fault`].filter((part) => part !== false).join(' ');
  const aria: Aria = { 'aria-invalid': fault !== null, 'aria-describedby': described === '' ? undefined : described, 'aria-required': required };
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
      data-wrong={fault !== null}
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
      <div className={group ? `picks picks-${type}` : 'input'}>{inputOf(props, aria, messages)}</div>
      {hints !== '' && (
        <p className="help" id={`${id}-hint`}>
          {hints}
        </p>
      )}
      {fault !== null && (
        <p className="fault" id={`${id}-fault`}>
          {fault}
        </p>
      )}
    </div>
  );
};
