import { useEffect, useEffectEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { removedChoice } from '@contract/tables/fieldText';
import { matchScore } from '@/lib/match';
import { OptionList } from './OptionList';
import type { Option } from './OptionList';
import type { EditorProps } from './editorProps';
import { asTexts, labelIn, useFieldEnv } from './env';
import type { Named } from './env';
import { useCreated } from './useCreated';

/** Adds to and removes from a list of texts, up to the field's maximum. */
function useList(props: EditorProps, many: boolean, after: () => void) {
  const { t } = useTranslation('tableFields');
  const ids = asTexts(props.value);
  const { most } = props.field.options;
  return {
    ids,
    pick: (id: string): void => {
      after();
      if (!many) {
        props.onChange(id);
        return props.onDone?.('down', { value: id });
      }
      const next = ids.includes(id) ? ids : [...ids, id];
      props.onChange(next, most !== undefined && next.length > most ? t('most', { count: most }) : undefined);
    },
    remove: (id: string): void => {
      const next = ids.filter((one) => one !== id);
      props.onChange(many && next.length > 0 ? next : null, most !== undefined && next.length > most ? t('most', { count: most }) : undefined);
    },
  };
}

const ChoiceEditor = ({ many, ...props }: EditorProps & { readonly many: boolean }) => {
  const { t } = useTranslation('tableFields');
  const { format } = useFieldEnv();
  const [text, setText] = useState(props.typed ?? '');
  const { ids, pick, remove } = useList(props, many, () => setText(''));
  const { created, message, withCreate, runIfCreate } = useCreated(props.field, pick);
  const choices: readonly Option[] = (props.field.options.choices ?? []).map(({ id, title, color }) => ({ id, name: title, color }));
  const all = [
    ...choices,
    ...created.filter(({ id }) => !choices.some((one) => one.id === id)).map(({ id, label }): Option => ({ id, name: label, color: 'grey' })),
  ];
  return (
    <OptionList
      editor={props}
      many={many}
      options={withCreate(
        all.filter((one) => matchScore(text, one.name) > 0),
        text,
      )}
      chosen={ids.map((id) => all.find((one) => one.id === id) ?? { id, name: removedChoice(format.locale) })}
      text={text}
      onText={setText}
      onPick={({ id }) => {
        if (!runIfCreate(id, text)) pick(id);
      }}
      onRemove={({ id }) => remove(id)}
      placeholder={t('search')}
      empty={t('nothing')}
      {...(message ? { state: message } : {})}
    />
  );
};

export const OneChoiceEditor = (props: EditorProps) => <ChoiceEditor {...props} many={false} />;
export const ManyChoicesEditor = (props: EditorProps) => <ChoiceEditor {...props} many />;

/** Typing creates tags. */
export const TagsEditor = (props: EditorProps) => {
  const { t } = useTranslation('tableFields');
  const [text, setText] = useState(props.typed ?? '');
  const { ids, pick, remove } = useList(props, true, () => setText(''));
  const tag = text.trim();
  return (
    <OptionList
      editor={props}
      many
      options={tag === '' || ids.includes(tag) ? [] : [{ id: tag, name: t('create', { text: tag }) }]}
      chosen={ids.map((id) => ({ id, name: id }))}
      text={text}
      onText={(next) => {
        // A comma ends a tag.
        const parts = next.split(/[,，、]/);
        if (parts.length > 1 && parts[0]?.trim()) pick(parts[0].trim());
        else setText(next);
      }}
      onPick={({ id }) => pick(id)}
      onRemove={({ id }) => remove(id)}
      placeholder={t('addTag')}
      empty=""
    />
  );
};

const pause = 200;
/** Chooses records of another table, or people: searched while typing; late answers are ignored. */
const LinkEditor = ({ people = false, many = false, ...props }: EditorProps & { readonly people?: boolean; readonly many?: boolean }) => {
  const { t } = useTranslation('tableFields');
  const env = useFieldEnv();
  const kind = people ? 'people' : 'records';
  const [text, setText] = useState(props.typed ?? '');
  const [found, setFound] = useState<readonly Named[]>([]);
  const [state, setState] = useState<'busy' | 'done' | { readonly error: string }>('busy');
  const [again, setAgain] = useState(0);
  const { ids, pick, remove } = useList(props, many, () => setText(''));
  const find = useEffectEvent((signal: AbortSignal) => (people ? env.findPeople(text.trim(), signal) : env.findRecords(props.field, text.trim(), signal)));
  useEffect(() => {
    const control = new AbortController();
    setState('busy');
    const timer = setTimeout(() => {
      find(control.signal)
        .then((list) => {
          if (control.signal.aborted) return;
          setFound(list);
          setState('done');
        })
        .catch((error: unknown) => {
          if (!control.signal.aborted) setState({ error: error instanceof Error ? error.message : String(error) });
        });
    }, pause);
    return () => {
      clearTimeout(timer);
      control.abort();
    };
  }, [text, again]);
  const { created, message, withCreate, runIfCreate } = useCreated(props.field, pick);
  const nameOf = (id: string): string =>
    [...created, ...found].find((one) => one.id === id)?.label ?? labelIn(env, kind, id) ?? t(people ? 'unknownPerson' : 'unknown');
  return (
    <OptionList
      editor={props}
      many={many}
      options={withCreate(
        found.map(({ id, label }) => ({ id, name: label })),
        state === 'done' ? text : '',
      )}
      chosen={ids.map((id) => ({ id, name: nameOf(id) }))}
      text={text}
      onText={setText}
      onPick={(one) => {
        if (runIfCreate(one.id, text)) return;
        env.onLabel?.(kind, { id: one.id, label: one.name });
        pick(one.id);
      }}
      onRemove={({ id }) => remove(id)}
      placeholder={t(people ? 'searchPeople' : 'searchRecords')}
      empty={t(people ? 'nothingPeople' : 'nothingRecords')}
      {...(state === 'done'
        ? message
          ? { state: message }
          : {}
        : {
            state:
              state === 'busy' ? (
                <p className="f-none" role="status">
                  {t('finding')}
                </p>
              ) : (
                <p className="f-none" role="alert">
                  {t('findFailed', { reason: state.error })}{' '}
                  <button type="button" className="f-plain" onClick={() => setAgain(again + 1)}>
                    {t('retry')}
                  </button>
                </p>
              ),
          })}
    />
  );
};
export const PeopleEditor = (props: EditorProps) => <LinkEditor {...props} people />;
export const RecordEditor = (props: EditorProps) => <LinkEditor {...props} />;
export const RecordsEditor = (props: EditorProps) => <LinkEditor {...props} many />;
