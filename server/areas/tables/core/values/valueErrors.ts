import type { FieldCode } from '../../../../../contract/errors';
import type { FieldError } from '../../../../http/failure';

/** An invalid value; `at`: path inside it (`0.title` of a list). */
export class ValueError extends Error {
  override readonly name = 'ValueFault';
  readonly error: FieldError;
  readonly at: string;
  constructor(error: FieldError, at = '') {
    super(error.code);
    this.error = error;
    this.at = at;
  }
}

/** Throws a `ValueError`. */
export function refuse(code: FieldCode, more: Omit<FieldError, 'code'> = {}): never {
  throw new ValueError({ code, ...more });
}
/** Adds the path of a part to errors thrown inside. */
export function inPart<T>(part: string | number, work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (error instanceof ValueError) throw new ValueError(error.error, error.at === '' ? String(part) : `${part}.${error.at}`);
    throw error;
  }
}
