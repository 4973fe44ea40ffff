import type { FieldDefault } from '../../../../../contract/tables/schemas';
import { isComputed } from '../../../../../contract/tables/terms';
import type { FieldModel, SiteModel } from '../model';
import { refuse } from './valueErrors';
import { serverFieldTypeOf } from '../fieldTypes';

/** Result for a value that leaves the stored one unchanged. */
export const unchanged = undefined;

const isEmptyList = (raw: unknown): boolean => Array.isArray(raw) && raw.length === 0;

export const isEmpty = (value: unknown): boolean => value === null || value === undefined || value === '' || isEmptyList(value);

/** Link lists are always written as a whole; an empty list is a value. */
export const isLinks = (field: Pick<FieldModel, 'type'>): boolean => serverFieldTypeOf(field.type).listOfLinks === true;

/** The `relations` field that an inverse mirrors, if the inverse is writable. */
export const mirrored = (model: SiteModel, field: FieldModel): { table: SiteModel['tables'][number]; field: FieldModel } | null => {
  const found = field.type === 'inverse' && field.options.of !== undefined ? model.fieldById.get(field.options.of) : undefined;
  return found?.field.type === 'relations' ? found : null;
};

export const isWritable = (model: SiteModel, field: FieldModel): boolean =>
  !isComputed(field.type) && (field.type !== 'inverse' || mirrored(model, field) !== null);

/**
 * Validates a JSON value and returns it as stored: null for empty, `unchanged` for a password to keep. What only the database knows (whether records and
 * people exist, whether a value is unique) is checked in `lookups.ts`. Throws `ValueError`.
 */
export function valueOf(field: Pick<FieldModel, 'type' | 'options'>, raw: unknown): unknown {
  const { check, listOfLinks } = serverFieldTypeOf(field.type);
  if (raw === null || raw === undefined || (raw === '' && listOfLinks !== true)) return listOfLinks === true ? [] : null;
  return check ? check(raw, field.options) : refuse('readonly');
}

/** Default of a new record; `unchanged` if there is none. Days are in the site's time zone. */
export function defaultOf(
  field: Pick<FieldModel, 'type' | 'default'>,
  at: { readonly now: Date; readonly timeZone: string; readonly userId: string | null; readonly newId: () => string },
): unknown {
  const fieldDefault: FieldDefault | null = field.default;
  switch (fieldDefault?.kind) {
    case undefined:
      return unchanged;
    case 'value':
      return fieldDefault.value;
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

/** Whether two values are equal as JSON, ignoring key order; empty values are equal. */
export function sameValue(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  if (Array.isArray(a) || Array.isArray(b))
    return Array.isArray(a) && Array.isArray(b) && a.length === b.length && a.every((one, at) => sameValue(one, (b as readonly unknown[])[at]));
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return isEmpty(a) && isEmpty(b);
  const [left, right] = [Object.entries(a), b as Record<string, unknown>];
  return left.length === Object.keys(right).length && left.every(([key, one]) => Object.hasOwn(right, key) && sameValue(one, right[key]));
}
