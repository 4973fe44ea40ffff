import { nanoid } from '@reduxjs/toolkit';
import type { z } from 'zod';
import { withTitles } from '@contract/tables/formula';
import type { RecordFilter } from '@contract/tables/recordFilter';
import type { ContentTable, FieldChange, FieldDefault, FieldInput, FieldOptions, TableField } from '@contract/tables/schemas';
import { columnOf, fieldTypes, isComputed, isSearchable } from '@contract/tables/terms';
import type { FieldType } from '@contract/tables/terms';

/** Kinds as people look for them, in the order of the palette. */
export const palette = {
  text: ['text', 'longText', 'markdown', 'richText', 'email', 'url', 'phone', 'slug'],
  number: ['integer', 'number', 'currency', 'percent', 'rating', 'duration', 'autonumber'],
  choice: ['select', 'multiSelect', 'tags', 'switch', 'color'],
  date: ['date', 'time', 'datetime'],
  file: ['image', 'file', 'video', 'svg'],
  link: ['relation', 'relations', 'inverse', 'lookup', 'rollup'],
  made: ['formula', 'button'],
  other: ['user', 'geo', 'json', 'repeater', 'password'],
} as const satisfies Record<string, readonly FieldType[]>;
export type PaletteGroup = keyof typeof palette;
export const paletteGroups = Object.keys(palette) as PaletteGroup[];
export const isFieldType = (text: string): text is FieldType => (fieldTypes as readonly string[]).includes(text);

/** A rule or condition as it is edited; null: its filter is not complete yet. `uid` is the screen's own. */
export type RuleDraft = { readonly uid: string; readonly filter: RecordFilter | null; readonly message: string };
export type ConditionDraft = { readonly uid: string; readonly filter: RecordFilter | null; readonly then: 'hidden' | 'required' | 'readonly' };

/** A field as it is edited: a new one, or what is to change of one that is there. */
export type FieldDraft = {
  readonly type: FieldType;
  readonly title: string;
  readonly key: string;
  readonly dropAliases: readonly string[];
  readonly help: string;
  readonly required: boolean;
  readonly localized: boolean;
  readonly searchable: boolean;
  readonly hidden: boolean;
  readonly readonly: boolean;
  readonly sensitive: boolean;
  readonly options: FieldOptions;
  readonly rules: readonly RuleDraft[];
  readonly conditions: readonly ConditionDraft[];
  readonly default: FieldDefault | null;
  /** Of a new relation: title of its mirror in the other table; empty: none. */
  readonly inverseTitle: string;
};

const startOptions = (type: FieldType): FieldOptions => {
  if (type === 'rating') return { max: 5 };
  if (type === 'currency') return { currency: 'CNY', decimals: 2 };
  if (type === 'rollup') return { how: 'count' };
  if (type === 'select' || type === 'multiSelect') return { choices: [] };
  return {};
};
export const newDraft = (type: FieldType): FieldDraft => ({
  type,
  title: '',
  key: '',
  dropAliases: [],
  help: '',
  required: false,
  localized: false,
  searchable: isSearchable(type),
  hidden: false,
  readonly: false,
  sensitive: false,
  options: startOptions(type),
  rules: [],
  conditions: [],
  default: null,
  inverseTitle: '',
});

/** Formulas and the texts of buttons as people read them: other fields by title. */
function shownOptions(field: TableField, table: ContentTable): FieldOptions {
  const { options } = field;
  const shown = { ...options };
  if (options.formula !== undefined) shown.formula = withTitles(options.formula, table.fields);
  if (field.type === 'button') {
    if (options.label !== undefined) shown.label = withTitles(options.label, table.fields, true);
    if (options.url !== undefined) shown.url = withTitles(options.url, table.fields, true);
  }
  return shown;
}
export const draftOf = (field: TableField, table: ContentTable): FieldDraft => ({
  type: field.type,
  title: field.title,
  key: field.key,
  dropAliases: [],
  help: field.help,
  required: field.required,
  localized: field.localized,
  searchable: field.searchable,
  hidden: field.hidden,
  readonly: field.readonly,
  sensitive: field.sensitive,
  options: shownOptions(field, table),
  rules: field.rules.map((rule, i) => ({ ...rule, uid: `r${String(i)}` })),
  conditions: field.conditions.map((condition, i) => ({ ...condition, uid: `c${String(i)}` })),
  default: field.default,
  inverseTitle: '',
});
export const newUid = (): string => nanoid(6);

const setOf = (draft: FieldDraft) => ({
  title: draft.title.trim(),
  help: draft.help.trim(),
  required: draft.required,
  localized: draft.localized,
  searchable: draft.searchable,
  hidden: draft.hidden,
  readonly: draft.readonly,
  sensitive: draft.sensitive,
  options: draft.options,
  rules: draft.rules.flatMap(({ filter, message }) => (filter ? [{ filter, message: message.trim() }] : [])),
  conditions: draft.conditions.flatMap(({ filter, then }) => (filter ? [{ filter, then }] : [])),
  default: draft.default?.kind === 'value' && (draft.default.value === null || draft.default.value === undefined) ? null : draft.default,
});
type Change = z.input<typeof FieldChange>;
type Part = keyof ReturnType<typeof setOf>;
/** JSON whose keys stand in one order, so that what is the same looks the same. */
const plain = (value: unknown): string =>
  JSON.stringify(value, (_key, one: unknown) =>
    typeof one === 'object' && one !== null && !Array.isArray(one) ? Object.fromEntries(Object.entries(one).toSorted(([a], [b]) => (a < b ? -1 : 1))) : one,
  );

/** Parts that differ, so that a save touches nothing else: what another person changed meanwhile stays. */
export function changeOf(before: FieldDraft, now: FieldDraft): Change {
  const from = setOf(before);
  const to = setOf(now);
  const parts = (Object.keys(to) as Part[]).filter((part) => plain(from[part]) !== plain(to[part]));
  return {
    ...Object.fromEntries(parts.map((part) => [part, to[part]])),
    ...(before.key === now.key.trim() ? {} : { key: now.key.trim() }),
    ...(now.dropAliases.length > 0 ? { dropAliases: [...now.dropAliases] } : {}),
  };
}
/** Parts of a definition that two drafts hold differently. */
export const partsApart = (a: FieldDraft, b: FieldDraft): string[] => Object.keys(changeOf(a, b));

export function inputOf(draft: FieldDraft): z.input<typeof FieldInput> {
  const { searchable, ...set } = setOf(draft);
  return {
    ...set,
    type: draft.type,
    ...(isSearchable(draft.type) ? { searchable } : {}),
    ...(draft.key.trim() === '' ? {} : { key: draft.key.trim() }),
    ...(draft.inverseTitle.trim() === '' ? {} : { inverseTitle: draft.inverseTitle.trim() }),
  };
}

/** What a new record may get by itself in a field of this type. */
export function defaultKinds(type: FieldType): readonly ('value' | 'now' | 'user' | 'uuid')[] {
  if (isComputed(type) || columnOf[type] === 'none' || type === 'password' || type === 'repeater') return [];
  if (type === 'date' || type === 'datetime' || type === 'time') return ['value', 'now'];
  if (type === 'user') return ['value', 'user'];
  return type === 'text' ? ['value', 'uuid'] : ['value'];
}
/** May be written by people at all, so that rules, conditions and “required” mean something. */
export const isWritten = (type: FieldType): boolean => !isComputed(type);
