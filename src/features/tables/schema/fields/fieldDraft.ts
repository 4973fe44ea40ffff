import { nanoid } from '@reduxjs/toolkit';
import type { z } from 'zod';
import { withTitles } from '@contract/tables/formula';
import type { RecordFilter } from '@contract/tables/recordFilter';
import type { ContentTable, FieldChange, FieldDefault, FieldInput, FieldOptions, TableField } from '@contract/tables/schemas';
import { defaultKindsOf } from '@contract/tables/fieldTypes';
import type { DefaultKind } from '@contract/tables/fieldTypes';
import { isComputed, isSearchable } from '@contract/tables/terms';
import type { FieldType } from '@contract/tables/terms';
import { consoleFieldTypeOf } from '@/features/tables/fieldTypes';

/** A rule or condition being edited; null: its filter is incomplete. `uid` exists only on this screen. */
export type RuleDraft = { readonly uid: string; readonly filter: RecordFilter | null; readonly message: string };
export type ConditionDraft = { readonly uid: string; readonly filter: RecordFilter | null; readonly then: 'hidden' | 'required' | 'readonly' };

/** A field being edited: a new one, or changes of an existing one. */
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
  /** Of a new relation: title of its inverse field in the other table; empty: none. */
  readonly inverseTitle: string;
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
  options: consoleFieldTypeOf(type).startOptions ?? {},
  rules: [],
  conditions: [],
  default: null,
  inverseTitle: '',
});

/** Formulas and texts of buttons as people read them, referencing other fields by title. */
function shownOptions(field: TableField, table: ContentTable): FieldOptions {
  const { options } = field;
  const displayedOptions = { ...options };
  if (options.formula !== undefined) displayedOptions.formula = withTitles(options.formula, table.fields);
  if (field.type === 'button') {
    if (options.label !== undefined) displayedOptions.label = withTitles(options.label, table.fields, true);
    if (options.url !== undefined) displayedOptions.url = withTitles(options.url, table.fields, true);
  }
  return displayedOptions;
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
/** JSON with sorted keys, for comparison. */
const plain = (value: unknown): string =>
  JSON.stringify(value, (_key, one: unknown) =>
    typeof one === 'object' && one !== null && !Array.isArray(one) ? Object.fromEntries(Object.entries(one).toSorted(([a], [b]) => (a < b ? -1 : 1))) : one,
  );

/** The parts that differ, so that a save does not overwrite concurrent changes of other parts. */
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
/** The parts of a definition in which two drafts differ. */
export const differingParts = (a: FieldDraft, b: FieldDraft): string[] => Object.keys(changeOf(a, b));

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

/** The kinds of default that a field of this type may have. */
export const defaultKinds = (type: FieldType): readonly DefaultKind[] => (consoleFieldTypeOf(type).defaultEditor === false ? [] : defaultKindsOf(type));
/** Whether users may write values of this type, so that rules, conditions and “required” apply. */
export const isWritten = (type: FieldType): boolean => !isComputed(type);
/** The draft without one of its choices. */
export const withoutChoice = (draft: FieldDraft, id: string): FieldDraft => ({
  ...draft,
  options: { ...draft.options, ...(draft.options.choices ? { choices: draft.options.choices.filter((choice) => choice.id !== id) } : {}) },
});
