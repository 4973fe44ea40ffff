import type { FieldCode } from '../../../../contract/errors';
import { fail } from '../../../http/failure';
import type { FieldFault } from '../../../http/failure';

/** What is wrong with a definition, all of it at once, by the path of the input. */
export class Faults {
  readonly #found: Record<string, FieldFault> = {};
  readonly #prefix: string;
  readonly #parent: Faults | null;

  constructor(prefix = '', parent: Faults | null = null) {
    this.#prefix = prefix;
    this.#parent = parent;
  }
  add(path: string, code: FieldCode, numbers: Omit<FieldFault, 'code'> = {}): void {
    if (this.#parent) this.#parent.add(`${this.#prefix}${path}`, code, numbers);
    else this.#found[`${this.#prefix}${path}`] ??= { code, ...numbers };
  }
  /** Whether anything is wrong, here or anywhere in the whole input. */
  get any(): boolean {
    return this.#parent ? this.#parent.any : Object.keys(this.#found).length > 0;
  }
  /** The same list, for a part of the input. */
  within(prefix: string): Faults {
    return new Faults(prefix, this);
  }
  /** Throws `invalid_fields` where there is any. */
  settle(): void {
    if (this.#parent) this.#parent.settle();
    else if (Object.keys(this.#found).length > 0) fail('invalid_fields', { fields: this.#found });
  }
}
