import { isNothing } from '@contract/tables/formTerms';
import { readText, textOf } from '@contract/tables/formText';
import { momentText, readMoment } from '@contract/tables/valueText';
import type { OpenField, OpenForm } from '@contract/tables/forms';

/** A file that the server has for a field, with the text that proves it. */
export type UploadedFile = { readonly file: string; readonly name: string; readonly bytes: number };
/** The content of an input: a text, the ids of choices, whether it is checked, or files. */
export type Typed = string | readonly string[] | boolean | readonly UploadedFile[];
export const choicesIn = (typed: Typed): readonly string[] => (Array.isArray(typed) ? typed.filter((one: unknown) => typeof one === 'string') : []);
export const filesIn = (typed: Typed): readonly UploadedFile[] =>
  typeof typed === 'string' || typeof typed === 'boolean' ? [] : typed.flatMap((one) => (typeof one === 'string' ? [] : one));
export type AllTyped = Readonly<Record<string, Typed>>;
/** The parsed input, or that it is invalid for this field. */
export type ReadResult = { readonly value: unknown } | { readonly error: 'wrong_type' };

export const fieldsOf = (form: Pick<OpenForm, 'sections'>): readonly OpenField[] =>
  form.sections.flatMap((section) => section.fields.map(({ field }) => field));

/** The empty input of a field. */
export const blankInput = ({ type, files }: Pick<OpenField, 'type' | 'files'>): Typed =>
  type === 'switch' ? false : type === 'multiSelect' || files ? [] : '';

/** A value as its input represents it. */
export function typedOf(field: OpenField, value: unknown, timeZone: string): Typed {
  if (isNothing(value)) return blankInput(field);
  switch (field.type) {
    case 'switch':
      return value === true;
    case 'multiSelect':
      return Array.isArray(value) ? value.map(String) : [];
    case 'select':
      return String(value);
    case 'datetime':
      return momentText(String(value), timeZone).replace(' ', 'T');
    case 'time':
      return String(value).replace(/^(\d\d:\d\d):00$/, '$1');
    default:
      return textOf(field, value, { timeZone });
  }
}

/** The input as a value of the field; null for empty input. */
export function readTyped(field: OpenField, typed: Typed, timeZone: string): ReadResult {
  // An unchecked box that must be checked counts as empty.
  if (typeof typed === 'boolean') return { value: typed ? true : field.required ? null : false };
  if (field.files) return { value: filesIn(typed).length === 0 ? null : filesIn(typed).map(({ file }) => ({ file })) };
  if (typeof typed !== 'string') return { value: typed.length === 0 ? null : typed };
  if (typed.trim() === '') return { value: null };
  switch (field.type) {
    case 'select':
      return { value: typed };
    case 'longText':
    case 'markdown':
      return { value: typed };
    case 'datetime': {
      const moment = readMoment(typed.replace('T', ' '), timeZone);
      return moment === null ? { error: 'wrong_type' } : { value: moment };
    }
    case 'color': {
      const text = typed.trim();
      return { value: text.startsWith('#') ? text : `#${text}` };
    }
    default: {
      const read = readText(field, typed, { timeZone });
      return read.ok ? { value: read.value } : { error: 'wrong_type' };
    }
  }
}

const longestPrefill = 5000;
/**
 * Values from the URL: `?<name>=…` for fields of the form, by any of their names; `hide_<name>=1` hides a field that the URL fills in. Text that is not valid
 * for its field is left for the visitor to correct; unknown choices are dropped. The URL cannot reach other fields.
 */
export function prefilled(form: Pick<OpenForm, 'sections' | 'timeZone'>, search: string): { readonly typed: AllTyped; readonly hidden: readonly string[] } {
  const params = new URLSearchParams(search);
  const typed: Record<string, Typed> = {};
  const hidden: string[] = [];
  for (const field of fieldsOf(form)) {
    const name = field.names.find((one) => params.has(one));
    if (name === undefined || field.files) continue;
    const text = params
      .getAll(name)
      .join(field.type === 'multiSelect' || field.type === 'tags' ? ',' : '')
      .slice(0, longestPrefill);
    if (text === '') continue;
    const read = readText(field, text, { timeZone: form.timeZone });
    const picked = field.type === 'select' || field.type === 'multiSelect' || field.type === 'switch' || /date|time/.test(field.type);
    if (read.ok) typed[field.id] = typedOf(field, read.value, form.timeZone);
    else if (!picked) typed[field.id] = text;
    if (read.ok && !isNothing(read.value) && field.names.some((one) => params.get(`hide_${one}`) === '1')) hidden.push(field.id);
  }
  return { typed, hidden };
}
