import { serverFieldTypeOf } from '../core/fieldTypes';
import type { FieldModel } from '../core/model';
import { valueOf } from '../core/values/check';
import { ValueError } from '../core/values/valueErrors';
import { mostText } from './file';

/** A value in the file that its field cannot hold. */
export class Unfit extends Error {
  override readonly name = 'Unfit';
}
const fitting = (value: unknown): unknown => {
  if (value === undefined) throw new Unfit();
  return value;
};
const isTooLong = (raw: unknown): boolean =>
  typeof raw === 'string' ? Buffer.byteLength(raw) > mostText : Array.isArray(raw) && (raw as readonly unknown[]).some(isTooLong);

/**
 * A value as it may be stored. Constraints may be stricter by now (a removed choice, a shorter limit); such values are kept as long as the column can
 * hold them and they are not unsafe for readers. Throws `Unfit`.
 */
export function cleanedValue(field: Pick<FieldModel, 'type' | 'options'>, raw: unknown): unknown {
  if (raw === null || raw === undefined || raw === '') return null;
  if (isTooLong(raw)) throw new Unfit();
  const { restore, salvage } = serverFieldTypeOf(field.type);
  if (restore) return fitting(restore(raw));
  try {
    return valueOf(field, raw) ?? null;
  } catch (error) {
    if (!(error instanceof ValueError)) throw error;
    return fitting(salvage?.(raw));
  }
}
