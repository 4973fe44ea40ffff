import { autoUpdate, flip, offset, shift, useFloating } from '@floating-ui/react';
import { useId, useLayoutEffect, useMemo, useRef, useState } from 'react';
import type { KeyboardEvent, ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import type { RecordReader } from '@contract/tables/comments';
import { longestComment, mostMentions, mostReaders } from '@contract/tables/mentions';
import { matchScore } from '@/lib/match';
import { useDebounced } from '@/lib/useDebounced';
import { Avatar } from '@/ui/Avatar';
import { mentionQueryAt, storedExcess, withMention, withText } from './mentionDraft';
import type { MentionDraft, MentionQuery } from './mentionDraft';
import { useRecordReadersQuery } from './recordApi';
import type { OfRecord } from './recordApi';

const mostOffered = 8;
const nobody: readonly RecordReader[] = [];

/**
 * People for the text after an `@`, best match first; null while loading. The list of the first `mostReaders` is searched here, by pinyin initials too; the
 * server is asked for more, and for a login name in full.
 */
function useOfferedPeople(of: OfRecord, query: MentionQuery | null): readonly RecordReader[] | null {
  const text = query?.text ?? '';
  const { data: listed, isError } = useRecordReadersQuery(of, { skip: query === null });
  const found = useMemo(() => {
    const scored = (listed ?? nobody).map((person) => ({ person, score: matchScore(text, person.name) }));
    return scored
      .filter(({ score }) => score > 0)
      .toSorted((one, other) => other.score - one.score)
      .map(({ person }) => person);
  }, [listed, text]);
  const q = useDebounced(text, 200);
  const mayBeMore = listed !== undefined && (listed.length >= mostReaders || found.length === 0);
  const { currentData: more = nobody } = useRecordReadersQuery({ ...of, q }, { skip: query === null || !mayBeMore || q === '' || q !== text || /\s/.test(q) });
  if (query === null || isError) return nobody;
  if (listed === undefined) return null;
  const ids = new Set(found.map(({ id }) => id));
  return [...found, ...more.filter(({ id }) => !ids.has(id))].slice(0, mostOffered);
}

type ListProps = {
  readonly id: string;
  readonly people: readonly RecordReader[];
  readonly active: number;
  readonly anchor: HTMLElement | null;
  readonly onActive: (at: number) => void;
  readonly onPick: (person: RecordReader) => void;
};

/** The people to choose from, at their text field, which keeps the focus and handles the keys. */
const PeopleList = ({ id, people, active, anchor, onActive, onPick }: ListProps): ReactElement => {
  const { t } = useTranslation('tableRecord');
  const { refs, floatingStyles } = useFloating({
    open: true,
    elements: { reference: anchor },
    placement: 'bottom-start',
    strategy: 'fixed',
    transform: false,
    whileElementsMounted: autoUpdate,
    middleware: [offset(4), flip({ padding: 8 }), shift({ padding: 8 })],
  });
  const { setFloating, floating } = refs;
  useLayoutEffect(() => {
    floating.current?.querySelector('[aria-selected="true"]')?.scrollIntoView({ block: 'nearest' });
  }, [floating, active]);
  return (
    <div ref={setFloating} id={id} role="listbox" aria-label={t('comments.mention')} className="rec-people" style={floatingStyles}>
      {people.map((person, at) => (
        // oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/interactive-supports-focus
        <div
          key={person.id}
          id={`${id}-${String(at)}`}
          role="option"
          aria-selected={at === active}
          className={at === active ? 'f-option f-now' : 'f-option'}
          onPointerDown={(event) => event.preventDefault()}
          onPointerMove={() => onActive(at)}
          onClick={() => onPick(person)}
        >
          <Avatar name={person.name} picture={person.avatar} size={22} />
          <span className="f-name">{person.name}</span>
        </div>
      ))}
    </div>
  );
};

type Props = {
  readonly of: OfRecord;
  readonly label: string;
  readonly placeholder?: string;
  readonly draft: MentionDraft;
  readonly onDraft: (draft: MentionDraft) => void;
  /** Ctrl+Enter. */
  readonly onSubmit: () => void;
};

/** The list of people at the caret: what it offers, which of them is active, and what a choice does. */
function useMentions({ of, draft, onDraft }: Props) {
  const [box, setBox] = useState<HTMLTextAreaElement | null>(null);
  /** null: not in the field, or composing with an input method. */
  const [caret, setCaret] = useState<number | null>(null);
  /** Where the `@` is whose list was closed by Escape. */
  const [dismissed, setDismissed] = useState<number | null>(null);
  const [active, setActive] = useState(0);
  const nextCaret = useRef<number | null>(null);
  useLayoutEffect(() => {
    if (nextCaret.current === null) return;
    box?.setSelectionRange(nextCaret.current, nextCaret.current);
    nextCaret.current = null;
  }, [box, draft]);
  const isFull = new Set(draft.mentions.map(({ id }) => id)).size >= mostMentions;
  const atCaret = caret === null || isFull ? null : mentionQueryAt(draft, caret);
  if (dismissed !== null && caret !== null && atCaret?.start !== dismissed) setDismissed(null);
  const query = atCaret?.start === dismissed ? null : atCaret;
  const people = useOfferedPeople(of, query);
  const moveCaret = (to: number | null): void => {
    setCaret(to);
    if (to !== caret) setActive(0);
  };
  const pick = ({ id, name }: RecordReader): void => {
    if (query === null) return;
    const next = withMention(draft, query, { id, name });
    if (next.draft.text.length + storedExcess(next.draft) > longestComment) return setDismissed(query.start);
    nextCaret.current = next.caret;
    moveCaret(next.caret);
    onDraft(next.draft);
  };
  const dismiss = (): void => setDismissed(query?.start ?? null);
  return { box, setBox, people: people ?? nobody, active, setActive, moveCaret, dismiss, pick };
}

/** A text field in which `@` offers the people who may read the record. */
export const MentionBox = (props: Props): ReactElement => {
  const { label, placeholder, draft, onDraft, onSubmit } = props;
  const { t } = useTranslation('tableRecord');
  const id = useId();
  const composing = useRef(false);
  const { box, setBox, people, active: current, setActive, moveCaret, dismiss, pick } = useMentions(props);
  const active = Math.min(current, people.length - 1);
  const isOpen = people.length > 0;
  const press = (event: KeyboardEvent<HTMLTextAreaElement>): void => {
    if (event.nativeEvent.isComposing || event.keyCode === 229) return;
    const { key } = event;
    if (key === 'Enter' && (event.ctrlKey || event.metaKey)) return onSubmit();
    const person = people[active];
    if (person === undefined) return;
    const step = { ArrowDown: 1, ArrowUp: -1 }[key];
    if (step !== undefined) setActive((active + step + people.length) % people.length);
    else if ((key === 'Enter' || key === 'Tab') && !event.shiftKey) pick(person);
    else if (key === 'Escape') dismiss();
    else return;
    event.preventDefault();
    // Escape closes the list, not the record around it.
    event.stopPropagation();
  };
  return (
    <>
      <textarea
        ref={setBox}
        className="tables-input"
        aria-label={label}
        aria-autocomplete="list"
        aria-haspopup="listbox"
        {...(isOpen && { 'aria-controls': id, 'aria-activedescendant': `${id}-${String(active)}` })}
        placeholder={placeholder}
        rows={3}
        maxLength={longestComment - storedExcess(draft)}
        value={draft.text}
        onChange={({ currentTarget }) => {
          onDraft(withText(draft, currentTarget.value));
          if (!composing.current) moveCaret(currentTarget.selectionStart);
        }}
        onSelect={({ currentTarget }) => {
          if (!composing.current && currentTarget === document.activeElement)
            moveCaret(currentTarget.selectionStart === currentTarget.selectionEnd ? currentTarget.selectionStart : null);
        }}
        onCompositionStart={() => {
          composing.current = true;
          moveCaret(null);
        }}
        onCompositionEnd={({ currentTarget }) => {
          composing.current = false;
          moveCaret(currentTarget.selectionStart);
        }}
        onBlur={() => moveCaret(null)}
        onKeyDown={press}
      />
      {isOpen && <PeopleList id={id} people={people} active={active} anchor={box} onActive={setActive} onPick={pick} />}
      <span className="only-read" role="status">
        {isOpen ? t('comments.offered', { count: people.length }) : ''}
      </span>
    </>
  );
};
