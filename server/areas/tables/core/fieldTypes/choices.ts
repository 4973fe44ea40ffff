import { removedChoice } from '../../../../../contract/tables/fieldText';
import { fieldTypeOf } from '../../../../../contract/tables/fieldTypes';
import type { Choice, FieldOptions } from '../../../../../contract/tables/schemas';
import { refuse } from '../values/valueErrors';
import { choiceOf, choicesOf, tagsOf } from '../values/lists';
import { asText, textsIn } from './cells';
import { defineFieldType } from './definition';
import type { Conversion, OptionErrors, Schema, ServerFieldType, Side } from './definition';
import { keepableText } from './texts';

/** Index of the first value that repeats an earlier one. */
export const repeated = (all: readonly string[]): number => all.findIndex((one, at) => all.indexOf(one) !== at);
export function checkChoices(choices: readonly Choice[], path: string, errors: OptionErrors): void {
  const id = repeated(choices.map((choice) => choice.id));
  if (id >= 0) errors.add(`${path}.${id}.id`, 'duplicate');
  const title = repeated(choices.map((choice) => choice.title.normalize('NFKC').toLowerCase()));
  if (title >= 0) errors.add(`${path}.${title}.title`, 'duplicate');
}

/** Titles of choices, or the tags themselves. */
export const titlesIn = ({ type, options }: Side, value: unknown): readonly string[] => {
  const ids = Array.isArray(value) ? (value as readonly string[]) : [asText(value)];
  return type === 'tags' ? ids : ids.map((id) => options.choices?.find((choice) => choice.id === id)?.title ?? id);
};
const isList = ({ type }: Side): boolean => fieldTypeOf(type).family === 'list';

/** The first of several names in a cell, for a type that holds one link. */
export function firstLink(value: unknown, { from, read, text }: Conversion): unknown {
  if (from.type !== 'relations') return undefined;
  const [first = ''] = Array.isArray(value) ? (value as readonly string[]) : [];
  return read(text(first, { ...from, type: 'relation' }));
}

export const listSchema = (items: Schema, most?: number): Schema => ({ type: 'array', items, ...(most === undefined ? {} : { maxItems: most }) });
const choiceSchema = ({ choices = [] }: FieldOptions): Schema => ({ type: 'string', enum: choices.map((choice) => choice.id) });
const keepableTexts = (raw: unknown): unknown => {
  if (!Array.isArray(raw) || raw.length > 1000) return undefined;
  const texts = raw.map(keepableText);
  return texts.includes(undefined) ? undefined : texts;
};
const selection: Pick<ServerFieldType, 'resolveOptions' | 'cell'> = {
  resolveOptions: ({ choices }, _around, errors) => {
    if (choices) checkChoices(choices, 'choices', errors);
    return {};
  },
  cell: (value, { options, locale }) => {
    const chips = (typeof value === 'string' ? [value] : textsIn(value)).map((id) => {
      const choice = options.choices?.find((one) => one.id === id);
      return { title: choice?.title ?? removedChoice(locale), color: choice?.color ?? 'grey' };
    });
    return { text: chips.map(({ title }) => title).join(', '), chips };
  },
};

export const select = defineFieldType({
  ...selection,
  check: (raw, options) => choiceOf(options, raw),
  salvage: keepableText,
  schema: choiceSchema,
  label: (id, { choices }) => choices?.find((choice) => choice.id === id)?.title ?? '',
  takesFirst: true,
  convert: (value, conversion) => (isList(conversion.from) ? conversion.read(titlesIn(conversion.from, value)[0] ?? '') : firstLink(value, conversion)),
});
export const multiSelect = defineFieldType({
  ...selection,
  check: (raw, options) => choicesOf(options, raw),
  salvage: keepableTexts,
  schema: (options) => listSchema(choiceSchema(options), options.most),
  convert: (value, { from, to, read }) => {
    if (!isList(from)) return undefined;
    const idOf = (title: string): string => {
      const id = read(title, { ...to, type: 'select' });
      return typeof id === 'string' ? id : refuse('unknown');
    };
    return [...new Set(titlesIn(from, value).map(idOf))];
  },
});
export const tags = defineFieldType({
  check: (raw, options) => tagsOf(options, raw),
  salvage: keepableTexts,
  schema: ({ most }) => listSchema({ type: 'string' }, most),
  convert: (value, { from }) => (isList(from) ? titlesIn(from, value) : undefined),
  cell: (value) => ({ text: textsIn(value).join(', '), chips: textsIn(value).map((title) => ({ title, color: 'grey' })) }),
});
