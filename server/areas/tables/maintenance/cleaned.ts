import type { FieldModel } from '../core/model';
import { valueOf } from '../core/values/check';
import { ValueFault } from '../core/values/faults';
import { cleanHtml } from '../core/values/richText';
import { isKeepable } from '../core/values/texts';
import { mostText } from './file';

/** A value of a file that its field cannot hold. */
export class Unfit extends Error {
  override readonly name = 'Unfit';
}
const unfit = (): never => {
  throw new Unfit();
};

const hash = /^\$argon2id\$v=\d+\$[\w=,]{1,60}\$[A-Za-z0-9+/]{10,100}\$[A-Za-z0-9+/]{10,200}$/;
const decimal = /^-?\d{1,200}(?:\.\d{1,200})?$/;
const text = (raw: unknown): string => (typeof raw === 'string' && isKeepable(raw) && Buffer.byteLength(raw) <= mostText ? raw : unfit());
const whole = (raw: unknown): number => (typeof raw === 'number' && Number.isSafeInteger(raw) ? raw : unfit());

/**
 * A value as it may be stored. What it was allowed to be may be stricter by now (a choice that is gone, a shorter text): that is no reason to lose it, as long
 * as its column holds it and it is not what readers must be kept from. Throws `Unfit`.
 */
export function cleaned(field: Pick<FieldModel, 'type' | 'options'>, raw: unknown): unknown {
  if (raw === null || raw === undefined || raw === '') return null;
  switch (field.type) {
    case 'password':
      return typeof raw === 'string' && hash.test(raw) ? raw : unfit();
    case 'autonumber':
      return whole(raw);
    case 'richText':
      return cleanHtml(text(raw)) || null;
    default:
      break;
  }
  try {
    return valueOf(field, raw) ?? null;
  } catch (error) {
    if (!(error instanceof ValueFault)) throw error;
  }
  switch (field.type) {
    case 'text':
    case 'longText':
    case 'markdown':
    case 'email':
    case 'phone':
    case 'slug':
    case 'color':
    case 'select':
      return text(raw);
    case 'multiSelect':
    case 'tags':
      return Array.isArray(raw) && raw.length <= 1000 ? raw.map(text) : unfit();
    case 'integer':
    case 'rating':
    case 'duration':
      return whole(raw);
    case 'number':
    case 'currency':
    case 'percent':
      return typeof raw === 'string' && decimal.test(raw) ? raw : unfit();
    case 'date':
      return typeof raw === 'string' && /^\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])$/.test(raw) && !Number.isNaN(Date.parse(raw)) ? raw : unfit();
    case 'datetime':
      return typeof raw === 'string' && !Number.isNaN(Date.parse(raw)) ? new Date(raw).toISOString() : unfit();
    default:
      return unfit();
  }
}
