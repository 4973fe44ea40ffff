import type { FieldCode } from '../../../../../contract/errors';
import type { FieldFault } from '../../../../http/failure';

/** What is wrong with a value; `at`: where inside it (`0.title` of a list). */
export class ValueFault extends Error {
  override readonly name = 'ValueFault';
  readonly fault: FieldFault;
  readonly at: string;
  constructor(fault: FieldFault, at = '') {
    super(fault.code);
    this.fault = fault;
    this.at = at;
  }
}

/** Throws a `ValueFault`. */
export function refuse(code: FieldCode, more: Omit<FieldFault, 'code'> = {}): never {
  throw new ValueFault({ code, ...more });
}
/** The same, of a part of the value. */
export function inPart<T>(part: string | number, work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (error instanceof ValueFault) throw new ValueFault(error.fault, error.at === '' ? String(part) : `${part}.${error.at}`);
    throw error;
  }
}
