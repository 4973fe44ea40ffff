import { tableLimits } from '../limits';
import type { Choice } from '../schemas';
import { listText, longestRead, narrow, splitList, texts } from '../valueText';
import { defineFieldType, read, unreadable } from './definition';
import type { FieldTypeDefinition, ReadText, TextField, TextNames } from './definition';

const titleOf = (id: string, { options }: TextField, names: TextNames): string => options.choices?.find((one) => one.id === id)?.title ?? names.removed ?? id;
const sameTitle = (a: string, b: string): boolean => narrow(a).trim().toLowerCase() === narrow(b).trim().toLowerCase();
/** The id of the choice with a given title; longer texts cannot be titles. */
function idNamed(all: readonly Choice[], title: string): string | undefined {
  if (title.length > longestRead) return undefined;
  return (all.find((one) => one.title === title) ?? all.find((one) => sameTitle(one.title, title)) ?? all.find((one) => one.id === title))?.id;
}

function readChoices(text: string, { options }: TextField): ReadText {
  const all = options.choices ?? [];
  const whole = idNamed(all, text);
  // A title may contain a comma.
  if (whole !== undefined) return read([whole]);
  const titles = [...new Set(splitList(text))];
  // More than a selection can have; avoids comparing each with every choice.
  if (titles.length > tableLimits.choices || titles.some((title) => title.length > longestRead)) return unreadable;
  const missing = titles.filter((title) => idNamed(all, title) === undefined);
  return missing.length > 0 ? { ok: false, code: 'unknown', missing } : read([...new Set(titles.flatMap((title) => idNamed(all, title) ?? []))]);
}

const list = (definition: Omit<FieldTypeDefinition, 'family' | 'searchable' | 'publicForm' | 'importable'>): FieldTypeDefinition =>
  defineFieldType({ family: 'list', searchable: true, publicForm: true, importable: true, ...definition });

/** The id of a choice. */
export const select = list({
  column: 'text',
  options: ['choices'],
  naming: 6,
  slugSource: true,
  near: ['multiSelect', 'tags', 'text', 'relation', 'switch'],
  toText: (value, field, names) => (typeof value === 'string' ? titleOf(value, field, names) : ''),
  fromText: (text, { options }) => {
    const id = idNamed(options.choices ?? [], text);
    return id === undefined ? { ok: false, code: 'unknown', missing: [text] } : read(id);
  },
});
/** Ids of choices. */
export const multiSelect = list({
  column: 'text[]',
  options: ['choices', 'most'],
  near: ['tags', 'select', 'relations', 'text'],
  toText: (value, field, names) => listText(texts(value).map((id) => titleOf(id, field, names))),
  fromText: readChoices,
});
/** Any texts. */
export const tags = list({
  column: 'text[]',
  options: ['most'],
  near: ['multiSelect', 'relations', 'select', 'text'],
  toText: (value) => listText(texts(value)),
  fromText: (text) => read(splitList(text)),
});
