import type { FieldDefault } from '../../../../../contract/tables/schemas';
import { isComputed } from '../../../../../contract/tables/terms';
import type { FieldModel, SiteModel } from '../model';
import { choiceOf, choicesOf, filesOf, geoOf, idOf, idsOf, jsonOf, repeaterOf, tagsOf } from './lists';
import { dateOf, datetimeOf, integerOf, numberOf, timeOf } from './quantities';
import { refuse } from './faults';
import { isTextType, textOf } from './texts';

/** What a field's value is before it has been written: `undefined` leaves it as it is. */
export const unchanged = undefined;

const isEmptyList = (raw: unknown): boolean => Array.isArray(raw) && raw.length === 0;

/** Whether a value says nothing. */
export const isEmpty = (value: unknown): boolean => value === null || value === undefined || value === '' || isEmptyList(value);

/** Lists of links are written as whole lists; an empty one is a value. */
export const isLinks = (field: Pick<FieldModel, 'type'>): boolean => field.type === 'relations' || field.type === 'inverse';

/** The `relations` field that an inverse mirrors, where it can be written through. */
export const mirrored = (model: SiteModel, field: FieldModel): { table: SiteModel['tables'][number]; field: FieldModel } | null => {
  const found = field.type === 'inverse' && field.options.of !== undefined ? model.fieldById.get(field.options.of) : undefined;
  return found?.field.type === 'relations' ? found : null;
};

/** Whether anybody may write a field at all. */
export const isWritable = (model: SiteModel, field: FieldModel): boolean =>
  !isComputed(field.type) && (field.type !== 'inverse' || mirrored(model, field) !== null);

/**
 * A JSON value as its field keeps it: null for nothing, `unchanged` for a password that stays. What only the database knows (whether records and
 * people exist, whether a value is taken) is looked at by `lookups.ts`. Throws `ValueFault`.
 */
export function valueOf(field: Pick<FieldModel, 'type' | 'options'>, raw: unknown): unknown {
  const { type, options } = field;
  if (type === 'relations' || type === 'inverse') return raw === null || raw === undefined ? [] : idsOf(options, raw);
  if (raw === null || raw === undefined || raw === '') return null;
  if (type === 'password' && raw === true) return unchanged;
  if (isTextType(type)) return textOf(type, options, raw);
  switch (type) {
    case 'integer':
      return integerOf(options, raw);
    case 'duration':
      return integerOf({ ...options, min: options.min ?? 0 }, raw);
    case 'rating': {
      // No stars are no rating.
      const stars = integerOf({ min: 0, max: options.max ?? 5 }, raw);
      return stars === 0 ? null : stars;
    }
    case 'number':
    case 'currency':
    case 'percent':
      return numberOf(options, raw);
    case 'switch':
      return typeof raw === 'boolean' ? raw : refuse('wrong_type');
    case 'date':
      return dateOf(options, raw);
    case 'time':
      return timeOf(raw);
    case 'datetime':
      return datetimeOf(options, raw);
    case 'select':
      return choiceOf(options, raw);
    case 'multiSelect':
      return choicesOf(options, raw);
    case 'tags':
      return tagsOf(options, raw);
    case 'geo':
      return geoOf(raw);
    case 'user':
    case 'relation':
      return idOf(raw);
    case 'file':
    case 'image':
    case 'svg':
    case 'video':
      return filesOf(options, raw);
    case 'json':
      return jsonOf(raw);
    case 'repeater':
      return repeaterOf(options, raw);
    default:
      return refuse('readonly');
  }
}

/** What a new record gets where its maker says nothing; `unchanged` where there is no default. Days are those of the site's zone. */
export function defaultOf(
  field: Pick<FieldModel, 'type' | 'default'>,
  at: { readonly now: Date; readonly timeZone: string; readonly userId: string | null; readonly newId: () => string },
): unknown {
  const given: FieldDefault | null = field.default;
  switch (given?.kind) {
    case undefined:
      return unchanged;
    case 'value':
      return given.value;
    case 'user':
      return at.userId;
    case 'uuid':
      return at.newId();
    case 'now': {
      if (field.type === 'datetime') return at.now.toISOString();
      // sv-SE writes `2026-11-20 17:05:00`.
      const local = at.now.toLocaleString('sv-SE', { timeZone: at.timeZone });
      return field.type === 'date' ? local.slice(0, 10) : local.slice(11, 19);
    }
  }
}

/** Whether two values are the same, as JSON: keys in any order, nothing like nothing. */
export function sameValue(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  if (Array.isArray(a) || Array.isArray(b))
    return Array.isArray(a) && Array.isArray(b) && a.length === b.length && a.every((one, at) => sameValue(one, (b as readonly unknown[])[at]));
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return isEmpty(a) && isEmpty(b);
  const [left, right] = [Object.entries(a), b as Record<string, unknown>];
  return left.length === Object.keys(right).length && left.every(([key, one]) => Object.hasOwn(right, key) && sameValue(one, right[key]));
}
