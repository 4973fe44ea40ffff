import { useId, useLayoutEffect, useRef, useState } from 'react';
import type { KeyboardEvent, ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { Choice } from '@contract/tables/schemas';
import { Icon } from '@/ui/Icon';
import { Chip } from './cellParts';
import { ariaOf } from './editorProps';
import type { EditorProps } from './editorProps';

export type Option = { readonly id: string; readonly name: string; readonly color?: Choice['color'] };

/**
 * A search field over a list of options, fully operable by keyboard: arrows move, Enter chooses, Backspace in an empty field removes the last choice. With a
 * single choice, choosing closes the list; with several, each press adds or removes one and Ctrl+Enter finishes.
 */
export const OptionList = ({
  editor,
  options,
  chosen,
  many,
  text,
  onText,
  onPick,
  onRemove,
  placeholder,
  state,
  empty,
}: {
  readonly editor: EditorProps;
  readonly options: readonly Option[];
  readonly chosen: readonly Option[];
  readonly many: boolean;
  readonly text: string;
  readonly onText: (text: string) => void;
  readonly onPick: (option: Option) => void;
  readonly onRemove: (option: Option) => void;
  readonly placeholder: string;
  /** Shown while searching, or when the search failed. */
  readonly state?: ReactNode;
  readonly empty: string;
}) => {
  const { t } = useTranslation('tableFields');
  const id = useId();
  const [active, setActive] = useState(() =>
    Math.max(
      0,
      options.findIndex((one) => chosen[0]?.id === one.id),
    ),
  );
  const list = useRef<HTMLDivElement>(null);
  const at = Math.min(active, options.length - 1);
  useLayoutEffect(() => {
    list.current?.children[at]?.scrollIntoView({ block: 'nearest' });
  }, [at]);
  const isChosen = (one: Option): boolean => chosen.some((each) => each.id === one.id);
  const press = (event: KeyboardEvent<HTMLInputElement>): void => {
    if (event.nativeEvent.isComposing || event.keyCode === 229) return;
    const { key } = event;
    const step = { ArrowDown: 1, ArrowUp: -1, PageDown: 8, PageUp: -8 }[key];
    if (step !== undefined) {
      event.preventDefault();
      setActive(Math.max(0, Math.min(options.length - 1, at + step)));
    } else if (key === 'Enter') {
      event.preventDefault();
      const one = options[at];
      if (event.ctrlKey || event.metaKey || !one) editor.onDone?.('down');
      else if (many && isChosen(one)) onRemove(one);
      else onPick(one);
    } else if (key === 'Backspace' && text === '') {
      const last = chosen.at(-1);
      if (last) onRemove(last);
    }
  };
  return (
    <div className="f-pick">
      <div className="f-pickhead">
        {chosen.map((one) => (
          <span key={one.id} className="f-picked">
            <Chip color={one.color}>{one.name}</Chip>
            <button type="button" tabIndex={-1} aria-label={t('remove', { name: one.name })} onClick={() => onRemove(one)}>
              <Icon name="close" size={12} />
            </button>
          </span>
        ))}
        <input
          {...ariaOf(editor)}
          type="text"
          role="combobox"
          aria-expanded={options.length > 0}
          aria-controls={`${id}-list`}
          aria-autocomplete="list"
          {...(options[at] ? { 'aria-activedescendant': `${id}-${String(at)}` } : {})}
          autoComplete="off"
          placeholder={placeholder}
          value={text}
          onChange={(event) => {
            setActive(0);
            onText(event.currentTarget.value);
          }}
          onKeyDown={press}
        />
      </div>
      {/* The field above keeps the focus and handles the list's keys. */}
      <div ref={list} id={`${id}-list`} role="listbox" aria-label={editor.field.title} aria-multiselectable={many} className="f-options">
        {options.map((one, place) => (
          // oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/interactive-supports-focus
          <div
            key={one.id}
            id={`${id}-${String(place)}`}
            role="option"
            aria-selected={isChosen(one)}
            className={place === at ? 'f-option f-now' : 'f-option'}
            onPointerDown={(event) => event.preventDefault()}
            onPointerMove={() => setActive(place)}
            onClick={() => (many && isChosen(one) ? onRemove(one) : onPick(one))}
          >
            {one.color === undefined ? <span className="f-name">{one.name}</span> : <Chip color={one.color}>{one.name}</Chip>}
            {isChosen(one) && <Icon name="check" size={14} />}
          </div>
        ))}
      </div>
      {state}
      {options.length === 0 && state === undefined && <p className="f-none">{empty}</p>}
    </div>
  );
};
