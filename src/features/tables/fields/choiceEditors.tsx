import { useEffect, useEffectEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { removedChoice } from '@contract/tables/fieldText';
import { matchScore } from '@/lib/match';
import { OptionList } from './OptionList';
import type { Option } from './OptionList';
import type { EditorProps } from './editorProps';
import { asTexts, labelIn, useFieldEnv } from './env';
import type { Named } from './env';

/** Adds to and takes from a list of texts, within the most that the field takes. */
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

/** select and multiSelect. */
export const ChoiceEditor = (props: EditorProps) => {
  const { t } = useTranslation('tableFields');
  const { format } = useFieldEnv();
  const [words, setWords] = useState(props.typed ?? '');
  const many = props.field.type === 'multiSelect';
  const { ids, pick, remove } = useList(props, many, () => setWords(''));
  const all: readonly Option[] = (props.field.options.choices ?? []).map(({ id, title, color }) => ({ id, name: title, color }));
  return (
    <OptionList
      editor={props}
      many={many}
      options={all.filter((one) => matchScore(words, one.name) > 0)}
      chosen={ids.map((id) => all.find((one) => one.id === id) ?? { id, name: removedChoice(format.locale) })}
      words={words}
      onWords={setWords}
      onPick={({ id }) => pick(id)}
      onRemove={({ id }) => remove(id)}
      placeholder={t('search')}
      empty={t('nothing')}
    />
  );
};

/** Tags are made by typing them. */
export const TagsEditor = (props: EditorProps) => {
  const { t } = useTranslation('tableFields');
  const [words, setWords] = useState(props.typed ?? '');
  const { ids, pick, remove } = useList(props, true, () => setWords(''));
  const text = words.trim();
  return (
    <OptionList
      editor={props}
      many
      options={text === '' || ids.includes(text) ? [] : [{ id: text, name: t('create', { text }) }]}
      chosen={ids.map((id) => ({ id, name: id }))}
      words={words}
      onWords={(next) => {
        // A comma ends a tag, as elsewhere.
        const parts = next.split(/[,，、]/);
        if (parts.length > 1 && parts[0]?.trim()) pick(parts[0].trim());
        else setWords(next);
      }}
      onPick={({ id }) => pick(id)}
      onRemove={({ id }) => remove(id)}
      placeholder={t('addTag')}
      empty=""
    />
  );
};

const pause = 200;
/** Records of another table, and people: asked for while typing; an answer that comes late is not shown. */
export const LinkEditor = (props: EditorProps) => {
  const { t } = useTranslation('tableFields');
  const env = useFieldEnv();
  const people = props.field.type === 'user';
  const many = props.field.type === 'relations' || props.field.type === 'inverse';
  const kind = people ? 'people' : 'records';
  const [words, setWords] = useState(props.typed ?? '');
  const [found, setFound] = useState<readonly Named[]>([]);
  const [state, setState] = useState<'busy' | 'done' | { readonly fault: string }>('busy');
  const [again, setAgain] = useState(0);
  const { ids, pick, remove } = useList(props, many, () => setWords(''));
  const find = useEffectEvent((signal: AbortSignal) => (people ? env.findPeople(words.trim(), signal) : env.findRecords(props.field, words.trim(), signal)));
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
        .catch((fault: unknown) => {
          if (!control.signal.aborted) setState({ fault: fault instanceof Error ? fault.message : String(fault) });
        });
    }, pause);
    return () => {
      clearTimeout(timer);
      control.abort();
    };
  }, [words, again]);
  const nameOf = (id: string): string => found.find((one) => one.id === id)?.label ?? labelIn(env, kind, id) ?? t(people ? 'unknownPerson' : 'unknown');
  return (
    <OptionList
      editor={props}
      many={many}
      options={found.map(({ id, label }) => ({ id, name: label }))}
      chosen={ids.map((id) => ({ id, name: nameOf(id) }))}
      words={words}
      onWords={setWords}
      onPick={(one) => {
        env.onLabel?.(kind, { id: one.id, label: one.name });
        pick(one.id);
      }}
      onRemove={({ id }) => remove(id)}
      placeholder={t(people ? 'searchPeople' : 'searchRecords')}
      empty={t(people ? 'nothingPeople' : 'nothingRecords')}
      {...(state === 'done'
        ? {}
        : {
            state:
              state === 'busy' ? (
                <p className="f-none" role="status">
                  {t('finding')}
                </p>
              ) : (
                <p className="f-none" role="alert">
                  {t('findFailed', { reason: state.fault })}{' '}
                  <button type="button" className="f-plain" onClick={() => setAgain(again + 1)}>
                    {t('retry')}
                  </button>
                </p>
              ),
          })}
    />
  );
};
