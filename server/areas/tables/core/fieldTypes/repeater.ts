import type { FieldOptions, RepeaterItem } from '../../../../../contract/tables/schemas';
import { tableLimits } from '../../../../../contract/tables/terms';
import { inPart, refuse } from '../values/valueErrors';
import { choiceOf, filesOf, isObject, listLimit, listOf, orNull } from '../values/lists';
import type { Json } from '../values/lists';
import { dateOf, integerOf, numberOf } from '../values/quantities';
import { addressOf, limitedText } from '../values/texts';

function itemValue({ type, choices }: RepeaterItem, raw: unknown): unknown {
  switch (type) {
    case 'text':
    case 'longText': {
      const text = limitedText(raw);
      return type === 'text' && /[\n\r]/.test(text) ? refuse('forbidden_characters') : text;
    }
    case 'url':
      return typeof raw === 'string' ? addressOf(raw.trim()) : refuse('wrong_type');
    case 'integer':
      return integerOf({}, raw);
    case 'number':
      return numberOf({}, raw);
    case 'switch':
      return typeof raw === 'boolean' ? raw : refuse('wrong_type');
    case 'date':
      return dateOf({}, raw);
    case 'select':
      return choiceOf({ choices: choices ?? [] }, raw);
    case 'image':
      return filesOf({}, raw);
  }
}

const isNothing = (value: unknown): boolean => value === undefined || value === null || value === '' || (Array.isArray(value) && value.length === 0);

/** A list of objects with exactly the parts that `options.items` describes. */
export function repeaterOf(options: FieldOptions, raw: unknown): readonly Json[] | null {
  const items = options.items ?? [];
  const rows = listOf(raw, listLimit(options)).map((row, at) =>
    inPart(at, () => {
      if (!isObject(row)) return refuse('wrong_type');
      for (const key of Object.keys(row)) if (!items.some((item) => item.key === key)) inPart(key, () => refuse('unknown_field'));
      return Object.fromEntries(
        items.flatMap((item) => {
          const value = Object.hasOwn(row, item.key) ? row[item.key] : null;
          if (isNothing(value)) return item.required ? inPart(item.key, () => refuse('required')) : [];
          return [[item.key, inPart(item.key, () => itemValue(item, value))]];
        }),
      );
    }),
  );
  if (rows.length > 0 && Buffer.byteLength(JSON.stringify(rows)) > tableLimits.textBytes) return refuse('too_long', { max: tableLimits.textBytes });
  return orNull(rows);
}
