import { useId, useRef, useState } from 'react';
import type { ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import type { RepeaterItem } from '@contract/tables/schemas';
import { kindOf } from '@contract/tables/terms';
import { Caret } from '@/ui/Caret';
import { IconButton } from '@/ui/PlainButton';
import { CellView } from '../fieldTypes/CellView';
import { ariaOf } from '../fieldTypes/editorProps';
import type { EditorProps } from '../fieldTypes/editorProps';
import { asList, asTexts, labelIn, useFieldEnv } from '../fieldTypes/env';
import type { ShownField } from '../fieldTypes/env';
import { FieldEditor } from '../fieldTypes/FieldEditor';

/** A password is never shown, only whether one is set. */
export const PasswordEditor = (props: EditorProps & { readonly isStored: boolean }): ReactElement => {
  const { value, isStored, onChange } = props;
  const { t } = useTranslation('tableRecord');
  const [open, setOpen] = useState(false);
  const before = isStored ? true : null;
  const cleared = isStored && value === null && !open;
  const leave = (): void => {
    setOpen(false);
    onChange(before);
  };
  if (open)
    return (
      <div className="f-fields">
        <input
          {...ariaOf(props)}
          type="password"
          autoComplete="new-password"
          // oxlint-disable-next-line jsx-a11y/no-autofocus -- asked for by the button in its place
          autoFocus
          placeholder={t('password.value')}
          onChange={(event) => onChange(event.currentTarget.value === '' ? before : event.currentTarget.value)}
        />
        <button type="button" className="f-plain" onClick={leave}>
          {t('password.undo')}
        </button>
      </div>
    );
  return (
    <div className="f-fields rec-password" role="group" aria-label={props.field.title}>
      <span className="f-dim">{t(cleared ? 'password.willClear' : isStored ? 'password.is' : 'password.none')}</span>
      <button type="button" className="f-plain" onClick={() => setOpen(true)}>
        {t(isStored ? 'password.change' : 'password.set')}
      </button>
      {isStored && (
        <button type="button" className="f-plain" onClick={() => onChange(cleared ? true : null)}>
          {t(cleared ? 'password.undo' : 'password.clear')}
        </button>
      )}
    </div>
  );
};

/** A value as a button that opens its editor: option lists and calendars take too much space in a form to be always open. */
export const FoldedEditor = (props: EditorProps): ReactElement => {
  const { field, value } = props;
  const { t } = useTranslation('tableRecord');
  const own = useId();
  const name = props.id ?? own;
  const [open, setOpen] = useState(false);
  const box = useRef<HTMLDivElement>(null);
  const empty = value === null || value === undefined || (Array.isArray(value) && value.length === 0);
  const close = (): void => {
    setOpen(false);
    requestAnimationFrame(() => box.current?.querySelector<HTMLElement>('button.rec-fold')?.focus());
  };
  if (!open)
    return (
      <div ref={box}>
        <button
          id={name}
          type="button"
          className="rec-fold"
          aria-labelledby={name}
          aria-describedby={props['aria-describedby']}
          data-invalid={props['aria-invalid'] === true ? true : undefined}
          onClick={() => {
            setOpen(true);
            requestAnimationFrame(() => box.current?.querySelector<HTMLElement>('input')?.focus());
          }}
        >
          <span className="only-read">{t('edit', { name: field.title })}</span>
          {empty ? <span className="f-dim">{field.options.placeholder ?? t('empty')}</span> : <CellView field={field} value={value} height="tall" />}
          <Caret />
        </button>
      </div>
    );
  return (
    // oxlint-disable-next-line jsx-a11y/no-static-element-interactions -- Escape folds what is inside
    <div
      ref={box}
      className="rec-open"
      onKeyDown={(event) => {
        if (event.key !== 'Escape') return;
        event.stopPropagation();
        close();
      }}
      onBlur={(event) => {
        // An editor with an error stays open, with its input.
        const to = event.relatedTarget;
        if (to instanceof Node && !event.currentTarget.contains(to) && props['aria-invalid'] !== true) setOpen(false);
      }}
    >
      <FieldEditor
        {...props}
        onDone={(_way, draft) => {
          if (draft) props.onChange(draft.value);
          close();
        }}
      />
      {field.type === 'relations' && asList(value).length > 1 && <LinkOrder ids={asTexts(value)} onChange={props.onChange} />}
      <button type="button" className="f-plain" onClick={close}>
        {t('done')}
      </button>
    </div>
  );
};

const moved = <T,>(list: readonly T[], from: number, to: number): readonly T[] => {
  const next = [...list];
  next.splice(to, 0, ...next.splice(from, 1));
  return next;
};
const Steps = ({
  at,
  of,
  onMove,
  onRemove,
}: {
  readonly at: number;
  readonly of: number;
  readonly onMove: (to: number) => void;
  readonly onRemove: () => void;
}): ReactElement => {
  const { t } = useTranslation('tableRecord');
  return (
    <span className="rec-steps">
      <IconButton label={t('list.up')} disabled={at === 0} onClick={() => onMove(at - 1)}>
        ↑
      </IconButton>
      <IconButton label={t('list.down')} disabled={at === of - 1} onClick={() => onMove(at + 1)}>
        ↓
      </IconButton>
      <IconButton label={t('list.remove')} onClick={onRemove}>
        ×
      </IconButton>
    </span>
  );
};

/** The order in which links of a list are shown. */
const LinkOrder = ({ ids, onChange }: { readonly ids: readonly string[]; readonly onChange: (value: unknown) => void }): ReactElement => {
  const { t } = useTranslation('tableRecord');
  const env = useFieldEnv();
  return (
    <ol className="rec-order" aria-label={t('list.order')}>
      {ids.map((id, at) => (
        <li key={id}>
          <span>{labelIn(env, 'records', id) ?? t('empty')}</span>
          <Steps at={at} of={ids.length} onMove={(to) => onChange(moved(ids, at, to))} onRemove={() => onChange(ids.filter((one) => one !== id))} />
        </li>
      ))}
    </ol>
  );
};

type Item = Readonly<Record<string, unknown>>;
const fieldOf = ({ key, type, title, choices, required }: RepeaterItem): ShownField => ({
  id: key,
  type,
  title,
  options: choices ? { choices } : {},
  yields: kindOf(type),
  problem: null,
  readonly: false,
  required,
});
const asItems = (value: unknown): readonly Item[] => asList(value).filter((one): one is Item => typeof one === 'object' && one !== null && !Array.isArray(one));

/** A list of items, each with the same few fields. */
export const RepeaterEditor = (props: EditorProps): ReactElement => {
  const { field, value, onChange } = props;
  const { t } = useTranslation('tableRecord');
  const id = useId();
  // Each item has a stable key, so that it keeps its editors when items move.
  const [items, setItems] = useState(() => asItems(value).map((item, at) => ({ name: at, item })));
  const [errors, setErrors] = useState<Readonly<Record<string, string>>>({});
  const next = useRef(items.length);
  const parts = field.options.items ?? [];
  const { most } = field.options;
  const put = (list: typeof items, wrong = errors): void => {
    setItems(list);
    const known = Object.entries(wrong).filter(([name]) => list.some((one) => name.startsWith(`${String(one.name)}.`)));
    setErrors(Object.fromEntries(known));
    onChange(list.length === 0 ? null : list.map((one) => one.item), known[0]?.[1]);
  };
  return (
    <div className="rec-list" role="group" aria-label={field.title}>
      {items.length === 0 && <p className="f-dim">{t('list.none')}</p>}
      {items.map((one, at) => (
        <fieldset key={one.name}>
          <legend>{t('list.item', { n: at + 1 })}</legend>
          <Steps
            at={at}
            of={items.length}
            onMove={(to) => put([...moved(items, at, to)])}
            onRemove={() => put(items.filter((other) => other.name !== one.name))}
          />
          {parts.map((part) => {
            const name = `${String(one.name)}.${part.key}`;
            const editor = {
              field: fieldOf(part),
              id: `${id}${name}`,
              value: one.item[part.key] ?? null,
              onChange: (newValue: unknown, error?: string) => {
                const { [name]: _gone, ...rest } = errors;
                const list = items.map((other) => (other.name === one.name ? { ...other, item: { ...other.item, [part.key]: newValue } } : other));
                put(list, error === undefined ? rest : { ...rest, [name]: error });
              },
            };
            return (
              <div key={part.key} className="tables-labelled">
                <label htmlFor={editor.id}>
                  {part.title}
                  {part.required && <small>{t('required')}</small>}
                </label>
                {part.type === 'select' || part.type === 'date' ? <FoldedEditor {...editor} /> : <FieldEditor {...editor} />}
                {errors[name] !== undefined && <p className="tables-error">{errors[name]}</p>}
              </div>
            );
          })}
        </fieldset>
      ))}
      <button
        type="button"
        className="f-plain"
        disabled={most !== undefined && items.length >= most}
        title={most === undefined ? undefined : t('list.most', { count: most })}
        onClick={() => put([...items, { name: next.current++, item: {} }])}
      >
        {t('list.add')}
      </button>
    </div>
  );
};
