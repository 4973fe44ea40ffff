import { commentParts, mentionOf } from '@contract/tables/mentions';
import type { RecordComment } from '@contract/tables/records';

/** A mention in a text being written: `@` and the name, from `start` (in UTF-16 units). */
type DraftMention = { readonly id: string; readonly name: string; readonly start: number };
/** A comment being written: the text with names in place of ids, and where they are, in order. */
export type MentionDraft = { readonly text: string; readonly mentions: readonly DraftMention[] };

export const emptyDraft: MentionDraft = { text: '', mentions: [] };

const endOf = ({ start, name }: DraftMention): number => start + 1 + name.length;

/** A stored comment as a draft. `deletedName` replaces the names of deleted people. Ids that belong to nobody stay text. */
export function draftOf({ text, mentions }: Pick<RecordComment, 'text' | 'mentions'>, deletedName: string): MentionDraft {
  const names = new Map(mentions.map(({ id, name }) => [id, name === '' ? deletedName : name]));
  return commentParts(text).reduce<MentionDraft>((draft, part) => {
    const name = typeof part === 'string' ? undefined : names.get(part.id);
    if (typeof part === 'string' || name === undefined) return { ...draft, text: draft.text + (typeof part === 'string' ? part : mentionOf(part.id)) };
    return { text: `${draft.text}@${name}`, mentions: [...draft.mentions, { id: part.id, name, start: draft.text.length }] };
  }, emptyDraft);
}

/** Splits a draft into plain texts and mentions, in order. */
export function draftParts({ text, mentions }: MentionDraft): (string | DraftMention)[] {
  const ends = [0, ...mentions.map(endOf)];
  const parts = mentions.flatMap((mention, n) => [text.slice(ends[n], mention.start), mention]);
  return [...parts, text.slice(ends.at(-1))];
}

/** The text to store: ids in place of names. */
export const storedText = (draft: MentionDraft): string =>
  draftParts(draft)
    .map((part) => (typeof part === 'string' ? part : mentionOf(part.id)))
    .join('')
    .trim();

/** By how much the stored text is longer than the text being written. */
export const storedExcess = ({ mentions }: MentionDraft): number =>
  mentions.reduce((excess, mention) => excess + mentionOf(mention.id).length - (endOf(mention) - mention.start), 0);

/** The draft after its text was edited: mentions move with their text, and one that no longer reads as before becomes plain text. */
export function withText({ text: before, mentions }: MentionDraft, text: string): MentionDraft {
  const shorter = Math.min(before.length, text.length);
  let head = 0;
  while (head < shorter && before[head] === text[head]) head += 1;
  let tail = 0;
  while (tail < shorter - head && before[before.length - 1 - tail] === text[text.length - 1 - tail]) tail += 1;
  const shift = text.length - before.length;
  const moved: DraftMention[] = [];
  for (const mention of mentions) {
    const from = Math.max(Math.min(mention.start, head), moved.length > 0 ? endOf(moved.at(-1) as DraftMention) : 0);
    const until = Math.max(endOf(mention), before.length - tail) + shift;
    // Where the change begins is ambiguous if its text is like that beside it, such as an `@` typed before a mention; so the name is searched there.
    const found = endOf(mention) <= head ? mention.start : text.slice(0, until).indexOf(`@${mention.name}`, from);
    if (found !== -1) moved.push({ ...mention, start: found });
  }
  return { text, mentions: moved };
}

/** Replaces the text from `start` to `end` with a mention and a space. `caret`: the position after the space. */
export function withMention(
  draft: MentionDraft,
  { start, end }: { readonly start: number; readonly end: number },
  { id, name }: Pick<DraftMention, 'id' | 'name'>,
): { readonly draft: MentionDraft; readonly caret: number } {
  const { text, mentions } = draft;
  const tail = text.slice(end);
  const inserted = `@${name}${/^\s/.test(tail) ? '' : ' '}`;
  const shift = inserted.length - (end - start);
  const before = mentions.filter((one) => endOf(one) <= start);
  const after = mentions.flatMap((one) => (one.start >= end ? [{ ...one, start: one.start + shift }] : []));
  return {
    draft: { text: text.slice(0, start) + inserted + tail, mentions: [...before, { id, name, start }, ...after] },
    caret: start + name.length + 2,
  };
}

/** What is searched: the text between an `@` and the caret. */
export type MentionQuery = { readonly start: number; readonly end: number; readonly text: string };

/** The search at the caret; null if there is none. An `@` inside a word, as in an address, begins none; nor does that of a mention. */
export function mentionQueryAt({ text, mentions }: MentionDraft, caret: number): MentionQuery | null {
  const found = /(?<![\w.+-])[@＠]((?:[^\s@＠][^\n@＠]{0,39})?)$/u.exec(text.slice(0, caret));
  if (!found || mentions.some(({ start }) => start === found.index)) return null;
  return { start: found.index, end: caret, text: found[1] ?? '' };
}
