import { useId, useLayoutEffect, useRef, useState } from 'react';
import type { KeyboardEvent, ReactElement, ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { Choice } from '@contract/tables/schemas';
import { Icon } from '@/ui/Icon';
import { Tag } from '@/ui/Tag';
import { ariaOf } from './editorProps';
import type { EditorProps } from './editorProps';

export type Option = { readonly id: string; readonly name: string; readonly color?: Choice['color'] };

type Props = {
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
};

/** The active option, and the keys of the search field. */
function useOptionKeys({ editor, options, chosen, many, text, onPick, onRemove }: Props) {
  const [active, setActive] = useState(() =>
    Math.max(
      0,
      options.findIndex((one) => chosen[0]?.id === one.id),
    ),
  );
  const at = Math.min(active, options.length - 1);
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
  return { at, setActive, isChosen, press };
}

const ChosenOptions = ({ chosen, onRemove }: Pick<Props, 'chosen' | 'onRemove'>): ReactNode => {
  const { t } = useTranslation('tableFields');
  return chosen.map((one) => (
    <span key={one.id} className="f-picked">
      <Tag color={one.color}>{one.name}</Tag>
      <button type="button" tabIndex={-1} aria-label={t('remove', { name: one.name })} onClick={() => onRemove(one)}>
        <Icon name="close" size={12} />
      </button>
    </span>
  ));
};

type OptionRowProps = {
  readonly id: string;
  readonly option: Option;
  readonly active: boolean;
  readonly chosen: boolean;
  readonly onActive: () => void;
  readonly onPress: () => void;
};

/** One option. The search field keeps the focus and handles the list's keys. */
const OptionRow = ({ id, option, active, chosen, onActive, onPress }: OptionRowProps): ReactElement => (
  // oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/interactive-supports-focus
  <div
    id={id}
    role="option"
    aria-selected={chosen}
    className={active ? 'f-option f-now' : 'f-option'}
    onPointerDown={(event) => event.preventDefault()}
    onPointerMove={onActive}
    onClick={onPress}
  >
    {option.color === undefined ? <span className="f-name">{option.name}</span> : <Tag color={option.color}>{option.name}</Tag>}
    {chosen && <Icon name="check" size={14} />}
  </div>
);

/**
 * A search field over a list of options, fully operable by keyboard: arrows move, Enter chooses, Backspace in an empty field removes the last choice. With a
 * single choice, choosing closes the list; with several, each press adds or removes one and Ctrl+Enter finishes.
 */
export const OptionList = (props: Props): ReactElement => {
  const { editor, options, chosen, many, text, onText, onPick, onRemove, placeholder, state, empty } = props;
  const id = useId();
  const { at, setActive, isChosen, press } = useOptionKeys(props);
  const list = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    list.current?.children[at]?.scrollIntoView({ block: 'nearest' });
  }, [at]);
  return (
    <div className="f-pick">
      <div className="f-pickhead">
        <ChosenOptions chosen={chosen} onRemove={onRemove} />
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
      <div ref={list} id={`${id}-list`} role="listbox" aria-label={editor.field.title} aria-multiselectable={many} className="f-options">
        {options.map((one, place) => (
          <OptionRow
            key={one.id}
            id={`${id}-${String(place)}`}
            option={one}
            active={place === at}
            chosen={isChosen(one)}
            onActive={() => setActive(place)}
            onPress={() => (many && isChosen(one) ? onRemove(one) : onPick(one))}
          />
        ))}
      </div>
      {state}
      {options.length === 0 && state === undefined && <p className="f-none">{empty}</p>}
    </div>
  );
};
