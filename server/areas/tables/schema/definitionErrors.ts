import type { FieldCode } from '../../../../contract/errors';
import { fail } from '../../../http/failure';
import type { FieldError } from '../../../http/failure';

/** Collects the errors of a definition, by input path. */
export class DefinitionErrors {
  readonly #found: Record<string, FieldError> = {};
  readonly #prefix: string;
  readonly #parent: DefinitionErrors | null;

  constructor(prefix = '', parent: DefinitionErrors | null = null) {
    this.#prefix = prefix;
    this.#parent = parent;
  }
  add(path: string, code: FieldCode, numbers: Omit<FieldError, 'code'> = {}): void {
    if (this.#parent) this.#parent.add(`${this.#prefix}${path}`, code, numbers);
    else this.#found[`${this.#prefix}${path}`] ??= { code, ...numbers };
  }
  /** Whether there are any errors in the entire input. */
  get any(): boolean {
    return this.#parent ? this.#parent.any : Object.keys(this.#found).length > 0;
  }
  /** The same list for a part of the input. */
  within(prefix: string): DefinitionErrors {
    return new DefinitionErrors(prefix, this);
  }
  /** Throws `invalid_fields` if there are errors. */
  throwIfAny(): void {
    if (this.#parent) this.#parent.throwIfAny();
    else if (Object.keys(this.#found).length > 0) fail('invalid_fields', { fields: this.#found });
  }
}
